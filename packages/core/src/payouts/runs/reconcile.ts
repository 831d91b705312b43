import { sql } from 'kysely';
import { IS_CONTESTED } from '../../ledger/commissions/commission.entity.ts';
import { IS_PAYABLE } from '../../ledger/commissions/commission.transitions.ts';
import { IS_CREDITED, OWED_CENTS } from '../../ledger/earning/credited.ts';
import { HOLDS_PAYOUT } from '../../ledger/payouts/payout-attempt.entity.ts';
import { IS_OPEN } from '../../ledger/payouts/payout.entity.ts';
import { IS_PAYMENT_KEPT } from '../../ledger/sales/sale-list.queries.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { type Instant, plusDays, plusMilliseconds } from '../../platform/time/instant.ts';
import { type Check, CONTRADICTIONS, type Finding, NAMED_COMMISSIONS, NAMED_IDS, RUN_AND_EXPORT } from './contradictions.ts';
import { stateOfRun } from './payout-run.queries.ts';
import {
  type Discrepancy,
  type DiscrepancyCode,
  MAX_DISCREPANCIES,
  type ReconcilePayouts,
  type Reconciliation,
  STUCK_AFTER_MINUTES,
} from './reconcile.schema.ts';

/** SQL condition: the payout is open or processing, or was paid or returned since `from`. */
const relevant = (ctx: Ctx, from: Instant) =>
  sql`payout.account_id = ${ctx.accountId} and ((${IS_OPEN} or payout.status = 'processing') or payout.paid_at >= ${from} or payout.returned_at >= ${from})`;

const BATCH = sql`left join payout_batch batch on batch.id = attempt.batch_id`;

const EXPORT_STUCK = `The export is being paid and made no progress for ${STUCK_AFTER_MINUTES} minutes. Check that a worker is running.`;
const EXPORT_FAILED = `An error keeps the payout from being marked paid, although the export is being paid. The log of the worker names the error. The worker tries again every minute.`;

