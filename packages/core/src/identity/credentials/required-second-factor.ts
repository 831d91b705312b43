import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';

/** Condition over `account` and `auth_user`: the account is closed to the person (docs/domain-rules.md#required-second-factor). */
export function lacksSecondFactor(now: Instant): RawBuilder<boolean> {
  return sql<boolean>`(account.second_factor_required_from <= ${now}::timestamptz and auth_user.has_second_factor is not true) is true`;
}

/** The refusal of a member to whom an account is closed. */
export function secondFactorRequired(): DomainError {
  return new DomainError('SECOND_FACTOR_REQUIRED');
}

/** Throws SECOND_FACTOR_REQUIRED when the account is closed to the person, if they are a member of it. */
export async function assertHasRequiredFactor(db: Db, accountId: string, userId: string, now: Instant): Promise<void> {
  const closed = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .select('membership.user_id')
    .where('membership.account_id', '=', accountId)
    .where('membership.user_id', '=', userId)
    .where(lacksSecondFactor(now))
    .executeTakeFirst();
  if (closed) throw secondFactorRequired();
}
