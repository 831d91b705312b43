import { sql } from 'kysely';
import type { Ctx, Services, WriteCtx } from '../platform/call/context.ts';
import type { Locked } from '../platform/call/locks.ts';
import { foundOrThrow, getRow, save } from '../platform/call/records.ts';
import { type CsvPart, csvPart, csvRows } from '../platform/wire/csv.ts';
import { allOf } from '../platform/wire/filters.ts';
import { listOrder } from '../platform/wire/list-order.ts';
import { paginate } from '../platform/wire/pagination.ts';
import { wireRecord } from '../platform/wire/wire-record.ts';
import { ImportRecord, type ImportRow, type ImportRowsAsCsv, type ListImportRows, type ListImports } from './import.schema.ts';
import type { ImportInput } from './port/import-kind.ts';
import { Import, MONEY_KINDS } from './port/import.entity.ts';

const RECORD = wireRecord(Import, ImportRecord);

/** Lists the imports of an account, newest first. */
export async function listImports(ctx: Ctx, input: ListImports) {
  const query = ctx.db.selectFrom('data_import').where('account_id', '=', ctx.accountId);
  const { data, pagination } = await paginate(query, input, {
    order: listOrder('-created_at', { table: 'data_import', kind: 'import' }),
    select: (all) => all.selectAll(),
  });
  const sums = await sumsOf(
    ctx,
    data.map(({ id }) => id),
  );
  return { data: data.map((row) => RECORD.of(row, moreOf(ctx, row, sums(row.id)))), pagination };
}

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
export async function importRecord(ctx: Pick<Ctx, 'db' | 'services'>, row: Import): Promise<ImportRecord> {
  return RECORD.of(row, moreOf(ctx, row, (await sumsOf(ctx, [row.id]))(row.id)));
}

function moreOf(ctx: Pick<Ctx, 'services'>, row: Import, { counted, ...sums }: Sums & { counted: Counted }) {
  return { ...sums, files: filesOf(ctx, row), progress: progressOf(row, counted, ctx.services.clock.now()) };
}

/** Returns what an import reads. */
export function inputOf({ secrets }: Pick<Services, 'secrets'>, { sealed_input }: Pick<Import, 'sealed_input'>): ImportInput {
  return sealed_input === null ? { credentials: null, files: [] } : (JSON.parse(secrets.open(sealed_input)) as ImportInput);
}

function filesOf({ services }: Pick<Ctx, 'services'>, row: Import): ImportRecord['files'] {
  // The input of tools has no files.
  if (row.source !== 'csv') return [];
  return inputOf(services, row).files.map(({ kind, bytes, is_complete }) => ({ kind, bytes, is_complete }));
}

type Sums = Pick<ImportRecord, 'counts' | 'totals'>;
type TotalRow = Sums['totals'][number] & { import_id: string };

type CountRow = Counted & Pick<Sums['counts'][number], 'kind' | 'outcome'> & { import_id: string; all_done: number };

async function sumsOf({ db }: Pick<Ctx, 'db'>, ids: readonly string[]): Promise<(id: string) => Sums & { counted: Counted }> {
  const { rows: counts } = await sql<CountRow>`
    select import_id, kind, outcome, count(done_at)::int as all_done, ${COUNTED}
    from data_import_row where import_id = any (${ids}::text[])
    group by import_id, rank, kind, outcome order by import_id, rank, outcome`.execute(db);
  const { rows: totals } = await sql<TotalRow>`
    select import_id, kind, coalesce(row.data ->> 'currency', data_import.currency) as currency, row.data ->> 'state' as state,
      count(*)::int as count, coalesce(sum((row.data ->> 'amount_cents')::bigint), 0)::bigint as source_cents,
      coalesce(sum((row.data ->> 'amount_cents')::bigint) filter (where outcome = 'new' and data_import.state <> 'done'), 0)::bigint as here_cents
    from data_import_row row join data_import on data_import.id = row.import_id
    where row.import_id = any (${ids}::text[]) and kind = any (${MONEY_KINDS}::text[]) and reason is distinct from 'invalid' and row.data <> '{}'
    group by import_id, rank, kind, 3, 4 order by import_id, rank, 3, 4`.execute(db);
  // The amounts of what the account has are those of its own records.
  const { rows: amounts } = await sql<Omit<TotalRow, 'count' | 'source_cents'>>`
    select row.import_id, row.kind, coalesce(row.data ->> 'currency', data_import.currency) as currency, row.data ->> 'state' as state,
      sum(coalesce(commission.imported_cents, commission.amount_cents, payout.amount_cents))::bigint as here_cents
    from data_import_row row join data_import on data_import.id = row.import_id
    left join commission on row.kind = 'commission' and commission.id = row.record_id
    left join payout on row.kind = 'payout' and payout.id = row.record_id
    where row.import_id = any (${ids}::text[]) and row.kind = any (${MONEY_KINDS}::text[]) and row.data <> '{}'
      and (row.outcome = 'existing' or row.outcome = 'new' and data_import.state = 'done')
    group by row.import_id, row.kind, 3, 4`.execute(db);
  const keyOf = ({ import_id, kind, currency, state }: Omit<TotalRow, 'count' | 'source_cents'>) =>
    `${import_id} ${kind} ${currency} ${state}`;
  const here = new Map(amounts.map((each) => [keyOf(each), each.here_cents]));
  for (const each of totals) each.here_cents += here.get(keyOf(each)) ?? 0;
  const of = <Each extends { import_id: string }>(rows: readonly Each[], id: string) =>
    rows.filter(({ import_id }) => import_id === id).map(({ import_id: _, ...each }) => each);
  return (id) => {
    const own = of(counts, id);
    const sum = (name: keyof Counted) => own.reduce((total, each) => total + each[name], 0);
    return {
      counts: own.map(({ kind, outcome, rows, all_done }) => ({ kind, outcome, count: rows, done: all_done })),
      totals: of(totals, id),
      counted: { rows: sum('rows'), checked: sum('checked'), valid: sum('valid'), done: sum('done'), made: sum('made') },
    };
  };
}

