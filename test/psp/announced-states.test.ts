/**
 * Flags, leads and conversions do not depend on the order in which facts arrive, and what was announced and undone is announced as undone
 * (docs/rules/attribution.md#order-of-facts).
 */
import { expect, test } from 'vitest';
import { charge, checkoutSession, customer, newId, refundedCharge, refund, wireEvent } from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { orders } from './event-shop.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, commissions } = useLiveShop();

/**
 * A customer who visited Ada first and Bob later, opened a checkout by each link, and bought twice. Ada's own address is the customer's, and Ada's
 * campaign pays once. So Ada earns from the first charge, and the commission is flagged.
 */
async function story() {
  await reopen();
  shop.service.clock.set(new Date().toISOString());
  const call = shop.merchant.call();
  const { campaignId: campaign_id } = shop.program;
  await call.campaigns.update({ id: campaign_id, max_commissions: 1, days_until_commissions_are_due: 0 });
  const email = `${newId('x')}@buyer.example`;
  const engage = async (address: string) =>
    (await call.affiliates.create({ email: address, campaign_id, first_name: 'Ada', last_name: 'Doe' })).id;
  const [ada, bob] = [await engage(email), await engage(`${newId('x')}@partner.example`)];
  const visit = async (affiliate_id: string) => (await call.referrals.create({ affiliate_id, campaign_id })).id;
  const referrals = { ada: await visit(ada), bob: '' };
  shop.service.clock.advance(5, 'seconds');
  referrals.bob = await visit(bob);
  const start = Math.floor(shop.service.clock.now().getTime() / 1_000);
  shop.service.clock.advance(4, 'minutes');
  const buyer = customer({ email: null });
  const checkout = (client_reference_id: string, created: number) =>
    wireEvent(
      'checkout.session.completed',
      checkoutSession({
        client_reference_id,
        customer: buyer.id,
        customer_details: null,
        payment_intent: null,
        amount_total: 0,
        created,
      }),
      { created },
    );
  const pay = (amount: number, created: number) => charge({ amount, customer: buyer.id, created });
  const [first, second] = [pay(10_000, start + 10), pay(5_000, start + 20)];
  const events = [
    [checkout(referrals.ada, start + 1)],
    [checkout(referrals.bob, start + 2)],
    [wireEvent('charge.succeeded', first, { created: start + 10 })],
    [
      wireEvent('charge.succeeded', second, { created: start + 20 }),
      wireEvent('charge.refunded', refundedCharge(second, [refund(second, { amount: 1_000 })]), { created: start + 30 }),
    ],
    [wireEvent('customer.updated', { ...buyer, email }, { created: start + 30, previous: { email: null } })],
  ];
  return { events, referrals };
}

/** The states of the two referrals and the commission, as the lists show them. */
async function listed({ ada, bob }: { ada: string; bob: string }) {
  const { data } = await shop.merchant.call().referrals.list({ limit: 100 });
  const stateOf = (id: string) => data.find((each) => each.id === id)!.conversion_state;
  const standing = (await commissions()).filter(({ state }) => state !== 'voided');
  return {
    ada: stateOf(ada),
    bob: stateOf(bob),
    commissions: standing.map(({ referral_id, amount_cents, review_status, review_reason }) =>
      [referral_id === ada ? 'Ada' : 'Bob', amount_cents, review_status, review_reason].join(' '),
    ),
  };
}

/** The same, as a program knows it that only reads events. Fails if something was announced twice without having been undone. */
async function announced({ ada, bob }: { ada: string; bob: string }) {
  const states = new Map<string, string>();
  const earned = new Map<string, string>();
  for (let after_sequence = 0; ;) {
    const { data } = await shop.merchant.call().events.list({ after_sequence, limit: 100 });
    if (data.length === 0) break;
    for (const event of data) {
      const record = event.data as Record<string, string>;
      const id = record['id']!;
      if (event.type === 'referral.converted' && states.get(id) === 'conversion')
        throw new Error('A conversion was announced twice.');
      if (event.type.startsWith('referral.')) states.set(id, record['conversion_state']!);
      if (event.type === 'commission.voided') earned.delete(id);
      else if (event.type.startsWith('commission.'))
        earned.set(
          id,
          [
            record['referral_id'] === ada ? 'Ada' : 'Bob',
            record['amount_cents'],
            record['review_status'],
            record['review_reason'],
          ].join(' '),
        );
    }
    after_sequence = data.at(-1)!.sequence;
  }
  return { ada: states.get(ada), bob: states.get(bob), commissions: [...earned.values()] };
}

test('of two visits in any order of checkouts, charges, refund and address', async () => {
  const expected = { ada: 'conversion', bob: 'lead', commissions: ['Ada 2000 suspicious self_referral'] };
  for (const order of sample(orders([0, 1, 2, 3, 4]), 8, 0)) {
    const { events, referrals } = await story();
    for (const index of order) await deliver(...events[index]!);
    expect({ order, ...(await listed(referrals)) }).toEqual({ order, ...expected });
    expect({ order, ...(await announced(referrals)) }).toEqual({ order, ...expected });
  }
}, 120_000);
