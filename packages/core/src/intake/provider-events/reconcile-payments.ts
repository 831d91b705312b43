import { sql } from 'kysely';
import { type MerchantRefund, refundedAmount } from '../../ledger/sales/counted-refunds.ts';
import type { Check, Finding } from '../../payouts/runs/check.ts';
import { MAX_DISCREPANCIES } from '../../payouts/runs/reconcile.schema.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { DisputeSeen, RefundSeen } from '../../sources/port/seen.ts';
import { returnedTotal } from '../sales/facts-of-payment.ts';

/** Finds sales that contradict the payment that a source has told of them. */
export const PAYMENTS: Check = {
  code: 'payment_mismatch',
  message:
    'The sale has another currency, mode or dispute than its payment, or two sales have an amount for one payment, or a sale without an own payment has one.',
  find: (ctx, from) => sql`
    select sale.id as sale_id, sale.currency, sale.charge_amount_cents as actual_cents
    from sale left join payment on payment.sale_id = sale.id
    where sale.account_id = ${ctx.accountId} and sale.updated_at >= ${from} and (
      payment.currency <> sale.currency or payment.livemode <> sale.livemode or sale.tax_amount_cents > sale.charge_amount_cents
      or (payment.sale_id is not null and sale.disputed <> jsonb_path_exists(payment.disputes, '$[*] ? (@.outcome == "open")'))
      or (sale.repeats_sale_id is not null and (sale.charge_amount_cents <> 0 or exists (select from refund where refund.sale_id = sale.id)))
      or (sale.charge_amount_cents <> 0 and sale.id in (
        select named.sale_id from payment other cross join unnest(other.names) told (name)
          join payment_name named on named.account_id = other.account_id and named.name = told.name and not of_group
        where other.account_id = ${ctx.accountId} and named.sale_id <> other.sale_id)))`,
};

interface RefundedSale {
  id: string;
  currency: string;
  charge_amount_cents: number;
  refund_amount_cents: number;
  uncounted_refund_cents: number | null;
  imported_refund_cents: number | null;
  refunds: RefundSeen[] | null;
  disputes: DisputeSeen[] | null;
  reported: MerchantRefund[];
}

/** Finds sales whose refunds are not those that the source and the reports of the merchant state. */
export const REFUNDS: Check = {
  code: 'refund_mismatch',
  message: 'The refunds of the sale are not those that were reported.',
  find: async (ctx, from) => {
    const found: Finding[] = [];
    for await (const sale of refundedSales(ctx, from)) {
      const { refunds, disputes } = sale;
      const told =
        refunds === null || disputes === null ? (sale.imported_refund_cents ?? 0) : returnedTotal({ refunds, disputes });
      const { total, uncounted } = refundedAmount(sale, told, sale.reported);
      const expected_cents = Math.min(total, sale.charge_amount_cents);
      if (sale.refund_amount_cents === expected_cents && (sale.uncounted_refund_cents ?? 0) === uncounted) continue;
      found.push({ sale_id: sale.id, currency: sale.currency, expected_cents, actual_cents: sale.refund_amount_cents });
      if (found.length === MAX_DISCREPANCIES) break;
    }
    return found;
  },
};

/** Sales per statement. */
const BATCH = 1_000;

async function* refundedSales({ db, accountId }: Ctx, from: Instant): AsyncGenerator<RefundedSale> {
  for (let last = ''; ;) {
    const { rows } = await sql<RefundedSale>`
      select sale.id, sale.currency, charge_amount_cents, refund_amount_cents, uncounted_refund_cents, imported_refund_cents, payment.refunds, payment.disputes, coalesce(reported.of, '[]') as reported
      from sale left join payment on payment.sale_id = sale.id
      left join lateral (
        select jsonb_agg(jsonb_build_object(
          'reported_sale_id', refund.reported_sale_id, 'amount_cents', refund.amount_cents, 'repeated', refund.repeated)) as of
        from refund where refund.sale_id = sale.id
      ) reported on true
      where sale.account_id = ${accountId} and sale.updated_at >= ${from} and sale.id > ${last}
        and (refund_amount_cents > 0 or uncounted_refund_cents is not null or reported.of is not null
          or payment.refunds <> '[]' or payment.disputes <> '[]')
      order by sale.id limit ${BATCH}`.execute(db);
    yield* rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)!.id;
  }
}
