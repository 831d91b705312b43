import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { refundHistory, type ReturnedMoney } from '../../intake/provider-events/refund-history.ts';
import type { RefundLedger } from '../../intake/provider-events/refund-ledger.ts';

/** A refund, a failed refund or a lost dispute of a sale. */
export interface RefundEntry {
  at: Instant;
  kind: ReturnedMoney['kind'];
  record_id: string;
  amount_cents: number;
  currency: string;
  actor: 'stripe' | 'report';
}

interface Row {
  id: string;
  currency: string;
  reported: { at: Instant; amount: number }[];
  ledgers: RefundLedger[];
}

/**
 * Lists the refunds of sales, from the merchant's reports and from the payment provider. If both reported refunds of a sale, returns only
 * those of the source with the larger total, because only that total counts (docs/rules/intake.md#the-same-sale-twice).
 *
 * @param sales a query with the ids of sales of the account, in one column `id`
 */
export async function refundsOfSales(db: Db, sales: RawBuilder<unknown>): Promise<RefundEntry[]> {
  const { rows } = await sql<Row>`
    with in_sale as (${sales})
    select sale.id, sale.currency,
      coalesce((
        select json_agg(json_build_object('at', wire_time(refund.created_at), 'amount', refund.amount_cents))
        from refund where refund.sale_id = sale.id), '[]') as reported,
      coalesce((
        select json_agg(payment.refunds) from psp_payment payment
        where payment.account_id = sale.account_id and payment.livemode = coalesce(sale.livemode, true) and payment.sale_id = sale.id
          and (payment.charge_id = sale.psp_charge_id or payment.payment_intent_id = sale.psp_payment_intent_id
            or payment.invoice_id = sale.psp_invoice_id)), '[]') as ledgers
    from in_sale join sale using (id)`.execute(db);
  return rows.flatMap(({ id, currency, reported, ledgers }) => {
    const told = ledgers.flatMap(refundHistory);
    const own = reported.map(({ at, amount }) => ({ at, kind: 'refund' as const, amount: -amount }));
    const [entries, actor] = sum(own) < sum(told) ? [own, 'report' as const] : [told, 'stripe' as const];
    return entries.map(({ at, kind, amount }) => ({ at, kind, record_id: id, amount_cents: amount, currency, actor }));
  });
}

function sum(entries: readonly { amount: number }[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}
