/**
 * The mode of a sale, in TypeScript for one and in SQL for many (docs/domain-rules.md#modes). The payment provider names the mode; what a
 * merchant reports itself is live.
 */
import { sql } from 'kysely';

export function isLive({ livemode }: { livemode: boolean | null }): boolean {
  return livemode !== false;
}

/** `isLive` for rows of `sale`. */
export const IS_LIVE_SALE = sql<boolean>`(sale.livemode is distinct from false)`;
