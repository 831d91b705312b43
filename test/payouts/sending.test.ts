/** Payments that the service sends, by a method that only these tests have. */
import { advancePayoutAttempts } from '@affiliate/core';
import { beforeEach, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { preparePayments } from '../../packages/core/src/payouts/sending/prepare-payments.ts';
import { inTransaction, systemContext } from '../../packages/core/src/platform/call/transaction.ts';
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
const prepare = (payout_ids?: string[]) =>
  inTransaction(systemContext(service.services, account.id, 'test'), (ctx) =>
    preparePayments(ctx, { method: 'toy', livemode: true, ...(payout_ids && { payout_ids }) }),
  );
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
  expect(await prepare([ada.payout.id])).toMatchObject({ payout_ids: [] });

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

it('an address of another form is refused, and nothing but its end is shown', async () => {
  const refused = await account.api.post('/payout_methods', {
    affiliate_id: ada.program.affiliate.id,
    kind: 'toy',
    address: { number: '1' },
  });
  expect(refused).toMatchObject({ status: 422, body: { details: [{ path: 'address.number' }] } });
  const { body } = await account.api.get('/payout_methods', { kind: 'toy' });
  expect(body).toMatchObject({ data: [{ hint: '…0001', state: 'confirmed' }] });
  expect(JSON.stringify(body)).not.toContain('100001');
});
