import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purgeInBatches } from '../../platform/db/purge-in-batches.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { isIdBefore } from '../../platform/wire/ids.ts';
import { purgeVisitors } from './referral.transitions.ts';

/** Days after its expiry that a visitor's referral is kept. The provider cannot report anything later about the time before. */
const KEPT_DAYS = 30;

/** Deletes expired referrals of visitors who never left an address, and counts them (docs/domain-rules.md#retention). Returns the number deleted. */
export function purgeExpiredVisitors({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = plusDays(toInstant(clock.now()), -KEPT_DAYS);
  return purgeInBatches((limit) => purgeVisitors(database.kysely, before, limit), mustStop);
}

/** Reports whether an id that is unknown now may have been a visitor's referral. A day less: an id is made shortly after its row's time. */
export function mayBePurged(referralId: string, now: Instant): boolean {
  return isIdBefore('referral', referralId, new Date(plusDays(now, 1 - KEPT_DAYS)));
}
