/** Facts of the same second, and rows that turn out to be one payment: one outcome in every order (docs/rules/attribution.md#order-of-facts). */
import { isDeepStrictEqual } from 'node:util';
import { settleDueDecisions } from '@affiliate/core';
import { describe, expect, test } from 'vitest';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  dispute,
  invoice,
  newId,
  refund,
  taxOf,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { orders } from './event-shop.ts';
import { createAffiliate } from './fixtures.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post, commissions } = useLiveShop();
const seconds = () => Math.floor(shop.service.clock.now().getTime() / 1_000);

/**
 * Sends the events of a story in many orders, each in a new shop. Returns the commissions after the first order, and each order that has another
 * outcome.
 */
async function outcomesOf(story: () => Promise<{ events: WireEvent[][]; nameOf?: (id: string) => string }>) {
  await reopen();
  const { length } = (await story()).events;
  const all = orders(Array.from({ length }, (_, index) => index));
  const outcomes: { order: number[]; earned: string[] }[] = [];
  for (const order of sample(all, Math.ceil(all.length / 12), 0)) {
    await reopen();
    const { events, nameOf = () => 'Ada' } = await story();
    for (const index of order) await deliver(...events[index]!);
    const earned = (await commissions())
      .filter(({ state }) => state !== 'voided')
      .map(({ amount_cents, review_reason, referral_id }) =>
        [nameOf(referral_id), amount_cents, review_reason].filter((part) => part !== null).join(' '),
      );
    outcomes.push({ order, earned: earned.toSorted() });
  }
  const { earned } = outcomes[0]!;
  return [earned, ...outcomes.filter((each) => !isDeepStrictEqual(each.earned, earned))];
}

/** Returns a customer with the event of a checkout of nothing that names a referral. */
function newBuyer() {
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const checkout = (more: Parameters<typeof checkoutSession>[0]) =>
    wireEvent(
      'checkout.session.completed',
      checkoutSession({
        customer: buyer.id,
        customer_details: checkoutCustomer({ email: buyer.email! }),
        payment_intent: null,
        amount_total: 0,
        created: seconds(),
        ...more,
      }),
      { created: seconds() },
    );
  const pay = (id: string, amount = 10_000) =>
    charge({ id: `ch_${id}${newId('x')}`, amount, customer: buyer.id, created: seconds() });
  return { buyer, checkout, pay };
}

