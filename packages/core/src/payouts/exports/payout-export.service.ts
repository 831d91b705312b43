import { type RawBuilder, sql } from 'kysely';
import { personBehind } from '../../identity/credentials/describe-caller.ts';
import { findPayoutTerms } from '../../identity/sessions/payout-terms.ts';
import { SCREENING, TAKEN_OUT } from '../../ledger/payouts/payout-attempt.entity.ts';
import {
  authorizeAttempts,
  lockAffiliatesOfPayouts,
  releasePayouts,
  supersedeAttempts,
} from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import { newId } from '../../platform/wire/ids.ts';
import { approveBatch, authorizeSending, hashOfUnsent, mayGoOut, unsentOf } from '../approvals/authorize-sending.ts';
import { getBatchRow, loadBatchAlone } from '../batches/batch.queries.ts';
import type { BatchRow } from '../batches/payout-batch.entity.ts';
import {
  changeBatch,
  finishWork,
  markBatchWithdrawn,
  markTakenOut,
  type NewBatch,
  newBatch,
} from '../batches/payout-batch.transitions.ts';
import { choosePayouts, createPrepared } from '../batches/prepare-batch.ts';
import { assertCleared, assertEligible, MAX_NAMED, refuse } from '../methods/assert-eligible.ts';
import { eligiblePayoutIds, type PreparedItem, preparedItems } from '../methods/prepared-items.ts';
import { findChanges } from '../methods/recheck.ts';
import { Totals } from '../methods/selection.ts';
import { NOT_PAYABLE, PAYOUT_REASONS } from '../port/reasons.ts';
import { isUsable } from '../rails/open-rail.ts';
import { methodOf, rowProblems, selectionFor } from './export-file.ts';
import { EXPORT_FORMATS, kindOfFormat } from './export-formats.schema.ts';
import {
  assertNoProblems,
  exportRecordOf,
  findUnapproved,
  leftOutOf,
  payerNow,
  payoutExportRecord,
  stateOfExport,
} from './payout-export.queries.ts';
import type {
  ApprovePayoutExport,
  CheckPayoutExport,
  CreatedPayoutExport,
  CreatePayoutExport,
  PayoutExportCheck,
  PayoutExportRecord,
  TakeOutOfPayoutExport,
} from './payout-export.schema.ts';
import { endIfDone } from './report-export.ts';

/**
 * Creates an export: claims the given payouts, or all eligible payouts of the mode, and stores the rows of its file
 * (docs/rules/payouts.md#exports). With `leave_out_unpayable`, claims only those that a file of the format can pay. A preview only reads.
 *
 * @throws VALIDATION_ERROR naming the payouts that are unknown, of the other mode, not eligible, or not allowed in a file of this format;
 * VALIDATION_ERROR if no payout is eligible
 */
export async function createPayoutExport(ctx: WriteCtx, asked: CreatePayoutExport): Promise<CreatedPayoutExport> {
  const input = { ...asked, livemode: storedModeOf(ctx, asked.livemode) };
  const format = input.export_format ?? 'csv';
  const payer = await payerNow(ctx, format);
  const selection = selectionFor(format, MAX_NAMED, await findPayoutTerms(ctx, kindOfFormat(format)));
  const { items, held } = await choosePayouts(
    ctx,
    {
      ...input,
      isLocking: !ctx.preview,
      check: (ids) => assertNoProblems('payout_ids', input.leave_out_unpayable ? [] : rowProblems(format, ids)),
    },
    () => selection,
  );
  if (items.length + selection.leftOutCount === 0)
    throw invalid('payout_ids', PAYOUT_REASONS.no_payout_eligible, 'none_eligible');
  await assertCleared(
    ctx,
    items.map(({ affiliate_id }) => affiliate_id),
  );
  if (!input.leave_out_unpayable || items.length === 0)
    assertNoProblems(
      'payout_ids',
      selection.leftOut.map(({ problem }) => problem),
    );
  const left_out = input.leave_out_unpayable ? { left_out: leftOutOf(selection) } : {};

  const totals = new Totals().add(items).byCurrency();
  const terms: NewBatch = {
    id: newId('payout_export', ctx.clock.now()),
    kind: 'export',
    method: kindOfFormat(format),
    livemode: input.livemode,
    notes: input.notes ?? null,
    payouts_count: items.length,
    prepared_by_person: await personBehind(ctx),
    sealed_payer: payer === null ? null : ctx.services.secrets.seal(JSON.stringify(payer)),
  };
  const { id: _, kind, sealed_payer: __, prepared_by_person: ___, ...effect } = terms;
  await confirmEffect(ctx, () => ({ ...effect, payer, totals, items, ...left_out }));
  const row = held === null ? newBatch(ctx, terms) : await createPrepared(ctx, held, terms, items);
  // A readable file may be paid at any time, so its amounts count from now on.
  const decision = { livemode: row.livemode, isApproved: false, path: 'payout_ids' };
  const isReadable = await mayGoOut(ctx, held === null ? paymentsOf(row.method, items) : unsentOf(row.id), decision);
  if (held && isReadable) await authorizeAttempts(ctx, held, row.id, { approvedBy: null, dueAt: null });
  const items_hash = held === null || isReadable ? null : await hashOfUnsent(ctx, row.id);
  const figures = { totals, paid_count: 0, returned_count: 0, needs_approval: !isReadable, items_hash };
  return { ...payoutExportRecord(row, figures), ...left_out };
}

