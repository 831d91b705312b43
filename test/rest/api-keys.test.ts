import { type PermissionMap, PERMISSION_NAMES } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { Api, type ErrorBody } from '../support/http.ts';
import { type Outputs, credentials } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Created = Outputs['apiKeys']['create'];
type Page = Outputs['apiKeys']['list'];

const service = useService();
const account = useAccount(service);

async function create(body: object): Promise<Created> {
  const reply = await account.api.post<Created>('/api_keys', body);
  expect(reply.status).toBe(201);
  return reply.body;
}

const apiOf = (key: Created) => new Api(service.url, credentials(account.id, key.api_key));
const statusOf = async (key: Created) => (await apiOf(key).get('/campaigns')).status;

describe('creating an API key', () => {
  it('shows the secret once, and grants everything by default', async () => {
    const key = await create({ name: 'Everything' });
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'Everything',
      livemode: null,
      prefix: key.api_key.slice(0, 12),
      permissions: { all: true },
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      created_at: service.clock.instant(),
      updated_at: service.clock.instant(),
      api_key: expect.stringMatching(/^apk_[0-9A-Za-z]{36}$/),
    });
    const { body, text } = await account.api.get<Page>('/api_keys');
    expect(text).not.toContain(key.api_key);
    expect(body.data[0]).toEqual({ ...key, api_key: undefined });
    expect(await statusOf(key)).toBe(200);
  });

  it('never creates two equal secrets', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'Same' })));
    expect(new Set(keys.map(({ api_key }) => api_key)).size).toBe(20);
  });

  it.each<[string, object]>([
    ['name', {}],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['name', { name: 7 }],
    ['permissions', { name: 'K', permissions: [] }],
    ['permissions', { name: 'K', permissions: 'all' }],
    ['permissions', { name: 'K', permissions: null }],
    ['permissions.v1.fly.read', { name: 'K', permissions: { 'v1.fly.read': true } }],
    ['permissions.all', { name: 'K', permissions: { all: 'yes' } }],
    ['expires_at', { name: 'K', expires_at: 'tomorrow' }],
    ['expires_at', { name: 'K', expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { name: 'K', expires_at: '2030-01-01' }],
    ['role', { name: 'K', role: 'owner' }],
  ])('refuses a bad %s', async (path, body) => {
    const reply = await account.api.post<ErrorBody>('/api_keys', body);
    expect(reply).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
    expect(reply.body.details?.map((detail) => detail.path)).toContain(path);
  });

  it('accepts every permission name', async () => {
    const permissions = Object.fromEntries(PERMISSION_NAMES.map((name) => [name, name !== 'all']));
    expect((await create({ name: 'Every one', permissions })).permissions).toEqual(permissions);
  });

  it.each<[string, PermissionMap, PermissionMap | undefined]>([
    ['everything by omitting the permissions', { 'v1.api_keys.write': true }, undefined],
    ['everything', { 'v1.api_keys.write': true }, { all: true }],
    ['a missing permission', { 'v1.api_keys.write': true }, { 'v1.payouts.write': true }],
    ['a denied permission by asking for all', { all: true, 'v1.payouts.write': false }, { all: true }],
    ['a denied permission by its name', { all: true, 'v1.payouts.write': false }, { 'v1.payouts.write': true }],
    ['permissions of another interface', { 'v1.api_keys.write': true, 'v1.links.read': true }, { 'mcp.links.read': true }],
  ])('does not let a key grant %s', async (_what, own, permissions) => {
    const api = await account.apiWith(own);
    expect(await api.post('/api_keys', { name: 'Child', ...(permissions ? { permissions } : {}) })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });

  it('lets a key grant its own permissions', async () => {
    const denied = { all: true, 'v1.payouts.write': false };
    const api = await account.apiWith(denied);
    expect((await api.post('/api_keys', { name: 'Child', permissions: denied })).status).toBe(201);
    expect((await api.post('/api_keys', { name: 'Child', permissions: { 'v1.payouts.read': true } })).status).toBe(201);
  });
});

describe('the expiry of an API key', () => {
  it('takes effect at the given time', async () => {
    const expires = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const key = await create({ name: 'Short', expires_at: expires.replace('Z', '+00:00') });
    expect(key.expires_at).toBe(expires);
    expect(await statusOf(key)).toBe(200);
    service.clock.advance(59, 'seconds');
    expect(await statusOf(key)).toBe(200);
    service.clock.advance(1, 'seconds');
    expect(await statusOf(key)).toBe(401);
  });
});

describe('the last use of an API key', () => {
  it('is recorded with a precision of one minute', async () => {
    const key = await create({ name: 'Used' });
    const first = service.clock.instant();
    await statusOf(key);
    service.clock.advance(59, 'seconds');
    await statusOf(key);
    expect((await account.api.get<Page>('/api_keys')).body.data[0]?.last_used_at).toBe(first);
    service.clock.advance(1, 'seconds');
    await statusOf(key);
    expect((await account.api.get<Page>('/api_keys')).body.data[0]?.last_used_at).toBe(service.clock.instant());
  });
});

describe('revoking an API key', () => {
  it('ends the key at once, and keeps the record', async () => {
    const key = await create({ name: 'Revoked' });
    expect(await statusOf(key)).toBe(200);
    const revokedAt = service.clock.instant();
    const reply = await account.api.delete(`/api_keys/${key.id}`);
    expect(reply).toMatchObject({ status: 200, body: { message: expect.any(String), id: key.id, revoked_at: revokedAt } });
    expect(await statusOf(key)).toBe(401);
    service.clock.advance(1, 'hours');
    expect((await account.api.delete(`/api_keys/${key.id}`)).body).toMatchObject({ revoked_at: revokedAt });
    expect((await account.api.get<Page>('/api_keys')).body.data[0]).toMatchObject({ id: key.id, revoked_at: revokedAt });
  });

  it('ends the key within a second in other processes', async () => {
    const key = await create({ name: 'Revoked elsewhere' });
    expect(await statusOf(key)).toBe(200);
    await service.services.database.kysely
      .updateTable('api_key')
      .set({ revoked_at: service.clock.instant() })
      .where('id', '=', key.id)
      .execute();
    await expect.poll(() => statusOf(key), { timeout: 1_500, interval: 100 }).toBe(401);
  });

  it('needs all permissions of the key', async () => {
    const strong = await create({ name: 'Strong' });
    const weak = await account.apiWith({ 'v1.api_keys.write': true, 'v1.links.read': true });
    expect(await weak.delete(`/api_keys/${strong.id}`)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await statusOf(strong)).toBe(200);
    const equal = await create({ name: 'Links only', permissions: { 'v1.links.read': true } });
    expect((await weak.delete(`/api_keys/${equal.id}`)).status).toBe(200);
  });

  it('does not affect keys of another account', async () => {
    const other = await service.createAccount();
    const key = await create({ name: 'Mine' });
    expect((await other.api.delete(`/api_keys/${key.id}`)).status).toBe(404);
    expect((await other.api.get<Page>('/api_keys')).body.pagination.total_count).toBe(1);
    expect(await statusOf(key)).toBe(200);
  });
});
