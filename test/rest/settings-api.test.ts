import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody, Fields } from '../support/http.ts';
import { newMember, ownerOf, type Person } from '../support/people.ts';
import { program } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Endpoint = Outputs['webhookEndpoints']['create'];
type Endpoints = Outputs['webhookEndpoints']['list'];
type Delivery = Outputs['webhookDeliveries']['get'];
type Deliveries = Outputs['webhookDeliveries']['list'];
type Members = Outputs['members']['list'];
type AuditLog = Outputs['auditLog']['list'];
type Me = Outputs['me']['get'];
type Account = Outputs['account']['get'];

const SETTINGS = '/api/settings/v1';
const ENDPOINT = { name: 'Orders', url: 'http://127.0.0.1:1024/hooks', event_types: ['affiliate.created'] };

const service = useService();
const account = useAccount(service, 'file');
let other: TestAccount;
let owner: Person;

beforeAll(async () => {
  other = await service.createAccount();
  owner = await ownerOf(service, account);
});

const get = <Body = Fields>(path: string, query = '', { api } = account) => api.get<Body>(`${SETTINGS}${path}`, query);
const post = <Body = Fields>(path: string, body: Fields = {}, headers: Record<string, string> = {}, { api } = account) =>
  api.post<Body>(`${SETTINGS}${path}`, body, headers);
const create = async (changes: Fields = {}) => (await post<Endpoint>('/webhook_endpoints', { ...ENDPOINT, ...changes })).body;

describe('webhook endpoints', () => {
  it('are created with a secret that no other response shows, read, changed and deleted', async () => {
    const { status, body } = await post<Endpoint>('/webhook_endpoints', ENDPOINT);
    expect(status).toBe(201);
    const { signing_secret, ...endpoint } = body;
    expect(signing_secret).toMatch(/^whsec_/);
    expect((await get(`/webhook_endpoints/${endpoint.id}`)).body).toEqual(endpoint);
    const changed = await account.api.patch(`${SETTINGS}/webhook_endpoints/${endpoint.id}`, { active: false, name: 'Paused' });
    expect(changed).toMatchObject({ status: 200, body: { id: endpoint.id, active: false, name: 'Paused' } });
    expect(await account.api.delete(`${SETTINGS}/webhook_endpoints/${endpoint.id}`)).toMatchObject({ status: 204, text: '' });
    expect((await get(`/webhook_endpoints/${endpoint.id}`)).body['deleted_at']).not.toBeNull();
    const { data } = (await get<Endpoints>('/webhook_endpoints')).body;
    expect(data.map(({ id }) => id)).not.toContain(endpoint.id);
  });

  it('are listed page by page', async () => {
    const ids = [(await create()).id, (await create()).id];
    const pages = await Promise.all([1, 2].map((page) => get<Endpoints>('/webhook_endpoints', `limit=1&page=${page}`)));
    expect(pages.flatMap(({ body }) => body.data.map(({ id }) => id))).toEqual(ids.toReversed());
    expect(pages[0]!.body.pagination).toMatchObject({ next_page: 2, count: 1, limit: 1 });
  });

  it('are created once, whatever number of requests has the key', async () => {
    const key = { 'Idempotency-Key': 'orders' };
    const first = await post<Endpoint>('/webhook_endpoints', ENDPOINT, key);
    const again = await post<Endpoint>('/webhook_endpoints', ENDPOINT, key);
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body]);
  });

  it('refuse an address that is not public, and unknown fields', async () => {
    for (const [change, path] of [
      [{ url: 'http://10.0.0.1/hooks' }, 'url'],
      [{ secret: 'x' }, 'secret'],
      [{ event_types: [] }, 'event_types'],
    ] as const) {
      const { status, body } = await post<ErrorBody>('/webhook_endpoints', { ...ENDPOINT, ...change });
      expect({ status, path: body.details?.[0]?.path }).toEqual({ status: 422, path });
    }
  });

  it('get a new secret, while the old one stays valid for a day', async () => {
    const { id, signing_secret } = await create();
    const { status, body } = await post<Endpoint>(`/webhook_endpoints/${id}/rotate_secret`);
    expect(status).toBe(200);
    expect(body.signing_secret).not.toBe(signing_secret);
    expect(body.previous_secret_expires_at).not.toBeNull();
  });
});

