import { describe, expect, test } from 'vitest';
import { charge, sendEvent, wireEvent } from '../support/psp-server/index.ts';
import { createAffiliate, createCode, importCode, useMerchantWithCoupon } from './fixtures.ts';
import { usePspService } from './service.ts';

const service = usePspService();
const { merchant, program } = useMerchantWithCoupon(service);

interface RecordedSale {
  sale: {
    id: string;
    referral_id: string | null;
    affiliate_id: string | null;
    promo_code: string | null;
    customer_id: string | null;
  };
  commission: { affiliate_id: string; campaign_id: string; amount_cents: number } | null;
  reason: string | null;
}

/** Assigns a code that the merchant created at the provider. Returns the path of the assignment. */
async function assign(code: string, affiliateId = program.affiliateId, active = true): Promise<string> {
  const existing = createCode(merchant, { code, active, promotion: { type: 'coupon', coupon: 'SPRING' } });
  return `/affiliates/${affiliateId}/promo_codes/${await importCode(merchant, affiliateId, existing)}`;
}

async function sell(sale: Record<string, unknown>): Promise<RecordedSale> {
  const { status, body } = await merchant.api.post<RecordedSale>('/track/sales', {
    external_id: crypto.randomUUID(),
    amount_cents: 10_000,
    currency: 'USD',
    ...sale,
  });
  expect(status).toBe(201);
  return body;
}

async function refer(fields: Record<string, unknown>): Promise<string> {
  const { body } = await merchant.api.post<{ id: string }>('/referrals', {
    affiliate_id: program.affiliateId,
    campaign_id: program.campaignId,
    ...fields,
  });
  return body.id;
}

test('a code attributes the sale to its owner, in any case', async () => {
  await assign('Jane20');
  const { sale, commission } = await sell({ promo_code: 'jANE20', customer_email: 'ann@buyer.example' });
  expect(sale).toMatchObject({ affiliate_id: program.affiliateId, promo_code: 'Jane20' });
  expect(commission).toMatchObject({ affiliate_id: program.affiliateId, campaign_id: program.campaignId, amount_cents: 2000 });
  const referral = await merchant.api.get(`/referrals/${sale.referral_id}`);
  expect(referral.body).toMatchObject({ conversion_state: 'conversion', customer_id: sale.customer_id });
});

test('a code binds its customer, so that later sales need no code and another code changes nothing', async () => {
  await assign('JANE20');
  const other = await createAffiliate(merchant, program.campaignId);
  await assign('JOE20', other);
  const first = await sell({ promo_code: 'JANE20', customer_email: 'ann@buyer.example' });
  const later = await sell({ customer_email: 'ann@buyer.example' });
  const withOther = await sell({ promo_code: 'JOE20', customer_email: 'ann@buyer.example' });
  expect([later, withOther].map(({ sale }) => sale.referral_id)).toEqual([first.sale.referral_id, first.sale.referral_id]);
});

test('a referral that was created by a code instead of a link is continued for another customer who names the referral', async () => {
  const { kysely } = service.services.database;
  await kysely.updateTable('account').set({ code_before_link: true }).where('id', '=', merchant.id).execute();
  const other = await createAffiliate(merchant, program.campaignId);
  await assign('JOE20', other);
  await sell({ referral_id: await refer({}), customer_email: 'ann@buyer.example' });
  const { sale } = await sell({ promo_code: 'JOE20', customer_email: 'ann@buyer.example' });
  expect(sale.affiliate_id).toBe(other);
  const named = await sell({ referral_id: sale.referral_id, customer_email: 'bob@buyer.example' });
  expect(named.commission).toMatchObject({ affiliate_id: other });
  expect(named.sale.referral_id).not.toBe(sale.referral_id);
  const unknown = await sell({ referral_id: sale.referral_id });
  expect(unknown.sale.customer_id).toBe(sale.customer_id);
});

test('a live referral takes precedence over a code, and a code over an expired referral', async () => {
  const other = await createAffiliate(merchant, program.campaignId);
  await assign('JOE20', other);
  const live = await refer({});
  expect((await sell({ referral_id: live, promo_code: 'JOE20' })).sale.affiliate_id).toBe(program.affiliateId);
  const expired = await refer({ expires_at: '2020-01-01T00:00:00Z' });
  const { sale, commission } = await sell({ referral_id: expired, promo_code: 'JOE20' });
  expect(sale.affiliate_id).toBe(other);
  expect(commission?.affiliate_id).toBe(other);
});

