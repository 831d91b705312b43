import type { Instant } from '../time/instant.ts';

declare module '../db/tables.ts' {
  interface Tables {
    file_part: FilePartTable;
    upload: UploadTable;
  }
}

/** A part of a file. All parts of a file but the last have `PART_BYTES` bytes. */
interface FilePartTable {
  file_id: string;
  /** Number of the part, from 0. */
  position: number;
  account_id: string;
  content: Buffer;
}

/** A file that is arriving, or has arrived and belongs to no record yet. */
interface UploadTable {
  file_id: string;
  account_id: string;
  created_at: Instant;
}
