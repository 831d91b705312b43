/** Who may have payments sent: a second person, limits, and the switch that stops them (docs/rules/payouts.md#approvals). */
import { advancePayoutAttempts } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { Assistant, createConnector } from '../mcp/assistant.ts';
import { Api, type Fields } from '../support/http.ts';
import { newMember, ownerOf, type Person } from '../support/people.ts';
import { useAccount, useService } from '../support/suite.ts';
import { payee, type Payee } from './program.ts';
import { ToyRail } from './toy_method/toy-method.ts';

const service = useService();
const account = useAccount(service);
let rail: ToyRail;
let owner: Person;
let second: Person;
let ada: Payee;

const payeeAt = async (number: string, amount_cents = 10_000) => {
  const made = await payee(account, { amount_cents, person: { walleta_email: null, walletb_email: null } });
  await account.api.post('/payout_methods', { affiliate_id: made.program.affiliate.id, kind: 'toy', address: { number } });
  return made;
};

beforeEach(async () => {
  // What other tests have left goes to their rail.
  await advance();
  rail = new ToyRail();
  service.services.payoutMethods = [...METHODS, rail.method];
  owner = await ownerOf(service, account);
  second = await newMember(service, account, 'admin');
  ada = await payeeAt('100001');
});

const update = async (changes: Fields, by = owner) =>
  (await by.browser.mutate('account.update', { account_id: account.id, ...changes })).status;
const rules = (payout_approval: Fields, by = owner) => update({ payout_approval }, by);
const create = async (input: Fields = {}) => (await account.api.post('/payout_batches', { method: 'toy', ...input })).body;
const createAs = async ({ browser }: Person) =>
  (await browser.mutate('payoutBatches.create', { method: 'toy' })).body.result!.data;
const approve = (id: unknown, by: Person, items_hash?: unknown) =>
  by.browser.mutate('payoutBatches.approve', { id, ...(items_hash !== undefined && { items_hash }) });
const send = (id: unknown) => account.api.post(`/payout_batches/${String(id)}/send`);
const shown = async (id: unknown) => (await account.api.get(`/payout_batches/${String(id)}`)).body;
const advance = () => advancePayoutAttempts(service.services);
const needed = { status: 422, body: { details: [{ code: 'approval_needed' }] } };
/** Makes a session older than a sign-in may be. */
const age = (person: Person) =>
  service.services.database.kysely
    .updateTable('auth_session')
    .set({ created_at: new Date(Date.now() - 16 * 60_000).toISOString() as never })
    .where('user_id', '=', person.id)
    .execute();