const CHECKS: readonly Check[] = [
  {
    code: 'run_stuck',
    message: `The run has unfinished items and made no progress for ${STUCK_AFTER_MINUTES} minutes. Check that a worker is running.`,
    find: (ctx) => sql`
      select id as payout_run_id from payout_batch
      where account_id = ${ctx.accountId} and kind = 'run' and working and updated_at < ${plusMilliseconds(ctx.now, -STUCK_AFTER_MINUTES * 60_000)}`,
  },
  {
    code: 'export_stuck',
    message: EXPORT_STUCK,
    find: (ctx) => sql`
      select export.id as payout_export_id, failed.payout_id,
        case when failed.payout_id is null then ${EXPORT_STUCK}::text else ${EXPORT_FAILED}::text end as message
      from payout_batch export left join payout_attempt failed
        on failed.batch_id = export.id and failed.state in ('candidate', 'prepared') and failed.state = 'prepared' and failed.reason is not null
      where export.account_id = ${ctx.accountId} and export.kind = 'export' and export.working
        and export.updated_at < ${plusMilliseconds(ctx.now, -STUCK_AFTER_MINUTES * 60_000)}`,
  },
  {
    code: 'missing_claim',
    message: 'The payout is processing, but no export or run holds it.',
    find: (ctx) => sql`
      select id as payout_id, currency, amount_cents as actual_cents from payout
      where account_id = ${ctx.accountId} and status = 'processing'
        and not exists (select from payout_attempt attempt where attempt.payout_id = payout.id and ${HOLDS_PAYOUT})`,
  },
  {
    code: 'orphaned_claim',
    message: 'A finished export or run still holds the payout, or an export or run holds the payout although the payout is open.',
    find: (ctx) => sql`
      select payout.id as payout_id, ${RUN_AND_EXPORT}, payout.currency, payout.amount_cents as actual_cents
      from payout join payout_attempt attempt on attempt.payout_id = payout.id and ${HOLDS_PAYOUT} ${BATCH}
      where payout.account_id = ${ctx.accountId} and (${IS_OPEN} or payout.status = 'processing')
        and (${IS_OPEN} or (batch.stage not in ('prepared', 'paying') and not batch.working))`,
  },
  {
    code: 'amount_mismatch',
    message: 'The amount of the payout is not the sum of its commissions, or its number of commissions is wrong.',
    find: (ctx, from) => sql`
      select payout.id as payout_id, payout.currency, coalesce(sum(commission.amount_cents), 0) as expected_cents,
        payout.amount_cents as actual_cents
      from payout
      left join (
        select item.payout_id, commission.id, commission.amount_cents from payout_item item
        join commission on commission.id = item.commission_id
        union all
        select payout_id, commission_id, amount_cents from returned_payout_item
      ) commission on commission.payout_id = payout.id
      where ${relevant(ctx, from)}
      group by payout.id
      having payout.amount_cents <> coalesce(sum(commission.amount_cents), 0) or payout.commissions_count <> count(commission.id)`,
  },
  {
    code: 'item_mismatch',
    message: 'The amount or paid state of the payout differs from the one that its export or run records.',
    find: (ctx, from) => sql`
      select payout.id as payout_id, ${RUN_AND_EXPORT}, payout.currency, attempt.amount_cents as expected_cents, payout.amount_cents as actual_cents
      from payout join payout_attempt attempt on attempt.payout_id = payout.id and ${HOLDS_PAYOUT} ${BATCH}
      where ${relevant(ctx, from)} and attempt.batch_id is not null
        and (attempt.amount_cents <> payout.amount_cents
          or (attempt.state in ('arrived', 'returned')) <> (payout.status in ('paid', 'returned'))
          or (attempt.state = 'returned') <> (payout.status = 'returned')
          or (batch.kind = 'export' and batch.stage <> 'paying' and (batch.stage = 'prepared') = (payout.status in ('paid', 'returned'))))`,
  },
  {
    code: 'unpaid_commissions',
    message: 'The payout is paid, but some of its commissions are not.',
    find: (ctx, from) => sql`
      select payout.id as payout_id, payout.currency, 0 as expected_cents, sum(commission.amount_cents) as actual_cents,
        ${NAMED_COMMISSIONS}
      from payout
      join payout_item item on item.payout_id = payout.id
      join commission on commission.id = item.commission_id
      where payout.account_id = ${ctx.accountId} and payout.status = 'paid' and payout.paid_at >= ${from}
        and commission.state in ('pending', 'due')
      group by payout.id`,
  },
  {
    code: 'uncollected_commissions',
    message: 'Commissions of one affiliate are due and not flagged, but are not in a payout.',
    find: (ctx) => sql`
      select currency, sum(amount_cents) as expected_cents, 0 as actual_cents, ${NAMED_COMMISSIONS}
      from commission
      where account_id = ${ctx.accountId} and ${IS_PAYABLE}
        and not exists (select from payout_item where commission_id = commission.id)
      group by affiliate_id, currency, livemode`,
  },
  {
    code: 'paid_commissions',
    message: 'The payout is not paid, but some of its commissions are.',
    find: (ctx) => sql`
      select payout.id as payout_id, payout.currency, 0 as expected_cents, sum(commission.amount_cents) as actual_cents, ${NAMED_COMMISSIONS}
      from payout
      join payout_item item on item.payout_id = payout.id
      join commission on commission.id = item.commission_id
      where payout.account_id = ${ctx.accountId} and payout.status <> 'paid' and commission.state = 'paid'
      group by payout.id`,
  },
  {
    code: 'sale_mismatch',
    message: 'The commission of a sale and its adjustments do not add up to the amount that the sale earns.',
    // Sales with a voided adjustment are left out. By voiding an adjustment, the merchant chose another total, which stays valid until the
    // next refund. All commissions of a sale count, also those that have not changed since `from`.
    find: (ctx, from) => sql`
      with changed as materialized (
        select sale_id from commission where account_id = ${ctx.accountId} and updated_at >= ${from} and sale_id is not null
        union select id from sale where account_id = ${ctx.accountId} and updated_at >= ${from}
      )
      select earning.currency, earning.owed_cents as expected_cents, credited.cents as actual_cents, earning.commission_ids
      from (
        select commission.sale_id, commission.affiliate_id, commission.currency, sum(${OWED_CENTS}) as owed_cents, ${NAMED_COMMISSIONS}
        from changed join sale on sale.id = changed.sale_id join commission on commission.sale_id = sale.id
        where commission.account_id = ${ctx.accountId} and commission.kind in ('sale', 'imported', 'bonus')
          and not exists (
            select from commission adjustment
            where adjustment.sale_id = sale.id and adjustment.kind = 'adjustment' and adjustment.state = 'voided')
        group by commission.sale_id, commission.affiliate_id, commission.currency
      ) earning
      cross join lateral (
        select coalesce(sum(amount_cents), 0) as cents from commission
        where commission.sale_id = earning.sale_id and commission.affiliate_id = earning.affiliate_id
          and commission.currency = earning.currency and ${IS_CREDITED}
      ) credited
      where earning.owed_cents <> credited.cents`,
  },
  {
    code: 'paid_attribution',
    message:
      'The commission of the sale is paid, but by facts that arrived later another affiliate or nobody earns from the sale.',
    // A returned commission is listed too, because no fact may have corrected it yet.
    find: (ctx, from) => sql`
      select sale.id as sale_id, sale.contested ->> 'affiliate_id' as affiliate_id, commission.currency,
        commission.amount_cents as actual_cents, array[commission.id] as commission_ids
      from sale join commission on commission.sale_id = sale.id
      where sale.account_id = ${ctx.accountId} and sale.contested is not null and sale.contested ->> 'amount_cents' is null
        and not ${IS_PAYMENT_KEPT}
        and commission.kind = 'sale' and not commission.superseded and commission.state <> 'voided'
        and (commission.updated_at >= ${from} or sale.updated_at >= ${from})`,
  },
  {
    code: 'paid_reward',
    message:
      'The commission of the sale is paid, but by the tiers or the time of the charge that are known now it would have another amount.',
    find: (ctx, from) => sql`
      select sale.id as sale_id, sale.contested ->> 'affiliate_id' as affiliate_id, commission.currency,
        (sale.contested ->> 'amount_cents')::bigint as expected_cents, sum(commission.amount_cents) as actual_cents, ${NAMED_COMMISSIONS}
      from sale join commission on commission.sale_id = sale.id
      where sale.account_id = ${ctx.accountId} and sale.contested ->> 'amount_cents' is not null
        and not ${IS_PAYMENT_KEPT} and commission.kind in ('sale', 'bonus') and not commission.superseded and commission.state <> 'voided'
        and commission.affiliate_id = sale.affiliate_id
      group by sale.id, commission.currency
      having bool_or(commission.kind = 'sale') and (max(commission.updated_at) >= ${from} or sale.updated_at >= ${from})`,
  },
  paidRewards(
    'paid_reward',
    'bonus',
    'The bonus is paid, but the commission of its sale was voided, or by facts that arrived later another affiliate or nobody earns from the sale.',
  ),
  paidRewards(
    'paid_lead',
    'lead',
    'The reward for the lead is paid, but by the facts that are known now another affiliate, nobody or another amount would be rewarded.',
  ),
  paidRewards(
    'paid_milestone',
    'milestone',
    'The milestone is paid, but refunds or corrections that arrived later have undone it at least in part.',
  ),
  {
    code: 'uncounted_refund',
    message:
      'Two reports name the payment of the sale, each with refunds of its own. Only the larger total is counted, because the refunds may be the same. If they are not, report all of them for one external_id, each with its refund_id.',
    find: (ctx, from) => sql`
      select id as sale_id, currency, refund_amount_cents + uncounted_refund_cents as expected_cents, refund_amount_cents as actual_cents
      from sale where account_id = ${ctx.accountId} and uncounted_refund_cents is not null and updated_at >= ${from}`,
  },
  {
    code: 'mode_mismatch',
    message:
      'The payout and its commissions, or the payout and the export or run that holds it, are in different modes (live and test).',
    find: (ctx, from) => sql`
      select payout.id as payout_id, ${RUN_AND_EXPORT}, payout.currency, payout.amount_cents as actual_cents, other.commission_ids
      from payout
      left join payout_attempt attempt on attempt.payout_id = payout.id and ${HOLDS_PAYOUT} ${BATCH}
      cross join lateral (
        select coalesce(${NAMED_IDS}, '{}') as commission_ids from payout_item item
        join commission on commission.id = item.commission_id
        where item.payout_id = payout.id and commission.livemode <> payout.livemode
      ) other
      where ${relevant(ctx, from)} and (other.commission_ids <> '{}' or batch.livemode <> payout.livemode)`,
  },
];

