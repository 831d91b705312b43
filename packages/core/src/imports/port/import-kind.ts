import type { z } from 'zod';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { DateOrder, DecimalMark } from './file-format.ts';
import type { Import, ImportedKind, ImportFailure, RowReason } from './import.entity.ts';

/** A row whose data have the shape of its kind. */
export interface ImportedRow<Data> {
  /** In the order in which the rows were read. */
  id: string;
  source_id: string;
  data: Data;
}

/**
 * The result of a check: a record that has to be made, with the ids of the records that it refers to, or why there is nothing to make. In a dry run the
 * records to which it refers may not exist yet: their ids are then null.
 */
export type Verdict<References> =
  | { outcome: 'new'; references: References }
  | { outcome: 'existing'; record_id: string }
  | { outcome: 'skipped'; reason: RowReason; record_id: string | null }
  | { outcome: 'problem'; reason: RowReason };

/** The ids of the records that were made of a row. The first one is the record itself. */
export type MadeIds = readonly [string, ...string[]];

/** A row whose record has to be made. */
export interface NewRow<Data, References> {
  row: ImportedRow<Data>;
  references: References;
}

export interface RecordKind<Data = unknown, References = unknown> {
  /** The shape in which every source tells the record. */
  readonly schema: z.ZodType<Data>;

  /** Returns by what a record is the same as another one of the import, each with its kind in front. */
  keysOf(data: Data): readonly string[];

  /** Locks what decides about the rows. Called before they are checked to be made. */
  lock?(ctx: WriteCtx, rows: readonly ImportedRow<Data>[], of: Import): Promise<unknown>;

  /** Checks rows against the account and the earlier rows of the import, in a few statements. */
  check(ctx: Ctx, of: Import, rows: readonly ImportedRow<Data>[]): Promise<Verdict<References>[]>;

  /** Makes the record of a row, with the time of creation at the source. */
  make?(ctx: WriteCtx, of: Import, row: ImportedRow<Data>, references: References): Promise<MadeIds>;

  /** Makes the records of rows instead of `make`, in a few statements. */
  makeAll?(ctx: WriteCtx, of: Import, rows: readonly NewRow<Data, References>[]): Promise<MadeIds[]>;
}

/** A file of the merchant, whose bytes are stored in parts (`platform/files`). */
export interface ImportedFile {
  kind: string;
  /** Fields by the header of their column. */
  columns: Readonly<Record<string, string>>;
  date_order: DateOrder | null;
  decimal_mark: DecimalMark | null;
  file_id: string;
  /** Bytes that have arrived. */
  bytes: number;
  /** False while parts of the file are still to come. */
  is_complete: boolean;
}

/** The key or the files that an import reads. */
export interface ImportInput {
  credentials: string | null;
  files: readonly ImportedFile[];
}

/** The key or the files, and the currency of amounts for which the source names none. */
export interface ReadInput extends ImportInput {
  currency: string | null;
  /** Reads bytes of a file: `length` of them, fewer at its end. */
  bytesOf: (file: ImportedFile, from: number, length: number) => Promise<Buffer>;
}

/** A record as a source tells it. `data` has the shape of the kind (`records`), unless the source has told something else. */
export interface SourceRecord {
  kind: ImportedKind;
  id: string;
  data: Readonly<Record<string, unknown>>;
  /** True if another record of the source may be equal and still be another one: the second one gets a number at the end of its `external_id`. */
  repeats?: boolean;
  /** The field whose text has two readings, so that a person has to say which. */
  unclear?: string;
}

/** A part of what a source has. */
export interface SourcePage {
  records: readonly SourceRecord[];
  /** Beginning of the next part; null at the end. */
  next: unknown;
  /** Identifies a page of a tool that has entries but no records. */
  id?: string;
  /** Number of records of the kinds of this page that the source says to have, by kind. */
  expected?: number;
}

/** Options of the calls to sources. */
interface ImportOptions {
  /** Address of the API of a tool, by its name, instead of the one that its documentation states. */
  apiBases?: Readonly<Partial<Record<string, string | undefined>>> | undefined;
  /** Milliseconds between two reads, instead of those that the limits of the tool need. */
  pauseMs?: number | undefined;
}

/** How files or a tool are read. Reading never changes anything there. */
export interface ImportKind {
  /** Milliseconds between two reads that keep the rate limit of the tool. */
  readonly pauseMs: number;

  /**
   * Reads the part that begins at `at`, null for the first one.
   *
   * @param apiBase address of the API of the tool
   * @throws SourceFailure
   */
  read(input: ReadInput, at: unknown, apiBase: string): Promise<SourcePage>;
}

/** A source could not be read. */
export class SourceFailure extends Error {
  readonly failure: ImportFailure;
  /** The column of a file, or the list of the source, that the failure is about. Null for the source as a whole. */
  readonly detail: string | null;
  /** Seconds after which the source may answer. Null if it will not. */
  readonly retryAfter: number | null;

  constructor(
    failure: ImportFailure,
    { detail = null, retryAfter = null }: { detail?: string | null; retryAfter?: number | null } = {},
  ) {
    super(detail === null ? failure : `${failure}: ${detail}`);
    this.failure = failure;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

declare module '../../platform/call/context.ts' {
  interface Services {
    /** Options of the calls to tools from which programs move. */
    imports?: ImportOptions | undefined;
  }
}
