import { randomBytes } from 'node:crypto';
import { type Client, createClient } from '@affiliate/client';
import {
  type AppRouter,
  type JobKind,
  type Logger,
  type PermissionMap,
  type Services,
  openDatabase,
  openVisits,
  createAccount,
  createSecretBox,
  issueApiKey,
  mailRequestedLinks,
  mailRequestedPortalLinks,
  parseAllowedNetworks,
  sendDueMail,
  untilMailIsSent,
  writeApiLog,
  createPayoutMethods,
  createSources,
} from '@affiliate/core';
import { mcpOverHttp } from '@affiliate/mcp';
import type { SentStatement } from '@affiliate/postgres';
import { type RestOptions, createApp, listen } from '@affiliate/rest';
import {
  createHostResolver,
  createPageReader,
  startWorker,
  JobQueue,
  JobSender,
  type Worker,
  type WorkerOptions,
} from '@affiliate/worker';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { TestClock } from './clock.ts';
import { Api } from './http.ts';
import { assertIndexed } from './indexed.ts';
import { type LogLine, testLog } from './log.ts';
import { TestMailbox } from './mailbox.ts';
import { assertMirrored } from './mirror.ts';
import { createTestDatabase } from './postgres.ts';

/** Inputs and outputs of all procedures in their JSON form, for bodies of requests and responses. */
export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

export interface TestService {
  url: string;
  /** URL of the database, for other processes of the service, which also need `SECRET_KEY`. */
  databaseUrl: string;
  clock: TestClock;
  log: Logger & { lines: LogLine[] };
  /** Receives the email that the service sends. */
  mailbox: TestMailbox;
  /** The service's dependencies, with which tests call its functions directly, e.g. to make changes that no request can make. */
  services: Services;
  /** Null unless the options ask for a worker. */
  worker: Worker | null;
  /** Creates an account with an owner and a key with all permissions. */
  createAccount(currency?: string): Promise<TestAccount>;
  /** Downloads a file, or a range of it, from an address that the service has returned. Throws if that fails. */
  download(downloadUrl: string, range?: string): Promise<Buffer>;
  stop(): Promise<void>;
}

export interface TestAccount {
  id: string;
  ownerId: string;
  ownerEmail: string;
  ownerPassword: string;
  apiKey: string;
  /** A REST client with the account's key. */
  api: Api;
  /** A client of all procedures over /trpc, with the account's key. */
  client: Client;
  /** Creates a key with these permissions. Returns a REST client with it. */
  apiWith(permissions: PermissionMap): Promise<Api>;
}

export const SECRET_KEY = 'the secret key of the tests';

/** Payment providers that cannot be reached. The address is this machine's discard port, so that no test calls a real provider. */
const NO_SOURCES = createSources({ apiBase: 'http://127.0.0.1:9' });
const NO_RAILS = createPayoutMethods({
  apiBases: { paypal: 'http://127.0.0.1:9', wise: 'http://127.0.0.1:9', stripe: 'http://127.0.0.1:9' },
});

export interface ServiceOptions {
  sources?: Services['sources'];
  /** Called with every statement that requests send to PostgreSQL. */
  onStatement?: (statement: SentStatement) => void;
  /** True if the suite writes or deletes rows of records itself, of which no event can tell. Otherwise a mirror is compared at the end (`assertMirrored`). */
  writesRows?: boolean;
  /** True if the suite checks at its end that each statement can use an index (`assertIndexed`). It must not search whole tables itself. */
  checksIndexes?: boolean;
  /** The mailer to use in place of the test mailbox. */
  mailer?: Services['mailer'];
  /** If set, a worker also runs in this process, and delivers webhooks to loopback. */
  worker?: Omit<WorkerOptions, 'databaseUrl' | 'queue'>;
  /** If true, jobs are left to workers that the test starts in other processes. */
  workersElsewhere?: boolean;
  /** Invitations that an account may mail in an hour. Default: practically unlimited. */
  invitationsPerHour?: number;
  /** Default: practically unlimited, because tests send many requests from one address. */
  rateLimits?: RestOptions['rateLimits'];
  /** Public URL of the service. Tests with a browser need a URL of this machine. */
  publicUrl?: string;
  /** Port to listen on, unless it is in use. */
  preferredPort?: number | undefined;
  /** Directory of the built pages. Without it, no pages are served. */
  pages?: string;
  /** With 1, a test can set the client's address in X-Forwarded-For. */
  trustedProxies?: number;
  countryHeader?: string;
  /** Token of the mail provider's webhooks. */
  mailReportsToken?: string;
  /** Origins whose pages may call `/mcp`. */
  allowedOrigins?: readonly string[];
  /** Items of a payout run per transaction. A small number makes even small runs work on two batches at once. */
  payoutRunBatch?: number;
}

const UNLIMITED = { caller: 1e9, publicAddress: 1e9, failedCredentials: 1e9 };

/**
 * Starts the service over HTTP in this process, with its own database and loopback port. Start one per test file, in `beforeAll`; each test
 * uses its own accounts.
 */
