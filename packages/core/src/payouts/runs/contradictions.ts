/** Checks of `reconcile` that recompute what commissions, payouts and events must be from sales, terms and states (docs/rules/payouts.md#reconciliation). */
import { type RawBuilder, sql } from 'kysely';
import { IS_CREDITED } from '../../ledger/earning/credited.ts';
import { ARRIVED_AFTER_ALL, HOLDS_PAYOUT, PAID_ELSEWHERE } from '../../ledger/payouts/payout-attempt.entity.ts';
import { IS_CLAIMED } from '../../ledger/payouts/payout.transitions.ts';
import { IS_LIVE_SALE, SALE_AMOUNT_CENTS } from '../../ledger/sales/sale.entity.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { type Instant, laterOf, plusDays } from '../../platform/time/instant.ts';
import { EVENTS_KEPT_DAYS } from '../../webhooks/declarations.ts';
import { type Discrepancy, type DiscrepancyCode, MAX_COMMISSIONS_NAMED } from './reconcile.schema.ts';

/** A row that a check found. `message`, if set, replaces the message of the check. */
export type Finding = Partial<Omit<Discrepancy, 'code'>>;

export interface Check {
  code: DiscrepancyCode;
  message: string;
  /** Returns a query of the findings, or those that the check has found itself. */
  find: (ctx: Ctx, from: Instant) => RawBuilder<Finding> | Promise<Finding[]>;
}

/** SQL columns: the run or the export that a row of `batch` is. */
export const RUN_AND_EXPORT = sql`case batch.kind when 'run' then batch.id end as payout_run_id,
  case batch.kind when 'export' then batch.id end as payout_export_id`;

export const NAMED_IDS = sql`(array_agg(commission.id order by commission.id))[1:${sql.lit(MAX_COMMISSIONS_NAMED)}]`;
/** SQL column: the ids of the commissions of a group. */
export const NAMED_COMMISSIONS = sql`${NAMED_IDS} as commission_ids`;

/** SQL expression: the time whose terms and states have decided about a row of `sale`. A paid sale keeps those of the former time of its charge. */
const DECIDED_AT = sql`coalesce(sale.reconsidered_at, sale.redated_from, sale.charged_at)`;

/** SQL condition: a change came after the time that decides. For a charge with whole seconds, a change counts from the start of its second. */
const isAfter = (change: RawBuilder<unknown>) => sql<boolean>`(
  ${DECIDED_AT} < case when ${DECIDED_AT} = date_trunc('second', ${DECIDED_AT}) then date_trunc('second', ${change}) else ${change} end)`;

/**
 * SQL condition: the current commission of a sale, as rows of `commission` and `sale`, of which one has changed since `from`. A sale that waits for its next decision
 * contradicts nothing yet.
 */
const isCurrent = (ctx: Ctx, from: Instant) => sql<boolean>`(
  commission.kind = 'sale' and commission.account_id = ${ctx.accountId} and not commission.superseded and commission.state <> 'voided'
  and not exists (select from queued_sale_decision where sale_id = sale.id) and (commission.updated_at >= ${from} or sale.updated_at >= ${from}))`;

/** SQL condition: facts leave a row of `commission` as it is, because it is or was paid, or an export or a run holds it. */
const IS_SETTLED = sql<boolean>`(commission.paid_at is not null or ${IS_CLAIMED})`;

const ONE_COMMISSION = sql`sale.id as sale_id, commission.currency, commission.amount_cents as actual_cents, array[commission.id] as commission_ids`;

/** SQL query: the terms of the campaign of a row of `commission` that decide about its `sale`. */
const TERMS = sql`
  select archived, commission_basis_points, commission_amount_cents, commission_amount_currency from (
    select archived, commission_basis_points, commission_amount_cents, commission_amount_currency, until from campaign_terms
    where campaign_terms.campaign_id = commission.campaign_id and ${isAfter(sql`until`)}
    union all
    select archived_at is not null, commission_basis_points, commission_amount_cents, commission_amount_currency, null from campaign
    where campaign.id = commission.campaign_id
  ) version order by until nulls last limit 1`;

/** SQL query: the states that the affiliate of a row of `commission` has had since its `sale` was charged. The first one decides. */
const STATES = sql`
  select state, archived, until from (
    select state, archived, until from affiliate_state_version
    where affiliate_state_version.affiliate_id = commission.affiliate_id and ${isAfter(sql`until`)}
    union all
    select state, archived_at is not null, null from affiliate where affiliate.id = commission.affiliate_id
  ) version`;

/** SQL expression: the number of commissions that a referral could have when a row of `sale` was charged, or null. */
const MOST = sql`(sale.limits ->> 'maxCommissions')::int`;

