import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { SECRET_KEY, type TestAccount, type TestService, credentials, startService } from '../support/service.ts';

/** Time for which the database cannot be reached. `pnpm test:faults` tries 25 s. */
const OUTAGE_MS = process.env['FAULTS'] === 'all' ? 25_000 : 3_000;
const CONNECTIONS = 20;

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  [service] = await Promise.all([startService(), builtProgram()]);
  account = await service.createAccount();
});
afterAll(() => service.stop());

it(
  'while the database is out, requests fail fast, the log stays short, and afterwards everything works at once',
  async ({ onTestFinished }) => {
    await using proxy = await startDatabaseProxy(service.databaseUrl);
    const program = await startProgram(['start'], { DATABASE_URL: proxy.url, SECRET_KEY, PORT: '0' });
    onTestFinished(() => void program.child.kill('SIGKILL'));
    const statuses: Record<number, number> = {};
    let slowest = 0;
    const over = new AbortController();
    const read = async () => {
      const start = performance.now();
      const reply = await fetch(`${program.url}/api/v1/campaigns`, { headers: credentials(account.id, account.apiKey) });
      await reply.arrayBuffer();
      slowest = Math.max(slowest, performance.now() - start);
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
      return reply.status;
    };
    const worker = async () => {
      while (!over.signal.aborted) await read();
    };
    expect(await read()).toBe(200);
    const before = program.output().length;
    proxy.cut();
    const workers = Array.from({ length: CONNECTIONS }, worker);
    await setTimeout(OUTAGE_MS);
    proxy.recover();
    const recovered = performance.now();
    while ((await read()) !== 200);
    const took = performance.now() - recovered;
    over.abort();
    await Promise.all(workers);
    const written = program.output().slice(before);
    const lines = written.split('\n').filter((line) => line !== '');
    const faults = lines.filter((line) => line.includes('"stack"') || line.includes('"repeated"'));
    const faultBytes = faults.join('\n').length;
    process.stdout.write(
      `A database outage of ${OUTAGE_MS / 1_000} s: ${JSON.stringify(statuses)}, slowest answer ${Math.round(slowest)} ms, works again after ${Math.round(took)} ms; ` +
        `log of ${Math.round(written.length / 1_024)} KiB, of which ${faults.length} lines and ${Math.round(faultBytes / 1_024)} KiB about faults\n`,
    );
    expect(Object.keys(statuses)).toEqual(['200', '503']);
    expect(slowest).toBeLessThan(12_000);
    expect(took).toBeLessThan(10_000);
    // Beside a line for each request, there are some faults, each with its stack once and then with a line a second.
    expect(lines.length - faults.length).toBeLessThan(Object.values(statuses).reduce((sum, count) => sum + count) + 50);
    expect(faultBytes).toBeLessThan((OUTAGE_MS / 1_000) * 10 * 1_024);
  },
  OUTAGE_MS + 60_000,
);
