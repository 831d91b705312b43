import { sql } from 'kysely';
import { countPayment } from '../../identity/connectors/count-payment.ts';
import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { isUnfinished } from '../../ledger/payouts/payout-attempt.entity.ts';
import { previewPaid } from '../../ledger/payouts/payout-events.ts';
import { lockAffiliatesOfPayouts, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { onceInSteps, type StepwiseRequest } from '../../platform/idempotency/idempotency.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { mayLieInOne } from '../../platform/sweeps/failures.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { advanceSteps } from '../batches/advance-batches.ts';
import { getBatchRow, loadBatchAlone } from '../batches/batch.queries.ts';
import { payItems, reportProgress } from '../batches/do-step.ts';
import { announceFailed, finishBatch } from '../batches/finish-batch.ts';
import { firstPayouts } from '../batches/next-items.ts';
import type { BatchRow } from '../batches/payout-batch.entity.ts';
import { changeBatch, finishWork, markBatchPaying } from '../batches/payout-batch.transitions.ts';
import type { Producer } from '../batches/producer.ts';
import { refuse } from '../methods/assert-eligible.ts';
import { type Change, findChanges } from '../methods/recheck.ts';
import { NOT_PAYABLE, PAYOUT_REASONS } from '../port/reasons.ts';
import { exportRecordOf, getPayoutExportRecord, payoutExportRecord, stateOfExport } from './payout-export.queries.ts';
import { PayoutExportEventData, type PayoutExportRecord, type PayPayoutExport } from './payout-export.schema.ts';

/**
 * Checks all payouts of an export again before they are paid (docs/rules/payouts.md#exports).
 *
 * @param except payouts that are not paid
 * @throws VALIDATION_ERROR naming the payouts that must not be paid, each with the first reason
 */
async function assertUnchanged(ctx: Ctx, exportId: string, except: readonly string[] = []): Promise<void> {
  const said: Record<Exclude<Change, 'missing_payout_details'>, Reason> = NOT_PAYABLE;
  const changes = await findChanges(ctx, exportId, { asPrepared: true }, { except });
  refuse(
    [...changes]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([payoutId, code]) => ({
        path: 'payout_export_id',
        code,
        message: PAYOUT_REASONS.not_payable_as_exported({
          payout: payoutId,
          reason: said[code as keyof typeof said],
        }),
      })),
  );
}

/** Maximum number of steps that the request performs after the first one. A worker performs the remaining steps. */
const STEPS_OF_REQUEST = 3;

/**
 * Marks the payouts of an export paid (docs/rules/payouts.md#exports). The first step is part of the
 * transaction that starts the payment, so a small export is paid in one transaction. For a large export, the request performs a few steps
 * and returns the export in state `paying`; a worker performs the remaining steps. If a process dies, the stored attempts say which payouts
 * are left.
 *
 * All payouts are checked before the first one is paid. The later steps do not check again, because the payment has been decided then, and
 * the response has said so.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if the export is being paid, paid or released already, and naming the payouts that must not be paid,
 * unless the money was sent already; CONFLICT if the export no longer holds all its payouts, which only a change of the database from outside
 * the service can cause
 */
export async function payPayoutExport(
  ctx: Ctx,
  request: StepwiseRequest<{ id: string; isPaid: boolean }>,
  input: PayPayoutExport,
): Promise<PayoutExportRecord> {
  const { payout_export_id: id, payment_reference, already_sent, refused } = input;
  if (ctx.preview) return inTransaction(ctx, (tx) => previewPayment(tx, input));
  const except = refused.map(({ payout_id }) => payout_id);
  let isPayingFirst = false;
  const pay = (isPayingAtOnce: boolean) =>
    onceInSteps(ctx, request, {
      begin: async (tx) => {
        const batch = await loadBatchAlone(tx, 'export', id);
        await changeBatch(tx, batch, (draft) => startPaying(tx, draft, payment_reference ?? null));
        const { totals } = await exportRecordOf(tx, batch);
        await confirmEffect(tx, () => effectOfPayment(batch, totals, refused));
        await assertHoldsAll(tx, id);
        await assertAreIn(tx, id, refused);
        const first = await firstPayouts(tx, { batchId: id, steps: 1, producer: EXPORTS }, { except });
        const held = await lockAffiliatesOfPayouts(tx, [...first.payoutIds, ...except]);
        await refuseItems(tx, held, id, refused);
        if (!already_sent) await assertUnchanged(tx, id);
        if (isPayingAtOnce) {
          isPayingFirst = true;
          await payItems(tx, EXPORTS, { batch, held, payoutIds: first.payoutIds });
          if (await finishBatch(tx, EXPORTS, batch)) await reportProgress(tx, batch);
          isPayingFirst = false;
        }
        if (batch.livemode) await countPayment(tx, id, await amountsPaid(tx, id, except));
        if (batch.working) tx.afterCommit(() => tx.services.jobs.send('payout_batches'));
        return { id, isPaid: !batch.working };
      },
      proceed: async (step, { isPaid }) => {
        if (!isPaid) await advanceSteps(step, EXPORTS, { id, steps: STEPS_OF_REQUEST });
      },
      respond: (tx) => getPayoutExportRecord(tx, id),
    });
  try {
    return await pay(true);
  } catch (err) {
    // If one payout of the first step cannot be paid, the payment is decided without it, and the steps that follow find the payout.
    if (isPayingFirst && mayLieInOne(err)) return await pay(false);
    throw err;
  }
}

