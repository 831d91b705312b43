import { describe, expect, test } from 'vitest';
import { charge, dispute, refund, refundedCharge, wireEvent, type WireEvent } from '../support/psp-server/index.ts';
import { oneOffPayment, orders, useEventShop } from './event-shop.ts';

const shop = useEventShop();

describe('returned money', () => {
  test('refunds, reported singly and in sum, in any order, settle the commission once', async () => {
    // Every fourth permutation: each event comes first, last and in between.
    for (const order of orders([0, 1, 2, 3]).filter((_, i) => i % 4 === 0)) {
      const referralId = await shop.refer();
      const { paid, checkout } = oneOffPayment(referralId);
      await shop.deliver(wireEvent('checkout.session.completed', checkout));
      const back = refund(paid, { amount: 5_000 });
      const events = [
        wireEvent('charge.succeeded', paid, { created: 100 }),
        wireEvent('refund.created', { ...back, status: 'pending' }, { created: 200 }),
        wireEvent('charge.refunded', refundedCharge(paid, [back]), { created: 201 }),
        wireEvent('refund.updated', back, { created: 202 }),
      ];
      await shop.deliver(...order.map((i) => events[i] as WireEvent));
      const mine = (await shop.commissions()).filter((commission) => commission.referral_id === referralId);
      expect(mine).toMatchObject([{ state: 'pending', amount_cents: 1_160, sale: { refund_amount_cents: 5_000 } }]);
    }
  });

  test('a full refund voids, a failed refund does not', async () => {
    const { paid, checkout } = oneOffPayment(await shop.refer());
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const back = refund(paid, { amount: 5_000 });
    await shop.deliver(
      wireEvent('charge.refunded', refundedCharge(paid, [back]), { created: 100 }),
      wireEvent('refund.failed', { ...back, status: 'failed' }, { created: 200 }),
    );
    expect(await shop.commissions()).toMatchObject([{ amount_cents: 2_000, sale: { refund_amount_cents: 0 } }]);
    const all = refund(paid);
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 300 }));
    expect(await shop.commissions()).toMatchObject([{ state: 'voided', sale: { refund_amount_cents: 11_900 } }]);
  });

  test('a failed full refund restores what it voided, on the commission’s terms', async () => {
    const { paid, checkout } = oneOffPayment(await shop.refer());
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const all = refund(paid);
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 100 }));
    const failed = wireEvent('refund.failed', { ...all, status: 'failed' }, { created: 200 });
    await shop.deliver(failed, failed);
    const told = await shop.commissions();
    const voided = told.find(({ state }) => state === 'voided');
    expect(told).toHaveLength(2);
    expect(voided).toMatchObject({ kind: 'sale', void_reason: 'refunded' });
    expect(told.find(({ state }) => state !== 'voided')).toMatchObject({
      kind: 'adjustment',
      state: 'pending',
      amount_cents: 2_000,
      due_at: voided?.due_at,
    });

    const again = refund(paid);
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [again]), { created: 300 }));
    const amounts = (await shop.commissions())
      .filter(({ state }) => state !== 'voided')
      .map(({ amount_cents: amount }) => amount);
    expect(amounts.toSorted((a, b) => a - b)).toEqual([-2_000, 2_000]);
  });

  test('a failed refund does not restore what the merchant voided', async () => {
    const { paid, checkout } = oneOffPayment(await shop.refer());
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const [earned] = await shop.commissions();
    await shop.merchant.api.delete(`/commissions/${earned!.id}`, { void_reason: 'refunded' });
    const all = refund(paid);
    await shop.deliver(
      wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 100 }),
      wireEvent('refund.failed', { ...all, status: 'failed' }, { created: 200 }),
    );
    expect(await shop.commissions()).toMatchObject([{ state: 'voided', kind: 'sale' }]);
  });

  test.each(['it is voided', 'another refund takes it'])(
    'what a failed refund gave back counts towards the campaign’s limit until %s',
    async (end) => {
      await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, max_commissions: 1 });
      const { buyer, paid, checkout } = oneOffPayment(await shop.refer());
      await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
      const all = refund(paid);
      // Each a second later: limits go by the time of the charge.
      let created = paid.created;
      const pay = () => {
        created += 1;
        return shop.deliver(wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer.id, created })));
      };
      await shop.deliver(
        wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 100 }),
        wireEvent('refund.failed', { ...all, status: 'failed' }, { created: 200 }),
      );
      await pay();
      expect(await shop.countSales()).toBe(2);
      expect(
        (await shop.commissions()).map(({ kind, state }) => `${state} ${kind}`).toSorted((a, b) => a.localeCompare(b)),
      ).toEqual(['pending adjustment', 'voided sale']);

      const given = (await shop.commissions()).find(({ kind }) => kind === 'adjustment');
      if (end === 'it is voided') await shop.merchant.api.delete(`/commissions/${given!.id}`);
      else await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid)]), { created: 300 }));
      await pay();
      expect((await shop.commissions()).filter(({ kind, state }) => kind === 'sale' && state === 'pending')).toHaveLength(1);
    },
  );

  test('a refund that leaves too little to earn anything does not count toward the campaign’s limit', async () => {
    await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, max_commissions: 1, commission_percent: 1 });
    const { buyer, paid, checkout } = oneOffPayment(await shop.refer());
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const most = refund(paid, { amount: 11_860 });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [most]), { created: 100 }));
    expect(await shop.commissions()).toMatchObject([{ state: 'voided' }]);
    await shop.deliver(wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer.id })));
    expect((await shop.commissions()).filter(({ state }) => state === 'pending')).toMatchObject([{ amount_cents: 50 }]);
  });

  test('a lost dispute is a refund, a won one is not', async () => {
    for (const status of ['won', 'lost'] as const) {
      const referralId = await shop.refer();
      const { paid, events } = oneOffPayment(referralId);
      await shop.deliver(...events, wireEvent('charge.dispute.closed', dispute(paid, { status })));
      const mine = (await shop.commissions()).filter((commission) => commission.referral_id === referralId);
      expect(mine).toMatchObject([{ state: status === 'lost' ? 'voided' : 'pending' }]);
    }
  });

  test('for an unknown charge is stored and has no effect', async () => {
    const paid = charge();
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid)])));
    expect(await shop.countSales()).toBe(0);
  });
});
