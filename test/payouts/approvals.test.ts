/** Permission to send payments: a second person, limits, and the switch that stops them (docs/rules/payouts.md#approvals). */
import { advancePayoutAttempts } from '@affiliate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { Assistant, createConnector } from '../mcp/assistant.ts';
import { PortalVisitor } from '../portal/people.ts';
import { Api, type Fields } from '../support/http.ts';
import { newMember, ownerOf, type Person } from '../support/people.ts';
import { sell, unique } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { payee, type Payee } from './program.ts';
import { ToyRail } from './toy_method/toy-method.ts';

const service = useService({ checksIndexes: true });
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

const earnMore = async ({ referral_id }: Payee) => sell(account, { referral_id, amount_cents: 10_000 });
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

  it('sends nothing that nobody let go, whatever makes the worker look at it', async () => {
    const { id } = await create();
    await approve(id, second);
    const { kysely } = service.services.database;
    await kysely
      .updateTable('payout_attempt')
      .set({ lease_until: service.clock.instant() })
      .where('batch_id', '=', String(id))
      .execute();
    await advance();
    expect(rail.calls).toEqual([]);
    expect(await shown(id)).toMatchObject({ state: 'approved', totals: [{ unsent_cents: 1_000 }] });
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
    await advance();
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

  it('that wait count until a day after they are sent', async () => {
    await limit(1_500);
    expect(await send((await create())['id'])).toMatchObject({ status: 200 });
    expect(await update({ payouts_stopped: true })).toBe(200);
    service.clock.advance(25, 'hours');
    const bob = await payeeAt('100002');
    const { id } = await create();
    const refused = { status: 422, body: { details: [{ code: 'daily_limit' }] } };
    // Both would go out at the same moment.
    expect(await send(id)).toMatchObject(refused);
    expect(await update({ payouts_stopped: false })).toBe(200);
    service.clock.advance(6, 'minutes');
    await advance();
    expect(rail.payments.size).toBe(1);
    service.clock.advance(23, 'hours');
    expect(await send(id)).toMatchObject(refused);
    service.clock.advance(2, 'hours');
    expect((await send(id)).status).toBe(200);
    await advance();
    expect((await account.api.get(`/payouts/${bob.payout.id}`)).body).toMatchObject({ state: 'processing' });
    expect(rail.payments.size).toBe(2);
  });

  it('that only a person has called failed, or that were made after all, were sent', async () => {
    await limit(1_500);
    const attempt = async () =>
      (await account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: ada.payout.id })).body.data[0]!;
    const { id } = await create();
    await send(id);
    rail.method.send = async (payment) => ({ ...(await rail.send(payment)), amount: { amount_cents: 999, currency: 'USD' } });
    await advance();
    expect(await attempt()).toMatchObject({ state: 'unknown', reason: 'amount_mismatch' });
    const outcome = { outcome: 'failed', reason: 'I called them.' };
    expect((await account.api.post(`/payout_attempts/${String((await attempt())['id'])}/decide`, outcome)).status).toBe(200);
    await advance();
    const again = () => account.api.post('/payout_attempts/prepare', { method: 'toy' });
    expect(await attempt()).toMatchObject({ state: 'failed' });
    expect(await again()).toMatchObject({ status: 422, body: { details: [{ code: 'daily_limit' }] } });
    rail.turn({ state: 'arrived', raw_state: 'DONE' });
    service.clock.advance(6, 'minutes');
    await advance();
    expect(await attempt()).toMatchObject({ state: 'failed', reason: 'arrived_after_all' });
    expect(await again()).toMatchObject({ status: 422, body: { details: [{ code: 'daily_limit' }] } });
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
    expect(await shown(id)).toMatchObject({ state: 'paying', waits_for: 'payouts_stopped', totals: [{ unsent_cents: 1_000 }] });
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

describe('a paused method', () => {
  const pause = (paused: boolean, by = owner, method = 'toy') => update({ payout_terms: [{ method, paused }] }, by);
  const paused = [{ code: 'method_paused' }];

  it('prepares nothing, by the service or by a file, and says why', async () => {
    expect(await pause(true)).toBe(200);
    const nothing = { payouts_count: 0, left_out_count: 1, left_out: paused };
    expect(await create({ dry_run: true })).toMatchObject(nothing);
    expect((await account.api.post('/payout_attempts/prepare', { method: 'toy' })).body).toMatchObject(nothing);
    expect(await shown((await create())['id'])).toMatchObject({ payouts_count: 0 });
    await pause(true, owner, 'paypal');
    await account.api.patch(`/affiliates/${ada.program.affiliate.id}`, { walleta_email: `${unique('ada')}@pay.example` });
    service.clock.advance(30, 'days');
    const file = { export_format: 'walleta', payout_ids: [ada.payout.id] };
    expect(await account.api.post('/payout_exports', file)).toMatchObject({ status: 422, body: { details: paused } });
    const { formats } = await account.client.payoutExports.check.query({ payout_ids: [ada.payout.id] });
    expect(formats.find(({ export_format }) => export_format === 'walleta')).toMatchObject({
      payouts_count: 0,
      left_out: paused,
    });
    expect(formats.find(({ export_format }) => export_format === 'csv')).toMatchObject({ payouts_count: 1 });
    expect(await pause(false)).toBe(200);
    expect(await create()).toMatchObject({ payouts_count: 1 });
  });

  it('keeps files unread that nobody has approved', async () => {
    await rules({ second_person: 'always' });
    const { payout } = await payee(account);
    const file = { export_format: 'walleta', payout_ids: [payout.id] };
    const { id } = (await account.api.post('/payout_exports', file)).body;
    await pause(true, owner, 'paypal');
    const approveFile = () => second.browser.mutate('payoutExports.approve', { id });
    expect((await approveFile()).body.error?.data.details).toMatchObject([{ code: 'method_paused' }]);
    expect((await account.api.get(`/payout_exports/${String(id)}`)).body['content']).toBe('');
    await pause(false, owner, 'paypal');
    expect((await approveFile()).status).toBe(200);
  });

  it('sends nothing more, repeats nothing, and follows what its service has', async () => {
    const [bob, cai, dan] = [await payeeAt('100002'), await payeeAt('100003'), await payeeAt('100004')];
    const pay = async ({ payout }: Payee) => {
      await account.api.post('/payout_attempts/prepare', { method: 'toy', payout_ids: [payout.id] });
      await advance();
    };
    await pay(bob);
    rail.next = 'refuse';
    await pay(cai);
    rail.next = 'lose the request';
    await pay(dan);
    const { id } = await create({ affiliate_ids: [ada.program.affiliate.id] });
    expect(await pause(true)).toBe(200);
    expect((await send(id)).status).toBe(200);
    const calls = rail.calls.length;
    rail.turn({ state: 'arrived', raw_state: 'DONE' });
    service.clock.advance(1, 'hours');
    await advance();
    expect(rail.calls).toHaveLength(calls);
    const waiting = { waits_for: 'method_paused', waits_until: null };
    expect(await shown(id)).toMatchObject({ state: 'paying', ...waiting, totals: [{ unsent_cents: 1_000 }] });
    expect((await account.api.get(`/payouts/${bob.payout.id}`)).body).toMatchObject({ state: 'paid' });
    const attempts = async ({ payout }: Payee) =>
      (await account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: payout.id })).body.data;
    const [refused] = await attempts(cai);
    expect(await account.api.post(`/payout_attempts/${String(refused!['id'])}/retry`)).toMatchObject({
      status: 422,
      body: { details: paused },
    });
    expect(await attempts(dan)).toMatchObject([{ state: 'unknown' }]);

    await age(owner);
    expect(await pause(true)).toBe(200);
    expect(await update({ payout_terms: [] })).toBe(403);
    expect(await pause(false)).toBe(403);
    expect(await pause(false, second)).toBe(200);
    service.clock.advance(6, 'minutes');
    await advance();
    expect(rail.payments.size).toBe(3);
    expect(await shown(id)).toMatchObject({ waits_for: null });
    expect(await attempts(dan)).toMatchObject([{ state: 'in_transit' }]);
  });

  it('is told to affiliates, and pauses no other method', async () => {
    const email = `${unique('bob')}@partner.example`;
    const bob = await payee(account, { person: { email } });
    const address = { number: '100002' };
    await account.api.post('/payout_methods', { affiliate_id: bob.program.affiliate.id, kind: 'toy', address });
    service.clock.advance(30, 'days');
    await create({ affiliate_ids: [bob.program.affiliate.id] });
    const visitor = await PortalVisitor.enter(service, account, email);
    const said = async () => {
      const { earnings } = await visitor.query<Outputs['portal']['home']>('portal.home');
      const { data } = await visitor.query<Outputs['portal']['listPayouts']>('portal.listPayouts');
      return [earnings[0]!.outlook!.in_words.en, data[0]!.payment_in!.en];
    };
    expect(await said()).toEqual(Array(2).fill('US$10.00 is being paid.'));
    await pause(true, owner, 'paypal');
    expect(await said()).toEqual(Array(2).fill('US$10.00 is being paid.'));
    await update({ payout_terms: ['paypal', 'toy'].map((method) => ({ method, paused: true })) });
    expect(await said()).toEqual(
      Array(2).fill('US$10.00 is ready, and waits because the program has paused payments by the toy to …002.'),
    );
    const { offered } = await visitor.query<Outputs['portal']['listPayoutMethods']>('portal.listPayoutMethods');
    const shownKinds = offered.filter(({ kind }) => kind === 'paypal' || kind === 'wise');
    expect(shownKinds.map(({ kind, paused: isPaused, terms_in_words }) => [kind, isPaused, terms_in_words.en])).toEqual([
      ['paypal', true, 'The program has paused these payments for now.'],
      ['wise', false, ''],
    ]);
    await pause(false);
  });
});

