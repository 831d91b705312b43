import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { type Affiliation, KEEPS_PORTAL, PORTAL_STATE } from '../../identity/affiliations/affiliations.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import { findPortalUrl } from '../../identity/branding/branding.ts';
import { hashSecret, isWellFormedSecret, newSecret } from '../../identity/credentials/secret.ts';
import { userWithAddress } from '../../identity/sign-in-links/sign-in-link.ts';
import type { PersonWriteCtx, PublicCtx, Services, WriteCtx } from '../../platform/call/context.ts';
import { inPersonTransaction } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import type {
  EmbedTokenRecord,
  EnterWithCode,
  NamedAffiliate,
  OwnKey,
  PortalEntry,
  PortalLinkRecord,
} from './portal-access.schema.ts';
import type { PortalAccessKind } from './portal-access.tables.ts';
import { affiliateOnFirstUse, assertAccess, HAS_SECOND_FACTOR } from './portal-affiliate.ts';

/** Number of seconds within which a link must be opened (docs/rules/portal.md#portal-links). */
const LINK_SECONDS = 60;
/** Number of seconds within which an emailed link must be opened. */
const MAILED_SECONDS = 15 * 60;
/** Digits of an emailed code, and how often one may be tried. */
const CODE_DIGITS = 8;
const CODE_TRIES = { max: 5, windowSeconds: MAILED_SECONDS };
/** Number of seconds for which the portal stays open. */
const OPEN_SECONDS: Record<PortalAccessKind, number> = {
  link: 12 * 3600,
  view: 3600,
  embed: 3600,
  mail: 12 * 3600,
  key: 365 * 24 * 3600,
};

/**
 * Creates a link with which a merchant's own application opens an affiliate's portal. The link works once, within a minute.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for an affiliate without access to the portal
 */
export async function createPortalLink(ctx: WriteCtx, { id }: { id: string }): Promise<PortalLinkRecord> {
  await assertAccess(ctx, id);
  return createAccess(ctx, id, 'link');
}

/**
 * Creates a link as `createPortalLink` does, for an affiliate named by email address or `external_id`. Creates the affiliate if necessary.
 *
 * @throws VALIDATION_ERROR, including for an affiliate without access to the portal
 */
export async function createPortalLinkByEmail(ctx: WriteCtx, input: NamedAffiliate): Promise<PortalLinkRecord> {
  return createAccess(ctx, await affiliateOnFirstUse(ctx, input), 'link');
}

/**
 * Creates a link with which a member can look at an affiliate's portal but change nothing. The audit log records who viewed it.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for an affiliate without access to the portal; FORBIDDEN unless the caller is a signed-in member
 */
export async function viewPortal(ctx: WriteCtx, { id }: { id: string }): Promise<PortalLinkRecord> {
  await assertAccess(ctx, id);
  if (ctx.principal.kind !== 'session') throw new DomainError('FORBIDDEN', PORTAL_REASONS.member_needed_to_view);
  return createAccess(ctx, id, 'view', ctx.principal.user_id);
}

/**
 * Creates a token that shows an affiliate's portal in a frame of the merchant's application for an hour.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for an affiliate without access to the portal
 */
export async function createEmbedToken(ctx: WriteCtx, { id }: { id: string }): Promise<EmbedTokenRecord> {
  await assertAccess(ctx, id);
  return storeEmbedToken(ctx, id);
}

/**
 * Creates a token as `createEmbedToken` does, for an affiliate named by email address or `external_id`. Creates the affiliate if necessary.
 *
 * @throws VALIDATION_ERROR, including for an affiliate without access to the portal
 */
export async function createEmbedTokenByEmail(ctx: WriteCtx, input: NamedAffiliate): Promise<EmbedTokenRecord> {
  return storeEmbedToken(ctx, await affiliateOnFirstUse(ctx, input));
}

function storeEmbedToken(ctx: WriteCtx, affiliateId: string): Promise<EmbedTokenRecord> {
  const entered_at = toInstant(ctx.services.clock.now());
  return storeAccess(ctx, affiliateId, 'embed', { entered_at, seconds: OPEN_SECONDS.embed });
}

interface OfAffiliate {
  tx: WriteCtx;
  affiliate: { id: string };
}

/** Creates the key with which a program of the affiliate reads the portal. A former key stops working. */
export async function createOwnKey({ tx, affiliate }: OfAffiliate): Promise<OwnKey> {
  await removeOwnKey({ tx, affiliate });
  const entered_at = toInstant(tx.services.clock.now());
  return storeAccess(tx, affiliate.id, 'key', { entered_at, seconds: OPEN_SECONDS.key });
}

