/** Sales that the merchant reports with a code, and whose payments the provider reports too (docs/rules/intake.md#the-same-sale-twice). */
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { settleDueDecisionsOf } from '../../packages/core/src/attribution/settle-decisions.ts';
import { charge, newId, wireEvent } from '../support/psp-server/index.ts';
import { orders, useEventShop } from './event-shop.ts';
import { createCode, importCode } from './fixtures.ts';

const shop = useEventShop();

beforeEach(async () => {
  const existing = createCode(shop.merchant, { code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
  await importCode(shop.merchant, shop.program.affiliateId, existing);
});

describe.each(orders(['the report', 'the payment']))(
  'a sale whose report names only a code and the charge, with %s before %s',
  (first) => {
    test.each([
      ['a customer', { customer: newId('cus') }],
      ['a guest', { customer: null }],
    ])('earns once from a payment of %s', async (_title, payer) => {
      const paid = charge({ amount: 10_000, ...payer });
      const report = {
        external_id: 'order',
        amount_cents: 10_000,
        currency: 'USD',
        promo_code: 'JANE20',
        psp_charge_id: paid.id,
      };
      const facts = [
        async () => {
          expect((await shop.merchant.api.post('/track/sales', report)).status).toBeLessThan(202);
        },
        () => shop.deliver(wireEvent('charge.succeeded', paid)),
      ];
      for (const tell of first === 'the report' ? facts : facts.toReversed()) await tell();
      // The report does not know that the payment is in test mode, so a commission that it earned is replaced.
      const standing = (await shop.commissions()).filter(({ state }) => state !== 'voided');
      expect(standing.map(({ amount_cents }) => amount_cents)).toEqual([2_000]);
      const { data } = await shop.merchant.call().referrals.list({});
      expect(data.map(({ conversion_state }) => conversion_state)).toEqual(['conversion']);
    });
  },
);

test('a later code of another affiliate with the same text takes no sale that is decided again', async () => {
  const { campaignId: campaign_id } = shop.program;
  const report = { external_id: 'order', amount_cents: 10_000, currency: 'USD', promo_code: 'JANE20' };
  expect((await shop.merchant.api.post('/track/sales', report)).status).toBe(201);
  const before = await shop.commissions();
  const email = `${newId('x')}@partner.example`;
  const { id: other } = await shop.merchant.call().affiliates.create({ email, campaign_id });
  const later = createCode(shop.merchant, { code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
  await importCode(shop.merchant, other, later);
  const { rows } = await sql`
    insert into queued_sale_decision (account_id, sale_id) select account_id, id from sale where account_id = ${shop.merchant.id}
    returning sale_id`.execute(shop.service.services.database.kysely);
  expect(rows).toHaveLength(1);
  await settleDueDecisionsOf(shop.service.services, shop.merchant.id);
  expect(await shop.commissions()).toEqual(before);
});
