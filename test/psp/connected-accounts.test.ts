import { retryPspEvents } from '@affiliate/core';
/** Events of a Stripe Connect platform, which name the account that they belong to (docs/rules/intake.md#connected-accounts). */
import { describe, expect, test } from 'vitest';
import { API_VERSIONS, charge, checkoutSession, newId, type WireEvent } from '../support/psp-server/index.ts';
import { orders, useEventShop } from './event-shop.ts';
import { errorOf } from './service.ts';

const shop = useEventShop();

const of = (account: string | null, events: WireEvent[]): WireEvent[] =>
  events.map((event) => (account === null ? event : { ...event, account }));

async function payment(version: (typeof API_VERSIONS)[number]) {
  const referralId = await shop.refer();
  const paid = charge({ amount: 5_000, customer: newId('cus') });
  const { customer: customerId, payment_intent } = paid;
  const session = checkoutSession({ client_reference_id: referralId, customer: customerId as string });
  return [shop.in(version).completed({ ...session, payment_intent }), shop.in(version).charged(paid)];
}

const earned = async () => (await shop.commissions()).map(({ amount_cents }) => amount_cents);

describe.each(API_VERSIONS)('in API version %s, events of a connected account', (version) => {
  test('have no effect, and are kept with the reason', async () => {
    for (const order of orders([0, 1])) {
      const events = of('acct_1Other', await payment(version));
      await shop.deliver(...order.map((index) => events[index]!));
    }
    expect(await shop.count('sale')).toBe(0);
    const kept = await shop.storedEvents();
    expect(kept).toHaveLength(4);
    for (const event of kept) expect(event).toMatchObject({ state: 'ignored', problem: expect.stringContaining('acct_1Other') });
  });

  test('count once the merchant has chosen the account, also those that were kept, and those of the platform do not', async () => {
    const { id } = shop.service.psp.connectAccount(shop.merchant.psp);
    for (const order of orders([0, 1])) {
      const events = of(id, await payment(version));
      await shop.deliver(...order.map((index) => events[index]!));
    }
    expect(await earned()).toEqual([]);
    const chosen = await shop.merchant.call().pspConnection.update({ connected_account_id: id });
    expect(chosen).toMatchObject({ connected_account_id: id });
    await retryPspEvents(shop.service.services);
    expect(await earned()).toEqual([1_000, 1_000]);
    await shop.deliver(
      ...of(id, await payment(version)),
      ...(await payment(version)),
      ...of('acct_1Other', await payment(version)),
    );
    expect(await earned()).toEqual([1_000, 1_000, 1_000]);
    const problems = (await shop.storedEvents()).flatMap(({ problem }) => problem ?? []);
    expect(problems).toHaveLength(4);
    expect(problems).toContainEqual(`event_of_platform {"account":"${id}"}`);
  });
});

test('an account that is not connected to the platform is refused', async () => {
  const refused = errorOf(shop.merchant.call().pspConnection.update({ connected_account_id: 'acct_1Stranger' }));
  expect(await refused).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'connected_account_id', code: 'not_accepted' }],
  });
});

test('another platform has no chosen account', async () => {
  const { id } = shop.service.psp.connectAccount(shop.merchant.psp);
  await shop.merchant.call().pspConnection.update({ connected_account_id: id, outside_payments: 'exclude' });
  const { secretKey: secret_key } = shop.service.psp.addAccount('test');
  const connection = await shop.merchant.call().pspConnection.connect({ secret_key, webhook_secret: 'whsec_new' });
  expect(connection).toMatchObject({ connected_account_id: null, outside_payments: 'exclude' });
});
