import { mcpOverHttp } from '@affiliate/mcp';
import { createApp, listen } from '@affiliate/rest';
import { describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { credentials } from '../support/service.ts';
import { holdAccessTokens } from './hold-access-tokens.ts';
import { OauthSetting, later } from './oauth-setting.ts';
import { CALLBACK, postForm } from './remote-assistant.ts';

const setting = OauthSetting.forThisFile();

describe('an authorization code', () => {
  it('works once, and a second use revokes the tokens of the first', async () => {
    const assistant = await setting.asking();
    const back = await assistant.consented(setting.owner, { account_id: setting.account.id });
    const { status, body } = await assistant.exchange(back);
    expect([status, await setting.statusOf(body['access_token'])]).toEqual([200, 200]);
    expect(await assistant.exchange(back)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await setting.statusOf(body['access_token'])).toBe(401);
    expect((await assistant.refresh(String(body['refresh_token']))).status).toBe(400);
  });

  it.each([
    ['without the verifier', { code_verifier: '' }],
    ['with another verifier', { code_verifier: 'v'.repeat(43) }],
    ['with another redirect URI', { redirect_uri: CALLBACK.replace('33418', '33419') }],
    ['for another resource', { resource: 'https://evil.example/mcp' }],
    ['with a secret that the client does not have', { client_secret: 'guessed' }],
  ])('is rejected %s', async (_, fields) => {
    const assistant = await setting.asking();
    const back = await assistant.consented(setting.owner, { account_id: setting.account.id });
    const { status, body } = await assistant.exchange(back, fields);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body).not.toHaveProperty('access_token');
    expect(body['error']).toEqual(expect.any(String));
  });

  it('is rejected after ten minutes', async () => {
    const assistant = await setting.asking();
    const back = await assistant.consented(setting.owner, { account_id: setting.account.id });
    const late = await later(11 * 60, () => assistant.exchange(back));
    expect(late).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is rejected for another client and after its connector was revoked', async () => {
    const [assistant, other] = [await setting.asking(), await setting.asking()];
    const client_id = other.kept.client!.client_id;
    const stolen = await assistant.consented(setting.owner, { account_id: setting.account.id });
    expect(await assistant.exchange(stolen, { client_id })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });

    const late = await assistant.consented(setting.owner, { account_id: setting.account.id });
    const [connector] = await setting.connectors();
    await setting.account.client.connectors.revoke.mutate({ id: connector!.id });
    expect(await assistant.exchange(late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('an OAuth token', () => {
  it('is short-lived and not stored', async () => {
    const { kept } = await setting.connected();
    const { access_token, refresh_token, expires_in } = kept.tokens!;
    expect([access_token, refresh_token]).toEqual([expect.stringMatching(/^mca_\w{36}$/), expect.stringMatching(/^mcr_\w{36}$/)]);
    expect(expires_in).toBe(900);
    const db = setting.service.services.database.kysely;
    const rows = await Promise.all([
      db.selectFrom('oauth_access_token').selectAll().execute(),
      db.selectFrom('oauth_refresh_token').selectAll().execute(),
      db.selectFrom('auth_verification').selectAll().execute(),
    ]);
    expect(JSON.stringify(rows)).not.toContain(access_token.slice(4));
    expect(JSON.stringify(rows)).not.toContain(refresh_token!.slice(4));
    const now = setting.service.clock.instant();
    setting.service.clock.advance(16, 'minutes');
    const late = await setting.statusOf(access_token);
    setting.service.clock.set(now);
    expect([late, await setting.statusOf(access_token)]).toEqual([401, 200]);
  });

  it('works only for MCP', async () => {
    const { kept } = await setting.connected();
    const { access_token, refresh_token } = kept.tokens!;
    const headers = credentials(setting.account.id, access_token);
    expect((await send(`${setting.service.url}/api/v1/campaigns`, 'GET', { headers })).status).toBe(401);
    expect((await send(`${setting.service.url}/trpc/campaigns.list?input=%7B%7D`, 'GET', { headers })).status).toBe(401);
    expect(
      (await send(`${setting.service.url}/api/v1/campaigns`, 'GET', { headers: { 'X-Api-Key': access_token } })).status,
    ).toBe(401);
    expect(await setting.statusOf(refresh_token)).toBe(401);
    expect(await setting.statusOf(access_token)).toBe(200);
  });

  it('is rejected if issued for another resource', async () => {
    const { kept } = await setting.connected();
    const elsewhere = { ...setting.service.services, publicUrl: 'https://affiliates.example.org' };
    const app = createApp(elsewhere, { doors: { '/mcp': (limits) => mcpOverHttp(elsewhere, limits) } });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    const headers = { Authorization: `Bearer ${kept.tokens!.access_token}` };
    const reply = await send(`${server.url}/mcp`, 'POST', { body: {}, headers });
    await server.close();
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe(
      'Bearer realm="mcp", error="invalid_token", scope="mcp", resource_metadata="https://affiliates.example.org/.well-known/oauth-protected-resource/mcp"',
    );
  });

  it('can be refreshed once, and reusing the refresh token revokes all its tokens', async () => {
    const assistant = await setting.connected();
    const { refresh_token: first } = assistant.kept.tokens!;
    const { status, body } = await assistant.refresh(first!);
    expect([status, await setting.statusOf(body['access_token'])]).toEqual([200, 200]);
    expect(await assistant.refresh(first!)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await setting.statusOf(body['access_token'])).toBe(401);
    expect((await assistant.refresh(String(body['refresh_token']))).status).toBe(400);
  });

  it('can be refreshed for 30 days', async () => {
    const assistant = await setting.connected();
    const { refresh_token } = assistant.kept.tokens!;
    const day = 24 * 3600;
    const renewed = await later(29 * day, () => assistant.refresh(refresh_token!));
    expect(renewed.status).toBe(200);
    const again = await later(58 * day, () => assistant.refresh(String(renewed.body['refresh_token'])));
    expect(again.status).toBe(200);
    const late = await later(89 * day, () => assistant.refresh(String(again.body['refresh_token'])));
    expect(late).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is issued to only one of several concurrent refreshes', async () => {
    const assistant = await setting.connected();
    const { refresh_token } = assistant.kept.tokens!;
    const replies = await Promise.all(Array.from({ length: 5 }, () => assistant.refresh(refresh_token!)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400]);
  });

  it('is not issued for a code that is reused while its first use is pending', async () => {
    const assistant = await setting.asking();
    const back = await assistant.consented(setting.owner, { account_id: setting.account.id });
    await using hold = await holdAccessTokens(setting.service.databaseUrl);
    const first = assistant.exchange(back);
    await hold.isWaited();
    expect((await assistant.exchange(back)).status).toBe(400);
    await hold.letGo();
    const { status, body } = await first;
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is revoked if its refresh token is reused while its first use is pending', async () => {
    const assistant = await setting.connected();
    const use = () => assistant.refresh(assistant.kept.tokens!.refresh_token!);
    await using hold = await holdAccessTokens(setting.service.databaseUrl);
    const first = use();
    await hold.isWaited();
    const second = use();
    await hold.isWaited(2);
    await hold.letGo();
    expect([(await first).status, (await second).status]).toEqual([200, 400]);
    const { access_token, refresh_token } = (await first).body;
    expect(await setting.statusOf(access_token)).toBe(401);
    expect((await assistant.refresh(String(refresh_token))).status).toBe(400);
    expect((await use()).status).toBe(400);
    expect(await setting.statusOf(assistant.kept.tokens!.access_token)).toBe(401);
  });

  it('is revoked with its connector if a refresh is pending', async () => {
    const assistant = await setting.connected();
    const [connector] = await setting.connectors();
    await using hold = await holdAccessTokens(setting.service.databaseUrl);
    const refreshed = assistant.refresh(assistant.kept.tokens!.refresh_token!);
    await hold.isWaited();
    const revoked = setting.account.client.connectors.revoke.mutate({ id: connector!.id });
    await hold.isWaited(2);
    await hold.letGo();
    const { status, body } = await refreshed;
    await revoked;
    expect([status, await setting.statusOf(body['access_token'])]).toEqual([200, 401]);
    expect((await assistant.refresh(String(body['refresh_token']))).status).toBe(400);
    const left = await setting.service.services.database.kysely
      .selectFrom('oauth_refresh_token')
      .select('id')
      .where('reference_id', '=', connector!.id)
      .execute();
    expect(left).toEqual([]);
  });

  it('keeps working when the person who consented changes their password', async () => {
    const assistant = await setting.connected();
    const { access_token, refresh_token } = assistant.kept.tokens!;
    const body = { currentPassword: setting.account.ownerPassword, newPassword: 'another password' };
    expect((await setting.owner.send('POST', '/auth/change-password', { body })).status).toBe(200);
    expect(await setting.statusOf(access_token)).toBe(200);
    expect((await assistant.refresh(refresh_token!)).status).toBe(200);
  });

  it('can be revoked by the assistant', async () => {
    const assistant = await setting.connected();
    const { access_token, refresh_token } = assistant.kept.tokens!;
    const other = await setting.connected();
    const { client_id } = other.kept.client!;
    await postForm(setting.service, '/auth/oauth2/revoke', { client_id, token: refresh_token! });
    expect(await setting.statusOf(access_token)).toBe(200);
    const own = { client_id: assistant.kept.client!.client_id, token: refresh_token! };
    expect((await postForm(setting.service, '/auth/oauth2/revoke', own)).status).toBe(200);
    expect(await setting.statusOf(access_token)).toBe(401);
    expect((await assistant.refresh(refresh_token!)).status).toBe(400);
    expect((await postForm(setting.service, '/auth/oauth2/revoke', { ...own, token: 'mcr_unknown' })).status).toBe(200);
  });

  it('is rejected without a query if PostgreSQL cannot store it', async () => {
    const assistant = await setting.asking();
    for (const [name, value] of [
      ['refresh_token', 'mcr_\0'],
      ['client_id', '\0'],
    ] as const) {
      const { status, body } = await assistant.token({ grant_type: 'refresh_token', [name]: value });
      expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
    const link = `${setting.service.url}/auth/oauth2/authorize?client_id=%00&client_id=x&redirect_uri=%00`;
    expect((await send(link, 'GET')).status).toBe(422);
    const revoked = await postForm(setting.service, '/auth/oauth2/revoke', { client_id: 'x', token: '\0' });
    expect(revoked.status).toBe(400);
  });

  it('is not issued by other grants', async () => {
    const assistant = await setting.asking();
    for (const grant_type of ['client_credentials', 'password', 'implicit', '']) {
      const { status, body } = await assistant.token({
        grant_type,
        username: setting.account.ownerEmail,
        password: setting.account.ownerPassword,
      });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/grant_type|invalid_request/) },
      });
    }
    const asJson = await send(`${setting.service.url}/auth/oauth2/token`, 'POST', { body: { grant_type: 'authorization_code' } });
    expect(asJson).toMatchObject({ status: 415, body: { error: 'invalid_request' } });
  });
});
