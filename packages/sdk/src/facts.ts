import { bodyOf } from './connection.ts';
import type { Fact, FactsDelivery, FactsReceipt } from './generated/types.ts';
import { type RetryOptions, DEFAULT_RETRIES, retryingFetch } from './retrying-fetch.ts';

/** The connection of a server that signs facts, as `POST /api/settings/v1/connections` with `source: facts` returns it. */
export interface FactsConnection {
  /** `events_url` of the connection. */
  url: string;
  /** `signing_secret` of the connection (`whsec_…`). */
  secret: string;
}

export interface SendOptions extends RetryOptions {
  /** True to check the facts only. */
  dryRun?: boolean;
  /** ID of the delivery, without a dot. Default: a random one. */
  id?: string;
}

/** A fact as it is sent: fields with a default may be left out. */
export type SentFact = Extract<FactsDelivery, { type: string }> | Fact;

/**
 * Signs a fact, or up to 100 facts, and sends them. Send a fact again, with a higher `version`, whenever something changes.
 *
 * @throws ApiError
 */
export async function send(
  { url, secret }: FactsConnection,
  facts: SentFact | readonly SentFact[],
  { dryRun = false, id = `msg_${globalThis.crypto.randomUUID()}`, retries = DEFAULT_RETRIES, timeoutMs }: SendOptions = {},
): Promise<FactsReceipt> {
  const told: object = Array.isArray(facts) ? { facts } : facts;
  const body = JSON.stringify({ ...told, ...(dryRun && { dry_run: true }) });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    // The same content takes effect once, so that it may be sent again.
    'Idempotency-Key': id,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': await signature(`${id}.${timestamp}.${body}`, secret),
  };
  const options = { retries, ...(timeoutMs !== undefined && { timeoutMs }) };
  return bodyOf(retryingFetch(options)(url, { method: 'POST', headers, body }));
}

async function signature(content: string, secret: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0));
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signed = new Uint8Array(await subtle.sign('HMAC', key, new TextEncoder().encode(content)));
  return `v1,${btoa(String.fromCharCode(...signed))}`;
}
