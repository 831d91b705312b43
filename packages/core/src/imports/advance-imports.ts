/** The job of imports: reads, checks, makes and removes records in parts. Each part commits with its result, so an import goes on after a kill. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Services, WriteCtx } from '../platform/call/context.ts';
import type { Locked } from '../platform/call/locks.ts';
import { lock, save } from '../platform/call/records.ts';
import { inTransaction, systemContext } from '../platform/call/transaction.ts';
import { DomainError } from '../platform/errors/errors.ts';
import { readBytes } from '../platform/files/file-parts.ts';
import { Lap, lapAfter } from '../platform/operations/laps.ts';
import { Failures } from '../platform/sweeps/failures.ts';
import { type Instant, plusDays, plusMilliseconds, toInstant } from '../platform/time/instant.ts';
import { newId } from '../platform/wire/ids.ts';
import { emit } from '../webhooks/events/emit.ts';
import { discardFiles } from './import-files.ts';
import { beginWork, importRecord, inputOf } from './import.queries.ts';
import { readAgain, undoImport } from './import.service.ts';
import { findKind } from './kinds.ts';
import {
  type ImportedFile,
  type MadeIds,
  type RecordKind,
  SourceFailure,
  type SourcePage,
  type SourceRecord,
} from './port/import-kind.ts';
import {
  Import,
  type ImportedKind,
  type ImportRowTable,
  MONEY_KINDS,
  RECORD_KINDS,
  type RowOutcome,
  type RowReason,
} from './port/import.entity.ts';
import { RECORDS } from './records/records.ts';
import { isInUse, removeMade } from './remove-made.ts';
import { getShadow, leaveShadow } from './shadow.ts';

/** Rows that one statement checks. */
const CHECKED_AT_ONCE = 500;
/** Rows of a kind that one transaction makes. Kinds that lock affiliates make one, because locks are taken in one order. */
const MADE_AT_ONCE: Readonly<Record<ImportedKind, number>> = {
  campaign: 1,
  affiliate: 1,
  link: 100,
  customer: 200,
  code: 100,
  commission: 200,
  payout: 50,
};
const REMOVED_AT_ONCE = 100;
/** Characters of a text that are kept of a record with another form. */
const MAX_WRONG_TEXT = 500;
/** Days after which files that were not read are deleted. */
const FILES_KEPT_DAYS = 7;
/** An import whose source did not answer so many times in a row fails. */
const MAX_ATTEMPTS = 40;
/** A source that does not answer is asked again after twice the time of before, up to this one. */
const MAX_PAUSE_SECONDS = 1_800;

/**
 * Does the work of all imports, a part of each in turn, so that nobody waits for the files of others. Several processes may do so at the same time.
 *
 * @param mustStop checked between parts
 * @throws the first failure, after the other imports have been advanced
 */
export async function advanceImports(services: Services, mustStop: () => boolean = () => false): Promise<void> {
  const failures = new Failures(services, 'import not finished; will be continued');
  const failed: string[] = [];
  for (let hasMore = true; hasMore;) {
    hasMore = false;
    for (const { id, account_id, state } of await findUnfinished(services, failed)) {
      if (mustStop()) return failures.throwFirst();
      const isAdvanced = await failures.attempt({ account_id, import_id: id }, async () => {
        const ctx: Ctx = { ...systemContext(services, account_id, id), copied: { created_at: null } };
        if (state === 'done') await inTransaction(ctx, (tx) => readAgain(tx, id));
        if (state === 'draft') await inTransaction(ctx, (tx) => undoImport(tx, { id }));
        return advance(ctx, id);
      });
      if (isAdvanced === undefined) failed.push(id);
      hasMore ||= isAdvanced === true;
    }
  }
  failures.throwFirst();
}

/** Finds the imports that have something to do now, except those that have failed. */
function findUnfinished({ database, clock }: Services, failed: readonly string[]) {
  const now = toInstant(clock.now());
  return database.kysely
    .selectFrom('data_import')
    .select(['id', 'account_id', 'state'])
    .where((eb) => eb.or([eb('state', 'in', ['reading', 'running', 'undoing']), isReadAgain(now), hasForgottenFiles(now)]))
    .where((eb) => eb.or([eb('resume_at', 'is', null), eb('resume_at', '<=', now)]))
    .where(sql<boolean>`id <> all (${failed}::text[])`)
    .orderBy('id')
    .execute();
}

