/** Sends bad values to the two entry points that have their own schemas: the sign-in endpoints and the tools of assistants. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usePspService } from '../psp/service.ts';
import { type Fields, send } from '../support/http.ts';
import type { TestAccount } from '../support/service.ts';
import { sample } from '../support/thorough.ts';
import { FOREIGN_NAMES, LONG } from './bad-values.ts';
import { Changes } from './changes.ts';
import { type Ids, type InputSchema, valueFor } from './procedures.ts';
import { problemOfRefusal } from './refusals.ts';
import { idsOf, seededMerchant } from './seed.ts';
import { withValue } from './targets.ts';

const service = usePspService();
let merchant: TestAccount;
let ids: Ids;
let changes: Changes;

beforeAll(async () => {
  merchant = await seededMerchant(service);
  ids = await idsOf(service, merchant);
  changes = await Changes.watch(service.databaseUrl);
});
afterAll(() => changes.close());

const deep: unknown = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`);
/** Bad values, by name. None of them may make a call fail with status 500, whatever the field accepts. */
const BAD: [name: string, value: unknown][] = [
  ['null', null],
  ['true', true],
  ['-1', -1],
  ['2^53', 2 ** 53],
  ['empty text', ''],
  ['NUL', 'a\0b'],
  ['lone surrogate', '\ud800'],
  ['9,000 characters', LONG],
  ['{"__proto__":{}}', JSON.parse('{"__proto__":{}}')],
  ['[[null]]', [[null]]],
  ['2026-02-30', '2026-02-30T00:00:00Z'],
];

/** A few values are enough for tools, because tools validate with the procedures' schemas, which other tests cover. */
const FOR_TOOLS = BAD.filter(([name]) => ['null', '2^53', 'NUL', '9,000 characters', '[[null]]'].includes(name));

const AUTH: Record<string, () => Fields> = {
  '/sign-in/email': () => ({ email: merchant.ownerEmail, password: merchant.ownerPassword, rememberMe: true }),
  '/request-password-reset': () => ({ email: merchant.ownerEmail }),
  '/reset-password': () => ({ token: 'token', newPassword: 'another good password' }),
  '/change-password': () => ({ currentPassword: 'x', newPassword: 'another good password', revokeOtherSessions: true }),
  '/two-factor/verify-totp': () => ({ code: '123456', trustDevice: true }),
  '/two-factor/verify-backup-code': () => ({ code: 'abcde-fghij', trustDevice: true }),
  '/two-factor/enable': () => ({ password: 'x' }),
  '/two-factor/confirm': () => ({ code: '123456' }),
  '/two-factor/disable': () => ({ password: 'x' }),
  '/two-factor/generate-backup-codes': () => ({ password: 'x' }),
  '/sign-out': () => ({}),
  '/revoke-other-sessions': () => ({}),
};

describe('/auth', () => {
  it.each(Object.keys(AUTH))('%s refuses bad values in every field', async (path) => {
    const good = AUTH[path]!();
    const bodies = [
      ...Object.keys(good).flatMap((name) =>
        [...BAD, ['2000 deep', deep] as const].map(([says, value]) => [`${name} = ${says}`, { ...good, [name]: value }] as const),
      ),
      ...FOREIGN_NAMES.map((name) => [`${name.slice(0, 40)} added`, withValue(good, [name], 1)] as const),
    ].filter(([says]) => !/^(rememberMe|revokeOtherSessions|trustDevice) = true$/.test(says));
    const problems: string[] = [];
    for (const [says, body] of bodies) {
      const reply = await send(`${service.url}/auth${path}`, 'POST', { body, headers: { Origin: service.services.publicUrl } });
      const problem = reply.status < 400 ? `is taken, with ${reply.status}` : problemOfRefusal(reply);
      if (problem !== null) problems.push(`${says}: ${problem}`);
    }
    expect(problems).toEqual([]);
    expect(await changes.take()).toEqual([]);
  });
});