/** Starts the payment of an export. Throws VALIDATION_ERROR if the export is being paid, paid or released already. */
function startPaying(ctx: WriteCtx, draft: BatchRow, paymentReference: string | null): void {
  const state = stateOfExport(draft);
  if (state !== 'processing')
    throw invalid(
      'payout_export_id',
      PAYOUT_REASONS.export_already({ state: STATES[state === 'paying' ? 'being paid' : state] }),
      'invalid_state',
    );
  markBatchPaying(draft, paymentReference, ctx.now);
}

/**
 * Returns the export as `payPayoutExport` would return it, and adds the events of that payment to the preview. Changes and locks nothing, so that the
 * preview of a large export does not block other requests.
 */
async function previewPayment(
  ctx: WriteCtx,
  { payout_export_id: id, payment_reference, already_sent, refused }: PayPayoutExport,
): Promise<PayoutExportRecord> {
  const row = await getBatchRow(ctx, 'export', id);
  startPaying(ctx, row, payment_reference ?? null);
  const { totals, returned_count, needs_approval, items_hash } = await exportRecordOf(ctx, row);
  await confirmEffect(ctx, () => effectOfPayment(row, totals, refused));
  await assertHoldsAll(ctx, id);
  await assertAreIn(ctx, id, refused);
  const except = refused.map(({ payout_id }) => payout_id);
  if (row.livemode) await countPayment(ctx, id, await amountsPaid(ctx, id, except));
  if (!already_sent) await assertUnchanged(ctx, id, except);
  await announceFailed(ctx, reasonsOf(refused));
  const { payoutIds, isLast } = await firstPayouts(
    ctx,
    { batchId: id, steps: 1 + STEPS_OF_REQUEST, producer: EXPORTS },
    { except },
  );
  await previewPaid(ctx, payoutIds, row.payment_reference);
  if (isLast) finishWork(row, refused.length > 0, ctx.now);
  const record = payoutExportRecord(row, { totals, returned_count, needs_approval, items_hash, paid_count: payoutIds.length });
  if (isLast) emit(ctx, 'payout_export.paid', PayoutExportEventData.parse(record));
  return record;
}

/** Payouts are only taken out of an export, so its payment has the effect that a preview showed if number and totals are the same. */
function effectOfPayment({ payouts_count, payment_reference }: BatchRow, totals: PayoutExportRecord['totals'], refused: Refused) {
  return { payouts_count, totals, payment_reference, refused };
}

/** Returns the sums of what an export marks as paid: all but what was refused, now (`except`) or by the bank before. */
async function amountsPaid({ db }: WriteCtx, exportId: string, except: readonly string[]) {
  const { rows } = await sql<{ currency: string; amount_cents: number }>`
    select currency, sum(amount_cents) as amount_cents from payout_attempt
    where batch_id = ${exportId} and state <> 'failed' and not superseded and payout_id <> all (${except}::text[])
    group by currency order by currency`.execute(db);
  return rows;
}

type Refused = PayPayoutExport['refused'];

function reasonsOf(refused: Refused): Map<string, string> {
  return new Map(refused.map(({ payout_id, reason }) => [payout_id, reason]));
}

/** Throws VALIDATION_ERROR naming the refused payouts that the export does not hold. */
async function assertAreIn({ db }: WriteCtx, exportId: string, refused: Refused): Promise<void> {
  if (refused.length === 0) return;
  const { rows } = await sql<{ payout_id: string }>`
    select payout_id from payout_attempt item
    where batch_id = ${exportId} and payout_id = any (${refused.map(({ payout_id }) => payout_id)}) and ${IS_UNPAID}`.execute(db);
  const held = new Set(rows.map(({ payout_id }) => payout_id));
  refuse(
    refused.flatMap(({ payout_id }, at) =>
      held.has(payout_id)
        ? []
        : [
            {
              path: `refused.${at}.payout_id`,
              code: 'not_found',
              message: PAYOUT_REASONS.payout_not_in_export({ payout: payout_id }),
            },
          ],
    ),
  );
}

/** Marks the attempts of refused payouts failed, and opens these payouts. */
async function refuseItems(ctx: WriteCtx, held: HeldAffiliates, exportId: string, refused: Refused): Promise<void> {
  const reasons = reasonsOf(refused);
  await announceFailed(ctx, reasons);
  const endings = [...reasons].map(([payoutId, reason]) => [payoutId, { state: 'failed' as const, reason }] as const);
  await releasePayouts(ctx, held, exportId, new Map(endings));
}

/**
 * SQL condition: the attempt `item` holds its unpaid payout. Reads the payout in a scalar subquery instead of a join: if the tables have just grown,
 * PostgreSQL may execute a join by comparing every payout with every attempt.
 */
const IS_UNPAID = sql<boolean>`(${isUnfinished('item')} and (select status from payout where payout.id = item.payout_id) is not distinct from 'processing')`;

/** Throws CONFLICT if the export no longer holds all its payouts, except those that a report of the bank has ended, or that were taken out. */
async function assertHoldsAll(ctx: WriteCtx, exportId: string): Promise<void> {
  const { rows } = await sql<{ payout_id: string }>`
    select payout_id from payout_attempt item
    where batch_id = ${exportId} and not ${IS_UNPAID} and state not in ('arrived', 'returned', 'failed') and not superseded
    limit 1`.execute(ctx.db);
  if (rows.length > 0) throw new DomainError('CONFLICT', PAYOUT_REASONS.export_lacks_payouts);
}

/** Exports are paid without a check of single payouts, because the money was sent with the file. The start of the payment has checked all of them. */
export const EXPORTS: Producer = {
  kind: 'export',
  maxItems: () => 500,
  maxCommissions: 10_000,
  wasSent: true,
  announceEnd: async (ctx, { id }) => {
    emit(ctx, 'payout_export.paid', PayoutExportEventData.parse(await getPayoutExportRecord(ctx, id)));
  },
};