describe('first payments and changed addresses', () => {
  const methodOf = async ({ program }: Payee) =>
    (await account.api.get<{ data: Fields[] }>('/payout_methods', { affiliate_id: program.affiliate.id })).body.data[0]!;
  const paid = async (id: unknown) => {
    expect((await send(id)).status).toBe(200);
    rail.next = 'accept';
    await advance();
    rail.turn({ state: 'arrived', raw_state: 'DONE' });
    service.clock.advance(6, 'minutes');
    await advance();
  };

  it('need a second person, until one has arrived there', async () => {
    await rules({ second_person: 'never', new_methods: true });
    const { id, needs_approval } = await create();
    expect(needs_approval).toBe(true);
    expect(await send(id)).toMatchObject(needed);
    await approve(id, second);
    await paid(id);
    await earnMore(ada);
    const next = await create();
    expect(next).toMatchObject({ needs_approval: false });
    await paid(next['id']);
    // The other address, and the first payment by another method, are new again.
    await account.api.patch(`/payout_methods/${String((await methodOf(ada))['id'])}`, { address: { number: '100009' } });
    service.clock.advance(4, 'days');
    await earnMore(ada);
    expect(await account.api.post('/payout_attempts/prepare', { method: 'toy' })).toMatchObject(needed);
    expect(await create({ dry_run: true })).toMatchObject({ needs_approval: true });
  });

  it('are not known by what somebody has marked as paid', async () => {
    await rules({ second_person: 'never', new_methods: true });
    const made = (await account.api.post('/payout_exports', {})).body;
    expect(made).toMatchObject({ needs_approval: true });
    await account.api.post(`/payout_exports/${String(made['id'])}/payment`, { already_sent: true });
    await earnMore(ada);
    const again = (await account.api.post('/payout_exports', {})).body;
    expect(again).toMatchObject({ needs_approval: true });
    await account.api.delete(`/payout_exports/${String(again['id'])}`);
    expect(await create()).toMatchObject({ needs_approval: true });
  });
});

