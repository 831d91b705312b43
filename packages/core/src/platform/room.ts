import type { Entity } from './db/columns.ts';
import type { DeclaredTables } from './db/database.ts';
import type { Tables } from './db/tables.ts';
import type { UniqueIndexes } from './errors/constraints.ts';
import type { JobKindProperties } from './jobs/jobs.ts';
import type { RecordKind } from './wire/ids.ts';

/** What the platform needs to know of a room. Each room declares it in its `declarations.ts`. */
export interface Room extends Partial<DeclaredTables> {
  entities?: readonly Entity[];
  named?: Readonly<Partial<Record<RecordKind, keyof Tables>>>;
  /** Unique indexes of the room's tables: the error for a violation, or the reason why no input can violate the index. */
  uniqueIndexes?: UniqueIndexes;
  /** Foreign keys to rows that another transaction may delete meanwhile (`Constraints`). */
  raced?: readonly string[];
  /** The room's kinds of jobs, which it also adds to `JobKinds`. */
  jobs?: Readonly<Record<string, JobKindProperties>>;
}
