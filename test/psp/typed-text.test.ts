/** Codes, ids and addresses as people type and paste them: blanks and invisible characters at their ends never matter (docs/rules/platform.md#text). */
import { beforeEach, describe, expect, it, test } from 'vitest';
import { charge, customer, newId, wireEvent } from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';
import { createCode, importCode } from './fixtures.ts';

const shop = useEventShop();
const sale = { external_id: 'order', amount_cents: 10_000, currency: 'USD' };

const earned = async () =>
  (await shop.commissions()).filter(({ state }) => state !== 'voided').reduce((sum, { amount_cents }) => sum + amount_cents, 0);

describe('a reported sale', () => {
  beforeEach(async () => {
    const existing = createCode(shop.merchant, { code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
    await importCode(shop.merchant, shop.program.affiliateId, existing);
  });

  it.each([' JANE20 ', 'JANE20.', 'jane20,', '"JANE20"'.slice(1), 'JANE20\u200b', '\ufeffJANE20'])(
    'with the code %j earns the commission of the code',
    async (promo_code) => {
      const { status, body } = await shop.merchant.api.post('/track/sales', {
        ...sale,
        promo_code,
        customer_email: 'v@b.example',
      });
      expect({ status, reason: body['reason'] }).toEqual({ status: 201, reason: null });
      expect(await earned()).toBe(2_000);
    },
  );

  it('with blanks around the id of its referral and around its own id is one sale', async () => {
    const referral_id = await shop.refer();
    const first = await shop.merchant.api.post('/track/sales', { ...sale, referral_id: ` ${referral_id}\u200b` });
    const again = await shop.merchant.api.post('/track/sales', { ...sale, external_id: 'order ', referral_id });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(await earned()).toBe(2_000);
  });
});

test.each([
  [' Buyer@B.example\n', 'buyer@b.example'],
  ['buyer@bücher.example', 'buyer@xn--bcher-kva.example'],
])('the address %j of the provider and %j of a report are of one customer', async (provided, reported) => {
  const referral_id = await shop.refer();
  await shop.merchant.api.post('/track/sales', { ...sale, referral_id, customer_email: reported });
  const buyer = customer({ email: provided });
  const paid = charge({ amount: 10_000, currency: 'usd', customer: buyer.id });
  await shop.deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid));
  expect(await earned()).toBe(4_000);
  const { data } = await shop.merchant.call().customers.list({});
  expect(data).toMatchObject([{ email: reported }]);
});

test('an address with a domain in letters of other languages is accepted at every door', async () => {
  const email = `${newId('ada')}@exämple.com`;
  const stored = email.replace('exämple.com', 'xn--exmple-cua.com');
  const { status, body } = await shop.merchant.api.post('/affiliates', { email, campaign_id: shop.program.campaignId });
  expect({ status, body }).toMatchObject({ status: 201, body: { email: stored } });
  const found = await shop.merchant.api.get<{ data: unknown[] }>('/affiliates', { email });
  expect(found.body.data).toHaveLength(1);
  expect((await shop.merchant.api.post('/affiliates', { email: stored })).status).toBe(422);
  expect((await shop.merchant.api.post('/invitations', { kind: 'member', email })).body['email']).toBe(stored);
  const { id } = body as { id: string };
  const changed = await shop.merchant.api.patch(`/affiliates/${id}`, { email, walleta_email: email });
  expect(changed).toMatchObject({ status: 200, body: { email: stored, walleta_email: stored } });
  const buyer = email.replace('ada', 'buyer');
  const put = await shop.merchant.api.put('/customers/external:7', { email: buyer });
  expect(put).toMatchObject({ status: 201, body: { email: buyer.replace('exämple.com', 'xn--exmple-cua.com') } });
  const referral_id = await shop.refer();
  for (const [path, input] of [
    ['/track/leads', { referral_id, email: buyer }],
    ['/track/sales', { ...sale, customer_email: buyer }],
  ] as const)
    expect([path, (await shop.merchant.api.post(path, input)).status < 300]).toEqual([path, true]);
  expect((await shop.merchant.call().customers.list({})).data).toHaveLength(1);
});
