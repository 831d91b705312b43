/**
 * The mode of a sale, in TypeScript for one sale and in SQL for many (docs/rules/platform.md#modes). `livemode` is null on a sale that only
 * the merchant has reported. Such a sale is live.
 */
import { sql } from 'kysely';

export function isLive({ livemode }: { livemode: boolean | null }): boolean {
  return livemode !== false;
}

/** SQL equivalent of `isLive` for a row of `sale`. */
export const IS_LIVE_SALE = sql<boolean>`(sale.livemode is distinct from false)`;