const PAID_TWICE =
  'Several exports or runs say that they paid the payout, or one of them says so although the payout is not paid.';
const MADE_AFTER_ALL = 'A payment of this payout was given up, and has been made after all. The payout may be paid twice.';

/** Days after which somebody should ask about a payment that is under way. */
const UNDERWAY_DAYS = 14;
const OTHER_AMOUNT = 'The service that pays names another amount for this payment. Look the payment up there, and decide.';
const NO_ANSWER = 'The payment has had no certain answer for a day. The service that pays is asked again under the same key.';
const UNDERWAY = `The payment has been under way for ${UNDERWAY_DAYS} days. Ask the service that pays.`;
const NOBODY_KNOWS =
  'Nobody knows whether this payment was made, and it cannot be found out any more. Look it up at the service that pays, and decide.';

export const CONTRADICTIONS: readonly Check[] = [
  {
    code: 'terms_mismatch',
    message:
      'The commission does not have the rate, the fixed amount or the currency that its campaign paid when the sale was charged.',
    find: (ctx, from) => sql`
      select ${ONE_COMMISSION} from commission join sale on sale.id = commission.sale_id cross join lateral (${TERMS}) terms
      where ${isCurrent(ctx, from)} and case
        when commission.lines_currency is not null then commission.lines_currency <> sale.currency
        when commission.basis_points is distinct from terms.commission_basis_points then true
        when commission.basis_points is null
          then commission.amount_cents <> terms.commission_amount_cents or commission.currency <> terms.commission_amount_currency
        else commission.currency <> sale.currency end`,
  },
  {
    code: 'earner_mismatch',
    message:
      'The commission belongs to another affiliate, referral or mode than its sale, or the sale was refused or excluded, or the affiliate could not earn when it was charged.',
    find: (ctx, from) => sql`
      select ${ONE_COMMISSION} from commission join sale on sale.id = commission.sale_id
      where ${isCurrent(ctx, from)} and (commission.livemode <> ${IS_LIVE_SALE} or (not ${IS_SETTLED} and (
        commission.affiliate_id is distinct from sale.affiliate_id or commission.referral_id is distinct from sale.referral_id
        or sale.no_commission_reason <> 'nothing_to_earn'
        or (sale.assigned_referral_id is null and (sale.excluded or coalesce(sale.paid_outside = 'excluded', false)))
        or (select state not in ('active', 'suspicious') or archived from (${STATES}) version order by until nulls last limit 1)
        or (select archived from (${TERMS}) terms)
        or exists (
          select from (
            select deactivated_at, until from referral_deactivation where referral_id = commission.referral_id
            union all select deactivated_at, null from referral where id = commission.referral_id and deactivated_at is not null
          ) off where not ${isAfter(sql`off.deactivated_at`)} and (off.until is null or ${isAfter(sql`off.until`)})))))`,
  },
  {
    code: 'limit_exceeded',
    message: 'The referral has more commissions than its campaign allowed.',
    find: (ctx, from) => sql`
      select min(commission.currency) as currency, sum(commission.amount_cents) as actual_cents, ${NAMED_COMMISSIONS}
      from commission join sale on sale.id = commission.sale_id
      where commission.account_id = ${ctx.accountId} and commission.kind = 'sale' and not commission.superseded and commission.state <> 'voided'
        and ${SALE_AMOUNT_CENTS} > 0 and commission.amount_cents <> 0
        and commission.referral_id in (select referral_id from commission where account_id = ${ctx.accountId} and updated_at >= ${from})
      group by commission.referral_id, commission.livemode
      having count(*) > max(${MOST}) and min(coalesce(${MOST}, 0)) = max(${MOST}) and not bool_or(
        ${IS_SETTLED} or sale.contested is not null or sale.assigned_referral_id is not null or sale.reconsidered_at is not null)`,
  },
  {
    code: 'cap_exceeded',
    message:
      'A line of the commission pays more than its cap, or less than nothing, or unpaid commissions together pay more than their cap.',
    // The sales of a customer share a cap per referral, also through several referrals. Rules that have changed had other caps for other sales.
    find: (ctx, from) => sql`
      select distinct commission.sale_id, commission.currency, line.at_most_cents as expected_cents, line.cents as actual_cents,
        array[commission.id] as commission_ids
      from commission join commission_line line on line.commission_id = commission.id
      where commission.account_id = ${ctx.accountId} and commission.updated_at >= ${from}
        and (line.cents > line.at_most_cents or (line.pay ->> 'kind' = 'percent' and line.cents < 0))
      union all
      select null, commission.currency, cap.amount_cents, sum(line.cents), ${NAMED_COMMISSIONS}
      from (
        select rule_id, max((cap ->> 'amount_cents')::bigint) as amount_cents, max(cap ->> 'currency') as currency, max(cap ->> 'per') as per,
          max(cap ->> 'window') as window
        from reward_rule_version where account_id = ${ctx.accountId} group by rule_id having count(*) = 1 and max(cap ->> 'per') <> 'sale'
      ) cap
      join commission_line line on line.rule_id = cap.rule_id and line.account_id = ${ctx.accountId}
      join commission on commission.id = line.commission_id and commission.currency = cap.currency
      join sale on sale.id = commission.sale_id
      where not commission.superseded and (commission.state <> 'voided' or commission.voided_by_refund)
      group by cap.rule_id, cap.amount_cents, commission.affiliate_id, commission.currency, commission.livemode,
        case when cap.per = 'referral' then coalesce(sale.customer_id, commission.referral_id) end,
        case when cap.window <> 'ever' then date_trunc(cap.window, sale.charged_at, 'UTC') end
      having sum(line.cents) > cap.amount_cents and not bool_or(${IS_SETTLED}) and max(commission.updated_at) >= ${from}`,
  },
  {
    code: 'bonus_mismatch',
    message: 'The bonus stands although the commission of its sale does not, or it is flagged or falls due otherwise.',
    // If the lines that the commission paid for were refunded, the bonus stands for the other lines.
    find: (ctx, from) => sql`
      select commission.sale_id, commission.currency, commission.amount_cents as actual_cents, array[commission.id] as commission_ids
      from commission left join commission main on main.sale_id = commission.sale_id and main.affiliate_id = commission.affiliate_id
        and main.kind = 'sale' and not main.superseded and (main.state <> 'voided' or main.voided_by_refund)
      where commission.account_id = ${ctx.accountId} and commission.updated_at >= ${from} and commission.kind = 'bonus'
        and not commission.superseded and commission.state <> 'voided' and not ${IS_SETTLED} and (main.id is null or (
          main.state <> 'voided' and main.paid_at is null and not exists (
            select from payout_item item join payout on payout.id = item.payout_id
            where item.commission_id = main.id and payout.status in ('processing', 'paid'))
          and (main.review_status, main.review_reason, main.due_at)
            is distinct from (commission.review_status, commission.review_reason, commission.due_at)))`,
  },
  {
    code: 'credit_mismatch',
    message: 'A commission without a sale and its adjustments do not add up.',
    // A person who voids an adjustment chooses another total, as for sales.
    find: (ctx, from) => sql`
      select commission.currency, case when commission.state = 'voided' then 0 else commission.amount_cents end as expected_cents,
        credited.cents as actual_cents, array[commission.id] as commission_ids
      from commission cross join lateral (
        select coalesce(sum(amount_cents) filter (where ${IS_CREDITED}), 0) as cents, coalesce(bool_or(kind = 'adjustment' and state = 'voided'), false) as is_chosen
        from (
          select * from commission own where own.id = commission.id
          union all select * from commission adjustment where adjustment.adjusts_commission_id = commission.id
        ) commission
      ) credited
      where commission.account_id = ${ctx.accountId} and commission.updated_at >= ${from}
        and (commission.kind in ('manual', 'lead', 'milestone') or commission.kind = 'imported' and commission.sale_id is null) and not credited.is_chosen
        and credited.cents <> case when commission.state = 'voided' then 0 else commission.amount_cents end`,
  },
  {
    code: 'review_mismatch',
    message:
      'A flagged commission is in a payout, or a dispute or the suspicion of its affiliate does not hold it, or holds it although it has ended.',
    find: (ctx) => sql`
      select ${ONE_COMMISSION}, payout.id as payout_id from commission
      left join sale on sale.id = commission.sale_id
      left join payout_item item on item.commission_id = commission.id left join payout on payout.id = item.payout_id
      where commission.account_id = ${ctx.accountId} and commission.state in ('pending', 'due') and not commission.superseded and (
        (commission.review_status = 'suspicious'
          and (payout.status = 'open' or (payout.status = 'processing' and commission.review_reason is distinct from 'dispute')))
        or (sale.disputed and commission.affiliate_id = sale.affiliate_id and commission.amount_cents > 0
          and not coalesce(commission.review_status = 'suspicious' or (commission.review_status = 'approved' and commission.review_reason = 'dispute'), false))
        or (not sale.disputed and commission.review_reason = 'dispute' and commission.review_status = 'suspicious')
        or (commission.kind = 'sale' and commission.review_status is null and not ${IS_SETTLED}
          and (select (array_agg(state order by until nulls last))[1] = 'suspicious' and bool_and(state <> 'active') from (${STATES}) version)))`,
  },
  {
    code: 'payout_mismatch',
    message: 'The payout holds commissions of another affiliate or currency, or commissions that are pending or voided.',
    find: (ctx) => sql`
      select payout.id as payout_id, payout.currency, payout.amount_cents as actual_cents, ${NAMED_COMMISSIONS}
      from payout join payout_item item on item.payout_id = payout.id join commission on commission.id = item.commission_id
      where payout.account_id = ${ctx.accountId} and (
        commission.affiliate_id <> payout.affiliate_id or commission.currency <> payout.currency or commission.state = 'pending' or payout.status = 'returned'
        or (payout.status = 'open' and commission.state = 'voided'
          -- A commission that was voided in a claimed or paid payout stays in it, with the adjustment that took its amount back, or the one that it takes back.
          and not exists (select from commission other where other.adjusts_commission_id = commission.id)
          and not exists (
            select from commission other where other.adjusts_commission_id = commission.adjusts_commission_id and other.id <> commission.id
              and other.amount_cents = -commission.amount_cents)))
      group by payout.id`,
  },
  {
    code: 'paid_twice',
    message: PAID_TWICE,
    find: (ctx, from) => sql`
      select payout.id as payout_id, min(paid.payout_run_id) as payout_run_id, min(paid.payout_export_id) as payout_export_id, payout.currency,
        payout.amount_cents as expected_cents, sum(paid.amount_cents) as actual_cents, ${PAID_TWICE} as message
      from payout join (
        select attempt.payout_id, ${RUN_AND_EXPORT}, attempt.amount_cents
        from payout_attempt attempt join payout_batch batch on batch.id = attempt.batch_id
        where attempt.account_id = ${ctx.accountId} and ${HOLDS_PAYOUT}
          and case batch.kind when 'export' then batch.stage in ('paid', 'partly_paid') else attempt.state in ('arrived', 'returned') end
      ) paid on paid.payout_id = payout.id
      where payout.account_id = ${ctx.accountId} and payout.updated_at >= ${from}
      group by payout.id having count(*) > 1 or payout.status not in ('paid', 'returned') or min(paid.amount_cents) <> payout.amount_cents
      union all
      select payout_id, null, null, currency, 0, amount_cents, ${MADE_AFTER_ALL}
      from payout_attempt where account_id = ${ctx.accountId} and reason = ${ARRIVED_AFTER_ALL}`,
  },
  {
    code: 'open_payment',
    message: NOBODY_KNOWS,
    find: (ctx) => sql`
      select payout_id, currency, amount_cents as expected_cents, case when state <> 'unknown' then ${UNDERWAY}::text
        when reason = 'amount_mismatch' then ${OTHER_AMOUNT}::text when reason = 'no_answer' then ${NO_ANSWER}::text else ${NOBODY_KNOWS}::text end as message
      from payout_attempt where account_id = ${ctx.accountId} and livemode and (
        (state = 'unknown' and (reason <> 'no_answer' or first_posted_at < ${plusDays(ctx.now, -1)}))
        or (state in ('sent', 'in_transit') and first_posted_at < ${plusDays(ctx.now, -UNDERWAY_DAYS)}))`,
  },
  {
    code: 'event_mismatch',
    message: 'The events about a commission or a payout were not emitted exactly once, or state another amount.',
    find: (ctx, from) => {
      const since = laterOf(from, plusDays(ctx.now, -EVENTS_KEPT_DAYS));
      const times = (type: string, id: string) =>
        sql`(select count(*) from event where subject_id = ${sql.ref(id)} and account_id = ${ctx.accountId} and not is_test and type = ${type})`;
      return sql`
        select null as payout_id, currency, amount_cents as actual_cents, array[id] as commission_ids from commission
        where account_id = ${ctx.accountId} and created_at >= ${since} and kind <> 'imported' and (
          ${times('commission.created', 'commission.id')} <> 1
          or ${times('commission.voided', 'commission.id')} <> (state = 'voided')::int)
        union all
        select id, currency, amount_cents, '{}' from payout
        where account_id = ${ctx.accountId} and paid_at >= ${since} and not exists (
          select from payout_attempt where payout_id = payout.id and raw_state = ${PAID_ELSEWHERE}) and (
          ${times('payout.paid', 'payout.id')} <> 1 or ${times('payout.returned', 'payout.id')} <> (status = 'returned')::int
          or exists (
            select from event where subject_id = payout.id and account_id = ${ctx.accountId} and not is_test and type = 'payout.paid'
              and (body::json -> 'data' ->> 'amount_cents')::bigint <> payout.amount_cents))`;
    },
  },
];