export async function startService({
  sources = NO_SOURCES,
  mailer,
  worker: workerOptions,
  workersElsewhere = false,
  invitationsPerHour = 1e9,
  rateLimits = UNLIMITED,
  publicUrl = 'https://affiliates.example.com',
  preferredPort = 0,
  pages,
  trustedProxies,
  countryHeader,
  mailReportsToken,
  allowedOrigins,
  payoutRunBatch,
  onStatement,
  writesRows = false,
  checksIndexes = false,
}: ServiceOptions = {}): Promise<TestService> {
  const { url: databaseUrl, drop } = await createTestDatabase();
  const statements = new Set<string>();
  const database = await openDatabase({
    url: databaseUrl,
    poolSize: 8,
    onStatement: (statement) => {
      if (checksIndexes) statements.add(statement.text);
      onStatement?.(statement);
    },
  });
  const clock = new TestClock();
  const log = testLog();
  const queue = workerOptions ? await JobQueue.open({ url: databaseUrl, log, scheduleCheckSeconds: 45 }) : null;
  const sender = queue || workersElsewhere ? new JobSender({ url: databaseUrl, log }) : null;
  const mailbox = new TestMailbox();
  const webhooks = { resolve: createHostResolver(), allowed: parseAllowedNetworks('127.0.0.0/8') };
  const services: Services = {
    database,
    clock,
    log,
    secrets: createSecretBox(SECRET_KEY),
    sources,
    payoutMethods: NO_RAILS,
    jobs: sender ?? { send: (kind) => void setImmediate(() => void workHere(services, kind)) },
    webhooks,
    // Resolves only localhost names, without a name server.
    readPage: createPageReader({ ...webhooks, resolve: async (host) => (host.endsWith('localhost') ? ['127.0.0.1'] : []) }),
    readDocument: async () => null,
    resolveTexts: async () => [],
    mailer: mailer ?? mailbox,
    publicUrl,
    payoutRunBatch,
    invitationsPerHour,
    onWrongLockOrder: (message) => {
      throw new Error(message);
    },
  };
  const worker = queue && (await startWorker(services, { ...workerOptions, databaseUrl, queue }));
  const visits = await openVisits(services, databaseUrl);
  const app = createApp(services, {
    pages,
    rateLimits,
    trustedProxies,
    countryHeader,
    mailReportsToken,
    doors: { '/mcp': (limits) => mcpOverHttp(services, limits, { allowedOrigins }) },
  });
  const listenAt = (port: number) => listen(app, { host: '127.0.0.1', port });
  const server = await listenAt(preferredPort).catch((error: NodeJS.ErrnoException) =>
    error.code === 'EADDRINUSE' ? listenAt(0) : Promise.reject(error),
  );
  return {
    url: server.url,
    databaseUrl,
    clock,
    log,
    mailbox,
    services,
    worker,
    createAccount: (currency = 'USD') => newAccount(services, server.url, currency),
    download: async (downloadUrl, range) => {
      const { pathname } = new URL(downloadUrl);
      const reply = await fetch(`${server.url}${pathname}`, range === undefined ? {} : { headers: { Range: range } });
      if (reply.status !== (range === undefined ? 200 : 206)) throw new Error(`A download got status ${reply.status}.`);
      return Buffer.from(await reply.arrayBuffer());
    },
    stop: async () => {
      // Windows of a browser may keep connections that they have not used yet. Those count as busy, so the server does not wait long for them.
      await server.close(pages === undefined ? undefined : 250);
      await visits.close();
      await writeApiLog(services);
      // Otherwise this process would go on sending with a closed database during other tests.
      await (worker?.stop() ?? untilMailIsSent(services));
      await sender?.close();
      await queue?.close();
      try {
        if (checksIndexes) await assertIndexed(databaseUrl, statements);
        if (!writesRows) await assertAllMirrored(services);
      } finally {
        await database.close();
        await drop();
      }
    },
  };
}

async function assertAllMirrored(services: Services): Promise<void> {
  const { kysely } = services.database;
  for (const { account_id } of await kysely.selectFrom('event').select('account_id').distinct().execute())
    await assertMirrored(services, account_id);
}

/** Does the work of a job in this process, for services without a worker: sends mail. */
async function workHere(services: Services, kind: JobKind): Promise<void> {
  try {
    if (kind === 'mailed_links') await mailRequestedLinks(services);
    else if (kind === 'portal_links') await mailRequestedPortalLinks(services);
    else if (kind === 'mail' || kind === 'urgent_mail') await sendDueMail(services);
  } catch (err) {
    services.log.error({ err, kind }, 'job failed');
  }
}

async function newAccount(services: Services, url: string, currency: string): Promise<TestAccount> {
  const ownerEmail = `owner-${randomBytes(6).toString('hex')}@example.com`;
  const ownerPassword = 'correct horse battery staple';
  const { account_id, user_id, api_key } = await createAccount(services, {
    name: 'Test account',
    currency,
    ownerEmail,
    ownerPassword,
  });
  return {
    id: account_id,
    ownerId: user_id,
    ownerEmail,
    ownerPassword,
    apiKey: api_key,
    api: new Api(url, credentials(account_id, api_key)),
    // Without retries, because they would hide errors and give keys to mutations.
    client: createClient({ url, apiKey: api_key, accountId: account_id, retries: 0 }),
    apiWith: async (permissions) => {
      const { api_key } = await issueApiKey(services, { accountId: account_id, name: 'Limited', permissions });
      return new Api(url, credentials(account_id, api_key));
    },
  };
}

export function credentials(accountId: string, apiKey: string): Record<string, string> {
  return { Authorization: `Bearer ${apiKey}`, 'X-Account-Id': accountId };
}
