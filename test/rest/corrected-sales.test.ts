/** Correcting the amounts of a reported sale (docs/rules/intake.md#corrected-sales). */
import { describe, expect, it } from 'vitest';
import { type Fields } from '../support/http.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

type Updated = Outputs['sales']['update'];

const service = useService();
const account = useAccount(service);
const friends = useProgram(account, { days_until_commissions_are_due: 0 });

/** Reports a sale of 100.00 USD through a referral. */
async function sold(more: Fields = {}) {
  const { id: referral_id } = await refer(account, friends);
  return sell(account, { referral_id, customer_email: `${unique('buyer')}@example.com`, ...more });
}

const correct = (id: string, change: Fields) => account.api.patch<Updated>(`/sales/${id}`, change);

async function earned(): Promise<number[]> {
  const { body } = await account.api.get<{ data: { amount_cents: number; state: string }[] }>('/commissions', 'sort=created_at');
  return body.data.filter(({ state }) => state !== 'voided').map(({ amount_cents }) => amount_cents);
}

describe('correcting the amounts of a sale', () => {
  it.each([
    [{ amount_cents: 15_000 }, 1_500],
    [{ amount_cents: 4_000 }, 400],
    [{ amount_cents: 11_900, tax_amount_cents: 1_900 }, 1_000],
    [{ tax_amount_cents: 2_000, currency: 'usd' }, 800],
  ])('to %j changes the unpaid commission', async (change, amount_cents) => {
    const { sale, commission } = await sold();
    const { status, body } = await correct(sale.id, change);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { commission: { id: commission!.id, amount_cents }, adjustment: null, no_commission_reason: null },
    });
    expect(await earned()).toEqual([amount_cents]);
  });

  it.each([
    [15_000, 500],
    [4_000, -600],
    [0, -1_000],
  ])('to %d leaves the paid commission, and adjusts it by %d', async (amount_cents, adjustment) => {
    const { sale, commission } = await sold();
    await account.api.patch(`/commissions/${commission!.id}`, { paid_at: service.clock.instant() });
    const { status, body } = await correct(sale.id, { amount_cents });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        commission: { id: commission!.id, amount_cents: 1_000, state: 'paid' },
        adjustment: { kind: 'adjustment', amount_cents: adjustment },
      },
    });
    expect((await earned()).toSorted((a, b) => a - b)).toEqual([adjustment, 1_000].toSorted((a, b) => a - b));
  });

  it('uses the terms under which the commission was earned', async () => {
    const { sale } = await sold();
    await account.api.patch(`/campaigns/${friends.campaign.id}`, { commission_percent: 50 });
    expect(await correct(sale.id, { amount_cents: 20_000 })).toMatchObject({ body: { commission: { amount_cents: 2_000 } } });
  });

  it('keeps refunds, and goes up and down again', async () => {
    const { sale } = await sold();
    await must(account, '/track/refunds', { external_id: sale.external_id, refund_id: unique('refund'), amount_cents: 5_000 });
    for (const [amount_cents, commission] of [
      [15_000, 1_000],
      [5_000, null],
      [10_000, 500],
    ] as const) {
      const { body } = await correct(sale.id, { amount_cents });
      expect(body).toMatchObject({ charge_amount_cents: amount_cents, refund_amount_cents: 5_000 });
      expect((await earned()).reduce((sum, each) => sum + each, 0)).toBe(commission ?? 0);
    }
  });

  it('lets a sale of nothing earn, and takes the commission of a sale that turns out to be nothing', async () => {
    const { sale, reason } = await sold({ amount_cents: 0 });
    expect(reason).toBe('nothing_to_earn');
    expect(await correct(sale.id, { amount_cents: 10_000 })).toMatchObject({ body: { commission: { amount_cents: 1_000 } } });
    await correct(sale.id, { amount_cents: 0 });
    expect(await earned()).toEqual([]);
  });

  it('changes nothing in a preview, and shows what it would change', async () => {
    const { sale, commission } = await sold();
    expect(await correct(sale.id, { amount_cents: 15_000, dry_run: true })).toMatchObject({
      status: 200,
      body: { charge_amount_cents: 15_000, commission: { id: commission!.id, amount_cents: 1_500 } },
    });
    expect((await account.api.get(`/sales/${sale.id}`)).body).toMatchObject({ charge_amount_cents: 10_000 });
    expect(await earned()).toEqual([1_000]);
  });

  it('twice changes it once', async () => {
    const { sale, commission } = await sold();
    await account.api.patch(`/commissions/${commission!.id}`, { paid_at: service.clock.instant() });
    await correct(sale.id, { amount_cents: 15_000 });
    expect(await correct(sale.id, { amount_cents: 15_000 })).toMatchObject({ status: 200, body: { adjustment: null } });
    expect(await earned()).toHaveLength(2);
  });

  it('leaves a commission that a person voided', async () => {
    const { sale, commission } = await sold();
    await account.api.delete(`/commissions/${commission!.id}`);
    await correct(sale.id, { amount_cents: 15_000 });
    expect(await earned()).toEqual([]);
  });

  it('lets the first report and a report with the corrected values answer 200', async () => {
    const { sale } = await sold();
    await correct(sale.id, { amount_cents: 15_000 });
    const report = (amount_cents: number) =>
      account.api.post('/track/sales', {
        external_id: sale.external_id,
        referral_id: sale.referral_id,
        amount_cents,
        currency: 'USD',
      });
    expect([(await report(10_000)).status, (await report(15_000)).status, (await report(12_000)).status]).toEqual([
      200, 200, 409,
    ]);
  });

  it.each([
    [{ currency: 'EUR' }, 'currency', 'immutable'],
    [{ amount_cents: 4_999 }, 'amount_cents', 'too_small'],
    [{ tax_amount_cents: 10_001 }, 'tax_amount_cents', 'too_big'],
    [{ amount_cents: 6_000, tax_amount_cents: 6_001 }, 'tax_amount_cents', 'too_big'],
  ])('to %j is refused', async (change, path, code) => {
    const { sale } = await sold();
    await must(account, '/track/refunds', { external_id: sale.external_id, refund_id: unique('refund'), amount_cents: 5_000 });
    const before = await earned();
    expect(await correct(sale.id, change)).toMatchObject({ status: 422, body: { details: [{ path, code }] } });
    expect(await earned()).toEqual(before);
  });
});
