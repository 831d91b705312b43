import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Services } from '../platform/call/context.ts';
import { advisoryLock } from '../platform/call/locks.ts';
import { inTransaction, systemContext } from '../platform/call/transaction.ts';
import type { TableRow, Tables } from '../platform/db/tables.ts';
import { rewriteStoredResponses } from '../platform/idempotency/key-store.ts';
import { Failures } from '../platform/sweeps/failures.ts';
import { type Instant, plusDays, toInstant } from '../platform/time/instant.ts';
import {
  base64PiecesOf,
  base64WordWith,
  ERASED,
  formsOf,
  isAbout,
  roughFormsOf,
  type Sought,
  wholeFormsOf,
  withoutPerson,
} from '../program/erasures/personal-data.ts';
import { erasePieces } from '../sources/sources.ts';
import { findOthers, withoutAddressesOf } from './erasure.ts';

/** Rows that one statement reads or changes. */
const BATCH = 200;

interface Pending extends Pick<TableRow<'erasure'>, 'id' | 'account_id' | 'kind' | 'subject_id'> {
  sealed_sought: string;
}

/**
 * Erases the copies of erased persons' data: in events and deliveries, events of the payment provider, the audit log, stored responses, and any
 * other text of the account that has the address. Every step commits by itself and finds what is left, so after an interruption the next call
 * continues. The row of the erasure keeps what is searched for until all steps are done. An erasure that fails leaves the others alone.
 *
 * @throws the first failure, after all others have been tried
 */
export async function finishErasures(services: Services, mustStop: () => boolean = () => false): Promise<number> {
  const pending = (await services.database.kysely
    .selectFrom('erasure')
    .select(['id', 'account_id', 'kind', 'subject_id', 'sealed_sought'])
    .where('completed_at', 'is', null)
    .orderBy('id')
    .execute()) as Pending[];
  const failures = new Failures(services, 'erasure not finished; will be continued');
  let finished = 0;
  for (const erasure of pending) {
    const { id: erasure_id, account_id } = erasure;
    const isFinished = await failures.attempt({ account_id, erasure_id }, () => finishErasure(services, erasure, mustStop));
    if (isFinished === false) break;
    if (isFinished) finished += 1;
  }
  failures.throwFirst();
  return finished;
}

/** Erases the copies of one person's data. Returns false if it stopped before the end. */
async function finishErasure(services: Services, erasure: Pending, mustStop: () => boolean): Promise<boolean> {
  const { database, clock, secrets } = services;
  const ctx = systemContext(services, erasure.account_id, erasure.id);
  const sought = JSON.parse(secrets.open(erasure.sealed_sought)) as Sought;
  for (const step of [eraseEvents, eraseProviderEvents, eraseAuditLog, eraseResponses, eraseTexts]) {
    if (mustStop()) return false;
    await step(ctx, erasure, await withoutAddressesInUse(ctx, erasure, sought));
  }
  if (mustStop()) return false;
  const to_review = JSON.stringify(await textsToReview(ctx, await withoutAddressesInUse(ctx, erasure, sought)));
  await database.kysely
    .updateTable('erasure')
    .set({ completed_at: toInstant(clock.now()), sealed_sought: null, to_review })
    .where('id', '=', erasure.id)
    .execute();
  return true;
}

/** Leaves out addresses that somebody has now, e.g. because the person has come back since the erasure began. */
async function withoutAddressesInUse(ctx: Ctx, { subject_id }: Pending, sought: Sought): Promise<Sought> {
  const { rows: invited } = await sql<{ address: string }>`
    select lower(email) as address from invitation
    where account_id = ${ctx.accountId} and status = 'pending' and lower(email) = any (${[...sought.addresses]}::text[])`.execute(
    ctx.db,
  );
  return withoutAddressesOf([...(await findOthers(ctx, sought, subject_id)), ...invited], sought);
}

/** SQL condition: a text has one of the addresses or IDs. */
function hasAny(text: RawBuilder<unknown>, { addresses, ids }: Sought): RawBuilder<boolean> {
  const like = (words: readonly string[]) => words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const rough = roughFormsOf(addresses).map((form) => `%${form}%`);
  const exact = like([...base64PiecesOf(addresses), ...ids]);
  return sql<boolean>`(${text} ilike any (${rough}::text[]) or ${text} like any (${exact}::text[]))`;
}

/** SQL query: the ids of the records of which events tell the person's data. */
function subjectsOf({ kind, subject_id: id }: Pending, { ids }: Sought): RawBuilder<unknown> {
  if (kind === 'affiliate') return sql`select ${id}::text as id`;
  return sql`select unnest(${[...ids]}::text[]) as id
    union all select id from referral where customer_id = ${id}
    union all select id from sale where customer_id = ${id}
    union all select commission.id from commission join sale on sale.id = commission.sale_id where sale.customer_id = ${id}`;
}

