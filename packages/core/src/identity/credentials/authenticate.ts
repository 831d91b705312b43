import { timingSafeEqual } from 'node:crypto';
import type { Principal, Services } from '../../platform/call/context.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { resourceOf } from './assistant-resource.ts';
import { lacksSecondFactor, secondFactorRequired } from './required-second-factor.ts';
import { type SecretKind, hashSecret, isWellFormedSecret } from './secret.ts';

/** Lifetime of a cached credential. A credential that another process revoked still works for at most this long. */
const TRUST_MS = 1_000;
const MAX_TRUSTED = 10_000;
/** Precision of `last_used_at`. */
const LAST_USED_STEP_MS = 60_000;

/** Maps each kind of secret to the kind of principal that holds it, which is also the name of the principal's table. */
const PRINCIPAL_KINDS = { apk: 'api_key', mcp: 'connector', mca: 'connector' } as const satisfies Partial<
  Record<SecretKind, Principal['kind']>
>;

type CallerSecret = keyof typeof PRINCIPAL_KINDS;
type PrincipalOf<Kind extends CallerSecret> = Extract<Principal, { kind: (typeof PRINCIPAL_KINDS)[Kind] }>;

interface KnownCredential {
  principal: PrincipalOf<CallerSecret>;
  hash: string;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
  /** Set for a connector that a person authorized. True while that person may not use the account because they lack a required second factor. */
  lacks_second_factor?: boolean;
  checkedAt: number;
}

const known = new WeakMap<Services, Map<string, KnownCredential>>();

/** Finds the API key with a secret. Null if the secret is malformed or unknown, or the key is expired or revoked. */
export async function authenticateApiKey(services: Services, secret: string): Promise<PrincipalOf<'apk'> | null> {
  const credential = await authenticate(services, 'apk', secret);
  return (credential?.principal as PrincipalOf<'apk'> | undefined) ?? null;
}

/**
 * Finds the connector with a token: its own token, or an access token issued over OAuth. Null if the token is malformed, unknown or expired, or
 * the connector is revoked.
 *
 * @throws SECOND_FACTOR_REQUIRED for the connector of a member who lacks a required second factor (docs/rules/identity.md#required-second-factor)
 */
export async function authenticateConnector(services: Services, token: string): Promise<PrincipalOf<'mcp'> | null> {
  const credential = (await authenticate(services, 'mcp', token)) ?? (await authenticate(services, 'mca', token));
  if (credential?.lacks_second_factor) {
    // Evicted, so that the next call reads the database and succeeds as soon as the member has a second factor.
    evictCredentials(services, credential.principal.id);
    throw secondFactorRequired();
  }
  return (credential?.principal as PrincipalOf<'mcp'> | undefined) ?? null;
}

/**
 * Finds the connector of a live access token, even if the member who connected the assistant lacks a required second factor. Null if the token is
 * not live.
 */
export async function findConnectorOfAccessToken(services: Services, token: string): Promise<PrincipalOf<'mca'> | null> {
  const credential = await authenticate(services, 'mca', token);
  return (credential?.principal as PrincipalOf<'mca'> | undefined) ?? null;
}

async function authenticate(services: Services, kind: CallerSecret, secret: string): Promise<KnownCredential | null> {
  if (!isWellFormedSecret(kind, secret)) return null;
  const hash = hashSecret(secret);
  const credential = await lookUp(services, kind, hash);
  if (!credential || !timingSafeEqual(Buffer.from(credential.hash), Buffer.from(hash))) return null;
  const now = services.clock.now();
  if (credential.revoked_at !== null || (credential.expires_at !== null && credential.expires_at <= toInstant(now))) return null;
  await touch(services, credential, now);
  return credential;
}

/** Removes a caller's credentials from this process's cache, so that their next use reads the database. */
export function evictCredentials(services: Services, callerId: string): void {
  const credentials = known.get(services) ?? new Map<string, KnownCredential>();
  for (const [hash, { principal }] of credentials) if (principal.id === callerId) credentials.delete(hash);
}

async function lookUp(services: Services, kind: CallerSecret, hash: string): Promise<KnownCredential | null> {
  let credentials = known.get(services);
  if (!credentials) known.set(services, (credentials = new Map()));
  const trusted = credentials.get(hash);
  // Measured by the process's own clock instead of the service's, because the age of a cache entry is not a fact of the domain.
  if (trusted && performance.now() - trusted.checkedAt < TRUST_MS) return trusted;
  const row = await FINDERS[kind](services, hash);
  credentials.delete(hash);
  if (!row) return null;
  const { id, account_id, permissions, expires_at } = row;
  const caller = { id, account_id, permissions, expires_at };
  const principal: KnownCredential['principal'] =
    'daily_pay_limits' in row
      ? {
          kind: 'connector',
          ...caller,
          consented: kind === 'mca',
          livemode: row.live_only || null,
          daily_pay_limits: row.daily_pay_limits,
        }
      : { kind: 'api_key', ...caller, livemode: 'livemode' in row ? row.livemode : null };
  const credential = { ...row, principal, hash: row.secret_hash ?? '', checkedAt: performance.now() };
  if (credentials.size >= MAX_TRUSTED) credentials.delete(credentials.keys().next().value!);
  credentials.set(hash, credential);
  return credential;
}

const FINDERS = { apk: findApiKey, mcp: findConnector, mca: findAccessToken };

function findApiKey({ database }: Services, hash: string) {
  return database.kysely
    .selectFrom('api_key')
    .select(['id', 'account_id', 'permissions', 'livemode', 'secret_hash', 'expires_at', 'revoked_at', 'last_used_at'])
    .where('secret_hash', '=', hash)
    .executeTakeFirst();
}

function findConnector({ database }: Services, hash: string) {
  return database.kysely
    .selectFrom('connector')
    .select(['id', 'account_id', 'permissions', 'daily_pay_limits', 'live_only'])
    .select(['secret_hash', 'expires_at', 'revoked_at', 'last_used_at'])
    .where('secret_hash', '=', hash)
    .executeTakeFirst();
}

/** Finds an access token that was issued for this service's MCP server, with the connector that the token acts as. */
async function findAccessToken(services: Services, hash: string) {
  const row = await services.database.kysely
    .selectFrom('oauth_access_token')
    .innerJoin('connector', 'connector.id', 'oauth_access_token.reference_id')
    .innerJoin('account', 'account.id', 'connector.account_id')
    .leftJoin('auth_user', 'auth_user.id', 'connector.authorized_by_user_id')
    .select([
      'connector.id',
      'connector.account_id',
      'connector.permissions',
      'connector.daily_pay_limits',
      'connector.live_only',
    ])
    .select(['connector.revoked_at', 'connector.last_used_at'])
    .select(['oauth_access_token.token as secret_hash', 'oauth_access_token.expires_at', 'oauth_access_token.resources'])
    .select(lacksSecondFactor(toInstant(services.clock.now())).as('lacks_second_factor'))
    .where('oauth_access_token.token', '=', hash)
    .where('oauth_access_token.revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const audience = JSON.parse(row.resources ?? '[]') as string[];
  return audience.includes(resourceOf(services)) ? row : undefined;
}

async function touch({ database }: Services, credential: KnownCredential, now: Date): Promise<void> {
  if (credential.last_used_at !== null && now.getTime() - Date.parse(credential.last_used_at) < LAST_USED_STEP_MS) return;
  credential.last_used_at = toInstant(now);
  const { kind, id } = credential.principal;
  await database.kysely.updateTable(kind).set({ last_used_at: credential.last_used_at }).where('id', '=', id).execute();
}
