import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { DENSE_JSON } from '../dense-json.ts';

/** The service under load, and the records of the busy account that the loads use. */
export interface Target {
  url: string;
  /** Headers of the busy account. */
  headers: Record<string, string>;
  /** Path from which the statement of a payout of many commissions is downloaded as PDF. */
  statementPath: string;
  /** Path from which a file of 5 MiB is downloaded. */
  filePath: string;
  /** An export of many payouts. */
  exportId: string;
  referralId: string;
  /** A campaign with large rules. */
  campaignId: string;
  ownerEmail: string;
}

type Send = (method: 'GET' | 'POST' | 'PATCH', path: string, options?: SendOptions) => Promise<{ status: number; text: string }>;

interface SendOptions {
  body?: object | string | Uint8Array;
  headers?: Record<string, string>;
  /** True for a caller without credentials. */
  isStranger?: boolean;
}

/** A load: starts, and goes on until `signal` is aborted. Returns the number of answers by status. */
export type Load = (target: Target, signal: AbortSignal) => Promise<Record<string, number>>;

const MIB = 1024 * 1024;
const UNANSWERED = 0;

/** Repeats `work` over `parallel` connections. */
function repeated(parallel: number, work: (send: Send, target: Target) => Promise<unknown>): Load {
  return async (target, signal) => {
    const agent = new Agent({ connections: parallel, pipelining: 1 });
    const statuses: Record<string, number> = {};
    const send: Send = async (method, path, { body, headers, isStranger = false } = {}) => {
      const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
      const reply = await request(`${target.url}${path}`, {
        method,
        dispatcher: agent,
        signal,
        headers: { 'content-type': 'application/json', ...(isStranger ? {} : target.headers), ...headers },
        ...(raw === undefined ? {} : { body: raw }),
      })
        .then(async (answer) => ({ status: answer.statusCode, text: await answer.body.text() }))
        .catch(() => ({ status: UNANSWERED, text: '' }));
      if (!signal.aborted) statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
      return reply;
    };
    const worker = async () => {
      while (!signal.aborted) await work(send, target);
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    await agent.destroy();
    return statuses;
  };
}

/** Sends bytes on each of many connections. Opens a connection again after the service has closed it, which a client that does not read cannot notice. */
function raw(connections: number, { reads }: { reads: boolean }, bytesFor: (target: Target) => string): Load {
  return async (target, signal) => {
    const { hostname, port } = new URL(target.url);
    const bytes = bytesFor(target);
    const sockets = new Set<Socket>();
    let opened = 0;
    const open = () => {
      if (signal.aborted) return;
      opened += 1;
      const socket = connect(Number(port), hostname);
      if (reads) socket.resume();
      else socket.pause();
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        setTimeout(open, 100);
      });
      socket.write(bytes);
      sockets.add(socket);
    };
    for (let i = 0; i < connections; i += 1) open();
    await once(signal, 'abort');
    for (const socket of sockets) socket.destroy();
    return { connections: opened };
  };
}

const STRANGERS_DOORS = [
  '/track/visits',
  '/auth/sign-in/email',
  '/trpc/join.submit',
  '/trpc/portal.enter',
  '/auth/oauth2/register',
];
const BOMBS = Object.values(DENSE_JSON).map((json) => gzipSync(json));
/** As dense as a body of a stranger may be. */
const DENSE_SMALL = [`{"a":[${'{},'.repeat(5_000)}{}]}`, `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`];

function strangers(parallel: number): Load {
  let turn = 0;
  return repeated(parallel, async (send) => {
    turn += 1;
    const path = STRANGERS_DOORS[turn % STRANGERS_DOORS.length]!;
    if (turn % 3 === 0)
      await send('POST', path, {
        body: BOMBS[turn % BOMBS.length]!,
        headers: { 'content-encoding': 'gzip' },
        isStranger: true,
      });
    else await send('POST', path, { body: DENSE_SMALL[turn % 2]!, isStranger: true });
  });
}

/** Bytes of no known type, almost as large as a file may be. */
export const UNKNOWN_FILE = JSON.stringify({ name: 'banner.png', content: randomBytes(5 * MIB - 1).toString('base64') });
/** A text that is refused only after it has arrived and been stored, because its name does not fit. */
const MISNAMED_FILE = Buffer.alloc(5 * MIB, '0123456789abcdef\n');
const DEEP = Object.values(DENSE_JSON);
const MANY_FIELDS = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`field_${i}`, i])));
/** As many unknown fields and values as a body may have. */
const MOST_FIELDS = JSON.stringify(Object.fromEntries(Array.from({ length: 4_999 }, (_, i) => [`field_${i}`, [i, i, i]])));