/** Days of which one statement reads the events, so that it takes seconds at most, however many events an account has. */
const WINDOW_DAYS = 1;

/** Calls `work` for each part of the time between the first and the last row. Nothing is called for a table without rows. */
async function inWindows(
  { db }: Ctx,
  extent: RawBuilder<unknown>,
  work: (from: Instant, until: Instant) => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ first: Instant | null; last: Instant | null }>`${extent}`.execute(db);
  const { first, last } = rows[0]!;
  if (first === null || last === null) return;
  for (let from = first; from <= last; from = plusDays(from, WINDOW_DAYS)) await work(from, plusDays(from, WINDOW_DAYS));
}

async function eraseEvents(ctx: Ctx, erasure: Pending, sought: Sought): Promise<void> {
  const { db, accountId } = ctx;
  const own = await sql<{ id: string; body: string }>`
    select id, body from event where subject_id in (${subjectsOf(erasure, sought)}) and account_id = ${accountId}`.execute(db);
  for (const row of own.rows) await eraseEvent(ctx, row, sought, true);
  const extent = sql`select min(occurred_at) as first, max(occurred_at) as last from event where account_id = ${accountId}`;
  await inWindows(ctx, extent, async (from, until) => {
    const others = await sql<{ id: string; body: string }>`
      select id, body from event
      where account_id = ${accountId} and occurred_at >= ${from}::timestamptz and occurred_at < ${until}::timestamptz
        and ${hasAny(sql`body`, sought)}`.execute(db);
    for (const row of others.rows) await eraseEvent(ctx, row, sought, false);
  });
}

/** @param isOwn true for an event of the person's record, or of a record about the person */
async function eraseEvent(
  { db }: Ctx,
  { id, body }: { id: string; body: string },
  sought: Sought,
  isOwn: boolean,
): Promise<void> {
  const erased = JSON.stringify(withoutPerson(JSON.parse(body), sought, isOwn));
  if (erased === body && !isOwn) return;
  if (erased !== body) await sql`update event set body = ${erased} where id = ${id}`.execute(db);
  // A receiver may have answered with what it got.
  await sql`
    update webhook_attempt set response_excerpt = null, response_headers = null
    where delivery_id in (select id from webhook_delivery where event_id = ${id}) and response_excerpt is not null`.execute(db);
}

async function eraseProviderEvents(ctx: Ctx, _erasure: Pending, sought: Sought): Promise<void> {
  const { db, accountId } = ctx;
  const extent = sql`select min(received_at) as first, max(received_at) as last from psp_event where account_id = ${accountId}`;
  await inWindows(ctx, extent, async (from, until) => {
    const { rows } = await sql<{ connection_id: string; id: string; payload: string }>`
      select connection_id, psp_event_id as id, payload from psp_event
      where account_id = ${accountId} and livemode in (true, false)
        and received_at >= ${from}::timestamptz and received_at < ${until}::timestamptz and ${hasAny(sql`payload`, sought)}`.execute(
      db,
    );
    for (const { connection_id, id, payload } of rows) {
      const erased = JSON.stringify(withoutPerson(JSON.parse(payload), sought));
      if (erased !== payload)
        await sql`
          update psp_event set payload = ${erased}
          where account_id = ${accountId} and connection_id = ${connection_id} and psp_event_id = ${id}`.execute(db);
    }
  });
  await inTransaction(ctx, async (tx) => {
    // Pieces are added under this lock.
    await advisoryLock(tx, 'psp events');
    await erasePieces(tx, hasAny(sql`pieces::text`, { ...sought, ids: [...sought.ids, ...sought.ownIds] }), sought, false);
  });
}

async function eraseAuditLog({ db, accountId }: Ctx, _erasure: Pending, sought: Sought): Promise<void> {
  for (let after = ''; ;) {
    const { rows } = await sql<{ id: string; arguments: unknown }>`
      select id, arguments from audit_log
      where account_id = ${accountId} and id > ${after} and ${hasAny(sql`arguments::text`, sought)}
      order by id limit ${BATCH}`.execute(db);
    for (const { id, arguments: given } of rows) {
      // The arguments of a change of the record have its id, so they count as a record of the person.
      const erased = JSON.stringify(withoutPerson(given, sought));
      await sql`update audit_log set arguments = ${erased}::jsonb where id = ${id}`.execute(db);
    }
    if (rows.length < BATCH) return;
    after = rows.at(-1)!.id;
  }
}

