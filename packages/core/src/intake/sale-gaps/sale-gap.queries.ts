import { sql } from 'kysely';
import type { NoCommissionReason, PaidOutside } from '../../ledger/sales/sale.entity.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { PAYMENT_WAYS, type PaymentWay } from '../../sources/port/seen.ts';
import { gapOfSale, type SaleGap } from './gap-of-sale.ts';

interface Row {
  id: string;
  reason: NoCommissionReason;
  is_reported: boolean;
  paid_outside: PaidOutside | null;
  ways: PaymentWay[];
  source: string | null;
  stray_reference: string | null;
  unknown_codes: string[];
  claimed_later_at: string | null;
}

/** Returns what each of the sales lacked, in the order of the sales. Null for a sale that earned a commission. Takes one statement. */
export async function findGaps({ db, accountId, services }: Ctx, sales: readonly { id: string }[]): Promise<(SaleGap | null)[]> {
  // The customer's first checkout says how the customer pays later invoices.
  const { rows } = await sql<Row>`
    select sale.id, sale.no_commission_reason as reason, sale.paid_outside,
      (sale.livemode is null and sale.external_id is not null) as is_reported,
      (select source from connection where connection.id = sale.connection_id) as source,
      array(
        select way from payment where sale_id = sale.id and way is not null
        union select first.way from (
          select paid.way from sale earlier join payment paid on paid.sale_id = earlier.id
          where earlier.account_id = ${accountId} and earlier.customer_id = sale.customer_id and earlier.charged_at <= sale.charged_at
            and paid.way in ('checkout', 'payment_link')
          order by earlier.charged_at limit 1) first
      ) as ways,
      (
        select min(reference) from (
          select unnest(stray_references) as reference from payment where sale_id = sale.id
          union all select stray_reference from customer where customer.id = sale.customer_id
        ) named
        where reference is not null and not exists (
          select from referral where referral.account_id = ${accountId} and referral.id = named.reference)
      ) as stray_reference,
      array(
        select distinct code from payment, unnest(codes) code
        where sale_id = sale.id and not exists (
          select from promo_code
          where promo_code.account_id = ${accountId} and promo_code.livemode = sale.livemode and psp_promotion_code_id = code)
        order by code
      ) as unknown_codes,
      (
        select wire_time(min(made_at)) from attribution_claim claim
        left join referral on referral.id = claim.referral_id
        where claim.customer_id = sale.customer_id and claim.made_at > sale.charged_at
          and (claim.kind = 'code' or date_trunc('second', referral.created_at) <= sale.charged_at)
      ) as claimed_later_at
    from sale
    where sale.account_id = ${accountId} and sale.id = any(${sales.map(({ id }) => id)}) and sale.no_commission_reason is not null`.execute(
    db,
  );
  const gaps = new Map(
    rows.map((row) => [
      row.id,
      gapOfSale({
        reason: row.reason,
        isReported: row.is_reported,
        paidOutside: row.paid_outside,
        way: PAYMENT_WAYS.find((way) => row.ways.includes(way)) ?? null,
        line: services.sources.get(row.source ?? '')?.namingLine ?? null,
        strayReference: row.stray_reference,
        unknownCodes: row.unknown_codes,
        claimedLaterAt: row.claimed_later_at,
      }),
    ]),
  );
  return sales.map(({ id }) => gaps.get(id) ?? null);
}
