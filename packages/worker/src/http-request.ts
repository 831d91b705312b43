/**
 * One HTTP exchange with a webhook receiver (docs/rules/webhooks.md#deliveries): sends the given bytes and returns the response. The caller is
 * responsible for deliveries, signatures and retries.
 */
import { type AllowedNetworks, checkEndpointUrl, type ResolveHost } from '@affiliate/core';
import { type Dispatcher, errors } from 'undici';
import { type EndpointConnections, TlsHandshakeError } from './endpoint-connections.ts';

/** Maximum number of bytes of a response body that are stored (docs/rules/webhooks.md#deliveries). */
const MAX_EXCERPT_BYTES = 16 * 1024;

/**
 * Returns the beginning of a body as text. Stops reading at the limit and closes the connection, so that an endless body costs no more than
 * a short one. Never rejects: if the body breaks off, returns what has arrived.
 */
async function readExcerpt(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MAX_EXCERPT_BYTES) break;
    }
  } catch {
    // A body that breaks off is not an error. The status has been received, and only the status decides whether the attempt succeeded.
  }
  const bytes = Buffer.concat(chunks, Math.min(size, MAX_EXCERPT_BYTES));
  // With `stream`, the decoder omits a character that the limit cut in two.
  return storableText(new TextDecoder().decode(bytes, { stream: size > MAX_EXCERPT_BYTES }));
}

/** Replaces NUL, which PostgreSQL cannot store in text, with the replacement character. */
function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

/** Time limit of a whole exchange, from resolving the name to reading the last byte. */
const EXCHANGE_TIMEOUT_MS = 15_000;

/** Maximum number of interim responses (e.g. 103 Early Hints), because a receiver could send them endlessly. */
const MAX_INTERIM_RESPONSES = 8;

/** Error codes of a delivery (docs/rules/webhooks.md#deliveries). `connection_error` means refused, reset, or not HTTP. */
export type WebhookErrorCode =
  | 'private_uri'
  | 'invalid_uri'
  | 'timeout'
  | 'dns_error'
  | 'ssl_error'
  | 'connection_error'
  | `http_${number}`;

export interface WebhookPost {
  /** Id of the endpoint. Endpoints do not share connections. */
  endpointId: string;
  url: string;
  /** Headers that are sent as given, in addition to `host`, `connection` and `content-length`. */
  headers: Readonly<Record<string, string>>;
  /** Body, sent byte for byte as UTF-8. */
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
  /** Headers by lower-case name. Values of a repeated header are joined by commas. NUL characters are replaced. */
  headers: Record<string, string>;
  /** The first 16 KiB of the body, not decompressed, decoded as UTF-8. NUL characters and lone surrogates are replaced. */
  bodyExcerpt: string;
}

interface Outcome {
  /** Absent when no response was received. */
  response?: WebhookResponse;
  /** Absent if and only if a 2xx status was received. */
  errorCode?: WebhookErrorCode;
}

export interface WebhookExchange extends Outcome {
  startedAt: Date;
  durationMs: number;
  requestHeaders: Record<string, string>;
}

/**
 * Posts to a receiver. Faults of the receiver, its name server or its URL are returned as `errorCode`, not thrown.
 *
 * The host is resolved once, and the connection uses only the addresses that were checked. Redirects are not followed. Once the head of a
 * response is complete, its status decides whether the attempt succeeded. If the size limit, the time limit or the receiver then cuts off
 * the body, the excerpt holds what has arrived.
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

/** Returns the request headers as sent, including those that the HTTP client adds. Leaves out `connection`, which concerns one hop only. */
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

/**
 * Returns the error code for a failed request.
 *
 * @throws the error itself if our request was malformed, because the receiver did not cause it
 */
function failureCode(error: unknown): WebhookErrorCode {
  if (error instanceof errors.InvalidArgumentError) throw error;
  if (error instanceof DeadlineExceeded) return 'timeout';
  if (error instanceof TlsHandshakeError) return 'ssl_error';
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout';
  // With TLS 1.3, a receiver can refuse the client even after the handshake is complete on this side.
  if (code.startsWith('ERR_SSL_')) return 'ssl_error';
  return 'connection_error';
}

function storableHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, storableText([value ?? ''].flat().join(', '))] as const);
  return Object.fromEntries(entries);
}
