import { describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { newMember } from '../support/people.ts';
import { credentials } from '../support/service.ts';
import { OauthSetting, later } from './oauth-setting.ts';
import { CALLBACK, type RemoteAssistant, decide, follow } from './remote-assistant.ts';

const PUBLIC_URL = 'https://affiliates.example.com';
const RESOURCE = `${PUBLIC_URL}/mcp`;

const setting = OauthSetting.forThisFile();

/** Sends the authorization request with changed parameters. Returns the URL to which the response redirects. */
function followed({ sentTo }: RemoteAssistant, change: Record<string, string | null>): Promise<URL> {
  const link = new URL(sentTo!);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) link.searchParams.delete(name);
    else link.searchParams.set(name, value);
  }
  return follow(setting.service, link);
}

describe('an authorization request', () => {
  it.each([
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:33418/other' }],
    ['a redirect URI of another host', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect URI that only starts like the registered one', { redirect_uri: `${CALLBACK}/../x` }],
    ['no redirect URI', { redirect_uri: null }],
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: null }],
  ])('with %s shows an error page instead of redirecting', async (_, change) => {
    const page = await followed(await setting.asking(), change);
    expect([page.origin, page.pathname]).toEqual([PUBLIC_URL, '/connect-assistant']);
    expect(page.searchParams.get('error')).not.toBeNull();
    expect(page.searchParams.has('sig')).toBe(false);
  });

  it.each([
    ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without a method', { code_challenge_method: null }, 'invalid_request'],
    ['another resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['another response type', { response_type: 'none' }, 'unsupported_response_type'],
  ])('with %s redirects to the assistant with an error', async (_, change, error) => {
    const assistant = await setting.asking();
    const back = await followed(assistant, change);
    expect(back.href.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error,
      state: assistant.kept.state,
      iss: `${PUBLIC_URL}/auth`,
    });
    expect(back.searchParams.has('code')).toBe(false);
  });

  it('can use any loopback port (RFC 8252, section 7.3) and omit the resource', async () => {
    const page = await followed(await setting.asking(), { redirect_uri: CALLBACK.replace('33418', '50000'), resource: null });
    expect(page.searchParams.get('resource')).toBe(RESOURCE);
    expect(page.searchParams.has('sig')).toBe(true);
  });

  it('requires consent every time', async () => {
    const assistant = await setting.connected();
    for (const prompt of ['none', 'login', '']) {
      const link = new URL(assistant.sentTo!);
      link.searchParams.set('prompt', prompt);
      const reply = await setting.owner.send('GET', link.pathname + link.search);
      expect(reply.headers.get('location')).toMatch(/^\/connect-assistant\?.*sig=/);
    }
  });
});

