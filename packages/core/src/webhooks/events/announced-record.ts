import { type RawBuilder, sql } from 'kysely';
import type { Announcement } from '../../platform/db/announcer.ts';
import type { Db } from '../../platform/db/database.ts';
import type { JsonText } from '../../platform/db/json-text.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { EventType } from './event-types.ts';

/**
 * How the changes of the records of a table become events. Declared by the record's room, and listed in `event-catalog.ts`.
 *
 * PostgreSQL reads the records and builds the data of their events, for one record and for thousands. The declaration may also give the data of a
 * record that the transaction has created, from its values in memory, which saves reading the record again.
 */
export interface AnnouncedRecord<Row extends object = object> {
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
  /**
   * Returns the same data for a record that the transaction has created, or null if they have to be read.
   *
   * @param current finds another record that the transaction knows (`Announcement`)
   */
  dataOfNew?(row: Row, current: Announcement['current']): object | null;
  /** Events of particular changes, in the order in which a change causes them. `CREATED`, `becomes` and `change.previous` say what has changed. */
  types: readonly (readonly [type: EventType, when: Condition<Row>])[];
  /** The event of a change of which no particular event tells. */
  updated: EventType;
  /** Changes of other records that also change what this record shows. */
  follows?: readonly Followed[];
}

/** When a change causes an event. */
export interface Condition<Row extends object = object> {
  /** SQL condition about `record` and `change.previous`. */
  sql: RawBuilder<boolean>;
  /** Returns true if a record that the transaction has created fulfils the condition. */
  ofNew(row: Row): boolean;
}

/** Other records whose changes a record shows. */
export interface Followed {
  table: string;
  columns: readonly string[];
  /** SQL query: the ids of the records that show the record with the id `followed.id`. */
  ids: RawBuilder<unknown>;
}

/** SQL condition: the transaction has created the record. */
export const IS_CREATED = sql<boolean>`change.previous is null`;

/** The transaction has created the record. */
export const CREATED: Condition = { sql: IS_CREATED, ofNew: () => true };

/** The transaction has set a column to a value that it did not have, or has created the record with it. The column is never null. */
export function becomes<Column extends string>(column: Column, value: string): Condition<Readonly<Record<Column, string>>> {
  return {
    sql: sql<boolean>`(${sql.ref(`record.${column}`)} = ${sql.lit(value)} and (${IS_CREATED} or change.previous ->> ${sql.lit(column)} <> ${sql.lit(value)}))`,
    ofNew: (row) => row[column] === value,
  };
}
