/** Batches of payments that the service sends: prepared, approved, sent, withdrawn, retried and called back, by a method that only tests have. */
import { advancePayoutAttempts } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import type { Fields } from '../support/http.ts';
import { newMember } from '../support/people.ts';
import { useAccount, useService } from '../support/suite.ts';
import { discrepancies, payee, type Payee } from './program.ts';
import { ToyRail } from './toy_method/toy-method.ts';

const service = useService();
const account = useAccount(service);
let rail: ToyRail;
let ada: Payee;
let bob: Payee;

const payeeAt = async (number: string, currency = 'USD') => {
  const made = await payee(account, { currency, person: { walleta_email: null, walletb_email: null } });
  const method = { affiliate_id: made.program.affiliate.id, kind: 'toy', address: { number } };
  expect((await account.api.post('/payout_methods', method)).status).toBe(201);
  return made;
};

beforeEach(async () => {
  rail = new ToyRail();
  service.services.payoutMethods = [...METHODS, rail.method];
  ada = await payeeAt('100001');
  bob = await payeeAt('100002', 'EUR');
});

const create = async (input: Fields = {}) => {
  const { status, body } = await account.api.post('/payout_batches', { method: 'toy', ...input });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
};
const act = (id: unknown, action: string, api = account.api) => api.post(`/payout_batches/${String(id)}/${action}`);
const shown = async (id: unknown) =>
  (await account.api.get<Fields & { attempts: Fields[] }>(`/payout_batches/${String(id)}`, { expand: 'attempts' })).body;
const attemptTo = (action: string, id: unknown) => account.api.post(`/payout_attempts/${String(id)}/${action}`);
const attemptsOf = async ({ payout }: Payee) =>
  (await account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: payout.id })).body.data;
const payoutOf = async ({ payout }: Payee) => (await account.api.get(`/payouts/${payout.id}`)).body;
const advance = () => advancePayoutAttempts(service.services);
const later = async (amount: number, unit: 'seconds' | 'minutes' | 'days') => {
  service.clock.advance(amount, unit);
  await advance();
};

