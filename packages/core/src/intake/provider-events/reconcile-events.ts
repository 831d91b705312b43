import { sql } from 'kysely';
import { type MerchantRefund, refundedAmount } from '../../ledger/sales/refund.ts';
import type { Check, Finding } from '../../payouts/runs/contradictions.ts';
import { MAX_DISCREPANCIES, type Reconciliation } from '../../payouts/runs/reconcile.schema.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { storedReason } from '../../platform/texts/reason.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { IGNORED } from '../../sources/port/reasons.ts';
import type { DisputeSeen, RefundSeen } from '../../sources/port/seen.ts';
import { returnedTotal } from '../sales/facts-of-payment.ts';
import { IS_KEPT } from './psp-event.ts';

/** Finds provider events that the service gave up on (docs/rules/intake.md#retries-of-provider-events). */
export const FAILED_EVENTS: Check = {
  code: 'failed_event',
  message: 'An event of the payment provider could not be applied.',
  find: (ctx) => sql`
    select psp_event_id,
      format('The event (%s) of the payment provider failed %s times and is not tried again. Last error: %s', type, attempts, problem) as message
    from psp_event
    where account_id = ${ctx.accountId} and state = 'pending' and gave_up_at is not null
    order by occurred_at`,
};

/** Finds provider events that are kept without an effect, one finding per mode and reason (docs/rules/intake.md#kept-events). */
export const KEPT_EVENTS: Check = {
  code: 'kept_event',
  message: 'Events of the payment provider had no effect.',
  find: async (ctx) => {
    const { rows } = await sql<{ psp_event_id: string; count: number; livemode: boolean; type: string; problem: string }>`
      select (array_agg(psp_event_id order by occurred_at, psp_event_id))[1] as psp_event_id, count(*) as count, livemode,
        (array_agg(type order by occurred_at, psp_event_id))[1] as type, problem
      from psp_event
      where account_id = ${ctx.accountId} and ${IS_KEPT}
      group by livemode, problem order by min(occurred_at) limit ${MAX_DISCREPANCIES}`.execute(ctx.db);
    return rows.map(({ psp_event_id, count, livemode, type, problem }) => ({
      psp_event_id,
      message: `Events of the payment provider that had no effect and are kept: ${count} (${livemode ? 'live' : 'test'}). The oldest is a ${type}. Reason: ${storedReason(IGNORED, problem).in()}`,
    }));
  },
};

/** Counts records that are incomplete until further events arrive. Small numbers are normal. */
export async function countWaiting({ db, accountId }: Ctx, from: Instant): Promise<Reconciliation['waiting']> {
  const { rows } = await sql<Reconciliation['waiting']>`
    select
      (select count(*) from psp_event where account_id = ${accountId} and state = 'pending' and gave_up_at is null) as events,
      (select count(*) from payment_pieces where account_id = ${accountId} and not charged and updated_at >= ${from}) as payments_without_amount,
      (select count(*) from sale
        where account_id = ${accountId} and referral_id is null and charged_at >= ${from}) as sales_without_referral`.execute(db);
  return rows[0]!;
}

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