async function eraseResponses({ services, accountId }: Ctx, _erasure: Pending, sought: Sought): Promise<void> {
  await rewriteStoredResponses(services, accountId, (body) => {
    const value = JSON.parse(body) as unknown;
    return isAbout(value, sought) ? JSON.stringify(withoutPerson(value, sought)) : body;
  });
}

/**
 * Columns with the addresses of people. The record of the erased person has none any more, so an address in them is that of somebody who came while
 * the other texts were searched.
 */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  affiliate: ['email'],
  customer: ['email'],
  customer_identity: ['value'],
};

/** Columns with the names of people and of things. The record of the erased person has none any more. */
const NAMES_OF_OTHERS = new Set(['name', 'first_name', 'last_name', 'slug', 'url', 'brand_name']);

/** Tables that other steps search, and those that only hold hashes and sealed texts. */
const SEARCHED_BEFORE = ['event', 'webhook_attempt', 'psp_event', 'idempotency_key', 'erasure', 'erased_identity'];

interface TextTable {
  name: string;
  columns: { name: string; type: string }[];
  /** SQL condition on a row: it belongs to the account. */
  owner: string;
}

/**
 * Replaces the addresses in every text of the account. The tables and columns are read from the catalog, so that a new one is included. Changes of
 * announced records become events.
 */
async function eraseTexts(ctx: Ctx, { subject_id }: Pending, sought: Sought): Promise<void> {
  if (sought.addresses.length === 0) return;
  const pattern = wholeFormsOf(sought.addresses);
  const inBase64 = base64WordWith(base64PiecesOf(sought.addresses));
  for (const { name, columns: all, owner } of await textTables(ctx)) {
    const columns = all.filter((column) => !ADDRESSES[name]?.includes(column.name));
    if (columns.length === 0) continue;
    const changes = columns.map(({ name: column, type }) => {
      // The merchant's own IDs must stay different.
      const replacement = column.startsWith('external_') ? `${ERASED}-${subject_id}` : ERASED;
      const written = sql`regexp_replace(${sql.ref(column)}::text, ${pattern}, ${replacement}, 'gi')`;
      const replaced = sql`regexp_replace(${written}, ${inBase64}, ${replacement}, 'g')`;
      return sql`${sql.ref(column)} = ${type === 'text' ? replaced : sql`${replaced}::${sql.raw(type)}`}`;
    });
    const matches = sql.join(
      columns.map(({ name: column }) => sql`${sql.ref(column)}::text ~* ${pattern} or ${sql.ref(column)}::text ~ ${inBase64}`),
      sql` or `,
    );
    const ofAccount = sql.raw(owner.replaceAll('$account', `'${ctx.accountId.replaceAll("'", "''")}'`));
    // The first condition is quicker than the second one, which only matters for the rows that it finds.
    const found = sql`${ofAccount} and ${hasAny(rowOf(columns), { ...sought, ids: [] })} and (${matches})`;
    await eraseInTable(ctx, { name, changes: sql.join(changes), found });
  }
}

/** Most texts that are listed for a person to decide. */
const MAX_TO_REVIEW = 100;

/**
 * Lists texts of records that may still name the person: with one of the names, or with an address within a longer word. Others may be meant, so a person
 * decides about them. Names and addresses of other people are left out.
 */
async function textsToReview(ctx: Ctx, { addresses, names = [] }: Sought) {
  const words = names.map((name) => name.replaceAll(/[^\p{L}\p{N} ]/gu, '.').replaceAll(' ', String.raw`\s+`));
  const patterns = [
    ...(addresses.length === 0 ? [] : [formsOf(addresses)]),
    ...words.map((word) => String.raw`(?<!\w)${word}(?!\w)`),
  ];
  if (patterns.length === 0) return [];
  const pattern = patterns.join('|');
  const found: { table: string; id: string; field: string }[] = [];
  for (const { name, columns: all, owner } of await textTables(ctx)) {
    if (!ctx.services.database.announcer.tables.has(name)) continue;
    const columns = all.filter((column) => !NAMES_OF_OTHERS.has(column.name) && !ADDRESSES[name]?.includes(column.name));
    if (columns.length === 0) continue;
    const ofAccount = sql.raw(owner.replaceAll('$account', `'${ctx.accountId.replaceAll("'", "''")}'`));
    const fields = sql.join(
      columns.map(({ name: column }) => sql`case when ${sql.ref(column)}::text ~* ${pattern} then ${column}::text end`),
    );
    await inWindowsOfIds(ctx, name, async (inWindow) => {
      if (found.length >= MAX_TO_REVIEW) return;
      const { rows } = await sql<{ id: string; field: string }>`
        select id, field from ${sql.table(name)} cross join lateral unnest(array[${fields}]) field
        where ${inWindow} and ${ofAccount} and field is not null and ${rowOf(columns)} ~* ${pattern}
        order by id limit ${MAX_TO_REVIEW - found.length}`.execute(ctx.db);
      found.push(...rows.map(({ id, field }) => ({ table: name, id, field })));
    });
    if (found.length >= MAX_TO_REVIEW) return found;
  }
  return found;
}

