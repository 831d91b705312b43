import type { WebhookEvent } from './generated/types.ts';

/** Headers of a request, as `fetch`, Node or a framework passes them. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A webhook request that is not from the service, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const DEFAULT_TOLERANCE_SECONDS = 300;

type Key = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

export interface VerifyOptions {
  /** Largest difference between the time of the request and this machine's clock. Default: 300. */
  toleranceSeconds?: number;
  /** Largest body that the handlers of frameworks read. A larger one is answered with 413. Default: 10 MiB. */
  maxBytes?: number;
}

/**
 * Verifies a webhook request and returns its event. The headers `hook-*` suffice, and so do those of Standard Webhooks, `webhook-*`.
 *
 * @param body the raw body, before any parser
 * @param secret signing secret of the endpoint (`whsec_…`)
 * @throws WebhookVerificationError
 */
export async function verify(
  body: string | Uint8Array,
  headers: RequestHeaders,
  secret: string,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const prefix = headerOf(headers, 'hook-signature') === undefined ? 'webhook' : 'hook';
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, `${prefix}-${name}`));
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The headers of the signature are missing.');
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The request is too old, or this clock is wrong.');
  const key = await keyOf(secret, prefix);
  if (key === null) throw new WebhookVerificationError('The secret is not one of a webhook endpoint (`whsec_…`).');
  const content = signedContent(id, timestamp, body);
  if (!(await isSigned(content, signatures, key))) throw new WebhookVerificationError('The signature does not match.');
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as WebhookEvent;
}

/**
 * Returns the headers with which the service would send a body, for tests of a receiver.
 *
 * @param secret signing secret of the endpoint (`whsec_…`)
 * @param options.id id of the delivery
 */
export async function sign(
  body: string | Uint8Array,
  secret: string,
  { id = `dlv_${globalThis.crypto.randomUUID()}`, at = new Date() }: { id?: string; at?: Date } = {},
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  for (const prefix of ['hook', 'webhook'] as const) {
    const key = await keyOf(secret, prefix);
    if (key === null) continue;
    const bytes = await globalThis.crypto.subtle.sign('HMAC', key, signedContent(id, timestamp, body));
    const signature = `v1,${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
    Object.assign(headers, { [`${prefix}-id`]: id, [`${prefix}-timestamp`]: timestamp, [`${prefix}-signature`]: signature });
  }
  return headers;
}

function signedContent(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + bytes.length);
  content.set(head);
  content.set(bytes, head.length);
  return content;
}

/**
 * Returns the key of a signature: the text of the secret for `hook-*`, and the bytes that the text encodes for `webhook-*`. Null if it encodes none, as a
 * secret that was made up for a test may.
 */
async function keyOf(secret: string, prefix: 'hook' | 'webhook'): Promise<Key | null> {
  const encoded = secret
    .replace(/^whsec_/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const bytes = prefix === 'hook' ? new TextEncoder().encode(secret) : bytesOf(encoded);
  if (bytes === null || bytes.length === 0) return null;
  return globalThis.crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** True if one of the signatures is that of the content. There are two for a day after the secret was rotated. */
async function isSigned(content: Uint8Array<ArrayBuffer>, signatures: string, key: Key): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  for (const signature of signatures.split(' ')) {
    const [version, text] = signature.split(',');
    const expected = version === 'v1' && text !== undefined ? bytesOf(text) : null;
    // Compares in constant time.
    if (expected && (await subtle.verify('HMAC', key, expected, content))) return true;
  }
  return false;
}

/** Returns the bytes of a text in Base64, or null if the text is something else. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers as Record<string, string | readonly string[] | undefined>).find(
    ([each]) => each.toLowerCase() === name,
  );
  return entry?.[1]?.toString();
}

/** A body that is larger than the limit. */
export class WebhookTooLargeError extends Error {
  override readonly name = 'WebhookTooLargeError';
}

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;

/**
 * Reads a body, and no more of it than the limit.
 *
 * @param length the header `Content-Length`, if there is one
 * @throws WebhookTooLargeError
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  length: string | null | undefined,
  { maxBytes = DEFAULT_MAX_BYTES }: VerifyOptions = {},
): Promise<Uint8Array> {
  const tooLarge = () => new WebhookTooLargeError(`The body has more than ${maxBytes} bytes.`);
  if (Number(length ?? 0) > maxBytes) throw tooLarge();
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    parts.push(chunk);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return body;
}
