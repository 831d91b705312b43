import { addCandidates, claimPayouts, lockAffiliatesOfPayouts, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { lock } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { assertEligible, MAX_NAMED } from '../methods/assert-eligible.ts';
import { candidatesOf, CHUNK, eligiblePayoutIds, type PreparedItem, preparedItems } from '../methods/prepared-items.ts';
import { Totals } from '../methods/totals.ts';
import { rowProblems, selectionFor } from './export-file.ts';
import { EXPORT_FORMATS, kindOfFormat } from './export-formats.schema.ts';
import { PayoutExport } from './payout-export.entity.ts';
import { assertNoProblems, getExportRow, leftOutOf, payoutExportRecord } from './payout-export.queries.ts';
import type {
  CheckPayoutExport,
  CreatedPayoutExport,
  CreatePayoutExport,
  PayoutExportCheck,
  PayoutExportRecord,
} from './payout-export.schema.ts';
import { changeExport, createExport, markExportReleased, newExport } from './payout-export.transitions.ts';

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
  const wanted = input.payout_ids ? [...new Set(input.payout_ids)] : await eligiblePayoutIds(ctx, input);
  if (!input.leave_out_unpayable) assertNoProblems('payout_ids', rowProblems(format, wanted));
  const held = ctx.preview ? null : await lockAffiliatesOfPayouts(ctx, wanted);
  const eligible = input.payout_ids ? wanted : await eligiblePayoutIds(ctx, input, wanted);
  if (input.payout_ids) await assertEligible(ctx, input, input.payout_ids);
  if (eligible.length === 0)
    throw invalid('payout_ids', 'No payout is eligible now. The ineligible_reasons of each payout say why.', 'none_eligible');
  const selection = selectionFor(format, MAX_NAMED);
  const items: PreparedItem[] = [];
  for await (const loaded of preparedItems(ctx, eligible)) items.push(...selection.take(loaded));
  if (!input.leave_out_unpayable || items.length === 0)
    assertNoProblems(
      'payout_ids',
      selection.leftOut.map(({ problem }) => problem),
    );
  const left_out = input.leave_out_unpayable ? { left_out: leftOutOf(selection) } : {};

  const terms = {
    method: kindOfFormat(format),
    livemode: input.livemode,
    notes: input.notes ?? null,
    payouts_count: items.length,
    totals: new Totals().add(items).byCurrency(),
  };
  await confirmEffect(ctx, () => ({ ...terms, items, ...left_out }));
  if (held === null) return { ...payoutExportRecord(newExport(ctx, terms)), ...left_out };
  const payoutExport = createExport(ctx, terms);
  for (let start = 0; start < items.length; start += CHUNK)
    await addCandidates(
      ctx,
      { batchId: payoutExport.id, method: terms.method },
      candidatesOf(ctx, items.slice(start, start + CHUNK)),
    );
  await claimPayouts(
    ctx,
    held,
    payoutExport.id,
    items.map(({ payout_id }) => payout_id),
  );
  return { ...payoutExportRecord(payoutExport), ...left_out };
}

/**
 * Returns what an export of the given payouts, or of all eligible payouts of the mode, would include in each format. Changes nothing.
 *
 * @throws VALIDATION_ERROR naming the given payouts that are unknown, of the other mode, or not eligible
 */
export async function checkPayoutExport(ctx: Ctx, { payout_ids, ...asked }: CheckPayoutExport): Promise<PayoutExportCheck> {
  const livemode = storedModeOf(ctx, asked.livemode);
  if (payout_ids) await assertEligible(ctx, { livemode }, payout_ids);
  const selections = EXPORT_FORMATS.map((export_format) => ({
    export_format,
    selection: selectionFor(export_format, MAX_NAMED),
    totals: new Totals(),
  }));
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
  if (ctx.preview) return previewRelease(ctx, id);
  const payoutExport = await lock(ctx, PayoutExport, id);
  if (payoutExport.state === 'released') return payoutExportRecord(payoutExport);
  changeExport(ctx, payoutExport, (draft) => markExportReleased(draft, ctx.now));
  const ids = await payoutsOf(ctx, id);
  const held = await lockAffiliatesOfPayouts(ctx, ids);
  await releasePayouts(ctx, held, id, new Map(ids.map((payoutId) => [payoutId, { state: 'withdrawn', reason: 'released' }])));
  return payoutExportRecord(payoutExport);
}

/** Returns the export as `releasePayoutExport` would return it. Changes nothing. */
async function previewRelease(ctx: WriteCtx, id: string): Promise<PayoutExportRecord> {
  const row = await getExportRow(ctx, id);
  if (row.state !== 'released') markExportReleased(row, ctx.now);
  return payoutExportRecord(row);
}

async function payoutsOf(ctx: WriteCtx, exportId: string): Promise<string[]> {
  const rows = await ctx.db.selectFrom('payout_attempt').select('payout_id').where('batch_id', '=', exportId).execute();
  return rows.map(({ payout_id }) => payout_id);
}
