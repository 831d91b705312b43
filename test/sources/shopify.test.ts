import '@shopify/shopify-api/adapters/node';
import { createSources, findLostEvents, repairPspEndpoints, retryPspEvents } from '@affiliate/core';
import { shopifyApi } from '@shopify/shopify-api';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Fields, send } from '../support/http.ts';
import { type Program, program } from '../support/program.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';
import {
  type Buyer,
  disputeMessage,
  moneyOf,
  type NewOrder,
  type NewRefund,
  order,
  orderMessage,
  refund,
  refundMessage,
  type ShopifyOrder,
} from '../support/shopify-server/objects.ts';
import { ShopifyServer, type ShopifyShop, shopifySignature } from '../support/shopify-server/shopify-server.ts';
import { tellAttacks } from './attacks.ts';
import { tellGuide } from './guides.ts';
import { type Connected, Shop, type Story, tellStories } from './stories.ts';

let shopify: ShopifyServer;
let service: TestService;

beforeAll(async () => {
  shopify = await new ShopifyServer().start();
  const apiBases = { shopify: shopify.url };
  const sources = createSources({ apiBase: 'http://127.0.0.1:9', apiBases });
  service = await startService({ sources, writesRows: true });
});
afterAll(async () => {
  await service.stop();
  await shopify.stop();
});

const PATH = '/api/settings/v1/connections';
const GRACE: Buyer = { id: '7000000000007', name: 'Grace Hopper' };

/** A merchant with a Shopify shop. */
class ShopifyMerchant extends Shop<object> {
  readonly at: ShopifyShop;
  buyer: Buyer | null = GRACE;
  email: string | null = 'grace@example.com';
  attributes: Record<string, string>;

  constructor(account: TestAccount, friends: Program, at: ShopifyShop, connection: Connected) {
    super(service, account, friends, connection);
    this.at = at;
    this.attributes = { referral: friends.link.token };
  }

  static async open(choices: Fields = {}): Promise<ShopifyMerchant> {
    const account = await service.createAccount();
    const friends = await program(account, { commission_percent: 20 });
    const at = shopify.addShop();
    const { status, body, text } = await connect(account, at);
    if (status !== 201) throw new Error(`Connecting answered ${status}: ${text}`);
    if (Object.keys(choices).length > 0) {
      const changed = await account.api.send('PATCH', `${PATH}/${body.id}`, { body: { choices } });
      if (changed.status !== 200) throw new Error(changed.text);
    }
    return new ShopifyMerchant(account, friends, at, body);
  }

  emit(message: object): void {
    this.events.push(structuredClone(message));
  }

  sell(of: Omit<NewOrder, 'at' | 'buyer' | 'email'>): ShopifyOrder {
    const { now: at, buyer, email, attributes } = this;
    const sold = order({ attributes, ...of, at, buyer, email });
    this.at.orders.push(sold);
    this.emit(orderMessage(sold));
    return sold;
  }

  change(of: ShopifyOrder, changes: Partial<ShopifyOrder>): void {
    Object.assign(of, changes, { updatedAt: this.now });
    this.emit(orderMessage(of));
  }

  refund(of: ShopifyOrder, terms: Omit<NewRefund, 'at'>, status = 'PARTIALLY_REFUNDED'): ReturnType<typeof refund> {
    const made = refund(of, { ...terms, at: this.now });
    of.refunds.push(made);
    this.emit(refundMessage(of, made));
    this.change(of, { displayFinancialStatus: status });
    return made;
  }

  dispute(of: ShopifyOrder, status: string, initiatedAs = 'CHARGEBACK'): void {
    of.disputes = [{ id: `gid://shopify/OrderDisputeSummary/${of.legacyResourceId}`, initiatedAs, status }];
    of.updatedAt = this.now;
    this.emit(disputeMessage(of, this.now));
  }

  get secret(): string {
    return this.at.clientSecret;
  }

  headersOf(body: string, secret: string): Record<string, string> {
    return { 'x-shopify-hmac-sha256': shopifySignature(body, secret) };
  }

  async deliver(told: object, { secret = this.at.clientSecret, signature = '' } = {}) {
    const body = JSON.stringify(told);
    const headers = { 'x-shopify-hmac-sha256': signature || shopifySignature(body, secret), 'x-shopify-topic': 'orders/updated' };
    return send(this.url, 'POST', { raw: body, headers });
  }
}

