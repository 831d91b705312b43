/**
 * One HTTP exchange with a webhook receiver (docs/domain-rules.md#deliveries). Knows nothing of deliveries,
 * signatures or retries: it sends the given bytes and tells what came back.
 */
import { type AllowedNetworks, checkEndpointUrl, type ResolveHost } from '@affiliate/core';
import { type Dispatcher, errors } from 'undici';
import { type EndpointConnections, TlsHandshakeError } from './endpoint-connections.ts';
import { readExcerpt, storableText } from './response-excerpt.ts';

/** Limit of a whole exchange, from the look-up of the name to the last byte read. */
const EXCHANGE_TIMEOUT_MS = 15_000;

/** A receiver may announce a few interim responses (103 Early Hints); a stream of them is no answer. */
const MAX_INTERIM_RESPONSES = 8;

/** Error codes of a delivery (docs/domain-rules.md#deliveries). `connection_error`: refused, reset, or no HTTP spoken. */
export type WebhookErrorCode =
  | 'private_uri'
  | 'invalid_uri'
  | 'timeout'
  | 'dns_error'
  | 'ssl_error'
  | 'connection_error'
  | `http_${number}`;

export interface WebhookPost {
  /** Connections are kept per endpoint: whatever tells this one from all others. */
  endpointId: string;
  url: string;
  /** Sent as given; `host`, `connection` and `content-length` are added. */
  headers: Readonly<Record<string, string>>;
  /** Sent byte for byte, as UTF-8. */
  body: string;
}

export interface WebhookTransport {
  connections: EndpointConnections;
  resolve: ResolveHost;
  allowed: AllowedNetworks;
  exchangeTimeoutMs?: number;
}

export interface WebhookResponse {
  status: number;
  /** By lower-case name; the values of a repeated one are joined by commas. Holds no NUL. */
  headers: Record<string, string>;
  /** The first 16 KiB of the body as it came, never decompressed, read as UTF-8. Holds no NUL and no lone surrogate. */
  bodyExcerpt: string;
}

interface Outcome {
  /** Absent when the request failed before a response. */
  response?: WebhookResponse;
  /** Absent when, and only when, a 2xx status was received. */
  errorCode?: WebhookErrorCode;
}

export interface WebhookExchange extends Outcome {
  startedAt: Date;
  durationMs: number;
  requestHeaders: Record<string, string>;
}

/**
 * Posts to a receiver. Whatever the receiver, its name server or its URL does is an `errorCode`, never a rejection.
 *
 * The host is resolved once, and the connection goes to the addresses that were checked. Redirects are not followed. A response
 * counts from the end of its head on: when its body is then cut off, by the size limit, the deadline or the receiver, the status still
 * decides, and the excerpt is what had come until then.
 */
export async function postWebhook(post: WebhookPost, transport: WebhookTransport): Promise<WebhookExchange> {
  const startedAt = new Date();
  const start = performance.now();
  const body = Buffer.from(post.body);

  const cancellation = new AbortController();
  const deadline = setTimeout(
    () => cancellation.abort(new DeadlineExceeded()),
    transport.exchangeTimeoutMs ?? EXCHANGE_TIMEOUT_MS,
  );
  try {
    const outcome = await exchange(post, body, transport, cancellation);
    const durationMs = Math.round(performance.now() - start);
    return { ...outcome, startedAt, durationMs, requestHeaders: headersAsSent(post, body) };
  } finally {
    clearTimeout(deadline);
  }
}

async function exchange(
  { endpointId, url, headers }: WebhookPost,
  body: Buffer,
  transport: WebhookTransport,
  cancellation: AbortController,
): Promise<Outcome> {
  const { signal } = cancellation;
  const target = await Promise.race([checkEndpointUrl(url, transport), timeoutWhenAborted(signal)]);
  if (!target.ok) return { errorCode: target.code };

  const { pathname, search } = target.url;
  const pool = transport.connections.poolFor(endpointId, target.url, target.addresses);
  let received: Dispatcher.ResponseData;
  try {
    received = await pool.request({
      method: 'POST',
      path: pathname + search,
      headers,
      body,
      signal,
      onInfo: interimResponseLimit(cancellation),
    });
  } catch (error) {
    return { errorCode: failureCode(error) };
  }

  const status = received.statusCode;
  const response = { status, headers: storableHeaders(received.headers), bodyExcerpt: await readExcerpt(received.body) };
  return status >= 200 && status < 300 ? { response } : { response, errorCode: `http_${status}` };
}

/** What the HTTP client adds is told here, too, but for `connection`, which concerns one hop only. */
function headersAsSent({ url, headers }: WebhookPost, body: Buffer): Record<string, string> {
  const host = URL.parse(url)?.host;
  return { ...(host && { host }), ...headers, 'content-length': String(body.byteLength) };
}

class DeadlineExceeded extends Error {}

function timeoutWhenAborted(signal: AbortSignal): Promise<{ ok: false; code: 'timeout' }> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ ok: false, code: 'timeout' }), { once: true });
  });
}

function interimResponseLimit(cancellation: AbortController): () => void {
  let seen = 0;
  return () => {
    seen += 1;
    if (seen > MAX_INTERIM_RESPONSES) cancellation.abort(new Error('Too many interim responses'));
  };
}

/** @throws the error itself when it is not the receiver's doing but a malformed request of ours. */
function failureCode(error: unknown): WebhookErrorCode {
  if (error instanceof errors.InvalidArgumentError) throw error;
  if (error instanceof DeadlineExceeded) return 'timeout';
  if (error instanceof TlsHandshakeError) return 'ssl_error';
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout';
  // TLS 1.3 lets the receiver refuse the client after the handshake is over on this side.
  if (code.startsWith('ERR_SSL_')) return 'ssl_error';
  return 'connection_error';
}

function storableHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, storableText([value ?? ''].flat().join(', '))] as const);
  return Object.fromEntries(entries);
}