describe('an account that always asks for a second person', () => {
  beforeEach(async () => {
    await rules({ second_person: 'always' });
  });

  it('sends only what somebody else has approved, who has seen it', async () => {
    const { id, items_hash, needs_approval } = await create();
    expect(needs_approval).toBe(true);
    expect(await send(id)).toMatchObject(needed);
    expect((await approve(id, second, 'another hash')).body.error?.data.details).toMatchObject([{ code: 'changed' }]);
    expect((await approve(id, second, items_hash)).body.result!.data).toMatchObject({ state: 'approved', needs_approval: false });
    expect((await send(id)).status).toBe(200);
    await advance();
    expect(rail.payments.size).toBe(1);
  });

  it('does not take the approval of who prepared the payments, by whatever credential', async () => {
    const { id } = await create();
    // The first key of the account belongs to its owner.
    expect((await approve(id, owner)).status).toBe(403);
    const { api_key } = (await second.browser.mutate('apiKeys.create', { name: 'Mine' })).body.result!.data;
    const key = new Api(service.url, { ...account.api.headers, Authorization: `Bearer ${String(api_key)}` });
    const prepared = await key.post('/payout_batches', { method: 'toy', dry_run: false });
    expect(prepared.status).toBe(201);
    await payeeAt('100002');
    const own = await createAs(second);
    expect((await approve(own['id'], second)).status).toBe(403);
    expect((await approve(prepared.body['id'], second)).status).toBe(403);
    expect((await approve(own['id'], owner)).status).toBe(200);
  });

  it('takes no approval of keys, assistants, members without the right, and old sessions', async () => {
    const { id } = await create();
    const key = await account.apiWith({ 'v1.payouts.read': true, 'v1.payouts.write': true });
    expect(await key.post(`/payout_batches/${String(id)}/approve`)).toMatchObject({ status: 403 });
    const connector = await createConnector(account, { permissions: { 'mcp.payouts.read': true, 'mcp.payouts.write': true } });
    await using assistant = await Assistant.overHttp(service, connector.token);
    expect(await assistant.call('manage_payouts', { action: 'prepare', method: 'toy' })).toMatchObject({ isError: true });
    const member = await newMember(service, account, 'member');
    expect((await approve(id, member)).status).toBe(403);
    await age(second);
    expect((await approve(id, second)).body.error?.data.details).toEqual({ reason: 'sign_in_again' });
    expect(await send(id)).toMatchObject(needed);
    await advance();
    expect(rail.calls).toEqual([]);
  });

  it('lets nobody prepare and send in one step', async () => {
    expect(await account.api.post('/payout_attempts/prepare', { method: 'toy' })).toMatchObject(needed);
    expect((await account.api.get(`/payouts/${ada.payout.id}`)).body).toMatchObject({ state: 'due' });
  });

  it('loses the approval when the payments change', async () => {
    const bob = await payeeAt('100002');
    const { id } = await create();
    await approve(id, second);
    const { data } = (await account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: bob.payout.id })).body;
    await account.api.post(`/payout_attempts/${String(data[0]!['id'])}/withdraw`);
    expect(await shown(id)).toMatchObject({ state: 'prepared', approved_by: null, needs_approval: true });
    expect(await send(id)).toMatchObject(needed);
    await approve(id, second);
    expect((await send(id)).status).toBe(200);
  });

  it('sends a failed payment again if it is the one that was approved, and no other', async () => {
    const { id } = await create();
    await approve(id, second);
    rail.next = 'refuse';
    await send(id);
    await advance();
    const latest = async () =>
      (await account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: ada.payout.id })).body.data[0]!;
    expect(await latest()).toMatchObject({ state: 'failed' });
    rail.next = 'refuse';
    expect((await account.api.post(`/payout_attempts/${String((await latest())['id'])}/retry`)).status).toBe(200);
    await advance();
    const methods = await account.api.get<{ data: Fields[] }>('/payout_methods', { affiliate_id: ada.program.affiliate.id });
    await account.api.patch(`/payout_methods/${String(methods.body.data[0]!['id'])}`, { address: { number: '100009' } });
    service.clock.advance(4, 'days');
    expect(await account.api.post(`/payout_attempts/${String((await latest())['id'])}/retry`)).toMatchObject(needed);
    await advance();
    expect(rail.payments.size).toBe(0);
  });

  it('keeps its rules for a day after somebody has loosened them', async () => {
    const { id } = await create();
    expect(await rules({ second_person: 'never' })).toBe(200);
    expect(await send(id)).toMatchObject(needed);
    service.clock.advance(23, 'hours');
    expect(await rules({ second_person: 'above', above: [{ currency: 'USD', amount_cents: 900_000 }] })).toBe(200);
    expect(await send(id)).toMatchObject(needed);
    service.clock.advance(2, 'hours');
    expect((await send(id)).status).toBe(200);
  });

  it('changes its rules for admins with a new sign-in only', async () => {
    expect(await rules({ second_person: 'never' }, await newMember(service, account, 'member'))).toBe(403);
    await age(owner);
    expect(await rules({ second_person: 'never' })).toBe(403);
    expect(await update({ name: 'Still mine' })).toBe(200);
    const withKey = await account.api.send('PATCH', '/api/settings/v1/account', {
      body: { payout_approval: { second_person: 'never' } },
    });
    expect(withKey.status).toBeGreaterThanOrEqual(400);
  });
});