/** SQL condition: the import has kept its key for a shadow, and has been done for a day. */
function isReadAgain(now: Instant) {
  return sql<boolean>`state = 'done' and sealed_input is not null and done_at <= ${plusDays(now, -1)}::timestamptz`;
}

/** SQL condition: nobody has gone on with the files of the import for days. */
function hasForgottenFiles(now: Instant) {
  return sql<boolean>`state = 'draft' and source = 'csv' and sealed_input is not null and updated_at <= ${plusDays(now, -FILES_KEPT_DAYS)}::timestamptz`;
}

/** Does the next part of an import. Returns false if there is nothing to do now. */
async function advance(ctx: Ctx, id: string): Promise<boolean> {
  const row = await ctx.db.selectFrom('data_import').selectAll().where('id', '=', id).executeTakeFirst();
  if (row?.state === 'reading') return row.read_at === null ? readPart(ctx, row) : checkPart(ctx, row);
  if (row?.state === 'running') return makePart(ctx, row);
  if (row?.state === 'undoing') return removePart(ctx, row);
  return false;
}

/** Runs a part in a transaction, with the import locked. Does nothing if the import has changed since it was read, e.g. because it was stopped. */
function inPart(ctx: Ctx, of: Import, work: (tx: WriteCtx, row: Locked<Import>) => Promise<unknown>): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const row = await lock(tx, Import, of.id);
    const isSame =
      row.state === of.state && row.read_at === of.read_at && JSON.stringify(row.cursor) === JSON.stringify(of.cursor);
    if (isSame) await work(tx, row);
    return true;
  });
}

async function readPart(ctx: Ctx, of: Import): Promise<boolean> {
  const kind = findKind(of.source)!;
  const { imports: options = {} } = ctx.services;
  const cursor = of.cursor === null ? null : Cursor.parse(of.cursor);
  let page: SourcePage;
  let lap: Lap | null;
  try {
    const input = inputOf(ctx.services, of);
    const apiBase = options.apiBases?.[of.source] ?? kind.tool?.apiBase ?? '';
    const bytesOf = (file: ImportedFile, from: number, length: number) =>
      readBytes(ctx.db, { accountId: of.account_id, fileId: file.file_id }, from, length);
    page = await kind.read({ ...input, currency: of.currency, bytesOf }, cursor?.at ?? null, apiBase);
    lap = kind.tool === null ? null : lapOf(page, cursor);
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    ctx.services.log.warn({ import_id: of.id, account_id: of.account_id, reason: error.message }, 'import source not read');
    await inPart(ctx, of, (tx, row) => noteFailure(tx, row, error));
    return false;
  }
  await inPart(ctx, of, async (tx, row) => {
    await storeRows(tx, row, page);
    const isOver = page.next === null;
    save(tx, Import, row, {
      cursor: isOver ? null : { at: page.next, lap },
      read_count: row.read_count + elementsIn(page),
      attempts: 0,
      resume_at: null,
      ...(page.expected !== undefined && { expected_count: (row.expected_count ?? 0) + page.expected }),
      ...(isOver && { read_at: tx.now }),
      updated_at: tx.now,
    });
    if (isOver) await beginWork(tx, row);
    // The rows have the content of the files now.
    if (isOver && kind.tool === null) await discardFiles(tx, row);
  });
  if (page.next !== null) await setTimeout(options.pauseMs ?? kind.pauseMs);
  return true;
}

/** Returns the number of elements of a part. The links of affiliates come with them. */
function elementsIn({ records }: SourcePage): number {
  const others = records.filter(({ kind }) => kind !== 'link');
  return others.length === 0 ? records.length : others.length;
}

/** The beginning of the part that is read next, and what is remembered of those before. */
const Cursor = z.object({ at: z.unknown(), lap: Lap.nullable() });
/** The name of the list in the place of a part, because two lists may have the same records. */
const List = z.object({ list: z.string() }).catch({ list: '' });

/** Returns what is remembered after a part. @throws SourceFailure if a list of the tool goes round */
function lapOf({ records, id }: SourcePage, cursor: z.infer<typeof Cursor> | null): Lap | null {
  // Many parts are honestly empty. Each of them has another place.
  const content = JSON.stringify([List.parse(cursor?.at).list, id ?? (records.length > 0 ? records : cursor?.at)]);
  const lap = lapAfter(cursor?.lap ?? null, createHash('sha256').update(content).digest('base64url'));
  if (lap === null) throw new SourceFailure('goes_round', { detail: records[0]?.kind ?? null });
  return lap;
}

