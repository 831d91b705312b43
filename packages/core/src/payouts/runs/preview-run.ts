/**
 * Previews of runs, computed from the stored rows without taking locks or changing a row (docs/rules/platform.md#previews).
 */
import { type RawBuilder, sql } from 'kysely';
import { isUnfinished } from '../../ledger/payouts/payout-attempt.entity.ts';
import { previewPaid } from '../../ledger/payouts/payout-events.ts';
import { IS_OPEN } from '../../ledger/payouts/payout.entity.ts';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { methodVersions } from '../../program/payout-methods/payout-addresses.ts';
import { emit } from '../../webhooks/events/emit.ts';
import type { BatchItems } from '../batches/batch.queries.ts';
import type { BatchRow } from '../batches/payout-batch.entity.ts';
import { finishWork } from '../batches/payout-batch.transitions.ts';
import { changeOf, commissionsHeld } from '../methods/recheck.ts';
import { payoutRunRecord } from './payout-run.queries.ts';
import type { PayoutRunRecord } from './payout-run.schema.ts';

/** Payouts per statement that shows events. */
const CHUNK = 5_000;

/**
 * Computes what `advanceToEnd` would do with these items, adds the events of the payments to the preview, and returns the resulting run.
 * `run` is a copy of the stored row, and is changed in memory.
 *
 * @param items rows of other runs are ignored
 */
export async function previewToEnd(ctx: WriteCtx, run: BatchRow, items: BatchItems): Promise<PayoutRunRecord> {
  await confirmRun(ctx, run, items);
  if (!run.working) return payoutRunRecord(ctx, run, items);
  const outcome = outcomeOf(ctx, run, items);
  const { rows } = await sql<{ has_failed: boolean; paid: string[] }>`
    select coalesce(bool_or(state = 'failed'), false) as has_failed,
      coalesce(array_agg(payout_id order by payout_id) filter (where was_to_do and state = 'paid'), '{}') as paid
    from ${outcome} outcome`.execute(ctx.db);
  const { has_failed, paid } = rows[0]!;
  for (let start = 0; start < paid.length; start += CHUNK) {
    await previewPaid(ctx, paid.slice(start, start + CHUNK), run.payment_reference);
  }
  finishWork(run, has_failed, ctx.now);
  const { items: shown, ...summary } = await payoutRunRecord(ctx, run, outcome);
  if (run.stage !== 'prepared') emit(ctx, 'payout_run.finished', summary);
  return { ...summary, items: shown };
}

/**
 * Confirms what the remaining work would do with the items of a run (`confirmEffect`): which payouts it would claim, pay or release, with their
 * amounts and the addresses of their affiliates, and which would fail.
 */
export async function confirmRun(ctx: WriteCtx, run: BatchRow, items: BatchItems): Promise<void> {
  await confirmEffect(ctx, async () => {
    const { rows } = await sql<{ items_count: number; items_digest: string | null }>`
      select count(*) as items_count, md5(string_agg(
        jsonb_build_array(payout_id, item.affiliate_id, ${sql.raw(methodVersions('item.affiliate_id'))}, currency, amount_cents, item.state, issue_code)::text, ','
        order by payout_id)) as items_digest
      from ${outcomeOf(ctx, run, items)} item`.execute(ctx.db);
    return { stage: run.stage, payment_reference: run.payment_reference, ...rows[0]! };
  });
}

/** SQL query: the items of the run as they would be after the remaining work. */
function outcomeOf(ctx: WriteCtx, { id, stage }: BatchRow, items: BatchItems): RawBuilder<unknown> {
  const payouts = payoutView(ctx).selectAll().where('payout.account_id', '=', ctx.accountId);
  const [isCanceled, isPlanned] = [sql.lit(stage === 'withdrawn'), sql.lit(stage === 'prepared')];
  const before = sql`(select item.*, item.state in ('candidate', 'planned') as was_to_do from ${items} item where batch_id = ${id})`;
  const isHeld = sql`coalesce(payout.status = 'processing', false)
    and exists (select from payout_attempt attempt where attempt.payout_id = item.payout_id and attempt.batch_id = ${id} and ${isUnfinished()})`;
  const claimed = sql`(
    select item.batch_id, item.payout_id, item.affiliate_id, item.currency, item.state, item.issue_code, item.was_to_do,
      case when item.is_claimed_now then payout.amount_cents else item.amount_cents end as amount_cents,
      case when item.is_claimed_now then payout.commissions_count else item.commissions_count end as commissions_count,
      item.is_claimed_now or item.is_held as is_held
    from (
      select item.*,
        not ${isCanceled} and item.state = 'candidate' and (coalesce(${IS_OPEN}, false) or ${isHeld}) as is_claimed_now,
        ${isHeld} and item.state = 'planned' as is_held
      from ${before} item left join payout on payout.id = item.payout_id and payout.account_id = ${ctx.accountId}
    ) item left join payout on payout.id = item.payout_id)`;
  const checked = sql`(
    select item.*, ${changeOf({ asPrepared: false })} as found_issue
    from ${claimed} item
    left join (${payouts}) payout on payout.id = item.payout_id
    left join lateral ${commissionsHeld(sql`null::timestamptz`)} held on true
    left join affiliate on affiliate.id = item.affiliate_id)`;
  return sql`(
    select batch_id, payout_id, affiliate_id, currency, amount_cents, commissions_count, was_to_do,
      case
        when not was_to_do then state
        when ${isCanceled} then 'canceled'
        when ${isPlanned} and state = 'planned' then 'planned'
        when not is_held then 'excluded'
        when ${isPlanned} then 'planned'
        when found_issue is null then 'paid'
        else 'failed'
      end as state,
      case when not was_to_do then issue_code when is_held and not ${isCanceled} and not ${isPlanned} then found_issue end as issue_code
    from ${checked} item)`;
}
