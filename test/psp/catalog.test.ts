/** Products and prices of the connected payment provider, by name, for the pages of reward rules. */
import type { Stripe } from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import { rule } from '../rewards/program.ts';
import { program } from '../support/program.ts';
import { price } from '../support/psp-server/index.ts';
import type { Outputs } from '../support/service.ts';
import { type Merchant, usePspService } from './service.ts';

const service = usePspService();
let merchant: Merchant;

beforeEach(async () => {
  merchant = await service.createMerchant();
  const product = (id: string, name: string) => ({ id, object: 'product', name }) as Stripe.Product;
  merchant.psp.records.products.push(product('prod_pro', 'Pro'), product('prod_addon', 'Add-on'));
  merchant.psp.records.prices.push(
    price('prod_pro', 'month', { id: 'price_monthly', nickname: 'Monthly', unit_amount: 4_900 }),
    price('prod_pro', 'year', { id: 'price_yearly', active: false, unit_amount: 49_000 }),
    price('prod_addon', null, { id: 'price_addon', currency: 'jpy', unit_amount: 500 }),
  );
});

const catalog = () => merchant.call().pspConnection.catalog({});
const requested = () => service.psp.requests.filter(({ path }) => path.startsWith('/v1/prices')).length;

describe('the catalog', () => {
  test('is empty without a connection', async () => {
    expect(await catalog()).toEqual({ connected: false, problem: null, is_complete: true, products: [], prices: [] });
  });

  test('has the products and prices by name, and asks the provider once a minute', async () => {
    await merchant.connect();
    const before = requested();
    expect(await catalog()).toEqual({
      connected: true,
      problem: null,
      is_complete: true,
      products: [
        { id: 'prod_addon', name: 'Add-on' },
        { id: 'prod_pro', name: 'Pro' },
      ],
      prices: [
        {
          id: 'price_addon',
          name: null,
          product_id: 'prod_addon',
          interval: 'one_time',
          unit_cents: 500,
          currency: 'JPY',
          active: true,
        },
        {
          id: 'price_yearly',
          name: null,
          product_id: 'prod_pro',
          interval: 'year',
          unit_cents: 49_000,
          currency: 'USD',
          active: false,
        },
        {
          id: 'price_monthly',
          name: 'Monthly',
          product_id: 'prod_pro',
          interval: 'month',
          unit_cents: 4_900,
          currency: 'USD',
          active: true,
        },
      ],
    });
    expect(await catalog()).toMatchObject({ products: { length: 2 } });
    expect(requested() - before).toBe(1);
  });

  /** The permissions without which a key is refused. */
  const EVENTS = ['accounts_kyc_basic', 'invoice', 'subscription', 'event'].map((name) => `rak_${name}_read`);
  const connectWith = (permissions: readonly string[]) =>
    merchant
      .call()
      .pspConnection.connect({ secret_key: service.psp.restrictKey(merchant.psp, permissions), webhook_secret: 'whsec_catalog' });

  test('has ids in place of names if the key may not read products', async () => {
    await connectWith([...EVENTS, 'rak_plan_read']);
    expect(await catalog()).toMatchObject({ problem: null, products: [{ name: 'prod_addon' }, { name: 'prod_pro' }] });
  });

  test('says why it is empty if the key may not read prices, and tries again', async () => {
    await connectWith(EVENTS);
    for (const _ of [1, 2])
      expect(await catalog()).toMatchObject({ connected: true, problem: expect.stringContaining('permission'), products: [] });
    expect(requested()).toBeGreaterThanOrEqual(4);
  });

  test('shows rules about products that do not exist', async () => {
    const { campaign } = await program(merchant);
    const known = await rule(merchant as never, campaign, { when: { products: ['prod_pro'] }, pay: { percent: 1 } });
    const gone = await rule(merchant as never, campaign, { when: { products: ['prod_old'] }, pay: { percent: 1 } });
    const old = await rule(merchant as never, campaign, { when: { prices: ['price_old'] }, pay: { percent: 1 } });
    const warnings = async () =>
      (await merchant.api.get<Outputs['rewardRules']['warnings']>(`/campaigns/${campaign.id}/rewards/warnings`)).body.data.map(
        ({ rule_id, code }) => [rule_id, code],
      );
    expect(await warnings()).toEqual([]);
    await merchant.connect();
    expect(await warnings()).toEqual([
      [gone.id, 'unknown_product'],
      [old.id, 'unknown_price'],
    ]);
    expect(known.id).toBeDefined();
  });
});