/** Ends the affiliate's key, if there is one. */
export async function removeOwnKey({ tx, affiliate }: OfAffiliate): Promise<void> {
  await tx.db.deleteFrom('portal_access').where('affiliate_id', '=', affiliate.id).where('kind', '=', 'key').execute();
}

async function createAccess(
  ctx: WriteCtx,
  affiliateId: string,
  kind: 'link' | 'view',
  viewer_user_id: string | null = null,
): Promise<PortalLinkRecord> {
  const { token, expires_at } = await storeAccess(ctx, affiliateId, kind, { viewer_user_id, seconds: LINK_SECONDS });
  // Members view the portal at the service's own address, where they are signed in.
  const { publicUrl } = ctx.services;
  const portalUrl = kind === 'view' ? publicUrl : await findPortalUrl(ctx.db, publicUrl, ctx.accountId);
  return { url: `${portalUrl}/portal/enter#token=${token}`, expires_at };
}

/** Creates the token of a link that is emailed only to the affiliate. Opening the link proves the address, because only its owner has the email. */
export function createMailedLink(ctx: WriteCtx, { id, email }: { id: string; email: string }, seconds: number = MAILED_SECONDS) {
  return storeAccess(ctx, id, 'mail', { email, seconds });
}

/**
 * Creates a code that is emailed only to the affiliate, who enters it where `challenge` is known: in the frame that asked for it. Whoever knows only one of
 * them, e.g. the page around the frame, cannot enter.
 */
export async function createMailedCode(ctx: WriteCtx, { id, email }: { id: string; email: string }) {
  const challenge = newSecret('pat');
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const { expires_at } = await storeAccess(ctx, id, 'mail', {
    email,
    seconds: MAILED_SECONDS,
    token: tokenOf({ challenge, code }),
  });
  return { challenge, code, expires_at };
}

/** Returns the token of a mailed code. It does not have the form of a token, so it enters only where wrong codes are counted. */
function tokenOf({ challenge, code }: EnterWithCode): string {
  return `${challenge} ${code}`;
}

async function storeAccess(
  ctx: WriteCtx,
  affiliateId: string,
  kind: PortalAccessKind,
  {
    email = null,
    viewer_user_id = null,
    entered_at = null,
    seconds,
    token = newSecret('pat'),
  }: {
    email?: string | null;
    viewer_user_id?: string | null;
    entered_at?: Instant | null;
    seconds: number;
    token?: string;
  },
): Promise<{ token: string; expires_at: Instant }> {
  // The affiliate may be named by an address or by the merchant's own id.
  if (ctx.audited) ctx.audited.subject = affiliateId;
  // Not the time of the test clock, by which a link of test mode would work for as long as this clock is ahead.
  const now = toInstant(ctx.services.clock.now());
  const expires_at = plusMilliseconds(now, seconds * 1_000);
  await ctx.db
    .insertInto('portal_access')
    .values({
      id: newId('portal_access', ctx.services.clock.now()),
      account_id: ctx.accountId,
      affiliate_id: affiliateId,
      kind,
      email,
      viewer_user_id,
      token_hash: hashSecret(token),
      entered_at,
      expires_at,
      created_at: now,
    })
    .execute();
  return { token, expires_at };
}

/**
 * Opens the portal with a link, which then stops working. A portal host accepts only links of its own account, and none of the links with which
 * members view a portal.
 *
 * @throws NOT_FOUND for a link that is unknown, expired or used, or that was emailed to a former address; FORBIDDEN for an emailed link if the
 *   person has turned on a second factor since
 */
export async function enterPortal(ctx: PublicCtx, { token }: { token: string }): Promise<PortalEntry> {
  if (!isWellFormedSecret('pat', token)) throw unknownLink();
  return enter(ctx, token, PORTAL_REASONS.portal_link_invalid);
}

/**
 * Opens the portal with an emailed code, like `enterPortal` with an emailed link.
 *
 * @throws NOT_FOUND for a code that is wrong, expired or used; FORBIDDEN like `enterPortal`; RATE_LIMITED after too many wrong codes
 */
export async function enterWithCode(ctx: PublicCtx, input: EnterWithCode): Promise<PortalEntry> {
  await countAttempt(ctx.services, `portal code for ${input.challenge}`, CODE_TRIES);
  return enter(ctx, tokenOf(input), PORTAL_REASONS.portal_code_invalid);
}

