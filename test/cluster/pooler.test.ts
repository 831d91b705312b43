import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../app/program.ts';
import { type Installation, startInstallation } from '../faults/storm/installation.ts';
import type { Fault } from '../faults/storm/storm.ts';
import { Storm } from '../faults/storm/storm.ts';
import { SECRET_KEY } from '../support/service.ts';
import { type PgBouncer, findPgBouncer, startPgBouncer } from './pgbouncer.ts';

/** Runs with `pnpm test:cluster` only. */
const program = process.env['CLUSTER'] === 'on' ? await findPgBouncer() : null;
if (process.env['CLUSTER'] === 'on' && program === null)
  process.stdout.write('Skipped: there is no PgBouncer. Install it, or name the program in PGBOUNCER.\n');
/** Fewer connections than the three processes would open without a pooler. */
const POOL_SIZE = 8;

describe.skipIf(program === null)('behind PgBouncer in transaction mode', () => {
  let pooler: PgBouncer;
  let installation: Installation;
  let storm: Storm;

  beforeAll(async () => {
    installation = await startInstallation({
      front: async (databaseUrl) => {
        pooler = await startPgBouncer(program!, databaseUrl, POOL_SIZE);
        return {
          url: pooler.url,
          settings: { DATABASE_DIRECT_URL: databaseUrl, DATABASE_PREPARED_STATEMENTS: program!.prepares ? 'on' : 'off' },
          [Symbol.asyncDispose]: () => pooler.stop(),
        };
      },
    });
    storm = await Storm.begin(installation);
  }, 120_000);
  afterAll(async () => {
    await storm[Symbol.asyncDispose]();
    await installation[Symbol.asyncDispose]();
  });

  const faults: Fault[] = [
    { name: 'nothing breaks', strike: () => Promise.resolve() },
    { name: 'PgBouncer is killed', strike: () => pooler.restart() },
    {
      name: 'PostgreSQL is killed',
      strike: async ({ postmasterPid }) => void process.kill(await postmasterPid(), 'SIGKILL'),
    },
  ];
  it.each(faults)(
    'no sale and no webhook is lost or doubled: $name',
    async (fault) => {
      expect(await storm.weather(fault)).toMatchObject({ lost: 0, doubled: 0, undelivered: 0, problems: [], discrepancies: [] });
    },
    240_000,
  );

  it('wake-ups arrive, so that webhooks do not wait for the sweep', async () => {
    const { medianMs } = await storm.deliveryTimes(20);
    expect(medianMs).toBeLessThan(500);
  });

  it('a sale that is reported 20 times at once is recorded once', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => storm.report('once').then(({ status }) => status)));
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
  });

  it('the processes share the connections of the pooler, and their schedules exist', async () => {
    const [row] = await installation.ask<{ pooled: number; schedules: number }>(
      `select (select count(*)::int from pg_stat_activity where application_name ~ '^affiliate .+-\\d+$') as pooled,
         (select count(*)::int from pgboss.schedule) as schedules`,
    );
    expect(row!.pooled).toBeLessThanOrEqual(POOL_SIZE);
    expect(row!.pooled).toBeGreaterThan(0);
    expect(row!.schedules).toBeGreaterThan(0);
  });

  it('a pooler without the required session settings is refused at start, with instructions', async () => {
    const settings = { DATABASE_URL: pooler.bareUrl, DATABASE_DIRECT_URL: installation.databaseUrl, SECRET_KEY };
    const { code, stderr } = await run(['rest'], { ...settings, PORT: '0' });
    expect(code).toBe(1);
    expect(stderr).toContain(`connect_query of the database: set idle_in_transaction_session_timeout = '30s';`);
  });
});
