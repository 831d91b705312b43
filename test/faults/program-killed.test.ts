import { appRouter, createCallerFactory } from '@affiliate/core';
import { Client } from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { startProgram } from '../app/program.ts';
import { plantPayouts } from '../payouts/many-payouts.ts';
import { builtProgram } from '../support/built-program.ts';
import { HookReceiver, verifySignature } from '../support/hook-receiver.ts';
import { send } from '../support/http.ts';
import { SECRET_KEY, credentials, startService } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';

const ENDPOINTS = THOROUGH ? 20 : 10;
const AFFILIATES = THOROUGH ? 25 : 10;
const EVENT_TYPES = ['affiliate.created', 'affiliate.approved'] as const;
const DUE = 50;
const DELIVERIES = ENDPOINTS * AFFILIATES * EVENT_TYPES.length;

beforeAll(async () => {
  await builtProgram();
});

/**
 * Kills the program while a transaction of the due sweep or of a request has changed records and waits for the lock that it needs to write events.
 */
async function whileEventsWait(databaseUrl: string, accountId: string, kill: () => Promise<void>): Promise<void> {
  const [holder, watcher] = [new Client({ connectionString: databaseUrl }), new Client({ connectionString: databaseUrl })];
  await Promise.all([holder.connect(), watcher.connect()]);
  await holder.query('begin');
  await holder.query('select from event_order where account_id = $1 for update', [accountId]);
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  await watcher.query('update commission set due_at = now() where account_id = $1', [accountId]);
  await watcher.query(`do $$ begin
    while not exists (select from pg_locks where not granted and ${rows[0]!.pid} = any (pg_blocking_pids(pid))) loop
      perform pg_sleep(0.01);
    end loop; end $$`);
  await kill();
  await holder.query('rollback');
  await Promise.all([holder.end(), watcher.end()]);
}

it(`delivers all ${DELIVERIES} webhooks, and completes an interrupted sweep and an interrupted request, after the program is killed`, async () => {
  const service = await startService({ writesRows: true });
  const account = await service.createAccount();
  await plantPayouts(service, account, { affiliates: DUE });
  const { kysely } = service.services.database;
  await kysely.deleteFrom('payout_item').execute();
  await kysely.deleteFrom('payout').execute();
  await kysely.updateTable('commission').set({ state: 'pending', due_at: '2999-01-01T00:00:00.000Z' }).execute();
  // The receiver answers the first third of the deliveries, but no others until the program is killed. The requests that are open at that moment have
  // arrived, but are not recorded as delivered.
  const posted = Promise.withResolvers<void>();
  let isKilled = false;
  await using receiver = await HookReceiver.start((_hook, response) => {
    if (isKilled || receiver.received.length < DELIVERIES / 3) void posted.promise.then(() => response.end());
  });
  const { campaigns, webhookEndpoints, webhookDeliveries } = createCallerFactory(appRouter)({
    services: service.services,
    requestId: 'test',
    principal: { kind: 'api_key', id: 'key_test', account_id: account.id, permissions: { all: true } },
    surface: 'v1',
    reply: {},
  });
  await campaigns.create({
    name: 'Friends',
    url: 'https://shop.example.com',
    reward_type: 'percent',
    commission_percent: 10,
    default: true,
  });
  await using dueReceiver = await HookReceiver.start();
  await webhookEndpoints.create({ name: 'Books', url: dueReceiver.url, event_types: ['commission.due'] });
  const secrets = new Map<string, string>();
  for (let made = 0; made < ENDPOINTS; made += 1) {
    const endpoint = await webhookEndpoints.create({ name: 'Receiver', url: receiver.url, event_types: [...EVENT_TYPES] });
    secrets.set(endpoint.id, endpoint.signing_secret);
  }

  const start = () =>
    startProgram(['start'], {
      DATABASE_URL: service.databaseUrl,
      DATABASE_POOL_SIZE: '4',
      SECRET_KEY,
      PORT: '0',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
  const first = await start();
  const createAffiliate = ({ url }: { url: string }, nth: number) =>
    send(`${url}/api/v1/affiliates`, 'POST', {
      headers: { ...credentials(account.id, account.apiKey), 'Idempotency-Key': `affiliate-${nth}` },
      body: { email: `affiliate-${nth}@example.com` },
    });
  for (let made = 1; made < AFFILIATES; made += 1) expect(await createAffiliate(first, made)).toMatchObject({ status: 201 });
  posted.resolve();
  await receiver.first(DELIVERIES / 3);
  await whileEventsWait(service.databaseUrl, account.id, async () => {
    const interrupted = createAffiliate(first, AFFILIATES).catch(() => 'no answer');
    await first.end('SIGKILL');
    expect(await interrupted).toBe('no answer');
  });
  isKilled = true;

  const second = await start();
  expect(await createAffiliate(second, AFFILIATES)).toMatchObject({ status: 201 });
  const hooks = new Map<string, string>();
  for (let seen = 0; hooks.size < DELIVERIES; seen += 1) {
    const { hookId, raw } = (await receiver.first(seen + 1))[seen]!;
    expect(raw).toBe(hooks.get(hookId) ?? raw);
    hooks.set(hookId, raw);
  }
  const announced = (await dueReceiver.first(DUE)).map(({ body }) => body.data['id']);
  expect(new Set(announced).size).toBe(DUE);
  expect(await second.end()).toBe(0);
  expect(dueReceiver.received).toHaveLength(DUE);
  const payouts = await kysely.selectFrom('payout').select(['affiliate_id', 'amount_cents', 'commissions_count']).execute();
  expect(new Set(payouts.map(({ affiliate_id }) => affiliate_id)).size).toBe(DUE);
  expect(payouts.filter(({ amount_cents, commissions_count }) => amount_cents !== 1_000 || commissions_count !== 1)).toEqual([]);
  expect(receiver.received.length).toBeGreaterThan(DELIVERIES);

  const byId = Map.groupBy(receiver.received, ({ hookId }) => hookId);
  for (const [endpoint_id, secret] of secrets) {
    const { data } = await webhookDeliveries.list({ endpoint_id, limit: 100 });
    expect(data).toHaveLength(DELIVERIES / ENDPOINTS);
    for (const { id, event_id, status } of data) {
      expect(status).toBe('succeeded');
      for (const hook of byId.get(id) ?? []) {
        expect(hook.body.id).toBe(event_id);
        verifySignature(secret, hook);
      }
    }
  }
  await service.stop();
});
