/** The page of the provider, with the events that arrive. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { charge, invoice, newId, subscription, wireEvent } from '../support/psp-server/index.ts';
import { credentials } from '../support/service.ts';
import { useEventShop } from './event-shop.ts';

const shop = useEventShop();
const activity = () => shop.merchant.call().pspConnection.activity();
const arrivals = async () =>
  Object.fromEntries((await activity()).types.flatMap(({ type, last_at }) => (last_at === null ? [] : [[type, last_at]])));

test('each handled type is shown with the time of its last event in the connected mode', async () => {
  const { webhook_event_types } = await shop.merchant.call().pspConnection.get();
  expect((await activity()).types).toEqual(webhook_event_types.map((type) => ({ type, last_at: null })));
  const first = shop.service.clock.instant();
  await shop.deliver(wireEvent('charge.succeeded', charge()), wireEvent('refund.failed', { id: 're_1' }));
  shop.service.clock.advance(1, 'minutes');
  await shop.deliver(wireEvent('charge.succeeded', charge()), { ...wireEvent('invoice.paid', invoice()), livemode: true });
  expect(await arrivals()).toEqual({ 'charge.succeeded': shop.service.clock.instant(), 'refund.failed': first });
  shop.service.clock.set(first);
});

test('events without an effect are shown with the reason, and other types by name', async () => {
  const { type: unused } = wireEvent('plan.created', { id: 'plan_1' });
  await shop.deliver(
    wireEvent(unused, { id: 'plan_1' }),
    { ...wireEvent('charge.succeeded', charge()), livemode: true },
    { ...wireEvent('charge.succeeded', charge()), account: 'acct_1Other' } as ReturnType<typeof wireEvent>,
    wireEvent('charge.succeeded', { id: 'ch_1' }),
    wireEvent('charge.succeeded', { ...charge(), captured: false }),
    wireEvent('charge.succeeded', { ...charge(), captured: false }),
    wireEvent('payment_intent.succeeded', { id: 'pi_1', created: 1_700_000_000, customer: null, metadata: {} }),
    wireEvent('customer.subscription.created', subscription(newId('cus'), { status: 'active', trial_end: null })),
    wireEvent('invoice.paid', invoice({ total: 0 })),
    wireEvent('credit_note.created', { id: 'cn_1', invoice: null, amount: 1, total: 1, currency: 'usd' }),
    wireEvent('charge.succeeded', charge()),
  );
  const { ignored, unused_types } = await activity();
  const last_at = shop.service.clock.instant();
  expect(unused_types).toEqual([{ type: unused, last_at }]);
  const reasons = new Map(ignored.map(({ type, reason, count }) => [type === null ? reason : `${type}: ${reason}`, count]));
  expect(ignored).toHaveLength(8);
  for (const [reason, count] of [
    ['The event and the connection are in different modes (live and test).', 1],
    ['The event belongs to the connected account acct_1Other.', 1],
    ['charge.succeeded: The charge is only authorized. Another event reports when it is captured.', 2],
    ['payment_intent.succeeded: The payment intent names no referral. The event of its charge reports the payment.', 1],
    ['customer.subscription.created: The subscription names no referral, and has neither a trial nor a promotion code.', 1],
    ['invoice.paid: Nothing was paid, and the invoice names no referral.', 1],
    ['credit_note.created: The credit note belongs to no invoice.', 1],
  ] as const)
    expect([reason, reasons.get(reason)]).toEqual([reason, count]);
  expect(ignored.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/^Missing or invalid fields: .*currency/));
  const { merchant, service } = shop;
  const headers = { ...credentials(merchant.id, merchant.apiKey), 'Accept-Language': 'de' };
  const { text } = await send(`${service.url}/trpc/pspConnection.activity`, 'GET', { headers });
  expect(text).toContain('"Das Ereignis gehört zum verbundenen Konto acct_1Other."');
  expect(text).not.toContain('The event');
  shop.service.clock.advance(8, 'days');
  expect((await activity()).ignored).toHaveLength(3);
  shop.service.clock.advance(-8, 'days');
});

test('every type whose events may contain nothing of use has a reason', () => {
  const { eventTypes, unneededReasons = {} } = shop.service.services.sources.get('stripe')!;
  expect(eventTypes).toEqual(expect.arrayContaining(Object.keys(unneededReasons)));
});
