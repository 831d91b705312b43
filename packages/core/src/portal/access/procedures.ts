import { asParty } from '@affiliate/postgres';
import type { z } from 'zod';
import { affiliationIn } from '../../identity/affiliations/affiliations.ts';
import { assertFreshSession, FRESH_MINUTES, signInAgain } from '../../identity/sessions/session.ts';
import { isServedHere } from '../../platform/call/caller.ts';
import type { CallContext, Ctx, Services, SignedIn } from '../../platform/call/context.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { PLATFORM_REASONS } from '../../platform/texts/reasons.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { anyone, inOneTransaction, type MiddlewareResult } from '../../platform/trpc/trpc.ts';
import { downloadUrl } from '../downloads/download-url.ts';
import { findOpenPortal, type OpenPortal } from '../entry/portal-access.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { type AffiliateCtx, type AffiliateWriteCtx, ownRowsOf, type PortalAffiliate } from './affiliate-context.ts';

/**
 * Declares a query for affiliates. The caller is a signed-in affiliate of the account that the request names, or has a token that opens an
 * affiliate's portal. The context gives access to the affiliate's own rows only.
 *
 * @throws UNAUTHORIZED when nobody is signed in; MISSING_ACCOUNT_ID; FORBIDDEN unless the person is an approved affiliate of the account,
 *   whether or not the account exists
 */
export function readForAffiliate() {
  return anyone()
    .meta({ audience: 'affiliate' })
    .use(async ({ ctx, next }) => {
      const caller = await affiliateOf(ctx, 'read');
      return asParty({ lane: 'read', id: caller.affiliate.id }, () => next({ ctx: caller }));
    });
}

/**
 * Runs `work` as the signed-in person's affiliate in an account, with the checks and the context of `readForAffiliate`.
 *
 * @throws FORBIDDEN unless the person is an approved affiliate of the account
 */
export async function readAsAffiliate<Output>(
  ctx: CallContext & { session: SignedIn },
  accountId: string,
  work: (caller: AffiliateCtx) => Promise<Output>,
): Promise<Output> {
  const principal = { ...ctx.principal, account_id: accountId };
  const caller = await affiliateOf({ ...ctx, principal, portalToken: undefined }, 'read');
  return asParty({ lane: 'read', id: caller.affiliate.id }, () => work(caller));
}

interface WriteOptions<Input extends z.ZodType, Before> {
  /**
   * True for a write that shares: it changes neither money nor identity. Such a write also works in a portal that a program of the merchant opened. A program
   * holds the token itself, so it could otherwise redirect payouts in the affiliate's name.
   */
  sharing?: boolean;
  /** True if the person must have signed in within the last `FRESH_MINUTES`. */
  fresh?: boolean;
  /** Runs before the transaction: an additional check, or a call to the outside, whose result is in the context. */
  before?: (ctx: { services: Services; affiliate: PortalAffiliate }, input: z.infer<Input>) => Promise<Before>;
}

/**
 * Declares a mutation for affiliates. It runs in one transaction and honours the Idempotency-Key.
 *
 * @throws the errors of `readForAffiliate`, and FORBIDDEN for a disabled affiliate, for a member who views the portal, without `sharing` for a portal
 *   that a program opened, and, with `fresh`, for a sign-in that is too old
 */
export function writeForAffiliate<Input extends z.ZodObject, Before = undefined>(
  input: Input,
  { sharing = false, fresh = false, before }: WriteOptions<Input, Before> = {},
) {
  return anyone()
    .meta({ audience: 'affiliate' })
    .use(async ({ ctx, next }) => {
      const caller = await affiliateOf(ctx, sharing ? 'share' : 'write');
      if (fresh) await assertFresh(ctx, caller);
      return next({ ctx: caller });
    })
    .input(input)
    .use(
      async ({
        ctx,
        input: parsed,
        meta,
        path,
        getRawInput,
        next,
      }): Promise<MiddlewareResult<Pick<AffiliateWriteCtx, 'tx' | 'mine' | 'now'> & { before: Before }>> => {
        const done = (await before?.(ctx, parsed as z.infer<Input>)) as Before;
        const { services, requestId, surface, reply, idempotencyKey, affiliate, now } = ctx;
        const base: Ctx = {
          services,
          requestId,
          surface,
          reply,
          idempotencyKey,
          principal: { kind: 'affiliate', id: affiliate.id, account_id: affiliate.account_id, permissions: {} },
          accountId: affiliate.account_id,
          clock: services.clock,
          now,
          db: services.database.kysely,
        };
        return asParty({ lane: 'write', id: affiliate.id }, async () =>
          inOneTransaction(base, { path, meta, rawInput: await getRawInput() }, (scope) => {
            const tx = { ...base, ...scope };
            return next({ ctx: { tx, mine: ownRowsOf(tx.db, affiliate), now: tx.now, before: done } }) as never;
          }),
        ) as never;
      },
    );
}