describe('a batch of payments', () => {
  it('is previewed by a dry run, which changes nothing', async () => {
    const preview = await create({ dry_run: true });
    expect(preview).toMatchObject({
      state: 'prepared',
      payouts_count: 2,
      totals: [{ currency: 'EUR' }, { currency: 'USD', amount_cents: 1_000, unsent_cents: 1_000 }],
      fees: [{ currency: 'USD', quoted_cents: 25, charged_cents: 0 }],
      unquoted_count: 1,
      left_out: [],
    });
    expect((await account.api.get(`/payout_batches/${String(preview['id'])}`)).status).toBe(404);
    expect(await payoutOf(ada)).toMatchObject({ state: 'due' });
  });

  it('is approved by somebody else than who prepared it, and sent when somebody says so', async () => {
    const { id } = await create();
    await advance();
    expect(rail.calls).toEqual([]);
    expect(await payoutOf(ada)).toMatchObject({ state: 'processing' });
    expect((await act(id, 'approve')).status).toBe(403);
    const second = await newMember(service, account, 'admin');
    const approve = () => second.browser.mutate('payoutBatches.approve', { id });
    expect((await approve()).body.result!.data).toMatchObject({ state: 'approved', approved_by: second.id });
    expect((await approve()).status).toBe(422);
    expect((await shown(id)).attempts).toMatchObject([{ state: 'approved' }, { state: 'approved' }]);
    await advance();
    expect(rail.calls).toEqual([]);
    expect(await act(id, 'send')).toMatchObject({ status: 200, body: { state: 'paying' } });
    expect((await act(id, 'send')).status).toBe(422);
    await advance();
    expect(rail.calls).toHaveLength(2);
    const facts = { fee_cents: 30, fee_currency: 'USD', debited_cents: 1_030, debited_currency: 'USD', exchange_rate: '1.5' };
    rail.turn({ state: 'arrived', raw_state: 'DONE', facts });
    await later(6, 'minutes');
    expect(await shown(id)).toMatchObject({
      state: 'paid',
      totals: [{ arrived_cents: 1_000 }, { arrived_cents: 1_000, underway_cents: 0 }],
      fees: [{ currency: 'USD', quoted_cents: 25, charged_cents: 60 }],
      attempts: [
        { quoted_fee_cents: 25, fee_cents: 30, exchange_rate: '1.5' },
        { quoted_fee_cents: null, debited_cents: 1_030 },
      ],
    });
    expect((await act(id, 'withdraw')).status).toBe(422);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('can be limited to affiliates, and is withdrawn before it is sent', async () => {
    const unknown = await account.api.post('/payout_batches', { method: 'toy', affiliate_ids: ['aff_unknown'] });
    expect(unknown).toMatchObject({ status: 422, body: { details: [{ path: 'affiliate_ids.0', code: 'not_found' }] } });
    const { id } = await create({ affiliate_ids: [ada.program.affiliate.id] });
    expect(await payoutOf(bob)).toMatchObject({ state: 'due' });
    expect(await act(id, 'withdraw')).toMatchObject({ status: 200, body: { state: 'withdrawn', payouts_count: 1 } });
    expect(await payoutOf(ada)).toMatchObject({ state: 'due' });
    expect((await act(id, 'send')).status).toBe(422);
    await advance();
    expect(rail.calls).toEqual([]);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('sends nothing to an address that has changed since, also if it is approved', async () => {
    const { id } = await create();
    const second = await newMember(service, account, 'admin');
    await second.browser.mutate('payoutBatches.approve', { id });
    const { data } = (await account.api.get<{ data: Fields[] }>('/payout_methods', { affiliate_id: ada.program.affiliate.id }))
      .body;
    await account.api.patch(`/payout_methods/${String(data[0]!['id'])}`, { address: { number: '100009' } });
    await act(id, 'send');
    await advance();
    expect(rail.calls).toMatchObject([{ number: '100002' }]);
    expect(await attemptsOf(ada)).toMatchObject([{ state: 'withdrawn', reason: 'payout_details_changed' }]);
  });

  it('is not found by the key of another account, nor as an export or a run', async () => {
    const { id } = await create();
    const other = await service.createAccount();
    expect((await other.api.get(`/payout_batches/${String(id)}`)).status).toBe(404);
    expect((await act(id, 'send', other.api)).status).toBe(404);
    for (const path of ['/payout_exports', '/payout_runs'])
      expect((await account.api.get(`${path}/${String(id)}`)).status).toBe(404);
  });
});

describe('a retry', () => {
  it('makes a new attempt with a new key and the current address, after a certain failure only', async () => {
    rail.next = 'refuse';
    const { id } = await create({ affiliate_ids: [ada.program.affiliate.id] });
    await act(id, 'send');
    await advance();
    const [failed] = await attemptsOf(ada);
    expect(failed).toMatchObject({ state: 'failed', key_generation: 1 });
    expect(await shown(id)).toMatchObject({ state: 'partly_paid', totals: [{ ended_cents: 1_000 }] });
    const { data } = (await account.api.get<{ data: Fields[] }>('/payout_methods', { affiliate_id: ada.program.affiliate.id }))
      .body;
    await account.api.patch(`/payout_methods/${String(data[0]!['id'])}`, { address: { number: '100009' } });
    // The changed address holds the payout.
    expect((await attemptTo('retry', failed!['id'])).status).toBe(422);
    service.clock.advance(4, 'days');
    const { status, body: retried } = await attemptTo('retry', failed!['id']);
    expect({ status, retried }).toMatchObject({ status: 200, retried: { state: 'prepared', key_generation: 2, batch_id: id } });
    expect((await attemptTo('retry', failed!['id'])).status).toBe(422);
    expect((await attemptTo('retry', retried['id'])).status).toBe(422);
    await advance();
    expect(rail.calls).toMatchObject([{ number: '100001' }, { number: '100009' }]);
    expect(new Set(rail.calls.map(({ key }) => key)).size).toBe(2);
    rail.turn({ state: 'arrived', raw_state: 'DONE' });
    await later(6, 'minutes');
    expect(await shown(id)).toMatchObject({ state: 'paid', totals: [{ payouts_count: 1, arrived_cents: 1_000 }] });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('sends a payment without an answer again with the same key within a minute', async () => {
    rail.next = 'lose the answer';
    const { id } = await create({ affiliate_ids: [ada.program.affiliate.id] });
    await act(id, 'send');
    await advance();
    const [unknown] = await attemptsOf(ada);
    await later(61, 'seconds');
    expect(rail.calls).toHaveLength(1);
    expect(await attemptTo('retry', unknown!['id'])).toMatchObject({
      status: 200,
      body: { id: unknown!['id'], key_generation: 1 },
    });
    await later(61, 'seconds');
    expect(new Set(rail.calls.map(({ key }) => key))).toEqual(new Set([unknown!['id']]));
    expect(await attemptsOf(ada)).toMatchObject([{ state: 'in_transit' }]);
    expect(rail.payments.size).toBe(1);
  });

  it('is refused for a payment that a run or an export has failed to make', async () => {
    const { body: run } = await account.api.post<{ id: string }>('/payout_runs', { affiliate_ids: [ada.program.affiliate.id] });
    await account.api.patch(`/affiliates/${ada.program.affiliate.id}`, { state: 'disabled' });
    await account.api.put(`/payout_runs/${run.id}/execute`, { async: false });
    const [attempt] = await attemptsOf(ada);
    expect(attempt).toMatchObject({ state: 'failed', reason: 'affiliate_inactive' });
    expect(await attemptTo('retry', attempt!['id'])).toMatchObject({
      status: 422,
      body: { details: [{ code: 'invalid_state' }] },
    });
  });
});

describe('a payment that is called back', () => {
  let attempt: Fields;
  beforeEach(async () => {
    const { id } = await create({ affiliate_ids: [ada.program.affiliate.id] });
    await act(id, 'send');
    await advance();
    attempt = (await attemptsOf(ada))[0]!;
  });

  it('is returned if the receiver has not claimed it, and its payout is open again', async () => {
    rail.turn({ state: 'unclaimed', raw_state: 'WAITING' });
    await later(6, 'minutes');
    expect(await attemptTo('cancel', attempt['id'])).toMatchObject({
      status: 200,
      body: { state: 'unclaimed', cancel_requested_at: expect.any(String) },
    });
    await advance();
    expect(await attemptsOf(ada)).toMatchObject([
      { state: 'returned', reason: 'Called back', raw_state: 'CALLED_BACK', cancel_requested_at: null },
    ]);
    expect(await payoutOf(ada)).toMatchObject({ state: 'due' });
    expect((await attemptTo('cancel', attempt['id'])).status).toBe(422);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('goes on if the rail refuses, whose word decides', async () => {
    rail.turn({ state: 'arrived', raw_state: 'DONE' });
    await attemptTo('cancel', attempt['id']);
    await advance();
    expect(await attemptsOf(ada)).toMatchObject([{ state: 'arrived', raw_state: 'DONE', cancel_requested_at: null }]);
    expect(await payoutOf(ada)).toMatchObject({ state: 'paid' });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('is not called back before it is sent', async () => {
    await create();
    const [prepared] = await attemptsOf(bob);
    expect((await attemptTo('cancel', prepared!['id'])).status).toBe(422);
  });

  it('is not called back by a method that cannot', async () => {
    const others = Object.entries(rail.method).filter(([name]) => name !== 'cancel');
    service.services.payoutMethods = [...METHODS, Object.fromEntries(others) as unknown as typeof rail.method];
    expect((await attemptTo('cancel', attempt['id'])).status).toBe(422);
  });
});