describe('webhook deliveries', () => {
  it('of a test event and of missed events are listed, read and retried', async () => {
    const { id } = await create();
    const since = service.clock.instant();
    const test = await post<Delivery>(`/webhook_endpoints/${id}/test`);
    expect(test).toMatchObject({ status: 201, body: { endpoint_id: id, test: true, status: 'pending' } });
    await program(account);
    const listed = await get<Deliveries>('/webhook_deliveries', `endpoint_id=${id}`);
    expect(listed.body.pagination.total_count).toBe(2);
    const filtered = await get<Deliveries>('/webhook_deliveries', `endpoint_id=${id}&event_type=payout.paid`);
    expect(filtered.body.data).toEqual([]);
    const pending = listed.body.data.find((each) => !each.test)!;
    const read = await get<Delivery>(`/webhook_deliveries/${pending.id}`);
    expect(JSON.parse(read.body.request_body)).toMatchObject({ id: pending.event_id, type: 'affiliate.created' });
    const retried = await post<Delivery>(`/webhook_deliveries/${pending.id}/retry`);
    expect(retried).toMatchObject({ status: 200, body: { id: pending.id, retry_requested_at: service.clock.instant() } });
    const later = await create();
    expect((await post(`/webhook_endpoints/${later.id}/resend`, { since })).body).toEqual({ created_count: 1, retried_count: 0 });
  });
});

describe('members', () => {
  it('are listed, get another role, and are removed', async () => {
    const { id } = await newMember(service, account, 'member');
    const { body } = await get<Members>('/members', 'limit=1');
    expect(body.data.map(({ user_id }) => user_id)).toEqual([id]);
    expect(body.pagination).toMatchObject({ next_page: 2, total_count: 2 });
    const raised = await account.api.patch(`${SETTINGS}/members/${id}`, { role: 'admin' });
    expect(raised).toMatchObject({ status: 200, body: { user_id: id, role: 'admin' } });
    expect(await account.api.delete(`${SETTINGS}/members/${id}`)).toMatchObject({ status: 204, text: '' });
    expect((await get<Members>('/members')).body.pagination.total_count).toBe(1);
  });

  it('cannot be made owners by a key, and the last owner stays', async () => {
    const { id } = await newMember(service, account, 'member');
    expect((await account.api.patch(`${SETTINGS}/members/${id}`, { role: 'owner' })).status).toBe(403);
    const demote = { body: { role: 'admin' }, headers: { 'X-Account-Id': account.id } };
    expect((await owner.browser.send('PATCH', `${SETTINGS}/members/${owner.id}`, demote)).status).toBe(422);
  });
});

describe('the audit log', () => {
  it('is listed with the changes that keys make in the settings, by tool, action, caller and time', async () => {
    service.clock.advance(1, 'hours');
    const since = encodeURIComponent(service.clock.instant());
    const { id } = await create();
    const { body } = await get<AuditLog>('/audit_log', `created_since=${since}`);
    expect(body.data).toMatchObject([
      { caller_kind: 'api_key', tool: 'webhook_endpoints', action: 'create', outcome: 'succeeded' },
    ]);
    expect(body.pagination).toMatchObject({ count: 1, total_count: 1 });
    await account.api.delete(`${SETTINGS}/webhook_endpoints/${id}`);
    const count = async (query: string) => (await get<AuditLog>('/audit_log', query)).body.pagination.total_count;
    expect(await count(`created_since=${since}&action=delete`)).toBe(1);
    expect(await count(`created_since=${since}&tool=members`)).toBe(0);
    expect(await count(`created_since=${since}&caller_kind=session`)).toBe(0);
    expect(await count(`created_until=${encodeURIComponent('2000-01-01T00:00:00Z')}`)).toBe(0);
    expect((await get('/audit_log', 'caller_kind=nobody')).status).toBe(422);
  });
});

