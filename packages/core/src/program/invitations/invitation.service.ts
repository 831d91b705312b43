import { sql } from 'kysely';
import { loadLetterhead } from '../../identity/branding/branding.ts';
import { assertMayAppoint, assertMayRaise } from '../../identity/members/memberships.ts';
import { roleAtLeast } from '../../platform/access/permissions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { foundOrThrow, insert, lock, newRecordColumns, referenced, remove, save } from '../../platform/call/records.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { DomainError, invalid, notFound } from '../../platform/errors/errors.ts';
import { type BlockReason, blocks } from '../../platform/mail/blocked-recipients.ts';
import { assertMayInvite } from '../../platform/mail/budgets.ts';
import { dayIn, inLanguage } from '../../platform/mail/in-language.ts';
import { compose, type Letterhead } from '../../platform/mail/letter.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { allOf, whatIds, whenUpdated } from '../../platform/wire/filters.ts';
import { newId } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import type { CarryDebts } from '../affiliates/affiliate.service.ts';
import { Campaign, isActive } from '../campaigns/campaign.entity.ts';
import { PROGRAM_MAILS } from '../mail-texts.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { acceptInvitation, findInvitee, type Invitee, lockInvitedAffiliate } from './accept-invitation.ts';
import {
  assertPending,
  type CreateInvitation,
  Invitation,
  type InvitationAction,
  type InvitationId,
  type InvitationKind,
  type InvitationRecord,
  type ListInvitations,
  newInvitationToken,
  renewed,
  revokedInvitation,
  StoredInvitation,
  type UpdateInvitation,
} from './invitation.ts';

const RESEND_SECONDS = 60;

/**
 * Creates an invitation and emails its link (docs/rules/program.md#invitations).
 *
 * @throws VALIDATION_ERROR for fields that only the other kind of invitation has, for a member in test mode, for the address of a member, and for an
 * address with a pending invitation of this kind; FORBIDDEN if somebody who is not an owner invites an owner, and for an API key with fewer permissions
 * than the role
 */
export async function createInvitation(ctx: WriteCtx, input: CreateInvitation): Promise<InvitationRecord> {
  const { kind, email } = input;
  const campaign_id = await campaignOf(ctx, input);
  if (kind === 'affiliate' && input.role !== undefined) throw invalid('role', PROGRAM_REASONS.only_for_members, 'not_applicable');
  const role = kind === 'member' ? (input.role ?? 'member') : null;
  if (role !== null) {
    if (isTestAccount(ctx.accountId)) throw invalid('kind', PROGRAM_REASONS.members_in_live_account, 'test_mode');
    assertMayAppoint(ctx.principal, role);
    assertMayRaise(ctx, null, role);
    await assertNoMember(ctx, email);
  }
  const { token, hash } = newInvitationToken();
  const invitation = insert(ctx, Invitation, {
    ...newRecordColumns(ctx, newId('invitation', ctx.clock.now())),
    kind,
    email,
    role,
    campaign_id,
    status: 'pending',
    token_hash: hash,
    invited_by_user_id: ctx.principal.kind === 'session' ? ctx.principal.user_id : null,
    accepted_by_user_id: null,
    affiliate_id: null,
    expires_at: invitationExpiry(ctx.now),
    resent_at: null,
    accepted_at: null,
    revoked_at: null,
  });
  await mailInvitation(ctx, invitation, token);
  return getInvitation(ctx, { id: invitation.id });
}

/**
 * Accepts or revokes an invitation, or changes the role that it offers. With a session, people can accept only for themselves, whatever
 * their role; everything else requires the role admin. With an API key, `user_id` names the user who accepts.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR unless the invitation is pending; FORBIDDEN
 */
export async function updateInvitation(
  ctx: WriteCtx,
  input: UpdateInvitation,
  carryDebts: CarryDebts,
): Promise<InvitationRecord> {
  const action = oneAction(input);
  if (input.user_id !== undefined && action !== 'accept')
    throw invalid('user_id', PROGRAM_REASONS.only_when_accepting, 'not_applicable');
  const { principal } = ctx;
  const isAdmin = principal.kind !== 'session' || roleAtLeast(principal.role, 'admin');
  if (!isAdmin && (action !== 'accept' || input.role !== undefined))
    throw new DomainError('FORBIDDEN', PROGRAM_REASONS.admin_needed_to_accept);
  if (action === 'accept') await lockInvitedAffiliate(ctx, input.id);
  const invitation = await loadInvitation(ctx, input);
  const user = action === 'accept' ? await acceptingUser(ctx, invitation, input) : null;
  if (!isAdmin && !user) throw notFound('invitation');
  if (input.role !== undefined) changeRole(ctx, invitation, input.role);
  if (action === 'accept') await acceptInvitation(ctx, invitation, user, carryDebts);
  if (action === 'revoke') save(ctx, Invitation, invitation, revokedInvitation(invitation, ctx.now));
  return getInvitation(ctx, { id: invitation.id });
}