interface PortalCaller extends AffiliateCtx {
  /** The portal that a link or token has opened. Null for a signed-in affiliate. */
  opened: OpenPortal | null;
}

/** True if the affiliate has opened the portal: signed in, or with a link that was mailed to their address. */
export function isOpenedByAffiliate(opened: OpenPortal | null): boolean {
  return opened === null || opened.kind === 'mail';
}

async function affiliateOf(
  ctx: CallContext & { session: SignedIn | null },
  action: 'read' | 'share' | 'write',
): Promise<PortalCaller> {
  const { services } = ctx;
  const now = toInstant(services.clock.now());
  const opened = ctx.portalToken === undefined ? null : await openedPortal(ctx, ctx.portalToken, now);
  const found = opened ?? (await ownAffiliation(ctx));
  if (found.state === 'pending') throw new DomainError('FORBIDDEN', PORTAL_REASONS.application_pending);
  if (found.state === 'rejected') throw new DomainError('FORBIDDEN', PORTAL_REASONS.application_rejected);
  if (action !== 'read' && opened?.kind === 'view') throw new DomainError('FORBIDDEN', PORTAL_REASONS.view_only);
  if (action !== 'read' && opened?.kind === 'key') throw new DomainError('FORBIDDEN', PORTAL_REASONS.key_reads_only);
  if (action !== 'read' && found.state === 'disabled') throw new DomainError('FORBIDDEN', PORTAL_REASONS.no_longer_active);
  if (action === 'write' && !isOpenedByAffiliate(opened))
    throw new DomainError('FORBIDDEN', PORTAL_REASONS.email_sign_in_needed, { reason: 'sign_in' });
  const affiliate = { id: found.affiliate_id, account_id: found.account_id };
  return {
    affiliate,
    mine: ownRowsOf(services.database.kysely, affiliate),
    now,
    userId: opened ? null : ctx.session!.user_id,
    secrets: services.secrets,
    payoutMethods: services.payoutMethods,
    publicUrl: services.publicUrl,
    fileUrl: (file) => {
      const accountId = affiliate.account_id;
      return downloadUrl(
        services,
        file.kind === 'asset' ? { ...file, accountId } : { ...file, accountId, affiliateId: affiliate.id },
      );
    },
    opened,
  };
}

/** Finds the portal that a token opens. If the request also names an account, it must be the account of the portal. */
async function openedPortal(
  { services, principal, hostAccountId }: CallContext,
  token: string,
  now: Instant,
): Promise<OpenPortal> {
  const opened = await findOpenPortal(services.database.kysely, token, now);
  if (!opened || !isServedHere({ hostAccountId }, opened.account_id))
    throw new DomainError('UNAUTHORIZED', PORTAL_REASONS.portal_session_expired);
  const named = principal.kind === 'visitor' && principal.session === null ? null : principal.account_id;
  if (named !== null && named !== opened.account_id) throw new DomainError('FORBIDDEN', PORTAL_REASONS.no_affiliate);
  return opened;
}

async function ownAffiliation({ services, principal, session }: CallContext & { session: SignedIn | null }) {
  if (!session) throw new DomainError('UNAUTHORIZED', PLATFORM_REASONS.sign_in_first);
  const { account_id } = principal;
  if (account_id === null) throw new DomainError('MISSING_ACCOUNT_ID');
  const found = await affiliationIn(services.database.kysely, account_id, session.user_id);
  if (!found) throw new DomainError('FORBIDDEN', PORTAL_REASONS.no_affiliate);
  return { ...found, account_id };
}

/** Throws FORBIDDEN unless the caller signed in, or entered the portal, within the last `FRESH_MINUTES` (docs/rules/portal.md#payout-details). */
async function assertFresh(
  { services, session }: CallContext & { session: SignedIn | null },
  { opened, now }: PortalCaller,
): Promise<void> {
  if (opened) {
    if (plusMilliseconds(opened.entered_at, FRESH_MINUTES * 60_000) > now) return;
    throw signInAgain();
  }
  await assertFreshSession(services.database.kysely, session!.id);
}
