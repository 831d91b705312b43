import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { ROLES } from '../../platform/access/permissions.ts';
import { email, id, instant, text } from '../../platform/wire/scalars.ts';
import { INVITATION_KINDS, INVITATION_STATUSES } from './invitation.entity.ts';

const kind = z.enum(INVITATION_KINDS).describe('To join this account’s team, or to become its affiliate.');
const role = z.enum(ROLES).describe('With `kind` member. Only an owner may invite an owner.');

export const InvitationRecord = z
  .object({
    id: id('invitation'),
    kind,
    email: z.string(),
    role: z.enum(ROLES).nullable().describe('Of member invitations.'),
    campaign_id: id('campaign').nullable().describe('Of affiliate invitations.'),
    status: z.enum(INVITATION_STATUSES).describe('A pending invitation that has expired can be sent again, not accepted.'),
    invited_by_user_id: id('user').nullable().describe('Null when a key did it.'),
    accepted_by_user_id: id('user').nullable(),
    affiliate_id: id('affiliate').nullable().describe('The affiliate that accepting it created or activated.'),
    expires_at: instant().describe('Seven days after it was last sent.'),
    resent_at: instant().nullable(),
    accepted_at: instant().nullable(),
    revoked_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Invitation', description: 'An offer, mailed to a person, to join this account or to become its affiliate.' });
export type InvitationRecord = z.infer<typeof InvitationRecord>;

export const ListInvitations = z.strictObject({
  kind: kind.optional(),
  status: z.enum(INVITATION_STATUSES).optional().describe('Only invitations of this status.'),
  ...pageInput,
});
export type ListInvitations = z.infer<typeof ListInvitations>;
export const InvitationPage = paginated(InvitationRecord);

export const CreateInvitation = z.strictObject({
  kind,
  email: email(),
  role: role.optional().meta({ description: 'With `kind` member; `member` when missing. Only an owner may invite an owner.' }),
  campaign_id: id('campaign').optional().describe('Required with `kind` affiliate.'),
  campaignId: id('campaign').optional().describe('Alias of `campaign_id`.'),
});
export type CreateInvitation = z.infer<typeof CreateInvitation>;

const kindOfRecord = kind.optional().describe('When given, an invitation of the other kind is not found.');
export const InvitationId = z.strictObject({ id: id('invitation'), kind: kindOfRecord });
export type InvitationId = z.infer<typeof InvitationId>;

const action = z.enum(['accept', 'revoke']);
export type InvitationAction = z.infer<typeof action>;

export const UpdateInvitation = z.strictObject({
  id: id('invitation'),
  kind: kindOfRecord,
  invitation_action: action.optional().describe('What to do with it. Only a pending invitation can be accepted or revoked.'),
  status_action: action.optional().describe('Alias of `invitation_action`.'),
  status: z.literal('revoked').optional().describe('Alias of `invitation_action` revoke.'),
  role: role.optional(),
  user_id: id('user')
    .optional()
    .describe('Who accepts, with an API key; required to accept as a member. Their e-mail address must be the invited one.'),
});
export type UpdateInvitation = z.infer<typeof UpdateInvitation>;

const token = z.string().min(1).max(200).describe('From the link in the mail.');

export const InvitationToken = z.strictObject({ token });
export const InvitationPreview = z.object({
  kind,
  email: z.string(),
  role: z.enum(ROLES).nullable(),
  account_name: z.string(),
  campaign_name: z.string().nullable(),
  status: z.enum([...INVITATION_STATUSES, 'expired']),
  expires_at: instant(),
  has_user: z.boolean().describe('Whether somebody with this e-mail address can sign in already.'),
  signed_in_as: z.string().nullable().describe('E-mail address of the caller’s session.'),
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;

export const JoinByInvitation = z.strictObject({
  token,
  password: z.string().min(8).max(128).optional().describe('Of a new user; required to join as a member without one.'),
  first_name: text(100).optional(),
  last_name: text(100).optional(),
});
export type JoinByInvitation = z.infer<typeof JoinByInvitation>;

export const Joined = z.object({
  kind,
  account_id: id('account'),
  email: z.string(),
  user_created: z.boolean().describe('Whether to sign in now, with the password just given.'),
});
export type Joined = z.infer<typeof Joined>;
