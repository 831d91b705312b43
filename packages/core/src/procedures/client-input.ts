import { asParty } from '@affiliate/postgres';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Principal, Services } from '../platform/call/context.ts';
import type { RecordKind } from '../platform/wire/ids.ts';
import { EXTERNAL, externalIdOf } from '../platform/wire/merchant-data.ts';
import { kindOfId } from '../platform/wire/scalars.ts';
import { customerWith } from '../program/customer-identities/customer-identity.ts';

/** Kinds of records that a merchant can name by an own id, with a condition that prefers current records. */
const NAMED: Partial<Record<RecordKind, 'archivable' | 'kept' | 'customer'>> = {
  affiliate: 'archivable',
  campaign: 'archivable',
  link: 'archivable',
  referral: 'kept',
  customer: 'customer',
  sale: 'kept',
  commission: 'kept',
  payout: 'kept',
};

/** A place in the input with the merchant's own id of a record. */
interface OwnId {
  holder: Record<string | number, unknown>;
  key: string | number;
  kind: RecordKind;
}

/**
 * Changes an input into the form that a procedure reads: in every place of an id, `external:<external_id>` becomes the id of the record that it names.
 *
 * @param input JSON of the caller, which is changed
 * @param nulls `absent` if null means that a field is not given. A change keeps nulls, because it would ignore a wish to clear the field
 */
export async function readClientInput(
  services: Pick<Services, 'database'>,
  { account_id: accountId }: Pick<Principal, 'account_id'>,
  schema: z.ZodObject,
  input: Record<string, unknown>,
  nulls: 'absent' | 'kept' = 'kept',
): Promise<void> {
  const found: OwnId[] = [];
  look(schema, input, nulls, found);
  for (const { holder, key, kind } of found)
    holder[key] = await resolveExternalId(services, accountId, kind, holder[key] as string);
}

function look(schema: z.ZodType, value: unknown, nulls: 'absent' | 'kept', found: OwnId[]): void {
  const declared = declaredIn(schema);
  if (Array.isArray(value)) {
    if (declared instanceof z.ZodArray)
      value.forEach((_, index) => lookAt(declared.element as z.ZodType, value as never, index, nulls, found));
  } else if (typeof value === 'object' && value !== null && declared instanceof z.ZodObject) {
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      const field = Object.hasOwn(declared.shape, key) ? (declared.shape[key] as z.ZodType) : undefined;
      if (!field) continue;
      if (nulls === 'absent' && holder[key] === null && isMerelyOptional(field)) delete holder[key];
      else lookAt(field, holder, key, nulls, found);
    }
  }
}

/**
 * True if null can only mean that a field is not given: for a single value. A missing list often means all records, and missing permissions mean all
 * permissions, so null in place of these is refused.
 */
function isMerelyOptional(field: z.ZodType): boolean {
  const declared = declaredIn(field);
  const isCompound = [z.ZodArray, z.ZodRecord, z.ZodObject, z.ZodUnion].some((compound) => declared instanceof compound);
  return !isCompound && !field.safeParse(null).success;
}

function lookAt(
  schema: z.ZodType,
  holder: Record<string | number, unknown>,
  key: string | number,
  nulls: 'absent' | 'kept',
  found: OwnId[],
): void {
  const value = holder[key];
  if (typeof value !== 'string') return look(schema, value, nulls, found);
  const kind = value.startsWith(EXTERNAL) ? kindOfId(declaredIn(schema)) : undefined;
  if (kind && NAMED[kind]) found.push({ holder, key, kind });
}

/** Returns the schema inside wrappers such as `optional` and `nullable`. */
function declaredIn(schema: z.ZodType): z.ZodType {
  let inner = schema;
  for (;;) {
    const { innerType, in: input } = inner.def as { innerType?: z.ZodType; in?: z.ZodType };
    const next = innerType ?? input;
    if (!next) return inner;
    inner = next;
  }
}

/**
 * Returns the id of the record of an account that `external:<external_id>` names. A name that no record has is returned unchanged: the operation then
 * answers as for any unknown id. Of several records, the one that is not archived counts, then the newest.
 */
async function resolveExternalId(
  { database }: Pick<Services, 'database'>,
  accountId: string,
  kind: RecordKind,
  reference: string,
): Promise<string> {
  const externalId = externalIdOf(reference);
  const named = NAMED[kind];
  const query =
    named === 'customer'
      ? sql<{ id: string }>`select id from customer where id = ${customerWith(accountId, 'external_customer_id', externalId)}`
      : sql<{ id: string }>`
          select id from ${sql.table(kind)} where account_id = ${accountId} and external_id = ${externalId}
          order by ${named === 'archivable' ? sql`archived_at is not null, ` : sql``}id desc limit 1`;
  const { rows } = await asParty({ lane: 'read', id: accountId }, () => query.execute(database.kysely));
  return rows[0]?.id ?? reference;
}
