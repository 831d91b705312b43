import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { invalid } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { MAX_SORTED_BY_AMOUNT } from './limits.ts';

/**
 * Checks that a list can be sorted by `sort`. Only sorting by amount is restricted (docs/rules/platform.md#lists).
 *
 * @param query the list with its filters
 * @throws VALIDATION_ERROR if the list has more than `limit` records or several currencies
 */
export async function checkAmountOrder<DB, TB extends keyof DB, Row>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, Row>,
  sort: string,
  limit = MAX_SORTED_BY_AMOUNT,
): Promise<void> {
  if (!sort.endsWith('amount_cents')) return;
  const found = query
    .clearSelect()
    .select(sql.ref<string>('currency').as('currency'))
    .limit(sql.lit(limit + 1));
  const { rows } = await sql<{ records: number; first: string | null; last: string | null }>`
    select count(*) as records, min(currency) as first, max(currency) as last from (${found}) found`.execute(db);
  const { records, first, last } = rows[0]!;
  if (first !== last) {
    const message = PLATFORM_REASONS.several_currencies({ currency: first ?? '' });
    throw invalid('currency', message, 'several_currencies');
  }
  if (records > limit) {
    const message = PLATFORM_REASONS.too_many_to_sort({ max: limit.toLocaleString('en-US') });
    throw invalid('sort', message, 'too_many_records');
  }
}
