/** Payments that the service sends, by a method that only these tests have. */
import { advancePayoutAttempts } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { Assistant, createConnector } from '../mcp/assistant.ts';
import type { Fields } from '../support/http.ts';
import { useAccount, useService } from '../support/suite.ts';
import { discrepancies, openPayout, payee, type Payee } from './program.ts';
import { ToyRail } from './toy_method/toy-method.ts';

const service = useService();
const account = useAccount(service);
let rail: ToyRail;
let ada: Payee;

beforeEach(async () => {
  rail = new ToyRail();
  service.services.payoutMethods = [...METHODS, rail.method];
  ada = await payee(account, { person: { walleta_email: null, walletb_email: null } });
  await setNumber('100001');
});

const setNumber = (number: string) =>
  account.api.post('/payout_methods', { affiliate_id: ada.program.affiliate.id, kind: 'toy', address: { number } });
const prepare = async () => {
  const reply = await account.api.post('/payout_attempts/prepare', { method: 'toy' });
  expect(reply.status).toBe(200);
  return reply.body;
};
const attemptTo = (action: string, { id }: Fields, body: Fields = {}) =>
  account.api.post(`/payout_attempts/${String(id)}/${action}`, body);
const advance = () => advancePayoutAttempts(service.services);
const later = async (amount: number, unit: 'minutes' | 'hours' | 'days') => {
  service.clock.advance(amount, unit);
  await advance();
};
const payout = async (id = ada.payout.id) => (await account.api.get(`/payouts/${id}`, { expand: 'attempts' })).body;
const attempts = async () => {
  const { body } = await account.api.get<{ data: Fields[] }>('/payout_attempts', { affiliate_id: ada.program.affiliate.id });
  return body.data;
};

it('a payout goes through failed, retried, unknown, arrived and returned', async () => {
  rail.next = 'refuse';
  await prepare();
  await advance();
  expect(await payout()).toMatchObject({
    state: 'due',
    attempts: [{ state: 'failed', method: 'toy', reason: 'The number is closed.' }],
  });

  rail.next = 'lose the answer';
  await prepare();
  await advance();
  expect(await attempts()).toMatchObject([{ state: 'unknown', reason: 'no_answer' }, { state: 'failed' }]);
  expect(await payout()).toMatchObject({ state: 'processing' });
  // Nothing else can pay it.
  expect((await account.api.post(`/payouts/${ada.payout.id}/pay`)).status).toBe(422);
  expect((await account.api.post('/payout_exports', { payout_ids: [ada.payout.id] })).status).toBe(422);
  const again = await account.api.post('/payout_attempts/prepare', { method: 'toy', payout_ids: [ada.payout.id] });
  expect(again).toMatchObject({ status: 422, body: { details: [{ path: 'payout_ids.0', code: 'not_eligible' }] } });

  await later(6, 'minutes');
  expect(await attempts()).toMatchObject([{ state: 'in_transit' }, { state: 'failed' }]);
  expect(new Set(rail.calls.slice(1).map((call) => JSON.stringify(call)))).toHaveProperty('size', 1);
  expect(rail.payments.size).toBe(1);

  rail.turn({ state: 'arrived', raw_state: 'DONE' });
  await later(6, 'minutes');
  expect(await payout()).toMatchObject({ state: 'paid' });
  expect(await discrepancies(account)).toEqual([]);

  rail.turn({ state: 'returned', raw_state: 'BACK', reason: 'The receiver is unknown.', facts: { returned_cents: 900 } });
  await later(21, 'days');
  expect(await payout()).toMatchObject({ state: 'returned', return_reason: 'The receiver is unknown.' });
  expect(await attempts()).toMatchObject([{ state: 'returned', reason: 'The receiver is unknown.' }, { state: 'failed' }]);
  const { id } = await openPayout(account, ada.program.affiliate.id);
  expect(await payout(id)).toMatchObject({ state: 'due', amount_cents: ada.payout.amount_cents });
  expect(await discrepancies(account)).toEqual([]);
});

it('a payment without an answer is not sent again after its key, and nothing else pays it', async () => {
  rail.next = 'lose the request';
  await prepare();
  await advance();
  await later(23, 'hours');
  expect(rail.calls).toHaveLength(1);
  expect(await attempts()).toMatchObject([{ state: 'unknown', reason: 'key_expired' }]);
  expect(await discrepancies(account)).toMatchObject([
    { code: 'open_payment', payout_id: ada.payout.id, message: expect.stringContaining('and decide') as string },
  ]);
  await later(30, 'days');
  expect(rail.calls).toHaveLength(1);
  expect(await payout()).toMatchObject({ state: 'processing' });
});

