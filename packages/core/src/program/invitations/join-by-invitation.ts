import { createUser } from '../../identity/members/user.ts';
import { createSignInLink } from '../../identity/sign-in-links/sign-in-link.ts';
import type { PublicCtx, WriteCtx } from '../../platform/call/context.ts';
import { type Locked, lockRow } from '../../platform/call/locks.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { DomainError, invalid, notFound } from '../../platform/errors/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import type { CarryDebts } from '../affiliates/affiliate.service.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { type Invitee, acceptInvitation, findInvitee, lockInvitedAffiliate } from './accept-invitation.ts';
import { hashInvitationToken, type Invitation, assertAcceptable } from './invitation.entity.ts';
import type { InvitationPreview, JoinByInvitation, Joined } from './invitation.schema.ts';

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
