import { purgeRows } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { type Fields, send } from '../support/http.ts';
import { ownerOf } from '../support/people.ts';
import { startService } from '../support/service.ts';
import { OauthSetting } from './oauth-setting.ts';
import { CALLBACK, RemoteAssistant, follow, postForm } from './remote-assistant.ts';

const PUBLIC_URL = 'https://affiliates.example.com';
const RESOURCE = `${PUBLIC_URL}/mcp`;
const PROMO_CODES = ['mcp.affiliate_coupons.read', 'mcp.affiliate_coupons.write'];

const setting = OauthSetting.forThisFile();

describe('an assistant that knows only the URL', () => {
  it('discovers the server, gets consent, works, refreshes, and loses access when its connector is revoked', async () => {
    const assistant = await setting.asking({ name: 'Claude' });
    expect(assistant.sentTo!.searchParams.get('resource')).toBe(RESOURCE);
    await using client = await assistant.finish(await assistant.consented(setting.owner, { account_id: setting.account.id }));
    expect((await client.client.listTools()).tools.map(({ name }) => name)).toContain('commissions');

    const first = assistant.kept.tokens!;
    assistant.kept.tokens = { ...first, access_token: 'mca_that_is_none' };
    await using again = (await assistant.connect())!;
    expect((await again.call('campaigns', { action: 'list' })).isError).toBe(false);
    expect(assistant.kept.tokens.refresh_token).not.toBe(first.refresh_token);

    const [connector] = await setting.connectors();
    await setting.account.client.connectors.revoke.mutate({ id: connector!.id });
    expect(await assistant.connect()).toBeNull();
    expect(await assistant.refresh(first.refresh_token!)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is listed as a read-only connector of the account, with its writes in the audit log', async () => {
    const assistant = await setting.asking({ name: 'Claude' });
    await using client = await assistant.finish(await assistant.consented(setting.owner, { account_id: setting.account.id }));
    const [connector] = await setting.connectors();
    expect(connector).toMatchObject({
      name: 'Claude',
      kind: 'oauth',
      prefix: '',
      authorized_by_user_id: setting.account.ownerId,
      expires_at: null,
      revoked_at: null,
    });
    expect(connector!.last_used_at).not.toBeNull();
    expect(Object.keys(connector!.permissions).filter((name) => !/^mcp\.\w+\.read$/.test(name))).toEqual([]);
    expect(Object.keys(connector!.permissions)).not.toContain(PROMO_CODES[0]);

    const create = { action: 'create', email: 'ada@example.com', dry_run: false };
    await expect(client.call('manage_affiliates', create)).rejects.toThrow('403');
    const { data } = await setting.account.client.auditLog.list.query({});
    expect(data[0]).toMatchObject({
      caller_id: connector!.id,
      tool: 'manage_affiliates',
      action: 'create',
      outcome: 'FORBIDDEN',
    });
  });

  it('can manage promo codes if that was allowed', async () => {
    await setting.connected({ allow_promo_code_management: true });
    const [{ permissions } = { permissions: {} }] = await setting.connectors();
    expect(Object.keys(permissions).filter((name) => name.endsWith('.write') || PROMO_CODES.includes(name))).toEqual(PROMO_CODES);
  });

  it.each(['client_secret_post', 'client_secret_basic'])('can authenticate with a client secret: %s', async (method) => {
    const assistant = await setting.asking({ method });
    await using client = await assistant.finish(await assistant.consented(setting.owner, { account_id: setting.account.id }));
    expect((await client.client.listTools()).tools).not.toEqual([]);
    const tokens = assistant.kept.tokens!;
    // Without the secret, the exchange fails.
    expect((await assistant.refresh(tokens.refresh_token!)).status).toBe(400);
    assistant.kept.tokens = { ...tokens, access_token: 'mca_that_is_none' };
    await using again = await assistant.connect();
    expect(again).not.toBeNull();
  });

  it('can be a page of another origin, except for the consent', async () => {
    const Origin = 'http://localhost:6274';
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/auth/oauth2/register', '/auth/oauth2/token']) {
      const { status, headers } = await send(setting.service.url + path, 'OPTIONS', { headers: { Origin } });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    }
    for (const path of ['/auth/oauth2/consent', '/auth/oauth2/consent-request', '/auth/oauth2/authorize']) {
      const { headers } = await send(setting.service.url + path, 'OPTIONS', { headers: { Origin } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('finds only the supported features in the metadata', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      expect((await send(setting.service.url + path, 'GET')).body).toEqual({
        resource: RESOURCE,
        resource_name: 'Affiliate program',
        authorization_servers: [`${PUBLIC_URL}/auth`],
        scopes_supported: ['mcp'],
        bearer_methods_supported: ['header'],
      });
    }
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/auth',
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration/auth',
      '/auth/.well-known/openid-configuration',
    ]) {
      const { body, headers } = await send(setting.service.url + path, 'GET');
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
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
        revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
        protected_resources: [RESOURCE],
      });
    }
    for (const path of ['introspect', 'userinfo', 'create-client', 'get-consents', 'public-client-prelogin']) {
      expect((await setting.owner.send('POST', `/auth/oauth2/${path}`, { body: {} })).status).toBe(404);
    }
    expect((await setting.owner.send('POST', '/auth/admin/oauth2/create-client', { body: {} })).status).toBe(404);
  });
});

