/** Follows the README and then each manual, command by command, with one service for all. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fastDirectory } from '../support/fast-directory.ts';
import { freePort } from '../support/free-port.ts';
import { sample, THOROUGH } from '../support/thorough.ts';
import { MANUALS, ROOT, commandsOf, namesIn, readText, rowsOf } from './manuals.ts';
import { Terminal } from './terminal.ts';

let directory: string;
let service: ChildProcessByStdio<null, Readable, null>;
let terminal: Terminal;
let serviceUrl: string;
let commands: (file: string) => string[];

beforeAll(async () => {
  directory = await mkdtemp(join(await fastDirectory(), 'affiliate-readme-'));
  // Lets other users enter the directory. Otherwise a server started by root would keep its files elsewhere, where the test does not remove them.
  await chmod(directory, 0o711);
  const [port, receiverPort] = [await freePort(), await freePort()];
  serviceUrl = `http://127.0.0.1:${port}`;
  // The ports in the README may be in use by other tests or services, so they are replaced.
  const withPorts = (block: string) =>
    block.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`).replaceAll(/\b4000\b/g, String(receiverPort));
  // The ordinary run calls the script that npx would run, because npx takes 3 CPU seconds to start and .ci/run already shows that npx works.
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const withoutNpx = (block: string) =>
    block.replaceAll(/npx -y pnpm@12 (?:--silent )?(affiliate|start)\b/g, (_, name: string) =>
      scripts[name]!.replace(/^node\b/, `'${process.execPath}'`),
    );
  commands = (file) =>
    commandsOf(file)
      .map(withPorts)
      .map(THOROUGH && file === 'README.md' ? (block) => block : withoutNpx);
  // Sets variables to empty strings, which count as absent. Otherwise the environment of the tests would configure the service.
  const env = { ...process.env, DATABASE_URL: '', SECRET_KEY: '', DATA_DIR: join(directory, 'data') };
  const [start = ''] = commands('README.md');
  service = spawn('bash', ['-c', `exec env ${start}`], {
    cwd: ROOT,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  terminal = new Terminal({ cwd: ROOT, env });
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
  await terminal.close();
  service.kill('SIGTERM');
  if (!service.stdout.closed) await once(service.stdout, 'close');
  await rm(directory, { recursive: true, force: true });
});

it('the README walks from a campaign to a paid payout, verified by the receiver', async () => {
  const [, ...walk] = commands('README.md');
  expect(walk).toHaveLength(11);
  const output = await terminal.paste(walk);
  for (const type of ['affiliate.created', 'referral.created', 'commission.created', 'commission.due', 'payout.paid']) {
    expect(output).toContain(`verified ${type} evt_`);
  }
  expect(output).not.toContain('refused');
  expect(output).toContain('"amount_cents":1000');
  const deliveries = JSON.parse(/\{"data":.*"total_count":5.*\}/.exec(output)?.[0] ?? '{}') as { data: { status: string }[] };
  expect(deliveries.data.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'succeeded'));
}, 120_000);

/** Output that the commands of each manual must print. In addition, none of the commands may fail. */
const SEEN: Record<string, (string | RegExp)[]> = {
  'docs/payouts.md': [
    'payout_id,affiliate_id,email',
    '"code":"missing_payout_details"',
    /"state":"completed".*"items_total":1,"items_done":1/,
    '"discrepancies":[]',
  ],
  'docs/webhooks.md': [/verified \S+ evt_/, '"status":"succeeded"', /"created_count":\d/],
  'docs/tracking.md': ['"conversion_state":"lead"', '"amount_cents":2000', '"refund_amount_cents":2000'],
  'docs/rewards.md': [
    '"product":"prod_pro"',
    '"amount_cents":1980,"currency":"USD","lines":[',
    '"base_cents":4990,"amount_cents":998',
    '"base_cents":1000,"amount_cents":0',
  ],
  'docs/api.md': ['dempotent-Replayed: true', '"code":"VALIDATION_ERROR"', '"data":['],
  'docs/operations.md': ['"data":['],
  'docs/monitoring.md': ['"status":"ok"', '"status":"ready"', 'affiliate_webhook_attempts_total{'],
  'docs/ai-assistants.md': [String.raw`\"ada@example.com\"`],
};

it('the commands of every manual are tested', () => {
  // test/deploy/install.test.ts runs the commands of an installation on a machine of its own.
  const tested = [...Object.keys(SEEN), 'docs/install.md'];
  expect(MANUALS.filter((file) => commandsOf(file).length > 0).toSorted()).toEqual(tested.toSorted());
});

it.each(sample(Object.entries(SEEN), 2, 0))(
  'the commands in %s have the documented results',
  async (file, seen) => {
    const pasted = commands(file);
    expect(pasted.length).toBeGreaterThan(0);
    const output = await terminal.pasteAside(pasted);
    for (const each of seen) expect(output).toMatch(each);
    expect(output).not.toContain('refused');
  },
  60_000,
);

it('docs/monitoring.md explains exactly the existing metrics', async () => {
  const metrics = await (await fetch(`${serviceUrl}/metrics`)).text();
  const present = [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].filter(([, name]) => !/^(process|nodejs)_/.test(name!));
  const explained = rowsOf('docs/monitoring.md', 'Metrics').map(([name, type]) => `${namesIn(name!)[0]} ${type}`);
  expect(new Set(explained)).toEqual(new Set(present.map(([, name, type]) => `${name} ${type}`)));
});
