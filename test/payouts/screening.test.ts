/** Affiliates are compared with lists before they are paid (docs/rules/payouts.md#screening). */
import { advancePayoutAttempts, finishErasures, loadScreeningList, removeScreeningList, screenAffiliates } from '@affiliate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { Assistant, createConnector } from '../mcp/assistant.ts';
import { PortalVisitor } from '../portal/people.ts';
import { Api, type Fields } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { newMember, ownerOf, type Person } from '../support/people.ts';
import { sell } from '../support/program.ts';
import { answered } from '../support/rest.ts';
import { useAccount, useService } from '../support/suite.ts';
import { payee, type Payee } from './program.ts';
import { MortalWorker } from './rails/mortal-worker.ts';
import { unList } from './screening-lists.ts';
import { ToyRail } from './toy_method/toy-method.ts';

const service = useService();
const account = useAccount(service);
const LISTED = 'Vladimir Vladimirovich PUTIN';
const OTHER = 'Somebody ELSE';
let rail: ToyRail;
let owner: Person;
let ada: Payee;

const load = (names: Parameters<typeof unList>[0], day?: string) => loadScreeningList(service.services, unList(names, day));
const screen = () => screenAffiliates(service.services);
const advance = () => advancePayoutAttempts(service.services);
const settings = '/api/settings/v1/payout_screening';
const configure = (kind: 'lists' | null, { browser } = owner) =>
  browser.send('PUT', settings, { body: { kind }, headers: { 'X-Account-Id': account.id } });
const switchOn = async () => {
  answered(200, await configure('lists'));
  await screen();
};
const payeeNamed = async (name: string, number: string) => {
  const [first_name, last_name] = name.split(' ');
  const person = { first_name, last_name, walleta_email: null, walletb_email: null };
  const made = await payee(account, { person });
  await account.api.post('/payout_methods', { affiliate_id: made.program.affiliate.id, kind: 'toy', address: { number } });
  return made;
};
const idOf = ({ program }: Payee) => program.affiliate.id;
const payoutOf = async ({ payout }: Payee) =>
  (await account.api.get(`/payouts/${payout.id}`, { expand: 'attempts,explanation' })).body;
const screenings = async (of: Payee = ada, query: Fields = {}) =>
  (await account.api.get<{ data: Fields[] }>('/payout_screenings', { affiliate_id: idOf(of), ...query })).body.data;
const prepare = (input: Fields = {}) => account.api.post('/payout_batches', { method: 'toy', ...input });
const send = (id: unknown) => account.api.post(`/payout_batches/${String(id)}/send`);
const batch = async (id: unknown) =>
  (await account.api.get<Fields & { attempts: Fields[] }>(`/payout_batches/${String(id)}`, { expand: 'attempts' })).body;
const release = (id: unknown, by = owner, reason = 'Born in another year.') =>
  by.browser.mutate('payoutScreenings.release', { id, reason });
const paidNumbers = () => [...rail.payments.values()].map(({ number }) => number);

beforeEach(async () => {
  await advance();
  rail = new ToyRail();
  service.services.payoutMethods = [...METHODS, rail.method];
  await removeScreeningList(service.services, 'un');
  await load([OTHER]);
  owner = await ownerOf(service, account);
  ada = await payeeNamed('Wladimir Putin', '100001');
});
afterEach(async () => {
  owner = await ownerOf(service, account);
  answered(200, await configure(null));
  // What waits goes to the rail of the test.
  service.clock.advance(10, 'minutes');
  await advance();
});

describe('an account that does not compare affiliates', () => {
  it('pays everybody, and stores nothing', async () => {
    await load([LISTED, OTHER]);
    await screen();
    const { body } = await prepare();
    expect(body).toMatchObject({ payouts_count: 1 });
    await send(body['id']);
    await advance();
    expect(paidNumbers()).toEqual(['100001']);
    expect(await screenings()).toEqual([]);
  });

  it('switches it on by an admin, and off only by a person with a new sign-in', async () => {
    expect((await configure('lists', await newMember(service, account, 'member'))).status).toBe(403);
    expect((await account.api.send('PUT', settings, { body: { kind: 'lists' } })).status).toBe(200);
    const byKey = await account.api.send('PUT', settings, { body: { kind: null } });
    expect(byKey).toMatchObject({ status: 403, body: { details: { reason: 'person_needed' } } });
    await service.services.database.kysely
      .updateTable('auth_session')
      .set({ created_at: new Date(Date.now() - 16 * 60_000).toISOString() as never })
      .where('user_id', '=', owner.id)
      .execute();
    expect(await configure(null)).toMatchObject({ status: 403, body: { details: { reason: 'sign_in_again' } } });
    owner = await ownerOf(service, account);
    expect((await configure(null)).body).toMatchObject({ kind: null, lists: [{ list: 'un' }] });
  });
});

