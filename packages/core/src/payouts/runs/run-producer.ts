import { sql } from 'kysely';
import { mailMembers } from '../../identity/members/member-mails.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { STORED_ITEMS } from '../batches/batch.queries.ts';
import type { PayoutBatch } from '../batches/payout-batch.entity.ts';
import type { Producer } from '../batches/producer.ts';
import { findChanges } from '../methods/recheck.ts';
import { PAYOUT_MAILS } from '../port/mail-texts.ts';
import { getPayoutRunSummary } from './payout-run.queries.ts';

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