function connect(
  account: TestAccount,
  { name, clientId, clientSecret }: Pick<ShopifyShop, 'name' | 'clientId' | 'clientSecret'>,
  more: Fields = {},
) {
  const credentials = { shop: `${name}.myshopify.com`, client_id: clientId, client_secret: clientSecret };
  return account.api.send<Connected>('POST', PATH, { body: { source: 'shopify', credentials }, ...more });
}

const pro = { price: '100.00', tax: '20.00' };

const STORIES: Record<string, Story<ShopifyMerchant>> = {
  'a sale with tax, a discount code, and shipping, a tip and a gift card that do not earn': {
    tells: ['sale'],
    happens: (shop) =>
      shop.sell({
        items: [
          { price: '100.00', discount: '10.00', tax: '18.00' },
          { price: '50.00', isGiftCard: true },
          { price: '3.00', product: null, title: 'Tip' },
        ],
        shipping: [{ price: '5.00', tax: '1.00' }],
        total: '167.00',
        codes: ['TEN'],
      }),
    sales: ['10800 1800 0 USD true'],
    commissions: ['1800 USD pending '],
  },
  'a sale whose prices contain the tax': {
    tells: [],
    happens: (shop) => shop.sell({ items: [{ price: '120.00', tax: '20.00' }], total: '120.00', taxesIncluded: true }),
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'an order that is authorized, and paid later': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00', status: 'AUTHORIZED' });
      shop.pass();
      shop.change(sold, { displayFinancialStatus: 'PAID' });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a subscription with a renewal': {
    tells: ['renewal'],
    happens: (shop) => {
      shop.sell({ items: [{ price: '33.33', tax: '6.67' }], total: '40.00' });
      shop.pass();
      shop.attributes = {};
      shop.sell({ items: [{ price: '33.33', tax: '6.67' }], total: '40.00', source: 'subscription_contract' });
    },
    sales: ['4000 667 0 USD true', '4000 667 0 USD true'],
    commissions: ['667 USD pending ', '667 USD pending '],
  },
  'a free trial with its first payment': {
    tells: ['trial of 0'],
    happens: (shop) => {
      shop.sell({ items: [{ price: '0.00' }], total: '0.00' });
      shop.pass();
      shop.attributes = {};
      shop.sell({ items: [pro], total: '120.00', source: 'subscription_contract' });
    },
    sales: ['0 0 0 USD true', '12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a partial refund of goods and shipping': {
    tells: ['partial refund'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], shipping: [{ price: '10.00' }], total: '130.00' });
      shop.pass();
      shop.refund(sold, {
        amount: '40.00',
        lines: [{ line: 0, subtotal: '25.00', tax: '5.00' }],
        shipping: [{ subtotal: '10.00' }],
      });
    },
    sales: ['12000 2000 3000 USD true'],
    commissions: ['1500 USD pending '],
  },
  'a refund of a tip and a gift card, from which nobody has earned': {
    tells: [],
    happens: (shop) => {
      const items = [pro, { price: '10.00', product: null, title: 'Tip' }, { price: '50.00', isGiftCard: true }];
      const sold = shop.sell({ items, total: '180.00' });
      shop.pass();
      const lines = [
        { line: 1, subtotal: '10.00' },
        { line: 2, subtotal: '50.00' },
      ];
      shop.refund(sold, { amount: '60.00', lines });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a refund of an amount, and one of less than its lines': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], shipping: [{ price: '10.00' }], total: '130.00' });
      shop.pass();
      shop.refund(sold, { amount: '13.00' });
      shop.pass();
      shop.refund(sold, { amount: '15.00', lines: [{ line: 0, subtotal: '25.00', tax: '5.00' }] });
    },
    sales: ['12000 2000 2700 USD true'],
    commissions: ['1550 USD pending '],
  },
  'a full refund': {
    tells: ['full refund'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], shipping: [{ price: '10.00' }], total: '130.00' });
      shop.pass();
      shop.refund(sold, { amount: '130.00' }, 'REFUNDED');
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a refund that waits, and fails': {
    tells: ['failed refund'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      const made = shop.refund(sold, { amount: '60.00', status: 'PENDING' });
      shop.pass();
      made.transactions.nodes[0]!.status = 'FAILURE';
      shop.change(sold, { displayFinancialStatus: 'PAID' });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'goods that are put back on stock without money': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.refund(sold, { amount: null, lines: [{ line: 0, subtotal: '100.00', tax: '20.00' }] }, 'PAID');
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'goods that are taken out of an order before it is paid': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro, pro], total: '240.00', received: '0.00', status: 'PENDING' });
      shop.pass();
      shop.refund(sold, { amount: null, lines: [{ line: 1, subtotal: '100.00', tax: '20.00' }] }, 'PENDING');
      shop.pass();
      shop.change(sold, { displayFinancialStatus: 'PAID', totalReceivedSet: moneyOf({})('120.00') });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a refund of half of what was left of an order': {
    tells: ['partial refund'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro, pro], total: '240.00', received: '120.00' });
      shop.refund(sold, { amount: null, lines: [{ line: 1, subtotal: '100.00', tax: '20.00' }] }, 'PAID');
      shop.pass();
      shop.refund(sold, { amount: '60.00' });
    },
    sales: ['12000 2000 6000 USD true'],
    commissions: ['1000 USD pending '],
  },
  'a dispute': {
    tells: ['open dispute'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.dispute(sold, 'NEEDS_RESPONSE');
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending dispute'],
  },
  'a dispute that is lost': {
    tells: ['lost dispute'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.dispute(sold, 'NEEDS_RESPONSE');
      shop.pass();
      shop.dispute(sold, 'LOST');
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a dispute that is won, after a partial refund': {
    tells: ['won dispute'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.refund(sold, { amount: '60.00' });
      shop.pass();
      shop.dispute(sold, 'WON');
    },
    sales: ['12000 2000 6000 USD true'],
    commissions: ['1000 USD pending '],
  },
  'an inquiry that is lost, which takes no money': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.dispute(sold, 'LOST', 'INQUIRY');
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a guest, and a changed address': {
    tells: ['guest', 'changed address'],
    happens: (shop) => {
      shop.buyer = null;
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.change(sold, { email: 'hopper@example.com' });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a test order': {
    tells: ['test payment'],
    happens: (shop) => shop.sell({ items: [pro], total: '120.00', isTest: true }),
    sales: ['12000 2000 0 USD false'],
    commissions: ['2000 USD pending '],
  },
  'a sale in yen, with a decimal': {
    tells: ['currency without decimals'],
    happens: (shop) => shop.sell({ items: [{ price: '1000.0', tax: '100.0' }], total: '1100.0', currency: 'JPY' }),
    sales: ['1100 100 0 JPY true'],
    commissions: ['200 JPY pending '],
  },
  'a sale in dinars': {
    tells: ['currency with three decimals'],
    happens: (shop) => shop.sell({ items: [{ price: '12.345' }], total: '12.345', currency: 'KWD' }),
    sales: ['12345 0 0 KWD true'],
    commissions: ['2469 KWD pending '],
  },
  'an order at a point of sale, which does not earn': {
    tells: [],
    happens: (shop) => shop.sell({ items: [pro], total: '120.00', source: 'pos' }),
    sales: ['12000 2000 0 USD true'],
    commissions: [],
  },
  'an order that is not paid': {
    tells: [],
    happens: (shop) => shop.sell({ items: [pro], total: '120.00', status: 'PENDING' }),
    sales: [],
    commissions: [],
  },
  'a dispute that is lost, and won after all': {
    tells: ['reversed chargeback'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.dispute(sold, 'LOST');
      shop.pass();
      shop.dispute(sold, 'WON');
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a code that is redeemed': {
    tells: ['redeemed code'],
    open: async () => {
      const shop = await ShopifyMerchant.open();
      shop.attributes = {};
      await shop.giveCode('ADA20');
      return shop;
    },
    happens: (shop) =>
      shop.sell({ items: [{ price: '100.00', discount: '10.00', tax: '18.00' }], total: '108.00', codes: ['ADA20'] }),
    sales: ['10800 1800 0 USD true'],
    commissions: ['1800 USD pending '],
  },
};

tellStories({
  open: () => ShopifyMerchant.open(),
  stories: STORIES,
  without: {
    'negative lines': 'Lines of an order at Shopify are never below zero: an edit that takes lines away refunds them.',
  },
});

tellAttacks({
  open: () => ShopifyMerchant.open(),
  sell: (shop, attributes) => {
    shop.attributes = attributes;
    shop.sell({ items: [{ price: '10.00' }], total: '10.00' });
  },
  without: { 'an old delivery': 'The signature has no time: a delivery is a hint, and what it is about is read.' },
});

tellGuide({
  guide: 'shopify',
  open: () => ShopifyMerchant.open(),
  sell: (shop, attributes) => {
    shop.attributes = attributes;
    shop.sell({ items: [pro], total: '120.00' });
  },
  names: (say) => ({
    fetch: (_path: string, { body }: { body: string }) =>
      say((JSON.parse(body) as { attributes: Record<string, string> }).attributes),
  }),
});

describe('goods that are added to an order after the payment', () => {
  it.each([true, false])('earn by their own rules, whether the first ones were told (%s)', async (isTold) => {
    const shop = await ShopifyMerchant.open();
    const when = { products: ['22'] };
    const rule = { campaign_id: shop.friends.campaign.id, name: 'Add-on', when, pay: { nothing: true } };
    expect((await shop.account.api.post('/reward_rules', rule)).status).toBe(201);
    shop.pass();
    const items = [{ price: '100.00' }];
    const sold = shop.sell({ items, total: '100.00' });
    if (isTold) await shop.deliver(shop.events.at(-1)!);
    shop.pass();
    const addOn = { price: '50.00', product: '22' };
    const edited = order({ at: shop.now, buyer: null, email: null, items: [...items, addOn], total: '150.00' });
    const { lineItems, totalPriceSet } = edited;
    shop.change(sold, { lineItems, totalPriceSet });
    await shop.deliver(shop.events.at(-1)!);
    expect(await shop.rows()).toMatchObject({ sales: ['15000 0 0 USD true'], commissions: ['2000 USD pending '] });
    shop.refund(sold, { amount: '50.00', lines: [{ line: 1, subtotal: '50.00' }] });
    await shop.deliver(shop.events.at(-1)!);
    expect(await shop.rows()).toMatchObject({ sales: ['15000 0 5000 USD true'], commissions: ['2000 USD pending '] });
  });
});

describe('the choices of a connection', () => {
  it.each<[Fields, Omit<NewOrder, 'at' | 'buyer' | 'email'>, string[], string[]]>([
    [
      { shipping: 'count' },
      { items: [pro], shipping: [{ price: '10.00', tax: '2.00' }], total: '132.00' },
      ['13200 2200 0 USD true'],
      ['2200 USD pending '],
    ],
    [
      { point_of_sale: 'count' },
      { items: [pro], total: '120.00', source: 'pos' },
      ['12000 2000 0 USD true'],
      ['2000 USD pending '],
    ],
    [
      { draft_orders: 'exclude' },
      { items: [pro], total: '120.00', source: 'shopify_draft_order' },
      ['12000 2000 0 USD true'],
      [],
    ],
    [
      { currency: 'buyer' },
      { items: [pro], total: '120.00', presentment: { currency: 'EUR', rate: 0.9 } },
      ['10800 1800 0 EUR true'],
      ['1800 EUR pending '],
    ],
    [
      {},
      { items: [pro], total: '120.00', presentment: { currency: 'EUR', rate: 0.9 } },
      ['12000 2000 0 USD true'],
      ['2000 USD pending '],
    ],
  ])('%j', async (choices, terms, sales, commissions) => {
    const shop = await ShopifyMerchant.open(choices);
    shop.sell(terms);
    await shop.deliver(shop.events[0]!);
    expect(await shop.rows()).toMatchObject({ sales, commissions });
  });
});

describe('who sent the customer', () => {
  const visit = (lastVisit: object) => ({
    ready: true,
    lastVisit: { landingPage: null, referralCode: null, utmParameters: null, ...lastVisit },
  });
  it.each<[string, (token: string) => Partial<NewOrder>]>([
    ['an attribute of the cart', (token) => ({ attributes: { _referral: token } })],
    ['the referral code of the visit', (token) => ({ journey: visit({ referralCode: token }) })],
    ['the landing page', (token) => ({ journey: visit({ landingPage: `https://shop.example.com/?via=${token}` }) })],
    ['a campaign', (token) => ({ journey: visit({ utmParameters: { source: 'affiliate', campaign: token } }) })],
  ])('is said by %s', async (_, said) => {
    const shop = await ShopifyMerchant.open();
    shop.attributes = {};
    shop.sell({ items: [pro], total: '120.00', ...said(shop.friends.link.token) });
    await shop.deliver(shop.events[0]!);
    expect(await shop.rows()).toMatchObject({ commissions: ['2000 USD pending '] });
  });

  it('is asked again until Shopify knows the visit', async () => {
    const shop = await ShopifyMerchant.open();
    shop.attributes = {};
    const sold = shop.sell({ items: [pro], total: '120.00', journey: { ready: false, lastVisit: null } });
    expect((await shop.deliver(shop.events[0]!)).body).toMatchObject({ outcome: 'pending' });
    sold.customerJourneySummary = visit({ referralCode: shop.friends.link.token });
    service.clock.advance(2, 'minutes');
    await retryPspEvents(service.services);
    expect(await shop.rows()).toMatchObject({ commissions: ['2000 USD pending '] });
  });

  it('stays unknown after an hour, and the sale counts', async () => {
    const shop = await ShopifyMerchant.open();
    shop.attributes = {};
    shop.sell({ items: [pro], total: '120.00', journey: { ready: false, lastVisit: null } });
    await shop.deliver(shop.events[0]!);
    service.clock.advance(61, 'minutes');
    await retryPspEvents(service.services);
    expect(await shop.rows()).toMatchObject({ sales: ['12000 2000 0 USD true'], commissions: [] });
  });
});

describe('the connection', () => {
  it('subscribes to its topics, and again to those that Shopify deleted', async () => {
    const shop = await ShopifyMerchant.open();
    expect(shop.connection).toMatchObject({ provider_account_id: `${shop.at.name}.myshopify.com`, has_signing_secret: true });
    const topics = () => shop.at.subscriptions.map(({ topic }) => topic).toSorted();
    expect(topics()).toEqual(['DISPUTES_CREATE', 'DISPUTES_UPDATE', 'ORDERS_UPDATED', 'REFUNDS_CREATE']);
    shop.at.subscriptions = shop.at.subscriptions.slice(1);
    service.clock.advance(2, 'days');
    await repairPspEndpoints(service.services);
    expect(topics()).toHaveLength(4);
    expect((await shop.account.api.send('DELETE', `${PATH}/${shop.connection.id}`)).status).toBe(204);
    await expect.poll(() => shop.at.subscriptions).toEqual([]);
  });

  it('asks for a token once', async () => {
    const shop = await ShopifyMerchant.open();
    for (let i = 0; i < 3; i += 1) await shop.deliver(orderMessage(shop.sell({ items: [pro], total: '120.00' })));
    expect(shop.at.tokens).toBe(1);
  });

  it('asks for a new token if the former one is refused', async () => {
    const shop = await ShopifyMerchant.open();
    shop.at.tokens += 1;
    shop.sell({ items: [pro], total: '120.00' });
    expect((await shop.deliver(shop.events[0]!)).status).toBe(200);
    expect(await shop.rows()).toMatchObject({ sales: ['12000 2000 0 USD true'] });
  });

  it('refuses apps that the shop does not know, and other addresses', async () => {
    const account = await service.createAccount();
    const [shop, other] = [shopify.addShop(), shopify.addShop()];
    const { name, clientId, clientSecret } = shop;
    const wrong = [
      { name, clientId, clientSecret: other.clientSecret },
      { name, clientId: 'short', clientSecret },
      { name: 'evil.example.com/', clientId, clientSecret },
      { name: '../other', clientId, clientSecret },
    ];
    for (const each of wrong)
      expect(await connect(account, each)).toMatchObject({ status: 422, body: { details: [{ path: 'credentials' }] } });
  });

  it('of a test account takes tests only, also if a refund does not state it', async () => {
    const account = await service.createAccount();
    const at = shopify.addShop();
    const { body } = await connect(account, at, { headers: { 'X-Livemode': 'false' } });
    const shop = new ShopifyMerchant(account, await program(account), at, body);
    const sold = shop.sell({ items: [pro], total: '120.00' });
    const made = refund(sold, { at: shop.now, amount: '1.00' });
    expect((await shop.deliver(shop.events[0]!)).body).toMatchObject({ outcome: 'ignored' });
    expect((await shop.deliver(refundMessage(sold, made))).body).toMatchObject({ outcome: 'processed' });
    expect((await shop.account.api.get<{ data: Fields[] }>('/sales')).body.data).toEqual([]);
  });
});

describe('a delivery', () => {
  it('is refused if it is forged, or of another connection', async () => {
    const [shop, other] = [await ShopifyMerchant.open(), await ShopifyMerchant.open()];
    shop.sell({ items: [pro], total: '120.00' });
    const attempts = [{ secret: 'forged' }, { secret: other.at.clientSecret }, { signature: 'x' }, { signature: 'AAAA' }];
    for (const attempt of attempts)
      expect(await shop.deliver(shop.events[0]!, attempt)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } });
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });

  it('is signed as the official library verifies', async () => {
    const shop = await ShopifyMerchant.open();
    const { clientId: apiKey, clientSecret: apiSecretKey, name } = shop.at;
    const library = shopifyApi({
      apiKey,
      apiSecretKey,
      apiVersion: '2026-07' as never,
      isEmbeddedApp: false,
      hostName: 'a.example',
      scopes: [],
      logger: { level: 0 },
    });
    shop.sell({ items: [pro], total: '120.00' });
    const rawBody = JSON.stringify(shop.events[0]);
    const headers = {
      'x-shopify-hmac-sha256': shopifySignature(rawBody, apiSecretKey),
      'x-shopify-topic': 'orders/updated',
      'x-shopify-shop-domain': `${name}.myshopify.com`,
      'x-shopify-api-version': '2026-07',
      'x-shopify-webhook-id': 'w',
      'x-shopify-event-id': 'e',
    };
    const rawRequest = { method: 'POST', url: '/', headers };
    expect(await library.webhooks.validate({ rawBody, rawRequest })).toMatchObject({ valid: true });
    expect(await send(shop.url, 'POST', { raw: rawBody, headers })).toMatchObject({ status: 200 });
  });

  it('counts what Shopify says and not what the delivery says, and once', async () => {
    const shop = await ShopifyMerchant.open();
    const sold = shop.sell({ items: [pro], total: '120.00' });
    expect((await shop.deliver({ ...orderMessage(sold), total_price: '9000.00' })).body).toMatchObject({ outcome: 'processed' });
    expect((await shop.deliver(shop.events[0]!)).body).toMatchObject({ outcome: 'processed' });
    expect((await shop.deliver(shop.events[0]!)).body).toMatchObject({ outcome: 'duplicate' });
    expect(await shop.rows()).toMatchObject({ sales: ['12000 2000 0 USD true'] });
  });

  it('about something else, or a deleted order, has no effect', async () => {
    const shop = await ShopifyMerchant.open();
    const sold = shop.sell({ items: [pro], total: '120.00' });
    shop.at.orders.length = 0;
    expect((await shop.deliver(orderMessage(sold))).body).toMatchObject({ outcome: 'processed' });
    expect((await shop.deliver({ admin_graphql_api_id: 'gid://shopify/Product/1' })).body).toMatchObject({ outcome: 'ignored' });
    expect((await shop.deliver([])).body).toMatchObject({ code: 'MALFORMED_JSON' });
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });

  it('waits if Shopify asks to wait, and says which permission is missing', async () => {
    const shop = await ShopifyMerchant.open();
    shop.sell({ items: [pro], total: '120.00' });
    shopify.refusals.push({ message: 'Throttled', extensions: { code: 'THROTTLED' } });
    expect((await shop.deliver(shop.events[0]!)).status).toBe(502);
    service.clock.advance(2, 'minutes');
    await retryPspEvents(service.services);
    expect(await shop.rows()).toMatchObject({ sales: ['12000 2000 0 USD true'] });
    shopify.refusals.push({ message: 'Access denied for orders field.', extensions: { code: 'ACCESS_DENIED' } });
    expect(await connect(await service.createAccount(), shopify.addShop())).toMatchObject({
      status: 422,
      body: { details: [{ path: 'credentials', message: expect.stringContaining('Access denied for orders') }] },
    });
  });
});

test('addresses of buyers are not stored with events', async () => {
  const shop = await ShopifyMerchant.open();
  const sold = shop.sell({ items: [pro], total: '120.00' });
  const address = { first_name: 'Grace', address1: '1 Secret Street' };
  await shop.deliver({
    ...orderMessage(sold),
    billing_address: address,
    browser_ip: '192.0.2.1',
    customer: { id: 7, default_address: address },
  });
  const { payload } = await service.services.database.kysely
    .selectFrom('psp_event')
    .select('payload')
    .where('connection_id', '=', shop.connection.id)
    .executeTakeFirstOrThrow();
  expect(payload).toContain('grace@example.com');
  expect(payload).not.toMatch(/Secret|Grace|192\.0/);
});

test('orders that were lost are found within ten minutes', async () => {
  const shop = await ShopifyMerchant.open();
  await findLostEvents(service.services);
  for (let i = 0; i < 12; i += 1) shop.sell({ items: [{ price: '1.00' }], total: '1.00' });
  service.clock.advance(6, 'minutes');
  await findLostEvents(service.services);
  expect((await shop.rows()).sales).toHaveLength(12);
});
