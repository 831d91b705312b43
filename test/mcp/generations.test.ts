import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { type Fields, send } from '../support/http.ts';
import { program } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant, createConnector } from './assistant.ts';
import { REVISION } from './stateless-assistant.ts';

const service = useService();
const account = useAccount(service, 'file');

/** The official client of the stateless generation. It refuses servers that do not offer the revision. */
async function connect(token: string, query = ''): Promise<Client & AsyncDisposable> {
  const client = new Client(
    { name: 'test assistant', version: '1' },
    {
      // Clients of 2025 are offered views even if they declare nothing.
      capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
      versionNegotiation: { mode: { pin: REVISION } },
    },
  );
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp${query}`, service.url), { requestInit }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

describe('a client of the revision 2026-07-28', () => {
  it('is offered the same tools, prompts and resources as a client of 2025', async () => {
    await using stateless = await connect(account.apiKey);
    await using earlier = await Assistant.overHttp(service, account.apiKey);
    expect((await stateless.listTools()).tools).toEqual((await earlier.client.listTools()).tools);
    expect((await stateless.listPrompts()).prompts).toEqual((await earlier.client.listPrompts()).prompts);
    expect((await stateless.listResources()).resources).toEqual((await earlier.client.listResources()).resources);
    expect(stateless.getInstructions()).toBe(earlier.client.getInstructions());
  });

  it('gets the same replies as a client of 2025', async () => {
    const { affiliate } = await program(account);
    const calls: { name: string; arguments: Fields }[] = [
      { name: 'affiliates', arguments: { action: 'get', id: affiliate.id } },
      { name: 'affiliates', arguments: { action: 'list' } },
      { name: 'manage_affiliates', arguments: { action: 'archive', id: affiliate.id } },
    ];
    await using stateless = await connect(account.apiKey);
    await using earlier = await Assistant.overHttp(service, account.apiKey);
    for (const call of calls) {
      const { content } = await stateless.callTool(call);
      const former = await earlier.client.callTool(call);
      expect(content).toEqual(former.content);
    }
    const refused = await stateless.callTool({ name: 'affiliates', arguments: { action: 'get', id: 'aff_unknown' } });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('NOT_FOUND') }] });
    await expect(stateless.callTool({ name: 'nonsense', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    const { messages } = await stateless.getPrompt({ name: 'run_the_month' });
    expect(messages).toHaveLength(1);
    const { contents } = await stateless.readResource({ uri: `affiliate://affiliates/${affiliate.id}` });
    expect(contents).toMatchObject([{ text: expect.stringContaining(affiliate.email) }]);
    await expect(stateless.readResource({ uri: 'affiliate://affiliates/aff_unknown' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('has the permissions and the selection of its token and address', async () => {
    const { token } = await createConnector(account, { permissions: { 'mcp.campaigns.read': true } });
    await using limited = await connect(token);
    expect((await limited.listTools()).tools.map(({ name }) => name)).toEqual(['campaigns', 'rewards', 'read_manual']);
    await using readOnly = await connect(account.apiKey, '?read_only=true');
    await expect(readOnly.callTool({ name: 'manage_links', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    await expect(connect('mcp_nonsense')).rejects.toThrow(/401|UNAUTHORIZED|[Uu]nauthorized/);
  });
});

describe('a request of the revision 2026-07-28', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  interface Answer extends Fields {
    result?: Fields;
    error?: { code: number; data?: Fields };
  }
  const post = (
    method: string,
    { version = REVISION, headers = {}, meta = {} }: { version?: string; headers?: Record<string, string>; meta?: Fields } = {},
  ) =>
    send<Answer>(`${service.url}/mcp`, 'POST', {
      body: { jsonrpc: '2.0', id: 1, method, params: { _meta: { ...META, ...meta } } },
      headers: {
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${account.apiKey}`,
        'MCP-Protocol-Version': version,
        'Mcp-Method': method,
        ...headers,
      },
    });

  it('needs no initialization: every request can go to a different process', async () => {
    const { status, headers, body } = await post('tools/list');
    expect([status, headers.get('mcp-session-id'), headers.get('cache-control')]).toEqual([200, null, 'no-store']);
    expect(body.result).toMatchObject({ resultType: 'complete', tools: expect.any(Array) });
  });

  it('learns what the server offers from server/discover', async () => {
    const { body } = await post('server/discover');
    expect(body.result).toMatchObject({
      supportedVersions: expect.arrayContaining([REVISION]),
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    });
  });

  it('may keep lists for a minute, for its own token only', async () => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'server/discover'])
      expect([method, (await post(method)).body.result]).toMatchObject([method, { ttlMs: 5_000, cacheScope: 'private' }]);
  });

  it('is refused if its headers differ from its body', async () => {
    const answers = [
      await post('tools/list', { headers: { 'Mcp-Method': 'prompts/list' } }),
      await post('tools/list', { meta: { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } }),
    ];
    for (const { status, body } of answers) expect([status, body.error?.code]).toEqual([400, -32_020]);
  });

  it('is refused for a later revision, with the revisions that the server offers', async () => {
    const version = '2099-01-01';
    const { status, body } = await post('tools/list', { version, meta: { 'io.modelcontextprotocol/protocolVersion': version } });
    expect([status, body.error?.code]).toEqual([400, -32_022]);
    expect(JSON.stringify(body.error?.data)).toContain(REVISION);
  });

  it('needs a token, and is refused if its body is too large', async () => {
    expect((await post('tools/list', { headers: { Authorization: '' } })).status).toBe(401);
    expect((await post('tools/list', { meta: { padding: 'x'.repeat(1_100_000) } })).status).toBe(413);
  });
});
