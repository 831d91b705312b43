import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { KEEPS_PORTAL } from '../../identity/affiliations/affiliations.ts';
import { LANGUAGE_OF_AFFILIATE } from '../../identity/affiliations/mail-language.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import { noteLinkRequest, takeLinkRequests } from '../../identity/auth-library/mailed-links.ts';
import { Brand, BRAND_NAME, brandOf, loadLetterhead } from '../../identity/branding/branding.ts';
import { clientNetwork } from '../../identity/sessions/client-network.ts';
import { turnOfLink, turnOfNetwork } from '../../identity/sign-in-links/link-turn.ts';
import type { Ctx, PublicCtx, Services, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import { jobOf, type Purpose } from '../../platform/mail/mailer.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { email, instant } from '../../platform/wire/scalars.ts';
import { createMailedLink } from '../entry/portal-access.ts';
import { HAS_SECOND_FACTOR } from '../entry/portal-affiliate.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';
import { PORTAL_REASONS } from '../reasons.ts';

/**
 * Reasons why the check of a portal host fails. `unreachable`: the host or its DNS records could not be read. `refused`: the host has a private
 * address. `wrong_answer`: another server answers. `no_record`: no TXT record of the host names the account. `taken`: the portal of another
 * account uses the host.
 */
const PORTAL_HOST_FAILURES = ['unreachable', 'refused', 'wrong_answer', 'no_record', 'taken'] as const;
export type PortalHostFailure = (typeof PORTAL_HOST_FAILURES)[number];

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** The merchant's own host name for the portal of an account. A host name is verified for at most one account. */
    portal_host: {
      account_id: string;
      host: string;
      verified_at: Instant | null;
      failure: PortalHostFailure | null;
      /** Time of the first failed check since the last successful one. Null after a successful check. */
      failing_since: Instant | null;
      check_at: Instant;
      created_at: Instant;
    };
  }
}

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

const PORTAL_LINK = { kind: 'portal_link', priority: 'urgent', accountId: null } as const satisfies Purpose;
const PER_NETWORK = { max: 20, windowSeconds: 3_600 };
const PER_EMAIL = { max: 5, windowSeconds: 3_600 };

/** Returns the brand that a portal host shows before anybody has signed in. Throws NOT_FOUND on the service's own host. */
export async function getPortalFront({ services, hostAccountId }: PublicCtx): Promise<PortalFront> {
  const account = await services.database.kysely
    .selectFrom('account')
    .select(['id as account_id', BRAND_NAME.as('account_name'), 'brand_color', 'logo_hash', 'support_email'])
    .where('id', '=', hostOf({ hostAccountId }))
    .executeTakeFirst();
  if (!account) throw notFound('portal');
  return { account_name: account.account_name, brand: brandOf(account) };
}

/**
 * Emails a link that opens the portal, if the address belongs to an affiliate of this host's account. The email is written after the response, so
 * that neither the response nor its duration reveals who is an affiliate.
 *
 * @throws NOT_FOUND on the service's own host; RATE_LIMITED
 */
export async function requestPortalLink(
  { services, clientAddress, hostAccountId }: PublicCtx,
  { email }: RequestPortalLink,
): Promise<{ email: string }> {
  const accountId = hostOf({ hostAccountId });
  const network = clientNetwork(clientAddress ?? 'unknown');
  await countAttempt(services, `portal link from ${network}`, PER_NETWORK);
  await countAttempt(services, `portal link of ${accountId} to ${email.toLowerCase()}`, PER_EMAIL);
  await noteLinkRequest(services, { kind: 'portal', email, portal_account_id: accountId, network: turnOfNetwork(network) });
  return { email };
}

/** Handles every waiting request for a portal link. */
export function mailRequestedPortalLinks(services: Services): Promise<void> {
  return takeLinkRequests(services, ['portal'], ({ email, portal_account_id, network }) =>
    mailPortalLink(services, {
      accountId: portal_account_id!,
      email,
      network,
      requestId: newId('password_reset_request', services.clock.now()),
    }),
  );
}

/**
 * Sends an email to the affiliate with the given address. Its link opens the portal, and works once, within 15 minutes. An affiliate with a second
 * factor gets a link to the sign-in page instead, which asks for the code. Does nothing if no affiliate has the address.
 */
export async function mailPortalLink(
  services: Services,
  { accountId, email, network, requestId }: { accountId: string; email: string; network: string | null; requestId: string },
): Promise<void> {
  await inTransaction(systemContext(services, accountId, requestId), async (ctx) => {
    const affiliate = await ctx.db
      .selectFrom('affiliate')
      .select(['id', 'email', HAS_SECOND_FACTOR.as('has_second_factor'), LANGUAGE_OF_AFFILIATE.as('language')])
      .where('account_id', '=', accountId)
      .where(KEEPS_PORTAL)
      .where(sameText('email', email))
      .orderBy(sql`affiliate.archived_at is not null`)
      .executeTakeFirst();
    if (!affiliate) return;
    const letterhead = await loadLetterhead(ctx.db, services.publicUrl, accountId);
    const { email: to, language } = affiliate;
    const [of, values] = [{ to, language, letterhead }, { account: letterhead.name }];
    const purpose = { ...PORTAL_LINK, turn: await turnOfLink(ctx.db, { email: to, network, accountId }) };
    if (affiliate.has_second_factor) {
      // At the service's own address, because a portal host cannot ask for the code.
      const mail = composeTexts(of, PORTAL_MAILS.portalSignIn, `${services.publicUrl}/sign-in?to=portal`, values);
      return enqueueMail(services, ctx.db, purpose, mail, plusDays(ctx.now, 1));
    }
    const { token, expires_at } = await createMailedLink(ctx, affiliate);
    const mail = composeTexts(of, PORTAL_MAILS.portalLink, `${letterhead.portalUrl}/portal/link#token=${token}`, values);
    await enqueueMail(services, ctx.db, purpose, mail, expires_at);
  });
  services.jobs.send(jobOf(PORTAL_LINK));
}

function hostOf({ hostAccountId }: Pick<PublicCtx, 'hostAccountId'>): string {
  if (hostAccountId === undefined) throw notFound('portal host');
  return hostAccountId;
}
