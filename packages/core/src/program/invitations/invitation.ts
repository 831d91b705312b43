import { createHash, randomBytes } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { type Role, ROLES } from '../../platform/access/permissions.ts';
import { instant as instantColumn, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { BLOCK_REASONS } from '../../platform/mail/blocked-recipients.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { idsFilter, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { email, id, instant, livemode, nameText } from '../../platform/wire/scalars.ts';
import { INVITATION_STATUSES, type InvitationStatus } from '../../platform/wire/states.ts';
import { typedEmail } from '../../platform/wire/typed-text.ts';
import { ownToken } from '../links/link.ts';
import { PROGRAM_REASONS } from '../reasons.ts';

const INVITATION_KINDS = ['member', 'affiliate'] as const;
export type InvitationKind = (typeof INVITATION_KINDS)[number];

export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    kind: p.string().$type<InvitationKind>(),
    email: p.string(),
    /** Set for member invitations only. */
    role: p.string().$type<Role>().strictNullable(),
    /** Set for affiliate invitations only. */
    campaign_id: p.string().strictNullable(),
    status: p.string().$type<InvitationStatus>(),
    token_hash: p.string(),
    invited_by_user_id: p.string().strictNullable(),
    accepted_by_user_id: p.string().strictNullable(),
    affiliate_id: p.string().strictNullable(),
    expires_at: instantColumn(),
    resent_at: instantColumn().strictNullable(),
    accepted_at: instantColumn().strictNullable(),
    revoked_at: instantColumn().strictNullable(),
  },
});

/** An offer to the owner of an email address, to join an account or to become its affiliate. */
export type Invitation = Row<typeof Invitation>;

/** Throws VALIDATION_ERROR unless the invitation is pending and has not expired. */
export function assertAcceptable(invitation: Invitation, at: Instant): void {
  assertPending(invitation, 'accepted');
  if (invitation.expires_at <= at) throw invalid('status', PROGRAM_REASONS.invitation_expired, 'expired');
}

/** The changes that accept an invitation. Throws VALIDATION_ERROR unless it is pending and has not expired. */
export function accepted(
  invitation: Invitation,
  at: Instant,
  by: { userId: string | null; affiliateId: string | null },
): Partial<Invitation> {
  assertAcceptable(invitation, at);
  return {
    status: 'accepted',
    accepted_at: at,
    accepted_by_user_id: by.userId,
    affiliate_id: by.affiliateId,
    updated_at: at,
  };
}

/** The changes that revoke an invitation, even an expired one. Throws VALIDATION_ERROR unless it is pending. */
export function revokedInvitation(invitation: Invitation, at: Instant): Partial<Invitation> {
  assertPending(invitation, 'revoked');
  return { status: 'revoked', revoked_at: at, updated_at: at };
}

/** The changes that set a new token and a new expiry. The former token stops working. Throws VALIDATION_ERROR unless the invitation is pending. */
export function renewed(invitation: Invitation, at: Instant, tokenHash: string, expiresAt: Instant): Partial<Invitation> {
  assertPending(invitation, 'sent again');
  return { token_hash: tokenHash, expires_at: expiresAt, resent_at: at, updated_at: at };
}

export function assertPending({ status }: Pick<Invitation, 'status'>, done: string): void {
  if (status !== 'pending')
    throw invalid('status', PROGRAM_REASONS.invitation_not_pending({ done, status: STATES[status] }), 'not_pending');
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    invitation: InferKyselyTable<typeof Invitation>;
  }
}

/** Creates the token of an emailed link: 256 random bits, of which only the hash is stored. */
export function newInvitationToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashInvitationToken(token) };
}

export function hashInvitationToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const kind = z
  .enum(INVITATION_KINDS)
  .describe('`member`: the person joins the account’s team; `affiliate`: the person becomes an affiliate.');
const role = z.enum(ROLES).describe('Role of the new member, for `kind` `member`. Only an owner can invite an owner.');