describe('hours', () => {
  afterEach(async () => {
    await rules({ second_person: 'never' });
    service.clock.advance(49, 'hours');
    await advance();
  });

  /** Brings the clock to an hour of the next day in Berlin. */
  const goTo = (hour: number) => {
    const now = service.clock.now();
    const local = Number(
      new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hourCycle: 'h23' }).format(now),
    );
    service.clock.advance(60 - now.getUTCMinutes(), 'minutes');
    service.clock.advance(24 + hour - local - 1, 'hours');
  };

  it('outside of which nothing is posted, and payments say until when they wait', async () => {
    await update({ time_zone: 'Europe/Berlin' });
    await rules({ second_person: 'never', allowed_hours: { from: 9, until: 17 } });
    goTo(18);
    const { id } = await create();
    const { body } = await send(id);
    expect(new Date(String(body['waits_until'])).getTime() - service.clock.now().getTime()).toBeGreaterThan(14 * 3_600_000);
    await advance();
    service.clock.advance(14, 'hours');
    await advance();
    expect(rail.calls).toEqual([]);
    service.clock.advance(61, 'minutes');
    await advance();
    expect(rail.calls).toHaveLength(1);
    expect(await shown(id)).toMatchObject({ waits_until: null });
  });

  it('that are loosened, also by another time zone, hold for another day', async () => {
    await update({ time_zone: 'Europe/Berlin' });
    await rules({ second_person: 'never', allowed_hours: { from: 9, until: 17 } });
    goTo(18);
    // It is morning there.
    expect(await update({ time_zone: 'America/Los_Angeles' })).toBe(200);
    expect((await account.api.post('/payout_attempts/prepare', { method: 'toy' })).body['waits_until']).not.toBe(null);
    await rules({ second_person: 'never' });
    await advance();
    expect(rail.calls).toEqual([]);
  });

  it('hold the switch and repetitions, too', async () => {
    await update({ time_zone: 'Europe/Berlin' });
    await rules({ second_person: 'never', allowed_hours: { from: 9, until: 17 } });
    goTo(16);
    rail.next = 'lose the request';
    await account.api.post('/payout_attempts/prepare', { method: 'toy' });
    await advance();
    expect(rail.calls).toHaveLength(1);
    service.clock.advance(65, 'minutes');
    await advance();
    expect(rail.calls).toHaveLength(1);
    goTo(10);
    expect(await update({ payouts_stopped: true })).toBe(200);
    await advance();
    expect(rail.calls).toHaveLength(1);
    expect(await update({ payouts_stopped: false })).toBe(200);
    service.clock.advance(6, 'minutes');
    await advance();
    expect(rail.calls).toHaveLength(2);
  });

  it('are at least one', async () => {
    expect(await rules({ second_person: 'never', allowed_hours: { from: 9, until: 9 } })).toBe(422);
  });
});

