import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createApp, listen } from '@affiliate/rest';
import { beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { must } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';

const SIZE = 5 * 1024 * 1024;
const bytes = Buffer.from(Array.from({ length: SIZE / 4 }, (_, i) => String(i % 10_000).padStart(4, '0')).join(''));

const service = useService();
const account = useAccount(service, 'file');
let path: string;

beforeAll(async () => {
  const { id } = await must<{ id: string }>(account, '/assets', { name: 'text.txt', content: bytes.toString('base64') });
  path = await pathOf(id);
});

async function pathOf(id: string): Promise<string> {
  const { body } = await account.api.get<{ download_url: string }>(`/assets/${id}`);
  return body.download_url.replace('https://affiliates.example.com', '');
}

/** Number of downloads that ended with a status; 499 if the connection broke. */
const ended = (status: number) =>
  service.log.lines.filter(({ fields }) => fields['route'] === '/files' && fields['status'] === status).length;
const broken = () => ended(499);

/** Requests the file without reading the answer. */
function requestFile(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: affiliates.example.com\r\n\r\n`);
  return socket;
}

/** Memory of this process without garbage, because other test files have left some in it. */
function liveBytes(): number {
  globalThis.gc!();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

describe('a file for affiliates', () => {
  it('is sent as it is, as a download', async () => {
    const reply = await fetch(`${service.url}${path}`);
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=text.txt',
      'accept-ranges': 'bytes',
      'content-length': String(SIZE),
    });
  });

  it.each([
    ['bytes=0-3', 206, 0, 3],
    ['bytes=65530-65549', 206, 65_530, 65_549],
    [`bytes=${SIZE - 4}-`, 206, SIZE - 4, SIZE - 1],
    ['bytes=-4', 206, SIZE - 4, SIZE - 1],
    ['bytes=0-1,3-4', 200, 0, SIZE - 1],
    ['lines=1-2', 200, 0, SIZE - 1],
  ])('is sent in part for the range %s', async (range, status, start, end) => {
    const reply = await fetch(`${service.url}${path}`, { headers: { Range: range } });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-range')).toBe(status === 206 ? `bytes ${start}-${end}/${SIZE}` : null);
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it('has no part behind its end', async () => {
    const reply = await fetch(`${service.url}${path}`, { headers: { Range: `bytes=${SIZE}-` } });
    expect([reply.status, reply.headers.get('content-range')]).toEqual([416, `bytes */${SIZE}`]);
  });

  it('can be downloaded for ten minutes, and only with a sealed address', async () => {
    for (const wrong of [
      '/files/x',
      path.replace(/.{8}$/, 'AAAAAAAA'),
      `/files/${service.services.secrets.seal('download of x')}`,
    ])
      expect((await send(`${service.url}${wrong}`, 'GET')).status).toBe(404);
    const late = path;
    service.clock.advance(10, 'minutes');
    expect((await send(`${service.url}${late}`, 'GET')).status).toBe(404);
    path = await pathOf((await account.api.get<{ data: { id: string }[] }>('/assets')).body.data[0]!.id);
    expect((await fetch(`${service.url}${path}`, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('clients that do not read', () => {
  it('hold only a small part of a file in memory, and no more than 32 files of an address', async () => {
    const [before, refusals] = [liveBytes(), ended(429)];
    const sockets = Array.from({ length: 150 }, () => requestFile(service.url));
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    const held = liveBytes() - before;
    expect(ended(429) - refusals).toBe(150 - 32);
    for (const socket of sockets) socket.destroy();
    await expect.poll(broken, { timeout: 10_000 }).toBe(32);
    // Includes the clients, which run in this process. The files that are sent have 160 MiB together.
    expect(held).toBeLessThan(32 * 1024 * 1024);
  });

  it('can download again when their connections have ended', async () => {
    const reply = await fetch(`${service.url}${path}`);
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('are disconnected after a while', async () => {
    const server = await listen(createApp(service.services), { host: '127.0.0.1', port: 0, readMs: 300 });
    const before = broken();
    const idle = requestFile(server.url);
    try {
      await expect.poll(broken, { timeout: 10_000 }).toBe(before + 1);
    } finally {
      idle.destroy();
      await server.close(0);
    }
  });

  it('are distinguished from clients that wait for their answer', async () => {
    const server = await listen(createApp(service.services), { host: '127.0.0.1', port: 0, readMs: 100 });
    const { readPage } = service.services;
    service.services.readPage = () => setTimeout(500, 'unreachable' as const);
    try {
      const input = JSON.stringify({ url: 'https://shop.example.com/' });
      const { status } = await send(`${server.url}/trpc/site.check`, 'GET', { query: { input }, headers: account.api.headers });
      expect(status).toBe(200);
    } finally {
      service.services.readPage = readPage;
      await server.close(0);
    }
  });
});
