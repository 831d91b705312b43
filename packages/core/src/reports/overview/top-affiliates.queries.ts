import { sql } from 'kysely';
import { IS_CREDITED } from '../../ledger/earning/credited.ts';
import { SALE_AMOUNT_CENTS } from '../../ledger/sales/sale-amount.ts';
import { IS_LIVE_SALE } from '../../ledger/sales/sale-mode.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { dayRange } from './day-range.ts';
import type { GetTopAffiliates, TopAffiliates } from './overview.schema.ts';

/**
 * Returns the affiliates with the highest sales in a range of days.
 *
 * @throws VALIDATION_ERROR if the range ends before it starts or is too long
 */
export async function getTopAffiliates(ctx: Ctx, input: GetTopAffiliates): Promise<TopAffiliates> {
  const { from, to, start, end } = dayRange(ctx, input);
  const { rows } = await sql<TopAffiliates['affiliates'][number]>`
    select affiliate.id, email, first_name, last_name, affiliate.state, sales, sales_cents, commissions_cents
    from (
      select affiliate_id, count(*) as sales,
        sum(${SALE_AMOUNT_CENTS}) as sales_cents,
        coalesce(sum(earned.amount_cents), 0) as commissions_cents
      from sale left join lateral (
        select sum(amount_cents) as amount_cents from commission
        where sale_id = sale.id and commission.currency = sale.currency and commission.livemode and ${IS_CREDITED}
      ) earned on true
      where account_id = ${ctx.accountId} and charged_at >= ${start} and charged_at < ${end}
        and ${IS_LIVE_SALE} and sale.currency = ${input.currency} and affiliate_id is not null
      group by affiliate_id
    ) sold join affiliate on affiliate.id = sold.affiliate_id
    order by sales_cents desc, affiliate.id limit ${input.limit}`.execute(ctx.db);
  return { from, to, currency: input.currency, affiliates: rows };
}
