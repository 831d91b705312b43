import type { Instant } from '../../../platform/time/instant.ts';

/** A list that the operator of the installation has loaded. */
export interface ScreeningListTable {
  list: string;
  /** Day of the version. */
  list_date: string;
  /** Hash of the content. */
  digest: string;
  names_count: number;
  loaded_at: Instant;
}

/** A name of a person or company on a list. */
interface ScreeningNameTable {
  list: string;
  entry: string;
  name: string;
  born: string | null;
  /** By which names that may be alike are found (`keysOf`). */
  keys: string[];
}

declare module '../../../platform/db/tables.ts' {
  interface Tables {
    screening_list: ScreeningListTable;
    screening_name: ScreeningNameTable;
  }
}
