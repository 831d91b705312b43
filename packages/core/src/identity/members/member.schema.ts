import { z } from 'zod';
import { ROLES } from '../../platform/access/permissions.ts';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant } from '../../platform/wire/scalars.ts';
import { MEMBER_MAILS } from '../../platform/wire/states.ts';

export const MemberRecord = z
  .object({
    user_id: id('user'),
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    has_second_factor: z.boolean().describe('`true` if signing in asks the user for a code.'),
    created_at: instant().describe('Time at which the user joined the account.'),
    updated_at: instant(),
  })
  .meta({ id: 'Member', description: 'A user with access to the account.' });
export type MemberRecord = z.infer<typeof MemberRecord>;

export const ListMembers = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...updatedRange });
export type ListMembers = z.infer<typeof ListMembers>;
export const MemberPage = paginated(MemberRecord);
export const MemberId = z.strictObject({ user_id: id('user') });
export const UpdateMemberRole = z.strictObject({ user_id: id('user'), role: z.enum(ROLES) });
export type UpdateMemberRole = z.infer<typeof UpdateMemberRole>;

export const MemberMailsOf = z.strictObject({ account_id: id('account') });

export const ChooseMemberMails = z.strictObject({ account_id: id('account'), mails: z.array(z.enum(MEMBER_MAILS)).max(20) });
export type ChooseMemberMails = z.infer<typeof ChooseMemberMails>;

export const MemberMailChoice = z.object({
  available: z.array(z.enum(MEMBER_MAILS)).describe('Emails that a person with this role can choose.'),
  mails: z.array(z.enum(MEMBER_MAILS)).describe('Emails that the person gets.'),
});
export type MemberMailChoice = z.infer<typeof MemberMailChoice>;
