/** Sends input that is refused before any schema sees it: bad bytes, headers and request lines. */
import { createConnection } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnector } from '../mcp/assistant.ts';
import { usePspService } from '../psp/service.ts';
import { type Reply, send } from '../support/http.ts';
import { type TestAccount, credentials } from '../support/service.ts';
import { sample } from '../support/thorough.ts';
import { Changes } from './changes.ts';
import { problemOfRefusal } from './refusals.ts';
import { seededMerchant } from './seed.ts';

const service = usePspService();
let merchant: TestAccount;
let changes: Changes;
let token: string;

beforeAll(async () => {
  merchant = await seededMerchant(service);
  ({ token } = await createConnector(merchant));
  changes = await Changes.watch(service.databaseUrl);
});
afterAll(() => changes.close());

/** Every entry point that reads a request body, with a valid request. */
const DOORS: Record<string, () => { path: string; headers: Record<string, string>; body: object }> = {
  rest: () => ({
    path: '/api/v1/campaigns',
    headers: credentials(merchant.id, merchant.apiKey),
    body: { name: 'Spring', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 5 },
  }),
  'reports of sales': () => ({
    path: '/track/sales',
    headers: credentials(merchant.id, merchant.apiKey),
    body: { external_id: 'order-1', customer_email: 'new@example.com', amount_cents: 100, currency: 'USD' },
  }),
  'reports of visits': () => ({ path: '/track/visits', headers: {}, body: { account_id: merchant.id, token: 'ada' } }),
  trpc: () => ({
    path: '/trpc/connectors.create',
    headers: credentials(merchant.id, merchant.apiKey),
    body: { name: 'Assistant' },
  }),
  auth: () => ({
    path: '/auth/request-password-reset',
    headers: { Origin: service.services.publicUrl },
    body: { email: merchant.ownerEmail },
  }),
  assistants: () => ({
    path: '/mcp',
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  }),
  'payment provider': () => ({ path: `/psp/webhooks/${merchant.id}`, headers: {}, body: { id: 'evt_1' } }),
};

/** Bodies that the assistants' protocol accepts, because it allows batches and has its own rule for character sets. */
const FINE_FOR_ASSISTANTS = ['an array', 'unknown character set', 'invalid UTF-8', 'a surrogate in UTF-8'];
/** Reports of visits may be plain text, because browsers send plain text to other origins without a preflight. */
const FINE_FOR_PAGES = ['another type'];
const CODE_OF: Record<number, string> = { 400: 'MALFORMED_JSON', 413: 'PAYLOAD_TOO_LARGE', 415: 'UNSUPPORTED_MEDIA_TYPE' };

type Bytes = Uint8Array<ArrayBuffer>;
const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const gzip = (bytes: Bytes): Bytes => new Uint8Array(gzipSync(bytes));

