import { describe, expect, test } from 'vitest';
import {
  checkoutCustomer,
  checkoutSession,
  dispute,
  refund,
  refundedCharge,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { oneOffPayment, orders } from './event-shop.ts';
import { createAffiliate } from './fixtures.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, commissions } = useLiveShop();

const api = () => shop.merchant.api;
const day = 86_400;

/** Opens a program whose commissions fall due at once, and returns a payment of 119.00 EUR that earns 20.00 EUR, with its events. */
async function purchase(referralId?: string) {
  await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, days_until_commissions_are_due: 0 });
  const { buyer, paid, events } = oneOffPayment(referralId ?? (await shop.refer()));
  // Later than the charge, so that the commission is due, but by less than the five minutes for which signatures are accepted.
  shop.service.clock.advance(2, 'minutes');
  const told = (type: string, status: string, created: number, more: object = {}) =>
    wireEvent(type, dispute(paid, { id: `dp_${paid.id}`, status: status as 'lost', ...more }), {
      created: paid.created + created,
    });
  return {
    buyer,
    paid,
    events,
    opened: (at = day) => told('charge.dispute.created', 'needs_response', at),
    won: (at = 2 * day) => told('charge.dispute.closed', 'won', at),
    lost: (at = 2 * day, more: object = {}) => told('charge.dispute.closed', 'lost', at, more),
    refunded: (amount: number, at: number, status: 'succeeded' | 'failed' = 'succeeded') => {
      const back = refund(paid, { id: `re_${paid.id}`, amount, status: 'succeeded' });
      return status === 'failed'
        ? wireEvent('refund.failed', { ...back, status }, { created: paid.created + at })
        : wireEvent('charge.refunded', refundedCharge(paid, [back]), { created: paid.created + at });
    },
  };
}

/** Like `purchase`, for two customers. Both visits come before both charges. */
async function twoPurchases() {
  const [one, other] = [await shop.refer(), await shop.refer()];
  return [await purchase(one), await purchase(other)] as const;
}

/** Returns each commission as text, oldest first: kind, state, amount and, if it is flagged or was approved, the review. */
async function books(): Promise<string[]> {
  return (await commissions())
    .toReversed()
    .map(({ kind, state, amount_cents, review_status, review_reason }) =>
      [kind, state, amount_cents, review_status, review_reason].filter((part) => part !== null).join(' '),
    );
}

