/** Payments through Wise's API, against a double of it: what only Wise does. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseRows, loggedBy } from '../../support/dump.ts';
import type { Fields } from '../../support/http.ts';
import { declaredIn } from '../../support/published-types.ts';
import { answered } from '../../support/rest.ts';
import type { WiseServer } from '../../support/wise-server/wise-server.ts';
import { discrepancies, type Payee } from '../program.ts';
import { RailMerchant, type RailService, startWiseService } from './merchant.ts';

let at: RailService<WiseServer>;
let merchant: RailMerchant<WiseServer>;
let ada: Payee;

beforeAll(async () => {
  at = await startWiseService();
});
afterAll(() => at.stop());
beforeEach(async () => {
  merchant = await RailMerchant.open(at);
  ada = await merchant.payee('ada');
});

const attempt = async (of = ada) => (await merchant.attempts(of))[0]!;
const keyOf = async (of = ada) => String((await attempt(of))['id']);
const transferOf = async (of = ada) => merchant.app.transferOf(await keyOf(of));
const recipientOf = async (of = ada) => merchant.app.recipients.get((await transferOf(of)).targetAccount)!;
const addMethod = async (of: Payee, kind: string, address: Record<string, string>) =>
  merchant.account.api.post('/payout_methods', { affiliate_id: of.program.affiliate.id, kind, address });

const IBAN = { account_holder: 'Ada King', holder_type: 'person', iban: 'DE89 3704 0044 0532 0130 00' };
const ABA = {
  account_holder: 'Ada King Inc',
  holder_type: 'company',
  routing_number: '021000021',
  account_number: '123456789',
  account_type: 'checking',
  street: '1 Main Street',
  town: 'New York',
  postcode: '10001',
  state: 'ny',
  country: 'US',
};
const SORT_CODE = { account_holder: 'Ada King', holder_type: 'person', sort_code: '04-00-75', account_number: '37778842' };

it('no account of an affiliate is stored readably, written to the log or told in an event', async () => {
  await addMethod(ada, 'wise_iban', IBAN);
  await addMethod(ada, 'wise_aba', { ...ABA, account_number: '887766554433' });
  await addMethod(ada, 'wise_sort_code', SORT_CODE);
  await merchant.pay();
  await merchant.later(4, 'days');
  const bob = await merchant.payee('bob');
  await addMethod(bob, 'wise_aba', { ...ABA, account_number: '887766554433' });
  merchant.app.fates.push({ status: 422, name: 'NOT_VALID', message: 'The account 887766554433 is closed.' });
  await merchant.later(4, 'days');
  await merchant.pay();
  const kept = `${await databaseRows(at.service)}\n${loggedBy(at.service)}`;
  expect(kept).toContain(await keyOf());
  for (const planted of ['370400440532013000', '887766554433', '37778842', 'ada@pay.example', merchant.app.credentials.api_token])
    expect({ planted, isKept: kept.includes(planted) }).toEqual({ planted, isKept: false });
});

it('the fees of all payments are asked for while they wait to be sent, within the limit of calls, and nothing is sent by that', async () => {
  const method = at.service.services.payoutMethods.find((each) => each.kind === 'wise' && 'send' in each)!;
  for (let number = 1; number < 58; number += 1) await merchant.payee(`bob${number}`);
  const { id, unquoted_count } = await merchant.prepare();
  expect(unquoted_count).toBe(8);
  method.limits.quotesPerMinute = 5;
  try {
    await merchant.advance();
    expect(await merchant.batch(id)).toMatchObject({ unquoted_count: 3, state: 'prepared' });
    await merchant.later(1, 'minutes');
    expect(await merchant.batch(id)).toMatchObject({ unquoted_count: 0, state: 'prepared', fees: [{ quoted_cents: 58 * 50 }] });
    expect(merchant.app.posts).toEqual([]);
  } finally {
    method.limits.quotesPerMinute = 300;
  }
});

it('no more fees are asked for while Wise asks to wait', async () => {
  await merchant.payee('bob');
  const answer = (status: number) => (response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '90' });
    response.end('{}');
  };
  at.double.troubles.push(answer(503), answer(503), answer(503));
  const { id, unquoted_count } = await merchant.prepare();
  expect(unquoted_count).toBe(2);
  at.double.troubles.splice(0, at.double.troubles.length, answer(429));
  const before = at.double.requests.length;
  await merchant.advance();
  await merchant.later(1, 'minutes');
  expect(at.double.requests).toHaveLength(before + 1);
  await merchant.later(1, 'minutes');
  expect(at.double.requests).toHaveLength(before + 2);
  await merchant.later(6, 'minutes');
  expect(await merchant.batch(id)).toMatchObject({ unquoted_count: 0 });
});

describe('the receiver', () => {
  it('is asked by Wise for an account if only an email address is known', async () => {
    await merchant.pay();
    expect(await recipientOf()).toMatchObject({ type: 'email', currency: 'USD', details: { email: 'ada@pay.example' } });
    expect((await recipientOf()).name).toEqual({ fullName: 'ada King' });
  });

  it.each([
    ['EUR', 'wise_iban', IBAN, 'iban', { legalType: 'PRIVATE', IBAN: 'DE89370400440532013000' }],
    [
      'USD',
      'wise_aba',
      ABA,
      'aba',
      {
        legalType: 'BUSINESS',
        abartn: '021000021',
        accountNumber: '123456789',
        accountType: 'CHECKING',
        address: { country: 'US', city: 'New York', postCode: '10001', firstLine: '1 Main Street', state: 'NY' },
      },
    ],
    ['GBP', 'wise_sort_code', SORT_CODE, 'sort_code', { legalType: 'PRIVATE', sortCode: '040075', accountNumber: '37778842' }],
  ])('of %s has an account of its own form, sealed and shown in part', async (currency, kind, address, type, details) => {
    const bob = await merchant.payee('bob', { currency });
    expect((await addMethod(bob, kind, address)).status).toBe(201);
    at.service.clock.advance(30, 'days');
    await merchant.pay();
    expect(await recipientOf(bob)).toMatchObject({ type, currency, details });
    const hint = String((await merchant.account.api.get<{ data: Fields[] }>('/payout_methods', { kind })).body.data[0]!['hint']);
    const owed = await merchant.account.api.get(`/affiliates/${bob.program.affiliate.id}`, { expand: 'outlook' });
    expect(JSON.stringify(owed.body['outlook'])).toContain(hint);
    const { body } = await merchant.account.api.get('/payout_methods', { kind });
    const number = Object.values(details).find((value) => typeof value === 'string' && /\d{8}/.test(value))!;
    expect(JSON.stringify(body)).not.toContain(number);
    const { rows } = { rows: await at.service.services.database.kysely.selectFrom('payout_method').selectAll().execute() };
    expect(JSON.stringify(rows)).not.toContain(number);
    expect(JSON.stringify(at.service.log.lines)).not.toContain(number);
  });

  it.each([
    ['wise_iban', { ...IBAN, iban: 'DE88370400440532013000' }, 'address.iban'],
    ['wise_aba', { ...ABA, routing_number: '021000022' }, 'address.routing_number'],
    ['wise_sort_code', { ...SORT_CODE, sort_code: '0400' }, 'address.sort_code'],
    ['wise_sort_code', { ...SORT_CODE, account_number: '1' }, 'address.account_number'],
    ['wise_iban', { ...IBAN, account_holder: '北京' }, 'address.account_holder'],
  ])('with a mistake in %s is refused', async (kind, address, path) => {
    expect(await addMethod(ada, kind, address)).toMatchObject({ status: 422, body: { details: [{ path }] } });
  });

  it('whose account no bank has fails, and no number is told', async () => {
    const bob = await merchant.payee('bob', { currency: 'GBP' });
    await addMethod(bob, 'wise_sort_code', { ...SORT_CODE, account_number: '12340000' });
    at.service.clock.advance(30, 'days');
    await merchant.pay({ affiliate_ids: [bob.program.affiliate.id] });
    expect(await attempt(bob)).toMatchObject({ state: 'failed', raw_state: 'NOT_VALID', reason: 'Unknown account ….' });
    expect(merchant.app.posts).toEqual([]);
    expect(await merchant.payout(bob)).toMatchObject({ state: 'due' });
  });

  it('without a name of two parts is left out', async () => {
    await merchant.payee('bob', { person: { last_name: null } });
    const preview = await merchant.prepare({ dry_run: true });
    expect(preview).toMatchObject({ payouts_count: 1, left_out: [{ code: 'unsupported_address' }] });
  });
});

describe('money', () => {
  it('is taken from another balance at a rate, which is a fact of the attempt', async () => {
    await merchant.settings('DELETE', `payout_rails/${merchant.railId}`);
    await merchant.connect({ ...merchant.app.credentials, source_currency: 'EUR' });
    expect(await merchant.prepare({ dry_run: true })).toMatchObject({
      fees: [{ currency: 'EUR', quoted_cents: 50 }],
      funds: [{ currency: 'EUR', needed_cents: 1_300, available_cents: 0 }],
    });
    await merchant.pay();
    merchant.app.process();
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({
      state: 'arrived',
      quoted_fee_cents: 50,
      fee_cents: 50,
      fee_currency: 'EUR',
      debited_cents: 1_300,
      debited_currency: 'EUR',
      credited_cents: 1_000,
      credited_currency: 'USD',
      exchange_rate: '0.8',
    });
  });

  it.each([
    ['JPY', 150_000, 15_000],
    ['HUF', 1_000_000, 1_000],
    ['ISK', 100_000, 10_000],
    ['EUR', 12_340, 12.34],
  ])('in %s is written as Wise takes it', async (currency, amount_cents, targetAmount) => {
    const bob = await merchant.payee('bob', { currency, amount_cents });
    await merchant.pay({ affiliate_ids: [bob.program.affiliate.id] });
    expect(merchant.app.quotes.get((await transferOf(bob)).quoteUuid)).toMatchObject({ targetCurrency: currency, targetAmount });
    merchant.app.process();
    await merchant.later(6, 'minutes');
    expect(await attempt(bob)).toMatchObject({ state: 'arrived', debited_currency: currency });
  });

  it('that a token may not pay in waits for a person, with the fee of that way', async () => {
    merchant.app.isFundedByHand = true;
    await merchant.pay();
    expect(await attempt()).toMatchObject({ state: 'sent', raw_state: 'incoming_payment_waiting' });
    await merchant.later(3, 'days');
    expect(await merchant.payout(ada)).toMatchObject({ state: 'processing' });
    merchant.app.payIn();
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({ state: 'in_transit', fee_cents: 75, debited_cents: 1_075 });
    merchant.app.process();
    await merchant.later(6, 'minutes');
    expect(await merchant.payout(ada)).toMatchObject({ state: 'paid' });
  });

  it('that nobody pays in in two weeks opens the payout', async () => {
    merchant.app.isFundedByHand = true;
    await merchant.pay();
    merchant.app.turn(await keyOf(), 'failed');
    await merchant.later(15, 'days');
    expect(await attempt()).toMatchObject({ state: 'failed', raw_state: 'cancelled' });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'due' });
  });

  it('that Wise does not take leaves no transfer that somebody could pay in later', async () => {
    merchant.app.fundingFates = ['reject'];
    await merchant.pay();
    expect((await transferOf()).status).toBe('cancelled');
    expect(await attempt()).toMatchObject({ state: 'failed', raw_state: 'transfer.rejected' });
    await merchant.attemptTo('retry', await keyOf());
    await merchant.advance();
    merchant.app.payIn();
    merchant.app.process();
    await merchant.later(6, 'minutes');
    expect(merchant.app.made.map(({ stage }) => stage).toSorted()).toEqual(['arrived', 'failed']);
    expect(await discrepancies(merchant.account)).toEqual([]);
  });

  it.each(['lose the answer', 'lose the request', 'html', 'straggle'] as const)('is paid in once (%s)', async (fate) => {
    merchant.app.fundingFates = [fate];
    await merchant.pay();
    expect(await attempt()).toMatchObject({ state: 'unknown', reason: 'no_answer' });
    await merchant.later(6, 'minutes');
    merchant.app.arrive();
    merchant.app.process();
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({ state: 'arrived' });
    expect(merchant.app.payments.size).toBe(1);
    expect(merchant.app.made).toHaveLength(1);
  });

  it('of a transfer whose answer was lost is paid in, although a notice has told its ID', async () => {
    merchant.app.fates = ['lose the answer'];
    await merchant.pay();
    expect(await transferOf()).toMatchObject({ status: 'incoming_payment_waiting' });
    await merchant.deliver(merchant.app.notice(await keyOf()));
    await merchant.advance();
    expect(await attempt()).toMatchObject({ state: 'in_transit', provider_item_id: String((await transferOf()).id) });
  });

  it.each(['failed', 'arrived'])(
    'keeps the word of a person (%s) when a late notice tells that it waits to be paid in',
    async (outcome) => {
      merchant.app.fates = ['lose the answer'];
      await merchant.pay();
      const isDown = (response: ServerResponse) => void response.writeHead(503).end();
      at.double.troubles.push(...Array.from({ length: 10 }, () => isDown));
      await merchant.later(15, 'days');
      expect(await attempt()).toMatchObject({ state: 'unknown', reason: 'key_expired', provider_item_id: null });
      at.double.troubles.splice(0);
      await merchant.attemptTo('decide', await keyOf(), { outcome, reason: 'Looked up at Wise.' });
      await merchant.deliver(merchant.app.notice(await keyOf()));
      await merchant.advance();
      expect(await attempt()).toMatchObject({ state: outcome, provider_item_id: String((await transferOf()).id) });
      expect(await merchant.payout(ada)).toMatchObject({ state: outcome === 'failed' ? 'due' : 'paid' });
      expect((await discrepancies(merchant.account)).map(({ code }) => code)).toEqual(outcome === 'failed' ? ['paid_twice'] : []);
    },
  );

  it('that comes back after its arrival, with less, is told by a notice', async () => {
    await merchant.pay();
    merchant.app.process();
    await merchant.later(6, 'minutes');
    merchant.app.turn(await keyOf(), 'returned');
    const refund = { refund_amount: 9.2, refund_currency: 'USD' };
    await merchant.deliver(merchant.app.notice(await keyOf(), 'transfers#refund', refund));
    await merchant.advance();
    expect(await attempt()).toMatchObject({ state: 'returned', returned_cents: 920, raw_state: 'funds_refunded' });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'returned' });
    expect(await discrepancies(merchant.account)).toEqual([]);
  });
});

describe('a notice of Wise', () => {
  it('of another profile is refused although Wise has signed it, without a request', async () => {
    await merchant.pay();
    const other = at.double.addAccount();
    const body = merchant.app.notice(await keyOf()).body.replace(String(merchant.app.id), String(other.id));
    const requests = at.double.requests.length;
    expect((await merchant.deliver(at.double.sign(body))).status).toBe(400);
    expect(at.double.requests).toHaveLength(requests);
  });

  it('that tests the address, or is about a transfer of the merchant, is taken without an alarm', async () => {
    await merchant.pay();
    const { body } = merchant.app.notice(await keyOf());
    const test = at.double.sign(body.replace('state-change', 'state-change '), { 'x-test-notification': 'true' });
    expect(await merchant.deliver(test)).toMatchObject({ status: 200, body: { outcome: 'unknown' } });
    (await transferOf()).customerTransactionId = crypto.randomUUID();
    expect(await merchant.deliver(at.double.sign(body))).toMatchObject({ status: 200, body: { outcome: 'unknown' } });
    expect(at.service.log.lines.filter(({ message }) => message.startsWith('a notice of a payment'))).toEqual([]);
  });
});

it('the profile is chosen if the token has several, and the endpoints are made and removed', async () => {
  expect(merchant.app.subscriptions.map(({ trigger_on }) => trigger_on).toSorted()).toEqual([
    'transfers#payout-failure',
    'transfers#refund',
    'transfers#state-change',
  ]);
  const { body } = await merchant.settings('GET', 'payout_rails');
  expect(body).toMatchObject({ data: [{ provider_account_id: String(merchant.app.id), livemode: true }] });
  const wrong = await merchant.connect({ ...merchant.app.credentials, profile_id: '1' });
  expect(wrong).toMatchObject({ status: 422, body: { details: [{ path: 'credentials', code: 'not_accepted' }] } });
  expect((await merchant.connect({ ...merchant.app.credentials, source_currency: 'euro' })).status).toBe(422);
  answered(204, await merchant.settings('DELETE', `payout_rails/${merchant.railId}`));
  await expect.poll(() => merchant.app.subscriptions).toEqual([]);
});

it('the accounts are offered only where Wise is connected', async () => {
  const kinds = async () =>
    (await merchant.account.api.get<{ data: { kind: string }[] }>('/payout_methods/kinds')).body.data.map(({ kind }) => kind);
  expect(await kinds()).toEqual(expect.arrayContaining(['wise', 'wise_iban', 'wise_aba', 'wise_sort_code']));
  await merchant.settings('DELETE', `payout_rails/${merchant.railId}`);
  expect((await kinds()).filter((kind) => kind.startsWith('wise'))).toEqual(['wise']);
});

it('the objects of the double have the published fields', async () => {
  await merchant.pay();
  const differences = declaredIn(['test/support/wise-server/published.ts']);
  const { transfers, quotes, recipients, payments, subscriptions } = merchant.app;
  for (const [type, objects] of Object.entries({
    Transfer: transfers,
    Quote: [...quotes.values()],
    Recipient: [...recipients.values()],
    Payment: [...payments.values()].flat(),
    Subscription: subscriptions,
  })) {
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.flatMap((object) => differences(type, object))).toEqual([]);
  }
  expect(differences('Transfer', { ...transfers[0], id: 'x', status: undefined })).toHaveLength(2);
});
