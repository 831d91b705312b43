import { mapInParts } from '@affiliate/postgres';
import { sql } from 'kysely';
import { SENT_CENTS } from '../../ledger/payouts/payout-attempt.entity.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo } from '../../platform/call/mode.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { ownMode } from '../../sources/port/port.ts';
import { HASH_OF_PAYMENTS } from '../approvals/authorize-sending.ts';
import { figuresOf, getBatchRow, sumOf } from '../batches/batch.queries.ts';
import { type BatchStage, PayoutBatch } from '../batches/payout-batch.entity.ts';
import { refuse } from '../methods/assert-eligible.ts';
import type { Selection } from '../methods/selection.ts';
import { type FileItem, nameOf, type Problem, type Receiver } from '../port/method.ts';
import type { Credentials } from '../port/rail.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { accessTo, getPayer } from '../rails/open-rail.ts';
import { fileNameOf, fileProblems, methodOf, renderFile } from './export-file.ts';
import { type ExportFormat, formatOfKind, kindOfFormat, problemCode } from './export-formats.schema.ts';
import {
  type GetPayoutExport,
  type LeftOut,
  type ListPayoutExports,
  type PayoutExportFile,
  PayoutExportRecord,
} from './payout-export.schema.ts';

const RECORD = wireRecord(PayoutBatch, PayoutExportRecord);

const STATES = {
  prepared: 'processing',
  paying: 'paying',
  paid: 'paid',
  partly_paid: 'paid',
  withdrawn: 'released',
} as const satisfies Record<BatchStage, PayoutExportRecord['state']>;

/** Returns the state of an export as responses show it. */
export function stateOfExport({ stage }: Pick<PayoutBatch, 'stage'>): PayoutExportRecord['state'] {
  return STATES[stage];
}

/** The numbers that an export shows beside its row. */
export type ExportFigures = Pick<
  PayoutExportRecord,
  'totals' | 'paid_count' | 'returned_count' | 'needs_approval' | 'items_hash'
>;

/** Returns the wire form of an export. */
export function payoutExportRecord(row: PayoutBatch, figures: ExportFigures): PayoutExportRecord {
  const { method, withdrawn_at: released_at } = row;
  return RECORD.of(row, { ...figures, state: stateOfExport(row), export_format: formatOfKind(method), released_at });
}

async function recordsOf(ctx: Pick<Ctx, 'db'>, rows: readonly PayoutBatch[]): Promise<PayoutExportRecord[]> {
  const ids = rows.map(({ id }) => id);
  const figures = await figuresOf(ctx, ids);
  const unapproved = await findUnapproved(ctx, ids);
  return rows.map((row) => {
    const items_hash = unapproved.get(row.id) ?? null;
    const own = figures.filter(({ batch_id }) => batch_id === row.id);
    const totals = own.map(({ currency, items_count, amount_cents }) => ({ currency, payouts_count: items_count, amount_cents }));
    return payoutExportRecord(row, {
      totals,
      paid_count: sumOf(own, 'paid_count'),
      returned_count: sumOf(own, 'returned_count'),
      needs_approval: items_hash !== null,
      items_hash,
    });
  });
}

/** Finds the exports whose payouts somebody else has to approve before the file can be read, each with the hash of the payouts. */
export async function findUnapproved({ db }: Pick<Ctx, 'db'>, exportIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ batch_id: string; hash: string }>`
    select batch_id, ${HASH_OF_PAYMENTS} as hash from payout_attempt
    where batch_id = any (${exportIds}) and state = 'prepared' and authorized_at is null group by batch_id`.execute(db);
  return new Map(rows.map(({ batch_id, hash }) => [batch_id, hash]));
}

/** Throws VALIDATION_ERROR if the file of an export cannot be read, because nobody has approved it. */
async function assertReadable({ db }: Pick<Ctx, 'db'>, exportId: string): Promise<void> {
  if (!(await isReadable({ db }, exportId))) throw invalid('id', PAYOUT_REASONS.export_approval_needed, 'approval_needed');
}

/** Reports whether all payouts that an export claimed may be paid. One that was given up without an approval stays unreadable. */
async function isReadable({ db }: Pick<Ctx, 'db'>, exportId: string): Promise<boolean> {
  const { rows } = await sql`
    select from payout_attempt where batch_id = ${exportId} and prepared_at is not null and authorized_at is null and not superseded limit 1`.execute(
    db,
  );
  return rows.length === 0;
}

/** Lists exports that are not deleted, newest first, without their files. */
export async function listPayoutExports(ctx: Ctx, input: ListPayoutExports) {
  const query = ctx.db
    .selectFrom('payout_batch')
    .where('account_id', '=', ctx.accountId)
    .where('kind', '=', 'export')
    .where('withdrawn_at', 'is', null)
    .where(isVisibleTo(ctx, 'payout_batch'));
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'payout_batch', kind: 'payout_export' }),
    select: (all) => all.selectAll(),
  });
  return { data: await recordsOf(ctx, data), pagination };
}

/** Returns an export without its file. Deleted exports stay readable. Throws NOT_FOUND. */
export async function getPayoutExportRecord(ctx: Ctx, id: string): Promise<PayoutExportRecord> {
  return exportRecordOf(ctx, await getBatchRow(ctx, 'export', id));
}

/** Returns the wire form of an export, with the figures of its attempts. */
export async function exportRecordOf(ctx: Pick<Ctx, 'db'>, row: PayoutBatch): Promise<PayoutExportRecord> {
  const [record] = await recordsOf(ctx, [row]);
  return record!;
}

/** Content of a file for assistants, which do not see account numbers. */
const HIDDEN = String(PAYOUT_REASONS.file_hidden);

