/** Callers with few permissions try to get more. */
import { describe, expect, it } from 'vitest';
import { createConnector } from '../mcp/assistant.ts';
import { Api, type Reply } from '../support/http.ts';
import { newMember, ownerOf } from '../support/people.ts';
import { program, refer, sell, unique } from '../support/program.ts';
import { credentials } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');

const answered = ({ status, body }: Reply) => [status, (body as { code?: string }).code];
const newEmail = () => `${unique('someone')}@example.com`;
const invite = (api: Api, invitation: object) => api.post<{ id: string }>('/invitations', { email: newEmail(), ...invitation });

describe('a key that may invite', () => {
  it('cannot invite a member with more permissions than the key', async () => {
    const api = await account.apiWith({ 'v1.invitations.write': true, 'v1.invitations.read': true });
    for (const role of ['member', 'admin', 'owner', undefined]) {
      expect(answered(await invite(api, { kind: 'member', role }))).toEqual([403, 'FORBIDDEN']);
    }
    const { campaign } = await program(account);
    expect((await invite(api, { kind: 'affiliate', campaign_id: campaign.id })).status).toBe(201);
  });

  it('cannot raise an invitation above its own permissions', async () => {
    const { body: invitation } = await invite(account.api, { kind: 'member' });
    const api = await account.apiWith({ all: true, 'settings.members.write': false });
    expect(answered(await api.patch(`/invitations/${invitation.id}`, { role: 'admin' }))).toEqual([403, 'FORBIDDEN']);
    expect((await account.api.patch(`/invitations/${invitation.id}`, { role: 'admin' })).status).toBe(200);
  });

  it('needs all permissions of the role to make a person a member', async () => {
    const { body: invitation } = await invite(account.api, { kind: 'member', role: 'admin' });
    const api = await account.apiWith({ 'v1.invitations.write': true });
    const reply = await api.patch(`/invitations/${invitation.id}`, { invitation_action: 'accept', user_id: account.ownerId });
    expect(reply.status).toBeGreaterThanOrEqual(400);
  });

  it('can invite admins if it has all permissions, but never owners', async () => {
    expect((await invite(account.api, { kind: 'member', role: 'admin' })).status).toBe(201);
    expect(answered(await invite(account.api, { kind: 'member', role: 'owner' }))).toEqual([403, 'FORBIDDEN']);
  });
});

it('a key that may manage members cannot give a member more permissions than it has', async () => {
  const member = await newMember(service, account, 'member');
  const api = await account.apiWith({ 'settings.members.write': true, 'settings.members.read': true });
  const raise = (by: Api, role: string) => by.post('/trpc/members.updateRole', { user_id: member.id, role });
  expect((await raise(api, 'admin')).status).toBe(403);
  expect((await raise(account.api, 'admin')).status).toBe(200);
});

describe('a key that expires', () => {
  const soon = () => new Date(service.clock.now().getTime() + 3_600_000).toISOString();
  const later = () => new Date(service.clock.now().getTime() + 7_200_000).toISOString();

  it('cannot create a key or connector that expires later', async () => {
    const { body: key } = await account.api.post<{ api_key: string }>('/api_keys', { name: 'Temporary', expires_at: soon() });
    const api = new Api(service.url, credentials(account.id, key.api_key));
    for (const expires_at of [undefined, null, later()]) {
      expect(answered(await api.post('/api_keys', { name: 'Lasting', expires_at }))).toEqual([403, 'FORBIDDEN']);
      expect((await api.post('/trpc/connectors.create', { name: 'Lasting', expires_at })).status).toBe(403);
    }
    expect((await api.post('/api_keys', { name: 'As long', expires_at: soon() })).status).toBe(201);
    expect((await api.post('/trpc/connectors.create', { name: 'As long', expires_at: soon() })).status).toBe(200);
  });
});

