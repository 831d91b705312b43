import { mcpOverHttp } from '@affiliate/mcp';
import { createApp, listen } from '@affiliate/rest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { newMember, ownerOf } from '../support/people.ts';
import { type Outputs, type TestAccount, type TestService, credentials, startService } from '../support/service.ts';
import { CALLBACK, RemoteAssistant, decide, follow, postForm } from './remote-assistant.ts';

const PUBLIC_URL = 'https://affiliates.example.com';
const RESOURCE = `${PUBLIC_URL}/mcp`;
const PROMO_CODES = ['mcp.affiliate_coupons.read', 'mcp.affiliate_coupons.write'];

let service: TestService;
let account: TestAccount;
let owner: Browser;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
  owner = (await ownerOf(service, account)).browser;
  // Every test registers assistants, all from one address.
  await service.services.database.kysely.deleteFrom('auth_attempt').execute();
});

async function connectors(): Promise<Outputs['connectors']['list']['data']> {
  const { data } = await account.client.connectors.list.query({});
  return data;
}

/** What the door for assistants answers a token: the status. */
async function statusOf(token: unknown): Promise<number> {
  const { status } = await send(`${service.url}/mcp`, 'POST', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    headers: { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${String(token)}` },
  });
  return status;
}

/** An assistant that has sent its person to the service. */
async function asking(options?: ConstructorParameters<typeof RemoteAssistant>[1]): Promise<RemoteAssistant> {
  const assistant = new RemoteAssistant(service, options);
  expect(await assistant.connect()).toBeNull();
  return assistant;
}

/** The same, connected by the owner. */
async function connected(decision = {}): Promise<RemoteAssistant> {
  const assistant = await asking();
  await (await assistant.finish(await assistant.consented(owner, { account_id: account.id, ...decision }))).client.close();
  return assistant;
}

/** Where the assistant's link leads when it is changed a little. */
function followed({ sentTo }: RemoteAssistant, change: Record<string, string | null>): Promise<URL> {
  const link = new URL(sentTo!);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) link.searchParams.delete(name);
    else link.searchParams.set(name, value);
  }
  return follow(service, link);
}

describe('an assistant that knows only the address', () => {
  it('finds its way, is consented to, works, refreshes, and is cut off when its connector is revoked', async () => {
    const assistant = await asking({ name: 'Claude' });
    expect(assistant.sentTo!.searchParams.get('resource')).toBe(RESOURCE);
    await using client = await assistant.finish(await assistant.consented(owner, { account_id: account.id }));
    expect((await client.client.listTools()).tools.map(({ name }) => name)).toContain('commissions');

    const first = assistant.kept.tokens!;
    assistant.kept.tokens = { ...first, access_token: 'mca_that_is_none' };
    await using again = (await assistant.connect())!;
    expect((await again.call('campaigns', { action: 'list' })).isError).toBe(false);
    expect(assistant.kept.tokens.refresh_token).not.toBe(first.refresh_token);

    const [connector] = await connectors();
    await account.client.connectors.revoke.mutate({ id: connector!.id });
    expect(await assistant.connect()).toBeNull();
    expect(await assistant.refresh(first.refresh_token!)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is a connector of the account: listed, reading only, with its writes in the audit log', async () => {
    const assistant = await asking({ name: 'Claude' });
    await using client = await assistant.finish(await assistant.consented(owner, { account_id: account.id }));
    const [connector] = await connectors();
    expect(connector).toMatchObject({
      name: 'Claude',
      kind: 'oauth',
      prefix: '',
      authorized_by_user_id: account.ownerId,
      expires_at: null,
      revoked_at: null,
    });
    expect(connector!.last_used_at).not.toBeNull();
    expect(Object.keys(connector!.permissions).filter((name) => !/^mcp\.\w+\.read$/.test(name))).toEqual([]);
    expect(Object.keys(connector!.permissions)).not.toContain(PROMO_CODES[0]);

    expect(await client.call('affiliates', { action: 'create', email: 'ada@example.com', dry_run: false })).toMatchObject({
      isError: true,
      body: { code: 'FORBIDDEN', details: { permission: 'mcp.affiliates.write' } },
    });
    const { data } = await account.client.auditLog.list.query({});
    expect(data[0]).toMatchObject({ caller_id: connector!.id, tool: 'affiliates', action: 'create', outcome: 'FORBIDDEN' });
  });

  it('may manage promo codes where that was allowed', async () => {
    await connected({ allow_promo_code_management: true });
    const [{ permissions } = { permissions: {} }] = await connectors();
    expect(Object.keys(permissions).filter((name) => name.endsWith('.write') || PROMO_CODES.includes(name))).toEqual(PROMO_CODES);
  });

  it.each(['client_secret_post', 'client_secret_basic'])('may have a secret of its own: %s', async (method) => {
    const assistant = await asking({ method });
    await using client = await assistant.finish(await assistant.consented(owner, { account_id: account.id }));
    expect((await client.client.listTools()).tools).not.toEqual([]);
    const tokens = assistant.kept.tokens!;
    // Without the secret nobody gets further.
    expect((await assistant.refresh(tokens.refresh_token!)).status).toBe(400);
    assistant.kept.tokens = { ...tokens, access_token: 'mca_that_is_none' };
    await using again = await assistant.connect();
    expect(again).not.toBeNull();
  });

  it('is told by metadata what there is, and no more', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      expect((await send(service.url + path, 'GET')).body).toEqual({
        resource: RESOURCE,
        resource_name: 'Affiliate program',
        authorization_servers: [`${PUBLIC_URL}/auth`],
        scopes_supported: ['mcp'],
        bearer_methods_supported: ['header'],
      });
    }
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/auth']) {
      const { body, headers } = await send(service.url + path, 'GET');
      expect(headers.get('cache-control')).toContain('max-age');
      expect(body).toEqual({
        issuer: `${PUBLIC_URL}/auth`,
        authorization_endpoint: `${PUBLIC_URL}/auth/oauth2/authorize`,
        token_endpoint: `${PUBLIC_URL}/auth/oauth2/token`,
        registration_endpoint: `${PUBLIC_URL}/auth/oauth2/register`,
        revocation_endpoint: `${PUBLIC_URL}/auth/oauth2/revoke`,
        scopes_supported: ['mcp', 'offline_access'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
        revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
        protected_resources: [RESOURCE],
      });
    }
    for (const path of ['introspect', 'userinfo', 'create-client', 'get-consents', 'public-client-prelogin']) {
      expect((await owner.send('POST', `/auth/oauth2/${path}`, { body: {} })).status).toBe(404);
    }
    expect((await owner.send('POST', '/auth/admin/oauth2/create-client', { body: {} })).status).toBe(404);
  });
});

describe('registering', () => {
  const register = (body: unknown, to = service) => send(`${to.url}/auth/oauth2/register`, 'POST', { body });

  it.each([
    ['no redirect URI', { redirect_uris: [] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['a scheme of its own', { redirect_uris: ['cursor://anysphere.cursor/callback'] }],
    ['plain http elsewhere', { redirect_uris: ['http://assistant.example/callback'] }],
    ['a name that only begins like this machine', { redirect_uris: ['http://localhost.evil.example/callback'] }],
    ['a fragment', { redirect_uris: ['https://assistant.example/callback#x'] }],
    ['credentials', { redirect_uris: ['https://user@assistant.example/callback'] }],
    ['one good and one bad', { redirect_uris: [CALLBACK, 'http://assistant.example/callback'] }],
  ])('refuses as redirect URI %s', async (_, metadata) => {
    const { status, body } = await register({ client_name: 'X', token_endpoint_auth_method: 'none', ...metadata });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
  });

  it('refuses what it cannot be, and takes what it says about itself for no more than that', async () => {
    const refused = await register({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'private_key_jwt' });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    expect((await register('nonsense')).body).toMatchObject({ error: 'invalid_client_metadata' });
    const { status, body } = await register({
      redirect_uris: [CALLBACK],
      client_name: 'Nice \u202eevil\u0007 name',
      skip_consent: true,
      scope: 'openid everything',
      token_endpoint_auth_method: 'none',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ client_name: 'Nice evil name', redirect_uris: [CALLBACK], scope: 'mcp offline_access' });
    expect(body).not.toHaveProperty('client_secret');
    expect(body['skip_consent']).not.toBe(true);
  });

  it('is possible a limited number of times from one address', async () => {
    const fresh = await startService();
    const replies = [];
    for (let i = 0; i < 32; i += 1) {
      replies.push(await register({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }, fresh));
    }
    await fresh.stop();
    expect(replies.map(({ status }) => status)).toEqual([...Array<number>(30).fill(201), 429, 429]);
    expect(replies.at(-1)!.body['error']).toBe('temporarily_unavailable');
    expect(Number(replies.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('leaves nothing behind when nobody consents', async () => {
    const fresh = await startService({ worker: {} });
    const used = new RemoteAssistant(fresh);
    const of = await fresh.createAccount();
    const { browser } = await ownerOf(fresh, of);
    await (await used.connectAs(browser, { account_id: of.id })).client.close();
    await new RemoteAssistant(fresh).connect();
    fresh.clock.advance(25, 'hours');
    await fresh.worker!.sweepNow();
    const clients = await fresh.services.database.kysely.selectFrom('oauth_client').select('client_id').execute();
    await fresh.stop();
    expect(clients).toEqual([{ client_id: used.kept.client!.client_id }]);
  });
});

describe('an authorization request', () => {
  it.each([
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:33418/other' }],
    ['a redirect URI of another host', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect URI that only begins like its own', { redirect_uri: `${CALLBACK}/../x` }],
    ['no redirect URI', { redirect_uri: null }],
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: null }],
  ])('with %s ends on a page of ours', async (_, change) => {
    const page = await followed(await asking(), change);
    expect([page.origin, page.pathname]).toEqual([PUBLIC_URL, '/connect-assistant']);
    expect(page.searchParams.get('error')).not.toBeNull();
    expect(page.searchParams.has('sig')).toBe(false);
  });

  it.each([
    ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE of no kind', { code_challenge_method: null }, 'invalid_request'],
    ['another resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['another type of response', { response_type: 'none' }, 'unsupported_response_type'],
  ])('with %s goes back to the assistant with an error', async (_, change, error) => {
    const assistant = await asking();
    const back = await followed(assistant, change);
    expect(back.href.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error,
      state: assistant.kept.state,
      iss: `${PUBLIC_URL}/auth`,
    });
    expect(back.searchParams.has('code')).toBe(false);
  });

  it('may name any port of the own machine (RFC 8252, section 7.3), and need not name the resource', async () => {
    const page = await followed(await asking(), { redirect_uri: CALLBACK.replace('33418', '50000'), resource: null });
    expect(page.searchParams.get('resource')).toBe(RESOURCE);
    expect(page.searchParams.has('sig')).toBe(true);
  });

  it('asks for consent every time, whatever it says', async () => {
    const assistant = await connected();
    for (const prompt of ['none', 'login', '']) {
      const link = new URL(assistant.sentTo!);
      link.searchParams.set('prompt', prompt);
      const reply = await owner.send('GET', link.pathname + link.search);
      expect(reply.headers.get('location')).toMatch(/^\/connect-assistant\?.*sig=/);
    }
  });
});

describe('consent', () => {
  it('shows who asks, by a request that nobody has changed', async () => {
    const page = await follow(service, (await asking({ name: 'Claude' })).sentTo!);
    const describe = (oauth_query: string) => owner.send('POST', '/auth/oauth2/consent-request', { body: { oauth_query } });
    expect(await describe(page.search.slice(1))).toMatchObject({
      status: 200,
      body: { client_name: 'Claude', redirect_host: '127.0.0.1:33418', redirects_to_own_machine: true },
    });
    const changed = page.search.slice(1).replace('33418', '33419');
    expect(await describe(changed)).toMatchObject({ status: 422, body: { details: [{ path: 'oauth_query' }] } });
  });

  it.each([
    ['where it leads', (query: URLSearchParams) => query.set('redirect_uri', 'https://evil.example/callback')],
    ['who asks', (query: URLSearchParams) => query.set('client_id', 'another')],
    ['the challenge', (query: URLSearchParams) => query.set('code_challenge', 'x'.repeat(43))],
    ['how long it is valid', (query: URLSearchParams) => query.set('exp', '9999999999')],
    ['the signature', (query: URLSearchParams) => query.delete('sig')],
  ])('is not given when somebody has changed %s', async (_, tamper) => {
    const page = await follow(service, (await asking()).sentTo!);
    const query = page.searchParams;
    tamper(query);
    const reply = await decide(owner, new URL(`?${query.toString()}`, page), { accept: true, account_id: account.id });
    expect(reply).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
    expect(await connectors()).toEqual([]);
  });

  it('can be refused, which the assistant is told', async () => {
    const assistant = await asking();
    const page = await follow(service, assistant.sentTo!);
    const { status, body } = await decide(owner, page, { accept: false });
    const answer = new URL(body.redirect_to);
    expect([status, answer.origin + answer.pathname]).toEqual([200, CALLBACK]);
    expect(Object.fromEntries(answer.searchParams)).toMatchObject({ error: 'access_denied', state: assistant.kept.state });
    expect(await connectors()).toEqual([]);
  });

  it('is for those who may make connectors in that very account', async () => {
    const page = await follow(service, (await asking()).sentTo!);
    const accept = { accept: true, account_id: account.id };
    const admin = await newMember(service, account, 'admin');
    const member = await newMember(service, account, 'member');
    const stranger = await newMember(service, await service.createAccount(), 'owner');
    expect((await decide(member.browser, page, accept)).status).toBe(403);
    expect((await decide(stranger.browser, page, accept)).status).toBe(403);
    expect((await decide(owner, page, { ...accept, account_id: 'acct_none' })).status).toBe(403);
    expect(await connectors()).toEqual([]);
    expect((await decide(admin.browser, page, accept)).status).toBe(200);
    expect(await connectors()).toMatchObject([{ authorized_by_user_id: admin.id }]);
  });

  it('needs somebody who has signed in, on our own page', async () => {
    const page = await follow(service, (await asking()).sentTo!);
    const body = { oauth_query: page.search.slice(1), accept: true, account_id: account.id };
    const url = `${service.url}/auth/oauth2/consent`;
    expect((await send(url, 'POST', { body, headers: { Origin: PUBLIC_URL } })).status).toBe(401);
    expect((await send(url, 'POST', { body: { ...body, accept: false, account_id: undefined } })).status).toBe(401);
    const fromElsewhere = { Cookie: owner.cookie, Origin: 'https://evil.example' };
    expect((await send(url, 'POST', { body, headers: fromElsewhere })).status).toBe(403);
    expect((await send(url, 'POST', { body, headers: { Cookie: owner.cookie, 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(
      403,
    );
    expect((await send(url, 'POST', { body, headers: credentials(account.id, account.apiKey) })).status).toBe(401);
    expect(await connectors()).toEqual([]);
  });

  it('to the same keeps the connector; to something else replaces it, and ends what it had', async () => {
    const assistant = await connected();
    const [first] = await connectors();
    const before = assistant.kept.tokens!;
    delete assistant.kept.tokens;
    await (await assistant.connectAs(owner, { account_id: account.id })).client.close();
    expect((await connectors()).map(({ id }) => id)).toEqual([first!.id]);
    expect(await statusOf(before.access_token)).toBe(200);

    delete assistant.kept.tokens;
    const more = { account_id: account.id, allow_promo_code_management: true };
    await (await assistant.connectAs(owner, more)).client.close();
    expect(await connectors()).toMatchObject([{ revoked_at: null }, { id: first!.id, revoked_at: expect.any(String) }]);
    expect(await statusOf(before.access_token)).toBe(401);
    expect((await assistant.refresh(before.refresh_token!)).status).toBe(400);
    expect(await statusOf(assistant.kept.tokens!.access_token)).toBe(200);
  });

  it('ends with the right to give it', async () => {
    for (const lose of [
      (user_id: string) => account.client.members.remove.mutate({ user_id }),
      (user_id: string) => account.client.members.updateRole.mutate({ user_id, role: 'member' }),
    ]) {
      const admin = await newMember(service, account, 'admin');
      const assistant = await asking();
      await (await assistant.finish(await assistant.consented(admin.browser, { account_id: account.id }))).client.close();
      expect(await statusOf(assistant.kept.tokens!.access_token)).toBe(200);
      await lose(admin.id);
      expect(await statusOf(assistant.kept.tokens!.access_token)).toBe(401);
      expect((await assistant.refresh(assistant.kept.tokens!.refresh_token!)).status).toBe(400);
      expect((await connectors())[0]).toMatchObject({ authorized_by_user_id: admin.id, revoked_at: expect.any(String) });
    }
  });
});

describe('a code', () => {
  it('is good once: a second use ends what the first brought', async () => {
    const assistant = await asking();
    const back = await assistant.consented(owner, { account_id: account.id });
    const { status, body } = await assistant.exchange(back);
    expect([status, await statusOf(body['access_token'])]).toEqual([200, 200]);
    expect(await assistant.exchange(back)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await statusOf(body['access_token'])).toBe(401);
    expect((await assistant.refresh(String(body['refresh_token']))).status).toBe(400);
  });

  it.each([
    ['without the verifier', { code_verifier: '' }],
    ['with another verifier', { code_verifier: 'v'.repeat(43) }],
    ['with another redirect URI', { redirect_uri: CALLBACK.replace('33418', '33419') }],
    ['for another resource', { resource: 'https://evil.example/mcp' }],
    ['with a secret that the client does not have', { client_secret: 'guessed' }],
  ])('is worth nothing %s', async (_, fields) => {
    const assistant = await asking();
    const back = await assistant.consented(owner, { account_id: account.id });
    const { status, body } = await assistant.exchange(back, fields);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body).not.toHaveProperty('access_token');
    expect(body['error']).toEqual(expect.any(String));
  });

  it('is worth nothing to another client, nor after its connector has been revoked', async () => {
    const [assistant, other] = [await asking(), await asking()];
    const client_id = other.kept.client!.client_id;
    const stolen = await assistant.consented(owner, { account_id: account.id });
    expect(await assistant.exchange(stolen, { client_id })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });

    const late = await assistant.consented(owner, { account_id: account.id });
    const [connector] = await connectors();
    await account.client.connectors.revoke.mutate({ id: connector!.id });
    expect(await assistant.exchange(late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('a token', () => {
  it('is short-lived, and kept nowhere', async () => {
    const { kept } = await connected();
    const { access_token, refresh_token, expires_in } = kept.tokens!;
    expect([access_token, refresh_token]).toEqual([expect.stringMatching(/^mca_\w{36}$/), expect.stringMatching(/^mcr_\w{36}$/)]);
    expect(expires_in).toBe(900);
    const db = service.services.database.kysely;
    const rows = await Promise.all([
      db.selectFrom('oauth_access_token').selectAll().execute(),
      db.selectFrom('oauth_refresh_token').selectAll().execute(),
      db.selectFrom('auth_verification').selectAll().execute(),
    ]);
    expect(JSON.stringify(rows)).not.toContain(access_token.slice(4));
    expect(JSON.stringify(rows)).not.toContain(refresh_token!.slice(4));
    const now = service.clock.instant();
    service.clock.advance(16, 'minutes');
    const late = await statusOf(access_token);
    service.clock.set(now);
    expect([late, await statusOf(access_token)]).toEqual([401, 200]);
  });

  it('opens the door for assistants and no other', async () => {
    const { kept } = await connected();
    const { access_token, refresh_token } = kept.tokens!;
    const headers = credentials(account.id, access_token);
    expect((await send(`${service.url}/api/v1/campaigns`, 'GET', { headers })).status).toBe(401);
    expect((await send(`${service.url}/trpc/campaigns.list?input=%7B%7D`, 'GET', { headers })).status).toBe(401);
    expect((await send(`${service.url}/api/v1/campaigns`, 'GET', { headers: { 'X-Api-Key': access_token } })).status).toBe(401);
    expect(await statusOf(refresh_token)).toBe(401);
    expect(await statusOf(access_token)).toBe(200);
  });

  it('for another address is refused', async () => {
    const { kept } = await connected();
    const elsewhere = { ...service.services, publicUrl: 'https://affiliates.example.org' };
    const app = createApp(elsewhere, { doors: { '/mcp': (limits) => mcpOverHttp(elsewhere, limits) } });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    const headers = { Authorization: `Bearer ${kept.tokens!.access_token}` };
    const reply = await send(`${server.url}/mcp`, 'POST', { body: {}, headers });
    await server.close();
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe(
      'Bearer realm="mcp", error="invalid_token", resource_metadata="https://affiliates.example.org/.well-known/oauth-protected-resource/mcp"',
    );
  });

  it('is refreshed once: a second use ends all that came of it', async () => {
    const assistant = await connected();
    const { refresh_token: first } = assistant.kept.tokens!;
    const { status, body } = await assistant.refresh(first!);
    expect([status, await statusOf(body['access_token'])]).toEqual([200, 200]);
    expect(await assistant.refresh(first!)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await statusOf(body['access_token'])).toBe(401);
    expect((await assistant.refresh(String(body['refresh_token']))).status).toBe(400);
  });

  it('of refreshing, used by several at once, is good for one of them', async () => {
    const assistant = await connected();
    const { refresh_token } = assistant.kept.tokens!;
    const replies = await Promise.all(Array.from({ length: 5 }, () => assistant.refresh(refresh_token!)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  });

  it('can be given back', async () => {
    const assistant = await connected();
    const { access_token, refresh_token } = assistant.kept.tokens!;
    const other = await connected();
    const { client_id } = other.kept.client!;
    await postForm(service, '/auth/oauth2/revoke', { client_id, token: refresh_token! });
    expect(await statusOf(access_token)).toBe(200);
    const own = { client_id: assistant.kept.client!.client_id, token: refresh_token! };
    expect((await postForm(service, '/auth/oauth2/revoke', own)).status).toBe(200);
    expect(await statusOf(access_token)).toBe(401);
    expect((await assistant.refresh(refresh_token!)).status).toBe(400);
    expect((await postForm(service, '/auth/oauth2/revoke', { ...own, token: 'mcr_unknown' })).status).toBe(200);
  });

  it('cannot be had by other means', async () => {
    const assistant = await asking();
    for (const grant_type of ['client_credentials', 'password', 'implicit', '']) {
      const { status, body } = await assistant.token({
        grant_type,
        username: account.ownerEmail,
        password: account.ownerPassword,
      });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/grant_type|invalid_request/) },
      });
    }
    const asJson = await send(`${service.url}/auth/oauth2/token`, 'POST', { body: { grant_type: 'authorization_code' } });
    expect(asJson).toMatchObject({ status: 415, body: { error: 'invalid_request' } });
  });
});