/** Returns a GET request as it is sent. */
function requestText(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

const input = (value: object) => `input=${encodeURIComponent(JSON.stringify(value))}`;

/** A sale of as many lines as a sale may have. */
const LARGE_SALE = {
  currency: 'USD',
  lines: Array.from({ length: 100 }, (_, i) => ({ product: `prod_${i % 15}_${i % 60}_`.padEnd(240, 'x'), amount_cents: 1_000 })),
};

/** The loads, by their names. */
export const LOADS = {
  'a stranger, dense JSON over 4 connections': strangers(4),
  'a stranger, dense JSON over 60 connections': strangers(60),
  'uploads that are refused, 4 at a time': repeated(4, (send) => send('POST', '/api/v1/assets', { body: UNKNOWN_FILE })),
  'files that are refused when they have arrived, 4 at a time': repeated(4, (send) =>
    send('POST', '/api/v1/assets/upload?name=banner.png', { body: MISNAMED_FILE, headers: { 'content-type': 'image/png' } }),
  ),
  'deep JSON, 4 at a time': repeated(4, (send) =>
    send('POST', '/api/v1/affiliates', { body: DEEP[Math.floor(Math.random() * DEEP.length)]! }),
  ),
  '60,000 unknown fields, 4 at a time': repeated(4, (send) => send('POST', '/api/v1/affiliates', { body: MANY_FIELDS })),
  '4,999 unknown fields, 4 at a time': repeated(4, (send) => send('POST', '/api/v1/affiliates', { body: MOST_FIELDS })),
  'eligible=true, 16 at a time': repeated(16, (send) => send('GET', '/api/v1/payouts?eligible=true')),
  'eligible=true in the pages, 16 at a time': repeated(16, (send) =>
    send('GET', `/trpc/payouts.list?${input({ eligible: true })}`),
  ),
  'CSV, 16 at a time': repeated(16, (send) => send('GET', `/trpc/commissions.csv?${input({})}`)),
  'CSV of affiliates with all metadata, 8 at a time': repeated(8, (send) => send('GET', '/api/v1/affiliates.csv')),
  'previews of sales by large rules, 8 at a time': repeated(8, (send, { campaignId }) =>
    send('POST', `/api/v1/campaigns/${campaignId}/rewards/preview`, { body: LARGE_SALE }),
  ),
  'previews of changes of large rules, 4 at a time': repeated(4, (send, { campaignId }) =>
    send('POST', `/api/v1/campaigns/${campaignId}/rewards/preview_change`, {
      body: { base: { reward_type: 'percent', commission_percent: 20 } },
    }),
  ),
  'large rules, 4 at a time': repeated(4, (send, { campaignId }) =>
    send('GET', `/api/v1/reward_rules?campaign_id=${campaignId}`),
  ),
  'requested links, 8 at a time': repeated(8, (send) =>
    send('POST', '/auth/request-sign-in-link', {
      body: { email: `a${Math.ceil(Math.random() * 5_000)}@example.com` },
      isStranger: true,
    }),
  ),
  'export files, 8 at a time': repeated(8, (send, { exportId }) =>
    send('GET', `/api/v1/payout_exports/${exportId}?export_format=csv`),
  ),
  'statements as PDF, 4 at a time': repeated(4, (send, { statementPath }) => send('GET', statementPath, { isStranger: true })),
  'downloads, 8 at a time': repeated(8, (send, { filePath }) => send('GET', filePath, { isStranger: true })),
  'lists of 100, 64 at a time': repeated(64, (send) => send('GET', '/api/v1/affiliates?limit=100')),
  'files that nobody reads, 150 connections': raw(150, { reads: false }, ({ filePath }) => requestText(filePath)),
  'complete lists that nobody reads, 150 connections': raw(150, { reads: false }, ({ headers }) =>
    requestText('/api/v1/payouts?eligible=true', headers),
  ),
  'CSV that nobody reads, 150 connections': raw(150, { reads: false }, ({ headers }) =>
    requestText('/api/v1/payouts.csv', headers),
  ),
  'files of exports that nobody reads, 150 connections': raw(150, { reads: false }, ({ exportId, headers }) =>
    requestText(`/api/v1/payout_exports/${exportId}?export_format=csv`, headers),
  ),
  'statements that nobody reads, 150 connections': raw(150, { reads: false }, ({ statementPath }) => requestText(statementPath)),
  'pipelined requests, 3,000 on each of 50 connections': raw(50, { reads: true }, () => requestText('/healthz').repeat(3_000)),
  'checks of a site, 4 at a time': repeated(4, (send) =>
    send('GET', `/trpc/site.check?${input({ url: 'https://shop.example.com/' })}`),
  ),
  'invitations that are revoked, 4 at a time': repeated(4, async (send) => {
    const body = { kind: 'member', email: `guest-${randomUUID()}@example.com` };
    const { text } = await send('POST', '/api/v1/invitations', { body });
    const { id } = JSON.parse(text === '' ? '{}' : text) as { id?: string };
    if (id !== undefined) await send('PATCH', `/api/v1/invitations/${id}`, { body: { status: 'revoked' } });
  }),
  'sales of one customer, 4 at a time': repeated(4, (send, { referralId }) =>
    send('POST', '/track/sales', {
      body: {
        external_id: randomUUID(),
        referral_id: referralId,
        customer_email: 'regular@example.com',
        amount_cents: 1_000,
        currency: 'USD',
      },
    }),
  ),
  'wrong passwords, 4 at a time': repeated(4, (send, { ownerEmail }) =>
    send('POST', '/auth/sign-in/email', {
      body: { email: ownerEmail, password: randomUUID() },
      isStranger: true,
    }),
  ),
  'public leads, 8 at a time': repeated(8, (send, { referralId }) =>
    send('POST', '/track/leads', { body: { referral_id: referralId, email: `${randomUUID()}@example.com` }, isStranger: true }),
  ),
} as const satisfies Record<string, Load>;

export type LoadName = keyof typeof LOADS;
