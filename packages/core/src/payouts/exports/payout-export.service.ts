import { sql } from 'kysely';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import { newRecordColumns, loadForUpdate } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { claimPayouts, lockAffiliatesOf, payClaimed, releasePayouts } from '../payouts/claim.ts';
import { payoutView } from '../payouts/payout.queries.ts';
import type { ExportItem } from './formats/format.ts';
import { fileProblems, rowProblems } from './formats/index.ts';
import { type CurrencyTotal, PayoutExport } from './payout-export.entity.ts';
import { assertNoProblems, exportItemsOf, payoutExportRecord, refuse } from './payout-export.queries.ts';
import type { CreatePayoutExport, PayoutExportRecord, PayPayoutExport } from './payout-export.schema.ts';

/** Rows per insert. */
const CHUNK = 2_000;

/**
 * Claims payouts, those given or all eligible ones, and freezes what their file shows (docs/domain-rules.md#exports).
 *
 * @throws VALIDATION_ERROR naming the payouts that are unknown, not eligible, or cannot be in a file of the format; and when none is eligible
 */
export async function createPayoutExport(ctx: WriteCtx, input: CreatePayoutExport): Promise<PayoutExportRecord> {
  const format = input.export_format ?? 'csv';
  const wanted = input.payout_ids ? [...new Set(input.payout_ids)] : await eligiblePayouts(ctx);
  assertNoProblems('payout_ids', rowProblems(format, wanted));
  await lockAffiliatesOf(ctx, wanted);
  const eligible = input.payout_ids ? wanted : await eligiblePayouts(ctx, wanted);
  if (input.payout_ids) await assertEligible(ctx, input.payout_ids);
  if (eligible.length === 0) throw invalid('payout_ids', 'No payout is eligible', 'none_eligible');
  const items = await exportItemsOf(ctx, eligible);
  assertNoProblems('payout_ids', fileProblems(format, items));

  const payoutExport = ctx.em.create(PayoutExport, {
    ...newRecordColumns(ctx, newId('payout_export', ctx.clock.now())),
    state: 'processing',
    export_format: format,
    notes: input.notes ?? null,
    payouts_count: items.length,
    totals: totalsOf(items),
    payment_reference: null,
    paid_at: null,
    released_at: null,
  });
  await ctx.em.flush();
  await claimPayouts(ctx, { export_id: payoutExport.id }, eligible);
  for (let start = 0; start < items.length; start += CHUNK) {
    const rows = items.slice(start, start + CHUNK).map((item) => ({ ...item, export_id: payoutExport.id }));
    await ctx.db.insertInto('payout_export_item').values(rows).execute();
  }
  return payoutExportRecord(payoutExport);
}

/**
 * Marks every payout of an export paid, in this one transaction; emits `payout.paid` for each.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR unless the export still holds its payouts; CONFLICT when its claims were tampered with
 */
export async function payPayoutExport(ctx: WriteCtx, input: PayPayoutExport): Promise<PayoutExportRecord> {
  const payoutExport = await loadForUpdate(ctx, PayoutExport, input.payout_export_id);
  const reference = input.payment_reference ?? null;
  payoutExport.markPaid(reference, ctx.now);
  await ctx.em.flush();
  const ids = await payoutsOf(ctx, payoutExport.id);
  await lockAffiliatesOf(ctx, ids);
  const paid = await payClaimed(ctx, { export_id: payoutExport.id }, ids, reference);
  if (paid.length !== ids.length)
    throw new DomainError('CONFLICT', 'Some payouts of this export are not held by it any more. See GET /payout_runs/reconcile.');
  return payoutExportRecord(payoutExport);
}

/**
 * Takes an export back: its payouts are open again. It leaves the list and stays readable by id. Doing it again changes nothing.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR once it is paid
 */
export async function releasePayoutExport(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutExportRecord> {
  const payoutExport = await loadForUpdate(ctx, PayoutExport, id);
  if (payoutExport.state === 'released') return payoutExportRecord(payoutExport);
  payoutExport.release(ctx.now);
  await ctx.em.flush();
  const ids = await payoutsOf(ctx, id);
  await lockAffiliatesOf(ctx, ids);
  await releasePayouts(ctx, { export_id: id }, ids);
  return payoutExportRecord(payoutExport);
}

/** The payouts that can be claimed now, of those given or of the account. */
async function eligiblePayouts(ctx: WriteCtx, among?: readonly string[]): Promise<string[]> {
  let query = payoutView(ctx.db)
    .select('payout.id')
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.status', '=', 'open')
    .where('payout.eligible', '=', true);
  if (among) query = query.where('payout.id', '=', sql<string>`any (${among})`);
  const rows = await query.orderBy('payout.id').execute();
  return rows.map(({ id }) => id);
}

/** The caller holds the affiliates' locks. */
async function assertEligible(ctx: WriteCtx, payoutIds: readonly string[]): Promise<void> {
  const rows = await payoutView(ctx.db)
    .select(['payout.id', 'payout.ineligible_reasons'])
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.id', '=', sql<string>`any (${payoutIds})`)
    .execute();
  const reasonsOf = new Map(rows.map(({ id, ineligible_reasons }) => [id, ineligible_reasons]));
  const details = payoutIds.flatMap((id, index) => {
    const reasons = reasonsOf.get(id);
    const path = `payout_ids.${index}`;
    if (!reasons) return [{ path, code: 'not_found', message: `No such payout: ${id}` }];
    return reasons.length === 0 ? [] : [{ path, code: 'not_eligible', message: `${id} is not eligible: ${reasons.join(', ')}` }];
  });
  refuse(details);
}

async function payoutsOf(ctx: WriteCtx, exportId: string): Promise<string[]> {
  const rows = await ctx.db.selectFrom('payout_export_item').select('payout_id').where('export_id', '=', exportId).execute();
  return rows.map(({ payout_id }) => payout_id);
}

function totalsOf(items: readonly ExportItem[]): CurrencyTotal[] {
  return [...Map.groupBy(items, ({ currency }) => currency)]
    .map(([currency, group]) => ({
      currency,
      payouts_count: group.length,
      amount_cents: group.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}