describe('an affiliate whose name is alike', () => {
  beforeEach(async () => {
    await load([LISTED, OTHER]);
    await switchOn();
  });

  it('is paid by no door, and every door says why', async () => {
    const bob = await payeeNamed('Bob Miller', '100002');
    await screen();
    expect(await payoutOf(ada)).toMatchObject({
      state: 'pending',
      eligible: false,
      ineligible_reasons: ['screening'],
      explanation: {
        text: expect.stringContaining('“Vladimir Vladimirovich PUTIN” (QDi.001) on the list UN of 2026-11-20') as string,
      },
    });
    expect(await payoutOf(bob)).toMatchObject({ state: 'due', ineligible_reasons: [] });
    expect(await screenings()).toMatchObject([
      {
        names: ['Wladimir Putin'],
        result: 'hit',
        held: true,
        lists: [{ list: 'un', list_date: '2026-11-20' }],
        matches: [{ list: 'un', entry: 'QDi.001', name: LISTED, born: '1965' }],
      },
    ]);
    const { data: events } = (await account.api.get<{ data: Fields[] }>('/events', { type: 'payout.updated' })).body;
    expect(JSON.stringify(events)).toContain('"ineligible_reasons":["screening"]');
    const refused = { status: 422, body: { details: [{ code: 'not_eligible' }] } };
    const payout_ids = [ada.payout.id];
    expect(await account.api.post('/payout_exports', { payout_ids })).toMatchObject(refused);
    expect(await account.api.post('/payout_runs', { payout_ids })).toMatchObject(refused);
    expect(await account.api.post('/payout_attempts/prepare', { method: 'toy', payout_ids })).toMatchObject(refused);
    const prepared = await prepare();
    expect(prepared.body).toMatchObject({ payouts_count: 1 });
    await send(prepared.body['id']);
    await advance();
    expect(paidNumbers()).toEqual(['100002']);

    const permissions = {
      'mcp.commissions.read': true,
      'mcp.payouts.read': true,
      'mcp.payouts.write': true,
      'mcp.payout_outcomes.write': true,
    };
    const connector = await createConnector(account, { permissions });
    await using assistant = await Assistant.overHttp(service, connector.token);
    expect(await assistant.list('payouts', { action: 'list', affiliate_id: idOf(ada) })).toMatchObject([
      { ineligible_reasons: ['screening'] },
    ]);
    const explained = await assistant.result('explain', { action: 'payout', id: ada.payout.id });
    expect(JSON.stringify(explained)).toContain('QDi.001');
    expect(await assistant.toolNames()).not.toContain('payout_screenings');

    const visitor = await PortalVisitor.enter(service, account, ada.program.affiliate.email);
    const outlook = JSON.stringify(await visitor.query('portal.home'));
    expect(outlook).toContain('checks the details of the account before it pays');
    expect(outlook).not.toContain('QDi.001');
  });

  it('is released by a signed-in person with the right and a reason, and by nobody else', async () => {
    const [{ id } = {}] = await screenings();
    const all = await account.apiWith({ all: true });
    const path = `/payout_screenings/${String(id)}/release`;
    expect(await all.post(path, { reason: 'Mine' })).toMatchObject({
      status: 403,
      body: { details: { reason: 'person_needed' } },
    });
    const connector = await createConnector(account, {
      permissions: { 'mcp.payouts.write': true, 'mcp.payout_outcomes.write': true },
    });
    const byConnector = new Api(service.url, { Authorization: `Bearer ${connector.token}` });
    expect((await byConnector.post(path, { reason: 'Mine' })).status).toBeGreaterThanOrEqual(401);
    for (const role of ['viewer', 'member'] as const)
      expect((await release(id, await newMember(service, account, role))).status).toBe(403);
    expect((await release(id, owner, ' ')).status).toBe(422);
    expect(await payoutOf(ada)).toMatchObject({ eligible: false });

    const finance = await newMember(service, account, 'finance');
    expect((await release(id, finance)).body.result!.data).toMatchObject({
      held: false,
      released_by: finance.id,
      release_reason: 'Born in another year.',
    });
    expect((await release(id, finance)).status).toBe(422);
    expect(await payoutOf(ada)).toMatchObject({ eligible: true, ineligible_reasons: [] });
    const entries = await account.client.auditLog.browse.query({ tool: 'payout_screenings' });
    expect(JSON.stringify(entries.data)).toContain('Born in another year.');
    const { body } = await prepare();
    await send(body['id']);
    await advance();
    expect(paidNumbers()).toEqual(['100001']);
  });

  it('stays released for the same name, method and entries only', async () => {
    const releaseNow = async () => {
      const [{ id } = {}] = await screenings();
      expect((await release(id)).status).toBe(200);
      expect(await payoutOf(ada)).toMatchObject({ eligible: true });
    };
    await releaseNow();
    // Another version of the list with the same entry.
    await load([LISTED, OTHER, 'A third one'], '2026-11-21');
    expect(await account.api.post('/payout_exports', {})).toMatchObject({
      status: 422,
      body: { details: [{ code: 'screening' }] },
    });
    await screen();
    expect(await payoutOf(ada)).toMatchObject({ eligible: true });
    expect(await screenings()).toMatchObject([{ lists: [{ list_date: '2026-11-21' }], held: false }]);

    await load([LISTED, OTHER, ['Vladimir Putin', 'QDi.900']], '2026-11-22');
    await screen();
    expect(await screenings()).toMatchObject([
      { held: true, released_at: null },
      { held: false, current: false },
    ]);
    await releaseNow();

    await account.api.patch(`/affiliates/${idOf(ada)}`, { first_name: 'Vladimir' });
    await screen();
    expect(await payoutOf(ada)).toMatchObject({ eligible: false });
    await releaseNow();

    const { data } = (await account.api.get<{ data: Fields[] }>('/payout_methods', { affiliate_id: idOf(ada) })).body;
    await account.api.patch(`/payout_methods/${String(data[0]!['id'])}`, { address: { number: '100009' } });
    service.clock.advance(4, 'days');
    await screen();
    expect(await payoutOf(ada)).toMatchObject({ ineligible_reasons: ['screening'] });
    expect(await screenings()).toHaveLength(4);
  });

  it('is told to the owners once, and to nobody of the outside', async () => {
    await screen();
    await sendAllMail(service.services);
    const mails = service.mailbox.takeAll(owner.email, /Payouts to Wladimir Putin are held/);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).not.toContain('QDi.001');
    expect(service.mailbox.takeAll(ada.program.affiliate.email, /held/)).toEqual([]);
  });

  it('is no longer named once erased, and told before', async () => {
    const data = async () =>
      (await account.api.get<{ records: Record<string, Fields[]> }>(`/affiliates/${idOf(ada)}/personal_data`)).body.records;
    expect((await data())['payout_screenings']).toMatchObject([{ names: ['Wladimir Putin'], result: 'hit' }]);
    const { id } = (await screenings())[0]!;
    expect((await release(id, owner, 'Her passport says Wladimira.')).status).toBe(200);
    expect((await account.api.post(`/affiliates/${idOf(ada)}/erase`, {})).status).toBe(200);
    await finishErasures(service.services);
    expect(await screenings()).toMatchObject([
      { names: [], matches: [], result: 'hit', release_reason: null, released_by: owner.id },
    ]);
    await screen();
    expect(await screenings()).toHaveLength(1);
    const rows = service.services.database.kysely
      .selectFrom('payout_screening')
      .selectAll()
      .where('affiliate_id', '=', idOf(ada));
    expect(await rows.execute()).toMatchObject([{ first_name: null, last_name: null, sealed_names: null }]);
  });
});

