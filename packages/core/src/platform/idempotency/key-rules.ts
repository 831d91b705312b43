import { createHash } from 'node:crypto';
import { invalid } from '../errors/errors.ts';
import type { Reason } from '../texts/reason.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { type Instant, plusMilliseconds } from '../time/instant.ts';

const RETENTION_MS = 24 * 60 * 60 * 1000;

/** Throws VALIDATION_ERROR for a key that is empty, too long or not printable ASCII. */
export function validateIdempotencyKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid('Idempotency-Key', PLATFORM_REASONS.malformed_idempotency_key);
}

/** Hashes the request that a key stands for: the procedure and its input. The order of fields does not matter. */
export function requestFingerprint(procedure: string, input: unknown): string {
  return createHash('sha256')
    .update(`${procedure}\n${canonicalJson(input)}`)
    .digest('hex');
}

/**
 * Checks that a request equals the request that first used its key.
 *
 * @param path the input field that holds the key, for the error
 * @throws VALIDATION_ERROR (`idempotency_key_reused`) if the requests differ
 */
export function assertSameRequest(
  first: string,
  fingerprint: string,
  { path, message }: { path: string; message: Reason } = {
    path: 'Idempotency-Key',
    message: PLATFORM_REASONS.key_of_other_request,
  },
): void {
  if (first !== fingerprint) throw invalid(path, message, 'idempotency_key_reused');
}

/** Returns the expiry limit of keys. Keys that were first used at or before this instant have expired and are free again. */
export function idempotencyCutoff(now: Instant): Instant {
  return plusMilliseconds(now, -RETENTION_MS);
}

/** Returns the JSON text of a value that is the same for every order of its keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    child !== null && typeof child === 'object' && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}