async function noteFailure(tx: WriteCtx, row: Locked<Import>, { failure, detail, retryAfter }: SourceFailure): Promise<void> {
  const attempts = row.attempts + 1;
  if (retryAfter === null || attempts >= MAX_ATTEMPTS) {
    save(tx, Import, row, { state: 'failed', failure, failure_detail: detail, resume_at: null, updated_at: tx.now });
    await discardFiles(tx, row);
    return;
  }
  const pause = Math.max(retryAfter, Math.min(2 ** attempts, MAX_PAUSE_SECONDS));
  save(tx, Import, row, { attempts, resume_at: plusMilliseconds(tx.now, pause * 1_000), updated_at: tx.now });
}

/** Returns a JSON text without characters that PostgreSQL cannot store, whatever a source sends. */
function storable(json: string): string {
  return json.replaceAll(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '$1\uFFFD');
}

/** Returns data of another form than that of a kind, with at most the beginnings of long texts. */
function shortened(data: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(
    JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_WRONG_TEXT) : value)),
  );
}

/** Numbers the lines that are equal to another one of the import, in their order. The first one keeps its id. */
async function numbered({ db }: WriteCtx, of: Import, records: readonly SourceRecord[]): Promise<SourceRecord[]> {
  const ids = records.flatMap(({ repeats, data }) => (repeats ? [data['external_id'] as string] : []));
  if (ids.length === 0) return [...records];
  const { rows } = await sql<{ id: string; count: number }>`
    select id, (
      select count(*)::int from data_import_key
      where import_id = ${of.id} and kind = 'commission' and key >= 'external ' || id collate "C" and key < 'external ' || id || '.' collate "C") as count
    from unnest(${[...new Set(ids)]}::text[]) id`.execute(db);
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return records.map((record) => {
    if (!record.repeats) return record;
    const id = record.data['external_id'] as string;
    const count = counts.get(id)!;
    counts.set(id, count + 1);
    return count === 0 ? record : { ...record, data: { ...record.data, external_id: `${id}-${count}` } };
  });
}

/** Stores the records of a part. A record that was read before is made again if it has changed and is about money, or if nothing was made of it. */
async function storeRows(tx: WriteCtx, of: Import, { records }: SourcePage): Promise<void> {
  const rows = (await numbered(tx, of, records)).map(({ kind, id, data, unclear }) => {
    const { success, data: known, error } = RECORDS[kind].schema.safeParse(data);
    const issue = error?.issues[0];
    return {
      id: newId('import_row', tx.clock.now()),
      kind,
      source_id: id.slice(0, 255),
      data: success ? known : shortened(data),
      outcome: success ? null : 'problem',
      reason: success ? null : 'invalid',
      detail: unclear === undefined ? issue && `${issue.path.join('.')}: ${issue.code}` : `${unclear}: two_readings`,
    };
  });
  const unique = [...new Map(rows.map((row) => [`${row.kind} ${row.source_id}`, row])).values()];
  await sql`
    insert into data_import_row (id, import_id, account_id, kind, source_id, data, outcome, reason, detail)
    select id, ${of.id}, ${of.account_id}, kind, source_id, data, outcome, reason, detail
    from json_to_recordset(${storable(JSON.stringify(unique))}::json)
      as read (id text, kind text, source_id text, data jsonb, outcome text, reason text, detail text)
    on conflict (import_id, kind, source_id) do update set data = excluded.data, outcome = excluded.outcome, reason = excluded.reason,
      detail = excluded.detail, done_at = null
    where data_import_row.data <> excluded.data and (data_import_row.record_id is null or data_import_row.kind = any (${MONEY_KINDS}::text[]))`.execute(
    tx.db,
  );
  const keys = unique.flatMap(({ kind, source_id, reason, data }) =>
    reason === null ? RECORDS[kind].keysOf(data).map((key) => ({ kind, source_id, key })) : [],
  );
  await sql`
    insert into data_import_key (import_id, kind, key, row_id)
    select distinct on (read.kind, key) ${of.id}, read.kind, key, own.id
    from json_to_recordset(${storable(JSON.stringify(keys))}::json) as read (kind text, source_id text, key text)
    join data_import_row own on own.import_id = ${of.id} and own.kind = read.kind and own.source_id = read.source_id
    order by read.kind, key, own.id
    on conflict (import_id, kind, key) do nothing`.execute(tx.db);
}

