import { sql } from 'kysely';
import type { MerchantRefund } from '../../ledger/sales/counted-refunds.ts';
import { refundedAmount } from '../../ledger/sales/counted-refunds.ts';
import type { Check, Finding } from '../../payouts/runs/check.ts';
import { MAX_DISCREPANCIES } from '../../payouts/runs/reconcile.schema.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { type RefundLedger, refundedTotal } from '../provider-refunds/refund-ledger.ts';

/** Finds sales that contradict the payment that Stripe has reported for them. */
export const PAYMENTS: Check = {
  code: 'payment_mismatch',
  message:
    'The sale has another currency, mode or dispute than its payment, or two sales have an amount for one payment, or a sale without an own payment has one.',
  find: (ctx, from) => sql`
    select sale.id as sale_id, sale.currency, sale.charge_amount_cents as actual_cents
    from sale left join psp_payment payment on payment.sale_id = sale.id
    where sale.account_id = ${ctx.accountId} and sale.updated_at >= ${from} and (
      payment.currency <> sale.currency or payment.livemode <> sale.livemode or sale.tax_amount_cents > sale.charge_amount_cents
      or (payment.id is not null and sale.disputed <> exists (
        select from jsonb_each(payment.refunds -> 'disputes') dispute where dispute.value ->> 'open' = 'true'))
      or (sale.repeats_sale_id is not null and (sale.charge_amount_cents <> 0 or exists (select from refund where refund.sale_id = sale.id)))
      or (sale.charge_amount_cents <> 0 and exists (
        select from psp_payment other where other.account_id = sale.account_id and other.sale_id <> sale.id
          and other.livemode = coalesce(sale.livemode, other.livemode)
          and (other.charge_id = sale.psp_charge_id or other.payment_intent_id = sale.psp_payment_intent_id))))`,
};

interface RefundedSale {
  id: string;
  currency: string;
  charge_amount_cents: number;
  refund_amount_cents: number;
  uncounted_refund_cents: number | null;
  refunds: RefundLedger | null;
  reported: MerchantRefund[];
}

/** Finds sales whose refunds are not those that Stripe and the reports of the merchant state. */
export const REFUNDS: Check = {
  code: 'refund_mismatch',
  message: 'The refunds of the sale are not those that were reported.',
  find: async (ctx, from) => {
    const found: Finding[] = [];
    for await (const sale of refundedSales(ctx, from)) {
      const { total, uncounted } = refundedAmount(sale, sale.refunds === null ? 0 : refundedTotal(sale.refunds), sale.reported);
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
      select sale.id, sale.currency, charge_amount_cents, refund_amount_cents, uncounted_refund_cents, payment.refunds, coalesce(reported.of, '[]') as reported
      from sale left join psp_payment payment on payment.sale_id = sale.id
      left join lateral (
        select jsonb_agg(jsonb_build_object(
          'reported_sale_id', refund.reported_sale_id, 'amount_cents', refund.amount_cents, 'repeated', refund.repeated)) as of
        from refund where refund.sale_id = sale.id
      ) reported on true
      where sale.account_id = ${accountId} and sale.updated_at >= ${from} and sale.id > ${last}
        and (refund_amount_cents > 0 or uncounted_refund_cents is not null or reported.of is not null
          or payment.refunds ->> 'reported' is not null or payment.refunds -> 'refunds' <> '{}' or payment.refunds -> 'disputes' <> '{}')
      order by sale.id limit ${BATCH}`.execute(db);
    yield* rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)!.id;
  }
}
