import { Client as StatelessClient, StreamableHTTPClientTransport as StatelessTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../app/program.ts';
import { plantPayouts } from '../payouts/many-payouts.ts';
import { createExport, planRun } from '../payouts/program.ts';
import { send } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { SECRET_KEY } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { REVISION } from './stateless-assistant.ts';

const INFO = { name: 'test assistant', version: '1' };

const service = useService({ payoutRunBatch: 1, writesRows: true });
const account = useAccount(service);
let cli: string;

beforeAll(async () => {
  cli = await commandLine({ DATABASE_URL: service.databaseUrl, SECRET_KEY });
});

const http = () =>
  [new URL('/mcp', service.url), { requestInit: { headers: { Authorization: `Bearer ${account.apiKey}` } } }] as const;

/** The official clients of both generations over HTTP. */
const CLIENTS = {
  '2025-11-25': async () => {
    const client = new Client(INFO);
    await client.connect(new StreamableHTTPClientTransport(...http()));
    return client;
  },
  '2026-07-28': async () => {
    const client = new StatelessClient(INFO, { versionNegotiation: { mode: { pin: REVISION } } });
    await client.connect(new StatelessTransport(...http()));
    return client;
  },
};

interface Progress {
  progress: number;
  total?: number | undefined;
}

/** Calls a tool with the client of either generation, and asks for progress. */
function call(
  client: Client | StatelessClient,
  name: string,
  given: Record<string, unknown>,
  onprogress: (progress: Progress) => void,
): Promise<unknown> {
  const params = { name, arguments: { ...given, dry_run: false } };
  return client instanceof Client ? client.callTool(params, undefined, { onprogress }) : client.callTool(params, { onprogress });
}

describe.each(Object.entries(CLIENTS))('a client of %s', (_, connect) => {
  it('hears how far a run has come while the run is executed', async () => {
    await plantPayouts(service, account, { affiliates: 3 });
    const run = await planRun(account);
    const { data } = await account.client.payoutRuns.items.query({ id: run.id });
    const last = data
      .map(({ affiliate_id }) => affiliate_id)
      .toSorted()
      .at(-1)!;
    const client = await connect();
    await using locks = await Locks.open(service.databaseUrl, account.id);
    const held = await locks.affiliate(last);
    await held.held;
    const heard: Progress[] = [];
    const two = Promise.withResolvers<void>();
    const executed = call(client, 'manage_payout_runs', { action: 'execute', id: run.id, async: false }, (progress) => {
      heard.push(progress);
      if (progress.progress === 2) two.resolve();
    });
    await two.promise;
    await held.release();
    expect(await executed).toMatchObject({ content: [{ text: expect.stringContaining('"state":"completed"') }] });
    expect(heard.at(-1)).toEqual({ progress: 3, total: 3 });
    expect(heard.map(({ progress }) => progress)).toEqual(
      [...new Set(heard.map(({ progress }) => progress))].toSorted((a, b) => a - b),
    );
    await client.close();
  });

  it('hears how far the payment of an export has come', async () => {
    await plantPayouts(service, account, { affiliates: 501 });
    const { id } = await createExport(account, {});
    const client = await connect();
    const heard: Progress[] = [];
    await call(client, 'manage_payout_exports', { action: 'pay', id }, (progress) => heard.push(progress));
    expect(heard).toEqual([
      { progress: 500, total: 501 },
      { progress: 501, total: 501 },
    ]);
    await client.close();
  });
});

it('a client on standard input and output hears how far a run has come', async () => {
  await plantPayouts(service, account, { affiliates: 2 });
  const run = await planRun(account);
  const env = { ...getDefaultEnvironment(), DATABASE_URL: service.databaseUrl, SECRET_KEY, AFFILIATE_API_KEY: account.apiKey };
  const client = new Client(INFO);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], env, stderr: 'ignore' }));
  const heard: Progress[] = [];
  await call(client, 'manage_payout_runs', { action: 'execute', id: run.id, async: false }, (progress) => heard.push(progress));
  expect(heard.at(-1)).toEqual({ progress: 2, total: 2 });
  await client.close();
});

it('a call without a progress token is answered with JSON, and one with a token by an event stream', async () => {
  const ask = (_meta: object) =>
    send(`${service.url}/mcp`, 'POST', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'links', arguments: { action: 'list' }, _meta } },
      headers: { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${account.apiKey}` },
    });
  const [plain, streamed] = [await ask({}), await ask({ progressToken: 7 })];
  expect(plain.headers.get('content-type')).toContain('application/json');
  expect([streamed.status, streamed.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(streamed.text).toMatch(/^event: message\ndata: \{"result":.*"id":1\}\n\n$/);
});
