import { timingSafeEqual } from 'node:crypto';
import type { Principal, Services } from '../context.ts';
import { type Instant, toInstant } from '../db/instant.ts';
import { hashSecret, isWellFormedSecret } from './api-key.secret.ts';

/** How long a key that was found is trusted without looking again: a key revoked elsewhere works no longer than this. */
const TRUST_MS = 1_000;
const MAX_TRUSTED = 10_000;
/** `last_used_at` is exact to this. */
const LAST_USED_STEP_MS = 60_000;

interface KnownKey {
  principal: Extract<Principal, { kind: 'api_key' }>;
  hash: string;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
  checkedAt: number;
}

const known = new WeakMap<Services, Map<string, KnownKey>>();

/** Finds out who holds `secret`. Null for anything that is not a live key: malformed, unknown, expired and revoked look alike. */
export async function authenticateApiKey(
  services: Services,
  secret: string,
): Promise<Extract<Principal, { kind: 'api_key' }> | null> {
  if (!isWellFormedSecret('apk', secret)) return null;
  const hash = hashSecret(secret);
  const key = await lookUp(services, hash);
  if (!key || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash))) return null;
  const now = toInstant(services.clock.now());
  if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)) return null;
  await touch(services, key, now);
  return key.principal;
}

/** Makes this process look a key up again at its next use. */
export function forgetKey(services: Services, hash: string): void {
  known.get(services)?.delete(hash);
}

async function lookUp(services: Services, hash: string): Promise<KnownKey | null> {
  let keys = known.get(services);
  if (!keys) known.set(services, (keys = new Map()));
  const trusted = keys.get(hash);
  // The process's own clock, not the service's: this bounds a cache, it is no fact of the domain.
  if (trusted && performance.now() - trusted.checkedAt < TRUST_MS) return trusted;
  const row = await services.database.kysely
    .selectFrom('api_key')
    .select(['id', 'account_id', 'permissions', 'secret_hash', 'expires_at', 'revoked_at', 'last_used_at'])
    .where('secret_hash', '=', hash)
    .executeTakeFirst();
  keys.delete(hash);
  if (!row) return null;
  const principal = {
    kind: 'api_key' as const,
    id: row.id,
    account_id: row.account_id,
    permissions: row.permissions,
  };
  const key = { ...row, principal, hash: row.secret_hash, checkedAt: performance.now() };
  if (keys.size >= MAX_TRUSTED) keys.delete(keys.keys().next().value!);
  keys.set(hash, key);
  return key;
}

async function touch(services: Services, key: KnownKey, now: Instant): Promise<void> {
  if (key.last_used_at !== null && Date.parse(now) - Date.parse(key.last_used_at) < LAST_USED_STEP_MS) return;
  key.last_used_at = now;
  await services.database.kysely.updateTable('api_key').set({ last_used_at: now }).where('id', '=', key.principal.id).execute();
}
