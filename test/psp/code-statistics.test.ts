/** The figures of an affiliate whose code was redeemed by a customer of another one (docs/rules/reports.md#referrals-that-count). */
import { expect, test } from 'vitest';
import { orders } from './event-shop.ts';
import { createAffiliate, createCode, importCode } from './fixtures.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, post } = useLiveShop();

test.each(orders(['the sale by the link', 'the sale with the code']))(
  'count nothing if the customer is the other affiliate’s, with %s before %s',
  async (first) => {
    const { merchant, program } = shop;
    const bob = await createAffiliate(merchant, program.campaignId);
    const code = createCode(merchant, { code: 'BOB20', promotion: { type: 'coupon', coupon: 'SPRING' }, livemode: true });
    await importCode(merchant, bob, code);
    const referral_id = await shop.refer();
    const customer = { customer_email: 'eve@buyer.example', amount_cents: 10_000, currency: 'USD' };
    const at = [1, 2].map(() => {
      shop.service.clock.advance(1, 'hours');
      return shop.service.clock.instant();
    });
    shop.service.clock.advance(1, 'hours');
    const facts = [
      () => post({ ...customer, external_id: 'by link', referral_id, charged_at: at[0] }),
      () => post({ ...customer, external_id: 'with code', promo_code: 'BOB20', charged_at: at[1] }),
    ];
    for (const tell of first === 'the sale by the link' ? facts : facts.toReversed()) expect((await tell()).status).toBe(201);
    const figures = async (id: string) => {
      const { commission_stats } = await merchant.call().affiliates.get({ id, expand: ['commission_stats'] });
      const { visitors, leads, conversions } = commission_stats!;
      return { visitors, leads, conversions };
    };
    expect(await figures(bob)).toEqual({ visitors: 0, leads: 0, conversions: 0 });
    expect(await figures(program.affiliateId)).toEqual({ visitors: 1, leads: 1, conversions: 1 });
  },
);
