import type { WriteCtx } from '../../platform/call/context.ts';
import type { TableRow } from '../../platform/db/tables.ts';

/** Logs how far a run has come, and reports it to a caller who waits. */
export function reportProgress(ctx: WriteCtx, { id, account_id, state, items_done, items_total }: TableRow<'payout_run'>): void {
  ctx.afterCommit(() => {
    ctx.services.log.info({ payout_run_id: id, account_id, state, items_done, items_total }, 'payout run advanced');
    ctx.onProgress?.({ done: items_done, total: items_total });
  });
}
