import { purgeRows } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Session = Outputs['session']['get'];

const service = useService();
const account = useAccount(service);
let browser: Browser;

beforeEach(async () => {
  browser = new Browser(service.url, service.services.publicUrl);
});

const signIn = () => browser.signIn(account.ownerEmail, account.ownerPassword);
const namesOf = (cookies: string) => cookies.split('; ').map((cookie) => cookie.split('=')[0]);

describe('signing in', () => {
  it('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const reply = await signIn();
    expect(reply.status).toBe(200);
    const [cookie] = reply.headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-affiliate\.session_token=[^;]+;/);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  it('shows who has signed in, and to which account', async () => {
    await signIn();
    const { body } = await browser.query<Session>('session.get');
    expect(body.result!.data).toEqual({
      affiliations: [],
      user: {
        id: account.ownerId,
        email: account.ownerEmail,
        name: expect.any(String),
        has_second_factor: false,
        language: null,
      },
      accounts: [
        {
          id: account.id,
          livemode: true,
          name: 'Test account',
          currency: 'USD',
          role: 'owner',
          time_zone: 'UTC',
          mail_language: 'en',
          code_before_link: false,
          payout_approval: { second_person: 'never', above: [], daily_limits: null, new_methods: false, allowed_hours: null },
          payout_terms: [],
          payouts_stopped_at: null,
          is_example: false,
          second_factor_required_from: null,
          lacks_second_factor: false,
          deletion_scheduled_at: null,
        },
      ],
      active_account_id: account.id,
    });
  });

  it('refuses a wrong password and an unknown address with the same response', async () => {
    const wrong = await browser.signIn(account.ownerEmail, 'not the password');
    const unknown = await browser.signIn('nobody@example.com', 'not the password');
    expect(wrong.status).toBe(401);
    expect(wrong.body).toMatchObject({ code: 'UNAUTHORIZED' });
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
    expect(unknown.status).toBe(401);
  });

  it('reveals the session token only in the cookie', async () => {
    const { text } = await signIn();
    const [token] = decodeURIComponent(browser.cookie.split('=')[1]!).split('.');
    expect(text).not.toContain(token);
    expect((await browser.send('GET', '/auth/get-session')).text).not.toContain(token);
  });

  it('names the invalid field', async () => {
    const reply = await browser.send('POST', '/auth/sign-in/email', { body: { email: 'nobody', password: 'x', extra: 1 } });
    expect(reply.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'email' }, { path: 'extra' }] });
  });

  it.each([
    [{ email: 'a\0b@example.com', password: 'x' }],
    [{ email: 1, password: [] }],
    [{ email: 'ada@example.com' }],
    [{ email: 'ada@example.com', password: 'x'.repeat(100_000) }],
  ])('answers %j with the envelope', async (body) => {
    const reply = await browser.send('POST', '/auth/sign-in/email', { body });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(reply.body).toMatchObject({ error: expect.any(String), code: expect.any(String) });
  });

  it('does not offer signing up', async () => {
    const body = { email: 'new@example.com', password: 'long enough', name: 'New' };
    const reply = await browser.send('POST', '/auth/sign-up/email', { body });
    expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('ends with signing out', async () => {
    await signIn();
    const stolen = browser.cookie;
    expect(namesOf(stolen)).toEqual(['__Secure-affiliate.session_token', 'affiliate_known_browser']);
    expect((await browser.send('POST', '/auth/sign-out', { body: {} })).status).toBe(200);
    // A browser that is known is not signed in: the cookie stays, so that strangers cannot use up the attempts of the next sign-in.
    expect(namesOf(browser.cookie)).toEqual(['affiliate_known_browser']);
    expect((await browser.send('GET', '/api/v1/campaigns')).status).toBe(401);
    const reply = await send(`${service.url}/api/v1/campaigns`, 'GET', { headers: { Cookie: stolen } });
    expect(reply).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  });

  it('ends when it expires', async () => {
    await signIn();
    await service.services.database.kysely
      .updateTable('auth_session')
      .set({ expires_at: new Date(Date.now() - 1_000).toISOString() })
      .where('user_id', '=', account.ownerId)
      .execute();
    expect((await browser.send('GET', '/api/v1/campaigns')).status).toBe(401);
  });

  it('lasts seven days, and longer while the session is used', async () => {
    await signIn();
    const { kysely } = service.services.database;
    const daysLeft = async () => {
      const query = kysely.selectFrom('auth_session').select('expires_at').where('user_id', '=', account.ownerId);
      return (Date.parse((await query.executeTakeFirstOrThrow()).expires_at) - Date.now()) / 86_400_000;
    };
    const setDaysLeft = async (days: number) => {
      const expires_at = new Date(Date.now() + days * 86_400_000).toISOString();
      await kysely.updateTable('auth_session').set({ expires_at }).where('user_id', '=', account.ownerId).execute();
    };
    expect(await daysLeft()).toBeCloseTo(7, 2);
    await setDaysLeft(6.5);
    expect((await browser.query('session.get')).headers.getSetCookie()).toEqual([]);
    expect(await daysLeft()).toBeCloseTo(6.5, 2);
    for (const use of [() => browser.query('session.get'), () => browser.send('GET', '/api/v1/campaigns')]) {
      await setDaysLeft(5.5);
      const [cookie] = (await use()).headers.getSetCookie();
      expect(cookie).toMatch(/^__Secure-affiliate\.session_token=.*Max-Age=604800.*HttpOnly/);
      expect(await daysLeft()).toBeCloseTo(7, 2);
    }
    expect((await browser.query('session.get')).status).toBe(200);
  });

  it('refuses a cookie that was changed', async () => {
    await signIn();
    const forged = browser.cookie.replace(/=./, (start) => (start === '=A' ? '=B' : '=A'));
    expect((await send(`${service.url}/api/v1/campaigns`, 'GET', { headers: { Cookie: forged } })).status).toBe(401);
  });
});