describe('GET /me', () => {
  it('tells a key its permissions, even if it has none', async () => {
    const reader = await account.apiWith({ 'v1.sales.read': true, 'settings.webhooks.write': true, 'mcp.sales.read': true });
    expect((await reader.get<Me>(`${SETTINGS}/me`)).body).toEqual({
      kind: 'api_key',
      id: expect.stringMatching(/^key_/),
      name: expect.any(String),
      account_id: account.id,
      livemode: null,
      account: { name: expect.any(String), currency: 'USD', time_zone: expect.any(String) },
      role: null,
      permissions: ['v1.sales.read', 'settings.webhooks.write'],
      expires_at: null,
    });
    const nothing = await account.apiWith({});
    expect((await nothing.get<Me>(`${SETTINGS}/me`)).body.permissions).toEqual([]);
    const almost = await account.apiWith({ all: true, 'v1.payouts.write': false });
    const { permissions } = (await almost.get<Me>(`${SETTINGS}/me`)).body;
    expect(permissions).toContain('v1.payouts.read');
    expect(permissions).not.toContain('v1.payouts.write');
  });

  it('tells a signed-in person their role and what it permits', async () => {
    const { browser, id } = await newMember(service, account, 'member');
    const { body } = await browser.send<Me>('GET', `${SETTINGS}/me`, { headers: { 'X-Account-Id': account.id } });
    expect(body).toMatchObject({ kind: 'session', id, account_id: account.id, role: 'member' });
    expect(body.permissions).toContain('v1.affiliates.write');
    expect(body.permissions).not.toContain('settings.webhooks.read');
  });

  it('tells nothing without credentials, with those of another account, and with parameters', async () => {
    expect((await account.api.send('GET', `${SETTINGS}/me`, { headers: { Authorization: '' } })).status).toBe(401);
    expect((await account.api.send('GET', `${SETTINGS}/me`, { headers: { 'X-Account-Id': other.id } })).status).toBe(403);
    expect((await get('/me', 'id=1')).status).toBe(422);
  });
});

