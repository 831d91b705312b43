import { join } from 'node:path';
import {
  type Database,
  openDatabase,
  type Mailer,
  type Services,
  createSecretBox,
  databaseFailure,
  hasSecretKey,
  isKeyOfDatabase,
  migrate,
  OtherSchemaError,
  schemaBuild,
  schemaState,
  systemClock,
  createPayoutMethods,
  createSources,
} from '@affiliate/core';
import { PROVIDER_KINDS, TOOL_KINDS } from '@affiliate/core/vocabulary';
import { JobSender } from '@affiliate/worker/job-sender';
import { createHostResolver, createTextResolver } from '@affiliate/worker/resolve-host';
import type { Logger } from 'pino';
import { BUILD, BUILD_NAME, newerSchema, otherSchema } from './build-name.ts';
import { type Configuration, publicUrl, apiBaseOf } from './configuration.ts';
import { assertUsableDataDirectory } from './data-directory.ts';
import { OperatorError } from './errors.ts';
import { createLogMailer } from './mail/log-mailer.ts';
import type { SmtpSettings } from './mail/smtp-mailer.ts';
import { newerVersion } from './releases.ts';
import { loadOrCreateSecretKey, loadSecretKey } from './secret-key.ts';

/** Time without an answer of the database after which a process that starts is waiting. */
const NOTABLE_WAIT_MS = 3_000;

/** An open installation: its migrated database and its services. */
export interface Installation {
  services: Services;
  /** Sends and inspects the jobs of the workers. */
  jobs: JobSender;
  /** Database URL for connections that need a session of their own. It bypasses the pooler, if there is one. */
  databaseUrl: string;
  /** True if the database is the embedded one in DATA_DIR, false if DATABASE_URL names it. */
  embedded: boolean;
  /** Names of the migrations that were applied when the installation was opened. */
  applied: string[];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** True if the process serves no requests, so that background work may use all connections. */
  isOnlyWorker?: boolean;
  /** Called with the reason, a sentence, when opening must wait, e.g. for a migration. */
  onWait?: ((reason: string) => void) | undefined;
  /** Called after each attempt to send an email to the mail server. */
  onMail?: SmtpSettings['onAttempt'];
}

/**
 * Opens the database of DATABASE_URL, otherwise the embedded one, which is started if it is not running. Applies pending migrations.
 *
 * @throws OperatorError if the database cannot be reached
 */
