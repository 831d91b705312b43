import { findLostEvents } from '@affiliate/core';
/** A source that only these tests have: one folder (`toy_source`) and one entry in the table of sources. */
import { beforeEach, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { must, type Program, program } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { ToyShop } from './toy_source/toy-shop.ts';
import type { ToyOrder } from './toy_source/toy-source.ts';

const service = useService({ writesRows: true });
const account = useAccount(service);
let shop: ToyShop;
let friends: Program;

beforeEach(async () => {
  shop = await ToyShop.connect(service, account.id);
  friends = await program(account, { commission_percent: 20 });
});

/** Gives the affiliate a code. */
async function giveCode(code: string): Promise<void> {
  const at = service.clock.instant();
  const [affiliate_id, campaign_id] = [friends.affiliate.id, friends.campaign.id];
  await service.services.database.kysely
    .insertInto('promo_code')
    .values({
      id: `pca_${'0'.repeat(26)}`,
      account_id: account.id,
      affiliate_id,
      campaign_id,
      origin: 'import',
      psp_promotion_code_id: 'toy_code',
      code,
      livemode: true,
      tracking_token: 'toy_token',
      status: 'active',
      observation: JSON.stringify({ active: true }) as never,
      observed_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

const earned = async () => (await account.api.get<{ data: Fields[] }>('/commissions', { expand: 'sale' })).body.data;

function order(more: Partial<ToyOrder> = {}): ToyOrder {
  const buyer = { id: '7', email: 'bea@buyer.example' };
  const at = service.clock.instant();
  return { number: '1', version: 1, paidAt: at, buyer, cents: 17_850, taxCents: 2_850, currency: 'USD', ...more };
}

it('earns from a payment with lines and a code, and takes back a refund of a line and a lost dispute to the cent', async () => {
  await giveCode('BEA20');
  const { id: campaign_id } = friends.campaign;
  const rule = { campaign_id, name: 'Pro', event: 'sale', when: { products: ['pro'] }, pay: { percent: 30 } };
  await must(account, '/reward_rules', rule);
  const lines = [
    { product: 'pro', cents: 10_000 },
    { product: 'free', cents: 5_000 },
  ];
  const paid = order({ code: 'bea20', lines });
  expect(await shop.tell(paid)).toEqual([200, 'processed']);
  // 30 % of 100.00 and 20 % of 50.00.
  expect(await earned()).toMatchObject([{ amount_cents: 4_000, sale: { charge_amount_cents: 17_850, promo_code: 'BEA20' } }]);

  const at = service.clock.instant();
  const refunds = [{ id: 're_1', at, cents: 5_950, taxCents: 950, product: 'pro' }];
  await shop.tell({ ...paid, version: 2, refunds });
  // 30 % of the 50.00 that are left of the first line, and 20 % of 50.00.
  expect(await earned()).toMatchObject([{ amount_cents: 2_500, sale: { refund_amount_cents: 5_950 } }]);

  const dispute = { id: 'dp_1', at, cents: 3_570 };
  await shop.tell({ ...paid, version: 3, refunds, dispute: { ...dispute, outcome: 'open' } });
  expect(await earned()).toMatchObject([{ amount_cents: 2_500, review_status: 'suspicious', review_reason: 'dispute' }]);
  await shop.tell({ ...paid, version: 4, refunds, dispute: { ...dispute, outcome: 'lost' } });
  // The dispute takes back 30 % of the 119.00 that were left of the charge, and as much of each line.
  expect(await earned()).toMatchObject([{ amount_cents: 1_750, review_status: null, sale: { refund_amount_cents: 9_520 } }]);

  // An older snapshot changes nothing, and neither does one that comes twice.
  await shop.tell({ ...paid, version: 2, number: '1', refunds: [] });
  expect(await shop.tell({ ...paid, version: 4, refunds })).toEqual([200, 'duplicate']);
  expect(await earned()).toMatchObject([{ amount_cents: 1_750 }]);
});

it('joins a payment with the report of the merchant for the same customer, and earns for the link that it names', async () => {
  const { token } = friends.link;
  expect(await shop.tell(order({ reference: token }))).toEqual([200, 'processed']);
  const [commission] = await earned();
  expect(commission).toMatchObject({ amount_cents: 3_000, affiliate_id: friends.affiliate.id });
  const sale = { external_id: 'later', customer_email: 'bea@buyer.example', amount_cents: 1_000, currency: 'USD' };
  expect(await must(account, '/track/sales', sale)).toMatchObject({ commission: { amount_cents: 200 } });
  // No field of the wire shows a name of this source.
  expect((await account.api.get<{ data: Fields[] }>('/sales')).body.data).toMatchObject([
    { psp_charge_id: null, psp_invoice_id: null, psp_payment_intent_id: null },
    { psp_charge_id: null, psp_invoice_id: null, psp_payment_intent_id: null },
  ]);
  const { body } = await account.api.get<{ data: Fields[] }>('/customers');
  expect(body.data).toMatchObject([{ email: 'bea@buyer.example', psp_customer_id: null }]);
});

it('reads at the provider what a delivery only hints at', async () => {
  expect(await shop.tell(order({ reference: friends.link.token }), { isHint: true })).toEqual([200, 'processed']);
  expect(await earned()).toMatchObject([{ amount_cents: 3_000, sale: { charge_amount_cents: 17_850 } }]);
});

it('refuses a delivery with a wrong signature', async () => {
  expect(await shop.tell(order(), { secret: 'other' })).toEqual([400, undefined]);
  expect(await earned()).toEqual([]);
});

it('finds a payment whose delivery was lost', async () => {
  shop.source.orders.set('1', order({ reference: friends.link.token }));
  service.clock.advance(1, 'hours');
  await findLostEvents(service.services);
  expect(await earned()).toMatchObject([{ amount_cents: 3_000 }]);
  expect(await shop.tell(order({ paidAt: shop.source.orders.get('1')!.paidAt }))).toEqual([200, 'duplicate']);
});
