import { sql } from 'kysely';
import type { Ctx } from '../platform/call/context.ts';
import { foundOrThrow, getRow } from '../platform/call/records.ts';
import { allOf } from '../platform/wire/filters.ts';
import { listOrder } from '../platform/wire/list-order.ts';
import { paginate } from '../platform/wire/pagination.ts';
import { wireRecord } from '../platform/wire/wire-record.ts';
import { ImportRecord, type ImportRow, type ListImportRows, type ListImports } from './import.schema.ts';
import { Import } from './port/import.entity.ts';

const RECORD = wireRecord(Import, ImportRecord);

type Counts = ImportRecord['counts'];

/** Lists the imports of an account, newest first. */
export async function listImports(ctx: Ctx, input: ListImports) {
  const query = ctx.db.selectFrom('data_import').where('account_id', '=', ctx.accountId);
  const { data, pagination } = await paginate(query, input, {
    order: listOrder('-created_at', { table: 'data_import', kind: 'import' }),
    select: (all) => all.selectAll(),
  });
  const counts = await countsOf(
    ctx,
    data.map(({ id }) => id),
  );
  return { data: data.map((row) => RECORD.of(row, { counts: counts.get(row.id) ?? [] })), pagination };
}

/** Returns an import. Throws NOT_FOUND. */
export async function getImport(ctx: Ctx, { id }: { id: string }): Promise<ImportRecord> {
  const row = await ctx.db
    .selectFrom('data_import')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return importRecord(ctx, foundOrThrow(row, 'import'));
}

/** Returns the wire form of an import. */
export async function importRecord(ctx: Pick<Ctx, 'db'>, row: Import): Promise<ImportRecord> {
  return RECORD.of(row, { counts: (await countsOf(ctx, [row.id])).get(row.id) ?? [] });
}

async function countsOf({ db }: Pick<Ctx, 'db'>, ids: readonly string[]): Promise<Map<string, Counts>> {
  const { rows } = await sql<Counts[number] & { import_id: string }>`
    select import_id, kind, outcome, count(*)::int as count, count(done_at)::int as done
    from data_import_row where import_id = any (${ids}::text[])
    group by import_id, rank, kind, outcome order by import_id, rank, outcome`.execute(db);
  const counts = new Map(ids.map((id): [string, Counts] => [id, []]));
  for (const { import_id, ...count } of rows) counts.get(import_id)!.push(count);
  return counts;
}

/** Lists the records of an import, in the order in which they were read. Throws NOT_FOUND. */
export async function listImportRows(ctx: Ctx, { id, kind, outcome, ...input }: ListImportRows) {
  await getRow(ctx, Import, id);
  const query = ctx.db
    .selectFrom('data_import_row')
    .where('import_id', '=', id)
    .where(
      allOf([
        ...(kind === undefined ? [] : [sql<boolean>`kind = ${kind}`]),
        ...(outcome === undefined ? [] : [sql<boolean>`outcome = ${outcome}`]),
      ]),
    );
  const { data, pagination } = await paginate(query, input, {
    order: listOrder('created_at', { table: 'data_import_row', kind: 'import_row' }),
    select: (all) => all.selectAll(),
  });
  return { data: data.map(rowRecord), pagination };
}

function rowRecord(row: Pick<ImportRow, Exclude<keyof ImportRow, 'data'>> & { data: unknown }): ImportRow {
  const { kind, source_id, outcome, reason, detail, record_id, data } = row;
  return { kind, source_id, outcome, reason, detail, record_id, data: data as ImportRow['data'] };
}
