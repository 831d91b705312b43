import { retryPspEvents } from '@affiliate/core';
import { expect, test } from 'vitest';
import { onServer } from '../support/postgres.ts';
import type { WireEvent } from '../support/psp-server/index.ts';
import { sendEvent } from '../support/psp-server/index.ts';
import { refuseRows } from '../support/refused-rows.ts';
import { oneOffPayment, useEventShop } from './event-shop.ts';

const shop = useEventShop({ restoresClock: true });

interface Reconciliation {
  waiting: { events: number; payments_without_amount: number; sales_without_referral: number };
  discrepancies: { code: string; message: string; psp_event_id: string | null }[];
}

const retry = () => retryPspEvents(shop.service.services);
const reconcile = async () => (await shop.merchant.api.get<Reconciliation>('/payout_runs/reconcile')).body;
const commissions = async () => (await shop.merchant.api.get('/commissions')).body['data'];

async function storedEvent(id: string) {
  return shop.service.services.database.kysely
    .selectFrom('psp_event')
    .select(['state', 'attempts', 'next_attempt_at', 'problem', 'gave_up_at'])
    .where('account_id', '=', shop.merchant.id)
    .where('psp_event_id', '=', id)
    .executeTakeFirstOrThrow();
}

const post = (event: WireEvent) =>
  sendEvent(`${shop.service.url}/psp/webhooks/${shop.merchant.id}`, event, {
    secret: shop.merchant.webhookSecret,
    timestamp: Math.floor(shop.service.clock.now().getTime() / 1000),
  });

/** Delivers the events of a purchase whose charge cannot be applied until the fault is removed. */
async function failedCharge() {
  const { events } = oneOffPayment(await shop.refer());
  const paid = events.find(({ type }) => type === 'charge.succeeded')!;
  const fault = shop.service.psp.faults.plant({ method: 'GET', path: /invoice_payments/, kind: 500, effect: 'none' });
  expect((await post(paid)).status).toBe(502);
  for (const event of events) if (event !== paid) await post(event);
  return { paid, fault };
}

test('an event that failed is applied by the worker once the provider answers', async () => {
  const { paid, fault } = await failedCharge();
  expect(await storedEvent(paid.id)).toMatchObject({
    state: 'pending',
    attempts: 1,
    next_attempt_at: new Date(shop.service.clock.now().getTime() + 60_000).toISOString(),
    problem: expect.stringMatching(/./),
  });
  expect((await reconcile()).waiting).toMatchObject({ events: 1, payments_without_amount: 1 });
  fault.lift();
  expect(await retry()).toBe(0);
  shop.service.clock.advance(61, 'seconds');
  expect(await retry()).toBe(1);
  expect(await commissions()).toHaveLength(1);
  expect(await storedEvent(paid.id)).toMatchObject({ state: 'processed', problem: null });
  expect(await reconcile()).toMatchObject({ waiting: { events: 0, payments_without_amount: 0 }, discrepancies: [] });
});

test('attempts back off and end, reconcile names the event, and a later delivery still applies it', async () => {
  const { paid, fault } = await failedCharge();
  const waits: number[] = [];
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    const { next_attempt_at } = await storedEvent(paid.id);
    const wait = Date.parse(next_attempt_at!) - shop.service.clock.now().getTime();
    waits.push(wait / 60_000);
    shop.service.clock.advance(wait / 1000, 'seconds');
    expect(await retry()).toBe(0);
    expect(await storedEvent(paid.id)).toMatchObject({ attempts: attempt });
  }
  expect(waits).toEqual([1, 5, 30, 120, 300, 600, 840, 1200, 1440]);
  expect(await storedEvent(paid.id)).toMatchObject({ state: 'pending', next_attempt_at: null });
  const { waiting, discrepancies } = await reconcile();
  expect(waiting.events).toBe(0);
  expect(discrepancies).toMatchObject([
    { code: 'failed_event', psp_event_id: paid.id, message: expect.stringMatching(/charge\.succeeded.*failed 10 times/) },
  ]);
  fault.lift();
  shop.service.clock.advance(30, 'days');
  expect(await retry()).toBe(0);
  expect((await post(paid)).status).toBe(200);
  expect(await commissions()).toHaveLength(1);
  expect((await reconcile()).discrepancies).toEqual([]);
});

test('an event of a process that died is processed by exactly one worker', async () => {
  const { paid, fault } = await failedCharge();
  fault.lift();
  await shop.service.services.database.kysely
    .updateTable('psp_event')
    .set({ attempts: 0, next_attempt_at: shop.service.clock.instant(), problem: null })
    .where('psp_event_id', '=', paid.id)
    .execute();
  const processed = await Promise.all([retry(), retry(), retry()]);
  expect(processed.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await commissions()).toHaveLength(1);
});

test('an account without a connection fails its events, and an unexpected error reveals nothing', async () => {
  const { paid, fault } = await failedCharge();
  fault.lift();
  await shop.merchant.call().pspConnection.disconnect();
  shop.service.clock.advance(2, 'minutes');
  await retry();
  expect(await storedEvent(paid.id)).toMatchObject({ attempts: 2, problem: expect.stringContaining('not connected') });
  await shop.merchant.connect();
  const stripe = shop.service.services.sources.get('stripe')!;
  const unreadable = { ...stripe, open: stripe.open.bind(stripe), read: brokenReader } as typeof stripe;
  const broken = { ...shop.service.services, sources: new Map([['stripe', unreadable]]) };
  shop.service.clock.advance(2, 'hours');
  await retryPspEvents(broken);
  expect(await storedEvent(paid.id)).toMatchObject({ attempts: 3, problem: 'Internal error. The log has the details.' });
});

function brokenReader(): never {
  throw new TypeError('secret detail');
}

test('an event whose failure cannot be recorded holds up no other', async () => {
  const { paid: stuck, fault } = await failedCharge();
  const { paid: other, fault: second } = await failedCharge();
  fault.lift();
  second.lift();
  const { databaseUrl, services, clock } = shop.service;
  await onServer(
    databaseUrl,
    `create function fail_event() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail_event before update on psp_event
     for each row when (new.psp_event_id = '${stuck.id}' and (new.attempts, new.state) is distinct from (old.attempts, old.state)) execute function fail_event()`,
  );
  clock.advance(61, 'seconds');
  const logged: object[] = [];
  const log = { ...services.log, error: (fields: object) => logged.push(fields) };
  expect(await retryPspEvents({ ...services, log })).toBe(1);
  expect(logged).toMatchObject([{ account_id: shop.merchant.id, psp_event_id: stuck.id }]);
  expect(await storedEvent(other.id)).toMatchObject({ state: 'processed' });
  await onServer(databaseUrl, 'drop function fail_event cascade');
  clock.advance(3, 'minutes');
  expect(await retry()).toBe(1);
  expect(await commissions()).toHaveLength(2);
});

test('an event that cannot be claimed holds up no other', async () => {
  const { paid: stuck, fault } = await failedCharge();
  const { paid: other, fault: second } = await failedCharge();
  fault.lift();
  second.lift();
  shop.service.clock.advance(61, 'seconds');
  const lift = await refuseRows(shop.service.databaseUrl, {
    table: 'psp_event',
    event: 'update',
    when: `old.psp_event_id = '${stuck.id}'`,
  });
  await expect(retry()).rejects.toThrow('broken');
  expect(await storedEvent(other.id)).toMatchObject({ state: 'processed' });
  await lift();
  expect(await retry()).toBe(1);
  expect(await commissions()).toHaveLength(2);
});
