import { z } from 'zod';
import { ROLES } from '../../platform/access/permissions.ts';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { id, instant } from '../../platform/wire/scalars.ts';
import { SHOWN_STATES } from '../affiliations/affiliations.ts';
import { Brand } from '../branding/branding.schema.ts';
import { PayoutApproval } from './payout-approval.ts';
import { PayoutTerms } from './payout-terms.ts';

export const ZONE_OF_DAYS = z
  .string()
  .describe('Time zone of the account. Days in pages, emails, statements and analytics are days in it.')
  .meta({ example: 'Europe/Berlin' });

export const AccountRecord = z
  .object({
    id: id('account'),
    livemode: z.boolean().describe('`false` for the test account, which holds the records of test mode.'),
    name: z.string(),
    currency: z.string().describe('Default currency for new amounts.').meta({ example: 'USD' }),
    role: z.enum(ROLES).describe('Role of the signed-in person in the account.'),
    time_zone: ZONE_OF_DAYS,
    mail_language: z.enum(LANGUAGES).describe('Language of emails to people who have not chosen a language.'),
    code_before_link: z.boolean().describe('`true` if promo codes take precedence over links.'),
    payout_approval: PayoutApproval,
    payout_terms: z.array(PayoutTerms).describe('Fees, minimums and pauses of methods. Methods that are not named have none.'),
    payouts_stopped_at: instant().nullable().describe('Time from which the service sends no payments; `null` if it does.'),
    is_example: z.boolean().describe('`true` if the service filled the account with example data.'),
    second_factor_required_from: instant()
      .nullable()
      .describe('Time from which the account is closed to members without a second factor; null when none is required.'),
    lacks_second_factor: z
      .boolean()
      .describe('`true` if the account is closed to the user because the user has no second factor.'),
    deletion_scheduled_at: instant()
      .nullable()
      .describe('Time at which the account will be deleted; null if no deletion is scheduled.'),
  })
  .meta({ id: 'Account', description: 'An account as a signed-in member sees it.' });
export type AccountRecord = z.infer<typeof AccountRecord>;

export const SessionRecord = z.object({
  user: z.object({
    id: id('user'),
    email: z.string(),
    name: z.string(),
    has_second_factor: z.boolean(),
    language: z.enum(LANGUAGES).nullable(),
  }),
  accounts: z.array(AccountRecord).describe('Accounts that the user is a member of, and their test accounts, sorted by name.'),
  affiliations: z
    .array(
      z.object({
        account_id: id('account'),
        account_name: z.string(),
        campaign_name: z.string(),
        time_zone: ZONE_OF_DAYS,
        state: z.enum(SHOWN_STATES),
        brand: Brand,
        application_note: z.string().nullable().describe('The merchant’s note on the application.'),
      }),
    )
    .describe('Accounts that the user is an affiliate of, sorted by name.'),
  active_account_id: id('account')
    .nullable()
    .describe(
      'Account used by requests that do not name one. Initially the account that the user joined first; `null` if the user is no longer a member of that account.',
    ),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

export const SwitchAccount = z.strictObject({ account_id: id('account') });
