import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { retryPspEvents } from '@affiliate/core';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { type Fields, send } from '../support/http.ts';
import { type Program, program } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';

const service = useService();
const account = useAccount(service);
let friends: Program;
let shop: Connected;

interface Connected {
  id: string;
  events_url: string;
  signing_secret: string;
}

const PATH = '/api/settings/v1/connections';

beforeEach(async () => {
  friends = await program(account, { commission_percent: 20 });
  shop = await connect();
});

async function connect(more: Fields = {}): Promise<Connected> {
  const { status, body } = await account.api.send<Connected>('POST', PATH, { body: { source: 'facts', ...more } });
  expect(status).toBe(201);
  return body;
}

/** Signs and sends a body, as the libraries of Standard Webhooks sign, and applies the facts. */
async function tell(
  told: unknown,
  { to = shop, secret, id = 'msg_1', seconds = 0 }: { to?: Connected; secret?: string; id?: string; seconds?: number } = {},
) {
  const body = typeof told === 'string' ? told : JSON.stringify(told);
  const at = new Date(service.clock.now().getTime() + seconds * 1_000);
  const reply = await post(body, { id, at, signature: new Webhook(secret ?? to.signing_secret).sign(id, at, body) }, to);
  await retryPspEvents(service.services);
  return reply;
}

function post(body: string, { id = 'msg_1', at = service.clock.now(), signature = '' }, to = shop) {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const headers = { 'Webhook-Id': id, 'Webhook-Timestamp': timestamp, 'Webhook-Signature': signature };
  return send<Fields & { facts: { id: string; type: string; outcome: string }[] }>(
    `${service.url}/sources/${to.id}/events`,
    'POST',
    {
      raw: body,
      headers: { 'Content-Type': 'application/json', ...headers },
    },
  );
}

const now = () => service.clock.instant();

function payment(more: Fields = {}, version = 1): Fields {
  const data = {
    names: ['order:1001'],
    version,
    live: true,
    charged: { amount: 12_000, tax: 2_000, currency: 'EUR', at: now() },
    payer: { ids: ['7'], external_id: 'u-7', email: 'grace@example.com' },
    references: [{ value: friends.link.token, at: now() }],
    ...more,
  };
  return { type: 'payment.seen', timestamp: now(), data };
}

const outcomes = ({ body }: Awaited<ReturnType<typeof tell>>) => body.facts.map(({ outcome }) => outcome);
const sales = async () => (await account.api.get<{ data: Fields[] }>('/sales')).body.data;
const earned = async () => (await account.api.get<{ data: Fields[] }>('/commissions', { expand: 'sale' })).body.data;

