/** Test purchases at the provider, followed up to the commission (docs/rules/intake.md#test-purchases). */
import { beforeEach, describe, expect, test } from 'vitest';
import { useEventShop } from './event-shop.ts';
import { errorOf } from './service.ts';

const shop = useEventShop();
const ALL = ['webhook', 'invoice', 'subscription', 'event', 'checkout_session'].map((name) => `rak_${name}_write`);
const BASIC = 'rak_accounts_kyc_basic_read';

const connect = (...permissions: string[]) =>
  shop.merchant.call().pspConnection.connect({ secret_key: shop.service.psp.restrictKey(shop.merchant.psp, permissions) });
const start = () => shop.merchant.call().pspConnection.startTestPurchase({});
const follow = (id: string) => shop.merchant.call().pspConnection.testPurchase({ id });
const sessions = () => shop.merchant.psp.records.checkoutSessions;

async function link() {
  const { affiliateId: affiliate_id, campaignId: campaign_id } = shop.program;
  return shop.merchant.call().links.create({ affiliate_id, campaign_id, url: 'https://shop.example' });
}

beforeEach(async () => {
  shop.service.psp.deliversTo = shop.service.url;
  await connect(BASIC, ...ALL);
});

describe('a test purchase', () => {
  test('opens a checkout that names the newest link, and is followed up to a test commission', async () => {
    await link();
    const { id: link_id, token } = await link();
    const { id, checkout_url, ...started } = await start();
    expect(started).toEqual({ affiliate_id: shop.program.affiliateId, amount_cents: 10_000, currency: 'USD' });
    expect(sessions()).toMatchObject([{ client_reference_id: token, amount_total: 10_000, currency: 'usd', status: 'open' }]);
    expect(await follow(id)).toEqual({ checkout: null, sale: null, commission: null });
    const paid = await fetch(checkout_url, { method: 'POST' });
    expect(await paid.text()).toContain('Payment received');
    const done = await follow(id);
    expect(done).toMatchObject({
      checkout: { referral_id: expect.stringMatching(/^ref_/) },
      sale: { amount_cents: 10_000, currency: 'USD', no_commission_reason: null },
      commission: { amount_cents: 2_000, currency: 'USD' },
    });
    const { link_id: referredBy } = await shop.merchant.call().referrals.get({ id: done.checkout!.referral_id! });
    expect(referredBy).toBe(link_id);
    expect(await shop.merchant.call().commissions.get({ id: done.commission!.id })).toMatchObject({ livemode: false });
    const again = await start();
    expect(again.id).not.toBe(id);
    await fetch(again.checkout_url, { method: 'POST' });
    expect((await follow(again.id)).commission).toMatchObject({ amount_cents: 2_000 });
  });

  test('shows a payment that earns nothing with the reason', async () => {
    await link();
    await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, commission_percent: 0 });
    shop.service.clock.advance(-1, 'minutes');
    const { id, checkout_url } = await start();
    await fetch(checkout_url, { method: 'POST' });
    shop.service.clock.advance(1, 'minutes');
    expect(await follow(id)).toMatchObject({ sale: { no_commission_reason: expect.any(String) }, commission: null });
  });

  test.each(['timeout', 503] as const)('whose answer was lost (%s) gives the same checkout when it is repeated', async (kind) => {
    await link();
    shop.service.psp.faults.plant({ method: 'POST', path: /checkout/, kind, effect: 'applied', times: 1 });
    expect(await errorOf(start())).toMatchObject({ code: 'OPERATION_PENDING' });
    const { checkout_url } = await start();
    expect(sessions().map(({ url }) => url)).toEqual([checkout_url]);
  });

  test('is refused with the reason if no link can earn, without the permission, and with a live key', async () => {
    expect(await errorOf(start())).toMatchObject({ code: 'CONFLICT', details: { reason: 'no_link' } });
    await link();
    await connect(BASIC, ...ALL.filter((name) => !name.includes('checkout')));
    expect(await errorOf(start())).toMatchObject({
      code: 'CONFLICT',
      error: expect.stringContaining('Checkout Sessions (write)'),
      details: { reason: 'missing_permissions' },
    });
    await connect(BASIC, ...ALL);
    expect(await start()).toMatchObject({ amount_cents: 10_000 });
    await shop.merchant.call().affiliates.update({ id: shop.program.affiliateId, state: 'disabled' });
    expect(await errorOf(start())).toMatchObject({ details: { reason: 'no_link' } });
    const live = await shop.service.createMerchant('live');
    expect(await errorOf(live.call().pspConnection.startTestPurchase({}))).toMatchObject({ code: 'PSP_NOT_CONNECTED' });
    await live.connect();
    expect(await errorOf(live.call().pspConnection.startTestPurchase({}))).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'live_mode' },
    });
  });

  test('of another account is not shown', async () => {
    await link();
    const { id, checkout_url } = await start();
    await fetch(checkout_url, { method: 'POST' });
    const other = await shop.service.createMerchant();
    expect(await errorOf(other.call().pspConnection.testPurchase({ id }))).toMatchObject({ code: 'NOT_FOUND' });
  });
});
