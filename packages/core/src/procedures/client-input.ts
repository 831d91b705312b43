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

/** How values may be written. */
export interface Writing {
  /** `absent` if null means that a field is not given. A change keeps nulls, because it would ignore a wish to clear the field. */
  nulls: 'absent' | 'kept';
  /**
   * True if a value may be written as text (`"5"`, `"True"`), a list as one of its values, and a time as a day: its beginning, or its end where a field
   * says until when or as of when. For callers that write by the names of fields.
   */
  loosely?: boolean;
}

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
 */
export async function readClientInput(
  services: Pick<Services, 'database'>,
  { account_id: accountId }: Pick<Principal, 'account_id'>,
  schema: z.ZodObject,
  input: Record<string, unknown>,
  writing: Writing = { nulls: 'kept' },
): Promise<void> {
  const found: OwnId[] = [];
  look(schema, input, writing, found);
  for (const { holder, key, kind } of found)
    holder[key] = await resolveExternalId(services, accountId, kind, holder[key] as string);
}

function look(schema: z.ZodType, value: unknown, writing: Writing, found: OwnId[]): void {
  const declared = declaredIn(schema);
  if (Array.isArray(value)) {
    if (declared instanceof z.ZodArray)
      value.forEach((_, index) => lookAt(declared.element as z.ZodType, value as never, index, writing, found));
  } else if (typeof value === 'object' && value !== null && declared instanceof z.ZodObject) {
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      const field = Object.hasOwn(declared.shape, key) ? (declared.shape[key] as z.ZodType) : undefined;
      if (!field) continue;
      if (writing.nulls === 'absent' && holder[key] === null && isMerelyOptional(field)) delete holder[key];
      else lookAt(field, holder, key, writing, found);
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
  writing: Writing,
  found: OwnId[],
): void {
  if (writing.loosely && typeof holder[key] === 'string') holder[key] = readText(schema, key, holder[key]);
  const value = holder[key];
  if (typeof value !== 'string') return look(schema, value, writing, found);
  const kind = value.startsWith(EXTERNAL) ? kindOfId(declaredIn(schema)) : undefined;
  if (kind && NAMED[kind]) found.push({ holder, key, kind });
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Fields that say until when or as of when something counts. */
const ENDS = /(?:^|_)until$|^at$/;

/** Reads a text where the schema wants another value, e.g. a list. The schema refuses what cannot be read. */
function readText(schema: z.ZodType, key: string | number, text: string): unknown {
  const declared = declaredIn(schema);
  if (/^[[{]/.test(text) && [z.ZodArray, z.ZodObject, z.ZodRecord].some((compound) => declared instanceof compound))
    return parseJson(text);
  if (declared instanceof z.ZodArray) return text.split(',');
  const { format } = declared.def as { format?: string };
  if (format === 'date-time' && DAY.test(text)) return `${text}T${ENDS.test(String(key)) ? '23:59:59.999' : '00:00:00'}Z`;
  return convertText(declared, text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Converts a text to the number, or to the boolean, that a schema declares. Returns a text that it cannot convert. */
export function convertText(schema: z.ZodType, text: string): unknown {
  const declared = declaredIn(schema);
  // A number too large to be exact is replaced by the largest exact integer. That still exceeds every maximum, so `limit` is capped and other
  // fields are refused.
  if (declared instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (declared instanceof z.ZodBoolean) return BOOLEANS.get(text.toLowerCase()) ?? text;
  return text;
}

/** Returns the schema inside wrappers such as `optional` and `nullable`. */
export function declaredIn(schema: z.ZodType): z.ZodType {
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
