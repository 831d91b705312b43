import { sql } from 'kysely';
import { joinAccount } from '../../identity/members/memberships.ts';
import { takeTime } from '../../platform/call/call-time.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Locked, lockRows } from '../../platform/call/locks.ts';
import { save } from '../../platform/call/records.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { type CarryDebts, createAffiliate } from '../affiliates/affiliate.service.ts';
import { updateApplicant } from '../applicants/update-applicant.ts';
import { assertChoosable } from '../links/link-token.ts';
import { giveFirstLink } from '../links/link.service.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { Invitation, accepted, assertAcceptable } from './invitation.entity.ts';

/** A user with the invited email address. */
export interface Invitee {
  id: string;
}

/** The input of an affiliate who accepts an invitation: names, and the code of the first link. */
interface AffiliateEntry {
  first_name?: string | undefined;
  last_name?: string | undefined;
  link_code?: string | undefined;
}

/** Returns the user with this id, or null if the user does not have the invited email address. */
export async function findInvitee(db: Db, { email }: { email: string }, userId: string): Promise<Invitee | null> {
  const user = await db
    .selectFrom('auth_user')
    .select('id')
    .where('id', '=', userId)
    .where(sameText('email', email))
    .executeTakeFirst();
  return user ?? null;
}

/**
 * Locks the affiliate with the address of an affiliate invitation, if there is one. A request that accepts an invitation locks the
 * affiliate before the invitation. A merchant's change of an affiliate, which may revoke the invitation, uses the same order.
 */
export async function lockInvitedAffiliate(ctx: WriteCtx, invitationId: string): Promise<void> {
  const invited = sql<string>`(
    select invited.id from affiliate invited join invitation on lower(invitation.email) = lower(invited.email)
    where invited.account_id = ${ctx.accountId} and invited.archived_at is null
      and invitation.id = ${invitationId} and invitation.account_id = ${ctx.accountId} and invitation.kind = 'affiliate')`;
  const affiliates = ctx.db
    .selectFrom('affiliate')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('id', 'in', invited)
    // Checked again after a wait for the lock, unlike the conditions of the subquery.
    .where('archived_at', 'is', null);
  await lockRows(ctx, 'affiliate', affiliates.orderBy('id'));
  takeTime(ctx);
}

/**
 * Makes the invited person a member, or an active affiliate of the invitation's campaign. The invitation is locked, so that concurrent
 * requests cannot accept it twice.
 *
 * @throws VALIDATION_ERROR unless the invitation is pending and has not expired, and for a link code that is taken
 */
export async function acceptInvitation(
  ctx: WriteCtx,
  invitation: Locked<Invitation>,
  user: Invitee | null,
  carryDebts: CarryDebts,
  entry: AffiliateEntry = {},
): Promise<void> {
  assertAcceptable(invitation, ctx.now);
  if (invitation.role !== null) {
    if (!user) throw invalid('user_id', PROGRAM_REASONS.required_for_member, 'required');
    await joinAccount(ctx, user.id, invitation.role);
    save(ctx, Invitation, invitation, accepted(invitation, ctx.now, { userId: user.id, affiliateId: null }));
    return;
  }
  const affiliateId = await becomeAffiliate(ctx, invitation, entry, carryDebts);
  if (user) {
    const affiliate = ctx.db.updateTable('affiliate').where('account_id', '=', ctx.accountId).where('id', '=', affiliateId);
    await affiliate.set({ user_id: user.id }).execute();
  }
  save(ctx, Invitation, invitation, accepted(invitation, ctx.now, { userId: user?.id ?? null, affiliateId }));
}

async function becomeAffiliate(
  ctx: WriteCtx,
  { email, campaign_id }: Invitation,
  { link_code, ...names }: AffiliateEntry,
  carryDebts: CarryDebts,
): Promise<string> {
  const existing = await ctx.db
    .selectFrom('affiliate')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where(sameText('email', email))
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  if (link_code !== undefined) {
    await assertChoosable(ctx, link_code, { affiliateId: existing?.id, path: 'link_code' });
    const application = ctx.db.updateTable('affiliate_application').where('account_id', '=', ctx.accountId);
    // Deciding about an application gives the first link.
    if (existing) await application.set({ link_code }).where('affiliate_id', '=', existing.id).execute();
  }
  const terms = { campaign_id: campaign_id ?? undefined, state: 'active' as const };
  const affiliate = existing
    ? await updateApplicant(ctx, { id: existing.id, ...terms })
    : await createAffiliate(ctx, { email, ...names, ...terms }, carryDebts);
  await giveFirstLink(ctx, affiliate, link_code);
  return affiliate.id;
}