describe('the account of a call', () => {
  it('is the session’s active account, unless the call names another account', async () => {
    const other = await service.createAccount();
    await signIn();
    expect((await browser.send('GET', '/api/v1/campaigns')).status).toBe(200);
    const named = { headers: { 'X-Account-Id': other.id } };
    expect(await browser.send('GET', '/api/v1/campaigns', named)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await browser.send('GET', '/api/v1/campaigns', { query: { account_id: account.id } })).status).toBe(200);
    // A response names its account, because pages send their first requests before they know the account.
    expect((await browser.query('campaigns.list', {})).headers.get('x-account-id')).toBe(account.id);
  });

  it('must be the same in header and query', async () => {
    const other = await service.createAccount();
    await signIn();
    const call = { query: { account_id: account.id }, headers: { 'X-Account-Id': other.id } };
    expect(await browser.send('GET', '/api/v1/campaigns', call)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR' },
    });
  });

  it('can be an unknown or another person’s account, with the same response for both', async () => {
    const other = await service.createAccount();
    await signIn();
    const foreign = await browser.send('GET', '/api/v1/campaigns', { query: { account_id: other.id } });
    const unknown = await browser.send('GET', '/api/v1/campaigns', { query: { account_id: 'acct_none' } });
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...foreign.body, request_id: '' });
    expect(unknown.status).toBe(403);
  });

  it('can be switched to another account of the person', async () => {
    const other = await service.createAccount();
    await addOwner(other);
    await signIn();
    const switched = await browser.mutate<Session>('session.switchAccount', { account_id: other.id });
    expect(switched.body.result!.data.active_account_id).toBe(other.id);
    const created = await browser.send('POST', '/api/v1/campaigns', {
      body: { name: 'Elsewhere', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 5 },
    });
    expect(created.status).toBe(201);
    expect((await other.api.get(`/campaigns/${created.body['id'] as string}`)).status).toBe(200);
    const third = await service.createAccount();
    const refused = await browser.mutate('session.switchAccount', { account_id: third.id });
    expect(refused).toMatchObject({ status: 403, body: { error: { data: { code: 'FORBIDDEN' } } } });
  });

  it('is missing for a person without memberships', async () => {
    await signIn();
    await service.services.database.kysely.deleteFrom('membership').where('user_id', '=', account.ownerId).execute();
    expect((await browser.send('GET', '/api/v1/campaigns')).status).toBe(403);
    const { body } = await browser.query<Session>('session.get');
    expect(body.result!.data).toMatchObject({ accounts: [], active_account_id: null });
    const again = new Browser(service.url, service.services.publicUrl);
    await again.signIn(account.ownerEmail, account.ownerPassword);
    expect(await again.send('GET', '/api/v1/campaigns')).toMatchObject({ status: 400, body: { code: 'MISSING_ACCOUNT_ID' } });
  });

  async function addOwner(other: TestAccount): Promise<void> {
    const at = service.clock.instant();
    await service.services.database.kysely
      .insertInto('membership')
      .values({ account_id: other.id, user_id: account.ownerId, role: 'owner', created_at: at, updated_at: at })
      .execute();
  }
});

