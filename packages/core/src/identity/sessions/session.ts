import { sql } from 'kysely';
import { z } from 'zod';
import { ROLES } from '../../platform/access/permissions.ts';
import type { PersonCtx } from '../../platform/call/context.ts';
import { isTestAccount, liveAccountOf } from '../../platform/call/test-account-id.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { PLATFORM_REASONS } from '../../platform/texts/reasons.ts';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { id, instant } from '../../platform/wire/scalars.ts';
import { affiliationsOf, SHOWN_STATES, shownState } from '../affiliations/affiliations.ts';
import { Brand, brandOf } from '../branding/branding.ts';
import { lacksSecondFactor, SECOND_FACTOR_REQUIRED_FROM } from '../credentials/required-second-factor.ts';
import { membershipIn } from '../members/memberships.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { openTestAccount } from '../test-accounts/test-account.ts';
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

/** Returns the signed-in person with their accounts and affiliations. */
export async function getSession({ services, session }: PersonCtx): Promise<SessionRecord> {
  const db = services.database.kysely;
  const user = await db
    .selectFrom('auth_session')
    .innerJoin('auth_user', 'auth_user.id', 'auth_session.user_id')
    .select([
      'auth_user.id',
      'auth_user.email',
      'auth_user.name',
      'auth_user.has_second_factor',
      'auth_user.language',
      'auth_session.active_account_id',
    ])
    .where('auth_session.id', '=', session.id)
    .executeTakeFirst();
  if (!user) throw new DomainError('UNAUTHORIZED', PLATFORM_REASONS.sign_in_first);
  const memberships = db
    .selectFrom('membership')
    .innerJoin('account', (join) =>
      join.on((eb) =>
        eb.or([
          eb('account.id', '=', eb.ref('membership.account_id')),
          eb('account.test_of', '=', eb.ref('membership.account_id')),
        ]),
      ),
    )
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .select([
      'account.id',
      'account.name',
      'account.currency',
      'membership.role',
      'account.time_zone',
      'account.mail_language',
      'account.code_before_link',
      'account.payout_approval',
      'account.payout_terms',
      'account.payouts_stopped_at',
      'account.is_example',
      SECOND_FACTOR_REQUIRED_FROM.as('second_factor_required_from'),
      lacksSecondFactor(toInstant(services.clock.now())).as('lacks_second_factor'),
      'account.deletion_scheduled_at',
    ])
    .where('membership.user_id', '=', user.id)
    .orderBy('account.name')
    .orderBy('account.id')
    .execute();
  const [found, affiliations] = await Promise.all([memberships, affiliationsOf(db, user.id)]);
  const active = user.active_account_id;
  const accounts = found.map((account) => ({ ...account, livemode: !isTestAccount(account.id) }));
  return {
    affiliations: affiliations.map((affiliation) => ({
      account_id: affiliation.account_id,
      account_name: affiliation.account_name,
      campaign_name: affiliation.campaign_name,
      state: shownState(affiliation.state),
      time_zone: affiliation.time_zone,
      brand: brandOf(affiliation),
      application_note: affiliation.application_note,
    })),
    user: { id: user.id, email: user.email, name: user.name, has_second_factor: user.has_second_factor, language: user.language },
    accounts,
    active_account_id: accounts.some(({ id }) => id === active) ? active : null,
  };
}

/**
 * Sets the active account of the session, which is used by calls that do not name an account. The user's other sessions keep their active
 * account.
 *
 * @throws FORBIDDEN when the user is not a member of the account, whether or not it exists
 */
export async function switchAccount(ctx: PersonCtx, { account_id }: { account_id: string }): Promise<SessionRecord> {
  const live = liveAccountOf(account_id);
  const { database, clock } = ctx.services;
  if (isTestAccount(account_id) && (await membershipIn(database.kysely, live, ctx.session.user_id, toInstant(clock.now()))))
    await openTestAccount(database.kysely, live);
  const { numUpdatedRows } = await database.kysely
    .updateTable('auth_session')
    .from('membership')
    .set({ active_account_id: account_id })
    .where('auth_session.id', '=', ctx.session.id)
    .where('membership.account_id', '=', live)
    .whereRef('membership.user_id', '=', 'auth_session.user_id')
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) throw new DomainError('FORBIDDEN', IDENTITY_REASONS.no_member);
  return getSession(ctx);
}

/** Minutes for which a sign-in, with its second factor if the person has one, suffices for what matters most. */
export const FRESH_MINUTES = 15;

/**
 * Throws FORBIDDEN (`sign_in_again`) unless the session began within the last `FRESH_MINUTES`. The age of a session is measured by the database's clock,
 * because the library takes a session's time of creation from the system clock, and the service's own clock may differ.
 */
export async function assertFreshSession(db: Db, sessionId: string): Promise<void> {
  const { rows } = await sql`
    select from auth_session
    where id = ${sessionId} and created_at > now() - make_interval(mins => ${FRESH_MINUTES})`.execute(db);
  if (rows.length === 0) throw signInAgain();
}

export function signInAgain(): DomainError {
  return new DomainError('FORBIDDEN', IDENTITY_REASONS.sign_in_again, { reason: 'sign_in_again' });
}