/** SQL query: the payments that an export would have, as `unsentOf` returns them. */
function paymentsOf(method: string, items: readonly PreparedItem[]): RawBuilder<unknown> {
  const rows = items.map(({ affiliate_id, currency, amount_cents, affiliate_fee_cents, method_versions }) => ({
    affiliate_id,
    method,
    currency,
    amount_cents: amount_cents + affiliate_fee_cents!,
    method_versions: method_versions === null ? null : (JSON.parse(method_versions) as unknown),
  }));
  return sql`(select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    listed (affiliate_id text, method text, currency text, amount_cents bigint, method_versions jsonb))`;
}

/**
 * Approves the payouts of an export (`approveBatch`), so that its file can be read.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for an export in another state, for one that needs no approval, (`method_paused`) while
 *   its method is paused, and (`daily_limit`) above a limit
 */
export async function approvePayoutExport(ctx: WriteCtx, { id, items_hash }: ApprovePayoutExport): Promise<PayoutExportRecord> {
  const batch = await loadBatchAlone(ctx, 'export', id);
  const find = ctx.db.selectFrom('payout_attempt').select('payout_id').where('batch_id', '=', id);
  const held = await lockAffiliatesOfPayouts(
    ctx,
    (await find.execute()).map(({ payout_id }) => payout_id),
  );
  if (batch.stage !== 'prepared' || !(await findUnapproved(ctx, [id])).has(id))
    throw invalid('id', PAYOUT_REASONS.nothing_to_approve, 'invalid_state');
  // An approved file can be taken to the bank at once.
  if ((await findPayoutTerms(ctx, batch.method))?.paused) throw invalid('id', PAYOUT_REASONS.export_paused, 'method_paused');
  const changes = await findChanges(ctx, id, { asPrepared: true }, {});
  refuse(
    [...changes].flatMap(([payout, change]) =>
      change === SCREENING
        ? [
            {
              path: 'id',
              code: change,
              message: PAYOUT_REASONS.not_payable_as_exported({ payout, reason: NOT_PAYABLE.screening }),
            },
          ]
        : [],
    ),
  );
  const approvedBy = await approveBatch(ctx, batch, items_hash);
  await authorizeSending(ctx, unsentOf(id), { livemode: batch.livemode, isApproved: true, path: 'id' });
  await authorizeAttempts(ctx, held, id, { approvedBy, dueAt: null });
  return exportRecordOf(ctx, batch);
}

/**
 * Returns what an export of the given payouts, or of all eligible payouts of the mode, would include in each format. Changes nothing.
 *
 * @throws VALIDATION_ERROR naming the given payouts that are unknown, of the other mode, or not eligible
 */
export async function checkPayoutExport(ctx: Ctx, { payout_ids, ...asked }: CheckPayoutExport): Promise<PayoutExportCheck> {
  const livemode = storedModeOf(ctx, asked.livemode);
  if (payout_ids) await assertEligible(ctx, { livemode }, payout_ids);
  const selections = [];
  for (const export_format of EXPORT_FORMATS) {
    if (!(await isUsable(ctx, methodOf(export_format)))) continue;
    const terms = await findPayoutTerms(ctx, kindOfFormat(export_format));
    selections.push({ export_format, selection: selectionFor(export_format, MAX_NAMED, terms), totals: new Totals() });
  }
  for await (const items of preparedItems(ctx, await eligiblePayoutIds(ctx, { livemode }, payout_ids)))
    for (const { selection, totals } of selections) totals.add(selection.take(items));
  return {
    formats: selections.map(({ export_format, selection, totals }) => ({
      export_format,
      payouts_count: totals.count,
      totals: totals.byCurrency(),
      left_out_count: selection.leftOutCount,
      left_out: leftOutOf(selection),
    })),
  };
}

