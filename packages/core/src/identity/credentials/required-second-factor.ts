import { type RawBuilder, sql } from 'kysely';
import { liveAccountOf } from '../../platform/call/test-account-id.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';

/** SQL expression: the time from which an account, or the live account of a test account, requires a second factor. Needs the table `account`. */
export const SECOND_FACTOR_REQUIRED_FROM = sql<Instant | null>`(case when account.test_of is null then account.second_factor_required_from
  else (select live.second_factor_required_from from account live where live.id = account.test_of) end)`;

/**
 * SQL condition: the account is closed to the user, who lacks a required second factor. A test account is closed with its live account. Needs the
 * tables `account` and `auth_user` (docs/rules/identity.md#required-second-factor).
 */
export function lacksSecondFactor(now: Instant): RawBuilder<boolean> {
  return sql<boolean>`(${SECOND_FACTOR_REQUIRED_FROM} <= ${now}::timestamptz and auth_user.has_second_factor is not true) is true`;
}

/** Returns the error for a member who cannot use an account until they set up a second factor. */
export function secondFactorRequired(): DomainError {
  return new DomainError('SECOND_FACTOR_REQUIRED');
}

/** Throws SECOND_FACTOR_REQUIRED if the person is a member of the account, or of its live account, and lacks a required second factor. Does nothing for people who are not members. */
export async function assertHasRequiredFactor(db: Db, accountId: string, userId: string, now: Instant): Promise<void> {
  const closed = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .select('membership.user_id')
    .where('membership.account_id', '=', liveAccountOf(accountId))
    .where('membership.user_id', '=', userId)
    .where(lacksSecondFactor(now))
    .executeTakeFirst();
  if (closed) throw secondFactorRequired();
}
