import { type MiddlewareResult } from '@trpc/server/unstable-core-do-not-import';
import { sql } from 'kysely';
import type { z } from 'zod';
import { affiliationIn } from '../../identity/affiliations/affiliations.ts';
import { asParty } from '../../platform/db/admission.ts';
import type { CallContext, Ctx, SignedIn } from '../../platform/call/context.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { anyone, inOneTransaction } from '../../platform/trpc/trpc.ts';
import type { AffiliateCtx, AffiliateWriteCtx } from './affiliate-context.ts';
import { ownRowsOf } from './own-rows.ts';

/**
 * Declares a query for affiliates: signed-in people who are affiliates of the account that the request names. Its context reaches the
 * affiliate's own rows only.
 *
 * @throws UNAUTHORIZED when nobody is signed in; MISSING_ACCOUNT_ID; FORBIDDEN unless the person is an affiliate of the account, whether or
 *   not it exists, and while they are not approved
 */
export function readForAffiliate() {
  return anyone()
    .meta({ audience: 'affiliate' })
    .use(async ({ ctx, next }) => {
      const caller = await affiliateOf(ctx, 'read');
      return asParty({ lane: 'read', id: caller.affiliate.id }, () => next({ ctx: caller }));
    });
}

/** Minutes after signing in during which an affiliate may change the payout details (docs/domain-rules.md#payout-details). */
const FRESH_MINUTES = 15;

/**
 * Declares a mutation for affiliates: one transaction, with the Idempotency-Key.
 *
 * @param options.fresh whether the person must have signed in just now
 * @throws what `readForAffiliate` throws, and FORBIDDEN for a disabled affiliate, who may only read, and for a sign-in too long ago
 */
export function writeForAffiliate<Input extends z.ZodObject>(input: Input, { fresh = false }: { fresh?: boolean } = {}) {
  return anyone()
    .meta({ audience: 'affiliate' })
    .use(async ({ ctx, next }) => {
      const caller = await affiliateOf(ctx, 'write');
      if (fresh) await assertFresh(ctx);
      return next({ ctx: caller });
    })
    .input(input)
    .use(({ ctx, meta, path, getRawInput, next }): Promise<MiddlewareResult<Pick<AffiliateWriteCtx, 'tx' | 'mine' | 'now'>>> => {
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
          return next({ ctx: { tx, mine: ownRowsOf(tx.db, affiliate), now: tx.now } }) as never;
        }),
      ) as never;
    });
}

async function affiliateOf(
  { services, principal, session }: CallContext & { session: SignedIn | null },
  action: 'read' | 'write',
): Promise<AffiliateCtx> {
  if (!session) throw new DomainError('UNAUTHORIZED', 'Sign in first.');
  if (principal.account_id === null) throw new DomainError('MISSING_ACCOUNT_ID');
  const db = services.database.kysely;
  const found = await affiliationIn(db, principal.account_id, session.user_id);
  if (!found) throw new DomainError('FORBIDDEN', 'You are not an affiliate of this account.');
  if (found.state === 'pending') throw new DomainError('FORBIDDEN', 'Your application has not been approved yet.');
  if (found.state === 'rejected') throw new DomainError('FORBIDDEN', 'Your application was not approved.');
  if (action === 'write' && found.state === 'disabled') {
    throw new DomainError('FORBIDDEN', 'You are no longer active in this program. You can read, but not change anything.');
  }
  const affiliate = { id: found.affiliate_id, account_id: principal.account_id };
  return { affiliate, mine: ownRowsOf(db, affiliate), now: toInstant(services.clock.now()), publicUrl: services.publicUrl };
}

/** By the clock of the database, because the authentication library uses that of the system for sessions. */
async function assertFresh({ services, session }: CallContext & { session: SignedIn | null }): Promise<void> {
  const { rows } = await sql`
    select from auth_session
    where id = ${session!.id} and created_at > now() - make_interval(mins => ${FRESH_MINUTES})`.execute(services.database.kysely);
  if (rows.length === 0) throw new DomainError('FORBIDDEN', 'Sign in again to change this.', { reason: 'sign_in_again' });
}
