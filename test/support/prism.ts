/**
 * Prism as a validating proxy before the services of the tests: PRISM=on (`pnpm test:contract`). Prism checks each request and response against the
 * contract with code that is not ours.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { startForwarder } from './forwarder.ts';
import { freePort } from './free-port.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TOOLS = join(ROOT, 'test/contract/tools');

/** URLs of the proxies by the name of the contract. */
export type Proxies = Record<string, string>;

/** Installs Prism, and starts a proxy for each contract. */
export async function startProxies(): Promise<{ proxies: Proxies; stop(): Promise<void> }> {
  await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile']);
  const directory = await mkdtemp(join(tmpdir(), 'affiliate-prism-'));
  const names = ['v1', 'settings-v1'];
  const files = names.map((name) => join(directory, `${name}.yaml`));
  await run(process.execPath, [join(ROOT, 'packages/rest/src/openapi/write.ts'), ...files]);
  const forwarder = await startForwarder();
  const started = await Promise.all(files.map((file) => startPrism(file, forwarder.url)));
  return {
    proxies: Object.fromEntries(names.map((name, i) => [name, started[i]!.url])),
    stop: async () => {
      await Promise.all(started.map((each) => each.stop()));
      forwarder.stop();
      await rm(directory, { recursive: true });
    },
  };
}

async function run(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { cwd: TOOLS, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}.`);
}

async function startPrism(contract: string, upstream: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const child = spawn('prism', ['proxy', contract, upstream, '--host', '127.0.0.1', '--port', String(port), '--cors', 'false'], {
    env: { ...process.env, NODE_OPTIONS: '', PATH: `${join(TOOLS, 'node_modules/.bin')}${delimiter}${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  await new Promise<void>((ready, failed) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-10_000);
      if (output.includes('Prism is listening')) ready();
    });
    void closed.then(() => failed(new Error(`Prism ended:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill();
      await closed;
    },
  };
}