export const InvitationRecord = z
  .object({
    id: id('invitation'),
    livemode: livemode(),
    kind,
    email: z.string(),
    role: z.enum(ROLES).nullable().describe('Role of the new member, for `kind` `member`.'),
    campaign_id: id('campaign').nullable().describe('Campaign to join, for `kind` `affiliate`.'),
    status: z
      .enum(INVITATION_STATUSES)
      .describe('Status of the invitation. An expired pending invitation can be resent but not accepted.'),
    invited_by_user_id: id('user').nullable().describe('User who sent the invitation; `null` if it was sent with an API key.'),
    accepted_by_user_id: id('user').nullable(),
    affiliate_id: id('affiliate').nullable().describe('Affiliate created or activated by accepting the invitation.'),
    email_problem: z
      .enum(BLOCK_REASONS)
      .nullable()
      .describe(
        'Reason why the person gets no emails: `no_such_recipient`, the address does not exist; `complaint`, its owner reported an email as spam. `null` otherwise.',
      ),
    expires_at: instant().describe('Expiration time: seven days after the invitation was last sent.'),
    resent_at: instant().nullable(),
    accepted_at: instant().nullable(),
    revoked_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Invitation', description: 'An emailed invitation to join the account as a member or an affiliate.' });
export type InvitationRecord = z.infer<typeof InvitationRecord>;

const { email_problem: _, ...stored } = InvitationRecord.shape;
/** The fields that the row of an invitation has. */
export const StoredInvitation = z.object(stored);

export const ListInvitations = z.strictObject({
  kind: kind.optional(),
  status: z.enum(INVITATION_STATUSES).optional().describe('Filters by status.'),
  ...pageInput,
  ...sortBy('updated_at'),
  ...updatedRange,
  ...idsFilter('invitation'),
  email: z.string().overwrite(typedEmail).max(254).optional().describe('Filters by exact email address, case-insensitive.'),
});
export type ListInvitations = z.infer<typeof ListInvitations>;
export const InvitationPage = paginated(InvitationRecord);

export const CreateInvitation = z.strictObject({
  kind,
  email: email(),
  role: role.optional().meta({
    description: 'Role of the new member, for `kind` `member`. Defaults to `member`. Only an owner can invite an owner.',
  }),
  campaign_id: id('campaign').optional().describe('Campaign to join. Required for `kind` `affiliate`.'),
  campaignId: id('campaign').optional().describe('Alias of `campaign_id`.').meta({ deprecated: true }),
});
export type CreateInvitation = z.infer<typeof CreateInvitation>;

const kindOfRecord = kind.optional().describe('Expected kind. If set, an invitation of the other kind is not found.');
export const InvitationId = z.strictObject({ id: id('invitation'), kind: kindOfRecord });
export type InvitationId = z.infer<typeof InvitationId>;

const action = z.enum(['accept', 'revoke']);
export type InvitationAction = z.infer<typeof action>;

export const UpdateInvitation = z.strictObject({
  id: id('invitation'),
  kind: kindOfRecord,
  invitation_action: action.optional().describe('Accepts or revokes the invitation, which must be pending.'),
  status_action: action.optional().describe('Alias of `invitation_action`.').meta({ deprecated: true }),
  status: z.literal('revoked').optional().describe('Alias of `invitation_action=revoke`.').meta({ deprecated: true }),
  role: role.optional(),
  user_id: id('user')
    .optional()
    .describe(
      'User who accepts. Required to accept a member invitation with an API key. The user’s email address must match the invitation.',
    ),
});
export type UpdateInvitation = z.infer<typeof UpdateInvitation>;

const token = z.string().min(1).max(200).describe('Token from the link in the email.');

export const InvitationToken = z.strictObject({ token });
export const InvitationPreview = z.object({
  kind,
  email: z.string(),
  role: z.enum(ROLES).nullable(),
  account_name: z.string(),
  campaign_name: z.string().nullable(),
  status: z.enum([...INVITATION_STATUSES, 'expired']),
  expires_at: instant(),
  has_user: z.boolean().describe('`true` if a user with this email address exists.'),
  signed_in_as: z.string().nullable().describe('Email address of the signed-in user, if any.'),
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;

export const JoinByInvitation = z.strictObject({
  token,
  password: z
    .string()
    .min(8)
    .max(128)
    .optional()
    .describe('Password of the new user. Required to join as a member without an existing user.'),
  first_name: nameText(100).optional(),
  last_name: nameText(100).optional(),
  link_code: ownToken().optional().describe('Code of the first link of a new affiliate.'),
});
export type JoinByInvitation = z.infer<typeof JoinByInvitation>;

export const Joined = z.object({
  kind,
  account_id: id('account'),
  email: z.string(),
  user_created: z.boolean().describe('`true` if a user was created. If so, sign in with the new password.'),
  sign_in_token: z
    .string()
    .nullable()
    .describe(
      'Token that signs the new affiliate in to the portal once, within a minute; null if a user with this address already exists.',
    ),
});
export type Joined = z.infer<typeof Joined>;