describe('a signed fact', () => {
  it('becomes a sale with its commission, refund and dispute, to the cent', async () => {
    const reply = await tell(payment());
    expect([reply.status, reply.body]).toEqual([
      202,
      {
        facts: [{ id: expect.stringMatching(/^fact_[0-9a-f]{32}$/), type: 'payment.seen', outcome: 'pending' }],
        dry_run: false,
      },
    ]);
    expect(await earned()).toMatchObject([
      { amount_cents: 2_000, currency: 'EUR', sale: { charge_amount_cents: 12_000, tax_amount_cents: 2_000 } },
    ]);
    service.clock.advance(1, 'hours');
    const refunds = [{ id: 'r1', amount: 6_000, tax: 1_000, at: now(), state: 'done' }];
    await tell(payment({ refunds }, 2));
    expect(await earned()).toMatchObject([{ amount_cents: 1_000, sale: { refund_amount_cents: 6_000 } }]);
    const dispute = { id: 'd1', amount: 6_000, at: now() };
    await tell(payment({ refunds, disputes: [{ ...dispute, outcome: 'open' }] }, 3));
    expect(await earned()).toMatchObject([{ amount_cents: 1_000, review_status: 'suspicious', review_reason: 'dispute' }]);
    await tell(payment({ refunds, disputes: [{ ...dispute, outcome: 'won' }] }, 4));
    expect(await earned()).toMatchObject([{ amount_cents: 1_000, review_status: null }]);
    await tell(payment({ refunds: [{ ...refunds[0], state: 'failed', failed_at: now() }] }, 5));
    expect(await earned()).toMatchObject([{ amount_cents: 2_000, sale: { refund_amount_cents: 0 } }]);
  });

  it('changes nothing when it is older, or comes again', async () => {
    const first = payment();
    const refunded = payment({ refunds: [{ id: 'r1', amount: 12_000, tax: 2_000, at: now(), state: 'done' }] }, 2);
    expect(outcomes(await tell(refunded))).toEqual(['pending']);
    expect(outcomes(await tell(first))).toEqual(['pending']);
    expect(outcomes(await tell(refunded, { id: 'msg_2' }))).toEqual(['duplicate']);
    expect(await sales()).toMatchObject([{ charge_amount_cents: 12_000, refund_amount_cents: 12_000 }]);
  });

  it('of two with one version, has the same effect in both orders', async () => {
    const told = [payment(), payment({ charged: { amount: 9_900, currency: 'EUR', at: now() } })];
    const amounts = [];
    for (const order of [told, told.toReversed()]) {
      const to = await connect();
      for (const fact of order) await tell(fact, { to });
      amounts.push((await sales())[0]?.['charge_amount_cents']);
    }
    expect(amounts[1]).toBe(amounts[0]);
  });

  it('finds its payment again by any of its names, and its customer at a renewal', async () => {
    await tell(payment({ names: ['order:1001', 'txn:9'] }));
    await tell(payment({ names: ['txn:9'], charged: { amount: 10_000, currency: 'EUR', at: now() } }, 2));
    expect(await sales()).toMatchObject([{ charge_amount_cents: 10_000 }]);
    service.clock.advance(30, 'days');
    await tell(payment({ names: ['order:1002'], payer: { ids: ['7'] }, references: [] }));
    expect((await earned()).map(({ amount_cents }) => amount_cents)).toEqual([2_000, 2_000]);
  });

  it('knows amounts of currencies without and with three decimals', async () => {
    const charged = (amount: number, currency: string) => ({ amount, tax: 0, currency, at: now() });
    await tell(payment({ names: ['a'], charged: charged(1_001, 'JPY') }));
    await tell(payment({ names: ['b'], charged: charged(12_345, 'KWD') }));
    expect((await earned()).map(({ amount_cents, currency }) => [amount_cents, currency])).toEqual(
      expect.arrayContaining([
        [200, 'JPY'],
        [2_469, 'KWD'],
      ]),
    );
  });

  it('of a test is a test sale, even with the names of a live one', async () => {
    await tell(payment());
    await tell(payment({ live: false, charged: { amount: 100, currency: 'EUR', at: now() } }, 2));
    const rows = (await sales()).map(({ livemode, charge_amount_cents }) => [livemode, charge_amount_cents]);
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        [true, 12_000],
        [false, 100],
      ]),
    );
  });

  it('about a customer tells who sent them before they pay', async () => {
    const told = (version: number, more: Fields) => ({
      type: 'customer.seen',
      timestamp: now(),
      data: { version, live: true, payer: { ids: ['7'], email: 'grace@example.com', ...more } },
    });
    const referred = told(1, {});
    (referred.data as Fields)['references'] = [{ value: friends.link.token, at: now() }];
    expect(outcomes(await tell(referred))).toEqual(['pending']);
    await tell(told(3, { name: 'Grace Hopper' }));
    service.clock.advance(1, 'hours');
    await tell(told(2, { name: 'Old Name' }));
    const { body } = await account.api.get<{ data: Fields[] }>('/customers');
    expect(body.data).toMatchObject([{ email: 'grace@example.com', name: 'Grace Hopper' }]);
    await tell(payment({ payer: { ids: ['7'] }, references: [] }));
    expect(await earned()).toMatchObject([{ amount_cents: 2_000 }]);
  });

  it('about a code lets the code be assigned, whose payments then earn', async () => {
    const code = { code: 'ADA20', version: 1, live: true, active: true };
    expect(outcomes(await tell({ type: 'code.seen', timestamp: now(), data: code }))).toEqual(['pending']);
    const assign = { psp_promotion_code_id: 'code:ada20', dry_run: false };
    const path = `/api/v1/affiliates/${friends.affiliate.id}/promo_codes`;
    const assigned = await account.api.send('POST', path, { body: assign, headers: { 'Idempotency-Key': 'assign' } });
    expect([assigned.status, assigned.text]).toEqual([201, expect.stringContaining('"ADA20"')]);
    await tell(payment({ references: [], codes: [{ code: 'ada20' }] }));
    expect(await earned()).toMatchObject([{ amount_cents: 2_000, sale: { promo_code: 'ADA20' } }]);
    await tell({ type: 'code.seen', timestamp: now(), data: { ...code, version: 2, active: false } });
    const { body } = await account.api.get<{ data: Fields[] }>('/promo_codes');
    expect(body.data).toMatchObject([{ code: 'ADA20', status: 'inactive' }]);
  });
});

