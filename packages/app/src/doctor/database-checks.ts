import { compareSchema, createSecretBox, isKeyOfDatabase, knownMigrations, openDatabase, systemClock } from '@affiliate/core';
import { type PgClient, openSession } from '@affiliate/postgres';
import {
  FAILING_SCHEDULED,
  type FailingScheduled,
  SILENT_SECONDS,
  WORKERS,
  type Workers,
} from '@affiliate/worker/job-inspection';
import { newerSchema, otherSchema } from '../build-name.ts';
import { databaseHost } from '../installation.ts';
import { checkClicks } from './click-checks.ts';
import { type Finding, failed, ok, reasonOf, warning } from './findings.ts';

const OLDEST_POSTGRES = 150_000;
const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;
const NOTABLE_SKEW_MS = 2_000;
const HARMFUL_SKEW_MS = 30_000;
/** Delay after which due work counts as late, in seconds. A worker starts deliveries and jobs at once, and looks for the rest every 10 to 15 s. */
const LATE_SECONDS = { atOnce: 10, swept: 60, scheduled: 300 };
/** SQL condition: the time in a column is past by more than `seconds`. */
const isLate = (column: string, seconds: number) => `${column} < now() - interval '${seconds} seconds'`;

/** Runs the checks that need the database. `keys` are the secret keys of this process, or null if it has none yet. */
export async function checkDatabase(
  url: string,
  keys: { present: string; previous?: string | undefined } | null,
  clickRetentionDays: number,
): Promise<Finding[]> {
  let client: PgClient;
  try {
    client = await openSession(url, { name: 'affiliate doctor', connectMs: CONNECT_MS, statementMs: STATEMENT_MS });
  } catch (error) {
    return [
      failed(
        'database',
        `PostgreSQL cannot be reached at ${databaseHost(url)}: ${reasonOf(error)}`,
        isTooManyConnections(error)
          ? TOO_MANY_CONNECTIONS
          : 'Check DATABASE_URL and the network, and that PostgreSQL is running.',
      ),
    ];
  }
  try {
    const findings = [
      ...(await attempt('database', () => server(client))),
      ...(await attempt('clock', () => clocks(client))),
      ...(await attempt('migrations', () => migrations(client))),
    ];
    // The other checks read tables, so they need the schema of this version.
    if (findings.at(-1)!.status !== 'ok') return findings;
    return [
      ...findings,
      ...(await attempt('secret key', () => secretKey(client, url, keys))),
      ...(await attempt('worker', () => workers(client))),
      ...(await pendingWork(client)),
      ...(await attempt('jobs', () => jobs(client))),
      ...(await attempt('backup', () => lastBackup(client))),
      ...(await attempt('clicks', () => checkClicks(client, clickRetentionDays))),
    ];
  } finally {
    await client.end();
  }
}

const TOO_MANY_CONNECTIONS = 'Raise max_connections, or lower DATABASE_POOL_SIZE.';

function isTooManyConnections(error: unknown): boolean {
  return (error as { code?: unknown }).code === '53300';
}

/** Makes a check, and reports a failure of the check itself, e.g. because of a time limit, so that the others are still made. */
async function attempt(check: string, examine: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await examine()].flat();
  } catch (error) {
    const advice = isTooManyConnections(error)
      ? TOO_MANY_CONNECTIONS
      : 'Fix the cause, then run `affiliate doctor` again. The log of PostgreSQL may say more.';
    return [failed(check, `this check failed: ${reasonOf(error)}`, advice)];
  }
}

