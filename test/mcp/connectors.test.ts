import { describe, expect, it } from 'vitest';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant, createConnector } from './assistant.ts';

type ConnectorPage = Outputs['connectors']['list'];

const service = useService();
const account = useAccount(service);

const PROMO_CODES = { 'mcp.affiliate_coupons.read': true, 'mcp.affiliate_coupons.write': true };

describe('creating a connector', () => {
  it('grants read access without promo codes by default', async () => {
    const { permissions } = await createConnector(account);
    const names = Object.keys(permissions);
    expect(names).toContain('mcp.commissions.read');
    expect(names.filter((name) => !/^mcp\.[a-z_]+\.read$/.test(name))).toEqual([]);
    expect(names.filter((name) => /affiliate_coupons|api_keys/.test(name))).toEqual([]);
    expect(new Set(Object.values(permissions))).toEqual(new Set([true]));
  });

  it('adds only promo code management with allow_promo_code_management', async () => {
    const plain = await createConnector(account);
    const promo = await createConnector(account, { allow_promo_code_management: true });
    expect(promo.permissions).toEqual({ ...plain.permissions, ...PROMO_CODES });
    const chosen = await createConnector(account, {
      permissions: { 'mcp.affiliates.read': true },
      allow_promo_code_management: true,
    });
    expect(chosen.permissions).toEqual({ 'mcp.affiliates.read': true, ...PROMO_CODES });
  });

  it('returns the token once and does not store it', async () => {
    const { token, ...connector } = await createConnector(account);
    expect(token).toMatch(/^mcp_[0-9A-Za-z]{36}$/);
    expect(connector).toMatchObject({
      id: expect.stringMatching(/^cntr_/),
      prefix: token.slice(0, 12),
      last_used_at: null,
      revoked_at: null,
    });
    const { data } = await list();
    expect(data).toEqual([connector]);
    const rows = await service.services.database.kysely.selectFrom('connector').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it.each([
    ['permissions.all', { permissions: { all: true } }],
    ['permissions.v1.affiliates.read', { permissions: { 'v1.affiliates.read': true } }],
    ['permissions.settings.connectors.write', { permissions: { 'settings.connectors.write': true } }],
    ['permissions.mcp.affiliates.read', { permissions: { 'mcp.affiliates.read': 'yes' } }],
    ['allow_promo_code_management', { permissions: { 'mcp.affiliate_coupons.read': false }, allow_promo_code_management: true }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['name', { name: ' ' }],
  ])('rejects an invalid %s', async (path, input) => {
    const { status, body } = await account.api.post('/trpc/connectors.create', { name: 'Assistant', ...input });
    expect({ status, body }).toMatchObject({ status: 422, body: { error: { data: { code: 'VALIDATION_ERROR' } } } });
    const { details } = (body as { error: { data: { details: { path: string }[] } } }).error.data;
    expect(details.map((detail) => detail.path)).toContain(path);
  });

  it('cannot grant permissions that the creator lacks', async () => {
    const api = await account.apiWith({ 'settings.connectors.write': true, 'mcp.affiliates.read': true });
    const granted = await api.post('/trpc/connectors.create', { name: 'A', permissions: { 'mcp.affiliates.read': true } });
    const refused = await api.post('/trpc/connectors.create', { name: 'B', permissions: { 'mcp.affiliates.write': true } });
    const option = await api.post('/trpc/connectors.create', {
      name: 'C',
      permissions: { 'mcp.affiliates.read': true },
      allow_promo_code_management: true,
    });
    expect([granted.status, refused.status, option.status]).toEqual([200, 403, 403]);
    const others = await account.apiWith({ 'v1.api_keys.write': true, 'mcp.affiliates.read': true });
    expect((await others.post('/trpc/connectors.create', { name: 'D' })).status).toBe(403);
  });
});

describe('a connector token', () => {
  it('works only for MCP', async () => {
    const { token } = await createConnector(account, { permissions: { 'mcp.affiliates.read': true } });
    const { status } = await account.api.send('GET', '/affiliates', { headers: { Authorization: `Bearer ${token}` } });
    expect(status).toBe(401);
  });

  it('fails immediately after it is revoked, even in open connections', async () => {
    const { id, token } = await createConnector(account);
    const assistant = await Assistant.overHttp(service, token);
    expect((await assistant.call('affiliates', { action: 'list' })).isError).toBe(false);
    const { status } = await account.api.post('/trpc/connectors.revoke', { id });
    expect(status).toBe(200);
    await expect(assistant.call('affiliates', { action: 'list' })).rejects.toThrow(/UNAUTHORIZED/);
    await expect(Assistant.overHttp(service, token)).rejects.toThrow(/UNAUTHORIZED/);
    const { data } = await list();
    expect(data).toMatchObject([{ id, revoked_at: service.clock.instant() }]);
  });

  it('fails after it has expired', async () => {
    const later = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const { token } = await createConnector(account, { expires_at: later });
    const assistant = await Assistant.overHttp(service, token);
    service.clock.advance(1, 'minutes');
    await expect(assistant.call('affiliates', { action: 'list' })).rejects.toThrow(/UNAUTHORIZED/);
  });

  it('records when it was last used', async () => {
    const { token } = await createConnector(account);
    await Assistant.overHttp(service, token);
    expect((await list()).data).toMatchObject([{ last_used_at: service.clock.instant() }]);
  });

  it('gives access only to its own account', async () => {
    const other = await service.createAccount();
    const { id } = (
      await other.api.post('/campaigns', {
        name: 'Theirs',
        url: 'https://x.example',
        reward_type: 'percent',
        commission_percent: 1,
      })
    ).body;
    const assistant = await Assistant.overHttp(service, (await createConnector(account)).token);
    const { isError, body } = await assistant.call('campaigns', { action: 'get', id });
    expect({ isError, body }).toMatchObject({ isError: true, body: { code: 'NOT_FOUND' } });
    expect((await other.api.post('/trpc/connectors.revoke', { id: (await createConnector(account)).id })).status).toBe(404);
  });
});

async function list(): Promise<ConnectorPage> {
  const { body } = await account.api.get<{ result: { data: ConnectorPage } }>('/trpc/connectors.list', { input: '{}' });
  return body.result.data;
}
