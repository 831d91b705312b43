/** A charge has the time at which the provider took the money, whatever a report says and whichever arrives first (docs/rules/intake.md#time-of-a-charge). */
import { describe, expect, test } from 'vitest';
import { charge, customer, legacyCharge, newId, wireEvent } from '../support/psp-server/index.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post } = useLiveShop();

const DAY = 86_400;
const instantOf = (second: number) => new Date(second * 1_000).toISOString();
const seconds = () => Math.floor(shop.service.clock.now().getTime() / 1_000);

/** A purchase by a customer whom the affiliate sent, which the campaign pays with another percentage since an hour. Before, it paid 20 %. */
async function purchase(commission_percent = 30) {
  const referral_id = await shop.refer();
  shop.service.clock.advance(1, 'hours');
  const before = seconds();
  shop.service.clock.advance(1, 'hours');
  await shop.merchant.api.patch(`/campaigns/${shop.program.campaignId}`, { commission_percent });
  shop.service.clock.advance(1, 'hours');
  const after = seconds();
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const paid = charge({ amount: 10_000, customer: buyer.id, created: after });
  const report = {
    external_id: newId('order'),
    referral_id,
    customer_email: buyer.email,
    psp_charge_id: paid.id,
    amount_cents: 10_000,
    currency: 'USD',
  };
  return {
    before,
    after,
    report: async () => expect([200, 201]).toContain((await post({ ...report, charged_at: instantOf(before) })).status),
    pay: () => deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid, { created: after })),
  };
}

async function earned() {
  const commissions = (await shop.merchant.call().commissions.list({})).data.filter(({ state }) => state !== 'voided');
  const sales = (await shop.merchant.call().sales.list({})).data;
  return {
    sales: sales.map(({ charged_at }) => charged_at),
    commissions: commissions.map(({ amount_cents, due_at, state }) => [amount_cents, due_at, state]),
  };
}

describe('the time of a charge that the merchant reports too', () => {
  test('is that of the provider, whose terms and due date apply in both orders', async () => {
    for (const providerFirst of [true, false]) {
      await reopen();
      const { after, report, pay } = await purchase();
      if (providerFirst) await pay();
      await report();
      if (!providerFirst) await pay();
      expect({ providerFirst, ...(await earned()) }).toEqual({
        providerFirst,
        sales: [instantOf(after)],
        commissions: [[3_000, instantOf(after + 30 * DAY), 'pending']],
      });
      // Sending both again changes nothing.
      await report();
      await pay();
      expect((await earned()).commissions).toHaveLength(1);
    }
  });

  test('is that of the provider, if the campaign paid nothing then', async () => {
    for (const providerFirst of [true, false]) {
      await reopen();
      const { report, pay } = await purchase(0);
      if (providerFirst) await pay();
      await report();
      if (!providerFirst) await pay();
      expect({ providerFirst, commissions: (await earned()).commissions }).toEqual({ providerFirst, commissions: [] });
      expect((await shop.merchant.call().sales.list({})).data).toMatchObject([{ no_commission_reason: 'nothing_to_earn' }]);
    }
  });

  test('changes only the due date if the terms are the same at both times', async () => {
    const { after, report, pay } = await purchase();
    await shop.service.services.database.kysely.deleteFrom('campaign_terms').execute();
    await report();
    const [first] = (await shop.merchant.call().commissions.list({})).data;
    await pay();
    const all = (await shop.merchant.call().commissions.list({})).data;
    expect(all).toMatchObject([{ id: first!.id, amount_cents: 3_000, due_at: instantOf(after + 30 * DAY) }]);
  });

  test('leaves a commission that is paid by the terms of another time, and a person learns of it', async () => {
    const { after, report, pay } = await purchase();
    await report();
    const { commissions, payoutRuns, sales } = shop.merchant.call();
    const [first] = (await commissions.list({})).data;
    await commissions.update({ id: first!.id, paid_at: shop.service.clock.instant() });
    await pay();
    expect(await earned()).toMatchObject({ sales: [instantOf(after)], commissions: [[2_000, first!.due_at, 'paid']] });
    expect((await payoutRuns.reconcile({})).discrepancies).toMatchObject([{ code: 'paid_reward' }]);
    const [sale] = (await sales.list({})).data;
    const { decision } = await sales.get({ id: sale!.id, expand: ['decision'] });
    expect(decision!.contested!.explanation).toContain('other terms');
    // The commission is corrected once the money has come back.
    await commissions.update({ id: first!.id, paid_at: null });
    await pay();
    expect((await earned()).commissions).toEqual([[3_000, instantOf(after + 30 * DAY), 'pending']]);
    expect((await payoutRuns.reconcile({})).discrepancies).toEqual([]);
  });
});

describe('the time of a payment', () => {
  test('is that of the capture or of the success of a bank debit, not of the authorization', async () => {
    const referral_id = await shop.refer();
    shop.service.clock.advance(1, 'minutes');
    const authorized = seconds();
    const buyer = customer({ email: `${newId('x')}@buyer.example` });
    await deliver(wireEvent('customer.created', { ...buyer, metadata: { referral: referral_id } }, { created: authorized }));
    const [held, debit] = [1, 2].map((n) => charge({ amount: n * 10_000, customer: buyer.id, created: authorized }));
    await deliver(
      wireEvent('charge.succeeded', { ...held!, captured: false, amount_captured: 0 }, { created: authorized }),
      wireEvent('charge.captured', held!, { created: authorized + 3 * DAY }),
      wireEvent('charge.succeeded', debit!, { created: authorized + 5 * DAY }),
    );
    expect((await shop.merchant.call().sales.list({})).data).toMatchObject([
      { charge_amount_cents: 20_000, charged_at: instantOf(authorized + 5 * DAY) },
      { charge_amount_cents: 10_000, charged_at: instantOf(authorized + 3 * DAY) },
    ]);
  });

  test('is the earliest time of its events, in both orders', async () => {
    for (const turned of [false, true]) {
      await reopen();
      await shop.refer();
      shop.service.clock.advance(1, 'minutes');
      const first = seconds();
      const paid = charge({ amount: 10_000, created: first });
      const captures = [1, 2].map((day) =>
        wireEvent('charge.captured', legacyCharge({ ...paid, amount_captured: day * 4_000 }, null), {
          created: first + day * DAY,
        }),
      );
      await deliver(...(turned ? captures.toReversed() : captures));
      expect((await shop.merchant.call().sales.list({})).data).toMatchObject([
        { charge_amount_cents: 8_000, charged_at: instantOf(first + DAY) },
      ]);
    }
  });
});