it('a changed address withdraws a payment that is not sent', async () => {
  await prepare();
  const method = (await account.api.get<{ data: Fields[] }>('/payout_methods', { kind: 'toy' })).body.data[0]!;
  await account.api.patch(`/payout_methods/${String(method['id'])}`, { address: { number: '100002' } });
  await advance();
  expect(rail.calls).toEqual([]);
  expect(await attempts()).toMatchObject([{ state: 'withdrawn', reason: 'payout_details_changed' }]);
  await later(4, 'days');
  await prepare();
  await advance();
  expect(rail.calls).toMatchObject([{ number: '100002' }]);
});

it('a payment is withdrawn when a commission of it is voided before it is sent', async () => {
  await prepare();
  const query = { affiliate_id: ada.program.affiliate.id };
  const { data } = (await account.api.get<{ data: { id: string }[] }>('/commissions', query)).body;
  await account.api.delete(`/commissions/${data[0]!.id}`);
  await advance();
  expect(rail.calls).toEqual([]);
  expect(await attempts()).toMatchObject([{ state: 'withdrawn', reason: 'commission_voided' }]);
});

it('a method names its addresses and its payments, and nothing else has a line about it', async () => {
  const { data } = (await account.api.get<{ data: Fields[] }>('/payout_methods/kinds')).body;
  expect(data.find(({ kind }) => kind === 'toy')).toMatchObject({ name: { en: 'Toy number', de: 'Spielnummer' } });
  const inWords = async () => {
    const query = { expand: 'outlook' };
    const { body } = await account.api.get(`/affiliates/${ada.program.affiliate.id}`, query);
    return (body['outlook'] as { in_words: Record<'en' | 'de', string> }[])[0]!.in_words;
  };
  expect((await inWords()).en).toContain('The payment goes by the toy to …001.');
  await prepare();
  await advance();
  expect((await inWords()).de).toContain('unterwegs durch das Spielzeug an …001.');
});

it('an address of another form is refused, and nothing but its end is shown', async () => {
  const refused = await account.api.post('/payout_methods', {
    affiliate_id: ada.program.affiliate.id,
    kind: 'toy',
    address: { number: '1' },
  });
  expect(refused).toMatchObject({ status: 422, body: { details: [{ path: 'address.number' }] } });
  const { body } = await account.api.get('/payout_methods', { kind: 'toy' });
  expect(body).toMatchObject({ data: [{ hint: '…001', state: 'confirmed' }] });
  expect(JSON.stringify(body)).not.toContain('100001');
});

