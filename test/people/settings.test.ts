import { PROCEDURES } from '@affiliate/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dayIn } from '../../packages/core/src/platform/mail/in-language.ts';
import { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { type Person, newMember, ownerOf } from '../support/people.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { inMidPeriod, post, turnOn } from './second-factor.ts';

type Session = Outputs['session']['get'];
type Account = Outputs['account']['get'];

const service = useService();
const account = useAccount(service);

describe('an account', () => {
  const update = (by: Person, changes: Record<string, unknown>) =>
    by.browser.mutate<Account>('account.update', { account_id: account.id, ...changes });

  async function stored(): Promise<Record<string, unknown>> {
    const db = service.services.database.kysely;
    return db.selectFrom('account').select(['name', 'currency']).where('id', '=', account.id).executeTakeFirstOrThrow();
  }

  it('can be renamed and given another default currency by owners and admins', async () => {
    const owner = await ownerOf(service, account);
    const { status, body } = await update(owner, { name: 'Northwind Tea', currency: 'eur', time_zone: 'Europe/Berlin' });
    expect(status).toBe(200);
    expect(body.result!.data).toEqual({
      id: account.id,
      livemode: true,
      name: 'Northwind Tea',
      currency: 'EUR',
      role: 'owner',
      time_zone: 'Europe/Berlin',
      mail_language: 'en',
      code_before_link: false,
      payout_approval: { second_person: 'never', above: [], daily_limits: null, new_methods: false, allowed_hours: null },
      payout_terms: [],
      payouts_stopped_at: null,
      is_example: false,
      second_factor_required_from: null,
      lacks_second_factor: false,
      deletion_scheduled_at: null,
    });
    const terms = { name: 'Fixed', url: 'https://shop.example.com', reward_type: 'fixed', commission_amount_cents: 500 };
    expect((await account.api.post('/campaigns', terms)).body).toMatchObject({ commission_amount_currency: 'EUR' });

    const admin = await newMember(service, account, 'admin');
    expect((await update(admin, { name: 'Northwind' })).status).toBe(200);
    expect(await stored()).toEqual({ name: 'Northwind', currency: 'EUR' });
  });

  it('keeps its former choices between codes and links with the times until which they were in force', async () => {
    const owner = await ownerOf(service, account);
    const ends: string[] = [];
    for (const code_before_link of [true, true, false]) {
      service.clock.advance(1, 'minutes');
      ends.push(service.clock.instant());
      expect((await update(owner, { code_before_link })).status).toBe(200);
    }
    const kept = await service.services.database.kysely
      .selectFrom('account')
      .select(['code_before_link', 'former_code_choices'])
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(kept).toEqual({
      code_before_link: false,
      former_code_choices: [
        { until: ends[0], code_before_link: false },
        { until: ends[2], code_before_link: true },
      ],
    });
  });

  it('stores its time zone under a name that the database knows', async () => {
    const owner = await ownerOf(service, account);
    // Node knows this name of a time zone, but databases dropped it in 2020.
    const { body } = await update(owner, { time_zone: 'US/Pacific-New' });
    expect(body.result!.data).toMatchObject({ time_zone: 'America/Los_Angeles' });
    expect((await account.api.get('/analytics')).status).toBe(200);
  });

  it('cannot be changed by others, and its existence is not revealed to them', async () => {
    const before = await stored();
    const member = await newMember(service, account, 'member');
    const stranger = await newMember(service, await service.createAccount(), 'owner');
    const refusals = [await update(member, { name: 'Mine' }), await update(stranger, { name: 'Mine' })];
    refusals.push(await stranger.browser.mutate<Account>('account.update', { account_id: 'acct_nobody', name: 'Mine' }));
    for (const { status, body } of refusals)
      expect({ status, error: body.error }).toEqual({ status: 403, error: refusals[0]!.body.error });
    const withKey = await send(`${service.url}/trpc/account.update`, 'POST', {
      headers: account.api.headers,
      body: { account_id: account.id, name: 'Mine' },
    });
    expect(withKey.status).toBe(401);
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['name', { name: '  ' }],
    ['currency', { currency: 'XXY' }],
    ['time_zone', { time_zone: 'CET' }],
    ['time_zone', { time_zone: 'Europe/Nowhere' }],
  ])('refuses a bad %s', async (path, changes) => {
    const before = await stored();
    const { status, body } = await update(await ownerOf(service, account), changes);
    expect({ status, data: body.error?.data }).toMatchObject({ status: 422, data: { details: [{ path }] } });
    expect(await stored()).toEqual(before);
  });
});

describe('a second factor required of all members', () => {
  let owner: Person;
  let person: Person;
  beforeEach(async () => {
    owner = await ownerOf(service, account);
    person = await newMember(service, account, 'admin');
  });
  inMidPeriod();

  const requireOf = (by: Person, input: object = {}) =>
    by.browser.mutate<Session>('account.requireSecondFactor', {
      account_id: account.id,
      required: true,
      after_days: 0,
      ...input,
    });
  const codeOfRefusal = ({ status, body }: Awaited<ReturnType<typeof requireOf>>) => [status, body.error?.data.code];
  const CLOSED = [403, 'SECOND_FACTOR_REQUIRED'];
  const listCampaigns = (by: Person, accountId = account.id) =>
    by.browser.query<never>('campaigns.list', {}, { 'X-Account-Id': accountId });

  it('is set by an owner who uses one, is announced by email to members without one, and applies from the given day', async () => {
    await turnOn(person);
    const without = await newMember(service, account, 'member');
    expect([(await requireOf(person)).status, (await requireOf(owner)).status]).toEqual([403, 409]);
    await turnOn(owner);
    const { status, body } = await requireOf(owner, { after_days: 3 });
    const from = new Date(service.clock.now().getTime() + 3 * 86_400_000).toISOString();
    expect(status).toBe(200);
    expect(body.result!.data.accounts[0]).toMatchObject({ second_factor_required_from: from, lacks_second_factor: false });
    const mail = await service.mailbox.take(without.email, /requires a second factor/);
    expect(mail.text).toContain(dayIn('en', from, 'UTC'));
    // Asking for a later deadline changes nothing, so nobody gets another email. An earlier deadline takes effect.
    expect((await requireOf(owner, { after_days: 5 })).body.result!.data.accounts[0]).toMatchObject({
      second_factor_required_from: from,
    });
    expect(service.mailbox.mails.filter(({ subject }) => /requires a second factor/.test(subject))).toEqual([]);
    const sooner = (await requireOf(owner, { after_days: 2 })).body.result!.data.accounts[0]!.second_factor_required_from;
    expect(Date.parse(from) - Date.parse(sooner!)).toBe(86_400_000);
    await service.mailbox.take(without.email, /requires a second factor/);
    const { data } = (
      await owner.browser.query<Outputs['auditLog']['browse']>(
        'auditLog.browse',
        { tool: 'account' },
        { 'X-Account-Id': account.id },
      )
    ).body.result!.data;
    expect(data).toMatchObject([
      { action: 'require_second_factor', arguments: { required: true, after_days: 2 } },
      { action: 'require_second_factor', arguments: { required: true, after_days: 3 } },
    ]);

    expect((await listCampaigns(without)).status).toBe(200);
    service.clock.advance(2, 'days');
    expect(codeOfRefusal(await listCampaigns(without))).toEqual(CLOSED);
    expect((await requireOf(owner, { required: false })).status).toBe(200);
    expect((await listCampaigns(without)).status).toBe(200);
  });

  it('blocks only members without one, in every operation of the account', async () => {
    const other = await service.createAccount();
    const at = service.clock.instant();
    const membership = { account_id: other.id, user_id: person.id, role: 'owner', created_at: at, updated_at: at } as const;
    const { kysely } = service.services.database;
    await kysely.insertInto('membership').values(membership).execute();
    // Makes this person an owner of the example, because some procedures are only for owners of the example.
    await kysely.updateTable('account').set({ is_example: true }).where('id', '=', account.id).execute();
    await kysely
      .updateTable('membership')
      .set({ role: 'owner' })
      .where(({ eb }) => eb.and({ account_id: account.id, user_id: person.id }))
      .execute();
    await turnOn(owner);
    expect((await requireOf(owner)).status).toBe(200);

    // The procedures by which signed-in people act on an account, each with an input.
    const about: Record<string, object> = {
      'account.get': {},
      'account.update': { name: 'Ours' },
      'account.delete': { name: 'Ours' },
      'account.removeExample': {},
      'account.leave': {},
      'account.unsentMails': {},
      'account.requireSecondFactor': { required: false },
      'account.restore': {},
      'profile.connectors': {},
      'profile.mails': {},
      'profile.chooseMails': { mails: [] },
      'setup.startOwnProgram': {},
    };
    const open = {
      'account.create': 'makes another account',
      'session.get': 'tells that the account is closed',
      'session.switchAccount': 'turns to another account, and back',
      'portal.start': 'is about the programs in which the person is an affiliate',
      'portal.sums': 'is about the programs in which the person is an affiliate',
      'profile.get': 'is about the person',
      'profile.update': 'is about the person',
      'profile.sessions': 'is about the person',
      'profile.endSession': 'is about the person',
      'installation.get': 'tells the version of the service',
    };
    const forSignedIn = PROCEDURES.filter(({ meta }) => meta.audience === 'signed_in').map(({ path }) => path);
    expect(forSignedIn.toSorted()).toEqual([...Object.keys(about), ...Object.keys(open)].toSorted());
    for (const { path, type, meta } of PROCEDURES) {
      if (!meta.access && !(path in about)) continue;
      const input = meta.access ? {} : { account_id: account.id, ...about[path] };
      const headers = { 'X-Account-Id': account.id };
      const { browser } = person;
      const reply = await (type === 'query'
        ? browser.query<never>(path, input, headers)
        : browser.mutate<never>(path, input, headers));
      expect([path, ...codeOfRefusal(reply)]).toEqual([path, ...CLOSED]);
    }
    expect(await person.browser.send('GET', '/api/v1/campaigns', { query: { account_id: account.id } })).toMatchObject({
      status: 403,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    });
    expect((await account.api.get('/campaigns')).status).toBe(200);
    expect((await listCampaigns(person, other.id)).status).toBe(200);
    const { accounts } = (await person.browser.query<Session>('session.get')).body.result!.data;
    expect(accounts.filter(({ lacks_second_factor }) => lacks_second_factor).map(({ id }) => id)).toEqual([account.id]);

    await turnOn(person);
    expect((await listCampaigns(person)).status).toBe(200);
    expect((await post(person.browser, '/two-factor/disable', { password: person.password })).status).toBe(200);
    expect(codeOfRefusal(await listCampaigns(person))).toEqual(CLOSED);
  });
});

describe('a person’s own', () => {
  let browser: Browser;
  beforeEach(() => {
    browser = new Browser(service.url, service.services.publicUrl);
  });
  const signIn = () => browser.signIn(account.ownerEmail, account.ownerPassword);
  type Sessions = Outputs['profile']['sessions'];
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

  it('sessions are listed with their browser and last use, and each can be ended', async () => {
    await signIn();
    const phone = new Browser(service.url, service.services.publicUrl);
    const body = { email: account.ownerEmail, password: account.ownerPassword };
    await phone.send('POST', '/auth/sign-in/email', { body, headers: { 'User-Agent': FIREFOX } });
    const list = async () => (await browser.query<Sessions>('profile.sessions')).body.result!.data.data;
    const other = (await list())[1]!;
    expect(await list()).toMatchObject([{ is_current: true }, { browser: 'Firefox', os: 'Linux', is_current: false }]);
    expect(other.last_seen_at).toBe(other.started_at);

    service.clock.advance(11, 'minutes');
    await phone.query('session.get');
    expect((await list())[1]!.last_seen_at).toBe(service.clock.instant());

    // A request does not wait for a lock on its session, which another request may hold to record the session's last use.
    service.clock.advance(11, 'minutes');
    using warned = vi.spyOn(service.services.log, 'warn');
    await service.services.database.transaction(async (db) => {
      await db.selectFrom('auth_session').select('id').where('id', '=', other.id).forUpdate().execute();
      expect((await phone.query('session.get')).status).toBe(200);
    });
    expect(warned).not.toHaveBeenCalled();

    const end = (by: Browser) => by.mutate('profile.endSession', { session_id: other.id });
    const stranger = await service.createAccount();
    const thief = new Browser(service.url, service.services.publicUrl);
    await thief.signIn(stranger.ownerEmail, stranger.ownerPassword);
    expect((await end(thief)).status).toBe(404);
    expect((await end(browser)).status).toBe(200);
    expect((await phone.query('session.get')).status).toBe(401);
    expect(await list()).toHaveLength(1);
    expect((await end(browser)).status).toBe(404);
  });

  it('language is the browser’s language at the first sign-in until the person chooses another', async () => {
    const languageAfter = async (accepted: string) => {
      const { ownerEmail: email, ownerPassword: password } = account;
      const headers = { 'Accept-Language': accepted };
      await browser.send('POST', '/auth/sign-in/email', { body: { email, password }, headers });
      return (await browser.query<Session>('session.get')).body.result!.data.user.language;
    };
    expect(await languageAfter('fr')).toBe(null);
    expect(await languageAfter('fr, de-AT;q=0.9, en;q=0.8')).toBe('de');
    expect(await languageAfter('en')).toBe('de');
    const { body } = await browser.mutate<Outputs['profile']['update']>('profile.update', { language: 'en' });
    expect(body.result!.data.language).toBe('en');
    expect(await languageAfter('de')).toBe('en');
    expect((await browser.mutate('profile.update', { language: 'fr' })).status).toBe(422);
  });

  it('name is changed for all accounts', async () => {
    await signIn();
    expect((await browser.mutate('profile.update', { name: ' ' })).status).toBe(422);
    const { body } = await browser.mutate<Outputs['profile']['update']>('profile.update', { name: 'Ada King' });
    expect(body.result!.data).toEqual({
      email: account.ownerEmail,
      name: 'Ada King',
      language: null,
      has_password: true,
      has_second_factor: false,
    });
    expect((await browser.query<Session>('session.get')).body.result!.data.user.name).toBe('Ada King');
  });
});