describe('files', () => {
  const create = async (input: Fields = {}) => (await account.api.post('/payout_exports', input)).body;
  const read = async (id: unknown) => (await account.api.get(`/payout_exports/${String(id)}`)).body;
  const approve = (id: unknown, by: Person, items_hash?: unknown) =>
    by.browser.mutate('payoutExports.approve', { id, ...(items_hash !== undefined && { items_hash }) });
  const download = (id: unknown, by = owner) => by.browser.query('payoutExports.download', { id });
  const above = (amount_cents: number) => rules({ second_person: 'above', above: [{ currency: 'USD', amount_cents }] });

  it('below the limit can be read at once, and above it once somebody else has approved exactly its payouts', async () => {
    await above(1_500);
    const small = await create();
    expect(small).toMatchObject({ needs_approval: false, items_hash: null });
    expect((await read(small['id']))['content']).toContain(ada.payout.id);
    await payeeAt('100002');
    const large = await create();
    const { id, items_hash } = large;
    expect(large).toMatchObject({ needs_approval: true, approved_by: null });
    expect(await read(id)).toMatchObject({ content: '', needs_approval: true, items_hash });
    for (const format of ['walleta', 'bank_sepa', 'bank_ach', 'walletb'])
      expect((await account.api.get(`/payout_exports/${String(id)}`, { export_format: format })).body['content'] ?? '').toBe('');
    expect((await download(id)).body.error?.data.details).toMatchObject([{ code: 'approval_needed' }]);
    expect((await approve(id, owner)).status).toBe(403);
    expect((await account.api.post(`/payout_exports/${String(id)}/approve`)).status).toBe(403);
    expect((await approve(id, second, 'another hash')).body.error?.data.details).toMatchObject([{ code: 'changed' }]);
    expect((await approve(id, second, items_hash)).body.result!.data).toMatchObject({
      needs_approval: false,
      approved_by: second.id,
    });
    expect((await read(id))['content']).not.toBe('');
    expect((await download(id)).status).toBe(200);
    expect((await approve(id, second)).status).not.toBe(200);
  });

  it('of which a payout is taken out are approved as they are then', async () => {
    await rules({ second_person: 'always' });
    const bob = await payeeAt('100002');
    const { id, items_hash } = await create();
    const { body } = await account.api.post(`/payout_exports/${String(id)}/take_out`, { payout_ids: [bob.payout.id] });
    expect(body).toMatchObject({ needs_approval: true, payouts_count: 1 });
    expect(body['items_hash']).not.toBe(items_hash);
    expect((await approve(id, second, items_hash)).body.error?.data.details).toMatchObject([{ code: 'changed' }]);
    expect((await approve(id, second, body['items_hash'])).status).toBe(200);
    const { content } = await read(id);
    expect(content).toContain(ada.payout.id);
    expect(content).not.toContain(bob.payout.id);
  });

  it('are not split, deleted and made again, or made at the same moment to stay below the limit', async () => {
    await above(1_500);
    const bob = await payeeAt('100002');
    const first = await create({ payout_ids: [ada.payout.id] });
    await account.api.delete(`/payout_exports/${String(first['id'])}`);
    expect(await create({ payout_ids: [bob.payout.id] })).toMatchObject({ needs_approval: true });
    service.clock.advance(25, 'hours');
    const carol = await payeeAt('100003');
    const made = await Promise.all([ada, carol].map(({ payout }) => create({ payout_ids: [payout.id] })));
    expect(new Set(made.map(({ needs_approval }) => needs_approval))).toEqual(new Set([true, false]));
    // What is sent by a rail and what is in a file count together.
    await payeeAt('100004');
    expect(await account.api.post('/payout_attempts/prepare', { method: 'toy' })).toMatchObject(needed);
  });

  it('that nobody approved stay unreadable when they are deleted or marked as paid', async () => {
    await rules({ second_person: 'always' });
    const { id } = await create();
    await account.api.delete(`/payout_exports/${String(id)}`);
    expect(await read(id)).toMatchObject({ state: 'released', content: '' });
    expect((await download(id)).status).not.toBe(200);
    const other = await create();
    await account.api.post(`/payout_exports/${String(other['id'])}/payment`, { already_sent: true });
    expect(await read(other['id'])).toMatchObject({ state: 'paid', content: '' });
    const { body } = await account.api.get<{ data: { data: Fields }[] }>('/events', { type: 'payout_export.paid' });
    expect(body.data[0]!.data).not.toHaveProperty('needs_approval');
  });

  it('above the daily limit are not made, and need the next day even with an approval', async () => {
    await rules({ second_person: 'always', daily_limits: [{ currency: 'USD', amount_cents: 1_500 }] });
    const first = await create();
    expect((await approve(first['id'], second)).status).toBe(200);
    await payeeAt('100002');
    const next = await create();
    expect((await approve(next['id'], second)).body.error?.data.details).toMatchObject([{ code: 'daily_limit' }]);
    service.clock.advance(25, 'hours');
    expect((await approve(next['id'], second)).status).toBe(200);
    await rules({ second_person: 'never', daily_limits: [{ currency: 'USD', amount_cents: 1_500 }] });
    service.clock.advance(25, 'hours');
    await payeeAt('100003');
    expect(await create()).toMatchObject({ needs_approval: false });
    await payeeAt('100004');
    expect(await account.api.post('/payout_exports', {})).toMatchObject({
      status: 422,
      body: { details: [{ code: 'daily_limit' }] },
    });
  });

  it('are as hidden from assistants, and a preview says that an approval is needed', async () => {
    await rules({ second_person: 'always' });
    expect((await account.api.post('/payout_exports', {}, { 'X-Dry-Run': 'true' })).status).toBeLessThan(500);
    const { id } = await create();
    const connector = await createConnector(account, {
      permissions: { 'mcp.payout_exports.read': true, 'mcp.payout_exports.write': true },
    });
    await using assistant = await Assistant.overHttp(service, connector.token);
    const shownTo = await assistant.call('manage_payout_exports', { action: 'get', id });
    expect(JSON.stringify(shownTo)).not.toContain(ada.payout.id);
  });
});

it('a batch of test payments needs nothing', async () => {
  await rules({ second_person: 'always', daily_limits: [] });
  const { status } = await account.api.post('/payout_attempts/prepare', { method: 'toy', livemode: false });
  expect(status).toBe(200);
});
