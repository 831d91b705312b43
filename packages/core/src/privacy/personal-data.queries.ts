import { sql } from 'kysely';
import type { Ctx } from '../platform/call/context.ts';
import { seesLiveOnly } from '../platform/call/mode.ts';
import { foundOrThrow } from '../platform/call/records.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';
import type { PersonalData } from './erasure.schema.ts';
import { exportedRows } from './personal-rows.ts';

/** Maximum number of records of one kind in an export. */
const MOST = 10_000;

/** Returns everything that is stored about a customer. Throws NOT_FOUND. */
export function getDataOfCustomer(ctx: Ctx, { id }: { id: string }): Promise<PersonalData> {
  return exported(ctx, 'customer', id);
}

/** Returns everything that is stored about an affiliate. Throws NOT_FOUND. */
export function getDataOfAffiliate(ctx: Ctx, { id }: { id: string }): Promise<PersonalData> {
  return exported(ctx, 'affiliate', id);
}

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

async function exported(ctx: Ctx, kind: PersonalData['kind'], id: string): Promise<PersonalData> {
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
