import { CONSENT_PERMISSIONS, type PermissionMap, ROLES, type Role } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { newMember } from '../support/people.ts';
import { sample } from '../support/thorough.ts';
import { MATRIX, fullName } from './matrix.ts';
import { OauthSetting } from './oauth-setting.ts';

const setting = OauthSetting.forThisFile();

/** Every action, with the permissions that it needs. */
const ACTIONS = Object.entries(MATRIX).flatMap(([tool, actions]) =>
  Object.entries(actions).map(([action, needed]) => ({ tool, action, needed: needed.map(fullName) })),
);

interface Answer {
  status: number;
  scopes: string[];
  text: string;
}

async function post(token: string, method: string, params: object): Promise<Answer> {
  const { status, headers, text } = await send(`${setting.service.url}/mcp`, 'POST', {
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${token}` },
  });
  const [, scope = ''] = /scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
  return { status, scopes: scope.split(' '), text };
}

/** Returns the offered actions, as `tool action`. */
async function offered(token: string): Promise<string[]> {
  const { text } = await post(token, 'tools/list', {});
  const { tools } = (JSON.parse(text) as { result: { tools: { name: string; inputSchema: { properties: Properties } }[] } })
    .result;
  return tools.flatMap(({ name, inputSchema }) =>
    (inputSchema.properties['action']?.enum ?? []).map((action) => `${name} ${action}`),
  );
}

type Properties = Record<string, { enum?: string[] }>;

/** The scopes of writing that a person with a role can grant. */
const GRANTED: Record<Role, RegExp> = {
  viewer: /^$/,
  finance: /^mcp\.(payouts|payout_exports|payout_runs|payout_outcomes)\.write$/,
  member: /^mcp\.(affiliates|links|referrals|affiliate_coupons)\.write$/,
  admin: /./,
  owner: /./,
};

describe.each(ROLES)('an assistant that a person with the role %s connected, with each single scope', (role) => {
  it('is offered what the scope allows and nothing else, and is asked for the missing scopes by every other call', async () => {
    const person = await newMember(setting.service, setting.account, role);
    const assistant = await setting.asking();
    const decision = { account_id: setting.account.id, permissions: { 'mcp.affiliates.read': true } };
    await (await assistant.finish(await assistant.consented(person.browser, decision))).client.close();
    const token = assistant.kept.tokens!.access_token;
    const { id } = (await setting.connectors())[0]!;

    for (const [turn, scope] of CONSENT_PERMISSIONS.entries()) {
      const permissions: PermissionMap = { [scope]: true };
      const { status } = await setting.account.api.post('/trpc/connectors.update', { id, permissions });
      const mayGrant = /^mcp\.\w+\.read$/.test(scope) || GRANTED[role].test(scope);
      expect([scope, status]).toEqual([scope, mayGrant ? 200 : 422]);
      if (!mayGrant) continue;
      const allowed = ACTIONS.filter(({ needed }) => needed.every((name) => name === scope));
      expect([scope, await offered(token)]).toEqual([scope, allowed.map(({ tool, action }) => `${tool} ${action}`)]);
      const refused = ACTIONS.filter((each) => !allowed.includes(each));
      // The ordinary run tries each refused call with every third scope.
      const problems = await Promise.all(
        sample(refused, 3, turn).map(async ({ tool, action, needed }) => {
          const answer = await post(token, 'tools/call', { name: tool, arguments: { action, dry_run: false } });
          const isGrantable = needed.every((name) => CONSENT_PERMISSIONS.includes(name));
          const expected = [...new Set([scope, ...needed])].toSorted();
          const isRight = isGrantable
            ? answer.status === 403 && answer.scopes.toSorted().join() === expected.join()
            : answer.status === 200 && answer.text.includes('FORBIDDEN');
          return isRight ? [] : [`${tool} ${action} with ${scope}: ${answer.status} ${answer.text}`];
        }),
      );
      expect(problems.flat()).toEqual([]);
    }
  }, 120_000);
});
