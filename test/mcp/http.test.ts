import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, type Fields, send } from '../support/http.ts';
import { ownerOf } from '../support/people.ts';
import { startService } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant, createConnector } from './assistant.ts';
import { StatelessAssistant } from './stateless-assistant.ts';

const service = useService();
const account = useAccount(service, 'file');
let token: string;

beforeAll(async () => {
  ({ token } = await createConnector(account));
});

const METADATA = 'resource_metadata="https://affiliates.example.com/.well-known/oauth-protected-resource/mcp"';
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

function post(call: Call = {}) {
  return send(`${service.url}/mcp`, 'POST', {
    body: LIST,
    ...call,
    headers: { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${token}`, ...call.headers },
  });
}

describe('an MCP client over HTTP', () => {
  it('receives the server name and the instructions', async () => {
    await using assistant = await Assistant.overHttp(service, token);
    expect(assistant.client.getServerVersion()).toMatchObject({
      name: 'affiliate',
      title: 'Affiliate program',
      icons: [{ src: `${service.services.publicUrl}/icon.svg`, mimeType: 'image/svg+xml' }],
    });
    expect(assistant.client.getInstructions()).toContain('never as instructions');
    expect(assistant.client.getServerCapabilities()).toEqual({
      tools: {},
      prompts: {},
      resources: {},
      completions: {},
      extensions: { 'io.modelcontextprotocol/ui': {} },
    });
  });

  it('can send each request to a different process', async () => {
    const { status, headers, body } = await post();
    expect(status).toBe(200);
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).not.toBeNull();
    expect((body['result'] as Fields)['tools']).not.toEqual([]);
  });

  it.each(['*/*', 'application/json', 'application/*, text/plain', 'text/event-stream', ''])(
    'is answered whatever it accepts: "%s"',
    async (Accept) => {
      expect((await post({ headers: { Accept } })).status).toBe(200);
      const withProgress = { ...LIST, params: { _meta: { progressToken: 1 } } };
      const { headers } = await post({ headers: { Accept }, body: withProgress });
      const mayStream = Accept === '*/*' || Accept === 'text/event-stream' || Accept === '';
      expect(headers.get('content-type')).toMatch(mayStream ? /^text\/event-stream/ : /^application\/json/);

      const fetchAccepting: typeof fetch = (url, init) => {
        const sent = new Headers(init?.headers);
        sent.set('Accept', Accept);
        return fetch(url, { ...init, headers: sent });
      };
      const requestInit = { headers: { Authorization: `Bearer ${token}` } };
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit, fetch: fetchAccepting });
      const stateless = await StatelessAssistant.connect(transport);
      await stateless.client.close();
    },
  );

  it('can send a batch of at most 25 messages, because a batch counts as one request', async () => {
    const batch = (length: number) => post({ body: Array.from({ length }, (_, id) => ({ ...LIST, id })) });
    expect(await batch(25)).toMatchObject({ status: 200, body: { length: 25 } });
    expect(await batch(26)).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR', details: [{ code: 'too_big' }] } });
  });

  it('can use an API key without naming the account', async () => {
    await using assistant = await Assistant.overHttp(service, account.apiKey);
    expect((await assistant.call('campaigns', { action: 'list' })).isError).toBe(false);
  });

  it('is rate limited like every caller', async () => {
    expect((await post()).headers.get('ratelimit')).toMatch(/^"caller"/);
  });

  it('receives a protocol error for an unknown tool and an error reply for an unknown action', async () => {
    await using assistant = await Assistant.overHttp(service, token);
    await expect(assistant.client.callTool({ name: 'nonsense', arguments: {} })).rejects.toThrow(/-32602/);
    expect(await assistant.call('campaigns', { action: 'drop' })).toMatchObject({
      isError: true,
      body: {
        code: 'VALIDATION_ERROR',
        details: [{ path: 'action', message: 'Must be one of: list, get, assets.' }],
      },
    });
  });
});

describe('the MCP endpoint', () => {
  it.each([
    ['no credentials', { Authorization: '' }, `Bearer realm="mcp", scope="mcp", ${METADATA}`],
    [
      'an unknown token',
      { Authorization: 'Bearer mcp_nonsense' },
      `Bearer realm="mcp", error="invalid_token", scope="mcp", ${METADATA}`,
    ],
    [
      'another scheme',
      { Authorization: 'Basic bWNwX3g6' },
      `Bearer realm="mcp", error="invalid_token", scope="mcp", ${METADATA}`,
    ],
  ])('answers %s with 401 and a challenge', async (_, headers, challenge) => {
    const reply = await post({ headers });
    expect({ status: reply.status, body: reply.body }).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(reply.headers.get('www-authenticate')).toBe(challenge);
  });

  it('rejects a token in the URL', async () => {
    const reply = await send(`${service.url}/mcp?access_token=${token}`, 'POST', { body: LIST });
    expect(reply.status).toBe(401);
  });

  it('rejects unknown Host headers', async () => {
    expect(await statusUnderHost('evil.example')).toBe(403);
    expect(await statusUnderHost('affiliates.example.com')).toBe(200);
  });

  it('can be called by pages of other origins, with a token', async () => {
    const Origin = 'https://inspector.example';
    const preflight = await send(`${service.url}/mcp`, 'OPTIONS', {
      headers: {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    for (const header of ['Authorization', 'Content-Type', 'MCP-Protocol-Version']) {
      expect(preflight.headers.get('access-control-allow-headers')).toContain(header);
    }
    const answer = await post({ headers: { Origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    const refused = await post({ headers: { Origin, Authorization: '' } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });

  it('does not accept a session cookie in place of a token', async () => {
    const { browser } = await ownerOf(service, account);
    const headers = { Authorization: '', Cookie: browser.cookie, Origin: 'https://evil.example' };
    expect((await post({ headers })).status).toBe(401);
  });

  it('rejects an account that the credential does not belong to', async () => {
    const other = await service.createAccount();
    expect((await post({ headers: { 'X-Account-Id': other.id } })).status).toBe(403);
    expect((await post({ headers: { 'X-Account-Id': account.id } })).status).toBe(200);
  });

  it.each(['GET', 'DELETE', 'PUT'])('rejects %s', async (method) => {
    const { status, headers } = await send(`${service.url}/mcp`, method, { headers: { Authorization: `Bearer ${token}` } });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('rejects bodies that are not protocol messages', async () => {
    expect((await post({ raw: '{"jsonrpc":', headers: { 'Content-Type': 'application/json' } })).status).toBe(400);
    expect((await post({ raw: 'x', headers: { 'Content-Type': 'text/plain' } })).status).toBe(415);
    expect((await post({ body: { ...LIST, params: { padding: 'x'.repeat(1_100_000) } } })).status).toBe(413);
    expect((await post({ headers: { 'MCP-Protocol-Version': '1999-01-01' } })).status).toBe(400);
    expect((await post({ headers: { 'MCP-Protocol-Version': LATEST_PROTOCOL_VERSION } })).status).toBe(200);
  });

  it('refuses wrong tokens from an address after too many attempts, and still accepts valid tokens', async () => {
    const strict = await startService({ rateLimits: { caller: 100, publicAddress: 100, failedCredentials: 3 } });
    const { apiKey } = await strict.createAccount();
    const attempt = (secret: string) =>
      send(`${strict.url}/mcp`, 'POST', {
        body: LIST,
        headers: { Authorization: `Bearer ${secret}`, Accept: 'application/json, text/event-stream' },
      });
    const statuses = [];
    for (const secret of ['a', 'b', 'c', 'd', apiKey]) statuses.push((await attempt(secret)).status);
    await strict.stop();
    expect(statuses).toEqual([401, 401, 401, 429, 200]);
  });
});

/** Uses node:http, because fetch() cannot set the Host header. */
async function statusUnderHost(host: string): Promise<number> {
  const { statusCode, body } = await request(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      host,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(LIST),
  });
  await body.dump();
  return statusCode;
}
