import { z } from 'zod';
import { email, instant } from '../../platform/wire/scalars.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { Brand, PORTAL_HOST_FAILURES } from '../../identity/branding/branding.ts';
import { createHmac, randomBytes } from 'node:crypto';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';

/** Labels of letters, digits and inner hyphens, separated by dots. The last label begins with a letter, so that an IP address does not match. */
const HOST_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** A host name without a port, in ASCII. International names are written in punycode. */
export const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .refine((name) => HOST_NAME.test(name), PORTAL_REASONS.host_name_form);

export const PortalHost = z
  .object({
    host: z.string(),
    verified_at: instant()
      .nullable()
      .describe('Time at which the host was verified. Null while it is not verified; the portal is not available there then.'),
    failure: z
      .enum(PORTAL_HOST_FAILURES)
      .nullable()
      .describe('Reason why the last check failed; null if it succeeded or has not run yet.'),
    failing_since: instant().nullable(),
    record: z
      .object({ name: z.string(), value: z.string() })
      .describe('TXT record to create in the DNS. It proves that the host name is yours.'),
  })
  .meta({ id: 'PortalHost', description: 'The merchant’s own host name for the portal.' });
export type PortalHost = z.infer<typeof PortalHost>;

export const CheckPortalHost = z.strictObject({}).optional();

export const GetPortalFront = z.strictObject({}).optional();
export const PortalFront = z.object({ account_name: z.string(), brand: Brand });
export type PortalFront = z.infer<typeof PortalFront>;

export const RequestPortalLink = z.strictObject({ email: email() });
export type RequestPortalLink = z.infer<typeof RequestPortalLink>;
export const RequestedPortalLink = z.object({ email: z.string() });

/** Path below which a check asks a host for its proof. */
export const PROOF_PATH = '/.well-known/affiliate-portal/';

/** Resolves the TXT records of a DNS name. Implemented outside the core, because the domain does no I/O of its own. */
export type ResolveTexts = (name: string) => Promise<readonly string[]>;

declare module '../../platform/call/context.ts' {
  interface Services {
    resolveTexts: ResolveTexts;
  }
}

/** Returns the TXT record by which the owner of a host name allows an account to use the host name. */
export function ownerRecord(host: string, accountId: string): { name: string; value: string } {
  return { name: `_affiliate-portal.${host}`, value: accountId };
}

/** Returns a map from verified host names to account ids (docs/rules/portal.md#portal-hosts). */
export async function findPortalHosts({ database }: Pick<Services, 'database'>): Promise<ReadonlyMap<string, string>> {
  const rows = await database.kysely
    .selectFrom('portal_host')
    .select(['host', 'account_id'])
    .where('verified_at', 'is not', null)
    .execute();
  return new Map(rows.map(({ host, account_id }) => [host, account_id]));
}

/**
 * Returns the proof that a request for `host` has reached this installation. Nobody else knows the key, so nobody else can compute the proof for
 * a nonce.
 */
export function proofOf({ secrets }: Pick<Services, 'secrets'>, host: string, nonce: string): string {
  return createHmac('sha256', secrets.derive('portal host')).update(`${host}\n${nonce}`).digest('hex');
}

export function newNonce(): string {
  return randomBytes(16).toString('hex');
}

/**
 * Limit on the checks that an account may request per hour, for all host names together. Each check sends a request to somebody else's server.
 */
const PER_ACCOUNT = { max: 30, windowSeconds: 3_600 };

/**
 * Counts a check that the account requests. Works outside the request's transaction, so the check is counted even if the request fails. Throws
 * RATE_LIMITED.
 */
export function countHostCheck({ services, accountId }: Pick<Ctx, 'services' | 'accountId'>): Promise<void> {
  return countAttempt(services, `portal host checks of ${accountId}`, PER_ACCOUNT);
}

/** Returns the portal host of the account with the result of its last check, or null if there is no host. */
export async function getPortalHost({ db, accountId }: Ctx): Promise<PortalHost | null> {
  const row = await db
    .selectFrom('portal_host')
    .select(['host', 'verified_at', 'failure', 'failing_since'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ? { ...row, record: ownerRecord(row.host, accountId) } : null;
}

/**
 * Sets the account's portal host, or removes it if `host` is null. A former host stops serving the portal at once. A new host serves it as soon
 * as a worker has verified the host. Does nothing if the host is unchanged.
 *
 * @throws VALIDATION_ERROR for the service's own host name and its subdomains
 */
export async function setPortalHost(ctx: WriteCtx, host: string | null): Promise<void> {
  const { hostname } = new URL(ctx.services.publicUrl);
  if (host === hostname || host?.endsWith(`.${hostname}`))
    throw invalid('portal_host', PORTAL_REASONS.host_name_of_service, 'reserved');
  const present = await getPortalHost(ctx);
  if (host === (present?.host ?? null)) return;
  await ctx.db.deleteFrom('portal_host').where('account_id', '=', ctx.accountId).execute();
  if (host === null) return;
  await ctx.db
    .insertInto('portal_host')
    .values({
      account_id: ctx.accountId,
      host,
      verified_at: null,
      failure: null,
      failing_since: null,
      check_at: toInstant(ctx.services.clock.now()),
      created_at: ctx.now,
    })
    .execute();
  ctx.afterCommit(() => ctx.services.jobs.send('portal_hosts'));
}

/** Makes the host's next check due now. Throws NOT_FOUND if there is no host. */
export async function requestCheck(ctx: WriteCtx): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('portal_host')
    .set({ check_at: toInstant(ctx.services.clock.now()) })
    .where('account_id', '=', ctx.accountId)
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) throw notFound('portal host');
  ctx.afterCommit(() => ctx.services.jobs.send('portal_hosts'));
}