test('a code that the provider no longer redeems still attributes sales', async () => {
  await assign('JANE20', program.affiliateId, false);
  expect((await sell({ promo_code: 'JANE20' })).commission).not.toBeNull();
});

describe('a text that is a code in both modes', () => {
  /**
   * Assigns a test-mode code to one affiliate, connects the live mode, and assigns the live code with the same text to another affiliate. Only the
   * code of the mode `redeemed` is active.
   */
  async function assignInBothModes(
    redeemed: 'test' | 'live',
  ): Promise<{ test: string; live: string; paid: ReturnType<typeof charge> }> {
    const live = await createAffiliate(merchant, program.campaignId);
    await assign('SUMMER20', program.affiliateId, redeemed === 'test');
    const paid = charge({ amount: 10_000 });
    const endpoint = `${service.url}/psp/webhooks/${merchant.id}`;
    const event = wireEvent('charge.succeeded', paid);
    expect((await sendEvent(endpoint, event, { secret: merchant.webhookSecret })).status).toBe(200);
    const psp = service.psp.addAccount('live');
    await merchant.call().pspConnection.connect({ secret_key: psp.secretKey, webhook_secret: merchant.webhookSecret });
    const promotion = { type: 'coupon', coupon: 'SPRING' } as const;
    await importCode(
      merchant,
      live,
      createCode({ ...merchant, psp }, { code: 'SUMMER20', active: redeemed === 'live', livemode: true, promotion }),
    );
    return { test: program.affiliateId, live, paid };
  }

  test('attributes a live sale by the live code, even if only the test code can still be redeemed', async () => {
    const { live } = await assignInBothModes('test');
    expect((await sell({ promo_code: 'SUMMER20' })).sale.affiliate_id).toBe(live);
  });

  test('attributes a test payment by the test code, even if the merchant also reports the payment', async () => {
    const { test: owner, paid } = await assignInBothModes('live');
    const report = { external_id: crypto.randomUUID(), amount_cents: 10_000, currency: 'USD', promo_code: 'SUMMER20' };
    const { status, body } = await merchant.api.post<RecordedSale>('/track/sales', { ...report, psp_charge_id: paid.id });
    expect(status).toBe(200);
    expect(body.sale.affiliate_id).toBe(owner);
  });
});

test('a stopped code no longer attributes sales', async () => {
  const path = await assign('JANE20');
  const before = service.clock.instant();
  service.clock.advance(1, 'hours');
  await merchant.api.delete(path, { dry_run: false });
  service.clock.advance(1, 'hours');
  expect(await sell({ promo_code: 'JANE20' })).toMatchObject({ commission: null, reason: 'no_referral' });
  expect((await sell({ promo_code: 'JANE20', charged_at: before })).commission).not.toBeNull();
});

test('an unassigned code and a code of another account attribute nothing', async () => {
  await assign('JANE20');
  const other = await service.createMerchant();
  const { body } = await other.api.post('/track/sales', {
    external_id: 'x',
    amount_cents: 10_000,
    currency: 'USD',
    promo_code: 'JANE20',
  });
  expect(body).toMatchObject({ commission: null, reason: 'no_referral', sale: { promo_code: 'JANE20' } });
  expect(await sell({ promo_code: 'NOBODY' })).toMatchObject({ commission: null, reason: 'no_referral' });
});

test('a sale whose only clue is a code keeps its affiliate when it is refunded and reconsidered', async () => {
  await assign('JANE20');
  const affiliate = async (state: string) => {
    service.clock.advance(1, 'minutes');
    expect((await merchant.api.patch(`/affiliates/${program.affiliateId}`, { state })).status).toBe(200);
    service.clock.advance(1, 'minutes');
  };
  await affiliate('disabled');
  const charged_at = service.clock.instant();
  service.clock.advance(1, 'hours');
  const { sale, reason } = await sell({ external_id: 'late', promo_code: 'JANE20', charged_at });
  expect({ sale, reason }).toMatchObject({ sale: { affiliate_id: program.affiliateId }, reason: 'affiliate_inactive' });
  await affiliate('active');
  const refund = { external_id: 'late', refund_id: crypto.randomUUID(), amount_cents: 1_000 };
  expect((await merchant.api.post('/track/refunds', refund)).body).toMatchObject({
    sale: { affiliate_id: program.affiliateId },
    reason: 'affiliate_inactive',
  });
  expect((await merchant.api.post(`/sales/${sale.id}/reconsider`, {})).body).toMatchObject({
    sale: { affiliate_id: program.affiliateId },
    commission: { affiliate_id: program.affiliateId, amount_cents: 1_800 },
  });
});
