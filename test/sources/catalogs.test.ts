/** Products and prices of all connected providers, by name, for the pages of reward rules. */
import { createSources } from '@affiliate/core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { price as paddlePrice } from '../support/paddle-server/objects.ts';
import { type PaddleAccount, PaddleServer } from '../support/paddle-server/paddle-server.ts';
import { product as polarProduct } from '../support/polar-server/objects.ts';
import { type PolarOrganization, PolarServer } from '../support/polar-server/polar-server.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';

let paddle: PaddleServer;
let polar: PolarServer;
let service: TestService;
let account: TestAccount;
let atPaddle: PaddleAccount;
let atPolar: PolarOrganization;

beforeAll(async () => {
  [paddle, polar] = await Promise.all([new PaddleServer().start(), new PolarServer().start()]);
  service = await startService({ sources: createSources({ apiBases: { paddle: paddle.url, polar: polar.url } }) });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([paddle.stop(), polar.stop()]);
});

beforeEach(async () => {
  account = await service.createAccount();
  [atPaddle, atPolar] = [paddle.addAccount(), polar.addOrganization()];
  const at = service.clock.instant();
  const ended = { ...paddlePrice('pri_old', 'pro_Pro', 'year', 'EUR', at), status: 'archived', name: 'Yearly' };
  atPaddle.prices.push(ended, paddlePrice('pri_Pro', 'pro_Pro', 'month', 'USD', at));
  atPolar.products.push(
    polarProduct('Course', at, { amount: 500, currency: 'jpy' }),
    polarProduct('Gift', at, { amount: null, isMonthly: true }),
  );
});

async function connect(source: string, credentials?: Record<string, string>): Promise<void> {
  const body = { source, ...(credentials && { credentials }) };
  const { status, text } = await account.api.send('POST', '/api/settings/v1/connections', { body });
  if (status !== 201) throw new Error(text);
}
const connectBoth = async () => {
  await connect('paddle', { api_key: atPaddle.key });
  await connect('polar', { access_token: atPolar.token });
};
const catalog = () => account.client.pspConnection.catalog.query({});

it('the catalog has the products and prices of every provider', async () => {
  await connectBoth();
  const price = (id: string, product_id: string, interval: string, unit_cents: number | null, currency: string) => ({
    id,
    name: null,
    product_id,
    interval,
    unit_cents,
    currency,
    active: true,
  });
  expect(await catalog()).toEqual({
    connected: true,
    problem: null,
    is_complete: true,
    products: [
      { id: 'product_Course', name: 'Course' },
      { id: 'product_Gift', name: 'Gift' },
      { id: 'pro_Pro', name: 'Pro' },
    ],
    prices: [
      { ...price('pri_Pro', 'pro_Pro', 'month', 100, 'USD'), name: 'pri_Pro' },
      { ...price('pri_old', 'pro_Pro', 'year', 100, 'EUR'), name: 'Yearly', active: false },
      price('price_Gift', 'product_Gift', 'month', null, 'USD'),
      price('price_Course', 'product_Course', 'one_time', 500, 'JPY'),
    ],
  });
});

it('the catalog names what can be read, if a key may not read the rest', async () => {
  atPaddle.mayRead = 'prices';
  await connectBoth();
  expect(await catalog()).toMatchObject({
    problem: null,
    is_complete: true,
    products: { 2: { id: 'pro_Pro', name: 'pro_Pro' } },
  });
});

it('a provider whose products cannot be read hides no other, and causes no warning about its products', async () => {
  atPaddle.mayRead = 'nothing';
  await connectBoth();
  const read = await catalog();
  expect(read).toMatchObject({
    problem: expect.any(String),
    is_complete: false,
    products: [{ name: 'Course' }, { name: 'Gift' }],
  });
  const url = 'https://shop.example.com/';
  const { id } = await account.client.campaigns.create.mutate({ name: 'A', url, reward_type: 'percent', commission_percent: 5 });
  const rule = { campaign_id: id, event: 'sale' as const, name: 'Pro', when: { products: ['pro_Pro'] }, pay: { percent: 20 } };
  await account.client.rewardRules.create.mutate(rule);
  expect((await account.client.rewardRules.warnings.query({ id })).data).toEqual([]);
});

it('a complete catalog warns about a product that no provider has, and an account that tells its own payments has none', async () => {
  await connectBoth();
  const url = 'https://shop.example.com/';
  const { id } = await account.client.campaigns.create.mutate({ name: 'A', url, reward_type: 'percent', commission_percent: 5 });
  for (const product of ['pro_Pro', 'product_Gift', 'pro_gone'])
    await account.client.rewardRules.create.mutate({
      campaign_id: id,
      event: 'sale',
      name: product,
      when: { products: [product] },
      pay: { percent: 20 },
    });
  expect((await account.client.rewardRules.warnings.query({ id })).data).toMatchObject([{ code: 'unknown_product' }]);
  await connect('facts');
  expect(await catalog()).toMatchObject({ is_complete: false, products: { length: 3 } });
  expect((await account.client.rewardRules.warnings.query({ id })).data).toEqual([]);
});