describe('client registration', () => {
  const register = (body: unknown, to = setting.service) => send(`${to.url}/auth/oauth2/register`, 'POST', { body });

  it.each([
    ['no redirect URI', { redirect_uris: [] }],
    ['a script', { redirect_uris: ['javascript://%0aalert(1)'] }],
    ['a file', { redirect_uris: ['file:///etc/passwd'] }],
    ['a program with credentials', { redirect_uris: ['kiro://user@kiro.oauth/callback'] }],
    ['a program with a fragment', { redirect_uris: ['kiro://kiro.oauth/callback#x'] }],
    [
      'a program that has a secret',
      { redirect_uris: ['kiro://kiro.oauth/callback'], token_endpoint_auth_method: 'client_secret_post' },
    ],
    ['http on another host', { redirect_uris: ['http://assistant.example/callback'] }],
    ['a host name that only starts with localhost', { redirect_uris: ['http://localhost.evil.example/callback'] }],
    ['a fragment', { redirect_uris: ['https://assistant.example/callback#x'] }],
    ['credentials', { redirect_uris: ['https://user@assistant.example/callback'] }],
    ['one valid and one invalid URI', { redirect_uris: [CALLBACK, 'http://assistant.example/callback'] }],
  ])('rejects as redirect URI: %s', async (_, metadata) => {
    const { status, body } = await register({ client_name: 'X', token_endpoint_auth_method: 'none', ...metadata });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
  });

  it('accepts an editor with web and loopback redirect URIs and unsupported grants', async () => {
    const redirect_uris = ['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://localhost:33418/'];
    const { status, body } = await register({
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    });
    const grant_types = ['authorization_code', 'refresh_token'];
    expect({ status, body }).toMatchObject({ status: 201, body: { redirect_uris, grant_types } });
    const pkce = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
    const asked = { response_type: 'code', client_id: String(body['client_id']), state: 's', ...pkce };
    for (const redirect_uri of [...redirect_uris, 'http://127.0.0.1:51763/']) {
      const query = new URLSearchParams({ ...asked, redirect_uri }).toString();
      const page = await follow(setting.service, new URL(`/auth/oauth2/authorize?${query}`, PUBLIC_URL));
      expect(page.searchParams.get('redirect_uri')).toBe(redirect_uri);
    }
  });

  it('lets an editor with a URL scheme of its own finish', async () => {
    const redirectUri = 'cursor://anysphere.cursor-mcp/oauth/callback';
    const assistant = await setting.asking({ name: 'Cursor', redirectUri });
    expect(assistant.kept.client).toMatchObject({ redirect_uris: [redirectUri] });
    const redirect = await assistant.consented(setting.owner, { account_id: setting.account.id });
    expect(redirect).toContain(redirectUri);
    await using connected = await assistant.finish(redirect);
    expect((await connected.call('campaigns', { action: 'list' })).isError).toBe(false);

    const asked = { response_type: 'code', state: 's', code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
    const client_id = String((assistant.kept.client as Fields)['client_id']);
    const query = new URLSearchParams({ ...asked, client_id, redirect_uri: `${redirectUri}/more` });
    const refused = await send(`${setting.service.url}/auth/oauth2/authorize?${query.toString()}`, 'GET');
    expect(refused.headers.get('location') ?? '').not.toContain('cursor:');
  });

  it.each(['windsurf://codeium.windsurf/callback', 'kiro://kiro.oauth/callback', 'com.example.assistant:/callback'])(
    'accepts the URL scheme of a public client beside an https address: %s',
    async (uri) => {
      const { status, body } = await register({ redirect_uris: [CALLBACK, uri], token_endpoint_auth_method: 'none' });
      expect({ status, body }).toMatchObject({ status: 201, body: { redirect_uris: [CALLBACK, uri] } });
    },
  );

  it.each(['token', 'revoke'])(
    'gives an unknown client the error invalid_client at /%s, so that the client registers again',
    async (endpoint) => {
      const path = `/auth/oauth2/${endpoint}`;
      const form = { grant_type: 'refresh_token', refresh_token: 'mcr_unknown', token: 'mcr_unknown' };
      const named = await postForm(setting.service, path, { ...form, client_id: 'gone' });
      expect(named).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      const basic = await send(`${setting.service.url}${path}`, 'POST', {
        raw: new URLSearchParams(form).toString(),
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Authorization: `Basic ${Buffer.from('gone:secret').toString('base64')}`,
        },
      });
      expect(basic).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(basic.headers.get('www-authenticate')).toMatch(/^Basic /);
    },
  );

  it('rejects invalid metadata and does not trust descriptive metadata', async () => {
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
    expect(body).toMatchObject({ client_name: 'Nice evil name', redirect_uris: [CALLBACK] });
    expect(body).not.toHaveProperty('scope');
    expect(body).not.toHaveProperty('client_secret');
    expect(body['skip_consent']).not.toBe(true);
  });

  it('is rate limited per address', async () => {
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

  it('is deleted if no user consents', async () => {
    const fresh = await startService();
    const used = new RemoteAssistant(fresh);
    const of = await fresh.createAccount();
    const { browser } = await ownerOf(fresh, of);
    await (await used.connectAs(browser, { account_id: of.id })).client.close();
    await new RemoteAssistant(fresh).connect();
    fresh.clock.advance(25, 'hours');
    await purgeRows(fresh.services, 'oauth_client');
    const clients = await fresh.services.database.kysely.selectFrom('oauth_client').select('client_id').execute();
    await fresh.stop();
    expect(clients).toEqual([{ client_id: used.kept.client!.client_id }]);
  });
});
