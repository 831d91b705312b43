import { type EntitySchemaWithMeta, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { InsertType, Selectable } from 'kysely';
import { InstantType } from '../time/instant.ts';

/** Columns of every record of an account. Property, column and wire field share one name in snake_case. */
export const recordColumns = {
  id: p.string().primary(),
  account_id: p.string(),
  created_at: p.type(InstantType),
  updated_at: p.type(InstantType),
};

/** The mode of a record. PostgreSQL computes it from the account (docs/rules/platform.md#test-mode). */
export const modeOfAccount = {
  livemode: p
    .boolean()
    .default(true)
    .generated(String.raw`(account_id not like 'acct\_test\_%') stored`),
};

/** Pairs of a key and a value. */
export type Metadata = Record<string, string>;

/** The data that merchants attach to a record (`platform/wire/merchant-data.ts`). */
export const merchantData = {
  /** The merchant's own id for the record. */
  external_id: p.string().strictNullable(),
  metadata: p.json<Metadata>(),
};

export const instant = () => p.type(InstantType);
/** An amount in the currency's minor unit. */
export const cents = () => p.bigint('number');

/** An entity as `defineEntity` returns it: the declaration of a table. */
// oxlint-disable-next-line typescript/no-explicit-any -- the library's own bound for any entity
export type Entity = EntitySchemaWithMeta<any, any, any, any, any>;

/** A row of an entity's table: a plain object with one property per column. */
export type Row<Of extends Entity> = Selectable<InferKyselyTable<Of>>;

type Table<Of extends Entity> = InferKyselyTable<Of>;

/** Columns with a default or a value from a sequence, which an insert may leave out. */
type Optional<Of extends Entity> = {
  [Name in keyof Table<Of>]: undefined extends InsertType<Table<Of>[Name]> ? Name : never;
}[keyof Table<Of>];

/** The values of a new record. Every column must be given, null included, except those with a default. */
export type NewRow<Of extends Entity> = Omit<Row<Of>, Optional<Of>> & Partial<Pick<Row<Of>, Optional<Of>>>;