describe('consent', () => {
  it('shows the requesting assistant for an unmodified request', async () => {
    const page = await follow(setting.service, (await setting.asking({ name: 'Claude' })).sentTo!);
    const describe = (oauth_query: string) =>
      setting.owner.send('POST', '/auth/oauth2/consent-request', { body: { oauth_query } });
    expect(await describe(page.search.slice(1))).toMatchObject({
      status: 200,
      body: { client_name: 'Claude', redirect_host: '127.0.0.1:33418', redirects_to_own_machine: true },
    });
    const changed = page.search.slice(1).replace('33418', '33419');
    expect(await describe(changed)).toMatchObject({ status: 422, body: { details: [{ path: 'oauth_query' }] } });
  });

  it.each([
    ['the redirect URI', (query: URLSearchParams) => query.set('redirect_uri', 'https://evil.example/callback')],
    ['the client', (query: URLSearchParams) => query.set('client_id', 'another')],
    ['the challenge', (query: URLSearchParams) => query.set('code_challenge', 'x'.repeat(43))],
    ['the expiration', (query: URLSearchParams) => query.set('exp', '9999999999')],
    ['the signature', (query: URLSearchParams) => query.delete('sig')],
  ])('is rejected if %s was modified', async (_, tamper) => {
    const page = await follow(setting.service, (await setting.asking()).sentTo!);
    const query = page.searchParams;
    tamper(query);
    const reply = await decide(setting.owner, new URL(`?${query.toString()}`, page), {
      accept: true,
      account_id: setting.account.id,
    });
    expect(reply).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
    expect(await setting.connectors()).toEqual([]);
  });

  it('can be denied, and the assistant receives access_denied', async () => {
    const assistant = await setting.asking();
    const page = await follow(setting.service, assistant.sentTo!);
    const { status, body } = await decide(setting.owner, page, { accept: false });
    const answer = new URL(body.redirect_to);
    expect([status, answer.origin + answer.pathname]).toEqual([200, CALLBACK]);
    expect(Object.fromEntries(answer.searchParams)).toMatchObject({ error: 'access_denied', state: assistant.kept.state });
    expect(await setting.connectors()).toEqual([]);
  });

  it('requires membership in that account', async () => {
    const page = await follow(setting.service, (await setting.asking()).sentTo!);
    const accept = { accept: true, account_id: setting.account.id };
    const admin = await newMember(setting.service, setting.account, 'admin');
    const stranger = await newMember(setting.service, await setting.service.createAccount(), 'owner');
    expect((await decide(stranger.browser, page, accept)).status).toBe(403);
    expect((await decide(setting.owner, page, { ...accept, account_id: 'acct_none' })).status).toBe(403);
    expect(await setting.connectors()).toEqual([]);
    expect((await decide(admin.browser, page, accept)).status).toBe(200);
    expect(await setting.connectors()).toMatchObject([{ authorized_by_user_id: admin.id }]);
  });

  it('requires a signed-in user and a request from the service’s own origin', async () => {
    const page = await follow(setting.service, (await setting.asking()).sentTo!);
    const body = { oauth_query: page.search.slice(1), accept: true, account_id: setting.account.id };
    const url = `${setting.service.url}/auth/oauth2/consent`;
    expect((await send(url, 'POST', { body, headers: { Origin: PUBLIC_URL } })).status).toBe(401);
    expect((await send(url, 'POST', { body: { ...body, accept: false, account_id: undefined } })).status).toBe(401);
    const fromElsewhere = { Cookie: setting.owner.cookie, Origin: 'https://evil.example' };
    expect((await send(url, 'POST', { body, headers: fromElsewhere })).status).toBe(403);
    expect(
      (await send(url, 'POST', { body, headers: { Cookie: setting.owner.cookie, 'Sec-Fetch-Site': 'cross-site' } })).status,
    ).toBe(403);
    expect((await send(url, 'POST', { body, headers: credentials(setting.account.id, setting.account.apiKey) })).status).toBe(
      401,
    );
    expect(await setting.connectors()).toEqual([]);
  });

  it('fails if the user loses the role at the same time', async () => {
    const page = await follow(setting.service, (await setting.asking()).sentTo!);
    const admin = await newMember(setting.service, setting.account, 'admin');
    await using locks = await Locks.open(setting.service.databaseUrl, setting.account.id);
    const account = await locks.account('update');
    await account.held;
    const decision = decide(admin.browser, page, { accept: true, account_id: setting.account.id });
    await locks.areWaiting(1);
    await account.query('delete from membership where account_id = $1 and user_id = $2', [setting.account.id, admin.id]);
    await account.release();
    expect((await decision).status).toBe(403);
    expect(await setting.connectors()).toEqual([]);
  });

  it('expires after ten minutes', async () => {
    const page = await follow(setting.service, (await setting.asking()).sentTo!);
    const accept = { accept: true, account_id: setting.account.id };
    const late = await later(11 * 60, () => decide(setting.owner, page, accept));
    expect(late).toMatchObject({ status: 422, body: { details: [{ path: 'oauth_query' }] } });
    const inTime = await later(9 * 60, () => decide(setting.owner, page, accept));
    expect(inTime.status).toBe(200);
  });

  it('keeps the connector for the same access, and replaces it for other access', async () => {
    const assistant = await setting.connected();
    const [first] = await setting.connectors();
    const before = assistant.kept.tokens!;
    delete assistant.kept.tokens;
    await (await assistant.connectAs(setting.owner, { account_id: setting.account.id })).client.close();
    expect((await setting.connectors()).map(({ id }) => id)).toEqual([first!.id]);
    expect(await setting.statusOf(before.access_token)).toBe(200);

    delete assistant.kept.tokens;
    const more = { account_id: setting.account.id, allow_promo_code_management: true };
    await (await assistant.connectAs(setting.owner, more)).client.close();
    expect(await setting.connectors()).toMatchObject([{ revoked_at: null }, { id: first!.id, revoked_at: expect.any(String) }]);
    expect(await setting.statusOf(before.access_token)).toBe(401);
    expect((await assistant.refresh(before.refresh_token!)).status).toBe(400);
    expect(await setting.statusOf(assistant.kept.tokens!.access_token)).toBe(200);
  });

  it('waits while the account requires a second factor that the user does not have', async () => {
    const { service, account } = setting;
    const admin = await newMember(service, account, 'admin');
    const assistant = await setting.asking();
    await (await assistant.finish(await assistant.consented(admin.browser, { account_id: account.id }))).client.close();
    const db = service.services.database.kysely;
    const second_factor_required_from = service.clock.instant();
    await db.updateTable('account').set({ second_factor_required_from }).where('id', '=', account.id).execute();
    const another = await follow(service, (await setting.asking()).sentTo!);
    expect(await decide(admin.browser, another, { accept: true, account_id: account.id })).toMatchObject({
      status: 403,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    });
    const { body } = await assistant.refresh(assistant.kept.tokens!.refresh_token!);
    expect(await setting.statusOf(body['access_token'])).toBe(403);
    await db.updateTable('auth_user').set({ has_second_factor: true }).where('id', '=', admin.id).execute();
    expect(await setting.statusOf(body['access_token'])).toBe(200);
  });
});
