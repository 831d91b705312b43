/** Sales whose customer becomes known later, by a lead or by a change of the referral (docs/rules/attribution.md#attribution). */
import { beforeEach, describe, expect, test } from 'vitest';
import { charge, wireEvent } from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';
import { createCode, importCode } from './fixtures.ts';

const shop = useEventShop();
const later = () => shop.service.clock.advance(10, 'seconds');

/** Each records a sale without a customer, and returns the id of its referral. */
const SALES: Record<string, () => Promise<string>> = {
  'a payment of a guest whose metadata name the referral': async () => {
    const referral = await shop.refer();
    later();
    const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
    await shop.deliver(
      wireEvent('charge.succeeded', charge({ amount: 10_000, customer: null, created, metadata: { referral } })),
    );
    return referral;
  },
  'a report that names only a code': async () => {
    const { merchant, program } = shop;
    const existing = createCode(merchant, { code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
    await importCode(merchant, program.affiliateId, existing);
    later();
    const charged_at = shop.service.clock.instant();
    later();
    const report = { external_id: 'order', amount_cents: 10_000, currency: 'USD', promo_code: 'JANE20', charged_at };
    const { body } = await merchant.api.post<{ sale: { referral_id: string } }>('/track/sales', report);
    return body.sale.referral_id;
  },
};

describe.each(Object.entries(SALES))('the commission of %s', (_title, record) => {
  let referral: string;
  beforeEach(async () => {
    // Events of the distant past are refused.
    shop.service.clock.set(new Date().toISOString());
    referral = await record();
    later();
  });

  const earned = async () =>
    (await shop.commissions()).map(({ state, amount_cents, referral_id }) => ({ state, amount_cents, referral_id }));

  test('stays when a lead of the referral arrives, and the customer buys again', async () => {
    const lead = await fetch(`${shop.service.url}/track/leads`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ referral_id: referral, email: 'ann@buyer.example' }),
    });
    expect(lead.status).toBe(200);
    expect(await earned()).toEqual([{ state: 'pending', amount_cents: 2_000, referral_id: referral }]);
    const again = { external_id: 'again', amount_cents: 5_000, currency: 'USD', customer_email: 'ann@buyer.example' };
    expect((await shop.merchant.api.post('/track/sales', again)).status).toBe(201);
    expect(await earned()).toEqual([
      { state: 'pending', amount_cents: 1_000, referral_id: referral },
      { state: 'pending', amount_cents: 2_000, referral_id: referral },
    ]);
  });

  test('stays when the merchant enters the customer of the referral', async () => {
    const changed = await shop.merchant.api.patch(`/referrals/${referral}`, { customer_email: 'ann@buyer.example' });
    expect(changed.status).toBe(200);
    expect(await earned()).toEqual([{ state: 'pending', amount_cents: 2_000, referral_id: referral }]);
  });
});
