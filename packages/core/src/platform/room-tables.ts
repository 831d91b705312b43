import type { DeclaredTables } from './db/database.ts';
import type { PersonalTables } from './db/people.ts';
import type { Tables } from './db/tables.ts';
import type { RecordKind } from './wire/ids.ts';

/** The properties of a room's tables that the platform needs. Each room declares them in its `tables.ts`. */
export interface RoomTables extends Partial<DeclaredTables> {
  /** Tables with an address, a name or a reference to a person. */
  people?: PersonalTables;
  named?: Readonly<Partial<Record<RecordKind, keyof Tables>>>;
}