describe('a delivery of facts', () => {
  it('has up to 100, which are accepted together', async () => {
    const facts = Array.from({ length: 100 }, (_, i) => payment({ names: [`order:${i}`], payer: { ids: [`${i}`] } }));
    const reply = await tell({ facts });
    expect([reply.status, new Set(outcomes(reply)), new Set(reply.body.facts.map(({ id }) => id)).size]).toEqual([
      202,
      new Set(['pending']),
      100,
    ]);
    expect((await tell({ facts: [...facts, payment()] })).status).toBe(422);
    expect((await account.api.get<{ data: Fields[] }>('/sales', { limit: '100' })).body.data).toHaveLength(100);
  });

  it('with one that is not valid is refused as a whole, with JSON pointers', async () => {
    const wrong = payment({ names: ['b'], charged: { amount: 1.5, tax: -1, currency: 'EURO', at: 'today' }, rate: 50 });
    const reply = await tell({ facts: [payment(), wrong] });
    expect(reply).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
    const details = reply.body['details'] as { path: string }[];
    expect(new Set(details.map(({ path }) => path))).toEqual(
      new Set(['amount', 'tax', 'currency', 'at'].map((field) => `/facts/1/data/charged/${field}`).concat('/facts/1/data/rate')),
    );
    expect(await sales()).toEqual([]);
    expect(await tell({ ...payment(), type: 'sale.seen' })).toMatchObject({
      status: 422,
      body: { details: [{ path: '/type' }] },
    });
    expect(await tell(payment({ description: 'nul \0' }))).toMatchObject({
      status: 422,
      body: { details: [{ path: '/data/description', code: 'invalid_text' }] },
    });
  });

  it('with a fact that comes twice, or at once in several deliveries in any order, counts it once', async () => {
    expect(outcomes(await tell({ facts: [payment(), payment()] }))).toEqual(['pending', 'duplicate']);
    const facts = Array.from({ length: 40 }, (_, i) => payment({ names: [`order:${i}`], payer: { ids: [`${i}`] } }));
    const deliveries = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? facts : facts.toReversed()));
    const replies = await Promise.all(deliveries.map((each) => tell({ facts: each })));
    expect(replies.map(({ status }) => status)).toEqual(deliveries.map(() => 202));
    await retryPspEvents(service.services);
    expect((await account.api.get<{ data: Fields[] }>('/sales', { limit: '100' })).body.data).toHaveLength(41);
  });

  it('of a dry run is checked and not stored', async () => {
    const reply = await tell({ ...payment(), dry_run: true });
    expect([reply.status, outcomes(reply), reply.body['dry_run']]).toEqual([202, ['valid'], true]);
    expect((await tell({ facts: [payment({ version: -1 })], dry_run: true })).status).toBe(422);
    expect(await sales()).toEqual([]);
    expect(outcomes(await tell(payment()))).toEqual(['pending']);
  });

  it('has no effect in a test account if it is live', async () => {
    const sandbox = (method: string, path: string, body?: Fields) =>
      account.api.send<Fields & Connected>(method, path, { headers: { 'X-Livemode': 'false' }, ...(body && { body }) });
    const { body: connected } = await sandbox('POST', PATH, { source: 'facts' });
    expect(connected).toMatchObject({ livemode: false });
    expect(outcomes(await tell(payment(), { to: connected }))).toEqual(['ignored']);
    expect(outcomes(await tell(payment({ live: false, references: [] }), { to: connected }))).toEqual(['pending']);
    expect(await sandbox('GET', `${PATH}/${connected.id}`)).toMatchObject({
      body: { ignored_events: 1, ignored_reasons: [{ reason: expect.stringContaining('mode'), count: 1 }], waiting_events: 0 },
    });
  });
});

