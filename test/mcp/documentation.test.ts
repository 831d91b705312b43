import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