const ROW_ORDER = listOrder('created_at', { table: 'data_import_row', kind: 'import_row' });

/** Lists the records of an import, in the order in which they were read. Throws NOT_FOUND. */
export async function listImportRows(ctx: Ctx, { id, kind, outcome, ...input }: ListImportRows) {
  await getRow(ctx, Import, id);
  const { data, pagination } = await paginate(rowsOf(ctx, { id, kind, outcome }), input, {
    order: ROW_ORDER,
    select: (all) => all.selectAll(),
  });
  return { data: data.map(rowRecord), pagination };
}

/** Reads a part of the records of an import as CSV. Throws NOT_FOUND, and VALIDATION_ERROR for an `after` that is no position. */
export async function importRowsAsCsv(ctx: Ctx, { after, ...of }: ImportRowsAsCsv): Promise<CsvPart> {
  await getRow(ctx, Import, of.id);
  const query = csvRows(rowsOf(ctx, of), after, ROW_ORDER).selectAll();
  return csvPart(after, () => query.execute(), ROW_ORDER, ['kind', 'source_id', 'outcome', 'reason', 'detail', 'record_id'], {
    data: ({ data }) => JSON.stringify(data),
  });
}

function rowsOf({ db }: Pick<Ctx, 'db'>, { id, kind, outcome }: Pick<ListImportRows, 'id' | 'kind' | 'outcome'>) {
  return db
    .selectFrom('data_import_row')
    .where('import_id', '=', id)
    .where(
      allOf([
        ...(kind === undefined ? [] : [sql<boolean>`kind = ${kind}`]),
        ...(outcome === undefined ? [] : [sql<boolean>`outcome = ${outcome}`]),
      ]),
    );
}

function rowRecord(row: Pick<ImportRow, Exclude<keyof ImportRow, 'data'>> & { data: unknown }): ImportRow {
  const { kind, source_id, outcome, reason, detail, record_id, data } = row;
  return { kind, source_id, outcome, reason, detail, record_id, data: data as ImportRow['data'] };
}

interface Counted {
  rows: number;
  checked: number;
  /** Rows of which a record may be made. */
  valid: number;
  done: number;
  /** Rows whose records can still be removed. */
  made: number;
}

/** SQL: the columns of `Counted`. */
const COUNTED = sql`count(*)::int as rows, count(outcome)::int as checked, count(*) filter (where reason is distinct from 'invalid')::int as valid,
  count(done_at) filter (where reason is distinct from 'invalid')::int as done,
  count(*) filter (where made_ids <> '{}' and reason is distinct from 'in_use')::int as made`;

type Work = Pick<Import, 'id' | 'state' | 'read_at' | 'read_count'>;

/** Notes where the work of an import begins now, or goes on. */
export async function beginWork(ctx: WriteCtx, its: Locked<Import>): Promise<void> {
  const { rows } = await sql<Counted>`select ${COUNTED} from data_import_row where import_id = ${its.id}`.execute(ctx.db);
  const counted = rows[0]!;
  const phase_from = its.state === 'undoing' ? counted.made : doneOf(its, counted);
  save(ctx, Import, its, { phase_began_at: ctx.now, phase_from });
}

function doneOf({ state, read_at, read_count }: Work, { checked, done }: Counted): number {
  if (state === 'running') return done;
  return read_at === null ? read_count : checked;
}

/** Returns how far the work of an import has come; null if it has nothing to do. */
function progressOf(
  its: Work & Pick<Import, 'expected_count' | 'phase_began_at' | 'phase_from'>,
  counted: Counted,
  now: Date,
): ImportRecord['progress'] {
  const { state, read_at, phase_began_at, phase_from, expected_count } = its;
  if (phase_began_at === null || (state !== 'reading' && state !== 'running' && state !== 'undoing')) return null;
  const isUndone = state === 'undoing';
  const done = isUndone ? phase_from - counted.made : doneOf(its, counted);
  const total = isUndone ? phase_from : state === 'running' ? counted.valid : read_at === null ? expected_count : counted.rows;
  const seconds = (now.getTime() - Date.parse(phase_began_at)) / 1_000;
  const rate = seconds <= 0 ? 0 : (done - (isUndone ? 0 : phase_from)) / seconds;
  return {
    phase: isUndone ? 'removing' : state === 'running' ? 'making' : read_at === null ? 'reading' : 'checking',
    done,
    total,
    per_minute: Math.round(rate * 60),
    seconds_left: total === null || rate <= 0 ? null : Math.max(0, Math.ceil((total - done) / rate)),
  };
}