describe('a payment that is prepared already', () => {
  /** Prepares the payment by the account's key, has another person approve it, and has it sent, without the worker. */
  const approved = async () => {
    const second = await newMember(service, account, 'admin');
    const payout_approval = { second_person: 'always' };
    await owner.browser.mutate('account.update', { account_id: account.id, payout_approval });
    const { id } = (await prepare()).body;
    expect((await second.browser.mutate('payoutBatches.approve', { id })).status).toBe(200);
    expect((await send(id)).status).toBe(200);
    return id;
  };

  it('waits for a hit that was found since, and goes out under its approval when it is released', async () => {
    await switchOn();
    const id = await approved();
    await load([LISTED, OTHER]);
    await advance();
    expect(await batch(id)).toMatchObject({
      state: 'paying',
      waits_for: 'screening',
      attempts: [{ state: 'approved', reason: 'screening' }],
    });
    await screen();
    await advance();
    service.clock.advance(1, 'hours');
    await advance();
    expect(rail.calls).toEqual([]);
    expect(await payoutOf(ada)).toMatchObject({
      state: 'processing',
      explanation: { text: expect.stringContaining('QDi.001') as string },
    });

    owner = await ownerOf(service, account);
    const [{ id: screening } = {}] = await screenings(ada, { held: true });
    expect((await release(screening)).status).toBe(200);
    await advance();
    expect(paidNumbers()).toEqual(['100001']);
    expect(await batch(id)).toMatchObject({ waits_for: null, attempts: [{ state: 'in_transit', reason: null }] });
  });

  it('goes on by itself when the next comparison clears it', async () => {
    await switchOn();
    const id = await approved();
    await load([OTHER, 'Yet another'], '2026-11-21');
    await advance();
    expect(await batch(id)).toMatchObject({ waits_for: 'screening' });
    await screen();
    await advance();
    expect(paidNumbers()).toEqual(['100001']);
  });

  it('is not repeated under its key while its affiliate is held, and pays once after it', async () => {
    await switchOn();
    rail.next = 'lose the request';
    const id = await approved();
    await advance();
    expect(await batch(id)).toMatchObject({ attempts: [{ state: 'unknown', reason: 'no_answer' }] });
    await load([LISTED, OTHER]);
    await screen();
    for (let round = 0; round < 3; round += 1) {
      service.clock.advance(10, 'minutes');
      await advance();
    }
    expect(rail.calls).toHaveLength(1);
    expect((await release((await screenings(ada, { held: true }))[0]!['id'])).status).toBe(200);
    service.clock.advance(10, 'minutes');
    await advance();
    expect(new Set(rail.calls.map(({ key }) => key)).size).toBe(1);
    expect(rail.calls).toHaveLength(2);
    expect(paidNumbers()).toEqual(['100001']);
  });

  it('is withdrawn if it would go to a former name, which nobody compares any more', async () => {
    await load([LISTED, OTHER]);
    const id = await approved();
    await account.api.patch(`/affiliates/${idOf(ada)}`, { first_name: 'Anna', last_name: 'Schmidt' });
    await switchOn();
    await advance();
    expect(rail.calls).toEqual([]);
    expect(await batch(id)).toMatchObject({ attempts: [{ state: 'withdrawn', reason: 'payout_details_changed' }] });
  });

  it('sees a list that was loaded while it waited for its affiliate', async () => {
    await switchOn();
    await approved();
    await using locks = await Locks.open(service.databaseUrl, account.id);
    const lock = await locks.affiliate(idOf(ada));
    await lock.held;
    const working = advance();
    await locks.areWaiting(1);
    await load([LISTED, OTHER]);
    await lock.release();
    await working;
    await screen();
    await advance();
    expect(rail.calls).toEqual([]);
  });

  it('is not sent while its affiliate is held, in any race', { timeout: 120_000 }, async () => {
    await switchOn();
    const payees = [ada];
    for (const number of ['100002', '100003', '100004']) payees.push(await payeeNamed('Wladimir Putin', number));
    await screen();
    for (let round = 0; round < 6; round += 1) {
      const isListed = round % 2 === 0;
      for (const { referral_id } of payees) await sell(account, { referral_id, amount_cents: 10_000 });
      service.clock.advance(1, 'minutes');
      const { id } = (await prepare()).body;
      await send(id);
      const names = isListed ? [LISTED, OTHER] : [OTHER, `Number ${round}`];
      await Promise.all([advance(), load(names, `2026-11-${21 + round}`), screen(), advance(), screen()]);
      // What was marked as sent before the list was loaded is under way. Nothing else goes out from here on.
      const sent = rail.calls.length;
      await advance();
      await screen();
      service.clock.advance(10, 'minutes');
      await advance();
      expect(isListed ? rail.calls.length : sent).toBe(sent);
      const { attempts } = await batch(id);
      const unsent = attempts.filter(({ state }) => state === 'prepared');
      expect(unsent.filter(({ reason }) => reason !== 'screening')).toEqual([]);
      await load([OTHER, `Cleared ${round}`], `2026-11-${21 + round}`);
      await screen();
      await advance();
      rail.turn({ state: 'arrived', raw_state: 'DONE' });
      service.clock.advance(10, 'minutes');
      await advance();
      for (const each of payees) {
        const { data } = (await account.api.get<{ data: Fields[] }>('/payouts', { affiliate_id: idOf(each) })).body;
        expect(data.filter(({ state }) => state !== 'paid')).toEqual([]);
      }
    }
  });

  it('is not sent by a process that dies, and is sent once after it', { timeout: 120_000 }, async () => {
    await switchOn();
    for (let moments = 0; moments < 14; moments += 1) {
      await sell(account, { referral_id: ada.referral_id, amount_cents: 10_000 });
      service.clock.advance(1, 'minutes');
      await load([LISTED, `Number ${moments}`], '2026-11-21');
      const isHeldFirst = moments % 2 === 0;
      if (isHeldFirst) await new MortalWorker(service.services, moments).work(screenAffiliates);
      await load([OTHER, `Number ${moments}`], '2026-11-21');
      await new MortalWorker(service.services, moments).work(screenAffiliates);
      await screen();
      const { id } = (await prepare()).body;
      await send(id);
      const before = rail.payments.size;
      await load([LISTED, `Again ${moments}`], '2026-11-21');
      await new MortalWorker(service.services, moments).work();
      await new MortalWorker(service.services, moments).work(screenAffiliates);
      await advance();
      await screen();
      await advance();
      expect({ moments, sent: rail.payments.size - before }).toEqual({ moments, sent: 0 });
      await load([OTHER, `Again ${moments}`], '2026-11-21');
      await new MortalWorker(service.services, moments).work(screenAffiliates);
      await screen();
      await new MortalWorker(service.services, moments).work();
      service.clock.advance(10, 'minutes');
      await advance();
      expect({ moments, sent: rail.payments.size - before }).toEqual({ moments, sent: 1 });
      rail.turn({ state: 'arrived', raw_state: 'DONE' });
      service.clock.advance(10, 'minutes');
      await advance();
    }
  });
});