/** Makes a faulty body from a valid one. */
const BODIES: Record<string, (good: string) => { bytes: Bytes; headers?: Record<string, string> }> = {
  'no JSON': () => ({ bytes: utf8('no JSON') }),
  'cut off': (good) => ({ bytes: utf8(good.slice(0, -1)) }),
  'single quotes': (good) => ({ bytes: utf8(good.replaceAll('"', "'")) }),
  'something after it': (good) => ({ bytes: utf8(`${good}{}`) }),
  NUL: () => ({ bytes: new Uint8Array([0, 0, 0]) }),
  null: () => ({ bytes: utf8('null') }),
  'a number': () => ({ bytes: utf8('1e400') }),
  text: () => ({ bytes: utf8('"text"') }),
  'an array': (good) => ({ bytes: utf8(`[${good}]`) }),
  '2,000 brackets': () => ({ bytes: utf8('['.repeat(2_000)) }),
  '200,000 brackets that close': () => ({ bytes: utf8('['.repeat(200_000) + ']'.repeat(200_000)) }),
  '100,000 deep in a field': (good) => ({
    bytes: utf8(`${good.slice(0, -1)},"x":${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
  }),
  '20,000 fields': (good) => ({
    bytes: utf8(`${good.slice(0, -1)},${Array.from({ length: 20_000 }, (_, i) => `"x${i}":${i}`).join()}}`),
  }),
  'invalid UTF-8': (good) => {
    const bytes = utf8(good);
    bytes.set([0xc3, 0x28], firstValue(good));
    return { bytes };
  },
  'a surrogate in UTF-8': (good) => {
    const at = firstValue(good);
    return { bytes: new Uint8Array([...utf8(good.slice(0, at)), 0xed, 0xa0, 0x80, ...utf8(good.slice(at))]) };
  },
  'UTF-16': (good) => ({ bytes: new Uint8Array(Buffer.from(`\ufeff${good}`, 'utf16le')) }),
  'gzip, cut off': (good) => ({ bytes: gzip(utf8(good)).slice(0, -12), headers: { 'Content-Encoding': 'gzip' } }),
  'no gzip at all': (good) => ({ bytes: utf8(good), headers: { 'Content-Encoding': 'gzip' } }),
  'unknown encoding': (good) => ({ bytes: utf8(good), headers: { 'Content-Encoding': 'snappy' } }),
  'a bomb': () => ({ bytes: gzip(new Uint8Array(50_000_000).fill(0x20)), headers: { 'Content-Encoding': 'gzip' } }),
  'another type': (good) => ({ bytes: utf8(good), headers: { 'Content-Type': 'text/plain' } }),
  'a page': (good) => ({ bytes: utf8(good), headers: { 'Content-Type': 'text/html' } }),
  'a form': () => ({ bytes: utf8('email=a&name=b'), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
  'a broken type': (good) => ({ bytes: utf8(good), headers: { 'Content-Type': ';;=' } }),
  'unknown character set': (good) => ({ bytes: utf8(good), headers: { 'Content-Type': 'application/json; charset=klingon' } }),
  'two MiB': () => ({ bytes: utf8(`{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`) }),
};

/** Returns the index at which the text of the first field begins. */
function firstValue(json: string): number {
  return json.indexOf(':"') + 2;
}

function asEnvelope(reply: Reply): Reply {
  const { error, jsonrpc } = reply.body as { error?: { data?: object; message?: string }; jsonrpc?: string };
  // Assistants get errors in the form of their protocol.
  if (jsonrpc === '2.0' && error?.message) return { ...reply, body: { error: error.message, code: CODE_OF[reply.status] } };
  return { ...reply, body: { ...(error?.data ?? reply.body) } };
}

// The ordinary run tries a quarter of the bodies at each entry point, and a different quarter at the next one.
describe.each(Object.keys(DOORS).map((door, turn) => ({ door, turn })))('$door', ({ door, turn }) => {
  it.each(sample(Object.keys(BODIES), 4, turn))('refuses a body: %s', async (kind) => {
    const { path, headers, body } = DOORS[door]!();
    const { bytes, headers: more } = BODIES[kind]!(JSON.stringify(body));
    if (door === 'assistants' && FINE_FOR_ASSISTANTS.includes(kind)) return;
    if (door === 'reports of visits' && FINE_FOR_PAGES.includes(kind)) return;
    const reply = await send(`${service.url}${path}`, 'POST', { raw: bytes, headers: { ...headers, ...more } });
    expect({ status: reply.status, problem: problemOfRefusal(asEnvelope(reply)) }).toEqual({
      status: expect.toSatisfy((status: number) => status >= 400 && status < 500, 'a refusal'),
      problem: null,
    });
    expect(await changes.take()).toEqual([]);
  });
});

/**
 * Sends header lines unchanged, even repeated ones and ones without a value, which `fetch` refuses to send. Returns the response with its status
 * line.
 */
async function sendLines(lines: string[], body: Bytes = utf8('')): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]));
  // A server may wait for the rest of an endless request. The test stops waiting after 3 s.
  socket.setTimeout(3_000, () => socket.destroy(new Error('no answer')));
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const GOOD = '{"name":"Spring","url":"https://shop.example.com","reward_type":"percent","commission_percent":5}';

/** The header lines of a complete request, except the lines under test, which `more` adds. */
function requestLines(path: string, ...more: string[]): string[] {
  const own = new Set(more.map((line) => line.split(':', 1)[0]!.toLowerCase()));
  const usual = [
    'Host: 127.0.0.1',
    'Connection: close',
    `Authorization: Bearer ${merchant.apiKey}`,
    `X-Account-Id: ${merchant.id}`,
    'Content-Type: application/json',
    `Content-Length: ${GOOD.length}`,
  ].filter((line) => !own.has(line.split(':', 1)[0]!.toLowerCase()));
  return [`POST ${path} HTTP/1.1`, ...usual, ...more];
}

const BAD_HEADERS: Record<string, string[]> = {
  'an Idempotency-Key of 256': [`Idempotency-Key: ${'k'.repeat(256)}`],
  'an empty Idempotency-Key': ['Idempotency-Key: '],
  'an Idempotency-Key that is not ASCII': ['Idempotency-Key: caf\u00e9'],
  'an Idempotency-Key with a tab': ['Idempotency-Key: a\tb'],
  'two Idempotency-Keys': ['Idempotency-Key: a', 'Idempotency-Key: b'],
  'no account': ['X-Account-Id: '],
  'another account': ['X-Account-Id: acct_00000000000000000000000000'],
  'two accounts': ['X-Account-Id: acct_1', 'X-Account-Id: acct_2'],
  'an account that is none': ['X-Account-Id: __proto__'],
  'a long account': [`X-Account-Id: ${'a'.repeat(10_000)}`],
  'an account that is not ASCII': ['X-Account-Id: \u00ff\u00fe'],
  'a key without its checksum': ['Authorization: Bearer apk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  'no scheme': ['Authorization: apk'],
  'half of Basic': ['Authorization: Basic'],
  'Basic that is not base64': ['Authorization: Basic ÿÿÿÿ'],
  'Basic with NUL': ['Authorization: Basic AGE6AA=='],
  Digest: ['Authorization: Digest username="a"'],
  'a cookie of nonsense': [
    'Authorization: ',
    'Cookie: affiliate.session_token=%00%ff.; __Secure-affiliate.session_token=a.b; =; ;;',
  ],
  'two keys': ['X-Api-Key: apk_other'],
  'an empty type': ['Content-Type: '],
};

describe.each(['/api/v1/campaigns', '/trpc/campaigns.create'])('%s', (path) => {
  it.each(Object.keys(BAD_HEADERS))('refuses %s', async (kind) => {
    const text = await sendLines(requestLines(path, ...BAD_HEADERS[kind]!), utf8(GOOD));
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(text).toMatch(/"code":"[A-Z_]+"/);
    expect(text).toMatch(/^x-request-id: [\w-]+\r$/im);
    expect(await changes.take()).toEqual([]);
  });
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];
const PLACES = [
  '/api/v1/campaigns',
  '/api/v1',
  '/trpc/campaigns.list',
  '/trpc/constructor',
  '/auth/get-session',
  '/mcp',
  '/t/x',
  '/track/visits',
];
const HOSTS = ['127.0.0.1', 'a b', '[', 'x:99999', '@'];

it.each([...PLACES, '/psp/webhooks/x', '/sources/x/events', '/docs', '/nowhere', '//', '*'])(
  '%s answers every method and host',
  async (path) => {
    const asked = [...METHODS.map((method) => [method, HOSTS[0]!] as const), ...HOSTS.map((host) => ['GET', host] as const)];
    const answers = await Promise.all(
      asked.map(async ([method, host]) => {
        const answer = await sendLines([
          `${method} ${path} HTTP/1.1`,
          `Host: ${host}`,
          'Connection: close',
          `Authorization: Bearer ${merchant.apiKey}`,
          `X-Account-Id: ${merchant.id}`,
        ]);
        const isRefusal = / 4\d\d /.test(answer.slice(0, 13)) && method !== 'HEAD';
        return `${method} ${host}: ${isRefusal && !/"code":"|"jsonrpc":"2.0","error"/.test(answer) ? answer : answer.slice(9, 10)}`;
      }),
    );
    expect(answers.filter((answer) => !/: [234]$/.test(answer))).toEqual([]);
    expect(await changes.take()).toEqual([]);
  },
);

