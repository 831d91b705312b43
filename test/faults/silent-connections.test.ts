import { openDatabase } from '@affiliate/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { type Reply, send } from '../support/http.ts';
import { SECRET_KEY, type TestAccount, type TestService, credentials, startService } from '../support/service.ts';

/** Connections to the database that stay open and never answer again. */
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  await builtProgram();
  service = await startService();
  account = await service.createAccount();
});
afterAll(() => service.stop());

const read = (url: string) => send(`${url}/api/v1/campaigns`, 'GET', { headers: credentials(account.id, account.apiKey) });

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

// At the same time, because both mostly wait.
it.concurrent('a process whose connections fall silent answers again within 10 seconds, and ends within 25', async ({
  onTestFinished,
}) => {
  await using proxy = await startDatabaseProxy(service.databaseUrl);
  const program = await startProgram(['start'], { DATABASE_URL: proxy.url, SECRET_KEY, PORT: '0' });
  onTestFinished(() => void program.child.kill('SIGKILL'));
  await Promise.all(Array.from({ length: 20 }, () => read(program.url)));

  proxy.swallowConnections();
  const hung = Promise.all(Array.from({ length: 20 }, () => read(program.url)));
  const untilAnswered = async () => {
    while ((await read(program.url)).status !== 200);
  };
  expect(await seconds(untilAnswered)).toBeLessThan(10);
  for (const reply of await hung) if (reply.status !== 200) expectUnavailable(reply);
  expect((await send(`${program.url}/readyz`, 'GET')).status).toBe(200);

  proxy.swallowEverything();
  const [refused, ready, alive] = await Promise.all([
    read(program.url),
    send(`${program.url}/readyz`, 'GET'),
    send(`${program.url}/healthz`, 'GET'),
  ]);
  expectUnavailable(refused);
  expect(ready.status).toBe(503);
  // A new process could not reach the database either.
  expect(alive.status).toBe(200);
  expect(await seconds(() => program.end())).toBeLessThan(25);
}, 90_000);

function expectUnavailable({ status, body, headers }: Reply) {
  expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'UNAVAILABLE' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

it.concurrent('a connection that waits for a slow statement is left alone', async () => {
  await using proxy = await startDatabaseProxy(service.databaseUrl);
  const database = await openDatabase({ url: proxy.url, poolSize: 2 });
  const slow = database.transaction((em) => em.execute(`select 'done' as outcome from pg_sleep(6)`));
  expect(await slow).toEqual([{ outcome: 'done' }]);
  await database.close();
});