/** Deletes an invitation. Its link stops working. If it was accepted, the member or affiliate stays. Throws NOT_FOUND. */
export async function deleteInvitation(ctx: WriteCtx, input: InvitationId): Promise<InvitationRecord> {
  const invitation = await loadInvitation(ctx, input);
  const deleted = await getInvitation(ctx, { id: invitation.id });
  remove(ctx, Invitation, invitation);
  return deleted;
}

/**
 * Emails a new link with a new expiry. The former link stops working.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR unless the invitation is pending; RATE_LIMITED if it was sent again less than a minute ago
 */
export async function resendInvitation(ctx: WriteCtx, input: InvitationId): Promise<InvitationRecord> {
  const invitation = await loadInvitation(ctx, input);
  assertPending(invitation, 'sent again');
  if (invitation.resent_at !== null) {
    const retry_after = Math.ceil(RESEND_SECONDS - (Date.parse(ctx.now) - Date.parse(invitation.resent_at)) / 1_000);
    if (retry_after > 0)
      throw new DomainError('RATE_LIMITED', PROGRAM_REASONS.invitation_just_sent({ seconds: retry_after }), {
        retry_after,
      });
  }
  const { token, hash } = newInvitationToken();
  save(ctx, Invitation, invitation, renewed(invitation, ctx.now, hash, invitationExpiry(ctx.now)));
  await mailInvitation(ctx, invitation, token);
  return getInvitation(ctx, { id: invitation.id });
}

async function loadInvitation(ctx: WriteCtx, { id, kind }: InvitationId): Promise<Locked<Invitation>> {
  const invitation = await lock(ctx, Invitation, id);
  if (kind !== undefined && kind !== invitation.kind) throw notFound('invitation');
  return invitation;
}

async function campaignOf(ctx: WriteCtx, { kind, campaign_id, campaignId }: CreateInvitation): Promise<string | null> {
  if (campaign_id !== undefined && campaignId !== undefined && campaign_id !== campaignId)
    throw invalid('campaignId', PROGRAM_REASONS.contradicts_campaign_id, 'contradiction');
  const id = campaign_id ?? campaignId;
  const path = campaign_id === undefined && campaignId !== undefined ? 'campaignId' : 'campaign_id';
  if (kind === 'member') {
    if (id !== undefined) throw invalid(path, PROGRAM_REASONS.only_for_affiliates, 'not_applicable');
    return null;
  }
  if (id === undefined) throw invalid(path, PROGRAM_REASONS.required_for_affiliate, 'required');
  const campaign = await referenced(ctx, Campaign, id, path);
  if (!isActive(campaign)) throw invalid(path, PROGRAM_REASONS.campaign_archived, 'archived');
  return campaign.id;
}

async function assertNoMember(ctx: WriteCtx, email: string): Promise<void> {
  const member = await ctx.db
    .selectFrom('membership')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .select('membership.user_id')
    .where('membership.account_id', '=', ctx.accountId)
    .where(sameText('auth_user.email', email))
    .executeTakeFirst();
  if (member) throw invalid('email', PROGRAM_REASONS.member_already, 'taken');
}

/**
 * Returns the action in `invitation_action` or one of its aliases, or null if there is none. Throws VALIDATION_ERROR if these fields
 * contradict each other.
 */
function oneAction({ invitation_action, status_action, status }: UpdateInvitation): InvitationAction | null {
  const given = [invitation_action, status_action, status === 'revoked' ? ('revoke' as const) : undefined];
  const actions = new Set(given.filter((action) => action !== undefined));
  if (actions.size > 1) throw invalid('invitation_action', PROGRAM_REASONS.contradicts_status, 'contradiction');
  return [...actions][0] ?? null;
}

function changeRole(ctx: WriteCtx, invitation: Locked<Invitation>, role: NonNullable<UpdateInvitation['role']>): void {
  if (invitation.role === null) throw invalid('role', PROGRAM_REASONS.role_only_for_members, 'not_applicable');
  if (role === invitation.role) return;
  assertPending(invitation, 'changed');
  assertMayAppoint(ctx.principal, invitation.role, role);
  assertMayRaise(ctx, invitation.role, role);
  save(ctx, Invitation, invitation, { role, updated_at: ctx.now });
}

/**
 * Returns the user who accepts: the user of the session or, with an API key, the user in `user_id`. The user must have the invited email
 * address.
 */
async function acceptingUser(ctx: WriteCtx, invitation: Invitation, { user_id }: UpdateInvitation): Promise<Invitee | null> {
  const { principal } = ctx;
  if (principal.kind === 'session') {
    if (user_id !== undefined && user_id !== principal.user_id)
      throw invalid('user_id', PROGRAM_REASONS.accepts_for_themselves, 'not_applicable');
    const user = await findInvitee(ctx.db, invitation, principal.user_id);
    if (!user && roleAtLeast(principal.role, 'admin'))
      throw new DomainError('FORBIDDEN', PROGRAM_REASONS.invitation_of_other_person({ email: invitation.email }));
    return user;
  }
  if (user_id === undefined) {
    if (invitation.kind === 'member') throw invalid('user_id', PROGRAM_REASONS.required_for_member, 'required');
    return null;
  }
  const user = await findInvitee(ctx.db, invitation, user_id);
  if (!user) throw invalid('user_id', PROGRAM_REASONS.no_user_with_invited_email, 'not_found');
  return user;
}

