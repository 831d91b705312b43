/** The rows of all tables about a person, as the rooms declare them (`platform/db/tables.ts`). */
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, WriteCtx } from '../platform/call/context.ts';
import { isVisibleTo, seesLiveOnly } from '../platform/call/mode.ts';
import { foundOrThrow } from '../platform/call/records.ts';
import type { PersonalRows } from '../platform/db/tables.ts';
import { recipientOf } from '../platform/mail/budgets.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';
import type { PersonalData } from './erasure.ts';

export interface Person {
  kind: PersonalData['kind'];
  id: string;
  /** In lower case. Without them, no rows are found by address. */
  addresses?: readonly string[];
}

/** The rows of a table about a person. */
interface Found {
  table: RawBuilder<unknown>;
  declared: PersonalRows;
  /** SQL condition. */
  condition: RawBuilder<boolean>;
}

/** Returns the rows about a person, by table. `isSeen` limits the sales to which they belong. */
function rowsAbout(ctx: Ctx, person: Person, isSeen = sql<boolean>`true`): Found[] {
  return Object.entries(ctx.services.database.people).flatMap(([table, its]) => {
    const declared = typeof its === 'string' ? undefined : its[person.kind];
    return declared ? [{ table: sql.table(table), declared, condition: conditionOf(ctx, person, declared, isSeen) }] : [];
  });
}

function conditionOf(
  ctx: Ctx,
  { kind, id, addresses = [] }: Person,
  declared: PersonalRows,
  isSeen: RawBuilder<boolean>,
): RawBuilder<boolean> {
  const values: Record<string, RawBuilder<unknown>> = {
    id: sql`${id}::text`,
    account: sql`${ctx.accountId}::text`,
    referrals: sql`select id from referral where customer_id = ${id}`,
    sales: sql`select id from sale where customer_id = ${id} and ${isSeen}`,
    addresses: sql`${[...addresses]}::text[]`,
    recipients: sql`${addresses.map(recipientOf)}::text[]`,
  };
  const parts = (declared.rows ?? `${kind}_id = $id`).split(/\$(\w+)/);
  return sql<boolean>`(${sql.join(
    parts.map((part, at) => (at % 2 === 0 ? sql.raw(part) : values[part]!)),
    sql``,
  )})`;
}

/** Queries of the rows in the export of a person, by the name that they have there. */
function exportedRows(ctx: Ctx, person: Person): [name: string, rows: RawBuilder<unknown>][] {
  return rowsAbout(ctx, person, isVisibleTo(ctx, 'sale')).flatMap(({ table, declared, condition }) =>
    declared.export === undefined ? [] : [[declared.export, sql`select * from ${table} where ${condition}`]],
  );
}

/** Deletes or empties the rows about a person, except those that code erases. */
export async function eraseRows(ctx: WriteCtx, person: Person): Promise<void> {
  for (const { table, declared, condition } of rowsAbout(ctx, person)) {
    const { erase } = declared;
    if (erase === 'delete') await sql`delete from ${table} where ${condition}`.execute(ctx.db);
    else if (typeof erase === 'object') {
      const changes = Object.entries(erase).map(([column, value]) => sql`${sql.ref(column)} = ${sql.raw(value)}`);
      await sql`update ${table} set ${sql.join(changes)} where ${condition}`.execute(ctx.db);
    }
  }
}

/** Maximum number of records of one kind in an export. */
const MOST = 10_000;

/** Returns the exported columns of a row, with the contents of sealed ones. */
function opened(secrets: SecretBox, row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !NOT_EXPORTED.test(column))
      .map(([column, value]) =>
        column.startsWith('sealed_') && typeof value === 'string'
          ? [column.slice('sealed_'.length), JSON.parse(secrets.open(value)) as unknown]
          : [column, value],
      ),
  );
}

/** Columns that are left out: hashes of secrets, and the ids of other people. */
const NOT_EXPORTED = /^visitor_key$|_hash$|_user_id$/;

/** Returns everything that is stored about a person. Throws NOT_FOUND. */
export async function getPersonalData(ctx: Ctx, kind: PersonalData['kind'], id: string): Promise<PersonalData> {
  const { db, accountId, now, services } = ctx;
  const known = await db
    .selectFrom(kind)
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  foundOrThrow(known, kind);
  const records: PersonalData['records'] = {};
  const isSeen = seesLiveOnly(ctx) ? sql`to_jsonb(part) ->> 'livemode' is distinct from 'false'` : sql`true`;
  for (const [name, query] of exportedRows(ctx, { kind, id })) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(part) as row from (${query}) part where ${isSeen} limit ${sql.lit(MOST)}`.execute(db);
    records[name] = rows.map(({ row }) => opened(services.secrets, row));
  }
  return { kind, id, exported_at: now, records };
}
