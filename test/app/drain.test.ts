import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { createHealth, createMetrics, createMonitoring, listen } from '@affiliate/rest/monitoring';
import express from 'express';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { send } from '../support/http.ts';
import { type Program, program, refer, unique } from '../support/program.ts';
import { SECRET_KEY, type TestAccount, type TestService, credentials, startService } from '../support/service.ts';
import { startProgram } from './program.ts';

let installation: TestService;
let account: TestAccount;

beforeAll(async () => {
  await builtProgram();
  installation = await startService();
  account = await installation.createAccount();
});
afterAll(() => installation.stop());

const CLIENTS = 40;

/** Reports sales over one connection until the server asks to close the connection. Returns the `external_id` of each acknowledged sale. */
async function sellUntilGoodbye(url: string, referral_id: string, onAnswer: () => void): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answered: string[] = [];
  for (;;) {
    const external_id = unique('drained');
    const sale = request(`${url}/track/sales`, {
      method: 'POST',
      agent,
      headers: { ...credentials(account.id, account.apiKey), 'Content-Type': 'application/json' },
    });
    sale.end(JSON.stringify({ external_id, referral_id, amount_cents: 100, currency: 'USD' }));
    const [answer] = (await once(sale, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    expect(answer.statusCode).toBe(201);
    answered.push(external_id);
    onAnswer();
    if (answer.headers.connection === 'close') return answered;
  }
}

/**
 * Follows the link repeatedly, each time as a new visitor, over one connection until the server asks to close the connection. Returns the referral of
 * each redirect.
 */
async function clickUntilGoodbye(url: string, { link }: Program): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const referrals: string[] = [];
  for (;;) {
    const click = request(`${url}/t/${link.token}?account_id=${account.id}`, {
      agent,
      headers: { 'User-Agent': unique('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 visitor') },
    });
    click.end();
    const [answer] = (await once(click, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    expect(answer.statusCode).toBe(302);
    referrals.push(new URL(answer.headers.location!).searchParams.get('referral')!);
    if (answer.headers.connection === 'close') return referrals;
  }
}

it('a process that receives SIGTERM answers every request of busy clients, and asks the clients to close their connections', async () => {
  const started = await program(account);
  const referral = await refer(account, started);
  const rest = await startProgram(['rest'], {
    DATABASE_URL: installation.databaseUrl,
    SECRET_KEY,
    PORT: '0',
    DRAIN_SECONDS: '2',
    LOG_LEVEL: 'info',
  });
  onTestFinished(() => void rest.child.kill('SIGKILL'));
  let answers = 0;
  const busy = Promise.withResolvers<void>();
  const clients = Array.from({ length: CLIENTS }, () =>
    sellUntilGoodbye(rest.url, referral.id, () => {
      answers += 1;
      if (answers === 3 * CLIENTS) busy.resolve();
    }),
  );
  const visitors = Array.from({ length: 4 }, () => clickUntilGoodbye(rest.url, started));
  await Promise.race([busy.promise, Promise.all(clients)]);
  rest.child.kill('SIGTERM');
  await rest.waitFor('"msg":"ending"');
  // A load balancer sees the failing readiness probe before the process refuses any request.
  expect(await send(`${rest.url}/readyz`, 'GET')).toMatchObject({ status: 503, body: { reason: 'The process is ending.' } });
  const answered = new Set((await Promise.all(clients)).flat());
  expect(await rest.ended).toBe(0);
  const { data } = await recorded();
  const unanswered = data.filter(({ external_id }) => external_id.startsWith('drained') && !answered.has(external_id));
  expect(unanswered).toEqual([]);
  expect(answered.size).toBeGreaterThanOrEqual(3 * CLIENTS);
  const passedOn = (await Promise.all(visitors)).flat();
  const { length } = await installation.services.database.kysely
    .selectFrom('referral')
    .select('id')
    .where('id', 'in', passedOn)
    .execute();
  expect(passedOn.length).toBeGreaterThan(4);
  expect(length).toBe(passedOn.length);
}, 60_000);

async function recorded(): Promise<{ data: { external_id: string }[] }> {
  const data = await installation.services.database.kysely
    .selectFrom('sale')
    .select('external_id')
    .where('account_id', '=', account.id)
    .where('external_id', 'is not', null)
    .execute();
  return { data: data as { external_id: string }[] };
}

it('a server that stops listening answers every connection that has arrived, although Node has not taken it over yet', async () => {
  const app = createMonitoring(installation.services, { metrics: createMetrics(), health: createHealth() });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const answers = Array.from({ length: 50 }, () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('GET /none HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    return text(socket);
  });
  await server.drain(0);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  await server.close();
});

/** Index of the flags that the threads of the next test share. */
const FLAGS = { ask: 0, asked: 1, connect: 2, never: 3 };
/**
 * Client in a thread of its own: sends a request over a connection when it is told to, and opens five others when it is told to. Tells which requests were
 * answered.
 */
const CLIENT = `const { parentPort, workerData: { port, flags } } = require('node:worker_threads');
  const { connect } = require('node:net');
  const when = (index) => new Promise((resolve) => {
    const timer = setInterval(() => { if (Atomics.load(flags, index) === 1) { clearInterval(timer); resolve(); } }, 1);
  });
  const ask = (socket, path, onSent) => new Promise((resolve) => {
    socket.write('GET ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', onSent);
    socket.once('data', () => resolve('answered'));
    socket.once('error', ({ code }) => resolve(code));
  });
  (async () => {
    const first = connect(port, '127.0.0.1');
    await ask(first, '/');
    parentPort.postMessage('connected');
    await when(${FLAGS.ask});
    const answers = [ask(first, '/busy', () => Atomics.store(flags, ${FLAGS.asked}, 1))];
    await when(${FLAGS.connect});
    for (let n = 0; n < 5; n += 1) answers.push(ask(connect(port, '127.0.0.1'), '/'));
    parentPort.postMessage(await Promise.all(answers));
  })();`;

it('a server that stops listening answers connections that arrive while it is busy with another request', async () => {
  const flags = new Int32Array(new SharedArrayBuffer(16));
  const app = express().use((request, response) => {
    if (request.path === '/busy') {
      Atomics.store(flags, FLAGS.connect, 1);
      Atomics.wait(flags, FLAGS.never, 0, 300);
    }
    response.end('answer');
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const client = new Worker(CLIENT, { eval: true, workerData: { port: Number(new URL(server.url).port), flags } });
  await once(client, 'message');
  // Runs directly before the server stops listening, so that the request is there in that turn of the event loop.
  setTimeout(() => {
    Atomics.store(flags, FLAGS.ask, 1);
    while (Atomics.load(flags, FLAGS.asked) === 0) Atomics.wait(flags, FLAGS.never, 0, 1);
  }, 1);
  const answers = once(client, 'message');
  await server.drain(0);
  expect(await answers).toEqual([Array.from({ length: 6 }, () => 'answered')]);
  await server.close();
  await client.terminate();
});
