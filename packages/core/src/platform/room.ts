import type { DeclaredTables } from './db/database.ts';
import type { Tables } from './db/tables.ts';
import type { UniqueIndexes } from './errors/constraints.ts';
import type { JobKindProperties } from './jobs/jobs.ts';
import type { RecordKind } from './wire/ids.ts';

/** The declarations of a room that the platform reads, from its `declarations.ts`. */
export interface Room extends Partial<DeclaredTables> {
  named?: Readonly<Partial<Record<RecordKind, keyof Tables>>>;
  /** Unique indexes of the room's tables: the error for a violation, or the reason why no input can violate the index. */
  uniqueIndexes?: UniqueIndexes;
  /** Foreign keys to rows that another transaction may delete meanwhile (`Constraints`). */
  raced?: readonly string[];
  /** The tables whose rows are deleted after a time, by name (docs/rules/platform.md#retention). */
  retention?: Readonly<Partial<Record<keyof Tables, Retention>>>;
  /** The room's kinds of jobs, which it also adds to `JobKinds`. */
  jobs?: Readonly<Record<string, JobKindProperties>>;
}

/** How long the rows of a table are kept. */
export interface Retention {
  /** The columns of the table's primary key. Default: `id`. */
  key?: readonly string[];
  /** Name of the column with the time from which `days` are counted. It has an index. Default: `expires_at`. */
  since?: string;
  /** Kind of the records, if the time is that in the `id`. */
  idsOf?: RecordKind;
  /** Default: 0. */
  days?: number;
  /** Further SQL condition. A row that does not meet it is kept. */
  when?: string;
}