/** Deletes what is needed only until everything is made or removed, and tells that it is. */
async function complete(tx: WriteCtx, row: Import): Promise<void> {
  await sql`delete from data_import_key where import_id = ${row.id}`.execute(tx.db);
  await leaveShadow(tx);
  emit(tx, 'import.completed', await importRecord(tx, row));
}

type Row = Pick<ImportRowTable, 'id' | 'source_id' | 'record_id'> & {
  kind: ImportedKind;
  data: Record<string, unknown>;
  /** Not empty if the row has changed since its records were made. */
  made_ids: string[];
};

/** Selects the next rows, all of one kind, that a condition finds, in the order in which records refer to each other. */
async function nextRows(
  { db }: Pick<Ctx, 'db'>,
  of: Import,
  column: 'outcome' | 'done_at',
  limit: (kind: ImportedKind) => number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, kind, source_id, data, record_id, made_ids from data_import_row
    where import_id = ${of.id} and ${sql.ref(column)} is null and (outcome is null or reason is distinct from 'invalid')
    order by rank, id limit ${sql.lit(Math.max(...RECORD_KINDS.map(limit)))}`.execute(db);
  const [first] = rows;
  return first === undefined ? [] : rows.filter(({ kind }) => kind === first.kind).slice(0, limit(first.kind));
}

interface Result {
  outcome: RowOutcome;
  reason?: RowReason | null;
  detail?: string | null;
  record_id?: string | null;
  made_ids?: readonly string[];
}

/** Checks the next rows. Makes nothing. */
function checkPart(ctx: Ctx, of: Import): Promise<boolean> {
  return inPart(ctx, of, async (tx, row) => {
    const rows = await nextRows(tx, row, 'outcome', () => CHECKED_AT_ONCE);
    if (rows.length === 0) {
      save(tx, Import, row, { state: row.runs_when_read ? 'running' : 'ready', updated_at: tx.now });
      await beginWork(tx, row);
      return;
    }
    const verdicts = await kindOf(rows).check(tx, row, rows);
    const results = rows.map(({ record_id, made_ids }, i): Result =>
      made_ids.length > 0 ? { outcome: 'new', record_id, made_ids } : verdicts[i]!,
    );
    await storeResults(tx, rows, results, false);
  });
}

function kindOf(rows: readonly Row[]): RecordKind {
  return RECORDS[rows[0]!.kind];
}

/** Checks the next rows again, because the account may have changed, and makes their records. */
async function makePart(ctx: Ctx, of: Import): Promise<boolean> {
  const rows = await nextRows(ctx, of, 'done_at', (kind) => MADE_AT_ONCE[kind]);
  if (rows.length === 0)
    return inPart({ ...ctx, copied: undefined }, of, async (tx, row) => {
      // A shadow reads its tool again each day, and once more when it ends.
      const keepsKey = (await getShadow(tx)).state === 'on';
      save(tx, Import, row, { state: 'done', done_at: tx.now, ...(!keepsKey && { sealed_input: null }), updated_at: tx.now });
      return complete(tx, row);
    });
  try {
    await make(ctx, of, rows);
  } catch (error) {
    if (!isInUse(error) && (!(error instanceof DomainError) || error.code === 'UNAVAILABLE')) throw error;
    for (const row of rows) await makeAlone(ctx, of, row);
  }
  return true;
}

function make(ctx: Ctx, of: Import, selected: readonly Row[]): Promise<boolean> {
  return inPart(ctx, of, async (tx, row) => {
    const rows = await notDone(tx, selected);
    if (rows.length === 0) return;
    const kind = kindOf(rows);
    await kind.lock?.(tx, rows, row);
    const changed = rows.filter(({ made_ids }) => made_ids.length > 0);
    if (changed.length > 0) await removeMade(tx, rows[0]!.kind, changed);
    const verdicts = await kind.check(tx, row, rows);
    const given = verdicts.flatMap((verdict, i) =>
      verdict.outcome === 'new' ? [{ row: rows[i]!, references: verdict.references }] : [],
    );
    const made = await makeAll(tx, row, kind, given);
    const results = verdicts.map((verdict): Result => {
      if (verdict.outcome !== 'new') return verdict;
      const made_ids = made.shift()!;
      return { outcome: 'new', record_id: made_ids[0], made_ids };
    });
    await storeResults(tx, rows, results, true);
  });
}

/** Returns the rows of which another process has made nothing since they were selected. The import is locked, so none begins now. */
async function notDone({ db }: WriteCtx, rows: readonly Row[]): Promise<Row[]> {
  const ids = rows.map(({ id }) => id);
  const open = await db.selectFrom('data_import_row').select('id').where('id', 'in', ids).where('done_at', 'is', null).execute();
  const left = new Set(open.map(({ id }) => id));
  return rows.filter(({ id }) => left.has(id));
}

async function makeAll(
  tx: WriteCtx,
  of: Import,
  kind: RecordKind,
  rows: readonly { row: Row; references: unknown }[],
): Promise<MadeIds[]> {
  if (kind.makeAll !== undefined) return rows.length === 0 ? [] : kind.makeAll(tx, of, rows);
  const made: MadeIds[] = [];
  for (const { row, references } of rows) {
    const created_at = (row.data['created_at'] as string | null | undefined) ?? null;
    made.push(await kind.make!({ ...tx, copied: { created_at } }, of, row, references));
  }
  return made;
}

async function makeAlone(ctx: Ctx, of: Import, row: Row): Promise<void> {
  try {
    await make(ctx, of, [row]);
  } catch (error) {
    if (isInUse(error)) {
      const { record_id, made_ids } = row;
      await storeProblem(ctx, of, row, { outcome: 'problem', reason: 'changed_there', record_id, made_ids });
      return;
    }
    if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error;
    const details = error.details as { path?: string; code?: string }[] | undefined;
    const detail = Array.isArray(details) && details[0] ? `${details[0].path}: ${details[0].code}` : error.code;
    await storeProblem(ctx, of, row, { outcome: 'problem', reason: 'refused', detail });
  }
}

/** Stores why nothing could be made of a row, unless another process has made it since. */
async function storeProblem(ctx: Ctx, of: Import, row: Row, problem: Result): Promise<void> {
  await inPart(ctx, of, async (tx) => {
    const rows = await notDone(tx, [row]);
    if (rows.length > 0) await storeResults(tx, rows, [problem], true);
  });
}

async function storeResults(tx: WriteCtx, rows: readonly Row[], results: readonly Result[], isDone: boolean): Promise<void> {
  const values = rows.map(({ id }, i) => ({
    reason: null,
    detail: null,
    record_id: null,
    made_ids: [],
    ...results[i]!,
    id,
    references: undefined,
  }));
  await sql`
    update data_import_row set outcome = result.outcome, reason = result.reason, detail = result.detail, record_id = result.record_id,
      made_ids = result.made_ids, done_at = ${isDone ? tx.now : null}
    from json_to_recordset(${JSON.stringify(values)}::json)
      as result (id text, outcome text, reason text, detail text, record_id text, made_ids text[])
    where data_import_row.id = result.id`.execute(tx.db);
}

interface MadeRow {
  id: string;
  kind: ImportedKind;
  made_ids: string[];
}

/** Removes what the last rows made, the last kind first. */
async function removePart(ctx: Ctx, of: Import): Promise<boolean> {
  const { rows: last } = await sql<MadeRow>`
    select id, kind, made_ids from data_import_row
    where import_id = ${of.id} and made_ids <> '{}' and reason is distinct from 'in_use'
    order by rank desc, id desc limit ${sql.lit(REMOVED_AT_ONCE)}`.execute(ctx.db);
  const rows = last.filter(({ kind }) => kind === last[0]!.kind);
  if (rows.length === 0)
    return inPart({ ...ctx, copied: undefined }, of, (tx, row) => {
      save(tx, Import, row, { state: 'undone', updated_at: tx.now });
      return complete(tx, row);
    });
  if (await remove(ctx, of, rows)) return true;
  for (const row of rows) if (!(await remove(ctx, of, [row]))) await markInUse(ctx, of, row.id);
  return true;
}

/** Removes what some rows made. Returns false if one of the records is in use. */
async function remove(ctx: Ctx, of: Import, rows: readonly MadeRow[]): Promise<boolean> {
  try {
    await inPart(ctx, of, async (tx) => {
      await removeMade(tx, rows[0]!.kind, rows);
      const ids = rows.map(({ id }) => id);
      await sql`update data_import_row set made_ids = '{}', record_id = null, done_at = null where id = any (${ids}::text[])`.execute(
        tx.db,
      );
    });
    return true;
  } catch (error) {
    if (isInUse(error)) return false;
    throw error;
  }
}

function markInUse(ctx: Ctx, of: Import, id: string): Promise<boolean> {
  return inPart(ctx, of, (tx) => sql`update data_import_row set reason = 'in_use' where id = ${id}`.execute(tx.db));
}