describe('an export and a run of payouts', () => {
  it('are not approved with an affiliate who is held since', async () => {
    await switchOn();
    const second = await newMember(service, account, 'admin');
    const payout_approval = { second_person: 'always' };
    await owner.browser.mutate('account.update', { account_id: account.id, payout_approval });
    const { id } = (await account.api.post('/payout_exports', {})).body;
    await load([LISTED, OTHER]);
    const approved = await second.browser.mutate('payoutExports.approve', { id });
    expect(approved).toMatchObject({ status: 422, body: { error: { data: { details: [{ code: 'screening' }] } } } });
    expect((await account.api.get(`/payout_exports/${String(id)}`)).body).toMatchObject({ content: '', needs_approval: true });
  });

  it('are not paid with an affiliate who is held since', async () => {
    await switchOn();
    const exported = await account.api.post('/payout_exports', { payout_ids: [ada.payout.id] });
    expect(exported.status).toBe(201);
    await load([LISTED, OTHER]);
    await screen();
    const path = `/payout_exports/${String(exported.body['id'])}`;
    const refused = await account.api.post(`${path}/payment`);
    expect(refused).toMatchObject({ status: 422, body: { details: [{ code: 'screening' }] } });
    // Who has used the file already says so.
    expect((await account.api.post(`${path}/payment`, { already_sent: true })).status).toBe(200);

    await removeScreeningList(service.services, 'un');
    await load([OTHER]);
    await sell(account, { referral_id: ada.referral_id, amount_cents: 10_000 });
    await screen();
    const run = await account.api.post('/payout_runs', {});
    expect(run.body).toMatchObject({ items_total: 1 });
    await load([LISTED, OTHER]);
    await screen();
    const executed = await account.api.put(`/payout_runs/${String(run.body['id'])}/execute`, { async: false });
    expect(executed.body).toMatchObject({ state: 'partially_completed', issues: [{ code: 'screening', items_count: 1 }] });
  });
});

