import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { countPayment } from '../../identity/connectors/count-payment.ts';
import { amountsOfPayouts } from '../../ledger/payouts/payout.queries.ts';
import { findHeldBy, lockAffiliatesOfPayouts, releasePayouts, retryAttempts } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { type ValidationDetail, invalid, validationError } from '../../platform/errors/errors.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import { loadBatchAlone } from '../batches/batch-lock.ts';
import { type BatchItems, STORED_ITEMS, withdrawn } from '../batches/batch.queries.ts';
import { claimForConnector } from '../batches/do-step.ts';
import { hasFailedItems } from '../batches/finish-batch.ts';
import type { BatchRow, ItemState } from '../batches/payout-batch.entity.ts';
import { changeBatch, finishWork, markBatchRetried, markBatchWithdrawn } from '../batches/payout-batch.transitions.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { getRunRow, stateOfRun } from './payout-run.queries.ts';
import type { RemediatePayoutRun } from './payout-run.schema.ts';
import { previewToEnd } from './preview-run.ts';
import type { RunWork } from './run-work.ts';

type Selection = Pick<RemediatePayoutRun, 'issue_code' | 'payout_ids'>;

/**
 * Handles the unpaid items of a run: `retry` claims, checks and pays failed items again; `exclude` removes failed items or, in a planned
 * run, the items in `payout_ids`; `cancel` releases all unpaid payouts (docs/rules/payouts.md#remediation). If no item matches, nothing
 * changes.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if the state of the run, or of an item in `payout_ids`, does not allow the action;
 * PAY_LIMIT_EXCEEDED
 */
export function remediatePayoutRun(input: RemediatePayoutRun): RunWork<{ id: string }> {
  return {
    begin: async (ctx) => {
      const run = await loadBatchAlone(ctx, 'run', input.id);
      const { payoutIds, state } = await changeBatch(ctx, run, (draft) => decide(ctx, draft, input));
      if (payoutIds.length === 0) return { id: run.id };
      if (state === 'candidate') await retryAttempts(ctx, run.id, payoutIds);
      else {
        // A payout that could not be released when its attempt failed is released now.
        const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
        await releasePayouts(ctx, held, run.id, withdrawn(payoutIds, state));
      }
      if (run.stage !== 'withdrawn' && state === 'candidate' && ctx.principal.kind === 'connector')
        await countRetry(ctx, run, await claimForConnector(ctx, run.id, payoutIds), 'processing');
      return { id: run.id };
    },
    preview: async (ctx) => {
      const run = await getRunRow(ctx, input.id);
      const { payoutIds, state } = await decide(ctx, run, input);
      if (run.stage !== 'withdrawn' && state === 'candidate') await countRetry(ctx, run, payoutIds, 'open');
      return previewToEnd(ctx, run, payoutIds.length === 0 ? STORED_ITEMS : movedItems(run.id, payoutIds, state));
    },
  };
}

/** Counts the payouts in this state against the daily limits of a connector. A retry counts again, even if the connector executed the run. */
async function countRetry(
  ctx: WriteCtx,
  { id, livemode }: BatchRow,
  payoutIds: readonly string[],
  status: 'open' | 'processing',
): Promise<void> {
  if (livemode) await countPayment(ctx, `${id} ${randomUUID()}`, await amountsOfPayouts(ctx, payoutIds, status));
}

/** The effect of an action on items: the payouts of the items, and their new state. */
interface Moves {
  payoutIds: string[];
  state: 'candidate' | 'excluded';
}

const NO_MOVES: Moves = { payoutIds: [], state: 'excluded' };

/** Decides which items an action moves, and changes the draft of the run. Only reads from the database. */
async function decide(ctx: WriteCtx, run: BatchRow, input: RemediatePayoutRun): Promise<Moves> {
  if (input.remediation_action === 'cancel') return cancel(ctx, run, input);
  return input.remediation_action === 'retry' ? retry(ctx, run, input) : exclude(ctx, run, input);
}

