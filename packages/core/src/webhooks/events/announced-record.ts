import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { JsonText } from '../../platform/db/json-text.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { EventType } from './event-types.ts';

/**
 * How the changes of the records of a table become events. Declared by the record's room, and listed in `event-catalog.ts`.
 *
 * PostgreSQL reads the records and builds the data of their events, for one record and for thousands.
 */
export interface AnnouncedRecord {
  table: string;
  /** The columns whose changes are announced: all that the data show. */
  columns: readonly string[];
  /** SQL query: the record with the id `change.id`, with its `account_id` and all that `data` needs. */
  record: (db: Db, now: Instant) => RawBuilder<unknown>;
  /** SQL: the fields of the data of an event, from the row `record` and the type `announced.type`. */
  data: Readonly<Record<string, JsonText>>;
  /** SQL: the former values of fields that are not columns, from `change.previous`, with the column whose change changes them. */
  former?: Readonly<Record<string, readonly [column: string, value: JsonText]>>;
  /** SQL: further fields of the data, with string values. Left out when null. */
  optional?: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Events of particular changes, in the order in which a change causes them. `CREATED`, `becomes` and `change.previous` say what has changed. */
  types: readonly (readonly [type: EventType, when: RawBuilder<boolean>])[];
  /** The event of a change of which no particular event tells. */
  updated: EventType;
  /** Changes of other records that also change what this record shows. */
  follows?: readonly Followed[];
}

/** Other records whose changes a record shows. */
export interface Followed {
  table: string;
  columns: readonly string[];
  /** SQL query: the ids of the records that show the record with the id `followed.id`. */
  ids: RawBuilder<unknown>;
}

/** SQL condition: the transaction has created the record. */
export const CREATED = sql<boolean>`change.previous is null`;

/** SQL condition: the transaction has set a column to a value that it did not have, or has created the record with it. The column is never null. */
export function becomes(column: string, value: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`record.${column}`)} = ${sql.lit(value)} and (${CREATED} or change.previous ->> ${sql.lit(column)} <> ${sql.lit(value)}))`;
}
