import { z } from 'zod';
import { id } from '../../platform/wire/scalars.ts';
import { MEMBER_MAILS } from '../../platform/wire/states.ts';

export const MemberMailsOf = z.strictObject({ account_id: id('account') });

export const ChooseMemberMails = z.strictObject({ account_id: id('account'), mails: z.array(z.enum(MEMBER_MAILS)).max(20) });
export type ChooseMemberMails = z.infer<typeof ChooseMemberMails>;

export const MemberMailChoice = z.object({
  available: z.array(z.enum(MEMBER_MAILS)).describe('Emails that a person with this role can choose.'),
  mails: z.array(z.enum(MEMBER_MAILS)).describe('Emails that the person gets.'),
});
export type MemberMailChoice = z.infer<typeof MemberMailChoice>;