describe('nobody is cleared', () => {
  it('without a list, with one that is too old, and without a name', async () => {
    await removeScreeningList(service.services, 'un');
    await switchOn();
    expect(await screenings()).toMatchObject([{ result: 'unavailable', held: true, lists: [] }]);
    expect((await release((await screenings())[0]!['id'])).status).toBe(422);
    expect(await payoutOf(ada)).toMatchObject({
      ineligible_reasons: ['screening'],
      explanation: { text: expect.stringContaining('no list is loaded') as string },
    });

    await load([OTHER]);
    await screen();
    expect(await payoutOf(ada)).toMatchObject({ eligible: true });
    const lists = async () => (await account.api.send<{ lists: Fields[] }>('GET', settings)).body.lists;
    expect(await lists()).toMatchObject([{ list: 'un', list_date: '2026-11-20', names_count: 1, fresh: true }]);
    service.clock.advance(31, 'days');
    await screen();
    expect(await lists()).toMatchObject([{ fresh: false }]);
    expect(await screenings()).toMatchObject([{ result: 'unavailable' }, { result: 'clear', current: false }, {}]);
    await load([OTHER]);
    await screen();
    expect(await payoutOf(ada)).toMatchObject({ eligible: true });

    await account.api.patch(`/affiliates/${idOf(ada)}`, { first_name: null, last_name: null });
    await screen();
    expect(await screenings(ada, { held: true })).toMatchObject([{ result: 'unavailable', names: [] }]);
    await account.api.patch(`/affiliates/${idOf(ada)}`, { first_name: 'Ada', last_name: 'King' });
    await screen();
    expect(await payoutOf(ada)).toMatchObject({ eligible: true });
  });

  it('whose bank account belongs to somebody on a list', async () => {
    const iban = 'DE89370400440532013000';
    const body = { kind: 'bank_sepa', credentials: { account_holder: 'Shop GmbH', iban } };
    expect((await account.api.send('POST', '/api/settings/v1/payout_rails', { body })).status).toBe(201);
    const bob = await payeeNamed('Bob Miller', '100002');
    await load([LISTED, OTHER]);
    await switchOn();
    expect(await payoutOf(bob)).toMatchObject({ eligible: true });
    const address = { account_holder: 'Vladimir Putin', iban: 'FR1420041010050500013M02606' };
    const added = await account.api.post('/payout_methods', { affiliate_id: idOf(bob), kind: 'bank_sepa', address });
    expect(added.status).toBe(201);
    await screen();
    expect(await screenings(bob, { held: true })).toMatchObject([{ names: ['Bob Miller', 'Vladimir Putin'], result: 'hit' }]);
  });
});