it('creates a new request id when the given id could forge a log line', async () => {
  const forged = requestLines('/api/v1/nowhere', 'X-Request-Id: a" level="error', `Content-Length: ${GOOD.length}`);
  expect(await sendLines(forged, utf8(GOOD))).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im);
});

const BAD_HTTP: Record<string, () => [lines: string[], body: string]> = {
  'fewer bytes than announced': () => [requestLines('/api/v1/campaigns', 'Content-Length: 5'), GOOD],
  'a length that is none': () => [requestLines('/api/v1/campaigns', 'Content-Length: x'), GOOD],
  'a negative length': () => [requestLines('/api/v1/campaigns', 'Content-Length: -1'), GOOD],
  'two lengths': () => [requestLines('/api/v1/campaigns', 'Content-Length: 5', 'Content-Length: 90'), GOOD],
  'length and chunks': () => [
    requestLines('/api/v1/campaigns', `Content-Length: ${GOOD.length}`, 'Transfer-Encoding: chunked'),
    '0\r\n\r\n',
  ],
  'chunks that are none': () => [requestLines('/api/v1/campaigns', 'Transfer-Encoding: chunked'), 'zz\r\n\r\n'],
  'headers of 20 kB': () => [requestLines('/api/v1/campaigns', `X-Padding: ${'x'.repeat(20_000)}`), GOOD],
  'a path of 20 kB': () => [requestLines(`/api/v1/${'x'.repeat(20_000)}`), GOOD],
  'NUL in a header': () => [requestLines('/api/v1/campaigns', 'X-Padding: a\0b'), GOOD],
  'a header without a name': () => [requestLines('/api/v1/campaigns', ': x'), GOOD],
  'no host': () => [requestLines('/api/v1/campaigns').filter((line) => !line.startsWith('Host')), GOOD],
  'an unknown method': () => [['BREW /api/v1/campaigns HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close'], ''],
  'a path that is none': () => [['GET api HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close'], ''],
  'no HTTP': () => [['hello'], ''],
};

it.each(Object.keys(BAD_HTTP))('refuses %s with the envelope', async (kind) => {
  const [lines, body] = BAD_HTTP[kind]!();
  const text = await sendLines(lines, utf8(body));
  expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(text).toMatch(/"error":".+","code":"[A-Z_]+"/);
  expect(text).toMatch(/^x-request-id: [\w-]+\r$/im);
  expect(await changes.take()).toEqual([]);
});
