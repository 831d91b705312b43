/** Events that have no effect for a reason that may end (docs/rules/intake.md#kept-events). */
import { backfillPspEvents, retryPspEvents } from '@affiliate/core';
import { expect, test } from 'vitest';
import { charge, customer, wireEvent, type WireEvent } from '../support/psp-server/index.ts';
import { oneOffPayment, useEventShop } from './event-shop.ts';

const shop = useEventShop({ restoresClock: true });

const retry = () => retryPspEvents(shop.service.services);
const backfill = () => backfillPspEvents(shop.service.services, { accountId: shop.merchant.id, days: 30 });

async function connect(mode: 'live' | 'test'): Promise<void> {
  const { secretKey } = shop.service.psp.addAccount(mode);
  const { webhookSecret: webhook_secret } = shop.merchant;
  await shop.merchant.call().pspConnection.connect({ secret_key: secretKey, webhook_secret });
}

interface Discrepancy {
  code: string;
  message: string;
  psp_event_id: string | null;
}

async function discrepancies(): Promise<Discrepancy[]> {
  return (await shop.merchant.api.get<{ discrepancies: Discrepancy[] }>('/payout_runs/reconcile')).body.discrepancies;
}

/** Delivers the live events of a purchase to an account that is connected in test mode. Returns them. */
async function livePurchase(): Promise<WireEvent[]> {
  const events = oneOffPayment(await shop.refer()).events.map((event, i) => ({
    ...event,
    livemode: true,
    created: event.created + i,
  }));
  await shop.deliver(...events);
  return events;
}

test('events of the other mode are kept with their reason, and reconcile counts them', async () => {
  const [first] = await livePurchase();
  expect(await shop.count('sale')).toBe(0);
  expect(await discrepancies()).toMatchObject([
    { code: 'kept_event', psp_event_id: first!.id, message: expect.stringMatching(/: 3 \(live\).*customer\.created.*modes/) },
  ]);
});

test('events of the other mode are processed once the right key is connected', async () => {
  await livePurchase();
  await connect('test');
  expect(await retry()).toBe(0);
  await connect('live');
  expect(await retry()).toBe(3);
  expect(await shop.commissions()).toMatchObject([{ amount_cents: 2_000 }]);
  expect(await discrepancies()).toEqual([]);
  await connect('live');
  expect(await retry()).toBe(0);
  expect(await shop.commissions()).toHaveLength(1);
});

test('events of the other mode are processed by a backfill with the right key', async () => {
  await livePurchase();
  expect(await backfill()).toEqual({ processed: 0, duplicate: 0, ignored: 0, failed: 0 });
  await connect('live');
  expect(await backfill()).toEqual({ processed: 3, duplicate: 0, ignored: 0, failed: 0 });
  expect(await shop.commissions()).toMatchObject([{ amount_cents: 2_000 }]);
});

test('events of the other mode are processed when Stripe delivers them again, after the right key is connected', async () => {
  const events = await livePurchase();
  await shop.deliver(...events);
  expect(await shop.count('sale')).toBe(0);
  await connect('live');
  await shop.deliver(...events);
  expect(await shop.commissions()).toMatchObject([{ amount_cents: 2_000 }]);
  expect(await retry()).toBe(0);
});

test('pending events are kept, and do not fail, while the account is connected in the other mode', async () => {
  const { events } = oneOffPayment(await shop.refer());
  await shop.deliver(...events.slice(0, 2));
  const fault = shop.service.psp.faults.plant({ method: 'GET', path: /invoice_payments/, kind: 500, effect: 'none' });
  await expect(shop.deliver(events[2]!)).rejects.toThrow('502');
  fault.lift();
  await connect('live');
  shop.service.clock.advance(10, 'minutes');
  expect(await retry()).toBe(0);
  expect(await discrepancies()).toMatchObject([{ code: 'kept_event', psp_event_id: events[2]!.id }]);
  await connect('test');
  expect(await retry()).toBe(1);
  expect(await shop.commissions()).toHaveLength(1);
});

test('events that cannot be read are kept with their reason, and processed by a backfill once they can be read', async () => {
  const { events, paid } = oneOffPayment(await shop.refer());
  const unreadable = wireEvent('charge.succeeded', { ...paid, amount: 'x' });
  await shop.deliver(...events.slice(0, 2), unreadable);
  const found = {
    code: 'kept_event',
    psp_event_id: unreadable.id,
    message: expect.stringMatching(/: 1 \(test\).*fields: amount/),
  };
  expect(await discrepancies()).toMatchObject([found]);
  expect(await backfill()).toMatchObject({ processed: 0, ignored: 0 });
  await connect('test');
  await retry();
  expect(await discrepancies()).toMatchObject([found]);
  // Stands for a newer version of the service, which can read the event.
  const payload = JSON.stringify({ ...unreadable, data: { object: paid } });
  await shop.service.services.database.kysely
    .updateTable('psp_event')
    .set({ payload })
    .where('psp_event_id', '=', unreadable.id)
    .execute();
  expect(await backfill()).toMatchObject({ processed: 1 });
  expect(await shop.commissions()).toHaveLength(1);
  expect(await discrepancies()).toEqual([]);
});

test('events of kinds that the service does not use are not kept', async () => {
  await shop.deliver({ ...wireEvent('plan.created', { id: 'plan_1' }), livemode: true });
  expect(await discrepancies()).toEqual([]);
});

test('connecting an account does not touch the events of other accounts', async () => {
  await shop.deliver({ ...wireEvent('charge.succeeded', charge({ customer: customer().id })), livemode: true });
  const other = await shop.service.createMerchant('live');
  await other.connect();
  expect(await retry()).toBe(0);
  expect(await discrepancies()).toHaveLength(1);
});