describe('an attempt whose outcome stays unknown', () => {
  let attempt: Fields;
  beforeEach(async () => {
    rail.next = 'lose the request';
    await prepare();
    await advance();
    attempt = (await attempts())[0]!;
  });
  const decide = (body: Fields) => attemptTo('decide', attempt, body);

  it('is not decided while the service still asks about it', async () => {
    const early = await decide({ outcome: 'failed', reason: 'Nothing there' });
    expect(early).toMatchObject({ status: 422, body: { details: [{ path: 'id', code: 'invalid_state' }] } });
    expect(await payout()).toMatchObject({ state: 'processing' });
  });

  it('is decided as failed by a person, and its payout can be paid again under another key', async () => {
    await later(23, 'hours');
    expect((await decide({ outcome: 'failed' })).status).toBe(422);
    const posted = (await attempts())[0]!['first_posted_at'];
    const decided = await decide({ outcome: 'failed', reason: 'The rail has no such payment.' });
    expect(decided).toMatchObject({
      status: 200,
      body: { state: 'failed', reason: 'The rail has no such payment.', first_posted_at: posted },
    });
    expect(await payout()).toMatchObject({ state: 'due' });
    expect((await decide({ outcome: 'arrived', reason: 'It was there.' })).status).toBe(422);
    const { data } = await account.client.auditLog.browse.query({ tool: 'payout_attempts' });
    const acts = data.map(({ action, arguments: given }) => ({ action, given }));
    expect(acts).toMatchObject([
      { action: 'decide', given: { id: attempt['id'], outcome: 'failed' } },
      { action: 'prepare', given: { method: 'toy' } },
    ]);
    await prepare();
    await advance();
    expect(new Set(rail.calls.map(({ key }) => key)).size).toBe(2);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('is decided as arrived by a person, and its payout is paid', async () => {
    await later(23, 'hours');
    expect((await decide({ outcome: 'arrived', reason: 'On the statement of the bank.' })).body).toMatchObject({
      state: 'arrived',
    });
    expect(await payout()).toMatchObject({ state: 'paid' });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('is decided only with the permission for it', async () => {
    await later(23, 'hours');
    const input = { outcome: 'arrived', reason: 'I say so.' };
    const path = `/payout_attempts/${String(attempt['id'])}/decide`;
    const payer = await account.apiWith({ 'v1.payouts.read': true, 'v1.payouts.write': true });
    expect(await payer.post(path, input)).toMatchObject({
      status: 403,
      body: { details: { permission: 'v1.payout_outcomes.write' } },
    });
    const judge = await account.apiWith({ 'v1.payout_outcomes.write': true });
    expect(await judge.post(path, input)).toMatchObject({ status: 200, body: { state: 'arrived' } });
  });
});

it('a prepared payment is withdrawn by a person, and is not sent', async () => {
  await prepare();
  const [attempt] = await attempts();
  expect((await attemptTo('withdraw', attempt!, { reason: 'Wrong month' })).body).toMatchObject({
    state: 'withdrawn',
    reason: 'Wrong month',
    first_posted_at: null,
  });
  expect((await attemptTo('withdraw', attempt!)).status).toBe(422);
  await advance();
  expect(rail.calls).toEqual([]);
  expect(await payout()).toMatchObject({ state: 'due' });
  const { body } = await account.api.post('/payout_exports', { payout_ids: [ada.payout.id] });
  const [exported] = await attempts();
  expect((await attemptTo('withdraw', exported!)).status).toBe(422);
  await account.api.delete(`/payout_exports/${String(body['id'])}`);
});

it('an assistant previews and prepares payments within its daily limits, and decides an unknown outcome', async () => {
  const permissions = { 'mcp.payouts.read': true, 'mcp.payouts.write': true, 'mcp.payout_outcomes.write': true };
  const connector = await createConnector(account, { permissions });
  await service.services.database.kysely
    .updateTable('connector')
    .set({ daily_pay_limits: JSON.stringify([{ currency: 'USD', amount_cents: 1_000 }]) as never })
    .where('id', '=', connector.id)
    .execute();
  await using assistant = await Assistant.overHttp(service, connector.token);
  const preview = await assistant.call('manage_payouts', { action: 'prepare', method: 'toy' });
  expect(preview.body).toMatchObject({ result: { payouts_count: 1, totals: [{ currency: 'USD', amount_cents: 1_000 }] } });
  expect(await attempts()).toEqual([]);
  rail.next = 'lose the request';
  await assistant.carryOut('manage_payouts', { action: 'prepare', method: 'toy' });
  await advance();
  await later(23, 'hours');
  const [attempt] = await assistant.list('payouts', { action: 'unknown' });
  const decision = { action: 'decide', id: attempt!['id'], outcome: 'failed', reason: 'Nothing arrived.' };
  await assistant.call('manage_payouts', decision);
  expect(await attempts()).toMatchObject([{ state: 'unknown' }]);
  await assistant.carryOut('manage_payouts', decision);
  expect(await payout()).toMatchObject({ state: 'due' });
  // The second payment of the day exceeds the limit.
  expect(await assistant.call('manage_payouts', { action: 'prepare', method: 'toy' })).toMatchObject({
    isError: true,
    body: { code: 'PAY_LIMIT_EXCEEDED' },
  });
});

it('a service that gives no answers delays nobody else: three calls in succession, and its other payments wait for the next pass', async () => {
  const other = await service.createAccount();
  const paid = async (at: typeof account, number: string) => {
    const made = await payee(at, { person: { walleta_email: null, walletb_email: null } });
    await at.api.post('/payout_methods', { affiliate_id: made.program.affiliate.id, kind: 'toy', address: { number } });
  };
  for (let number = 2; number < 7; number += 1) await paid(account, `10000${number}`);
  await paid(other, '200001');
  const calls: string[] = [];
  const isSilent = new Set(['1']);
  rail.method.send = (payment) => {
    const { number } = payment.addresses['toy']!;
    calls.push(number!);
    return isSilent.has(number![0]!) ? Promise.reject(new Error('timeout')) : rail.send(payment);
  };
  await prepare();
  service.clock.advance(1, 'seconds');
  await other.api.post('/payout_attempts/prepare', { method: 'toy' });
  await advance();
  expect(calls.map((number) => number[0])).toEqual(['1', '1', '1', '2']);
  isSilent.clear();
  for (let times = 0; times < 2; times += 1) await later(6, 'minutes');
  expect(rail.payments.size).toBe(7);
});
