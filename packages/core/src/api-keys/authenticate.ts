import { timingSafeEqual } from 'node:crypto';
import type { Principal, Services } from '../context.ts';
import { type Instant, toInstant } from '../db/instant.ts';
import { type SecretKind, hashSecret, isWellFormedSecret } from './api-key.secret.ts';

/** How long a credential that was found is trusted without looking again: one revoked elsewhere works no longer than this. */
const TRUST_MS = 1_000;
const MAX_TRUSTED = 10_000;
/** `last_used_at` is exact to this. */
const LAST_USED_STEP_MS = 60_000;

/** Each kind of secret, with the kind of principal that holds it, which is the name of its table too. */
const HOLDERS = { apk: 'api_key', mcp: 'connector' } as const satisfies Record<SecretKind, Principal['kind']>;

type Holder<Kind extends SecretKind> = Extract<Principal, { kind: (typeof HOLDERS)[Kind] }>;

interface KnownCredential {
  principal: Holder<SecretKind>;
  hash: string;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
  checkedAt: number;
}

const known = new WeakMap<Services, Map<string, KnownCredential>>();

/** Finds out which API key `secret` is. Null for anything that is not a live one: malformed, unknown, expired and revoked look alike. */
export function authenticateApiKey(services: Services, secret: string): Promise<Holder<'apk'> | null> {
  return authenticate(services, 'apk', secret);
}

/** The same for the token of a connector. */
export function authenticateConnector(services: Services, token: string): Promise<Holder<'mcp'> | null> {
  return authenticate(services, 'mcp', token);
}

async function authenticate<Kind extends SecretKind>(
  services: Services,
  kind: Kind,
  secret: string,
): Promise<Holder<Kind> | null> {
  if (!isWellFormedSecret(kind, secret)) return null;
  const hash = hashSecret(secret);
  const credential = await lookUp(services, kind, hash);
  if (!credential || !timingSafeEqual(Buffer.from(credential.hash), Buffer.from(hash))) return null;
  const now = toInstant(services.clock.now());
  if (credential.revoked_at !== null || (credential.expires_at !== null && credential.expires_at <= now)) return null;
  await touch(services, credential, now);
  return credential.principal as Holder<Kind>;
}

/** Makes this process look a credential up again at its next use. */
export function forgetCredential(services: Services, hash: string): void {
  known.get(services)?.delete(hash);
}

async function lookUp(services: Services, kind: SecretKind, hash: string): Promise<KnownCredential | null> {
  let credentials = known.get(services);
  if (!credentials) known.set(services, (credentials = new Map()));
  const trusted = credentials.get(hash);
  // The process's own clock, not the service's: this bounds a cache, it is no fact of the domain.
  if (trusted && performance.now() - trusted.checkedAt < TRUST_MS) return trusted;
  const row = await services.database.kysely
    .selectFrom(HOLDERS[kind])
    .select(['id', 'account_id', 'permissions', 'secret_hash', 'expires_at', 'revoked_at', 'last_used_at'])
    .where('secret_hash', '=', hash)
    .executeTakeFirst();
  credentials.delete(hash);
  if (!row) return null;
  const principal = { kind: HOLDERS[kind], id: row.id, account_id: row.account_id, permissions: row.permissions };
  const credential = { ...row, principal, hash: row.secret_hash, checkedAt: performance.now() };
  if (credentials.size >= MAX_TRUSTED) credentials.delete(credentials.keys().next().value!);
  credentials.set(hash, credential);
  return credential;
}

async function touch({ database }: Services, credential: KnownCredential, now: Instant): Promise<void> {
  if (credential.last_used_at !== null && Date.parse(now) - Date.parse(credential.last_used_at) < LAST_USED_STEP_MS) return;
  credential.last_used_at = now;
  const { kind, id } = credential.principal;
  await database.kysely.updateTable(kind).set({ last_used_at: now }).where('id', '=', id).execute();
}
