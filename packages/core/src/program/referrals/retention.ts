import type { Services } from '../../platform/call/context.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { isIdBefore } from '../../platform/wire/ids.ts';
import { purgeVisitors } from './referral.transitions.ts';

/**
 * Days for which a visitor's referral is kept after its expiry. After these days, the payment provider can no longer report anything from before the
 * expiry.
 */
const KEPT_DAYS = 30;

/**
 * Purges expired referrals of visitors who never became leads, and keeps their number (docs/rules/platform.md#retention). Returns the number
 * deleted.
 */
export function purgeExpiredVisitors({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = plusDays(toInstant(clock.now()), -KEPT_DAYS);
  return purgeVisitors(database.kysely, before, mustStop);
}

/**
 * True if a referral with this unknown id may have been purged, judging by the time in the id. That time is slightly later than the
 * creation time of the row. The result is therefore true from one day before the purge may delete the row.
 */
export function mayBePurged(referralId: string, now: Instant): boolean {
  return isIdBefore('referral', referralId, new Date(plusDays(now, 1 - KEPT_DAYS)));
}