async function enter({ services, hostAccountId }: PublicCtx, token: string, refusal: Reason): Promise<PortalEntry> {
  const now = toInstant(services.clock.now());
  const next = newSecret('pat');
  return inPersonTransaction(services, async (ctx) => {
    const { db } = ctx;
    const access = await db
      .updateTable('portal_access')
      .set({ token_hash: hashSecret(next), entered_at: now })
      .where('token_hash', '=', hashSecret(token))
      .where('entered_at', 'is', null)
      .where('expires_at', '>', now)
      .$if(hostAccountId !== undefined, (query) => query.where('account_id', '=', hostAccountId!).where('kind', '<>', 'view'))
      .returning(['id', 'account_id', 'affiliate_id', 'kind', 'email'])
      .executeTakeFirst();
    if (!access) throw new DomainError('NOT_FOUND', refusal);
    if (access.kind === 'mail') await bindUser(ctx, access);
    const expires_at = plusMilliseconds(now, OPEN_SECONDS[access.kind] * 1_000);
    await db.updateTable('portal_access').set({ expires_at }).where('id', '=', access.id).execute();
    return { token: next, account_id: access.account_id, expires_at };
  });
}

/**
 * Makes the person who received an emailed link the affiliate's user, unless the affiliate already has a user. From then on, this person gets the
 * emails to the affiliate.
 *
 * @throws NOT_FOUND when the affiliate no longer has the address that received the link; FORBIDDEN when the person has a second factor
 */
async function bindUser(
  ctx: PersonWriteCtx,
  { affiliate_id, email }: { affiliate_id: string; email: string | null },
): Promise<void> {
  const { db } = ctx;
  const affiliate = await db
    .selectFrom('affiliate')
    .select(['user_id', HAS_SECOND_FACTOR.as('has_second_factor')])
    .where('id', '=', affiliate_id)
    .where(sameText('email', email ?? ''))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!affiliate || email === null) throw unknownLink();
  if (affiliate.has_second_factor) throw new DomainError('FORBIDDEN', PORTAL_REASONS.second_factor_closes_links);
  if (affiliate.user_id !== null) return;
  const user_id = await userWithAddress(ctx, email);
  await db.updateTable('affiliate').set({ user_id }).where('id', '=', affiliate_id).execute();
}

function unknownLink(): DomainError {
  return new DomainError('NOT_FOUND', PORTAL_REASONS.portal_link_invalid);
}

/** An affiliate whose portal was opened with a token. */
export interface OpenPortal extends Pick<Affiliation, 'affiliate_id' | 'account_id' | 'state'> {
  kind: PortalAccessKind;
  entered_at: Instant;
}

/**
 * Finds the portal that a token has opened. Null for an unknown or expired token, and for an archived affiliate without commissions. An emailed link no longer counts
 * when the affiliate has another address or the person has a second factor. A member's link no longer counts when the person is not a member any
 * more.
 */
export async function findOpenPortal(db: Db, token: string, now: Instant): Promise<OpenPortal | null> {
  const found = await db
    .selectFrom('portal_access')
    .innerJoin('affiliate', 'affiliate.id', 'portal_access.affiliate_id')
    .select([
      'affiliate.id as affiliate_id',
      'affiliate.account_id',
      PORTAL_STATE.as('state'),
      'portal_access.kind',
      'portal_access.entered_at',
    ])
    .where('portal_access.token_hash', '=', hashSecret(token))
    .where('portal_access.entered_at', 'is not', null)
    .where('portal_access.expires_at', '>', now)
    .where(KEEPS_PORTAL)
    .where(
      sql<boolean>`(portal_access.kind <> 'mail' or (lower(portal_access.email) = lower(affiliate.email) and not ${HAS_SECOND_FACTOR}))`,
    )
    .where(
      sql<boolean>`(portal_access.viewer_user_id is null or exists (
        select from membership join account on membership.account_id = coalesce(account.test_of, account.id)
        where account.id = portal_access.account_id and membership.user_id = portal_access.viewer_user_id))`,
    )
    .executeTakeFirst();
  return (found as OpenPortal | undefined) ?? null;
}

/** Returns the origins of the sites that may show the portal of an account in a frame. Empty for an unknown account. */
export async function embedOrigins({ database }: Services, accountId: string): Promise<string[]> {
  const account = await database.kysely
    .selectFrom('account')
    .select('embed_origins')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.embed_origins ?? [];
}
