import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const WALK = 'A walk: from a campaign to a paid payout';
const PAYING = 'Paying affiliates';

let directory: string;
let commands: string[];
let service: ChildProcessByStdio<null, Readable, null>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'affiliate-readme-'));
  // Else root would put the database where this directory's end does not remove it.
  await chmod(directory, 0o711);
  const [port, receiverPort] = [await freePort(), await freePort()];
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [start = '', ...walk] = [...commandsOf(readme, WALK), ...commandsOf(readme, PAYING)].map((block) =>
    // Other tests, and other services, may hold the ports that a reader has to spare.
    block.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`).replaceAll(/\b4000\b/g, String(receiverPort)),
  );
  commands = walk;
  service = bash(`exec env ${start}`, { PORT: String(port) });
  await new Promise<void>((started, failed) => {
    let output = '';
    service.stdout.on('data', (chunk: Buffer) => {
      output += String(chunk);
      if (output.includes('The service answers at')) started();
    });
    service.stdout.once('close', () => failed(new Error(`The service did not start:\n${output}`)));
  });
}, 120_000);

afterAll(async () => {
  service.kill('SIGTERM');
  if (!service.stdout.closed) await once(service.stdout, 'close');
  await rm(directory, { recursive: true, force: true });
});

it('walks from a campaign to a paid payout, verified by the receiver, then to an export and a run', async () => {
  expect(commands).toHaveLength(17);
  const shell = bash(`set -euo pipefail\ntrap 'jobs -p | xargs -r kill' EXIT\n${commands.join('\n')}`);
  const [output, [code]] = await Promise.all([text(shell.stdout), once(shell, 'exit') as Promise<[number]>]);
  expect({ code, output }).toMatchObject({ code: 0 });
  for (const type of ['affiliate.created', 'referral.created', 'commission.created', 'commission.due', 'payout.paid']) {
    expect(output).toContain(`verified ${type} evt_`);
  }
  expect(output).not.toContain('refused');
  expect(output).toContain('"amount_cents":1000');
  expect(output).toContain('"code":"missing_payout_details"');
  expect(output).toMatch(/"state":"completed".*"items_total":1,"items_done":1/);
  expect(output).toContain('"discrepancies":[]');
  const deliveries = JSON.parse(/\{"result".*\}/.exec(output)?.[0] ?? '{}') as {
    result: { data: { data: { status: string }[] } };
  };
  expect(deliveries.result.data.data.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'succeeded'));
}, 120_000);

/** The commands of a section, as the reader copies them. */
function commandsOf(readme: string, heading: string): string[] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  return [...section.split('\n## ')[0]!.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
}

function bash(script: string, settings: Record<string, string> = {}): ChildProcessByStdio<null, Readable, null> {
  // The reader's own environment, in which nothing of the service is configured: an empty variable counts as absent.
  const env = { ...process.env, DATABASE_URL: '', SECRET_KEY: '', DATA_DIR: join(directory, 'data'), ...settings };
  return spawn('bash', ['-c', script], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