/** Returns the check for paid rewards of a kind that facts contradict. */
function paidRewards(code: DiscrepancyCode, kind: 'bonus' | 'lead' | 'milestone', message: string): Check {
  return {
    code,
    message,
    find: (ctx, from) => sql`
      select sale_id, contested ->> 'affiliate_id' as affiliate_id, currency, (contested ->> 'amount_cents')::bigint as expected_cents,
        amount_cents as actual_cents, array[id] as commission_ids
      from commission
      where account_id = ${ctx.accountId} and ${IS_CONTESTED} and kind = ${kind} and not superseded
        and updated_at >= ${from}`,
  };
}

/**
 * Finds contradictions between an account's payouts, commissions, sales, exports and runs (docs/rules/payouts.md#reconciliation). Paid
 * payouts are checked if they were paid since `from`. Sales are checked if they or their commissions changed since `from`.
 *
 * @param more further checks, from modules that depend on this one
 */
async function findDiscrepancies(ctx: Ctx, from: Instant, more: readonly Check[]): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  for (const { code, message, find } of [...CHECKS, ...CONTRADICTIONS, ...more]) {
    const query = find(ctx, from);
    const rows =
      query instanceof Promise
        ? await query
        : (await sql<Finding>`select * from (${query}) finding limit ${MAX_DISCREPANCIES}`.execute(ctx.db)).rows;
    found.push(
      ...rows.map((row) => ({
        code,
        message,
        payout_run_id: null,
        payout_export_id: null,
        payout_id: null,
        sale_id: null,
        affiliate_id: null,
        psp_event_id: null,
        currency: null,
        expected_cents: null,
        actual_cents: null,
        commission_ids: [],
        ...row,
      })),
    );
  }
  return found;
}