describe('/auth/oauth2', () => {
  const REDIRECT = 'http://127.0.0.1:9/callback';
  const client = () => ({ client_name: 'Assistant', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' });
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  let client_id: string;
  beforeAll(async () => {
    const reply = await send(`${service.url}/auth/oauth2/register`, 'POST', { body: client() });
    client_id = String(reply.body['client_id']);
    await changes.take();
  });

  const asked = (): Record<string, string> => ({
    response_type: 'code',
    client_id,
    redirect_uri: REDIRECT,
    scope: 'mcp',
    state: 'state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource: `${service.services.publicUrl}/mcp`,
  });
  const grant = (): Record<string, string> => ({
    grant_type: 'authorization_code',
    code: 'code',
    client_id,
    redirect_uri: REDIRECT,
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    refresh_token: 'mcr_x',
    resource: `${service.services.publicUrl}/mcp`,
  });
  const withEach = (good: () => Record<string, unknown>) =>
    Object.keys(good()).flatMap((name, field) =>
      sample(BAD, 6, field).map(([says, value]) => ({ says: `${name} = ${says}`, name, value })),
    );

  it('never registers a client with bad values, and never fails', async () => {
    const problems: string[] = [];
    for (const { says, name, value } of withEach(() => ({
      ...client(),
      grant_types: ['authorization_code'],
      scope: 'mcp',
      client_uri: 'https://a.example',
    }))) {
      const body = withValue(client(), [name], value);
      const { status, text } = await send(`${service.url}/auth/oauth2/register`, 'POST', { body });
      if (status >= 500) problems.push(`${says}: ${status} ${text.slice(0, 100)}`);
    }
    expect(problems).toEqual([]);
  });

  it('redirects only to registered addresses, and never fails', async () => {
    const problems: string[] = [];
    const evil = { says: 'another page', name: 'redirect_uri', value: 'https://evil.example/' };
    for (const { says, name, value } of [...withEach(asked), evil]) {
      const query = new URLSearchParams({ ...asked(), [name]: asText(value) }).toString();
      const { status, headers, text } = await send(`${service.url}/auth/oauth2/authorize`, 'GET', { query });
      const to = headers.get('location');
      if (status >= 500) problems.push(`${says}: ${status} ${text.slice(0, 100)}`);
      if (
        to !== null &&
        ![service.services.publicUrl, new URL(REDIRECT).origin].includes(new URL(to, service.services.publicUrl).origin)
      )
        problems.push(`${says}: to ${to}`);
    }
    expect(problems).toEqual([]);
  });

  it('exchanges and revokes only codes and tokens that it issued, and never fails', async () => {
    const problems: string[] = [];
    for (const path of ['token', 'revoke']) {
      const good = path === 'token' ? grant : () => ({ token: 'mcr_x', token_type_hint: 'refresh_token', client_id });
      for (const { says, name, value } of withEach(good)) {
        for (const grant_type of path === 'token' ? ['authorization_code', 'refresh_token'] : ['']) {
          const raw = new URLSearchParams({ ...good(), ...(grant_type && { grant_type }), [name]: asText(value) }).toString();
          const headers = {
            'Content-Type': 'application/x-www-form-urlencoded',
            ...(name === 'client_id' ? { Authorization: `Basic ${btoa('a\0:%00')}` } : {}),
          };
          const reply = await send(`${service.url}/auth/oauth2/${path}`, 'POST', { raw, headers });
          if (reply.status >= 500 || (path === 'token' && reply.status < 400)) problems.push(`${path} ${says}: ${reply.status}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it('never accepts a consent with bad values, and never fails', async () => {
    const problems: string[] = [];
    for (const path of ['consent-request', 'consent']) {
      const good = () => ({
        query: new URLSearchParams(asked()).toString(),
        request: 'x',
        account_id: merchant.id,
        accept: true,
        permissions: {},
      });
      for (const { says, name, value } of withEach(good)) {
        const reply = await send(`${service.url}/auth/oauth2/${path}`, 'POST', {
          body: withValue(good(), [name], value),
          headers: { Origin: service.services.publicUrl },
        });
        if (reply.status < 400 || problemOfRefusal(reply) !== null)
          problems.push(`${path} ${says}: ${reply.status} ${problemOfRefusal(reply)}`);
      }
    }
    expect(problems).toEqual([]);
  });
});

interface Tool {
  name: string;
  inputSchema: InputSchema;
}

describe('/mcp', () => {
  let token: string;
  let tools: Tool[];
  const call = async (method: string, params: Fields) => {
    const reply = await send<{ result?: Fields; error?: { code: number; message: string } }>(`${service.url}/mcp`, 'POST', {
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' },
    });
    return reply;
  };

  beforeAll(async () => {
    // A key with all permissions.
    token = merchant.apiKey;
    await changes.take();
    tools = ((await call('tools/list', {})).body.result as unknown as { tools: Tool[] }).tools;
  });

  /** Lists the calls of a tool: each action with each bad value in each of its arguments. */
  function calls({ name, inputSchema }: Tool): [says: string, args: Fields][] {
    const { properties = {} } = inputSchema;
    const actions = (properties['action']?.enum ?? []) as string[];
    return Object.keys(properties).flatMap((field, place) =>
      sample(FOR_TOOLS, 6, place).map(([says, value], index): [string, Fields] => {
        const action = actions[(place + index) % actions.length]!;
        const plain = Object.fromEntries((inputSchema.required ?? []).map((each) => [each, valueFor(properties[each]!, ids)]));
        return [`${name} ${action} ${field} = ${says}`, withValue({ ...plain, action }, [field], value) as Fields];
      }),
    );
  }

  it('refuses or previews calls of every tool with bad arguments, and changes nothing', async () => {
    expect(tools.length).toBeGreaterThan(8);
    const pending = tools.flatMap(calls);
    const problems: string[] = [];
    const work = async () => {
      for (let next = pending.pop(); next; next = pending.pop()) {
        const [says, args] = next;
        const { status, body, text } = await call('tools/call', { name: says.split(' ')[0], arguments: args });
        const { isError, content } = (body.result ?? {}) as { isError?: boolean; content?: { text: string }[] };
        if (status >= 500) problems.push(`${says}: ${status}`);
        else if (body.error && ![-32602, -32600, -32700].includes(body.error.code))
          problems.push(`${says}: ${text.slice(0, 200)}`);
        else if (isError && /INTERNAL_ERROR|PSP_ERROR/.test(content![0]!.text)) problems.push(`${says}: ${content![0]!.text}`);
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
    expect(problems).toEqual([]);
    // Only the tokens of previews are stored.
    expect((await changes.take()).filter((change) => change !== 'previewed_call INSERT')).toEqual([]);
  });
});