/** SQL expression: the texts of a row, as one text. */
function rowOf(columns: readonly { name: string }[]): RawBuilder<unknown> {
  return sql`concat_ws(' ', ${sql.join(columns.map(({ name }) => sql.ref(name)))})`;
}

interface TextChange {
  name: string;
  changes: RawBuilder<unknown>;
  /** SQL condition: the rows to change. */
  found: RawBuilder<unknown>;
}

async function eraseInTable(ctx: Ctx, { name, changes, found }: TextChange): Promise<void> {
  const { db, accountId, services } = ctx;
  if (services.database.announcer.tables.has(name)) return eraseInRecords(ctx, { name, changes, found });
  if (name !== 'click') return void (await sql`update ${sql.table(name)} set ${changes} where ${found}`.execute(db));
  const extent = sql`select min(at) as first, max(at) as last from click where account_id = ${accountId}`;
  return inWindows(ctx, extent, async (from, until) => {
    await sql`update click set ${changes} where at >= ${from}::timestamptz and at < ${until}::timestamptz and ${found}`.execute(
      db,
    );
  });
}

/** Records of which one statement reads the texts. */
const WINDOW_ROWS = 50_000;

/** Calls `work` for each part of the account's records in a table, in the order of their ids. */
async function inWindowsOfIds(
  { db, accountId }: Ctx,
  name: string,
  work: (inWindow: RawBuilder<boolean>) => Promise<void>,
): Promise<void> {
  for (let after: string | null = ''; after !== null;) {
    const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
      select id from ${sql.table(name)} where account_id = ${accountId} and id > ${after}
      order by id offset ${WINDOW_ROWS - 1} limit 1`.execute(db);
    const last: string | null = rows[0]?.id ?? null;
    await work(sql<boolean>`id > ${after} and (${last}::text is null or id <= ${last})`);
    after = last;
  }
}

/** Erases texts in records whose changes become events. */
function eraseInRecords(ctx: Ctx, { name, changes, found }: TextChange): Promise<void> {
  return inWindowsOfIds(ctx, name, (inWindow) =>
    inTransaction(ctx, async (tx) => {
      const changed = await sql<{ id: string }>`
        update ${sql.table(name)} set ${changes}, updated_at = ${tx.now} where ${inWindow} and ${found} returning id`.execute(
        tx.db,
      );
      for (const { id } of changed.rows) tx.records.noteChanged(name as keyof Tables, id, { updated_at: null });
    }),
  );
}

/** Lists the tables with rows of accounts and their columns of text. A row belongs to an account by its `account_id`, or by the row that it refers to. */
async function textTables({ db }: Ctx): Promise<TextTable[]> {
  const { rows } = await sql<TextTable>`
    with text_column as (
      select class.oid, class.relname::text as table_name, attname::text as name, format_type(atttypid, null) as type
      from pg_attribute join pg_class class on class.oid = attrelid
      where class.relnamespace = current_schema()::regnamespace and class.relkind in ('r', 'p') and not class.relispartition
        and attnum > 0 and not attisdropped and attgenerated = ''
        and format_type(atttypid, null) in ('text', 'jsonb', 'text[]')
        and attname not like 'sealed\\_%' and attname not like '%\\_hash' and (attname like 'external\\_%' or attname not like '%\\_id') and attname not in ('id', 'hash')
    ), owner as (
      select attrelid as oid, 'account_id = $account' as condition from pg_attribute
        where attname = 'account_id' and not attisdropped
      union all
      select conrelid, format('%I in (select %I from %I where account_id = $account)', child.attname, parent.attname, confrelid::regclass::text)
        from pg_constraint
        join pg_attribute child on child.attrelid = conrelid and child.attnum = conkey[1]
        join pg_attribute parent on parent.attrelid = confrelid and parent.attnum = confkey[1]
        where contype = 'f' and array_length(conkey, 1) = 1
          and exists (select from pg_attribute where attrelid = confrelid and attname = 'account_id')
          and not exists (select from pg_attribute where attrelid = conrelid and attname = 'account_id')
    )
    select table_name as name, jsonb_agg(jsonb_build_object('name', text_column.name, 'type', type)) as columns, min(condition) as owner
    from text_column join (select oid, min(condition) as condition from owner group by oid) owner using (oid)
    where table_name not like 'auth\\_%' and table_name not like 'oauth\\_%' and table_name <> all (${SEARCHED_BEFORE}::text[])
    group by table_name order by table_name`.execute(db);
  return rows;
}
