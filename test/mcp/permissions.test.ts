import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { Assistant, createConnector } from './assistant.ts';

/** Permissions that each action of each tool needs: docs/domain-rules.md#assistants. */
const MATRIX: Record<string, Record<string, string[]>> = {
  program_overview: {
    analytics: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
    summary: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
    daily: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
    top_affiliates: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
  },
  affiliates: resource('affiliates', ['list', 'get'], ['create', 'update', 'portal_link', 'embed_token', 'archive']),
  campaigns: resource('campaigns', ['list', 'get', 'assets'], ['create', 'update', 'archive']),
  links: resource('links', ['list', 'get'], ['create', 'update', 'archive']),
  referrals: resource('referrals', ['list', 'get'], ['create', 'update', 'deactivate']),
  commissions: resource('commissions', ['list', 'get'], ['create', 'update', 'void', 'review']),
  payouts: resource('payouts', ['list', 'get'], ['pay', 'return']),
  payout_exports: resource('payout_exports', ['list', 'get'], ['create', 'pay', 'release']),
  payout_runs: resource('payout_runs', ['list', 'get', 'items', 'reconcile'], ['create', 'execute', 'remediate']),
  affiliate_promo_codes: resource('affiliate_coupons', ['list'], ['import', 'create', 'refresh', 'stop']),
  affiliate_coupons: resource('affiliate_coupons', ['get'], ['create', 'update', 'sync', 'delete']),
  invitations: resource('invitations', ['list', 'get'], ['create', 'change', 'revoke', 'resend', 'delete']),
};

function resource(name: string, reads: string[], writes: string[]): Record<string, string[]> {
  return Object.fromEntries([
    ...reads.map((action) => [action, [`${name}.read`]]),
    ...writes.map((action) => [action, [`${name}.write`]]),
  ]);
}

const PROMO_CODE_TOOLS = ['affiliate_promo_codes', 'affiliate_coupons'];

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startService();
  account = await service.createAccount();
});
afterAll(() => service.stop());

async function connect(names: string[]): Promise<Assistant> {
  const permissions = Object.fromEntries(names.map((name) => [`mcp.${name}`, true]));
  return Assistant.overHttp(service, (await createConnector(account, { permissions })).token);
}

async function offered(assistant: Assistant): Promise<Record<string, string[]>> {
  const { tools } = await assistant.client.listTools();
  return Object.fromEntries(
    tools.map(({ name, inputSchema }) => [name, (inputSchema.properties as Record<string, { enum: string[] }>)['action']!.enum]),
  );
}

const everyName = [...new Set(Object.values(MATRIX).flatMap((actions) => Object.values(actions).flat()))];

/** Every action with its permissions. The two tests below verify them. */
const ACTIONS = Object.entries(MATRIX).flatMap(([tool, actions]) =>
  Object.entries(actions).map(([action, needed]) => ({ tool, action, needed })),
);
const NEEDS = [...Map.groupBy(ACTIONS, ({ needed }) => needed.join(' and mcp.'))];

describe('a connector with every permission', () => {
  it('is offered every action', async () => {
    await using assistant = await connect(everyName);
    expect(await offered(assistant)).toEqual(
      Object.fromEntries(Object.entries(MATRIX).map(([tool, actions]) => [tool, Object.keys(actions)])),
    );
  });
});

describe.each(NEEDS)('a connector with only mcp.%s', (_names, actions) => {
  it('is offered and granted the actions that need nothing else', async () => {
    await using assistant = await connect(actions[0]!.needed);
    const offers = await offered(assistant);
    for (const { tool, action } of actions) {
      const { body } = await assistant.call(tool, { action, dry_run: false });
      expect([tool, action, body['code'] === 'FORBIDDEN', offers[tool]?.includes(action)]).toEqual([tool, action, false, true]);
    }
  });
});

describe.each(everyName)('a connector without mcp.%s', (missing) => {
  it('is denied exactly the actions that need it, and is not offered them', async () => {
    await using assistant = await connect(everyName.filter((name) => name !== missing));
    const offers = await offered(assistant);
    for (const { tool, action, needed } of ACTIONS) {
      expect([tool, action, offers[tool]?.includes(action) ?? false]).toEqual([tool, action, !needed.includes(missing)]);
      if (!needed.includes(missing)) continue;
      const { isError, body } = await assistant.call(tool, { action, dry_run: false });
      expect([tool, action, isError, body['code']]).toEqual([tool, action, true, 'FORBIDDEN']);
    }
  });
});

describe('a new connector', () => {
  it('can read, but not write or see promo codes', async () => {
    await using assistant = await Assistant.overHttp(service, (await createConnector(account)).token);
    const { tools } = await assistant.client.listTools();
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    expect(Object.keys(await offered(assistant)).toSorted()).toEqual(
      Object.keys(MATRIX)
        .filter((name) => !PROMO_CODE_TOOLS.includes(name))
        .toSorted(),
    );
    const { isError, body } = await assistant.call('affiliate_promo_codes', { action: 'list', affiliate_id: 'aff_1' });
    expect({ isError, body }).toMatchObject({
      isError: true,
      body: {
        code: 'FORBIDDEN',
        details: { permission: 'mcp.affiliate_coupons.read' },
        hint: expect.stringContaining('connector'),
      },
    });
  });

  it('can additionally manage only promo codes with allow_promo_code_management', async () => {
    const { token } = await createConnector(account, { allow_promo_code_management: true });
    await using assistant = await Assistant.overHttp(service, token);
    const { tools } = await assistant.client.listTools();
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual(PROMO_CODE_TOOLS);
  });
});

describe('an API key', () => {
  it('needs mcp permissions; v1 permissions are not enough', async () => {
    const { body } = await account.api.post<{ api_key: string }>('/api_keys', {
      name: 'REST only',
      permissions: { 'v1.affiliates.read': true },
    });
    await using assistant = await Assistant.overHttp(service, body.api_key);
    expect((await assistant.call('affiliates', { action: 'list' })).body).toMatchObject({ code: 'FORBIDDEN' });
  });
});
