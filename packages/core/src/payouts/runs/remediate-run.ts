import { type ValidationDetail, invalid, validationError } from '../../platform/errors/errors.ts';
import { loadForUpdate } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockAffiliatesOfPayouts, releasePayouts } from '../../earnings/payout-records/payout.transitions.ts';
import { hasFailedItems } from './advance-run.ts';
import { PayoutRun } from './payout-run.entity.ts';
import type { RemediatePayoutRun } from './payout-run.schema.ts';
import { countFinishedItems, finishWork, markRunCanceled, markRunRetried, moveItems } from './payout-run.transitions.ts';
import type { StoredItemState } from './payout-run.tables.ts';
import type { RunWork } from './work-on-run.ts';
import { oneOf } from '../../platform/db/one-of.ts';

type Selection = Pick<RemediatePayoutRun, 'issue_code' | 'payout_ids'>;

/**
 * Handles the unpaid items of a run: `retry` claims, checks and pays failed items again; `exclude` drops failed items, or the planned ones
 * that are named; `cancel` releases everything unpaid (docs/domain-rules.md#remediation). Without matching items, nothing changes.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR when the state of the run, or of a payout that is named, does not allow the action
 */
export function remediatePayoutRun(input: RemediatePayoutRun): RunWork<{ id: string }> {
  return {
    begin: async (ctx) => {
      const run = await loadForUpdate(ctx, PayoutRun, input.id);
      if (input.remediation_action === 'cancel') cancel(run, input, ctx.now);
      else if (input.remediation_action === 'retry') await retry(ctx, run, input);
      else await exclude(ctx, run, input);
      return { id: input.id };
    },
  };
}

function cancel(run: PayoutRun, { issue_code, payout_ids }: Selection, at: string): void {
  const narrowed = [issue_code === undefined ? [] : 'issue_code', payout_ids === undefined ? [] : 'payout_ids'].flat();
  if (narrowed.length > 0) {
    const message = 'cancel applies to the whole run. To drop single items, use exclude.';
    throw validationError(narrowed.map((path) => ({ path, code: 'not_applicable', message })));
  }
  markRunCanceled(run, at);
}

async function retry(ctx: WriteCtx, run: PayoutRun, selection: Selection): Promise<void> {
  if (run.state !== 'partially_completed' && run.state !== 'completed') throw wrongState(run);
  const failed = await select(ctx, run, selection, ['failed']);
  if (failed.length === 0) return;
  await moveItems(ctx, run.id, failed, 'candidate');
  markRunRetried(run, failed.length, ctx.now);
}

async function exclude(ctx: WriteCtx, run: PayoutRun, selection: Selection): Promise<void> {
  if (run.state === 'executing' || run.state === 'canceled') throw wrongState(run);
  const named = selection.payout_ids !== undefined && run.state === 'planned';
  const dropped = await select(ctx, run, selection, named ? ['planned', 'candidate'] : ['failed']);
  if (dropped.length === 0) return;
  if (named) {
    await lockAffiliatesOfPayouts(ctx, dropped);
    await releasePayouts(ctx, { run_id: run.id }, dropped);
    countFinishedItems(run, dropped.length, ctx.now);
  }
  await moveItems(ctx, run.id, dropped, 'excluded');
  if (run.state === 'partially_completed') finishWork(run, await hasFailedItems(ctx, run.id), ctx.now);
}

/** The payouts of the items that an action applies to. Throws VALIDATION_ERROR naming payouts whose items are in none of the states. */
async function select(ctx: WriteCtx, run: PayoutRun, selection: Selection, states: StoredItemState[]): Promise<string[]> {
  let query = ctx.db.selectFrom('payout_run_item').select('payout_id').where('run_id', '=', run.id).where(oneOf('state', states));
  if (selection.issue_code !== undefined) query = query.where('issue_code', '=', selection.issue_code);
  const rows = await query.execute();
  const available = new Set(rows.map(({ payout_id }) => payout_id));
  if (!selection.payout_ids) return [...available];
  const details = selection.payout_ids.flatMap((id, index): ValidationDetail[] =>
    available.has(id)
      ? []
      : [
          {
            path: `payout_ids.${index}`,
            code: 'not_applicable',
            message: `Payout ${id} is not a ${states.includes('failed') ? 'failed' : 'planned'} item of this run.`,
          },
        ],
  );
  if (details.length > 0) throw validationError(details);
  return [...new Set(selection.payout_ids)];
}

function wrongState({ state }: PayoutRun) {
  return invalid('remediation_action', `Not allowed while the run is ${state}.`, 'invalid_state');
}
