import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { JSONRPCMessageSchema, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../packages/app/package.json' with { type: 'json' };
import { commandLine, environment, run } from '../app/program.ts';
import { SECRET_KEY } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant, createConnector } from './assistant.ts';

const service = useService();
const account = useAccount(service, 'file');
let settings: Record<string, string>;
let cli: string;

beforeAll(async () => {
  settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY };
  cli = await commandLine(settings);
});

function overStdio(credentials: Record<string, string>): Promise<Assistant> {
  return Assistant.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'mcp'],
      env: { ...getDefaultEnvironment(), ...settings, ...credentials },
      stderr: 'ignore',
    }),
  );
}

describe('affiliate mcp', () => {
  it('serves an assistant with a connector token until the token is revoked', async () => {
    const { id, token } = await createConnector(account, {
      permissions: { 'mcp.campaigns.read': true, 'mcp.campaigns.write': true },
    });
    await using assistant = await overStdio({ AFFILIATE_CONNECTOR_TOKEN: token });
    expect(assistant.client.getServerVersion()!.version.split(' ')[0]).toBe(manifest.version);
    const campaign = { name: 'By hand', url: 'https://shop.example.com', reward_type: 'fixed', commission_amount_cents: 5 };
    const preview = await assistant.call('manage_campaigns', { action: 'create', ...campaign });
    expect(preview).toMatchObject({
      isError: false,
      body: { dry_run: true, result: campaign, events: [{ type: 'campaign.created' }] },
    });
    const { id: campaignId } = await assistant.result<{ id: string }>('manage_campaigns', {
      action: 'create',
      ...campaign,
      dry_run: false,
    });
    expect((await account.api.get(`/campaigns/${campaignId}`)).body).toMatchObject(campaign);

    await account.api.post('/trpc/connectors.revoke', { id });
    await expect
      .poll(async () => (await assistant.call('campaigns', { action: 'list' })).body['code'], { timeout: 5_000 })
      .toBe('UNAUTHORIZED');
    await expect(assistant.client.listTools()).rejects.toThrow(/connector token or an API key/);
  });

  it('accepts an API key, writes only protocol messages to standard output, and answers every request that was not canceled before its input ended', async () => {
    const child = spawn(process.execPath, [cli, 'mcp'], {
      env: environment({ ...settings, AFFILIATE_API_KEY: account.apiKey, LOG_LEVEL: 'debug' }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit') as Promise<[number]>;
    const info = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: info },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'campaigns', arguments: { action: 'list' } } },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'campaigns', arguments: { action: 'nonsense' } } },
      { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'campaigns', arguments: { action: 'list' } } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4, reason: 'timed out' } },
    ];
    child.stdin.end(`${messages.map((message) => JSON.stringify(message)).join('\n')}\n`);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSONRPCMessageSchema.parse(JSON.parse(line)));
    expect(new Set(answers.map((answer) => 'id' in answer && answer.id))).toEqual(new Set([1, 2, 3]));
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual(expect.objectContaining({ id: 2, result: expect.not.objectContaining({ isError: true }) }));
    expect(code).toBe(0);
    expect(stderr).toContain('"tool":"campaigns"');
  });

  /** Starts the program for a test that writes the protocol's messages itself. Kills it after the test, if it still runs. */
  const startQuietly = () => {
    const child = spawn(process.execPath, [cli, 'mcp'], {
      env: environment({ ...settings, AFFILIATE_API_KEY: account.apiKey, LOG_LEVEL: 'silent' }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, exited: once(child, 'exit', { signal: AbortSignal.timeout(30_000) }) };
  };

  it('ends with SIGTERM after a request was canceled', async () => {
    const { child, exited } = startQuietly();
    const stdout = text(child.stdout);
    const info = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: info },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'campaigns', arguments: { action: 'list' } } },
      // Sent in the same chunk as the call, so that the cancellation arrives before the call can be answered.
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2, reason: 'timed out' } },
      { jsonrpc: '2.0', id: 3, method: 'ping' },
    ];
    const answeredAll = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => chunk.includes('"id":3') && resolve());
    });
    child.stdin.write(`${messages.map((message) => JSON.stringify(message)).join('\n')}\n`);
    await answeredAll;
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect((await stdout).match(/"id":\d/g)!.toSorted()).toEqual(['"id":1', '"id":3']);
  });

  it('ends when nobody reads its answers any more', async () => {
    const { child, exited } = startQuietly();
    child.stdin.on('error', () => undefined);
    child.stdout.destroy();
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    expect(await exited).toEqual([0, null]);
  });

  it('exits with a one-line error if the credential is missing or invalid', async () => {
    const missing = await run(['mcp'], settings);
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Set AFFILIATE_CONNECTOR_TOKEN to the token of a connector, or AFFILIATE_API_KEY to an API key.\n',
    });
    const wrong = await run(['mcp'], { ...settings, AFFILIATE_API_KEY: 'apk_wrong' });
    expect({ ...wrong, stderr: wrong.stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The credential in AFFILIATE_CONNECTOR_TOKEN or AFFILIATE_API_KEY is unknown, revoked or expired.',
    });
  });
});