describe('a batch over /trpc', () => {
  it('has only the permissions of the signed-in member', async () => {
    const member = await newMember(service, account, 'member');
    const { affiliate } = await program(account);
    const calls = {
      0: { id: affiliate.id, first_name: 'Grace' },
      1: { name: 'Mine', permissions: { all: true } },
      2: { user_id: member.id, role: 'owner' },
    };
    const names = 'affiliates.update,apiKeys.create,members.updateRole';
    const { body } = await member.browser.send<{ result?: object; error?: { data: { code: string } } }[]>(
      'POST',
      `/trpc/${names}?batch=1`,
      { body: calls },
    );
    expect(body.map(({ error }) => error?.data.code ?? 'done')).toEqual(['done', 'FORBIDDEN', 'FORBIDDEN']);
  });

  it('cannot use the session if it comes from a page of another site', async () => {
    const owner = await ownerOf(service, account);
    owner.browser.origin = 'https://evil.example';
    const reply = await owner.browser.send('POST', '/trpc/apiKeys.create,apiKeys.create?batch=1', {
      body: { 0: { name: 'a' }, 1: { name: 'b' } },
    });
    expect(reply.status).toBe(403);
  });
});

describe('a connector', () => {
  it('is accepted only by the MCP endpoint', async () => {
    const { token } = await createConnector(account);
    for (const headers of [{ Authorization: `Bearer ${token}` }, { 'X-Api-Key': token }] as Record<string, string>[]) {
      const api = new Api(service.url, { ...headers, 'X-Account-Id': account.id });
      expect((await api.get('/affiliates')).status).toBe(401);
      expect((await api.get('/trpc/affiliates.list', { input: '{}' })).status).toBe(401);
    }
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (api: Api, path: string, body: object) => api.post(path, body, { 'Idempotency-Key': 'the same' });

  it('of another account or credential is unknown', async () => {
    const stranger = await service.createAccount();
    const key = { name: 'Integration' };
    const first = await keyed(account.api, '/api_keys', key);
    for (const api of [stranger.api, await account.apiWith({ all: true })]) {
      const reply = await keyed(api, '/api_keys', key);
      expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([201, null]);
      expect(reply.body['id']).not.toBe(first.body['id']);
    }
  });

  it('that was used on another path, or on another record, is refused', async () => {
    const { campaign, affiliate } = await program(account);
    const { api } = account;
    const send = (path: string, body: object) => api.post(path, body, { 'Idempotency-Key': 'walks around' });
    const { id: referral_id } = await refer(account, { campaign, affiliate, link: (await program(account)).link });
    const [a, b] = await Promise.all([1, 2].map(() => sell(account, { referral_id })));
    expect((await send(`/commissions/${a!.commission!.id}/review`, { review_action: 'suspicious' })).status).toBe(200);
    expect((await send(`/commissions/${b!.commission!.id}/review`, { review_action: 'suspicious' })).status).toBe(422);
    expect((await send('/links', { affiliate_id: affiliate.id, campaign_id: campaign.id, url: campaign.url })).status).toBe(422);
    expect((await api.get(`/commissions/${b!.commission!.id}`)).body['review_status']).toBeNull();
  });

  it('does not replay a response to a key that has lost its permission', async () => {
    const api = await account.apiWith({ 'v1.api_keys.write': true });
    expect((await keyed(api, '/api_keys', { name: 'x', permissions: {} })).status).toBe(201);
    const { data } = (await account.api.get<{ data: { id: string; permissions: object }[] }>('/api_keys')).body;
    const own = data.find(({ permissions }) => JSON.stringify(permissions) === '{"v1.api_keys.write":true}')!;
    expect((await account.api.delete(`/api_keys/${own.id}`)).status).toBe(200);
    expect((await keyed(api, '/api_keys', { name: 'x', permissions: {} })).status).toBe(401);
  });
});

describe('an archived record', () => {
  it('cannot be referenced in new records', async () => {
    const { campaign, affiliate, link } = await program(account);
    const { api } = account;
    await api.delete(`/links/${link.id}`);
    expect(answered(await api.post('/referrals', { link_id: link.id }))).toEqual([422, 'VALIDATION_ERROR']);
    await api.delete(`/affiliates/${affiliate.id}`);
    const ids = { affiliate_id: affiliate.id, campaign_id: campaign.id };
    expect((await api.post('/referrals', ids)).status).toBe(422);
    expect((await api.post('/links', { ...ids, url: campaign.url })).status).toBe(422);
    await api.delete(`/campaigns/${campaign.id}`);
    expect((await api.post('/affiliates', { email: newEmail(), campaign_id: campaign.id })).status).toBe(422);
    expect((await invite(api, { kind: 'affiliate', campaign_id: campaign.id })).status).toBe(422);
    expect((await api.patch(`/campaigns/${campaign.id}`, { default: true })).status).toBe(422);
  });
});
