import { createHash } from 'node:crypto';
import { tryAdvisoryLock } from '../call/advisory-lock.ts';
import type { Ctx } from '../call/context.ts';
import { type Instant, plusMilliseconds } from '../time/instant.ts';
import { ApiError, invalid } from '../errors/errors.ts';
import { callerId } from '../call/caller.ts';

/** How long a key's response can be had again (docs/domain-rules.md#idempotency). */
const KEPT_MS = 24 * 60 * 60 * 1000;

export interface StoredResponse {
  status: number;
  body: unknown;
}

/** Refuses keys that are empty, too long or not printable ASCII. */
export function checkIdempotencyKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid('Idempotency-Key', 'Must be 1 to 255 printable ASCII characters');
}

/** The payload that a key stands for: the procedure and its input, whatever the order of fields. */
export function requestFingerprint(procedure: string, input: unknown): string {
  return createHash('sha256')
    .update(`${procedure}\n${canonicalJson(input)}`)
    .digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    child !== null && typeof child === 'object' && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}

/**
 * Claims `key`, one of this caller's own (a response may show a secret that no other caller should see), for this transaction, which must also do the work: what the request did and the memory of its response commit
 * together or not at all, so that a process may die on any line.
 *
 * @returns the stored response of an earlier request with this key, or null when this one is the first
 * @throws OPERATION_PENDING (409) while another request with this key runs; VALIDATION_ERROR when the key stands for another payload
 */
export async function claimIdempotencyKey(
  { db, accountId, principal, now, services }: Ctx,
  key: string,
  fingerprint: string,
): Promise<StoredResponse | null> {
  if (!(await tryAdvisoryLock({ db, accountId }, `idempotency key ${callerId(principal)} ${key}`)))
    throw new ApiError('OPERATION_PENDING', 'A request with this Idempotency-Key is still running.');
  const stored = await db
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'status', 'sealed_body'])
    .where('account_id', '=', accountId)
    .where('caller_id', '=', callerId(principal))
    .where('key', '=', key)
    .where('created_at', '>', plusMilliseconds(now, -KEPT_MS))
    .executeTakeFirst();
  if (!stored) return null;
  if (stored.fingerprint !== fingerprint)
    throw invalid('Idempotency-Key', 'This key was used with another request', 'idempotency_key_reused');
  return { status: stored.status, body: JSON.parse(services.secrets.open(stored.sealed_body)) };
}

/** Remembers the response under a claimed key, in the same transaction. */
export async function storeResponse(
  { db, accountId, principal, now, services }: Ctx,
  key: string,
  fingerprint: string,
  response: StoredResponse,
): Promise<void> {
  const row = {
    account_id: accountId,
    caller_id: callerId(principal),
    key,
    fingerprint,
    status: response.status,
    sealed_body: services.secrets.seal(JSON.stringify(response.body ?? null)),
    created_at: now,
  };
  await db
    .insertInto('idempotency_key')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'caller_id', 'key']).doUpdateSet(row))
    .execute();
}

/** Deletes expired keys. Returns how many. */
export async function purgeIdempotencyKeys(db: Ctx['db'], now: Instant): Promise<number> {
  const result = await db
    .deleteFrom('idempotency_key')
    .where('created_at', '<=', plusMilliseconds(now, -KEPT_MS))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