/**
 * Returns an export with its file. Deleted exports stay readable. The file is rendered from the rows that were stored when the export was created
 * (docs/rules/payouts.md#exports), so its content only changes when a payout is taken out.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR naming the payouts that cannot be in a file of the requested format
 */
export async function getPayoutExport(ctx: Ctx, { id, export_format }: GetPayoutExport): Promise<PayoutExportFile> {
  const row = await getBatchRow(ctx, 'export', id);
  const record = await exportRecordOf(ctx, row);
  const format = export_format ?? record.export_format;
  const isHidden = ctx.surface === 'mcp' && methodOf(format).accounts !== undefined;
  const read = async () => ((await isReadable(ctx, id)) ? renderExport(ctx, row, format) : '');
  return { ...record, filename: await nameFile(ctx, row, format), content: isHidden ? HIDDEN : await read() };
}

/** Makes the file of an export in one of the formats. Throws the errors of `getPayoutExport`. */
export async function renderPayoutExport(
  ctx: Pick<Ctx, 'db' | 'accountId' | 'services'>,
  { id, format }: { id: string; format: ExportFormat },
): Promise<{ name: string; content: Buffer }> {
  const row = await getBatchRow(ctx, 'export', id);
  await assertReadable(ctx, id);
  return { name: await nameFile(ctx, row, format), content: Buffer.from(await renderExport(ctx, row, format)) };
}

/** Returns the name and the format of an export's file. Throws the errors of `getPayoutExport`. */
export async function getExportFileName(
  ctx: Ctx,
  { id, export_format }: GetPayoutExport,
): Promise<{ filename: string; format: ExportFormat }> {
  const row = await getBatchRow(ctx, 'export', id);
  const format = export_format ?? formatOfKind(row.method);
  await assertReadable(ctx, id);
  await payableItems(ctx, id, format);
  return { filename: await nameFile(ctx, row, format), format };
}

/** Names a file after the program and the month of its export, in the time zone of the account. */
async function nameFile(
  { db }: Pick<Ctx, 'db'>,
  { id, account_id, created_at }: PayoutBatch,
  format: ExportFormat,
): Promise<string> {
  const { rows } = await sql<{ slug: string; month: string }>`
    select slug, to_char(${created_at}::timestamptz at time zone time_zone, 'YYYY-MM') as month from account where id = ${account_id}`.execute(
    db,
  );
  return fileNameOf({ ...rows[0]!, id }, format);
}

async function renderExport(
  ctx: Pick<Ctx, 'db' | 'accountId' | 'services'>,
  row: PayoutBatch,
  format: ExportFormat,
): Promise<string> {
  const { id, created_at } = row;
  const items = await payableItems(ctx, id, format);
  const payer = await payerOf(ctx, row, format);
  return renderFile(format, { id, created_at, daily_number: await dailyNumber(ctx, row), payer, items });
}

/** Returns the number of exports with the method that were created before an export on its day. It never changes, because exports are not deleted. */
async function dailyNumber({ db }: Pick<Ctx, 'db'>, { id, account_id, method, created_at }: PayoutBatch): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from payout_batch
    where account_id = ${account_id} and kind = 'export' and method = ${method} and id < ${id}
      and created_at >= ${`${created_at.slice(0, 10)}T00:00:00.000Z`}`.execute(db);
  return rows[0]!.count;
}

/** Returns the payouts of an export, all of which a file of the format can pay. */
async function payableItems(ctx: Pick<Ctx, 'db' | 'services'>, id: string, format: ExportFormat): Promise<FileItem[]> {
  const rows = await ctx.db
    .selectFrom('payout_attempt')
    .select(['id as attempt_id', 'payout_id', 'affiliate_id', 'currency', 'commissions_count', 'sealed_receiver'])
    .select(SENT_CENTS.as('amount_cents'))
    .where('batch_id', '=', id)
    .where('superseded', '=', false)
    .orderBy('payout_id')
    .execute();
  const items = await mapInParts(rows, ({ sealed_receiver, ...row }) => ({
    ...row,
    ...(JSON.parse(ctx.services.secrets.open(sealed_receiver!)) as Receiver),
  }));
  assertNoProblems('export_format', fileProblems(format, items));
  return items;
}

/** Returns the payouts that a file leaves out, in their wire form. */
export function leftOutOf({ leftOut }: Selection): LeftOut[] {
  return leftOut.map(({ item, problem: { code, message } }) => ({
    payout_id: item.payout_id,
    affiliate_id: item.affiliate_id,
    affiliate_name: nameOf(item),
    code: problemCode(code),
    message: String(message),
  }));
}

/** Throws VALIDATION_ERROR with the problems, if there are any. Each message names its payout. */
export function assertNoProblems(path: string, problems: readonly Problem[]): void {
  refuse(problems.map(({ code, message }) => ({ path, code: problemCode(code), message })));
}

type Needed = Pick<Ctx, 'db' | 'accountId' | 'services'>;

/** Returns the account from which files of a format are paid now, or null if they name none. Throws VALIDATION_ERROR if it is not connected. */
export async function payerNow(ctx: Needed, format: ExportFormat): Promise<Credentials | null> {
  const rail = await getPayer(ctx, methodOf(format), ownMode(ctx.accountId), 'export_format');
  return rail && accessTo(ctx.services, rail).credentials;
}

/** Returns the account from which the file of an export is paid: the one at its creation, unless the file is made in another format. */
async function payerOf(ctx: Needed, { method, sealed_payer }: PayoutBatch, format: ExportFormat): Promise<Credentials | null> {
  if (method !== kindOfFormat(format)) return payerNow(ctx, format);
  return sealed_payer === null ? null : (JSON.parse(ctx.services.secrets.open(sealed_payer)) as Credentials);
}