describe('the account', () => {
  const asked = { headers: { 'X-Account-Id': '' } };
  beforeAll(() => {
    asked.headers['X-Account-Id'] = account.id;
  });

  it('is read by every member and changed by admins', async () => {
    const member = await newMember(service, account, 'member');
    const { body } = await member.browser.send<Account>('GET', `${SETTINGS}/account`, asked);
    expect(body).toMatchObject({ id: account.id, role: 'member', currency: 'USD', time_zone: 'UTC' });
    const change = { ...asked, body: { name: 'Northwind', time_zone: 'Europe/Berlin' } };
    const refused = await member.browser.send('PATCH', `${SETTINGS}/account`, change);
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const changed = await owner.browser.send<Account>('PATCH', `${SETTINGS}/account`, change);
    expect(changed).toMatchObject({ status: 200, body: { id: account.id, name: 'Northwind', time_zone: 'Europe/Berlin' } });
  });

  it('is the account of the request, not one that the body names', async () => {
    const { status, body } = await owner.browser.send<ErrorBody>('PATCH', `${SETTINGS}/account`, {
      ...asked,
      body: { account_id: other.id, name: 'Mine' },
    });
    expect({ status, paths: body.details?.map(({ path }) => path) }).toEqual({ status: 422, paths: ['account_id'] });
    const foreign = { headers: { 'X-Account-Id': other.id }, body: { name: 'Mine' } };
    expect((await owner.browser.send('PATCH', `${SETTINGS}/account`, foreign)).status).toBe(403);
    expect((await owner.browser.send('GET', `${SETTINGS}/account`, foreign)).status).toBe(403);
  });

  it('is refused to keys with a message that says why, and to pages of other sites', async () => {
    const message = 'Only signed-in people can do this. An API key cannot, whatever its permissions.';
    expect(await get('/account')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', error: message } });
    expect(await account.api.patch(`${SETTINGS}/account`, { name: 'Mine' })).toMatchObject({
      status: 403,
      body: { error: message },
    });
    const elsewhere = { ...asked, body: { name: 'Mine' } };
    const headers = { ...asked.headers, Origin: 'https://elsewhere.example.com' };
    expect((await owner.browser.send('PATCH', `${SETTINGS}/account`, { ...elsewhere, headers })).status).toBe(403);
  });
});

describe('every operation', () => {
  const endpointPaths = (id: string) =>
    [
      ['GET', `/webhook_endpoints/${id}`],
      ['PATCH', `/webhook_endpoints/${id}`],
      ['DELETE', `/webhook_endpoints/${id}`],
      ['POST', `/webhook_endpoints/${id}/rotate_secret`],
      ['POST', `/webhook_endpoints/${id}/test`],
    ] as const;
  const call = (method: string, path: string, { api } = account) =>
    api.send(method, `${SETTINGS}${path}`, method === 'GET' || method === 'DELETE' ? {} : { body: {} });

  it('knows no record of another account, and no unknown one', async () => {
    const { id } = await create();
    const delivery = (await post<Delivery>(`/webhook_endpoints/${id}/test`)).body;
    for (const [method, path] of [
      ...endpointPaths(id),
      ...endpointPaths('whe_unknown'),
      ['GET', `/webhook_deliveries/${delivery.id}`],
      ['POST', `/webhook_deliveries/${delivery.id}/retry`],
      ['DELETE', `/members/${account.ownerId}`],
    ] as const)
      expect([path, (await call(method, path, other)).status]).toEqual([path, 404]);
    const role = await other.api.patch(`${SETTINGS}/members/${account.ownerId}`, { role: 'admin' });
    expect(role).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    for (const path of ['/webhook_endpoints', '/webhook_deliveries', '/audit_log'])
      expect((await get<Endpoints>(path, '', other)).body.data).toEqual([]);
    expect((await get<Deliveries>('/webhook_deliveries', `endpoint_id=${id}`, other)).body.data).toEqual([]);
    const since = { since: service.clock.instant() };
    const resent = await post<ErrorBody>(`/webhook_endpoints/${id}/resend`, since, {}, other);
    expect(resent).toMatchObject({ status: 422, body: { details: [{ path: 'endpoint_id', code: 'not_found' }] } });
  });

  it.each([
    ['GET', '/webhook_endpoints', 'settings.webhooks.read'],
    ['POST', '/webhook_endpoints', 'settings.webhooks.write'],
    ['GET', '/webhook_deliveries', 'settings.webhooks.read'],
    ['POST', '/webhook_deliveries/dlv_unknown/retry', 'settings.webhooks.write'],
    ['POST', '/webhook_endpoints/whe_unknown/resend', 'settings.webhooks.write'],
    ['GET', '/members', 'settings.members.read'],
    ['PATCH', '/members/usr_unknown', 'settings.members.write'],
    ['DELETE', '/members/usr_unknown', 'settings.members.write'],
    ['GET', '/audit_log', 'settings.connectors.read'],
  ])('%s %s needs the permission %s', async (method, path, permission) => {
    const api = await account.apiWith({ all: true, [permission]: false });
    expect(await call(method, path, { ...account, api })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', details: { permission } },
    });
  });

  it('is known only under its own root', async () => {
    expect((await account.api.get('/members')).status).toBe(404);
    expect((await get('/affiliates')).status).toBe(404);
    expect((await account.api.put(`${SETTINGS}/members`, {})).status).toBe(405);
  });
});