/**
 * Deletes an export and releases its payouts. A deleted export is no longer listed but stays readable by id. Deleting it again changes
 * nothing.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if the export is being paid or has been paid
 */
export async function releasePayoutExport(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutExportRecord> {
  if (ctx.preview) {
    const row = await getBatchRow(ctx, 'export', id);
    if (row.stage !== 'withdrawn') release(ctx, row);
    return exportRecordOf(ctx, row);
  }
  const batch = await loadBatchAlone(ctx, 'export', id);
  if (batch.stage !== 'withdrawn') {
    const attempts = await ctx.db
      .selectFrom('payout_attempt')
      .select(['payout_id', 'arrived_at', 'ended_at'])
      .where('batch_id', '=', id)
      .execute();
    if (attempts.some(({ arrived_at }) => arrived_at !== null))
      throw invalid('id', PAYOUT_REASONS.some_paid_by_bank, 'invalid_state');
    await changeBatch(ctx, batch, (draft) => release(ctx, draft));
    const ids = attempts.filter(({ ended_at }) => ended_at === null).map(({ payout_id }) => payout_id);
    const held = await lockAffiliatesOfPayouts(ctx, ids);
    await releasePayouts(ctx, held, id, new Map(ids.map((payoutId) => [payoutId, { state: 'withdrawn', reason: 'released' }])));
  }
  return exportRecordOf(ctx, batch);
}

/**
 * Takes payouts out of an export that is not paid, and opens them (docs/rules/payouts.md#exports). The file is rendered without them from now on.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if the export is being paid, paid or deleted, naming payouts that it does not hold, and if none would be left
 */
export async function takeOutOfPayoutExport(
  ctx: WriteCtx,
  { id, payout_ids }: TakeOutOfPayoutExport,
): Promise<PayoutExportRecord> {
  const batch = await loadBatchAlone(ctx, 'export', id);
  const state = stateOfExport(batch);
  if (state !== 'processing')
    throw invalid(
      'id',
      PAYOUT_REASONS.export_fixed({ state: STATES[state === 'paying' ? 'being paid' : state] }),
      'invalid_state',
    );
  const ids = [...new Set(payout_ids)];
  const held = await lockAffiliatesOfPayouts(ctx, ids);
  const attempts = await ctx.db
    .selectFrom('payout_attempt')
    .select(['id', 'payout_id'])
    .where('batch_id', '=', id)
    .where('payout_id', 'in', ids)
    .where('state', '=', 'prepared')
    .execute();
  const found = new Set(attempts.map(({ payout_id }) => payout_id));
  refuse(
    ids
      .filter((payout) => !found.has(payout))
      .map((payout) => ({ path: 'payout_ids', code: 'not_found', message: PAYOUT_REASONS.payout_not_in_export({ payout }) })),
  );
  if (attempts.length === batch.payouts_count) throw invalid('payout_ids', PAYOUT_REASONS.export_would_be_empty, 'empty');
  await releasePayouts(ctx, held, id, new Map(ids.map((payoutId) => [payoutId, { state: 'withdrawn', reason: TAKEN_OUT }])));
  await supersedeAttempts(
    ctx,
    attempts.map((attempt) => attempt.id),
  );
  await changeBatch(ctx, batch, (draft) => markTakenOut(draft, attempts.length, ctx.now));
  await endIfDone(ctx, batch);
  return exportRecordOf(ctx, batch);
}

/** Withdraws an export. Throws VALIDATION_ERROR if it is being paid or has been paid. */
function release(ctx: WriteCtx, draft: BatchRow): void {
  if (draft.stage !== 'prepared') {
    const state = draft.stage === 'paying' ? 'being paid' : 'paid';
    throw invalid('id', PAYOUT_REASONS.export_not_releasable({ state: STATES[state] }), 'invalid_state');
  }
  markBatchWithdrawn(draft, ctx.now);
  finishWork(draft, false, ctx.now);
}