describe('in the same second', () => {
  test('the charge with the smaller id is the first sale, also if the merchant reported it before under another id', async () => {
    const steps = ['first report', 'second report', 'first paid', 'second paid'] as const;
    for (const order of sample(orders([...steps]), 3, 0)) {
      await reopen();
      const { campaignId: campaign_id } = shop.program;
      const when = { sale_number: { to: 1 } };
      await shop.merchant.call().rewardRules.create({ campaign_id, name: 'First sale', when, pay: { percent: 50 } });
      const referral_id = await shop.refer();
      shop.service.clock.advance(1, 'seconds');
      const { buyer, pay } = newBuyer();
      const [first, second] = [pay('1'), pay('2')];
      const report = (external_id: string, paid: typeof first) =>
        post({
          external_id,
          referral_id,
          customer_email: buyer.email,
          amount_cents: 10_000,
          currency: 'USD',
          psp_payment_intent_id: paid.payment_intent,
          charged_at: new Date(paid.created * 1_000).toISOString(),
        });
      const paid = (charged: typeof first) =>
        deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', charged, { created: charged.created }));
      const run = {
        // By the ids of the merchant, and by the payment intents, the second one comes first.
        'first report': () => report('b', { ...first, payment_intent: `pi_b${first.payment_intent as string}` }),
        'second report': () => report('a', second),
        'first paid': () => paid({ ...first, payment_intent: `pi_b${first.payment_intent as string}` }),
        'second paid': () => paid(second),
      };
      for (const step of order) await run[step]();
      await settleDueDecisions(shop.service.services);
      const earned = (await commissions())
        .filter(({ state }) => state !== 'voided')
        .map(({ amount_cents, sale }) => `${sale.psp_charge_id} ${amount_cents}`);
      expect({ order, earned: earned.toSorted() }).toEqual({ order, earned: [`${first.id} 5000`, `${second.id} 2000`] });
    }
  });

  test('the charge with the smaller id takes the last place under a limit', async () => {
    const outcomes = await outcomesOf(async () => {
      await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, max_commissions: 1 });
      const referral = await shop.refer();
      const { checkout, pay } = newBuyer();
      const events = [
        checkout({ client_reference_id: referral }),
        ...[pay('1', 3_000), pay('2', 5_000), pay('3', 7_000)].map((paid) => wireEvent('charge.succeeded', paid)),
      ];
      return { events: events.map((event) => [event]) };
    });
    expect(outcomes).toEqual([['Ada 600']]);
  });

  test('the earlier of two visits wins, also if two checkouts name them in the same second', async () => {
    const outcomes = await outcomesOf(async () => {
      const other = await createAffiliate(shop.merchant, shop.program.campaignId);
      shop.service.clock.set(`${shop.service.clock.instant().slice(0, 19)}.100Z`);
      const first = await shop.refer();
      shop.service.clock.set(`${shop.service.clock.instant().slice(0, 19)}.200Z`);
      const second = await shop.merchant.call().referrals.create({ affiliate_id: other, campaign_id: shop.program.campaignId });
      const { checkout, pay } = newBuyer();
      const events = [
        checkout({ client_reference_id: first }),
        checkout({ client_reference_id: second.id }),
        wireEvent('charge.succeeded', pay('1')),
      ];
      return { events: events.map((event) => [event]), nameOf: (id) => (id === first ? 'first' : 'second') };
    });
    expect(outcomes).toEqual([['first 2000']]);
  });
});

describe('a payment of which the invoice, the refund, the dispute and the charge name different ids', () => {
  /** The invoice names the payment intent, the refund and the dispute name the charge. Only the charge names both. */
  const parts = async (ends: (told: (status: string) => WireEvent) => WireEvent[]) => {
    const referral = await shop.refer();
    const { buyer, checkout, pay } = newBuyer();
    const paid = pay('1', 11_900);
    const bill = invoice({
      total: 11_900,
      customer: buyer.id,
      customer_email: buyer.email,
      total_taxes: [taxOf(1_900)],
      created: paid.created,
    });
    const status_transitions = { ...bill.status_transitions, paid_at: paid.created };
    const payment = { type: 'payment_intent', payment_intent: paid.payment_intent };
    const data = [{ amount_paid: 11_900, currency: 'usd', status: 'paid', payment }];
    const disputed = (status: string) =>
      wireEvent(
        status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed',
        dispute(paid, { id: `dp_${paid.id}`, amount: 5_950, payment_intent: null, status: status as 'won' }),
        { created: paid.created },
      );
    const back = refund(paid, { amount: 5_950, payment_intent: null, created: paid.created });
    const events = [
      [wireEvent('invoice.paid', { ...bill, status_transitions, payments: { object: 'list', data, has_more: false, url: '' } })],
      [wireEvent('refund.created', back, { created: paid.created })],
      ends(disputed),
      [checkout({ client_reference_id: referral }), wireEvent('charge.succeeded', paid)],
    ];
    return { events };
  };

  test.each<[string, string[], string[]]>([
    ['is won and lost', ['won', 'lost'], []],
    ['is won', ['needs_response', 'won'], ['Ada 1000']],
    ['is open', ['needs_response'], ['Ada 1000 dispute']],
  ])('has one outcome in every order if the dispute %s in the same second', async (_, statuses, expected) => {
    expect(await outcomesOf(() => parts((told) => statuses.map(told)))).toEqual([expected]);
  });
});