/** Parts of the report that come from modules that depend on this one. */
interface Intake {
  checks: readonly Check[];
  countWaiting: (ctx: Ctx, from: Instant) => Promise<Reconciliation['waiting']>;
}

/**
 * Returns the payouts paid in the window, the number of records that are incomplete until further events arrive, and all discrepancies
 * (docs/rules/payouts.md#reconciliation). Changes nothing.
 */
export async function reconcilePayouts(
  ctx: Ctx,
  { lookback_days }: ReconcilePayouts,
  { checks, countWaiting }: Intake,
): Promise<Reconciliation> {
  const from = plusDays(ctx.now, -lookback_days);
  return {
    lookback_days,
    from,
    until: ctx.now,
    runs: await runsSince(ctx, from),
    totals: await paidSince(ctx, from),
    fees: await feesSince(ctx, from),
    waiting: await countWaiting(ctx, from),
    discrepancies: await findDiscrepancies(ctx, from, checks),
  };
}

async function runsSince(ctx: Ctx, from: Instant): Promise<Reconciliation['runs']> {
  const rows = await ctx.db
    .selectFrom('payout_batch')
    .select(['stage', sql<number>`count(*)`.as('runs')])
    .where('account_id', '=', ctx.accountId)
    .where('kind', '=', 'run')
    .where('created_at', '>=', from)
    .groupBy('stage')
    .execute();
  const counts = Object.fromEntries(rows.map(({ stage, runs }) => [stateOfRun({ stage }), runs]));
  return { planned: 0, executing: 0, completed: 0, partially_completed: 0, canceled: 0, ...counts };
}

async function feesSince({ db, accountId }: Ctx, from: Instant): Promise<Reconciliation['fees']> {
  const { rows } = await sql<Reconciliation['fees'][number]>`
    select currency, sum(fee_cents) as fee_cents, sum(affiliate_fee_cents) as affiliate_fee_cents from (
      select fee_currency as currency, fee_cents, 0 as affiliate_fee_cents, account_id, livemode, sent_at from payout_attempt where fee_cents is not null
      union all
      select currency, 0, affiliate_fee_cents, account_id, livemode, sent_at from payout_attempt where affiliate_fee_cents > 0 and state = 'arrived'
    ) fee
    where account_id = ${accountId} and livemode and sent_at >= ${from} group by currency order by currency`.execute(db);
  return rows;
}

async function paidSince(ctx: Ctx, from: Instant): Promise<Reconciliation['totals']> {
  const { rows } = await sql<Reconciliation['totals'][number]>`
    select payout.currency, count(*) filter (where is_paid) as payouts_count,
      coalesce(sum(payout.amount_cents) filter (where is_paid), 0) as paid_cents,
      coalesce(sum(payout.amount_cents) filter (where is_paid and batch.kind = 'run'), 0) as paid_by_run_cents,
      coalesce(sum(payout.amount_cents) filter (where is_paid and batch.kind = 'export'), 0) as paid_by_export_cents,
      coalesce(sum(payout.amount_cents) filter (where is_paid and batch.kind is null), 0) as paid_by_hand_cents,
      coalesce(sum(payout.amount_cents) filter (where is_paid and batch.kind = 'payment'), 0) as paid_by_service_cents,
      coalesce(sum(payout.amount_cents) filter (where not is_paid), 0) as returned_cents
    from (
      select payout.*, true as is_paid from payout
      where account_id = ${ctx.accountId} and livemode and status = 'paid' and paid_at >= ${from}
      union all
      select payout.*, false from payout
      where account_id = ${ctx.accountId} and livemode and status = 'returned' and returned_at >= ${from}
    ) payout
    left join payout_attempt attempt on attempt.payout_id = payout.id and ${HOLDS_PAYOUT}
    left join payout_batch batch on batch.id = attempt.batch_id
    group by payout.currency order by payout.currency`.execute(ctx.db);
  return rows;
}
