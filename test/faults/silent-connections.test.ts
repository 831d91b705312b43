/** Connections to the database that stay open and never answer again. */
import { openDatabase } from '@affiliate/core';
import { createApp, listen } from '@affiliate/rest';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { type Reply, send } from '../support/http.ts';
import { SECRET_KEY, type TestAccount, type TestService, credentials, startService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  [service] = await Promise.all([startService(), builtProgram()]);
  account = await service.createAccount();
});
afterAll(() => service.stop());

const read = (url: string) => send(`${url}/api/v1/campaigns`, 'GET', { headers: credentials(account.id, account.apiKey) });
const probe = async (url: string, path: string) => (await send(`${url}${path}`, 'GET')).status;

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function expectUnavailable({ status, body, headers }: Reply) {
  expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'UNAVAILABLE' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

// Concurrent, because these tests mostly wait.
it.concurrent('a process recovers from silent connections within 10 seconds, and stops within 10 seconds if the database is silent', async ({
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
  expect(await probe(program.url, '/readyz')).toBe(200);

  proxy.swallowEverything();
  const underWay = read(program.url);
  // The process accepts connections in order. When it answers this probe, it has therefore received the request that `read` sent.
  expect(await probe(program.url, '/healthz')).toBe(200);
  expect(await seconds(async () => expect(await program.end()).toBe(0))).toBeLessThan(10);
  expectUnavailable(await underWay);
  expect(program.output()).toContain('"msg":"the database does not answer; ending without waiting for it"');
}, 60_000);

it.concurrent('requests fail within 10 seconds while the database does not answer, and the process still counts as alive', async () => {
  await using proxy = await startDatabaseProxy(service.databaseUrl);
  const database = await openDatabase({ url: proxy.url });
  const server = await listen(createApp({ ...service.services, database }), { host: '127.0.0.1', port: 0 });
  expect((await read(server.url)).status).toBe(200);

  proxy.swallowEverything();
  const probes = Promise.all([probe(server.url, '/readyz'), probe(server.url, '/healthz')]);
  expect(await seconds(async () => expectUnavailable(await read(server.url)))).toBeLessThan(10);
  // The process stays healthy, because a new one could not reach the database either.
  expect(await probes).toEqual([503, 200]);
  await server.close();
  await database.close();
});

it.concurrent('a connection that waits for a slow statement is not closed', async () => {
  await using proxy = await startDatabaseProxy(service.databaseUrl);
  const database = await openDatabase({ url: proxy.url, poolSize: 2 });
  const slow = database.transaction((db) => sql`select 'done' as outcome from pg_sleep(6)`.execute(db));
  expect((await slow).rows).toEqual([{ outcome: 'done' }]);
  await database.close();
});
