import { once } from 'node:events';
import { type IncomingMessage, type Server, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLogMailer } from '@affiliate/app/log-mailer';
import { isForThisMachine, isLoopback, mailPage } from '@affiliate/app/mail-page';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const mailer = createLogMailer(silent);
let server: Server;

beforeAll(async () => {
  server = express().use('/mail', mailPage(mailer.recent)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await mailer.send({ id: 'mail_1', to: 'ada@partner.example', subject: '<b>Hello</b>', text: 'Hi', html: '<p>Hi</p>' });
});
afterAll(() => void server.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response), policy: response.headers['content-security-policy'] };
}

it('the mail page lists the unsent messages, and shows each without scripts', async () => {
  const list = await get('/mail');
  expect(list.status).toBe(200);
  expect(list.body).toContain('<a href="/mail/mail_1">&lt;b&gt;Hello&lt;/b&gt;</a> to ada@partner.example');
  expect(await get('/mail/mail_1')).toMatchObject({
    status: 200,
    body: '<p>Hi</p>',
    policy: expect.stringContaining("default-src 'none'"),
  });
  expect((await get('/mail/mail_2')).status).toBe(404);
});

it.each([
  ['another host name, as after DNS rebinding', { Host: 'evil.example' }],
  ['a proxy', { 'X-Forwarded-For': '198.51.100.7' }],
  ['a proxy that names the client in another header', { Forwarded: 'for=198.51.100.7' }],
  ['a proxy that names itself', { Via: '1.1 front' }],
])('the mail page does not exist for %s', async (_, headers) => {
  expect((await get('/mail', headers)).status).toBe(404);
});

it.each([
  ['only the default settings', {}, true],
  ['an address for people on this machine', { PUBLIC_URL: 'http://localhost:8080' }, true],
  // With a public URL, a request that looks local may have come through a proxy on this machine.
  ['a public address', { PUBLIC_URL: 'https://program.example' }, false],
  ['a proxy in front', { TRUSTED_PROXIES: 1 }, false],
  ['any network', { HOST: '0.0.0.0' }, false],
])('the mail page exists with %s: %#', (_, settings, expected) => {
  expect(isForThisMachine({ HOST: '127.0.0.1', PORT: 3000, PUBLIC_URL: undefined, TRUSTED_PROXIES: 0, ...settings })).toBe(
    expected,
  );
});

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['127.evil.example', false],
  ['localhost.evil.example', false],
])('%s is a loopback address: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
