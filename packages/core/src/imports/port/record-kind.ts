import type { z } from 'zod';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Import, RowReason } from './import.entity.ts';

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