const storedRecord = wireRecord(Invitation, StoredInvitation).of;

/** SQL column: why the person gets no emails, or null. An address that does not exist comes before a complaint. */
function emailProblem({ accountId, now }: Ctx) {
  return sql<BlockReason | null>`(
    select max(reason) from blocked_recipient blocked where ${blocks(sql`invitation.email`, { accountId, now })})`.as(
    'email_problem',
  );
}

function listed({ email_problem, ...row }: Invitation & { email_problem: BlockReason | null }): InvitationRecord {
  return { ...storedRecord(row), email_problem };
}

export async function listInvitations(ctx: Ctx, { kind, status, email, ...page }: ListInvitations) {
  let query = ctx.db.selectFrom('invitation').where('account_id', '=', ctx.accountId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (email !== undefined) query = query.where(sameText('email', email));
  if (status !== undefined) query = query.where('status', '=', status);
  const { data, pagination } = await paginate(
    query.where(allOf([...whenUpdated('updated_at', page), ...whatIds('id', page)])),
    page,
    {
      order: listOrder(page.sort, { table: 'invitation' }),
      select: (all) => all.selectAll().select(emailProblem(ctx)),
    },
  );
  return { data: data.map(listed), pagination };
}

/** Returns an invitation. Throws NOT_FOUND when it does not exist or is not of the given kind. */
export async function getInvitation(ctx: Ctx, { id, kind }: InvitationId): Promise<InvitationRecord> {
  let query = ctx.db
    .selectFrom('invitation')
    .selectAll()
    .select(emailProblem(ctx))
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return listed(foundOrThrow(await query.executeTakeFirst(), 'invitation'));
}

const TERM_DAYS = 7;

/** Returns the expiry of an invitation link that is emailed now (docs/rules/program.md#invitations). */
function invitationExpiry(now: Instant): Instant {
  return plusDays(now, TERM_DAYS);
}

/** Emails the link of an invitation after this transaction has committed. Throws RATE_LIMITED after too many invitations. */
async function mailInvitation(ctx: WriteCtx, invitation: Invitation, token: string): Promise<void> {
  const account = await ctx.db
    .selectFrom('account')
    .select(['name', 'time_zone'])
    .select((row) =>
      row.fn
        .coalesce(
          row.selectFrom('auth_user').select('language').where(sameText('auth_user.email', invitation.email)),
          'account.mail_language',
        )
        .as('language'),
    )
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  // Members see the account's own name instead of its brand.
  const letterhead =
    invitation.kind === 'affiliate' ? await loadLetterhead(ctx.db, ctx.services.publicUrl, ctx.accountId) : undefined;
  const campaign = await ctx.db
    .selectFrom('campaign')
    .select('name')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', invitation.campaign_id)
    .executeTakeFirst();
  const mail = invitationMail(ctx.services.publicUrl, invitation, {
    language: account.language,
    accountName: letterhead?.name ?? account.name,
    timeZone: account.time_zone,
    letterhead,
    campaignName: campaign?.name ?? null,
    token,
  });
  const purpose = { kind: 'invitation', priority: 'invitation', accountId: ctx.accountId } as const;
  await assertMayInvite(ctx.services, ctx.db, purpose, invitation.email);
  await enqueueMail(ctx.services, ctx.db, purpose, mail, invitation.expires_at);
  ctx.afterCommit(() => ctx.services.jobs.send('mail'));
}

/**
 * Builds the email of an invitation. The token is in the URL fragment. Browsers do not send the fragment to servers, so the token does not
 * get into logs.
 */
function invitationMail(
  publicUrl: string,
  invitation: { kind: InvitationKind; email: string; expires_at: string },
  {
    language,
    accountName,
    timeZone,
    letterhead,
    campaignName,
    token,
  }: {
    language: Language;
    accountName: string;
    timeZone: string;
    letterhead: Letterhead | undefined;
    campaignName: string | null;
    token: string;
  },
) {
  const say = inLanguage(language);
  const t = PROGRAM_MAILS.invitation;
  const account = { account: accountName };
  const offer =
    invitation.kind === 'member'
      ? { subject: say(t.toMember, account), line: say(t.team, account) }
      : { subject: say(t.toAffiliate, account), line: say(t.program, { ...account, campaign: campaignName ?? '' }) };
  return compose({
    to: invitation.email,
    language,
    subject: offer.subject,
    lines: [offer.line],
    ...(letterhead ? { letterhead } : {}),
    link: { label: say(t.link), url: `${publicUrl}/invitation#token=${token}` },
    closing: say(t.closing, { day: dayIn(language, invitation.expires_at, timeZone) }),
  });
}
