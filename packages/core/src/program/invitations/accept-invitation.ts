import { sql } from 'kysely';
import { joinAccount } from '../../identity/members/memberships.ts';
import { createUser } from '../../identity/members/user.ts';
import { createSignInLink } from '../../identity/sign-in-links/sign-in-link.ts';
import { takeTime } from '../../platform/call/call-time.ts';
import type { PublicCtx, WriteCtx } from '../../platform/call/context.ts';
import { type Locked, lockRow, lockRows } from '../../platform/call/locks.ts';
import { save } from '../../platform/call/records.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError, invalid, notFound } from '../../platform/errors/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { type CarryDebts, createAffiliate } from '../affiliates/affiliate.service.ts';
import { updateApplicant } from '../applicants/update-applicant.ts';
import { assertChoosable } from '../links/link-token.ts';
import { giveFirstLink } from '../links/link.service.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import {
  accepted,
  assertAcceptable,
  hashInvitationToken,
  Invitation,
  type InvitationPreview,
  type JoinByInvitation,
  type Joined,
} from './invitation.ts';

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

/** Lifetime of the token with which a new affiliate is signed in after accepting. */
const ENTRY_SECONDS = 60;

/** Returns details of an invitation to the owner of its link. Throws NOT_FOUND for a link that was replaced or deleted, or that never existed. */
export async function previewInvitation(ctx: PublicCtx, { token }: { token: string }): Promise<InvitationPreview> {
  const db = ctx.services.database.kysely;
  const row = await db
    .selectFrom('invitation')
    .innerJoin('account', 'account.id', 'invitation.account_id')
    .leftJoin('campaign', 'campaign.id', 'invitation.campaign_id')
    .leftJoin('auth_user', (join) =>
      join.on((on) => on(on.fn('lower', ['auth_user.email']), '=', on.fn('lower', ['invitation.email']))),
    )
    .select([
      'invitation.kind',
      'invitation.email',
      'invitation.role',
      'invitation.status',
      'invitation.expires_at',
      'account.name as account_name',
      'campaign.name as campaign_name',
      'auth_user.id as user_id',
    ])
    .where('invitation.token_hash', '=', hashInvitationToken(token))
    .executeTakeFirst();
  if (!row) throw notFound('invitation');
  const { user_id, status, ...columns } = row;
  const expired = status === 'pending' && row.expires_at <= toInstant(ctx.services.clock.now());
  return {
    ...columns,
    status: expired ? 'expired' : status,
    has_user: user_id !== null,
    signed_in_as: await emailOf(ctx),
  };
}

/**
 * Accepts an invitation by its emailed link. The link proves that the caller has received the email. Joining as a member requires a user: the
 * signed-in user, or a new one.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR unless the invitation is pending, for a new user without a password, and for a link code that is taken; UNAUTHORIZED if the invited
 * person has a user and is not signed in; FORBIDDEN if someone else is signed in
 */
export async function joinByInvitation(
  ctx: PublicCtx,
  { token, password, ...names }: JoinByInvitation,
  carryDebts: CarryDebts,
): Promise<Joined> {
  const { services, requestId, session } = ctx;
  const known = await services.database.kysely
    .selectFrom('invitation')
    .select(['id', 'account_id'])
    .where('token_hash', '=', hashInvitationToken(token))
    .executeTakeFirst();
  if (!known) throw notFound('invitation');
  return inTransaction(systemContext(services, known.account_id, requestId), async (write) => {
    await lockInvitedAffiliate(write, known.id);
    const invitation = await lockByToken(write, token);
    assertAcceptable(invitation, write.now);
    const user = session ? await invitedSession(write, invitation, session.user_id) : null;
    const newUser = user || invitation.kind === 'affiliate' ? null : await newInvitee(write, invitation, password, names);
    await acceptInvitation(write, invitation, user ?? newUser, carryDebts, names);
    if (session && invitation.kind === 'member') await enterAccount(write, session.id);
    const { kind, email } = invitation;
    const sign_in_token = kind === 'affiliate' && !user ? await entryOfNewAffiliate(write, email) : null;
    return { kind, account_id: write.accountId, email, user_created: newUser !== null, sign_in_token };
  });
}

/** Locks the invitation and reads it again, because another request may have renewed, deleted or accepted it since the first read. */
async function lockByToken(ctx: WriteCtx, token: string): Promise<Locked<Invitation>> {
  const invitations = ctx.db
    .selectFrom('invitation')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('token_hash', '=', hashInvitationToken(token));
  const invitation = await lockRow<Invitation>(ctx, 'invitation', invitations);
  if (!invitation) throw notFound('invitation');
  return invitation;
}

async function invitedSession(ctx: WriteCtx, invitation: Invitation, userId: string): Promise<Invitee | null> {
  const user = await findInvitee(ctx.db, invitation, userId);
  if (!user && invitation.kind === 'member')
    throw new DomainError('FORBIDDEN', PROGRAM_REASONS.invitation_of_other_address({ email: invitation.email }));
  return user;
}

async function newInvitee(
  ctx: WriteCtx,
  { email }: Invitation,
  password: string | undefined,
  { first_name, last_name }: { first_name?: string | undefined; last_name?: string | undefined },
): Promise<Invitee> {
  const existing = await ctx.db.selectFrom('auth_user').select('id').where(sameText('email', email)).executeTakeFirst();
  if (existing) throw new DomainError('UNAUTHORIZED', PROGRAM_REASONS.sign_in_to_accept({ email }));
  if (password === undefined) throw invalid('password', PROGRAM_REASONS.required_for_new_user, 'required');
  const name = [first_name, last_name].filter((part) => part !== undefined).join(' ');
  return { id: await createUser(ctx.services, ctx.db, { email, password, ...(name === '' ? {} : { name }) }) };
}

/**
 * Returns a token that signs a new affiliate in to the portal at once. The emailed link has already proved the address. Returns null if a
 * user with this address exists, because the invitation may have been forwarded, and the person who opens it must not be signed in as that
 * user.
 */
async function entryOfNewAffiliate(ctx: WriteCtx, email: string): Promise<string | null> {
  const existing = await ctx.db.selectFrom('auth_user').select('id').where(sameText('email', email)).executeTakeFirst();
  return existing ? null : createSignInLink(ctx.services, ctx.db, { email, seconds: ENTRY_SECONDS });
}

/** Makes the joined account the session's active account, unless the session already has one. */
async function enterAccount(ctx: WriteCtx, sessionId: string): Promise<void> {
  await ctx.db
    .updateTable('auth_session')
    .set({ active_account_id: ctx.accountId })
    .where('id', '=', sessionId)
    .where('active_account_id', 'is', null)
    .execute();
}

async function emailOf({ services, session }: PublicCtx): Promise<string | null> {
  if (!session) return null;
  const user = await services.database.kysely
    .selectFrom('auth_user')
    .select('email')
    .where('id', '=', session.user_id)
    .executeTakeFirst();
  return user?.email ?? null;
}
