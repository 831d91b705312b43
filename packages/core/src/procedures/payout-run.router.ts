import { settleBeforeClaims } from '../attribution/settle-decisions.ts';
import { countWaiting, FAILED_EVENTS, KEPT_EVENTS, PAYMENTS, REFUNDS } from '../intake/provider-events/reconcile-events.ts';
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
import { createPayoutRun, executePayoutRun, remediatePayoutRun } from '../payouts/runs/payout-run.service.ts';
import { ReconcilePayouts, Reconciliation } from '../payouts/runs/reconcile.schema.ts';
import { reconcilePayouts } from '../payouts/runs/reconcile.ts';
import { workOnRun } from '../payouts/runs/run-work.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router } from '../platform/trpc/trpc.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

/** Procedures of payout runs. */
export const payoutRunsRouter = router({
  list: rest(read('payout_runs'), 'GET /payout_runs', {
    summary: 'List payout runs',
    description: 'Returns runs of every state without their items, newest first.',
  })
    .input(ListPayoutRuns)
    .output(PayoutRunPage)
    .query(({ ctx, input }) => listPayoutRuns(ctx, input)),

  get: rest(read('payout_runs'), 'GET /payout_runs/{id}', {
    summary: 'Retrieve a payout run',
    description: 'Returns the run without its items, which `GET /payout_runs/{id}/items` lists.',
  })
    .input(GetPayoutRun)
    .output(PayoutRunSummary)
    .query(({ ctx, input }) => getPayoutRunSummary(ctx, input.id)),

  timeline: rest(read('payout_runs', 'payouts'), 'GET /payout_runs/{id}/timeline', {
    summary: 'Retrieve the timeline of a payout run',
    description: 'Returns what happened: when its payouts were claimed, paid and returned, the latest 50 of them.',
  })
    .input(GetPayoutRun)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'payout_run', input.id)),

  items: rest(read('payout_runs'), 'GET /payout_runs/{id}/items', {
    summary: 'List the items of a payout run',
    description: 'Returns the payouts of the run: failed items first, then oldest payouts first.',
  })
    .input(ListPayoutRunItems)
    .output(PayoutRunItemPage)
    .query(({ ctx, input }) => listPayoutRunItems(ctx, input)),

  create: rest(operate('payout_runs', CreatePayoutRun, { confirmed: true }), 'POST /payout_runs', {
    summary: 'Create a payout run',
    description:
      'Claims the eligible live payouts (with `livemode` false, the eligible test payouts) of all affiliates, or of `affiliate_ids`. With `execute_now`, also marks them as paid. Repeating an `idempotency_key` returns 200 with the current state of the existing run, or an error if other parameters differ.',
    status: 201,
    otherStatuses: { 200: 'Current state of the existing run with this `idempotency_key`.' },
  })
    .output(PayoutRunRecord)
    .mutation(async ({ ctx, input }) => {
      await settleBeforeClaims(ctx);
      return workOnRun(
        ctx,
        { procedure: 'payoutRuns.create', input, status: ({ created }) => (created ? 201 : 200) },
        createPayoutRun(input),
      );
    }),

  execute: rest(operate('payout_runs', ExecutePayoutRun, { confirmed: true }), 'PUT /payout_runs/{id}/execute', {
    summary: 'Execute a payout run',
    description:
      'Checks every item again. Items that pass are marked as paid and emit `payout.paid`; items that fail become issues, and their payouts are open again. With `async`, returns 202 and continues in the background; `items_done` shows the progress. Repeat the call to read the current progress. Executing a completed run returns it unchanged. Does not transfer money.',
    status: 202,
    location: '/payout_runs/{id}',
    otherStatuses: { 200: 'The run was executed (`async` is `false`).' },
  })
    .output(PayoutRunRecord)
    .mutation(({ ctx, input }) =>
      workOnRun(
        ctx,
        { procedure: 'payoutRuns.execute', input, status: () => (input.async ? 202 : 200) },
        executePayoutRun(input),
      ),
    ),

  remediate: rest(operate('payout_runs', RemediatePayoutRun, { confirmed: true }), 'PUT /payout_runs/{id}/remediate', {
    summary: 'Remediate a payout run',
    description:
      'Handles the unpaid items of a run. `retry` checks failed items again and pays those that pass; `exclude` removes failed items, or the planned items in `payout_ids`; `cancel` releases all unpaid payouts.',
  })
    .output(PayoutRunRecord)
    .mutation(async ({ ctx, input }) => {
      await settleBeforeClaims(ctx);
      return workOnRun(ctx, { procedure: 'payoutRuns.remediate', input, status: () => 200 }, remediatePayoutRun(input));
    }),

  reconcile: rest(read('payout_runs'), 'GET /payout_runs/reconcile', {
    summary: 'Reconcile payouts',
    description:
      'Returns the totals paid in the last `lookback_days` and, as `discrepancies`, inconsistent amounts, claims, and states. `discrepancies` is empty if everything matches. Changes nothing.',
  })
    .input(ReconcilePayouts)
    .output(Reconciliation)
    .query(({ ctx, input }) =>
      reconcilePayouts(ctx, input, { checks: [FAILED_EVENTS, KEPT_EVENTS, PAYMENTS, REFUNDS], countWaiting }),
    ),
});
