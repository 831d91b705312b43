import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { searchFilter } from '../../platform/wire/filters.ts';
import { pageInput } from '../../platform/wire/pagination.ts';
import { GetAnalytics } from '../../reports/analytics/analytics.ts';
import { endOfDay, startOfDay } from '../../reports/analytics/counts.queries.ts';
import type { AffiliateCtx } from './affiliate-context.ts';

const { since, until } = GetAnalytics.shape;

/** Filters of an affiliate's lists of sales and commissions, by day in the time zone of the account. */
export const ownListInput = {
  ...pageInput,
  ...searchFilter('customer, description, code and link, as the affiliate sees them', 'tea'),
  since: since.describe('First day, in the time zone of the account.'),
  until: until.describe('Last day.'),
  currency: GetAnalytics.shape.currency.describe('Filters by currency.'),
};

interface OwnFilters {
  q?: string | undefined;
  since?: z.infer<typeof since>;
  until?: z.infer<typeof until>;
  currency?: string | undefined;
}

/** Returns the SQL condition for `ownListInput`. */
export async function whatIsAsked(
  { mine }: AffiliateCtx,
  { q, since: first, until: last, currency }: OwnFilters,
  row: { at: RawBuilder<unknown>; currency: RawBuilder<unknown>; texts: readonly RawBuilder<unknown>[] },
): Promise<RawBuilder<boolean>> {
  const [account] =
    first === undefined && last === undefined ? [] : await mine('account').selectFrom('account').select('time_zone').execute();
  const conditions = [
    sql<boolean>`true`,
    ...(first === undefined ? [] : [sql<boolean>`${row.at} >= ${startOfDay(account!.time_zone, first)}`]),
    ...(last === undefined ? [] : [sql<boolean>`${row.at} < ${endOfDay(account!.time_zone, last)}`]),
    ...(currency === undefined ? [] : [sql<boolean>`${row.currency} = ${currency}`]),
    ...(q === undefined ? [] : [sql<boolean>`position(lower(${q}) in lower(concat_ws(' ', ${sql.join(row.texts)}))) > 0`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
