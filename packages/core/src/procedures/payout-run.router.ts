import { operate, read, rest, router } from '../platform/trpc/trpc.ts';
import { createPayoutRun } from '../payouts/runs/create-run.ts';
import { executePayoutRun } from '../payouts/runs/execute-run.ts';
import { getPayoutRunSummary, listPayoutRunItems, listPayoutRuns } from '../payouts/runs/payout-run.queries.ts';
import {
  CreatePayoutRun,
  ExecutePayoutRun,
  GetPayoutRun,
  ListPayoutRunItems,
  ListPayoutRuns,
  PayoutRunItemPage,
  PayoutRunPage,
  PayoutRunRecord,
  PayoutRunSummary,
  RemediatePayoutRun,
} from '../payouts/runs/payout-run.schema.ts';
import { ReconcilePayouts, Reconciliation } from '../payouts/runs/reconcile.schema.ts';
import { reconcilePayouts } from '../payouts/runs/reconcile.ts';
import { remediatePayoutRun } from '../payouts/runs/remediate-run.ts';

/** Reading runs is only under /trpc: /api/v1 has no endpoint for it. */
export const payoutRunsRouter = router({
  list: read('payout_runs')
    .input(ListPayoutRuns)
    .output(PayoutRunPage)
    .query(({ ctx, input }) => listPayoutRuns(ctx, input)),

  get: read('payout_runs')
    .input(GetPayoutRun)
    .output(PayoutRunSummary)
    .query(({ ctx, input }) => getPayoutRunSummary(ctx, input.id)),

  items: read('payout_runs')
    .input(ListPayoutRunItems)
    .output(PayoutRunItemPage)
    .query(({ ctx, input }) => listPayoutRunItems(ctx, input)),

  create: operate('payout_runs')
    .meta(
      rest('POST', '/payout_runs', {
        summary: 'Plan a payout run',
        description:
          'Claims the eligible payouts, of `affiliate_ids` or of all affiliates, and with `execute_now` pays them. The same `idempotency_key` again answers 200 with the same run, as it is now; with other parameters it is refused.',
        status: 201,
        otherStatuses: { 200: 'The run that has this `idempotency_key` already, as it is now.' },
      }),
    )
    .input(CreatePayoutRun)
    .output(PayoutRunRecord)
    .mutation(({ ctx, input }) => createPayoutRun(ctx, input)),

  execute: operate('payout_runs')
    .meta(
      rest('PUT', '/payout_runs/{id}/execute', {
        summary: 'Execute a payout run',
        description:
          'Checks every item again; marks those that pass paid and emits `payout.paid` for each, the others become issues and their payouts are open again. With `async` answers 202 and goes on in the background: `items_done` tells how far it is, also when this is called again. A run that was executed is returned unchanged.',
        status: 202,
        otherStatuses: { 200: 'With `async` false: the run was executed.' },
      }),
    )
    .input(ExecutePayoutRun)
    .output(PayoutRunRecord)
    .mutation(({ ctx, input }) => executePayoutRun(ctx, input)),

  remediate: operate('payout_runs')
    .meta(
      rest('PUT', '/payout_runs/{id}/remediate', {
        summary: 'Deal with what a payout run has not paid',
        description:
          'Retry checks failed items again and pays those that now pass; exclude drops failed items, or planned ones that `payout_ids` names; cancel releases everything unpaid.',
      }),
    )
    .input(RemediatePayoutRun)
    .output(PayoutRunRecord)
    .mutation(({ ctx, input }) => remediatePayoutRun(ctx, input)),

  reconcile: read('payout_runs')
    .meta(
      rest('GET', '/payout_runs/reconcile', {
        summary: 'Reconcile payouts',
        description:
          'Adds up what was paid in the last `lookback_days`, and reports as `discrepancies` whatever does not agree: amounts, claims, states. Empty on a healthy account. Changes nothing.',
      }),
    )
    .input(ReconcilePayouts)
    .output(Reconciliation)
    .query(({ ctx, input }) => reconcilePayouts(ctx, input)),
});
