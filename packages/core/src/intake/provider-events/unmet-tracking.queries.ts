import { sql } from 'kysely';
import { IS_PURCHASE } from '../../ledger/sales/purchase.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { IS_CONNECTED } from '../../sources/connections/open-connection.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';

const DAYS = 7;

/**
 * True if the visits of affiliates' links and the payments of the provider have not met for a week (docs/rules/intake.md#tracking-and-payments):
 * affiliates' links had visitors and new customers paid, but none of them had a referral.
 */
export async function hasUnmetTracking({ db, accountId, now }: Ctx): Promise<boolean> {
  const since = sql`${plusDays(now, -DAYS)}::timestamptz`;
  // Payments of customers who were known before say nothing about the checkouts of this week.
  const paid = sql`
    select from sale left join customer on customer.id = sale.customer_id
    where sale.account_id = ${accountId} and sale.charged_at >= ${since} and sale.livemode = (connection.mode = ${ownMode(accountId)}) and ${IS_PURCHASE}
      and (customer.id is null or customer.created_at >= ${since})`;
  const { rows } = await sql`
    select from connection
    where account_id = ${accountId} and ${IS_CONNECTED} and created_at <= ${since}
      and exists (select from referral where account_id = ${accountId} and link_id is not null and created_at >= ${since})
      and exists (${paid})
      and not exists (${paid} and sale.referral_id is not null)
      and not exists (
        select from referral
        where account_id = ${accountId} and conversion_state in ('lead', 'conversion') and updated_at >= ${since} and exists (
          select from attribution_claim claim
          where claim.referral_id = referral.id and claim.kind = 'link' and claim.proven and claim.made_at >= ${since}))`.execute(
    db,
  );
  return rows.length > 0;
}