describe('connectors', () => {
  it('are created with a token that is shown once, read, changed and revoked', async () => {
    const created = await post<{ id: string; token: string }>('/connectors', {
      name: 'Claude',
      permissions: { 'mcp.affiliates.read': true },
    });
    expect(created).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^mcp_/) } });
    const path = `/connectors/${created.body.id}`;
    expect((await get<Record<string, unknown>>(path)).body).not.toHaveProperty('token');
    const changed = await account.api.patch(`${SETTINGS}${path}`, { name: 'Claude, finance' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Claude, finance' } });
    expect((await account.api.delete(`${SETTINGS}${path}`)).status).toBe(204);
    expect((await get(path)).body).toMatchObject({ revoked_at: expect.any(String) });
    expect((await get(path, '', other)).status).toBe(404);
    const some = await get<Endpoints>('/connectors');
    expect(some.body.data).toContainEqual(expect.objectContaining({ id: created.body.id }));
  });
});

describe('email texts', () => {
  it('are replaced, previewed and reset', async () => {
    const own = { subject: 'Welcome', body: 'Hello from {{account_name}}.' };
    const path = '/email_texts/application_approved';
    expect(await account.api.put(`${SETTINGS}${path}`, own)).toMatchObject({ status: 200, body: { ...own, is_default: false } });
    expect((await post(`${path}/preview`, own)).body).toMatchObject({ subject: 'Welcome' });
    const listed = await get<{ data: { mail: string; is_default: boolean }[] }>('/email_texts', 'language=en');
    expect(listed.body.data.find(({ mail }) => mail === 'application_approved')).toMatchObject(own);
    expect((await post(`${path}/reset`)).body).toMatchObject({ is_default: true });
    expect(await post(`${path}/test`)).toMatchObject({ status: 403 });
  });

  it('of an email that does not exist are not found', async () => {
    expect(await post('/email_texts/birthday/reset')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const reader = await account.apiWith({ 'v1.campaigns.read': true });
    expect((await reader.post(`${SETTINGS}/email_texts/birthday/reset`, {})).status).toBe(403);
  });
});

describe('the portal settings', () => {
  it('are read and changed', async () => {
    expect(await account.api.patch(`${SETTINGS}/portal_settings`, { brand_name: 'Northwind' })).toMatchObject({ status: 200 });
    expect((await get('/portal_settings')).body).toMatchObject({ account_id: account.id, brand_name: 'Northwind' });
    expect((await account.api.delete(`${SETTINGS}/portal_settings/logo`)).status).toBe(204);
    expect(await post('/portal_settings/check_host')).toMatchObject({ status: 404 });
  });
});

describe('the connection to Stripe', () => {
  it('is read before there is one, and connecting names a wrong key', async () => {
    expect((await get('/psp_connection')).body).toMatchObject({ connected: false, livemode: null });
    expect((await get('/psp_connection/last_events')).body).toEqual({ live: null, test: null });
    expect((await get('/psp_connection/activity')).status).toBe(200);
    expect(await account.api.put<ErrorBody>(`${SETTINGS}/psp_connection`, { secret_key: 'nothing' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'secret_key' }] },
    });
    expect((await account.api.delete(`${SETTINGS}/psp_connection`)).status).toBe(204);
  });
});

describe('a member', () => {
  it('is read by an ID', async () => {
    const { body } = await get(`/members/${account.ownerId}`);
    expect(body).toMatchObject({ user_id: account.ownerId, role: 'owner' });
    expect((await get(`/members/${account.ownerId}`, '', other)).status).toBe(404);
    expect((await post(`/members/${account.ownerId}/remove_second_factor`)).status).toBe(403);
  });
});

describe('the site', () => {
  it('lists recent clicks', async () => {
    expect((await get('/site/recent_clicks')).body).toEqual({ clicks: [] });
  });
});