describe('a signature', () => {
  test.each<[string, (body: string) => Promise<{ status: number }>]>([
    ['of another secret', (body) => tell(body, { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` })],
    ['of another connection', async (body) => tell(body, { secret: (await connect()).signing_secret })],
    ['that is six minutes old', (body) => tell(body, { seconds: -360 })],
    ['of a time six minutes ahead', (body) => tell(body, { seconds: 360 })],
    ['with a dot in the id', (body) => tell(body, { id: 'msg.1' })],
    ['that is missing', (body) => post(body, {})],
    [
      'with a body that was changed',
      (body) => post(body, { signature: new Webhook(shop.signing_secret).sign('msg_1', service.clock.now(), `${body} `) }),
    ],
  ])('%s is refused', async (_, deliver) => {
    expect(await deliver(JSON.stringify(payment()))).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } });
    expect(await sales()).toEqual([]);
  });

  it('may stand among others', async () => {
    const body = JSON.stringify(payment());
    const right = new Webhook(shop.signing_secret).sign('msg_1', service.clock.now(), body);
    expect(await post(body, { signature: `v1,AAAA v2,x ${right}` })).toMatchObject({ status: 202 });
  });

  it('of a replaced secret counts for a day', async () => {
    const { body } = await account.api.send<Connected>('PATCH', `${PATH}/${shop.id}`, { body: { rotate_signing_secret: true } });
    expect(body.signing_secret).toMatch(/^whsec_/);
    expect((await tell(payment(), { secret: body.signing_secret })).status).toBe(202);
    expect((await tell(payment())).status).toBe(202);
    service.clock.advance(25, 'hours');
    expect((await tell(payment())).status).toBe(400);
    expect((await tell(payment(), { secret: body.signing_secret })).status).toBe(202);
  });

  it('can be made with a private key, whose public key cannot sign', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const whpk = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')}`;
    const to = await connect({ webhook_secret: whpk });
    expect(to).not.toHaveProperty('signing_secret');
    const body = JSON.stringify(payment());
    const content = `msg_1.${Math.floor(service.clock.now().getTime() / 1_000)}.${body}`;
    const bytes = sign(null, Buffer.from(content), privateKey).toString('base64');
    const keyed = (key: string | Buffer) => createHmac('sha256', key).update(content).digest('base64');
    for (const forged of [whpk, Buffer.from(whpk.slice(5), 'base64')])
      expect(await post(body, { signature: `v1,${keyed(forged)} v1a,${keyed(forged)}` }, to)).toMatchObject({ status: 400 });
    expect(await post(body, { signature: `v1,${bytes}` }, to)).toMatchObject({ status: 400 });
    expect(await post(body, { signature: `v1a,${bytes}` }, to)).toMatchObject({ status: 202 });
  });
});

describe('the connection of a server that signs facts', () => {
  it('has an address, and shows its secret once', async () => {
    expect(shop).toMatchObject({ source: 'facts', livemode: true, has_signing_secret: true, last_event_at: null });
    expect(shop.events_url).toBe(`https://affiliates.example.com/sources/${shop.id}/events`);
    await tell(payment());
    const { body } = await account.api.send('GET', `${PATH}/${shop.id}`);
    expect(body).toMatchObject({ last_event_at: now(), ignored_events: 0 });
    expect(body).not.toHaveProperty('signing_secret');
  });

  it('is answered again with the same secret for the same key', async () => {
    const headers = { 'Idempotency-Key': 'connect-once' };
    const connectOnce = () => account.api.send<Connected>('POST', PATH, { body: { source: 'facts' }, headers });
    const first = await connectOnce();
    expect((await connectOnce()).body).toEqual(first.body);
  });

  it('refuses credentials and text that is not a secret', async () => {
    const refused = (body: Fields) => account.api.send('POST', PATH, { body: { source: 'facts', ...body } });
    expect(await refused({ credentials: { key: 'x' } })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'credentials.key' }] },
    });
    expect(await refused({ webhook_secret: 'whsec_dG9vIHNob3J0' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'webhook_secret' }] },
    });
  });

  it('takes bodies of up to 1 MiB, and no compressed ones', async () => {
    expect((await tell('x'.repeat(10_000_000))).status).toBe(413);
    expect((await tell('{"facts":')).status).toBe(400);
  });

  it('may be one of several, whose customers and payments are apart', async () => {
    const other = await connect();
    await tell(payment({ payer: { ids: ['7'] } }));
    await tell(payment({ payer: { ids: ['7'] }, references: [] }), { to: other });
    expect(await sales()).toHaveLength(2);
    expect((await account.api.get<{ data: Fields[] }>('/customers')).body.data).toHaveLength(2);
    expect(await earned()).toHaveLength(1);
  });
});

test('text in references is shown as it is, and earns nothing', async () => {
  const value = '<img src=x onerror=alert(1)>{"commission_percent":99}';
  await tell(payment({ references: [{ value, at: now() }] }));
  expect(await earned()).toEqual([]);
  expect(await sales()).toMatchObject([{ charge_amount_cents: 12_000 }]);
});
