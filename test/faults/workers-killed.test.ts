/** Background work that is killed with SIGKILL while a statement of it waits: nothing is lost, and nothing is done twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { settleDueDecisions } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandLine, environment, untilWorking } from '../app/program.ts';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { rule, shop } from '../rewards/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { send } from '../support/http.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
import { type Outputs, SECRET_KEY, type TestAccount, type TestService, startService } from '../support/service.ts';
import { type TestSmtpServer, startSmtpServer } from '../support/smtp-server.ts';
import { sample } from '../support/thorough.ts';

type Commission = Outputs['commissions']['get'];

let service: TestService;
let smtp: TestSmtpServer;
let account: TestAccount;
let client: Client;

beforeAll(async () => {
  await builtProgram();
  service = await startService({ workersElsewhere: true });
  smtp = await startSmtpServer();
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
}, 120_000);
afterAll(async () => {
  await client.end();
  await service.stop();
  await smtp.close();
});
beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  account = await service.createAccount();
  smtp.mails.length = 0;
});

/** Starts a worker in a process of its own, in which all work that is due begins at once. */
async function startWorker(): Promise<ChildProcess> {
  const settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY, SMTP_URL: smtp.url, MAIL_FROM: 'a@example.com' };
  const child = spawn(process.execPath, [await commandLine(settings), 'worker'], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return untilWorking(child);
}

/** Starts a worker, and ends it when `isDone` resolves. */
async function work(isDone: () => Promise<void>, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const worker = await startWorker();
  const exited = once(worker, 'exit');
  try {
    await isDone();
  } finally {
    worker.kill(signal);
    await exited;
  }
}

/** Kills a worker with SIGKILL while it waits for the change of a row. Then lets the database go on with the statements that the worker has sent. */
async function killWhile(table: string, event: 'insert' | 'update' | 'delete'): Promise<void> {
  await client.query(
    `create function wait() returns trigger language plpgsql as
     $$ begin perform pg_advisory_xact_lock(1); if tg_op = 'DELETE' then return old; end if; return new; end $$;
     create trigger wait before ${event} on ${table} for each row execute function wait();
     select pg_advisory_lock(1)`,
  );
  const waiting = `select from pg_locks where locktype = 'advisory' and objid = 1 and not granted and database = (select oid from pg_database where datname = current_database())`;
  await work(
    () => expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: 20_000 }).toBeGreaterThan(0),
    'SIGKILL',
  );
  await client.query('select pg_advisory_unlock_all()');
  await client.query('drop function wait cascade');
}

/** Starts a maintenance job as its schedule does. A worker that was killed must have run before, because it creates the queue. */
async function schedule(name: string): Promise<void> {
  await client.query(
    `insert into pgboss.job (name, data, singleton_key, policy, retry_limit)
     select name, jsonb_build_object('name', $1::text), $1::text, policy, 0 from pgboss.queue where name = 'scheduled'`,
    [name],
  );
}

const isEmpty = (table: string) => () =>
  expect.poll(async () => (await client.query(`select from ${table}`)).rowCount, { timeout: 20_000 }).toBe(0);

