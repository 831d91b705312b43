/**
 * Restarts the processes of the service one after the other behind the proxies of `deploy`, at 200 requests a second. No request may fail. The ordinary run
 * does this once, behind nginx and Caddy at the same time, if both are installed. `npx -y pnpm@12 test:deploy` does it behind each proxy alone, and needs the
 * programs of Debian's packages nginx-light, caddy and haproxy. Tests whose program is missing are skipped, and say so.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, environment, run, startProgram } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { freePort } from '../support/free-port.ts';
import { type TestDatabase, createTestDatabase } from '../support/postgres.ts';
import { SECRET_KEY, credentials } from '../support/service.ts';
import { DEPLOY, has } from './programs.ts';

const IS_ALONE = process.env['DEPLOY'] === 'on';
/** Requests per second of all proxies that are tested at the same time. */
const PER_SECOND = 200;
const DRAIN_SECONDS = '3';
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8');

interface Proxy {
  /** Returns the file of `deploy` for these ports, without TLS. */
  configuration: (port: number, upstreams: readonly number[], directory: string) => string;
  command: (file: string) => [string, ...string[]];
}

const PROXIES: Record<string, Proxy> = {
  nginx: {
    configuration: (port, [first, second], directory) => {
      const site = read('nginx/affiliate.conf')
        .replace('127.0.0.1:3001', `127.0.0.1:${first}`)
        .replace('127.0.0.1:3002', `127.0.0.1:${second}`)
        .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
        .replaceAll(/^\s*(listen \[::\].*|listen 80;|ssl_.*)$/gm, '')
        .replace(/^server \{\s*server_name[^;]*;\s*#[^]*?return 308[^]*?^\}/m, '');
      return `daemon off; worker_processes 1; pid ${directory}/pid; error_log stderr crit;
        events { worker_connections 1024; }
        http { access_log off; client_body_temp_path ${directory}; proxy_temp_path ${directory}; fastcgi_temp_path ${directory}; uwsgi_temp_path ${directory}; scgi_temp_path ${directory};
        ${site} }`;
    },
    command: (file) => ['nginx', '-e', 'stderr', '-c', file],
  },
  haproxy: {
    configuration: (port, [first, second]) =>
      read('haproxy/haproxy.cfg')
        .replace('127.0.0.1:3001', `127.0.0.1:${first}`)
        .replace('127.0.0.1:3002', `127.0.0.1:${second}`)
        .replace(/bind :443.*/, `bind 127.0.0.1:${port}`),
    command: (file) => ['haproxy', '-db', '-f', file],
  },
  caddy: {
    configuration: (port, [first, second]) => {
      const [service] = /^\(service\) \{\n.*?^\}/ms.exec(read('Caddyfile'))!;
      const upstreams = service.replace('affiliate-rest-1:3000 affiliate-rest-2:3000', `127.0.0.1:${first} 127.0.0.1:${second}`);
      return `{\n\tadmin off\n\tauto_https off\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n${upstreams}\nhttp://127.0.0.1:${port} {\n\timport service\n}\n`;
    },
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
};

/** Names of the proxies that are tested at the same time. */
const GROUPS = (IS_ALONE ? Object.keys(PROXIES).map((name) => [name]) : [['nginx', 'caddy']])
  .map((names) => names.filter(has))
  .filter((names) => names.length > 0)
  .map((names) => ({ names, title: names.join(' and ') }));

describe.skipIf(GROUPS.length === 0)('a rolling restart', () => {
  let database: TestDatabase;
  let headers: Record<string, string>;
  let rests: (Running & { port: number })[];

  const startRest = async (port: number) => ({
    port,
    ...(await startProgram(['rest'], {
      DATABASE_URL: database.url,
      SECRET_KEY,
      PORT: String(port),
      DRAIN_SECONDS,
      TRUSTED_PROXIES: '1',
    })),
  });

  beforeAll(async () => {
    await builtProgram();
    database = await createTestDatabase();
    const command = ['account', 'create', '--json', '--name', 'Shop', '--owner-email', 'a@example.com'];
    const { stdout } = await run(command, { DATABASE_URL: database.url, SECRET_KEY }, 'correct horse\n');
    const { account_id, api_key } = JSON.parse(stdout) as { account_id: string; api_key: string };
    headers = { ...credentials(account_id, api_key), 'Content-Type': 'application/json' };
    rests = await Promise.all([startRest(await freePort()), startRest(await freePort())]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all((rests ?? []).map((rest) => rest.end('SIGKILL')));
    await database.drop();
  });

  /** Starts a proxy with its file of `deploy`, and settles with its port when it answers. */
  async function startProxy(name: string, directory: string): Promise<{ child: ChildProcess; port: number }> {
    const port = await freePort();
    const file = join(directory, name);
    const { configuration, command } = PROXIES[name]!;
    const ports = rests.map((rest) => rest.port);
    writeFileSync(file, configuration(port, ports, directory));
    const [program, ...parameters] = command(file);
    const child = spawn(program, parameters, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: environment({ HOME: directory }),
    });
    await untilAnswering(port);
    return { child, port };
  }

  it.each(GROUPS)(
    'behind $title fails no request',
    async ({ names }) => {
      using directory = mkdtempDisposableSync(join(tmpdir(), 'affiliate-proxy-'));
      chmodSync(directory.path, 0o755);
      const proxies = await Promise.all(names.map((name) => startProxy(name, directory.path)));
      try {
        const loads = proxies.map(({ port }) => new Load(port, headers, PER_SECOND / names.length));
        for (const index of [0, 1]) {
          const { port } = rests[index]!;
          expect(await rests[index]!.end('SIGTERM')).toBe(0);
          rests[index] = await startRest(port);
          // docs/upgrades.md#with-systemd: the proxy must have noticed that the process is ready, before the other one ends.
          await setTimeout(2_000);
        }
        const results = await Promise.all(loads.map((load) => load.end()));
        for (const [index, { sent, failed }] of results.entries()) {
          process.stdout.write(`${names[index]}: ${failed.length} of ${sent} requests failed\n`);
          expect(sent).toBeGreaterThan((5 * PER_SECOND) / names.length);
        }
        expect(results.flatMap(({ failed }) => failed)).toEqual([]);
        for (const { port } of proxies) expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
      } finally {
        await Promise.all(proxies.map(({ child }) => end(child)));
      }
    },
    180_000,
  );
});

const CAMPAIGN = { url: 'https://shop.example.com', reward_type: 'fixed', commission_amount_cents: 1 };

/** Sends requests at a constant rate, a quarter of them writes with a body. */
class Load {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 100 });
  readonly #running = new Set<Promise<void>>();
  readonly #failed: string[] = [];
  readonly #timer: NodeJS.Timeout;
  #sent = 0;

  constructor(port: number, headers: Record<string, string>, perSecond: number) {
    const start = performance.now();
    this.#timer = setInterval(() => {
      for (const due = ((performance.now() - start) / 1_000) * perSecond; this.#sent < due;) {
        this.#sent += 1;
        const running = this.#send(port, headers, this.#sent).finally(() => this.#running.delete(running));
        this.#running.add(running);
      }
    }, 10);
  }

  async end(): Promise<{ sent: number; failed: string[] }> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
    this.#agent.destroy();
    return { sent: this.#sent, failed: this.#failed };
  }

  #send(port: number, headers: Record<string, string>, n: number): Promise<void> {
    const isWrite = n % 4 === 0;
    const body = isWrite ? JSON.stringify({ ...CAMPAIGN, name: `Campaign ${n}` }) : '';
    const method = isWrite ? 'POST' : 'GET';
    const { promise, resolve: done } = Promise.withResolvers<void>();
    const fail = (reason: string) => {
      this.#failed.push(`${method} ${reason}`);
      done();
    };
    const sent = request({
      port,
      host: '127.0.0.1',
      path: isWrite ? '/api/v1/campaigns' : '/api/v1/campaigns?limit=1',
      method,
      headers: { ...headers, 'Content-Length': body.length },
      agent: this.#agent,
    });
    sent.on('error', (error) => fail(error.message));
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => (response.statusCode! < 400 ? done() : fail(String(response.statusCode))));
      response.on('error', (error) => fail(error.message));
    });
    sent.end(body);
    return promise;
  }
}

async function untilAnswering(port: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    if (attempt > 100) throw new Error(`The proxy does not answer: ${answer?.status}`);
    await setTimeout(100);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