/** Returns the amount that can be paid now. */
async function payable(): Promise<number> {
  const { body } = await api().get<{ data: { amount_cents: number }[] }>('/payouts', { state: 'pending,due' });
  return body.data.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

async function expectNoDiscrepancies(): Promise<void> {
  expect((await shop.merchant.call().payoutRuns.reconcile({})).discrepancies).toEqual([]);
}

async function onlyPayout(): Promise<string> {
  const { body } = await api().get<{ data: { id: string }[] }>('/payouts');
  expect(body.data).toHaveLength(1);
  return body.data[0]!.id;
}

const review = async (review_action: string, index = 0) =>
  (await api().post(`/commissions/${(await commissions()).toReversed()[index]!.id}/review`, { review_action })).status;

describe('an open dispute', () => {
  test('holds the commission back from payouts, and releases it when it is won', async () => {
    const { events, opened, won } = await purchase();
    await deliver(...events);
    expect([await books(), await payable()]).toEqual([['sale due 2000'], 2_000]);
    await deliver(opened());
    expect([await books(), await payable()]).toEqual([['sale due 2000 suspicious dispute'], 0]);
    await expectNoDiscrepancies();
    await deliver(won());
    expect([await books(), await payable()]).toEqual([['sale due 2000'], 2_000]);
    await expectNoDiscrepancies();
  });

  test('takes the commission back when it is lost, in part or in full', async () => {
    for (const [amount, expected, left] of [
      [11_900, 'sale voided 2000', 0],
      [5_950, 'sale due 1000', 1_000],
    ] as const) {
      await reopen();
      const { events, opened, lost } = await purchase();
      await deliver(...events, opened(), lost(2 * day, { amount }));
      expect([await books(), await payable()]).toEqual([[expected], left]);
      await expectNoDiscrepancies();
    }
  });

  const ENDS = ['won', 'lost', 'won and lost in the same second', 'open'] as const;
  const PAYABLE = { won: 1_000, lost: 0, 'won and lost in the same second': 0, open: 0 } as const;
  test.each(ENDS.flatMap((end) => [1, day].map((apart) => [end, apart] as const)))(
    'has the same result in every order of charge, refund, opening and end (%s, %i seconds apart)',
    async (end, apart) => {
      // All events of a dispute may have the same second: the provider tells times in seconds.
      for (const order of sample(orders([0, 1, 2, 3]), 8, 0)) {
        await reopen();
        const { events, opened, won, lost, refunded } = await purchase();
        const ends = {
          won: [won(2 * apart)],
          lost: [lost(2 * apart)],
          'won and lost in the same second': [lost(2 * apart), won(2 * apart)],
          open: [opened(2 * apart)],
        }[end];
        const parts: WireEvent[][] = [events, [refunded(5_950, apart)], [opened(apart === 1 ? 2 : apart)], ends];
        for (const index of order) {
          await deliver(...parts[index]!);
          await expectNoDiscrepancies();
        }
        expect({ order, payable: await payable() }).toEqual({ order, payable: PAYABLE[end] });
        const [first, ...rest] = await books();
        expect(rest).toEqual([]);
        expect(first!.includes('suspicious')).toBe(end === 'open');
      }
    },
  );

  test('flags a commission that is created later', async () => {
    const { paid, opened, won } = await purchase();
    await deliver(wireEvent('charge.succeeded', paid), opened());
    expect(await books()).toEqual([]);
    const [sale] = (await shop.merchant.call().sales.list({})).data;
    await shop.merchant.call().sales.assign({ id: sale!.id, affiliate_id: shop.program.affiliateId });
    expect([await books(), await payable()]).toEqual([['sale due 2380 suspicious dispute'], 0]);
    await deliver(won());
    expect([await books(), await payable()]).toEqual([['sale due 2380'], 2_380]);
  });
});

describe('a sale that moves to another affiliate during the dispute', () => {
  test.each([false, true])(
    'leaves nothing held for the former affiliate, and is held for the new one (claimed: %s)',
    async (isClaimed) => {
      const { campaignId: campaign_id } = shop.program;
      const rival = await createAffiliate(shop.merchant, campaign_id);
      const earlier = await shop.merchant.call().referrals.create({ affiliate_id: rival, campaign_id });
      const referralId = await shop.refer();
      const { buyer, paid, events, opened, won } = await purchase(referralId);
      await deliver(...events);
      if (isClaimed) await api().post('/payout_exports', {});
      await deliver(opened());
      const earlierCheckout = checkoutSession({
        client_reference_id: earlier.id,
        customer: buyer.id,
        customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
        // A checkout that was opened after the charge would not move the sale.
        created: paid.created,
      });
      await deliver(wireEvent('checkout.session.completed', earlierCheckout, { created: paid.created }));
      const kept = isClaimed ? ['sale due 2000', 'adjustment due -2000'] : ['sale voided 2000'];
      expect((await books()).toSorted()).toEqual([...kept, 'sale due 2000 suspicious dispute'].toSorted());
      await expectNoDiscrepancies();
      await deliver(won());
      expect((await books()).toSorted()).toEqual([...kept, 'sale due 2000'].toSorted());
      expect(await payable()).toBe(isClaimed ? 0 : 2_000);
      await expectNoDiscrepancies();
    },
  );
});

describe('a person', () => {
  test('may approve a commission despite the dispute, and later refunds do not flag it again', async () => {
    const { events, opened, won, refunded } = await purchase();
    await deliver(...events, opened());
    expect(await review('approve')).toBe(200);
    expect([await books(), await payable()]).toEqual([['sale due 2000 approved dispute'], 2_000]);
    await deliver(refunded(5_950, day + 1));
    expect([await books(), await payable()]).toEqual([['sale due 1000 approved dispute'], 1_000]);
    await deliver(won());
    expect([await books(), await payable()]).toEqual([['sale due 1000 approved'], 1_000]);
  });

  test('who approved the commission before the dispute is asked again', async () => {
    const { events, opened, won } = await purchase();
    await deliver(...events);
    expect(await review('approve')).toBe(200);
    await deliver(opened());
    expect([await books(), await payable()]).toEqual([['sale due 2000 suspicious dispute'], 0]);
    await deliver(won());
    expect([await books(), await payable()]).toEqual([['sale due 2000'], 2_000]);
  });

  test('who flags the commission keeps it flagged after the dispute is won, whether before or during the dispute', async () => {
    for (const isFirst of [true, false]) {
      await reopen();
      const { events, opened, won } = await purchase();
      await deliver(...events);
      if (isFirst) await review('suspicious');
      await deliver(opened());
      if (!isFirst) await review('suspicious');
      await deliver(won());
      expect([await books(), await payable()]).toEqual([['sale due 2000 suspicious'], 0]);
      expect(await review('approve')).toBe(200);
      expect(await payable()).toBe(2_000);
    }
  });

  test('still reviews a self-referral after the dispute, whichever is known first', async () => {
    for (const isFirst of [true, false]) {
      await reopen();
      const { buyer, events, opened, won } = await purchase();
      const learn = () => api().patch(`/affiliates/${shop.program.affiliateId}`, { walleta_email: buyer.email });
      await deliver(...events);
      if (isFirst) await learn();
      await deliver(opened());
      if (!isFirst) await learn();
      expect([await books(), await payable()]).toEqual([['sale due 2000 suspicious dispute'], 0]);
      await deliver(won());
      expect([await books(), await payable()]).toEqual([['sale due 2000 suspicious self_referral'], 0]);
    }
  });
});

describe('a claimed payout', () => {
  test('of an export is not paid while the dispute is open, and is released without the commission', async () => {
    const [first, other] = await twoPurchases();
    await deliver(...first.events, ...other.events);
    const { body: created } = await api().post<{ id: string }>('/payout_exports', {});
    await deliver(first.opened());
    expect(await api().post(`/payout_exports/${created.id}/payment`)).toMatchObject({
      status: 422,
      body: { details: [{ code: 'commission_flagged' }] },
    });
    await expectNoDiscrepancies();
    await api().delete(`/payout_exports/${created.id}`);
    expect(await payable()).toBe(2_000);
    await expectNoDiscrepancies();
    await deliver(first.won());
    expect(await payable()).toBe(4_000);
    await expectNoDiscrepancies();
  });

  test('of an export can be paid again once the dispute is won', async () => {
    const { events, opened, won } = await purchase();
    await deliver(...events);
    const { body: created } = await api().post<{ id: string }>('/payout_exports', {});
    await deliver(opened(), won());
    expect(await api().post(`/payout_exports/${created.id}/payment`)).toMatchObject({ status: 200, body: { state: 'paid' } });
    expect(await books()).toEqual(['sale paid 2000']);
  });

  test('of an export whose dispute is lost takes the money back from the next payout', async () => {
    const { events, opened, lost } = await purchase();
    await deliver(...events);
    const { body: created } = await api().post<{ id: string }>('/payout_exports', {});
    await deliver(opened(), lost());
    expect(await books()).toEqual(['sale due 2000', 'adjustment due -2000']);
    await api().delete(`/payout_exports/${created.id}`);
    expect(await payable()).toBe(0);
    await expectNoDiscrepancies();
  });

  test('of a run fails, and a retry pays the rest', async () => {
    const [first, other] = await twoPurchases();
    await deliver(...first.events, ...other.events);
    await api().patch(`/affiliates/${shop.program.affiliateId}`, { walleta_email: 'ada@pay.example' });
    const { body: run } = await api().post<{ id: string }>('/payout_runs', {});
    await deliver(first.opened());
    expect(await api().put(`/payout_runs/${run.id}/execute`, { async: false })).toMatchObject({
      body: { state: 'partially_completed', issues: [{ code: 'commission_flagged' }] },
    });
    await expectNoDiscrepancies();
    expect(await api().put(`/payout_runs/${run.id}/remediate`, { remediation_action: 'retry' })).toMatchObject({ status: 200 });
    expect((await books()).toSorted()).toEqual(['sale due 2000 suspicious dispute', 'sale paid 2000']);
    await expectNoDiscrepancies();
  });
});

describe('a paid commission', () => {
  test('is not changed by the opening, nor by a won dispute, and is taken back by a lost one', async () => {
    const { events, opened, won, lost } = await purchase();
    await deliver(...events);
    await api().post(`/payouts/${await onlyPayout()}/pay`);
    await deliver(opened());
    expect(await books()).toEqual(['sale paid 2000']);
    await deliver(won());
    expect(await books()).toEqual(['sale paid 2000']);
    await deliver(lost(3 * day));
    expect([await books(), await payable()]).toEqual([['sale paid 2000', 'adjustment due -2000'], -2_000]);
  });

  test('is held if it becomes unpaid while the dispute is open', async () => {
    for (const byHand of [true, false]) {
      await reopen();
      const { events, opened, won } = await purchase();
      await deliver(...events);
      const { id } = (await commissions())[0]!;
      const payoutId = await onlyPayout();
      if (byHand) await api().patch(`/commissions/${id}`, { paid_at: shop.service.clock.instant() });
      else await api().post(`/payouts/${payoutId}/pay`);
      await deliver(opened());
      if (byHand) await api().patch(`/commissions/${id}`, { paid_at: null });
      else await api().post(`/payouts/${payoutId}/return`, { reason: 'Account closed' });
      expect([await books(), await payable()]).toEqual([['sale due 2000 suspicious dispute'], 0]);
      await expectNoDiscrepancies();
      await deliver(won());
      expect([await books(), await payable()]).toEqual([['sale due 2000'], 2_000]);
      await expectNoDiscrepancies();
    }
  });

  test('is given back after a failed refund only when the dispute is won', async () => {
    for (const isPaid of [true, false]) {
      await reopen();
      const { events, opened, won, refunded } = await purchase();
      await deliver(...events);
      if (isPaid) await api().post(`/payouts/${await onlyPayout()}/pay`);
      await deliver(refunded(11_900, 1), opened(), refunded(11_900, day + 1, 'failed'));
      expect((await books()).at(-1)).toBe('adjustment due 2000 suspicious dispute');
      const before = await payable();
      await deliver(won());
      expect((await payable()) - before).toBe(2_000);
      await expectNoDiscrepancies();
    }
  });
});