describe('a killed worker', () => {
  it.each(
    sample(
      [
        ['commission', 'insert'],
        ['payout_item', 'insert'],
        ['queued_sale_decision', 'delete'],
      ] as const,
      3,
      0,
    ),
  )(
    'earns what is right of a reconsidered reward once (%s, %s)',
    async (table, event) => {
      const friends = await shop(account);
      const pay = { fixed: { amount_cents: 700, currency: 'USD' } };
      await rule(account, friends.campaign, { event: 'milestone', milestone: { metric: 'revenue', every: 10_000 }, pay });
      const external_id = unique('order');
      await sell(account, { referral_id: (await refer(account, friends)).id, external_id, amount_cents: 35_000 });
      const commissions = async () => (await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' })).body.data;
      const [{ id } = { id: '' }] = (await commissions()).filter(({ kind }) => kind === 'milestone');
      await account.api.patch(`/commissions/${id}`, { paid_at: service.clock.instant() });
      await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 10_000 });
      await settleDueDecisions(service.services);
      await must(account, `/commissions/${id}/review`, { review_action: 'reconsider' }, 200);
      await killWhile(table, event);
      await work(isEmpty('queued_sale_decision'));
      const earned = (await commissions()).filter(({ kind, state }) => kind === 'milestone' && state !== 'voided');
      expect(earned.map(({ amount_cents }) => amount_cents)).toEqual([1_400]);
      const [payout, ...others] = (await account.api.get<{ data: { amount_cents: number }[] }>('/payouts')).body.data;
      expect(others).toEqual([]);
      // 10 % of 25,000 and two milestones, of which three were paid already.
      expect(payout!.amount_cents).toBe(2_500 + 1_400 - 2_100);
      const events = await account.api.get<{ data: { subject_id: string }[] }>('/events', {
        type: 'commission.created',
        limit: '100',
      });
      const told = events.body.data.map(({ subject_id }) => subject_id);
      expect(new Set(told).size).toBe(told.length);
      await assertNoContradictions(service.databaseUrl);
    },
    60_000,
  );

  it.each(
    sample(
      [
        ['click_rollup', 'insert'],
        ['click_rollup_day', 'insert'],
        ['click_rollup_progress', 'update'],
      ] as const,
      3,
      0,
    ),
  )(
    'counts clicks once (%s, %s)',
    async (table, event) => {
      const { link } = await program(account);
      const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' };
      const now = Date.now();
      for (const hoursAgo of [75, 74, 51, 50, 3]) {
        service.clock.set(new Date(now - hoursAgo * 3_600_000).toISOString());
        const reply = await send(`${service.url}/t/${link.token}`, 'GET', { query: `account_id=${account.id}`, headers });
        expect(reply.status).toBe(302);
      }
      service.clock.set(new Date(now).toISOString());
      // Starts anew, as if nothing had been rolled up.
      await client.query('delete from click_rollup; delete from click_rollup_day; delete from click_rollup_progress');
      await work(async () => undefined);
      await schedule('roll-up-clicks');
      await killWhile(table, event);
      // The job of the killed worker counts as failed when its heartbeats are missing. This one is the next occurrence.
      await client.query(`delete from pgboss.job where name = 'scheduled'`);
      await schedule('roll-up-clicks');
      const counted = async (from: string) =>
        Number(
          (
            await client.query<{ n: string }>(
              `select coalesce(sum(clicks), 0) as n from ${from} where account_id = $1 and dimension = 'all'`,
              [account.id],
            )
          ).rows[0]!.n,
        );
      const done = `select from pgboss.job where name = 'scheduled' and state = 'completed'`;
      await work(() => expect.poll(async () => (await client.query(done)).rowCount, { timeout: 20_000 }).toBe(1));
      expect(await counted('click_rollup')).toBe(5);
      expect(await counted('click_rollup_day')).toBeGreaterThanOrEqual(4);
    },
    60_000,
  );

  it('sums up the counts of commissions once', async () => {
    const friends = await program(account);
    for (let i = 0; i < 5; i += 1) await sell(account, { referral_id: (await refer(account, friends)).id });
    await killWhile('commission_count', 'insert');
    await work(isEmpty('commission_count_change'));
    const { rows } = await client.query<{ n: string }>('select sum(n) as n from commission_count where account_id = $1', [
      account.id,
    ]);
    expect(rows).toEqual([{ n: '5' }]);
  }, 60_000);

  it.each(sample(['update', 'delete'] as const, 2, 0))(
    'sends an email once (%s)',
    async (event) => {
      const email = `${unique('guest')}@example.com`;
      expect((await account.api.post('/invitations', { kind: 'member', email })).status).toBe(201);
      await killWhile('outgoing_mail', event);
      await client.query('update outgoing_mail set next_attempt_at = now()');
      await work(isEmpty('outgoing_mail'));
      const ids = smtp.mails.filter(({ recipients }) => recipients[0] === email).map(({ messageId }) => messageId);
      expect(ids).toHaveLength(1);
    },
    60_000,
  );
});
