import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installationsFor } from '@affiliate/core/browser';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const BLOCK = /^```json\n(.*?)^```$/gms;

interface Server {
  url?: string;
  headers?: Record<string, string>;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
}

it('docs/ai-assistants.md › uses only existing URLs, commands and variables in its configurations', () => {
  const blocks = [...readFileSync(join(ROOT, 'docs/ai-assistants.md'), 'utf8').matchAll(BLOCK)].map(
    ([, block]) => JSON.parse(block!) as Record<'mcpServers' | 'servers', Record<string, Server>>,
  );
  const servers = blocks.flatMap((block) => Object.values(block.mcpServers ?? block.servers));
  expect(servers.length).toBeGreaterThanOrEqual(3);
  const remote = servers.filter(({ url }) => url !== undefined);
  expect(new Set(remote.map(({ url }) => url))).toEqual(new Set(['https://affiliates.example.com/mcp']));
  for (const { headers = {} } of remote) expect(Object.keys(headers).filter((name) => name !== 'Authorization')).toEqual([]);
  const [local, ...more] = servers.filter(({ command }) => command !== undefined);
  expect(more).toEqual([]);
  expect(local!.args!.slice(-2)).toEqual(['affiliate', 'mcp']);
  expect(Object.keys(local!.env!)).toEqual(['AFFILIATE_CONNECTOR_TOKEN']);
});

it('docs/ai-assistants.md › has installation links that configure the address of the examples', () => {
  const text = readFileSync(join(ROOT, 'docs/ai-assistants.md'), 'utf8');
  const links = [...text.matchAll(/\]\((https:\/\/(?:insiders\.vscode\.dev|cursor\.com)[^)]+)\)/g)].map(
    ([, link]) => new URL(link!),
  );
  const configured = links.map(({ host, searchParams }) => {
    const config = searchParams.get('config')!;
    const json = host === 'cursor.com' ? Buffer.from(config, 'base64').toString('utf8') : config;
    return [host, searchParams.get('name'), JSON.parse(json)] as unknown;
  });
  expect(configured).toEqual([
    ['insiders.vscode.dev', 'affiliate', { type: 'http', url: 'https://affiliates.example.com/mcp' }],
    ['cursor.com', 'affiliate', { url: 'https://affiliates.example.com/mcp' }],
  ]);
});

it('docs/ai-assistants.md › adds the address of the examples by every command', () => {
  const text = readFileSync(join(ROOT, 'docs/ai-assistants.md'), 'utf8');
  const commands = [...text.matchAll(/^(?:claude|gemini) mcp add .*$/gm)].map(([command]) => command);
  expect(commands.length).toBeGreaterThanOrEqual(3);
  for (const command of commands)
    expect(command).toMatch(/^\w+ mcp add --transport http affiliate https:\/\/affiliates\.example\.com\/mcp(?: |$)/);
  // The pages offer the same commands for the address of their service.
  const offered = installationsFor('https://affiliates.example.com/mcp').flatMap((each) => ('text' in each ? [each.text] : []));
  expect(commands).toEqual(expect.arrayContaining(offered.filter((offer) => offer.includes(' mcp add '))));
});
