import { z } from 'zod';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { currency, id, instant, nameText } from '../../platform/wire/scalars.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { SetPayoutApproval } from '../sessions/payout-approval.ts';
import { SetPayoutTerms } from '../sessions/payout-terms.ts';
import { isTimeZone } from './time-zone.ts';

export const timeZone = () =>
  z.string().max(100).refine(isTimeZone, IDENTITY_REASONS.unknown_time_zone).meta({
    description: 'Time zone of the account. Days in pages, emails, statements and analytics are days in it. Initially `UTC`.',
    example: 'Europe/Berlin',
  });

export const GetAccount = z.strictObject({ account_id: id('account') });

/** Messages that were not sent because the installation has no mail server. */
export const UnsentMails = z.object({
  mails: z
    .array(z.object({ id: id('mail'), to: z.string(), subject: z.string(), text: z.string(), sent_at: instant() }))
    .nullable()
    .describe('The latest first. `null` if they are not shown.'),
  reason: z
    .enum(['mail_server', 'other_owners'])
    .nullable()
    .describe(
      'Reason why no messages are shown. `mail_server`: they are sent. `other_owners`: the installation has programs that the caller does not own.',
    ),
});
export type UnsentMails = z.infer<typeof UnsentMails>;

export const CreateAccount = z.strictObject({
  name: nameText(200).describe('Name of the program.').meta({ example: 'Northwind Tea' }),
  currency: currency().describe('Default currency for new amounts.'),
  time_zone: timeZone().optional(),
});
export type CreateAccount = z.infer<typeof CreateAccount>;
export const LeaveAccount = z.strictObject({ account_id: id('account') });
export type LeaveAccount = z.infer<typeof LeaveAccount>;
export const AccountCreated = z.object({ account_id: id('account') });

export const UpdateAccount = z.strictObject({
  account_id: id('account'),
  name: nameText(200).optional().describe('Account name, shown in the application and in invitations.'),
  currency: currency().optional().describe('Default currency for new amounts. Existing amounts keep their currency.'),
  time_zone: timeZone().optional(),
  mail_language: z
    .enum(LANGUAGES)
    .optional()
    .describe('Language of emails to people who have not chosen a language. Initially `en`.'),
  code_before_link: z
    .boolean()
    .optional()
    .describe(
      '`true` if a promo code redeemed with a charge takes precedence over the link that the customer is bound to. Initially `false`.',
    ),
  payout_approval: SetPayoutApproval.optional().describe(
    'Rules for payments that the service sends. Needs a sign-in within the last 15 minutes. The former rules hold beside the new ones for 24 hours.',
  ),
  payout_terms: SetPayoutTerms.optional().describe(
    'Fees, minimums and pauses of methods, for payments that are prepared from now on. Methods that are not named have none.',
  ),
  payouts_stopped: z
    .boolean()
    .optional()
    .describe('`true`: the service sends no payment from now on. `false` needs a sign-in within the last 15 minutes.'),
});
export type UpdateAccount = z.infer<typeof UpdateAccount>;

export const RequireSecondFactor = z.strictObject({
  account_id: id('account'),
  required: z.boolean().describe('`true` if the account requires a second factor of all its members.'),
  after_days: z
    .int()
    .min(0)
    .max(30)
    .default(7)
    .describe('Number of days until the account is closed to members without a second factor.'),
});
export type RequireSecondFactor = z.infer<typeof RequireSecondFactor>;

export const DeleteAccount = z.strictObject({
  account_id: id('account'),
  name: nameText(200).describe('The name of the account, typed as confirmation.'),
});
export type DeleteAccount = z.infer<typeof DeleteAccount>;

export const RemoveExample = z.strictObject({ account_id: id('account') });
export type RemoveExample = z.infer<typeof RemoveExample>;
export const ExampleRemoved = z.object({ account_id: id('account') });
export type ExampleRemoved = z.infer<typeof ExampleRemoved>;

export const RestoreAccount = z.strictObject({ account_id: id('account') });
export type RestoreAccount = z.infer<typeof RestoreAccount>;