describe('a key beside a session', () => {
  it('takes precedence, even if it is not valid', async () => {
    await signIn();
    const limited = await account.apiWith({ 'v1.links.read': true });
    expect((await browser.send('GET', '/api/v1/campaigns', { headers: { ...limited.headers } })).status).toBe(403);
    expect((await browser.send('GET', '/api/v1/campaigns', { headers: { 'X-Api-Key': 'apk_wrong' } })).status).toBe(401);
  });
});

describe('other sites', () => {
  const campaign = { name: 'Mine', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 5 };
  const writes: [string, () => Promise<{ status: number }>][] = [
    ['REST', () => browser.send('POST', '/api/v1/campaigns', { body: campaign })],
    ['tRPC', () => browser.mutate('campaigns.create', campaign)],
    ['signing out', () => browser.send('POST', '/auth/sign-out', { body: {} })],
    ['signing in', () => signIn()],
  ];

  it.each(writes)('cannot write over %s', async (_, write) => {
    await signIn();
    for (const origin of ['https://evil.example', 'null', `${service.services.publicUrl}.evil.example`]) {
      browser.origin = origin;
      expect((await write()).status).toBe(403);
    }
    browser.origin = service.services.publicUrl;
    expect((await write()).status).toBeLessThan(300);
  });

  it('are recognized by Sec-Fetch-Site when a request has no origin', async () => {
    await signIn();
    const post = (headers: Record<string, string>) =>
      send(`${service.url}/api/v1/campaigns`, 'POST', { body: campaign, headers: { Cookie: browser.cookie, ...headers } });
    expect((await post({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await post({ 'Sec-Fetch-Site': 'same-site' })).status).toBe(403);
    expect((await post({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(201);
    expect((await post({})).status).toBe(201);
  });

  it('cannot read anything, because no CORS header allows it', async () => {
    await signIn();
    browser.origin = 'https://evil.example';
    expect((await browser.send('GET', '/api/v1/campaigns')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('are not refused if they call with a key', async () => {
    const headers = { ...account.api.headers, Origin: 'https://evil.example' };
    expect((await send(`${service.url}/api/v1/campaigns`, 'POST', { body: campaign, headers })).status).toBe(201);
  });
});

describe('typed clients', () => {
  it('get an error for input that is not JSON', async () => {
    await signIn();
    const refused = { status: 400, body: { error: { data: { code: 'MALFORMED_JSON' } } } };
    expect(await browser.send('POST', '/trpc/members.updateRole', { raw: '{', headers: json })).toMatchObject(refused);
    expect(await browser.send('GET', '/trpc/members.list', { query: 'input=nope' })).toMatchObject(refused);
    const deep = `{"user_id":${'['.repeat(100)}${']'.repeat(100)}}`;
    expect((await browser.send('POST', '/trpc/members.updateRole', { raw: deep, headers: json })).status).toBe(422);
    const large = JSON.stringify({ user_id: 'x'.repeat(2_000_000) });
    expect((await browser.send('POST', '/trpc/members.updateRole', { raw: large, headers: json })).status).toBe(413);
  });
  const json = { 'Content-Type': 'application/json' };
});

describe('expired records', () => {
  it('are deleted, and nothing else', async () => {
    await signIn();
    const other = await service.createAccount();
    await new Browser(service.url, service.services.publicUrl).signIn(other.ownerEmail, other.ownerPassword);
    const { kysely } = service.services.database;
    const past = new Date(service.clock.now().getTime() - 1).toISOString();
    await kysely.updateTable('auth_session').set({ expires_at: past }).where('user_id', '=', other.ownerId).execute();
    await purgeRows(service.services, 'auth_session');
    const left = await kysely.selectFrom('auth_session').select('user_id').execute();
    expect(left).toContainEqual({ user_id: account.ownerId });
    expect(left).not.toContainEqual({ user_id: other.ownerId });
  });
});
