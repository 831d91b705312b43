import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropForeignKeys, dropIndexes } from '../../packages/app/src/backup/empty-database.ts';
import { CLI, type Running, environment, untilListening, untilWorking } from '../app/program.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import { NEXT_MIGRATIONS, THIS_VERSION, nextVersion } from '../support/next-version.ts';
import { type TestDatabase, createEmptyDatabase } from '../support/postgres.ts';
import { SECRET_KEY } from '../support/service.ts';
import { SmallProxy } from '../support/small-proxy.ts';

/**
 * Number of commissions in the database before the upgrade, set by `pnpm test:upgrade` or UPGRADE_COMMISSIONS. The ordinary run skips this test,
 * which takes half a minute because it starts eight processes. Instead, migrations.test.ts and released-migrations.test.ts test the migrations and
 * their locks, and app/production-build.test.ts tests the replacement of processes.
 */
const COMMISSIONS = Number(process.env['UPGRADE_COMMISSIONS'] ?? 0);
const CLIENTS = 2;
const LIMIT_MS = COMMISSIONS > 100_000 ? 3_600_000 : 600_000;

let database: TestDatabase;
let sql: Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Environment variables that make a process run this version, or the next version. */
type Version = Record<string, string>;
const THIS: Version = {};

const settings = (version: Version) => ({
  DATABASE_URL: database.url,
  DATABASE_POOL_SIZE: '4',
  SECRET_KEY,
  PORT: '0',
  DRAIN_SECONDS: '0',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  ...version,
});

