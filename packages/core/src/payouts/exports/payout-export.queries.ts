import { sql } from 'kysely';
import { paginate } from '../../platform/wire/pagination.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { type ValidationDetail, validationError } from '../../platform/errors/errors.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import type { ExportItem, Problem } from './formats/format.ts';
import { FILE_FORMATS, fileProblems } from './formats/index.ts';
import type { GetPayoutExport, PayoutExportFile, PayoutExportRecord } from './payout-export.schema.ts';

/** Most problems that one answer names. */
const MAX_NAMED = 100;

/** The wire form of an export, from a row or an entity: both have the same properties. */
export function payoutExportRecord({
  account_id: _,
  paid_through: _through,
  ...columns
}: TableRow<'payout_export'>): PayoutExportRecord {
  // Exports that an earlier version paid have no count.
  return { ...columns, paid_count: columns.state === 'paid' ? columns.payouts_count : columns.paid_count };
}

/** Exports that are not deleted, newest first, without their content. */
export async function listPayoutExports(ctx: Ctx, page: { page: number; limit: number }) {
  const query = ctx.db.selectFrom('payout_export').where('account_id', '=', ctx.accountId).where('released_at', 'is', null);
  const { data, pagination } = await paginate(query, page, (all) => all.selectAll().orderBy('id', 'desc'));
  return { data: data.map(payoutExportRecord), pagination };
}

/** An export without its file; deleted ones stay readable. Throws NOT_FOUND. */
export async function getPayoutExportRecord(ctx: Ctx, id: string): Promise<PayoutExportRecord> {
  return payoutExportRecord(await getExportRow(ctx, id));
}

/** The stored row of an export. Throws NOT_FOUND. */
export async function getExportRow(ctx: Ctx, id: string): Promise<TableRow<'payout_export'>> {
  const row = await ctx.db
    .selectFrom('payout_export')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return foundOrThrow(row, 'payout export');
}

/**
 * An export with its file; deleted ones stay readable. The content never changes: it is rendered from the rows stored when the export was
 * created (docs/domain-rules.md#exports).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR naming the payouts that cannot be in a file of the requested format
 */
export async function getPayoutExport(ctx: Ctx, { id, export_format }: GetPayoutExport): Promise<PayoutExportFile> {
  const record = await getPayoutExportRecord(ctx, id);
  const items = await ctx.db
    .selectFrom('payout_export_item')
    .selectAll()
    .where('export_id', '=', id)
    .orderBy('payout_id')
    .execute();
  const format = export_format ?? record.export_format;
  assertNoProblems('export_format', fileProblems(format, items));
  return { ...record, filename: `payout-export-${id}-${format}.csv`, content: FILE_FORMATS[format].render(items) };
}

/** Throws VALIDATION_ERROR naming the payouts that have problems. */
export function assertNoProblems(path: string, problems: readonly Problem[]): void {
  refuse(problems.map(({ code, message }) => ({ path, code, message })));
}

/** Throws VALIDATION_ERROR unless `details` is empty. */
export function refuse(details: readonly ValidationDetail[]): void {
  if (details.length > 0) throw validationError(details.slice(0, MAX_NAMED));
}

/** The rows that payouts would have in an export made now, oldest first. */
export async function exportItemsOf(ctx: Ctx, payoutIds: readonly string[]): Promise<ExportItem[]> {
  return ctx.db
    .selectFrom('payout')
    .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .select([
      'payout.id as payout_id',
      'payout.affiliate_id',
      'affiliate.email',
      'affiliate.first_name',
      'affiliate.last_name',
      'affiliate.walleta_email',
      'affiliate.walletb_email',
      'payout.amount_cents',
      'payout.currency',
      'payout.commissions_count',
      'payout.created_at as payout_created_at',
    ])
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.id', '=', sql<string>`any (${payoutIds})`)
    .orderBy('payout.id')
    .execute();
}
