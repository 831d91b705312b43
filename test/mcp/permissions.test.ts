import { describe, expect, it } from 'vitest';
import { must } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant, createConnector } from './assistant.ts';
import { MATRIX, fullName } from './matrix.ts';

const PROMO_CODE_TOOLS = ['affiliate_promo_codes', 'affiliate_coupons', 'manage_affiliate_coupons'];
/** Tools of a new connector, which has no permissions to write or for settings. */
const READING = Object.keys(MATRIX).filter(
  (name) => !/^(manage_.*|webhooks|team)$/.test(name) && !PROMO_CODE_TOOLS.includes(name),
);

const service = useService();
const account = useAccount(service, 'file');

/** Connects with an API key, because connectors cannot have permissions for settings. */
async function connect(names: string[]): Promise<Assistant> {
  const permissions = Object.fromEntries(names.map((name) => [fullName(name), true]));
  const { api_key } = await must<{ api_key: string }>(account, '/api_keys', { name: 'Assistant', permissions });
  return Assistant.overHttp(service, api_key);
}

async function offered(assistant: Assistant): Promise<Record<string, string[]>> {
  const { tools } = await assistant.client.listTools();
  return Object.fromEntries(
    tools.flatMap(({ name, inputSchema }) =>
      name === 'read_manual'
        ? []
        : [[name, (inputSchema.properties as Record<string, { enum: string[] }>)['action']!.enum] as const],
    ),
  );
}

const everyName = [...new Set(Object.values(MATRIX).flatMap((actions) => Object.values(actions).flat()))];

/** Every action with its permissions. The two tests below verify them. */
const ACTIONS = Object.entries(MATRIX).flatMap(([tool, actions]) =>
  Object.entries(actions).map(([action, needed]) => ({ tool, action, needed })),
);
const NEEDS = [...Map.groupBy(ACTIONS, ({ needed }) => needed.map(fullName).join(' and '))];

describe('an assistant with every permission', () => {
  it('is offered every action', async () => {
    await using assistant = await connect(everyName);
    expect(await offered(assistant)).toEqual(
      Object.fromEntries(Object.entries(MATRIX).map(([tool, actions]) => [tool, Object.keys(actions)])),
    );
  });
});

describe.each(NEEDS)('an assistant with only %s', (_names, actions) => {
  it('is offered and granted the actions that need nothing else', async () => {
    await using assistant = await connect(actions[0]!.needed);
    const offers = await offered(assistant);
    for (const { tool, action } of actions) {
      const { body } = await assistant.call(tool, { action, dry_run: false });
      expect([tool, action, body['code'] === 'FORBIDDEN', offers[tool]?.includes(action)]).toEqual([tool, action, false, true]);
    }
  });
});

describe.each(everyName)('an assistant without %s', (missing) => {
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
    expect(Object.keys(await offered(assistant)).toSorted()).toEqual(READING.toSorted());
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
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
      'affiliate_promo_codes',
      'manage_affiliate_coupons',
    ]);
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
