import { sql } from 'kysely';
import { eligiblePayouts, payoutView } from '../../ledger/payouts/payout.queries.ts';
import { claimPayouts, lockAffiliatesOfPayouts, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { lock } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { receiverOf } from '../method/method.ts';
import { FileSelection, rowProblems } from './export-file.ts';
import { EXPORT_FORMATS, kindOfFormat } from './export-formats.schema.ts';
import { type CurrencyTotal, PayoutExport } from './payout-export.entity.ts';
import {
  assertNoProblems,
  exportItemsOf,
  getExportRow,
  leftOutOf,
  MAX_NAMED,
  payoutExportRecord,
  type PreparedItem,
  refuse,
} from './payout-export.queries.ts';
import type {
  CheckPayoutExport,
  CreatedPayoutExport,
  CreatePayoutExport,
  PayoutExportCheck,
  PayoutExportRecord,
} from './payout-export.schema.ts';
import { changeExport, createExport, markExportReleased, newExport } from './payout-export.transitions.ts';

type Mode = Pick<CreatePayoutExport, 'livemode'>;

/** Rows that are read or inserted by one statement. */
const CHUNK = 2_000;

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
  const selection = new FileSelection(format, MAX_NAMED);
  const items: PreparedItem[] = [];
  for await (const loaded of itemsOf(ctx, eligible)) items.push(...selection.take(loaded));
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
  await claimPayouts(
    ctx,
    held,
    { export_id: payoutExport.id },
    items.map(({ payout_id }) => payout_id),
  );
  for (let start = 0; start < items.length; start += CHUNK) {
    const rows = items.slice(start, start + CHUNK).map((item) => ({
      export_id: payoutExport.id,
      payout_id: item.payout_id,
      affiliate_id: item.affiliate_id,
      amount_cents: item.amount_cents,
      currency: item.currency,
      commissions_count: item.commissions_count,
      sealed_receiver: ctx.services.secrets.seal(JSON.stringify(receiverOf(item))),
      method_versions: item.method_versions,
    }));
    await ctx.db.insertInto('payout_export_item').values(rows).execute();
  }
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
    selection: new FileSelection(export_format, MAX_NAMED),
    totals: new Totals(),
  }));
  for await (const items of itemsOf(ctx, await eligiblePayoutIds(ctx, { livemode }, payout_ids)))
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

/** Loads the rows that payouts would have in a file, in parts. */
async function* itemsOf(ctx: Ctx, payoutIds: readonly string[]): AsyncGenerator<PreparedItem[]> {
  for (let start = 0; start < payoutIds.length; start += CHUNK) yield exportItemsOf(ctx, payoutIds.slice(start, start + CHUNK));
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
  await releasePayouts(ctx, held, { export_id: id }, ids);
  return payoutExportRecord(payoutExport);
}

/** Returns the export as `releasePayoutExport` would return it. Changes nothing. */
async function previewRelease(ctx: WriteCtx, id: string): Promise<PayoutExportRecord> {
  const row = await getExportRow(ctx, id);
  if (row.state !== 'released') markExportReleased(row, ctx.now);
  return payoutExportRecord(row);
}

/** Returns the ids of the eligible payouts of a mode, oldest first. With `among`, returns only ids from that list. */
async function eligiblePayoutIds(ctx: Ctx, mode: Mode, among?: readonly string[]): Promise<string[]> {
  let query = eligiblePayouts(ctx, mode).select('payout.id');
  if (among) query = query.where('payout.id', '=', sql<string>`any (${among})`);
  const rows = await query.orderBy('payout.id').execute();
  return rows.map(({ id }) => id);
}

/** Throws VALIDATION_ERROR naming the payouts that are unknown, of the other mode, or not eligible. */
async function assertEligible(ctx: Ctx, { livemode }: Mode, payoutIds: readonly string[]): Promise<void> {
  const rows = await payoutView(ctx)
    .select(['payout.id', 'payout.state', 'payout.livemode', 'payout.eligible', 'payout.ineligible_reasons'])
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.id', '=', sql<string>`any (${payoutIds})`)
    .execute();
  const payouts = new Map(rows.map((row) => [row.id, row]));
  const details = payoutIds.flatMap((id, index) => {
    const payout = payouts.get(id);
    const path = `payout_ids.${index}`;
    if (!payout) return [{ path, code: 'not_found', message: `No such payout: ${id}.` }];
    if (payout.livemode !== livemode) return [{ path, code: 'other_mode', message: otherMode(id, livemode) }];
    if (payout.eligible) return [];
    // A paid or returned payout has no `ineligible_reasons`.
    const reasons = payout.ineligible_reasons.join(', ') || payout.state;
    return [{ path, code: 'not_eligible', message: `${id} is not eligible: ${reasons}.` }];
  });
  refuse(details);
}

function otherMode(id: string, livemode: boolean): string {
  return livemode
    ? `${id} is a test payout. Export test payouts with livemode false.`
    : `${id} is a live payout. Export live payouts with livemode true.`;
}

async function payoutsOf(ctx: WriteCtx, exportId: string): Promise<string[]> {
  const rows = await ctx.db.selectFrom('payout_export_item').select('payout_id').where('export_id', '=', exportId).execute();
  return rows.map(({ payout_id }) => payout_id);
}

/** Sums of payouts by currency. */
class Totals {
  count = 0;
  readonly #byCurrency = new Map<string, CurrencyTotal>();

  add(items: readonly Pick<PreparedItem, 'currency' | 'amount_cents'>[]): this {
    this.count += items.length;
    for (const { currency, amount_cents } of items) {
      const total = this.#byCurrency.get(currency) ?? { payouts_count: 0, amount_cents: 0 };
      this.#byCurrency.set(currency, {
        currency,
        payouts_count: total.payouts_count + 1,
        amount_cents: total.amount_cents + amount_cents,
      });
    }
    return this;
  }

  byCurrency(): CurrencyTotal[] {
    return [...this.#byCurrency.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  }
}
