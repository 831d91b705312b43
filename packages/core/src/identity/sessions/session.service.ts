import type { PersonCtx } from '../../platform/call/context.ts';
import { isTestAccount, liveAccountOf } from '../../platform/call/test-account-id.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { PLATFORM_REASONS } from '../../platform/texts/reasons.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { affiliationsOf, shownState } from '../affiliations/affiliations.ts';
import { brandOf } from '../branding/branding.ts';
import { lacksSecondFactor, SECOND_FACTOR_REQUIRED_FROM } from '../credentials/required-second-factor.ts';
import { membershipIn } from '../members/memberships.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { openTestAccount } from '../test-accounts/test-account.ts';
import type { SessionRecord } from './session.schema.ts';

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
