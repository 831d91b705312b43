/** A shop may report sales in its own currency and charge in the customer's currency (docs/rules/intake.md#the-same-sale-twice). */
import { expect, test } from 'vitest';
import { oneOffPayment } from './event-shop.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver } = useLiveShop();

/**
 * Prepares a charge of €119, and the merchant's report of the same sale in dollars. Returns functions that send the report and the charge's
 * events.
 */
async function purchase() {
  const { buyer, paid, events } = oneOffPayment(await shop.refer());
  // Less than the five minutes for which signatures are accepted.
  shop.service.clock.advance(2, 'minutes');
  const report = {
    external_id: 'order-1',
    customer_email: buyer.email,
    psp_charge_id: paid.id,
    amount_cents: 14_280,
    tax_amount_cents: 2_280,
    currency: 'USD',
  };
  const [customer, checkout, charged] = events;
  return {
    report: async () => {
      const { status, body } = await shop.merchant.api.post<{ commission: { id: string } | null }>('/track/sales', report);
      expect([200, 201]).toContain(status);
      return body.commission;
    },
    checkOut: () => deliver(customer!, checkout!),
    charge: () => deliver(charged!),
  };
}

async function earned() {
  const of = await shop.commissions();
  return of
    .map(({ kind, state, amount_cents, currency, void_reason }) => [kind, state, amount_cents, currency, void_reason].join(' '))
    .toSorted();
}

async function expectConsistent(): Promise<void> {
  expect(await shop.count('sale')).toBe(1);
  expect((await shop.commissions())[0]!.sale).toMatchObject({
    charge_amount_cents: 11_900,
    tax_amount_cents: 1_900,
    currency: 'EUR',
  });
  expect((await shop.merchant.call().payoutRuns.reconcile({})).discrepancies).toEqual([]);
}

test('a sale that was reported in another currency than it was paid in earns in the currency of the payment, in both orders', async () => {
  const inDollars = 'sale voided 2400 USD reattributed';
  const inEuros = 'sale pending 2000 EUR ';
  for (const isReportedFirst of [true, false]) {
    await reopen();
    const { report, checkOut, charge } = await purchase();
    await checkOut();
    if (isReportedFirst) await report();
    await charge();
    await report();
    expect(await earned()).toEqual(isReportedFirst ? [inEuros, inDollars] : [inEuros]);
    await expectConsistent();
  }
});

test('a commission that was paid in the reported currency is clawed back in that currency', async () => {
  const { report, checkOut, charge } = await purchase();
  await checkOut();
  const { id } = (await report())!;
  expect((await shop.merchant.api.patch(`/commissions/${id}`, { paid_at: shop.service.clock.instant() })).status).toBe(200);
  await charge();
  await charge();
  expect(await earned()).toEqual(['adjustment due -2400 USD ', 'sale paid 2400 USD ', 'sale pending 2000 EUR ']);
  await expectConsistent();
});

test('a fixed reward does not change', async () => {
  await shop.merchant.call().campaigns.update({
    id: shop.program.campaignId,
    reward_type: 'fixed',
    commission_amount_cents: 500,
    commission_amount_currency: 'USD',
  });
  const { report, checkOut, charge } = await purchase();
  await checkOut();
  await report();
  await charge();
  expect(await earned()).toEqual(['sale pending 500 USD ']);
  await expectConsistent();
});
