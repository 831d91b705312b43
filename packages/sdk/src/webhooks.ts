import type { WebhookEvent } from './generated/types.ts';

/** Headers of a request, as `fetch`, Node or a framework passes them. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A webhook request that is not from the service, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const DEFAULT_TOLERANCE_SECONDS = 300;

export interface VerifyOptions {
  /** Largest difference between the time of the request and this machine's clock. Default: 300. */
  toleranceSeconds?: number;
}

/**
 * Verifies a webhook request and returns its event.
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
  const [id, timestamp, signatures] = ['hook-id', 'hook-timestamp', 'hook-signature'].map((name) => headerOf(headers, name));
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The headers of the signature are missing.');
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The request is too old, or this clock is wrong.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + bytes.length);
  content.set(head);
  content.set(bytes, head.length);
  if (!(await isSigned(content, signatures, secret))) throw new WebhookVerificationError('The signature does not match.');
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

/** True if one of the signatures is that of the content. There are two for a day after the secret was rotated. */
async function isSigned(content: Uint8Array<ArrayBuffer>, signatures: string, secret: string): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
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
