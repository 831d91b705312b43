import { sql } from 'kysely';
import { mailMembers } from '../../identity/members/member-mails.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction, type Step } from '../../platform/call/transaction.ts';
import { onceInSteps, type StepwiseRequest } from '../../platform/idempotency/idempotency.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { advanceToEnd } from '../batches/advance-batches.ts';
import { STORED_ITEMS } from '../batches/batch.queries.ts';
import type { PayoutBatch } from '../batches/payout-batch.entity.ts';
import type { Producer } from '../batches/producer.ts';
import { findChanges } from '../methods/recheck.ts';
import { PAYOUT_MAILS } from '../port/mail-texts.ts';
import { getPayoutRun, getPayoutRunSummary, getRunRow } from './payout-run.queries.ts';
import type { PayoutRunRecord } from './payout-run.schema.ts';
import { confirmRun } from './preview-run.ts';

declare module '../../platform/call/context.ts' {
  interface Services {
    /** Maximum items of a payout run per transaction. Default: 500. */
    payoutRunBatch?: number | undefined;
  }
}

/** Runs check every payout again when they pay it, because nothing was sent before. */
export const RUNS: Producer = {
  kind: 'run',
  maxItems: ({ payoutRunBatch = 500 }) => payoutRunBatch,
  maxCommissions: 5_000,
  wasSent: false,
  check: (ctx, batchId, only) => findChanges(ctx, batchId, { asPrepared: false }, { only }),
  announceEnd: async (ctx, run) => {
    if (run.stage !== 'prepared') emit(ctx, 'payout_run.finished', await getPayoutRunSummary(ctx, run.id));
    if (run.livemode && (run.stage === 'paid' || run.stage === 'partly_paid')) await tellOfFinishedRun(ctx, run);
  },
};

/** Writes emails to members about a finished run of live payouts. A retried run finishes again, and members then get another email. */
async function tellOfFinishedRun(ctx: WriteCtx, { id, stage, payouts_count }: PayoutBatch): Promise<void> {
  const { rows } = await sql<{ paid: number; failed: number }>`
    select count(*) filter (where state = 'paid')::int as paid, count(*) filter (where state = 'failed')::int as failed
    from ${STORED_ITEMS} item where batch_id = ${id}`.execute(ctx.db);
  const { paid, failed } = rows[0]!;
  const t = PAYOUT_MAILS.finishedRun;
  await mailMembers(ctx, 'finished_runs', (say) => ({
    subject: say(stage === 'paid' ? t.completed : t.completedInPart),
    lines: [say(t.paid, { paid, all: payouts_count }), ...(failed === 0 ? [] : [say(t.failed, { failed })])],
    link: { label: say(t.link), path: `/payouts/runs/${id}` },
  }));
}

/** The work that a request does on a run. */
export interface RunWork<Begun extends { id: string }> {
  /** Makes all decisions in one transaction, and returns the id of the run. */
  begin: (ctx: WriteCtx) => Promise<Begun>;
  /** Returns the run as the request would leave it, and adds its events to `ctx.preview`. Only reads. */
  preview: (ctx: WriteCtx) => Promise<PayoutRunRecord>;
  /** Does the remaining steps. May be called again after an interruption. Default: a function that does all of the run's remaining work. */
  proceed?: (step: Step, runId: string) => Promise<void>;
}

/**
 * Does a request's work on a run in steps, and returns the run. The work begins at most once per Idempotency-Key: until the
 * response is stored, the key refers to the run, and a repeated request continues the work.
 *
 * If the process dies, the rows of the run and its items say what is left to do. A worker, or the repeated request, finishes the run.
 */
export async function workOnRun<Begun extends { id: string }>(
  ctx: Ctx,
  request: StepwiseRequest<Begun>,
  { begin, preview, proceed = (step, id) => advanceToEnd(step, RUNS, id) }: RunWork<Begun>,
): Promise<PayoutRunRecord> {
  if (ctx.preview) return inTransaction(ctx, preview);
  return onceInSteps(ctx, request, {
    begin: async (tx) => {
      const begun = await begin(tx);
      if (tx.confirmation) await confirmRun(tx, await getRunRow(tx, begun.id), STORED_ITEMS);
      // Workers share the work, and finish it if this process dies.
      tx.afterCommit(() => tx.services.jobs.send('payout_batches'));
      return begun;
    },
    proceed: (step, { id }) => proceed(step, id),
    respond: (part, { id }) => getPayoutRun(part, id),
  });
}
