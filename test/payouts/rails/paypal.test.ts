/** Payments through PayPal's Payouts API, against a double of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fields } from '../../support/http.ts';
import { batch as newBatch } from '../../support/paypal-server/objects.ts';
import type { PayPalServer } from '../../support/paypal-server/paypal-server.ts';
import { publishedBy } from '../../support/published-types.ts';
import { discrepancies, type Payee } from '../program.ts';
import { RailMerchant, type RailService, startPayPalService } from './merchant.ts';

let at: RailService<PayPalServer>;
let paypal: PayPalServer;
let merchant: RailMerchant<PayPalServer>;
let ada: Payee;

beforeAll(async () => {
  at = await startPayPalService();
  paypal = at.double;
});
afterAll(() => at.stop());
beforeEach(async () => {
  merchant = await RailMerchant.open(at);
  ada = await merchant.payee('ada@pay.example');
});

const attempt = async () => (await merchant.attempts(ada))[0]!;
const keyOf = async () => String((await attempt())['id']);
const itemOf = async () => merchant.app.itemOf(await keyOf());

describe('a payment', () => {
  it('is sent with its key, read until it has arrived, and shows fee, rate and receiver', async () => {
    await merchant.pay();
    const key = await keyOf();
    expect(JSON.parse(merchant.app.bodies[0]!)).toMatchObject({
      sender_batch_header: { sender_batch_id: key },
      items: [{ receiver: 'ada@pay.example', amount: { currency: 'USD', value: '10.00' }, sender_item_id: key }],
    });
    const { payout_batch_id } = merchant.app.batches[0]!.header;
    const sent = { state: 'sent', raw_state: 'PENDING', provider_batch_id: payout_batch_id, provider_item_id: null };
    expect(await attempt()).toMatchObject({ ...sent, rail_id: merchant.railId });
    // PayPal has not looked at the batch yet, so its list is empty. That is no proof of anything.
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject(sent);
    paypal.process(merchant.app, 'PENDING');
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({ state: 'in_transit', raw_state: 'PENDING' });
    const item = await itemOf();
    item.currency_conversion = {
      from_amount: { currency: 'USD', value: '10.20' },
      to_amount: { currency: 'EUR', value: '9.05' },
      exchange_rate: '0.8873',
    };
    paypal.turn(item, 'SUCCESS');
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({
      state: 'arrived',
      raw_state: 'SUCCESS',
      provider_item_id: item.payout_item_id,
      fee_cents: 20,
      fee_currency: 'USD',
      debited_cents: 1_020,
      debited_currency: 'USD',
      credited_cents: 905,
      credited_currency: 'EUR',
      exchange_rate: '0.8873',
      receiver_name: 'Ada King',
    });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'paid' });
    expect(merchant.app.posts).toHaveLength(1);
    expect(await discrepancies(merchant.account)).toEqual([]);
  });

  it('that nobody could ask about comes back by the id that a person found at PayPal', async () => {
    merchant.app.fates = ['lose the answer', ...Array.from({ length: 1_000 }, () => 'lose the request' as const)];
    await merchant.pay();
    for (let day = 0; day < 31; day += 1) await merchant.later(1, 'days');
    expect(await attempt()).toMatchObject({ state: 'unknown', reason: 'key_expired', provider_batch_id: null });
    paypal.process(merchant.app);
    const item = await itemOf();
    const known = { provider_item_id: item.payout_item_id };
    await merchant.attemptTo('decide', await keyOf(), { outcome: 'arrived', reason: 'Seen at PayPal.', ...known });
    await merchant.advance();
    expect(await attempt()).toMatchObject({ state: 'arrived', raw_state: 'SUCCESS', fee_cents: 20 });
    paypal.turn(item, 'REVERSED');
    await merchant.later(1, 'days');
    expect(await attempt()).toMatchObject({ state: 'returned', returned_cents: 1_000 });
    expect(await discrepancies(merchant.account)).toEqual([]);
  });

  it('that was called failed and made after all is not made again', async () => {
    merchant.app.fates = ['lose the answer', ...Array.from({ length: 1_000 }, () => 'lose the request' as const)];
    await merchant.pay();
    for (let day = 0; day < 31; day += 1) await merchant.later(1, 'days');
    paypal.process(merchant.app);
    const known = { provider_item_id: (await itemOf()).payout_item_id };
    await merchant.attemptTo('decide', await keyOf(), { outcome: 'failed', reason: 'Not seen.', ...known });
    await merchant.advance();
    expect(await attempt()).toMatchObject({ state: 'failed', reason: 'arrived_after_all' });
    merchant.app.fates = [];
    expect(await merchant.attemptTo('retry', await keyOf())).toMatchObject({
      status: 422,
      body: { details: [{ path: 'id', code: 'invalid_state' }] },
    });
    expect((await discrepancies(merchant.account)).map(({ code }) => code)).toEqual(['paid_twice']);
  });
});

describe('an unclaimed payment', () => {
  beforeEach(async () => {
    await merchant.pay();
    paypal.process(merchant.app, 'UNCLAIMED');
    await merchant.later(6, 'minutes');
  });

  it('is under way for 30 days, and arrives when it is claimed', async () => {
    const { expires_at } = await attempt();
    expect(Date.parse(String(expires_at)) - at.service.clock.now().getTime()).toBeGreaterThan(29 * 86_400_000);
    await merchant.later(20, 'days');
    expect(await attempt()).toMatchObject({ state: 'unclaimed', receiver_name: null });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'processing' });
    paypal.turn(await itemOf(), 'SUCCESS');
    await merchant.later(2, 'hours');
    expect(await attempt()).toMatchObject({ state: 'arrived', expires_at: null, receiver_name: 'Ada King' });
  });

  it('comes back after 30 days, and its payout is open again', async () => {
    paypal.turn(await itemOf(), 'RETURNED', ['RECEIVER_UNREGISTERED', 'Receiver is unregistered.']);
    await merchant.later(31, 'days');
    expect(await attempt()).toMatchObject({
      state: 'returned',
      returned_cents: 1_000,
      reason: 'RECEIVER_UNREGISTERED: Receiver is unregistered.',
    });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'due' });
    expect(await discrepancies(merchant.account)).toEqual([]);
  });
});

it.each([
  ['FAILED', 'failed', 'due'],
  ['BLOCKED', 'failed', 'due'],
  ['ONHOLD', 'in_transit', 'processing'],
  ['REFUNDED', 'returned', 'due'],
  ['REVERSED', 'returned', 'due'],
] as const)('PayPal’s %s means %s', async (raw, state, payout) => {
  await merchant.pay();
  paypal.process(merchant.app, raw);
  await merchant.later(6, 'minutes');
  expect(await attempt()).toMatchObject({ state, raw_state: raw });
  expect(await merchant.payout(ada)).toMatchObject({ state: payout });
});

it('of several payments each has its own end', async () => {
  const bob = await merchant.payee('bob@pay.example', { amount_cents: 20_000 });
  const { id } = await merchant.pay();
  paypal.process(merchant.app);
  paypal.turn(merchant.app.itemOf(String((await merchant.attempts(bob))[0]!['id'])), 'FAILED', [
    'RECEIVER_ACCOUNT_LOCKED',
    'Locked.',
  ]);
  await merchant.later(6, 'minutes');
  expect(await merchant.batch(id)).toMatchObject({
    state: 'partly_paid',
    totals: [{ arrived_cents: 1_000, ended_cents: 2_000 }],
    fees: [{ currency: 'USD', charged_cents: 60 }],
    attempts: [{ state: 'arrived' }, { state: 'failed', reason: 'RECEIVER_ACCOUNT_LOCKED: Locked.' }],
  });
  expect(await merchant.payout(bob)).toMatchObject({ state: 'due' });
});

describe('the account at PayPal', () => {
  it('whose balance lacks the fee pays nothing, and nothing more is sent until a person resumes', async () => {
    merchant.app.balance = new Map([['USD', 1_000]]);
    await merchant.pay();
    paypal.process(merchant.app);
    const bob = await merchant.payee('bob@pay.example');
    await merchant.prepare();
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({ state: 'failed', raw_state: 'DENIED', reason: /INSUFFICIENT_FUNDS/ });
    const { body: rail } = await merchant.settings('GET', `payout_rails/${merchant.railId}`);
    expect(rail).toMatchObject({ problem: 'INSUFFICIENT_FUNDS: Sender does not have sufficient funds.' });
    const { id } = (await merchant.attempts(bob))[0]!;
    await merchant.act((await merchant.attempts(bob))[0]!['batch_id'], 'send');
    await merchant.later(6, 'minutes');
    expect((await merchant.attempts(bob))[0]).toMatchObject({ id, state: 'prepared' });
    expect(merchant.app.posts).toHaveLength(1);
    merchant.app.balance = new Map([['USD', 10_000]]);
    const resumed = await merchant.settings('POST', `payout_rails/${merchant.railId}/resume`);
    expect(resumed).toMatchObject({ status: 200, body: { problem: null } });
    await merchant.later(6, 'minutes');
    paypal.process(merchant.app);
    await merchant.later(6, 'minutes');
    expect((await merchant.attempts(bob))[0]).toMatchObject({ id, state: 'arrived' });
    // The one that was denied is asked again under a new key.
    await merchant.attemptTo('retry', await keyOf());
    await merchant.advance();
    expect(await attempt()).toMatchObject({ state: 'sent', key_generation: 2 });
  });

  it('gets another token when its token has ended', async () => {
    merchant.app.tokens.clear();
    await merchant.pay();
    expect(await attempt()).toMatchObject({ state: 'sent' });
    expect(paypal.requests.filter((request) => request.endsWith('/oauth2/token')).length).toBeGreaterThan(1);
  });

  it('is connected by one paste, with its notices, and shows no secret', async () => {
    const { body } = await merchant.settings('GET', 'payout_rails');
    const { data } = body as { data: object[] };
    expect(data).toMatchObject([{ id: merchant.railId, provider_account_id: merchant.app.client_id, has_endpoint: true }]);
    expect(JSON.stringify(body)).not.toContain(merchant.app.client_secret);
    expect(merchant.app.endpoints).toMatchObject([
      { url: expect.stringContaining(`/rails/${merchant.railId}/events`) as string },
    ]);
    const kinds = await merchant.settings('GET', 'payout_rails/kinds');
    const { data: offered } = kinds.body as { data: { kind: string }[] };
    expect(offered.filter(({ kind }) => kind === 'paypal')).toMatchObject([
      {
        name: 'PayPal',
        sends: true,
        fields: [
          { name: 'client_id', secret: false, required: true },
          { name: 'client_secret', secret: true, required: true },
        ],
      },
    ]);
    const { rows } = await at.service.services.database.kysely
      .selectFrom('payout_rail')
      .selectAll()
      .where('id', '=', merchant.railId)
      .execute()
      .then((found) => ({ rows: found }));
    expect(JSON.stringify(rows)).not.toContain(merchant.app.client_secret);
    const entries = await merchant.account.client.auditLog.browse.query({ tool: 'payout_rails' });
    expect(JSON.stringify(entries)).not.toContain(merchant.app.client_secret);
    expect(entries.data).toMatchObject([{ action: 'create' }]);
  });
});

describe('a notice of PayPal', () => {
  beforeEach(() => merchant.pay());

  it('is refused if it is forged, of another app, or signed with another host’s certificate', async () => {
    const key = await keyOf();
    const good = paypal.notice(merchant.app, key);
    const forged = { ...good, body: good.body.replace('SUCCEEDED', 'RETURNED') };
    const elsewhere = paypal.sign(merchant.app, good.body, 'https://evil.example/cert');
    const requests = paypal.requests.length;
    for (const bad of [elsewhere, { body: good.body, headers: {} }, { ...good, body: 'not json' }])
      expect(await merchant.deliver(bad)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } });
    expect(paypal.requests).toHaveLength(requests);
    expect((await merchant.deliver(forged)).status).toBe(400);
    const other = await RailMerchant.open(at);
    expect((await merchant.deliver(good, other.railId)).status).toBe(400);
    expect((await merchant.deliver(good, 'rail_unknown')).status).toBe(400);
    expect(await attempt()).toMatchObject({ state: 'sent' });
  });

  it('of a payment that was not sent is kept, and reported', async () => {
    const stranger = paypal.notice(merchant.app, await keyOf()).body.replaceAll(await keyOf(), 'patt_unknown');
    expect(await merchant.deliver(paypal.sign(merchant.app, stranger))).toMatchObject({ body: { outcome: 'unknown' } });
    expect(at.service.log.lines.some(({ message }) => message === 'a notice of a payment that was not sent')).toBe(true);
  });
});

it.each([
  ['JPY', 150_000, '15000'],
  ['HUF', 1_000_000, '1000'],
  ['HUF', 1_234_500, '1234'],
  ['EUR', 12_340, '12.34'],
])('an amount in %s is written as PayPal takes it', async (currency, amount_cents, value) => {
  const cai = await merchant.payee('cai@pay.example', { currency, amount_cents });
  await merchant.pay({ affiliate_ids: [cai.program.affiliate.id] });
  expect(JSON.parse(merchant.app.bodies[0]!)).toMatchObject({ items: [{ amount: { currency, value } }] });
  paypal.process(merchant.app);
  await merchant.later(6, 'minutes');
  expect((await merchant.attempts(cai))[0]).toMatchObject({ state: 'arrived' });
});

it('retries a failed payment in whole units, and carries the fraction over again', async () => {
  const cai = await merchant.payee('cai@pay.example', { currency: 'HUF', amount_cents: 1_234_550 });
  await merchant.pay({ affiliate_ids: [cai.program.affiliate.id] });
  paypal.process(merchant.app, 'FAILED');
  await merchant.later(6, 'minutes');
  const [failed] = await merchant.attempts(cai);
  expect(failed).toMatchObject({ state: 'failed', amount_cents: 123_400 });
  const retried = await merchant.attemptTo('retry', failed!['id']);
  expect(retried).toMatchObject({ status: 200, body: { amount_cents: 123_400, key_generation: 2 } });
  await merchant.advance();
  paypal.process(merchant.app);
  await merchant.later(6, 'minutes');
  expect((await merchant.attempts(cai))[0]).toMatchObject({ state: 'arrived', amount_cents: 123_400 });
  const { data } = (await merchant.account.api.get<{ data: Fields[] }>('/payouts', { currency: 'HUF', state: 'due' })).body;
  expect(data.map(({ amount_cents }) => amount_cents)).toEqual([55]);
  expect(await discrepancies(merchant.account)).toEqual([]);
});

it('leaves out who cannot be paid, with the reason', async () => {
  await merchant.payee('bob@pay.example', { currency: 'KWD' });
  await merchant.payee('bob@pay.example', { currency: 'HUF', amount_cents: 500 });
  await merchant.payee(`${'j'.repeat(60)}@${'pay.'.repeat(20)}example`);
  const preview = await merchant.prepare({ dry_run: true });
  expect(preview).toMatchObject({ payouts_count: 1, unquoted_count: 1, left_out_count: 3 });
  const codes = (preview['left_out'] as { code: string }[]).map(({ code }) => code);
  expect(codes.toSorted()).toEqual(['fractional_amount', 'unsupported_address', 'unsupported_currency']);
});

it('the objects of the double have the published types', () => {
  const differences = publishedBy('@types/paypal__payouts-sdk', ['index.d.ts']);
  const request = {
    sender_batch_header: { sender_batch_id: 'key' },
    items: [{ amount: { currency: 'USD', value: '1.00' }, receiver: 'ada@pay.example', sender_item_id: 'key' }],
  };
  const made = newBatch(request, '2026-11-29T00:00:00Z');
  expect([...differences('PayoutHeader', made.header), ...differences('PayoutBatchHeader', made.header)]).toEqual([]);
  expect(differences('PayoutBatchItems', made.items[0])).toEqual([]);
  expect(differences('CreatePayoutRequestBody', request)).toEqual([]);
  expect(differences('PayoutBatchItems', { ...made.items[0]!, payout_item_id: 7, transaction_status: 'GONE' })).toHaveLength(2);
});