export async function openInstallation(
  configuration: Configuration,
  log: Logger,
  { isOnlyWorker = false, onWait, onMail }: OpenOptions = {},
): Promise<Installation> {
  const { url, stop } = await openPostgres(configuration, log);
  try {
    const waiting = { isOnlyWorker, onWait };
    const { database, applied } = await connect(configuration.DATABASE_URL ?? url, configuration, log, waiting);
    const secretKey = configuration.SECRET_KEY ?? (await ownSecretKey(configuration.DATA_DIR, database));
    const webhooks = { resolve: createHostResolver(), allowed: configuration.WEBHOOK_ALLOWED_NETWORKS };
    const jobs = new JobSender({ url, log });
    const services: Services = {
      database,
      clock: systemClock,
      log,
      secrets: createSecretBox(secretKey, configuration.SECRET_KEY_PREVIOUS),
      sources: createSources({
        apiBase: configuration.PSP_API_BASE,
        apiBases: Object.fromEntries(PROVIDER_KINDS.map((kind) => [kind, configuration[apiBaseOf(kind)]])),
        fetchPublic: async (...sent) => (await import('@affiliate/worker/read-page')).createPublicFetch(webhooks)(...sent),
        timeoutMs: configuration.PSP_TIMEOUT_MS,
      }),
      payoutMethods: createPayoutMethods({
        apiBases: {
          paypal: configuration.PAYPAL_API_BASE,
          wise: configuration.WISE_API_BASE,
          stripe: configuration.PSP_API_BASE,
        },
      }),
      imports: {
        apiBases: Object.fromEntries(TOOL_KINDS.map((kind) => [kind, configuration[apiBaseOf(kind)]])),
      },
      jobs,
      webhooks,
      readDocument: async (url) => (await import('@affiliate/worker/read-page')).createDocumentReader(webhooks)(url),
      readPage: async (page) => (await import('@affiliate/worker/read-page')).createPageReader(webhooks)(page),
      resolveTexts: createTextResolver(),
      mailer: await openMailer(configuration, log, onMail),
      publicUrl: publicUrl(configuration),
      releases: { running: BUILD_NAME, newer: () => newerVersion(configuration.NEWEST_VERSION_FILE, BUILD.version) },
      clickRetentionDays: configuration.CLICK_RETENTION_DAYS,
      ...(configuration.INVITATIONS_PER_HOUR !== undefined && { invitationsPerHour: configuration.INVITATIONS_PER_HOUR }),
    };
    try {
      await assertKeyOfDatabase(services, configuration);
    } catch (error) {
      await database.close();
      throw error;
    }
    return {
      services,
      jobs,
      databaseUrl: url,
      embedded: configuration.DATABASE_URL === undefined,
      applied,
      close: async () => {
        // Without the database, the jobs that are left cannot be sent.
        if (!database.givenUp.aborted) await jobs.close();
        services.mailer.close?.();
        await database.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Returns the key of an installation without SECRET_KEY. Creates it with a new database only: another key would not decrypt the secrets of a used one.
 *
 * @throws OperatorError if the key of a used database is missing
 */
async function ownSecretKey(dataDir: string, database: Database): Promise<string> {
  // The file is older than the check in the database, even if another process creates both now.
  if ((await hasSecretKey(database)) && (await loadSecretKey(dataDir)) === null) {
    await database.close();
    throw new OperatorError(
      `${join(dataDir, 'secret-key')} is missing, and secrets in the database were encrypted with its key. Restore the file from a backup, or set SECRET_KEY to the key.`,
    );
  }
  return loadOrCreateSecretKey(dataDir);
}

/**
 * Checks that the secret key can decrypt the secrets in the database.
 *
 * @throws OperatorError if the key cannot decrypt them
 */
export async function assertKeyOfDatabase(
  services: Pick<Services, 'database' | 'secrets' | 'clock'>,
  { SECRET_KEY, DATA_DIR }: Configuration,
): Promise<void> {
  if (await isKeyOfDatabase(services)) return;
  const name = SECRET_KEY === undefined ? `The key in ${join(DATA_DIR, 'secret-key')}` : 'SECRET_KEY';
  throw new OperatorError(
    `${name} is not the key with which the secrets in this database were encrypted. Set SECRET_KEY to the key with which they were encrypted. ` +
      'To replace the key, set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the former key, then run `affiliate secrets reencrypt`.',
  );
}

async function openMailer(
  { SMTP_URL, MAIL_FROM = '' }: Configuration,
  log: Logger,
  onAttempt: SmtpSettings['onAttempt'],
): Promise<Mailer> {
  if (SMTP_URL === undefined) return createLogMailer(log);
  const { createSmtpMailer } = await import('./mail/smtp-mailer.ts');
  return createSmtpMailer({ url: SMTP_URL, from: MAIL_FROM, onAttempt });
}

/**
 * Returns the URL of the database to use: the external database if DATABASE_URL is set, otherwise the embedded database, which is started if it is
 * not running. The URL bypasses any pooler, so that each connection has its own session.
 */
export async function openPostgres(
  { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: Configuration,
  log: Logger,
): Promise<{ url: string; stop: () => Promise<void> }> {
  if (DATABASE_URL !== undefined) return { url: DATABASE_DIRECT_URL ?? DATABASE_URL, stop: () => Promise.resolve() };
  await assertUsableDataDirectory(DATA_DIR);
  if (BUILD.commit !== null)
    throw new OperatorError(
      'Set DATABASE_URL to the URL of a PostgreSQL database. A production build has no PostgreSQL of its own.',
    );
  const { EmbeddedPostgresError, openEmbeddedPostgres } = await import('@affiliate/embedded-postgres');
  try {
    return await openEmbeddedPostgres({ dataDir: DATA_DIR, log: (line) => log.info({}, line) });
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? new OperatorError(error.message, { cause: error }) : error;
  }
}

async function connect(
  url: string,
  { DATABASE_DIRECT_URL, DATABASE_READ_URL, DATABASE_POOL_SIZE, DATABASE_PREPARED_STATEMENTS }: Configuration,
  log: Logger,
  { isOnlyWorker, onWait }: Pick<OpenOptions, 'isOnlyWorker' | 'onWait'>,
): Promise<{ database: Database; applied: string[] }> {
  const database = await openDatabase({
    url,
    directUrl: DATABASE_DIRECT_URL,
    // A worker does not read from a replica, because it reads rows that it is about to change.
    readUrl: isOnlyWorker ? undefined : DATABASE_READ_URL,
    poolSize: DATABASE_POOL_SIZE,
    ...(isOnlyWorker && { backgroundSize: DATABASE_POOL_SIZE }),
    prepareStatements: DATABASE_PREPARED_STATEMENTS === 'on',
  });
  const slow = setTimeout(() => onWait?.('The database has not answered yet.'), NOTABLE_WAIT_MS);
  try {
    // This query fails if the database does not exist. Otherwise the migrator would create the database, and would close the existing
    // connections to do so.
    await database.kysely.selectNoFrom((to) => to.lit(1).as('one')).execute();
    clearTimeout(slow);
    if (DATABASE_DIRECT_URL !== undefined) assertSettings(await database.missingSettings());
    // The migrator runs only if a migration is pending, so that a process without the right to change the schema can serve an up-to-date
    // database.
    const { kind, pending, unknown } = await schemaState(database);
    if (kind === 'newer') log.warn({ unknown }, newerSchema(await schemaBuild(database), unknown));
    if (pending.length === 0) return { database, applied: [] };
    const waiting = `Waiting for migrations: ${pending.join(', ')}.`;
    onWait?.(waiting);
    const onTurn = () => {
      log.warn({ pending }, 'another process is applying migrations; waiting for it');
      onWait?.(`${waiting} Another process is applying them.`);
    };
    const applied = await migrate(database, { build: BUILD_NAME, onWait: onTurn });
    onWait?.('The process is starting.');
    return { database, applied };
  } catch (error) {
    clearTimeout(slow);
    await database.close();
    throw error instanceof OperatorError ? error : unusableDatabase(url, error);
  }
}

/**
 * Checks that no session setting is missing.
 *
 * @throws OperatorError with the settings that the pooler must apply to its sessions
 */
function assertSettings(missing: readonly string[]): void {
  if (missing.length === 0) return;
  const statements = missing.map((setting) => `set ${setting};`).join(' ');
  throw new OperatorError(
    `Sessions opened through DATABASE_URL lack required settings. Configure the pooler to apply them to each session. For PgBouncer, add this to connect_query of the database: ${statements}`,
  );
}

/**
 * Does work on the database.
 *
 * @throws OperatorError with the reason in one line if the database cannot be reached, or refuses the work, e.g. because it is read-only
 */
export async function onDatabase<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw databaseFailure(error) === null ? error : unusableDatabase(url, error);
  }
}

/** Returns the error for a database that cannot be reached or refuses this user. Its message contains only the host, not the password. */
export function unusableDatabase(url: string, error: unknown): OperatorError {
  const reason = error instanceof OtherSchemaError ? otherSchema(error.builtBy, error.migration) : reasonOf(error);
  return new OperatorError(`Cannot use the database at ${databaseHost(url)}: ${reason}`, { cause: error });
}

/** Returns the host and port of a database, or the directory of its Unix socket, without the credentials in its URL. */
export function databaseHost(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? host;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
