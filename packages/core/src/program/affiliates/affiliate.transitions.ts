/**
 * Changes of affiliates. Every change of the state or of archival keeps the former state, because a sale is decided by the state at the time
 * of its charge (docs/rules/attribution.md#history).
 */
import { post } from '@affiliate/postgres';
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { save } from '../../platform/call/records.ts';
import { type Instant, laterOf } from '../../platform/time/instant.ts';
import type { AffiliateState } from '../../platform/wire/states.ts';
import { Affiliate } from './affiliate.entity.ts';

/** Writes the changes of an affiliate, and the state that they end. */
export function changeAffiliate(ctx: WriteCtx, affiliate: Locked<Affiliate>, changes: Partial<Affiliate>): void {
  const { state, archived_at } = { ...affiliate, ...changes };
  const [was, is] = [affiliate.archived_at !== null, archived_at !== null];
  if (state === affiliate.state && was === is) return save(ctx, Affiliate, affiliate, changes);
  // The clocks of processes differ. If the change ended the state before the last change did, the order of both would be reversed for good.
  const until = laterOf(ctx.now, affiliate.state_changed_at ?? ctx.now);
  const former = ctx.db
    .insertInto('affiliate_state_version')
    .values({ affiliate_id: affiliate.id, until, account_id: ctx.accountId, state: affiliate.state, archived: was })
    // Of two changes in the same millisecond, the first ends the state that was in force before.
    .onConflict((conflict) => conflict.doNothing());
  post(ctx.db, former.compile());
  save(ctx, Affiliate, affiliate, { ...changes, state_changed_at: until });
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** A former state of an affiliate, in force until `until` and since the `until` before it, if any. The row of the affiliate has the current one. */
    affiliate_state_version: {
      affiliate_id: string;
      until: Instant;
      account_id: string;
      state: AffiliateState;
      archived: boolean;
    };
  }
}

/**
 * Revokes the pending invitations to the affiliate's address, because accepting one would undo a later decision of the merchant
 * (docs/rules/program.md#invitations). Accepting an invitation locks the affiliate too.
 *
 * @param formerEmail address that the affiliate had before this change
 */
export async function endInvitations(
  { db, accountId, now }: WriteCtx,
  { email }: Locked<Affiliate>,
  formerEmail = email,
): Promise<void> {
  const emails = [email, formerEmail];
  await sql`
    update invitation set status = 'revoked', revoked_at = ${now}, updated_at = ${now}
    where account_id = ${accountId} and kind = 'affiliate' and status = 'pending'
      and lower(email) in (select lower(address) from unnest(${emails}::text[]) address)`.execute(db);
}