function launch(version: Version, ...args: string[]) {
  return spawn(process.execPath, [CLI, ...args], { env: environment(settings(version)), stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Runs a command to its end with a password as its input, and returns its output. */
async function command(version: Version, ...args: string[]): Promise<string> {
  const child = launch(version, ...args);
  child.stdin.end('correct horse\n');
  const exited = once(child, 'exit') as Promise<[number]>;
  const output = await text(child.stdout);
  expect([args[0], (await exited)[0]]).toEqual([args[0], 0]);
  return output;
}

function worker(version: Version): Promise<ReturnType<typeof launch>> {
  return untilWorking(launch(version, 'worker'));
}

/** Creates commissions of past sales: half of them pending, half due. */
async function fill(accountId: string, campaignId: string, affiliateId: string): Promise<void> {
  const ids = (kind: string) => `'${kind}_' || lpad(n::text, 26, '0')`;
  const at = `now() - interval '90 days' + n * interval '1 second'`;
  const all = `from generate_series(1, ${COMMISSIONS}) n`;
  const owner = `'${accountId}'`;
  // Inserting without indexes and foreign keys takes a third of the time.
  const complete = [await dropIndexes(sql), await dropForeignKeys(sql)];
  await sql.query(`insert into referral (id, account_id, affiliate_id, campaign_id, conversion_state, converted_at, created_at, updated_at)
    select ${ids('ref')}, ${owner}, '${affiliateId}', '${campaignId}', 'conversion', ${at}, ${at}, ${at} ${all}`);
  await sql.query(`insert into sale (id, account_id, referral_id, affiliate_id, external_id, charge_amount_cents, tax_amount_cents,
      refund_amount_cents, currency, charged_at, created_at, updated_at)
    select ${ids('sale')}, ${owner}, ${ids('ref')}, '${affiliateId}', 'old-' || n, 10000, 0, 0, 'USD', ${at}, ${at}, ${at} ${all}`);
  await sql.query(`insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents,
      currency, basis_points, due_at, created_at, updated_at)
    select ${ids('com')}, ${owner}, '${campaignId}', '${affiliateId}', ${ids('ref')}, ${ids('sale')}, 'sale',
      case n % 2 when 0 then 'pending' else 'due' end, 1000, 'USD', 1000, now() + interval '10 days', ${at}, ${at} ${all}`);
  await sql.query(`insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, created_at, updated_at)
    select 'pay_' || lpad('1', 26, '0'), ${owner}, '${affiliateId}', 'USD', 'open', count(*) * 1000, count(*), now(), now()
    from commission where state = 'due'`);
  await sql.query(`insert into payout_item select id, 'pay_' || lpad('1', 26, '0') from commission where state = 'due'`);
  for (const restore of complete) await restore();
  await sql.query('analyze');
}

it.runIf(COMMISSIONS > 0)(
  'an upgrade to a version with new migrations under continuous load fails no request and loses no event',
  async () => {
    await command(THIS, 'migrate');
    const { rows } = await sql.query<{ name: string }>('select name from schema_migration order by id');
    expect(rows.map(({ name }) => name)).toEqual(THIS_VERSION);
    const created = await command(THIS, ...'account create --json --name Shop --owner-email owner@example.com'.split(' '));
    const { account_id, api_key } = JSON.parse(created) as { account_id: string; api_key: string };
    const headers = { Authorization: `Bearer ${api_key}`, 'X-Account-Id': account_id, 'Content-Type': 'application/json' };

    await using receiver = await HookReceiver.start();
    await using proxy = await SmallProxy.start();
    const started: Running[] = [];
    const add = async (version: Version) => {
      const running = await untilListening(launch(version, 'rest'));
      started.push(running);
      await proxy.add(running.url);
      return running;
    };
    const former = [await add(THIS), await add(THIS)];
    const formerWorker = await worker(THIS);
    let nextWorker: ReturnType<typeof launch> | undefined;
    const stopping = new AbortController();
    let clients: Promise<unknown> = Promise.resolve();
    try {
      const send = async (method: string, path: string, body?: object) => {
        const start = performance.now();
        const answer = await fetch(proxy.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(
          (error: Error) => new Response(`${String(error)}: ${String(error.cause)}`, { status: 599 }),
        );
        const reply = await answer.text();
        return { status: answer.status, reply, ms: performance.now() - start };
      };
      const post = async <T>(path: string, body: object): Promise<T> => {
        const { status, reply } = await send('POST', path, body);
        expect([path, status < 300 ? 'done' : reply]).toEqual([path, 'done']);
        return JSON.parse(reply) as T;
      };
      const terms = { reward_type: 'percent', commission_percent: 10, default: true };
      const campaign = await post<{ id: string }>('/api/v1/campaigns', { name: 'A', url: 'https://shop.example.com', ...terms });
      const affiliate = await post<{ id: string }>('/api/v1/affiliates', { email: 'ada@example.com' });
      const link = await post<{ id: string }>('/api/v1/links', {
        affiliate_id: affiliate.id,
        campaign_id: campaign.id,
        url: 'https://shop.example.com',
      });
      const endpoint = { name: 'Receiver', url: receiver.url, event_types: ['affiliate.created', 'commission.created'] };
      await post('/trpc/webhookEndpoints.create', endpoint);
      await fill(account_id, campaign.id, affiliate.id);

      const outcomes: { path: string; status: number; reply: string; ms: number; endedAt: Date }[] = [];
      const made = { 'affiliate.created': new Set<string>(), 'commission.created': new Set<string>() };
      let serial = 0;
      let sales = 0;
      const request = async (method: string, path: string, body?: object) => {
        const { status, reply, ms } = await send(method, path, body);
        outcomes.push({ path, status, ms, reply: status < 300 ? '' : reply, endedAt: new Date() });
        return status < 300 ? (JSON.parse(reply) as Record<string, unknown>) : null;
      };
      const client = async () => {
        while (!stopping.signal.aborted) {
          const n = (serial += 1);
          const affiliateMade = await request('POST', '/api/v1/affiliates', { email: `affiliate-${n}@example.com` });
          if (affiliateMade) made['affiliate.created'].add(String(affiliateMade['id']));
          const referral = await request('POST', '/api/v1/referrals', { link_id: link.id });
          const amount = { external_id: `new-${n}`, amount_cents: 5_000, currency: 'USD' };
          if (referral && (await request('POST', '/track/sales', { ...amount, referral_id: referral['id'] }))) sales += 1;
          await request('GET', '/api/v1/commissions?limit=25&state=pending');
          await request('GET', '/api/v1/payouts?expand=affiliate');
        }
      };
      clients = Promise.all(Array.from({ length: CLIENTS }, client));

      const start = performance.now();
      const { applied } = JSON.parse(await command(nextVersion, 'migrate', '--json')) as { applied: string[] };
      const migrationMs = performance.now() - start;
      expect(applied).toEqual(NEXT_MIGRATIONS);
      const marked = await sql.query<{ marked: number }>(
        `select count(*)::int as marked from commission where next_mark = 'filled'`,
      );
      expect(marked.rows[0]!.marked).toBeGreaterThanOrEqual(COMMISSIONS);
      // A process of this version that restarts works on the schema of the next version, too.
      const restarted = former.pop()!;
      former.push(await add(THIS));
      proxy.remove(restarted.url);
      expect(await restarted.end('SIGTERM')).toBe(0);
      const duringMigration = outcomes.length;
      // A worker of the next version must take over the work of the killed one.
      formerWorker.kill('SIGKILL');
      nextWorker = await worker(nextVersion);
      for (const old of former) {
        await add(nextVersion);
        // With DRAIN_SECONDS=0, a process closes its port at once on SIGTERM, so the proxy must stop using the process before the signal.
        proxy.remove(old.url);
        expect(await old.end('SIGTERM')).toBe(0);
      }
      const enough = outcomes.length + 40;
      await expect.poll(() => outcomes.length, { timeout: 60_000 }).toBeGreaterThan(enough);
      stopping.abort();
      await clients;

      const earned = await sql.query<{ id: string }>(
        `select id from commission where created_at > now() - interval '1 hour' and amount_cents = 500`,
      );
      for (const { id } of earned.rows) made['commission.created'].add(id);
      expect(made['commission.created'].size).toBe(sales);
      const failures = outcomes.filter(({ status }) => status >= 300);
      for (const [type, ids] of Object.entries(made)) {
        expect(ids.size).toBeGreaterThan(10);
        const arrived = () =>
          new Set(receiver.received.filter(({ body }) => body.type === type).map(({ body }) => body.data['id']));
        await expect.poll(() => [...ids].filter((id) => !arrived().has(id)), { timeout: 60_000 }).toEqual([]);
      }
      const slowest = outcomes.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
      const steps = await sql.query<{ name: string; at: Date }>(
        'select name, executed_at as at from schema_migration order by id',
      );
      const during = ({ ms, endedAt }: (typeof outcomes)[number]) => {
        const ended = steps.rows.filter(({ at }) => at.getTime() > endedAt.getTime() - ms && at < endedAt);
        const next = steps.rows.find(({ at }) => at >= endedAt);
        return [...ended, ...(next ? [next] : [])].map(({ name }) => name).join(', ') || 'after the migrations';
      };
      process.stdout.write(
        `upgrade with ${COMMISSIONS} commissions: ${applied.length} migrations in ${Math.round(migrationMs)} ms, ` +
          `${duringMigration} requests meanwhile, ${outcomes.length} in all, ${failures.length} failed; ` +
          `${made['affiliate.created'].size + made['commission.created'].size} events, 0 lost\n` +
          slowest.map((each) => `  ${Math.round(each.ms)} ms ${each.path} during ${during(each)}\n`).join(''),
      );
      expect(failures).toEqual([]);
    } finally {
      stopping.abort();
      await clients;
      for (const { child } of started) child.kill('SIGKILL');
      for (const child of [formerWorker, nextWorker]) child?.kill('SIGKILL');
    }
  },
  LIMIT_MS,
);