describe('amounts', () => {
  const above = (amount_cents: number) => rules({ second_person: 'above', above: [{ currency: 'USD', amount_cents }] });
  const limit = (amount_cents: number) => rules({ second_person: 'never', daily_limits: [{ currency: 'USD', amount_cents }] });

  it('that exceed the account’s need a second person, also when they are split', async () => {
    await above(1_500);
    const { id } = await create();
    expect((await send(id)).status).toBe(200);
    await payeeAt('100002');
    const next = await create();
    expect(next).toMatchObject({ needs_approval: true });
    expect(await send(next['id'])).toMatchObject(needed);
    service.clock.advance(25, 'hours');
    expect((await send(next['id'])).status).toBe(200);
  });

  it('sent at the same moment do not both fit', async () => {
    await above(1_500);
    const first = await create();
    await payeeAt('100002');
    const next = await create();
    const statuses = (await Promise.all([send(first['id']), send(next['id'])])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 422]));
  });

  it('above the daily limit are not sent, even with an approval', async () => {
    await limit(1_500);
    const bob = await payeeAt('100002');
    const { id } = await create({ affiliate_ids: [bob.program.affiliate.id] });
    await approve(id, second);
    expect((await send(id)).status).toBe(200);
    const rest = await create();
    await approve(rest['id'], second);
    expect(await send(rest['id'])).toMatchObject({ status: 422, body: { details: [{ code: 'daily_limit' }] } });
    expect(await account.api.post('/payout_attempts/prepare', { method: 'toy', payout_ids: [ada.payout.id] })).toMatchObject({
      status: 422,
    });
  });

  it('that a rail has certainly refused were not sent', async () => {
    await limit(1_000);
    rail.next = 'refuse';
    const { id } = await create();
    await send(id);
    await advance();
    expect((await account.api.post('/payout_attempts/prepare', { method: 'toy' })).status).toBe(200);
  });

  it('in another currency than the rules name are 0', async () => {
    await rules({ second_person: 'above', above: [{ currency: 'EUR', amount_cents: 100_000 }] });
    expect(await send((await create())['id'])).toMatchObject(needed);
  });
});

describe('the switch of the account', () => {
  it('stops what is not sent, also repetitions, and nothing else', async () => {
    const bob = await payeeAt('100002');
    rail.next = 'lose the request';
    await account.api.post('/payout_attempts/prepare', { method: 'toy', payout_ids: [ada.payout.id] });
    await advance();
    const { id } = await create({ affiliate_ids: [bob.program.affiliate.id] });
    await send(id);
    expect(await update({ payouts_stopped: true })).toBe(200);
    const calls = rail.calls.length;
    service.clock.advance(1, 'hours');
    await advance();
    expect(rail.calls).toHaveLength(calls);
    expect(await shown(id)).toMatchObject({ state: 'paying', totals: [{ unsent_cents: 1_000 }] });
    await age(owner);
    expect(await update({ payouts_stopped: false })).toBe(403);
    expect(await update({ payouts_stopped: false }, second)).toBe(200);
    service.clock.advance(6, 'minutes');
    await advance();
    expect(rail.payments.size).toBe(2);
  });

  it('ends a running batch within one payment', async () => {
    for (let number = 2; number < 10; number += 1) await payeeAt(`10000${number}`);
    const { id } = await create();
    await send(id);
    const pay = rail.send;
    rail.method.send = async (payment) => {
      if (rail.calls.length === 3) await update({ payouts_stopped: true });
      return pay(payment);
    };
    await advance();
    expect(rail.calls).toHaveLength(4);
  });
});

it('a batch of test payments needs nothing', async () => {
  await rules({ second_person: 'always', daily_limits: [] });
  const { status } = await account.api.post('/payout_attempts/prepare', { method: 'toy', livemode: false });
  expect(status).toBe(200);
});
