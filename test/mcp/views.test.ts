import { Client as StatelessClient, StreamableHTTPClientTransport as StatelessTransport } from '@modelcontextprotocol/client';
import { McpUiResourceMetaSchema, McpUiToolMetaSchema, getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge';
import { EXTENSION_ID, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../app/program.ts';
import { SECRET_KEY } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { createConnector } from './assistant.ts';
import { REVISION } from './stateless-assistant.ts';

const INFO = { name: 'test assistant', version: '1' };
/** Capabilities of a client that can show views. */
const WITH_VIEWS = { extensions: { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } } };
const VIEW = 'ui://affiliate/payouts';

const service = useService();
const account = useAccount(service, 'file');
let cli: string;

beforeAll(async () => {
  cli = await commandLine({ DATABASE_URL: service.databaseUrl, SECRET_KEY });
});

const http = (token: string) =>
  [new URL('/mcp', service.url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }] as const;

/** The official clients of both generations, and of the transport over standard input and output. */
const CLIENTS = {
  '2025-11-25 over HTTP': async (capabilities: object, token = account.apiKey) => {
    const client = new Client(INFO, { capabilities });
    await client.connect(new StreamableHTTPClientTransport(...http(token)));
    return client;
  },
  '2026-07-28 over HTTP': async (capabilities: object, token = account.apiKey) => {
    const client = new StatelessClient(INFO, { capabilities, versionNegotiation: { mode: { pin: REVISION } } });
    await client.connect(new StatelessTransport(...http(token)));
    return client;
  },
  '2025-11-25 over standard input and output': async (capabilities: object, token = account.apiKey) => {
    const client = new Client(INFO, { capabilities });
    const env = { ...getDefaultEnvironment(), DATABASE_URL: service.databaseUrl, SECRET_KEY, AFFILIATE_API_KEY: token };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], env, stderr: 'ignore' }));
    return client;
  },
};

async function offeredTo(client: Awaited<ReturnType<(typeof CLIENTS)[keyof typeof CLIENTS]>>) {
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  return {
    tools: tools.filter((tool) => getToolUiResourceUri(tool as Parameters<typeof getToolUiResourceUri>[0]) !== undefined),
    resources: resources.filter(({ uri }) => uri.startsWith('ui://')),
    extensions: client.getServerCapabilities()?.extensions,
  };
}

describe.each(Object.entries(CLIENTS))('a client of %s', (name, connect) => {
  it('finds the view of payouts, and reads a page that needs no network', async () => {
    const client = await connect(WITH_VIEWS);
    const { tools, resources, extensions } = await offeredTo(client);
    expect(extensions).toEqual({ [EXTENSION_ID]: {} });
    expect(tools.map((tool) => [tool.name, tool._meta])).toEqual([['payouts', { ui: { resourceUri: VIEW } }]]);
    expect(resources).toMatchObject([{ uri: VIEW, title: 'Payout review', mimeType: RESOURCE_MIME_TYPE }]);
    const { contents } = await client.readResource({ uri: VIEW });
    expect(contents).toEqual([
      { uri: VIEW, mimeType: RESOURCE_MIME_TYPE, text: expect.stringMatching(/^<!doctype html>/), _meta: resources[0]!._meta },
    ]);
    expect(McpUiResourceMetaSchema.parse(contents[0]!._meta!['ui'])).toEqual({
      csp: { connectDomains: [], resourceDomains: [] },
      prefersBorder: true,
    });
    expect(McpUiToolMetaSchema.parse(tools[0]!._meta!['ui'])).toEqual({ resourceUri: VIEW });
    await client.close();
  });

  it('gets plain text from the tool, also if it cannot show views', async () => {
    const client = await connect({});
    const { content, structuredContent } = await client.callTool({ name: 'payouts', arguments: { action: 'list' } });
    expect([content, structuredContent]).toEqual([[{ type: 'text', text: expect.stringContaining('"rows":[]') }], undefined]);
    // Over HTTP, the revisions of 2025 declare capabilities in a request that another process may have answered.
    const isOffered = name === '2025-11-25 over HTTP';
    const { tools, resources } = await offeredTo(client);
    expect([tools.length, resources.length]).toEqual(isOffered ? [1, 1] : [0, 0]);
    await client.close();
  });
});

it('a client that may not read payouts is not offered the view, and other views do not exist', async () => {
  const { token } = await createConnector(account, { permissions: { 'mcp.campaigns.read': true } });
  const client = await CLIENTS['2026-07-28 over HTTP'](WITH_VIEWS, token);
  expect((await offeredTo(client)).tools).toEqual([]);
  await expect(client.readResource({ uri: 'ui://affiliate/nothing' })).rejects.toMatchObject({ code: -32_602 });
  await client.close();
});