describe('a list', () => {
  it('is replaced by no older one, and by none with less than half of the names', async () => {
    await load([LISTED, OTHER, 'Third one'], '2026-11-25');
    await expect(load([LISTED, OTHER, 'Third one'], '2026-11-24')).rejects.toThrow('This file is of 2026-11-24');
    await expect(load([LISTED], '2026-11-26')).rejects.toThrow('This file has 1 names');
    await expect(loadScreeningList(service.services, unList([LISTED]).slice(0, -30))).rejects.toThrow('cut off');
    await expect(loadScreeningList(service.services, '<rss></rss>')).rejects.toThrow('none of the lists');
    const { names_count } = await load([LISTED, OTHER], '2026-11-26');
    expect(names_count).toBe(2);
  });
});

it('another account learns nothing, and releases nothing', async () => {
  await load([LISTED, OTHER]);
  await switchOn();
  const [{ id } = {}] = await screenings();
  const stranger = await service.createAccount();
  const path = `/payout_screenings/${String(id)}`;
  expect((await stranger.api.get(path)).status).toBe(404);
  expect((await stranger.api.get<{ data: Fields[] }>('/payout_screenings')).body.data).toEqual([]);
  const theirs = await ownerOf(service, stranger);
  const released = await theirs.browser.mutate('payoutScreenings.release', { id, reason: 'Mine' });
  expect(released.status).toBe(404);
});
