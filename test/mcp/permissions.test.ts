import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { Assistant, createConnector } from './assistant.ts';

/** Each tool's actions, with the permissions that they need: docs/domain-rules.md#assistants. */
const MATRIX: Record<string, Record<string, string[]>> = {
  program_overview: {
    summary: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
    daily: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
    top_affiliates: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
  },
  affiliates: resource('affiliates', ['list', 'get'], ['create', 'update', 'archive']),
  campaigns: resource('campaigns', ['list', 'get'], ['create', 'update', 'archive']),
  links: resource('links', ['list', 'get'], ['create', 'update', 'archive']),
  referrals: resource('referrals', ['list', 'get'], ['create', 'update', 'deactivate']),
  commissions: resource('commissions', ['list', 'get'], ['update', 'void', 'review']),
  payouts: resource('payouts', ['list', 'get'], ['pay']),
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

describe('with every permission', () => {
  it('a connector is offered every action, and none is forbidden', async () => {
    await using assistant = await connect(everyName);
    expect(await offered(assistant)).toEqual(
      Object.fromEntries(Object.entries(MATRIX).map(([tool, actions]) => [tool, Object.keys(actions)])),
    );
    for (const [tool, actions] of Object.entries(MATRIX)) {
      for (const action of Object.keys(actions)) {
        expect((await assistant.call(tool, { action })).body['code'], `${tool} ${action}`).not.toBe('FORBIDDEN');
      }
    }
  });
});

describe.each(everyName)('without mcp.%s', (missing) => {
  it('exactly what needs it is forbidden, and not offered', async () => {
    await using assistant = await connect(everyName.filter((name) => name !== missing));
    const offers = await offered(assistant);
    for (const [tool, actions] of Object.entries(MATRIX)) {
      for (const [action, needed] of Object.entries(actions)) {
        const { isError, body } = await assistant.call(tool, { action, dry_run: false });
        const isForbidden = isError && body['code'] === 'FORBIDDEN';
        expect([tool, action, isForbidden]).toEqual([tool, action, needed.includes(missing)]);
        expect([tool, action, offers[tool]?.includes(action) ?? false]).toEqual([tool, action, !needed.includes(missing)]);
      }
    }
  });
});

describe('a new connector', () => {
  it('reads, and can neither write nor see promo codes', async () => {
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

  it('manages promo codes, and nothing else besides, by the option', async () => {
    const { token } = await createConnector(account, { allow_promo_code_management: true });
    await using assistant = await Assistant.overHttp(service, token);
    const { tools } = await assistant.client.listTools();
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual(PROMO_CODE_TOOLS);
  });
});

describe('an API key', () => {
  it('needs mcp permissions too: those of REST are others', async () => {
    const { body } = await account.api.post<{ api_key: string }>('/api_keys', {
      name: 'REST only',
      permissions: { 'v1.affiliates.read': true },
    });
    await using assistant = await Assistant.overHttp(service, body.api_key);
    expect((await assistant.call('affiliates', { action: 'list' })).body).toMatchObject({ code: 'FORBIDDEN' });
  });
});
