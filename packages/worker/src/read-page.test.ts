import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseAllowedNetworks } from '@affiliate/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDocumentReader, createPageReader, createPublicFetch } from './read-page.ts';

const ANSWERS: Record<string, RequestListener> = {
  '/': (_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', ["script-src 'self', img-src *", 'connect-src *']);
    response.end('<p>Schön</p>');
  },
  '/moved': (_request, response) => void response.writeHead(301, { Location: '/' }).end(),
  '/around': (_request, response) => void response.writeHead(302, { Location: '/around' }).end(),
  '/inside': (_request, response) => void response.writeHead(302, { Location: 'http://127.0.0.2/' }).end(),
  '/gone': (_request, response) => void response.writeHead(404, { 'Content-Type': 'text/html' }).end('gone'),
  '/text': (_request, response) => void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('text'),
  '/endless': (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    const piece = Buffer.alloc(1 << 16, 'x');
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  },
  '/client.json': (_request, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"client_name":"Ä"}'),
  '/large.json': (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ text: 'x'.repeat(5_200) }));
  },
  '/moved.json': (_request, response) => void response.writeHead(302, { Location: '/client.json' }).end(),
  '/silent': () => undefined,
};

let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => ANSWERS[request.url!]!(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://shop.localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const read = (path: string, timeoutMs?: number) =>
  createPageReader({
    allowed: parseAllowedNetworks('127.0.0.1/32'),
    resolve: async (host) => (host === 'shop.localhost' ? ['127.0.0.1'] : []),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })(new URL(path, origin).href);

it('a page is read with its policies, after redirects', async () => {
  expect(await read('/moved')).toEqual({
    url: `${origin}/`,
    html: '<p>Schön</p>',
    policies: ["script-src 'self'", ' img-src *', 'connect-src *'],
  });
});

it.each([
  ['/around', 'too_many_redirects'],
  ['/inside', 'refused'],
  ['/gone', 'error_page'],
  ['/text', 'not_html'],
  ['http://unknown.localhost/', 'unreachable'],
  ['http://127.0.0.2/', 'refused'],
  ['ftp://shop.localhost/', 'invalid_url'],
])('%s is not a page: %s', async (path, failure) => {
  expect(await read(path)).toBe(failure);
});

it('only the first megabyte of an endless page is read', async () => {
  expect(await read('/endless')).toMatchObject({ html: 'x'.repeat(1 << 20) });
});

it('a page that does not answer is unreachable', async () => {
  expect(await read('/silent', 50)).toBe('unreachable');
});

const readDocument = (url: string) =>
  createDocumentReader({
    allowed: parseAllowedNetworks('127.0.0.1/32'),
    resolve: async (host) => (host === 'shop.localhost' ? ['127.0.0.1'] : []),
    timeoutMs: 300,
  })(url);

it('a document is read as it is', async () => {
  expect(await readDocument(`${origin}/client.json`)).toBe('{"client_name":"Ä"}');
});

it.each(['/large.json', '/moved.json', '/', '/text', '/gone', '/silent', '/endless'])(
  'no document is read from %s',
  async (path) => {
    expect(await readDocument(origin + path)).toBeNull();
  },
);

it.each([
  'http://127.0.0.2/client.json',
  'http://elsewhere.localhost/client.json',
  'ftp://shop.localhost/client.json',
  'client.json',
])('no document is read at the address %s', async (url) => {
  expect(await readDocument(url)).toBeNull();
});

const fetchPublic = createPublicFetch({
  allowed: parseAllowedNetworks('127.0.0.1/32'),
  resolve: async (host) => (host === 'shop.localhost' ? ['127.0.0.1'] : []),
});

it('a request to a merchant’s address is answered with status, headers and body', async () => {
  const response = await fetchPublic(`${origin}/client.json`, { headers: { accept: 'application/json' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('json');
  expect(await response.json()).toEqual({ client_name: 'Ä' });
});

it('a request to a merchant’s address follows no redirects, and ends when it is aborted', async () => {
  await expect(fetchPublic(`${origin}/moved.json`, {})).rejects.toMatchObject({ reason: 'unreachable' });
  await expect(fetchPublic(`${origin}/silent`, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  await expect(fetchPublic('http://127.0.0.2/client.json', {})).rejects.toMatchObject({ reason: 'refused' });
});