async function server(client: PgClient): Promise<Finding> {
  const { rows } = await client.query<{
    number: number;
    version: string;
    used: number;
    most: number;
    standby: boolean;
    read_only: boolean;
    transport: string;
    encoding: string;
  }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::int as most, pg_is_in_recovery() as standby,
      current_setting('transaction_read_only') = 'on' as read_only,
      case when inet_server_addr() is null then 'over a Unix socket'
        else coalesce((select version from pg_stat_ssl where pid = pg_backend_pid() and ssl), 'without TLS') end as transport,
      current_setting('server_encoding') as encoding`,
  );
  const { number, version, used, most, standby, read_only, transport, encoding } = rows[0]!;
  const found = `PostgreSQL ${version}, ${transport}, ${used} of ${most} connections in use`;
  if (number < OLDEST_POSTGRES) return failed('database', found, 'Upgrade PostgreSQL to version 15 or later.');
  if (encoding !== 'UTF8')
    return failed(
      'database',
      `${found}, with the encoding ${encoding}`,
      'Make a backup, create a database with the encoding UTF8, and restore the backup into it.',
    );
  if (standby)
    return failed(
      'database',
      `${found}, and accepts no writes, because it is a standby`,
      'Set DATABASE_URL to the primary server.',
    );
  if (read_only)
    return failed(
      'database',
      `${found}, and accepts no writes`,
      'Find out why default_transaction_read_only is on. Some providers set it when the disk is full. Free some space, then turn it off.',
    );
  if (used > most * 0.9) return warning('database', found, TOO_MANY_CONNECTIONS);
  return ok('database', found);
}

async function clocks(client: PgClient): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ ms: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms',
  );
  const after = Date.now();
  const skew = Math.round(Number(rows[0]!.ms) - (before + after) / 2);
  const found = `the clocks of this machine and the database differ by ${Math.abs(skew)} ms`;
  if (Math.abs(skew) < NOTABLE_SKEW_MS) return ok('clock', found);
  const advice = 'Synchronize both clocks, e.g. with chrony.';
  return Math.abs(skew) < HARMFUL_SKEW_MS ? warning('clock', found, advice) : failed('clock', found, advice);
}

async function migrations(client: PgClient): Promise<Finding> {
  const { rows: present } = await client.query<{ present: boolean }>(
    `select to_regclass('schema_migration') is not null as present`,
  );
  if (!present[0]!.present)
    return warning('migrations', 'the database is empty', 'Run `affiliate migrate`, or start the service.');
  const { rows } = await client.query<{ name: string }>('select name from schema_migration');
  const { kind, pending, unknown } = compareSchema(rows.map(({ name }) => name));
  const builtBy = await schemaBuild(client);
  if (kind === 'other') {
    const [found, advice] = otherSchema(builtBy, unknown[0]!).split(/(?<=Nothing was changed\.) /);
    return failed('migrations', found!, advice!);
  }
  if (pending.length > 0) {
    return warning(
      'migrations',
      `pending migrations: ${pending.length}, starting with ${pending[0]}`,
      'Review the plan with `affiliate migrate --plan`, then run `affiliate migrate`.',
    );
  }
  if (kind === 'newer') return warning('migrations', newerSchema(builtBy, unknown), 'Upgrade to the newer build.');
  return ok(
    'migrations',
    `all ${knownMigrations().length} migrations are applied, the last of them by ${builtBy ?? 'an unknown build'}`,
  );
}

/** Name of the build that migrated the database last. Null if it is unknown, e.g. because another build has another table. */
async function schemaBuild(client: PgClient): Promise<string | null> {
  const query = client.query<{ name: string | null }>(
    `select to_jsonb(installation) ->> 'schema_build' as name from installation`,
  );
  const { rows } = await query.catch(() => ({ rows: [] }));
  return rows[0]?.name ?? null;
}

async function secretKey(
  client: PgClient,
  url: string,
  keys: { present: string; previous?: string | undefined } | null,
): Promise<Finding> {
  const { rows } = await client.query('select from secret_key_check');
  if (rows.length === 0) return ok('secret key', 'no secret is stored yet');
  if (keys === null) return failed('secret key', 'no secret key is set', 'Set SECRET_KEY to the key of this installation.');
  const database = await openDatabase({ url });
  try {
    const secrets = createSecretBox(keys.present, keys.previous);
    if (!(await isKeyOfDatabase({ database, secrets, clock: systemClock }))) {
      return failed(
        'secret key',
        'the configured key is not the key of this database',
        'Set SECRET_KEY to the key of this installation, or restore a backup.',
      );
    }
  } finally {
    await database.close();
  }
  if (keys.previous === undefined) return ok('secret key', 'the configured key is the key of this database');
  return warning(
    'secret key',
    'the key is being replaced',
    'Run `affiliate secrets reencrypt`, then remove SECRET_KEY_PREVIOUS and restart all processes.',
  );
}

async function workers(client: PgClient): Promise<Finding> {
  const { rows } = await client.query<Workers>(WORKERS);
  const { working, silent } = rows[0]!;
  if (silent > 0)
    return failed(
      'worker',
      `${silent} of ${working + silent} workers are connected, but have sent no heartbeat for ${SILENT_SECONDS} seconds`,
      'Restart them, unless their machine is gone. Their log may say why they hang.',
    );
  if (working > 0) return ok('worker', `connected and working: ${working}`);
  return warning(
    'worker',
    'no worker is connected to the database',
    'Run `affiliate worker`. Without a worker, webhooks, due commissions, mail and purges are not processed.',
  );
}

const BACKUP_DAYS = 2;

/** Reports when `affiliate backup` last made a backup. It does not know of backups by other programs. */
async function lastBackup(client: PgClient): Promise<Finding> {
  const { rows } = await client.query<{ at: string; bytes: string; is_old: boolean }>(
    `select to_char(backup_at at time zone 'utc', 'YYYY-MM-DD HH24:MI') as at, pg_size_pretty(backup_bytes) as bytes,
      backup_at < now() - interval '${BACKUP_DAYS} days' as is_old from installation where backup_at is not null`,
  );
  const last = rows[0];
  const advice = 'Run `affiliate backup` every night, unless another program makes backups of this database.';
  if (!last) return warning('backup', '`affiliate backup` has not made a backup of this database yet', advice);
  const found = `the last backup ended at ${last.at} UTC (${last.bytes})`;
  return last.is_old ? warning('backup', found, advice) : ok('backup', found);
}

interface Backlog {
  check: string;
  query: string;
  /** Delay after which the query counts work as late. */
  seconds?: number;
  advice: string;
  /** True if the query counts failed work, which is worse than late work. */
  isFailure?: boolean;
}

const WORKER_LATE = 'Check that a worker is running, and look at its log.';
const BACKLOGS: readonly Backlog[] = [
  {
    check: 'deliveries',
    query: `select count(*)::int as count from webhook_delivery delivery join webhook_endpoint endpoint on endpoint.id = delivery.endpoint_id
      where endpoint.active and ${isLate('delivery.next_attempt_at', LATE_SECONDS.atOnce)}`,
    seconds: LATE_SECONDS.atOnce,
    advice: WORKER_LATE,
  },
  {
    check: 'mail waiting',
    query: `select count(*)::int as count from outgoing_mail where ${isLate('next_attempt_at', LATE_SECONDS.swept)} or attempts > 1`,
    seconds: LATE_SECONDS.swept,
    advice: 'Check SMTP_URL, and that a worker is running. Its log contains the error of each attempt.',
  },
  {
    check: 'due commissions',
    query: `select count(*)::int as count from (select from commission where state = 'pending' and ${isLate('due_at', LATE_SECONDS.swept)} limit 1000) late`,
    seconds: LATE_SECONDS.swept,
    advice: WORKER_LATE,
  },
  {
    check: 'provider events',
    query: `select count(*)::int as count from psp_event where state = 'pending' and gave_up_at is not null`,
    advice: 'Fix the cause, which `GET /payout_runs/reconcile` names. Then run `affiliate psp backfill --days 30`.',
    isFailure: true,
  },
];

async function pendingWork(client: PgClient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const backlog of BACKLOGS) findings.push(...(await attempt(backlog.check, () => backlogOf(client, backlog))));
  return findings;
}

async function backlogOf(client: PgClient, { check, query, seconds, advice, isFailure }: Backlog): Promise<Finding> {
  const { rows } = await client.query<{ count: number }>(query);
  const { count } = rows[0]!;
  if (count === 0) return ok(check, isFailure ? 'none given up' : 'none is late');
  if (isFailure) return failed(check, `${count} given up`, advice);
  return warning(check, `${count} late by more than ${seconds} seconds`, advice);
}

/** Reports jobs that wait for too long or have failed, and maintenance jobs whose last run failed. */
async function jobs(client: PgClient): Promise<Finding> {
  const { rows: present } = await client.query<{ present: boolean }>(`select to_regclass('pgboss.job') is not null as present`);
  if (!present[0]!.present) return ok('jobs', 'no worker has run yet');
  const { rows } = await client.query<{ count: number; late: number }>(
    `select count(*) filter (where name = 'failed' and state = 'created')::int as count,
      count(*) filter (where name <> 'failed' and state = 'created' and ${isLate('start_after', LATE_SECONDS.atOnce)}
        and (name <> 'scheduled' or ${isLate('start_after', LATE_SECONDS.scheduled)}))::int as late
    from pgboss.job`,
  );
  const { count, late } = rows[0]!;
  const { rows: failing } = await client.query<FailingScheduled>(FAILING_SCHEDULED);
  const found = [
    late > 0 && `${late} late by more than ${LATE_SECONDS.atOnce} seconds`,
    count > 0 && `jobs that failed: ${count}`,
    failing.length > 0 && `maintenance jobs whose last run failed: ${failing.map(({ name }) => name).join(', ')}`,
  ].filter((part) => part !== false);
  if (found.length === 0) return ok('jobs', 'none is late, and none has failed');
  const advice = [
    late > 0 && WORKER_LATE,
    late === 0 && 'Run `affiliate jobs failed` to see the errors.',
    count > 0 && 'Run `affiliate jobs retry` when the cause is fixed.',
    failing.length > 0 && 'Maintenance jobs run again every ten minutes.',
  ].filter((part) => part !== false);
  return warning('jobs', found.join('; '), advice.join(' '));
}