async function cancel(ctx: WriteCtx, run: BatchRow, { issue_code, payout_ids }: Selection): Promise<Moves> {
  const narrowed = [issue_code === undefined ? [] : 'issue_code', payout_ids === undefined ? [] : 'payout_ids'].flat();
  if (narrowed.length > 0) {
    const message = PAYOUT_REASONS.cancel_is_for_run;
    throw validationError(narrowed.map((path) => ({ path, code: 'not_applicable', message })));
  }
  if (run.stage === 'withdrawn') return NO_MOVES;
  if (run.stage === 'paid') throw invalid('id', PAYOUT_REASONS.run_completed, 'invalid_state');
  markBatchWithdrawn(run, ctx.now);
  // The payouts of failed items are open again, except those that could not be released. The canceled run releases them like its unpaid ones.
  const failed = await select(ctx, run, {}, ['failed']);
  return { payoutIds: await findHeldBy(ctx.db, run.id, failed), state: 'candidate' };
}

async function retry(ctx: WriteCtx, run: BatchRow, selection: Selection): Promise<Moves> {
  if (run.stage !== 'partly_paid' && run.stage !== 'paid') throw wrongState(run);
  const failed = await select(ctx, run, selection, ['failed']);
  if (failed.length === 0) return NO_MOVES;
  markBatchRetried(run, ctx.now);
  return { payoutIds: failed, state: 'candidate' };
}

async function exclude(ctx: WriteCtx, run: BatchRow, selection: Selection): Promise<Moves> {
  if (run.stage === 'paying' || run.stage === 'withdrawn') throw wrongState(run);
  const named = selection.payout_ids !== undefined && run.stage === 'prepared';
  const dropped = await select(ctx, run, selection, named ? ['planned', 'candidate'] : ['failed']);
  if (dropped.length === 0) return NO_MOVES;
  if (run.stage === 'partly_paid') finishWork(run, await hasFailedItems(ctx, run.id, dropped), ctx.now);
  return { payoutIds: dropped, state: 'excluded' };
}

/** SQL query: the items of a run as an action would leave them. */
function movedItems(runId: string, payoutIds: readonly string[], state: Moves['state']): BatchItems {
  return sql`(
    select item.batch_id, item.payout_id, item.affiliate_id, item.currency, item.amount_cents, item.commissions_count,
      case when moved.payout_id is null then item.state else ${state} end as state,
      case when moved.payout_id is null then item.issue_code end as issue_code
    from ${STORED_ITEMS} item left join unnest(${payoutIds}::text[]) moved (payout_id) on moved.payout_id = item.payout_id
    where item.batch_id = ${runId})`;
}

/**
 * Returns the payouts of the items to which an action applies. Throws VALIDATION_ERROR naming the payouts in `payout_ids` whose items are
 * in none of the states.
 */
async function select(ctx: WriteCtx, run: BatchRow, selection: Selection, states: ItemState[]): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string }>`
    select payout_id from ${STORED_ITEMS} item where batch_id = ${run.id} and ${oneOf('state', states)}
      and issue_code is not distinct from coalesce(${selection.issue_code ?? null}, issue_code)`.execute(ctx.db);
  const available = new Set(rows.map(({ payout_id }) => payout_id));
  if (!selection.payout_ids) return [...available];
  const details = selection.payout_ids.flatMap((id, index): ValidationDetail[] =>
    available.has(id)
      ? []
      : [
          {
            path: `payout_ids.${index}`,
            code: 'not_applicable',
            message: PAYOUT_REASONS.not_an_item({ payout: id, state: STATES[states.includes('failed') ? 'failed' : 'planned'] }),
          },
        ],
  );
  if (details.length > 0) throw validationError(details);
  return [...new Set(selection.payout_ids)];
}

function wrongState(run: BatchRow) {
  return invalid('remediation_action', PAYOUT_REASONS.action_not_allowed({ state: STATES[stateOfRun(run)] }), 'invalid_state');
}
