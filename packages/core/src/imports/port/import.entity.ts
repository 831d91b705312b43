import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { ColumnType } from 'kysely';
import { instant, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';

/**
 * `reading` also checks what was read. From `ready` on, the outcome of every row is known. `draft` is an import whose files arrive in parts, or that was
 * stopped while it was reading.
 */
export const IMPORT_STATES = ['draft', 'reading', 'ready', 'running', 'done', 'undoing', 'undone', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** The kinds of records of an import, in the order in which they are made: each refers only to those before it. */
export const RECORD_KINDS = ['campaign', 'affiliate', 'link', 'customer', 'code', 'commission', 'payout'] as const;
export type ImportedKind = (typeof RECORD_KINDS)[number];

/** The kinds of records with an amount. */
export const MONEY_KINDS = ['commission', 'payout'] as const satisfies readonly ImportedKind[];

/**
 * The outcome of a row. `new`: a record is made; `existing`: the account has the record already; `skipped`: nothing has to be done; `problem`: nothing
 * can be done.
 */
export const OUTCOMES = ['new', 'existing', 'skipped', 'problem'] as const;
export type RowOutcome = (typeof OUTCOMES)[number];

/** Why a row is skipped or a problem. */
export const ROW_REASONS = [
  'repeated',
  'no_customer',
  'invalid',
  'campaign_missing',
  'affiliate_missing',
  'token_taken',
  'other_affiliate',
  'currency_missing',
  'no_money',
  'earned_here',
  'not_paid',
  'being_paid',
  'commissions_differ',
  'changed_there',
  'refused',
  'in_use',
] as const;
export type RowReason = (typeof ROW_REASONS)[number];

/** Why an import failed. */
export const FAILURES = [
  'key_refused',
  'no_api_access',
  'not_understood',
  'goes_round',
  'unreachable',
  'file_unreadable',
] as const;
export type ImportFailure = (typeof FAILURES)[number];

export const Import = defineEntity({
  name: 'Import',
  tableName: 'data_import',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    source: p.string(),
    state: p.string().$type<ImportState>(),
    /** The key, or what the files are like (`ImportInput`). Null when it is no longer needed. */
    sealed_input: p.string().strictNullable(),
    /** Campaign of affiliates for whom the source names none. Null for the default campaign. */
    campaign_id: p.string().strictNullable(),
    /** Currency of amounts for which the source names none. */
    currency: p.string().strictNullable(),
    /** Place in the source at which reading continues; null at the beginning. Each source has its own form. */
    cursor: p.json<unknown>().strictNullable(),
    /** Records that the source says to have. Null if it says nothing. */
    expected_count: p.integer().strictNullable(),
    /** Records that were read since reading began at the beginning of the source. */
    read_count: p.integer().default(0),
    /** Time at which the present work began, or went on; null before there was any. */
    phase_began_at: instant().strictNullable(),
    /** Records with which the work was done then. For an undoing import, those that were to be removed. */
    phase_from: p.integer().default(0),
    read_at: instant().strictNullable(),
    /** Time at which a source that could not answer is asked again. */
    resume_at: instant().strictNullable(),
    /** Times in a row that the source could not answer. */
    attempts: p.integer().default(0),
    failure: p.string().$type<ImportFailure>().strictNullable(),
    /** The column of a file, or the list of a source, that the failure is about. */
    failure_detail: p.string().strictNullable(),
    /** True if the records are made as soon as everything was read, because the import was run before. */
    runs_when_read: p.boolean().default(false),
    created_by: p.string(),
    done_at: instant().strictNullable(),
  },
});

/** A move of a program from another tool. */
export type Import = Row<typeof Import>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    data_import: InferKyselyTable<typeof Import>;
    data_import_row: ImportRowTable;
    data_import_key: ImportKeyTable;
  }
}

/** A record of the source. */
export interface ImportRowTable {
  /** In the order in which the rows were read. */
  id: string;
  import_id: string;
  account_id: string;
  kind: ImportedKind;
  /** Id of the record at the source, or what stands for it, e.g. the address of an affiliate in a file. */
  source_id: string;
  /** The record in the shape of its kind (`records`). */
  data: ColumnType<unknown, string, string>;
  /** Null until the row is checked. */
  outcome: RowOutcome | null;
  reason: RowReason | null;
  /** The field that is wrong, and the code of the error. */
  detail: string | null;
  /** Id of our record, whether it was made or existed. */
  record_id: string | null;
  /** Ids of all records that the import made of the row. */
  made_ids: ColumnType<string[], string[] | undefined, string[]>;
  /** Time at which the import has done all that the row needs. */
  done_at: Instant | null;
}

/** Something by which a row is the same as another one, and by which other rows may name it. Deleted when the import is done. */
interface ImportKeyTable {
  import_id: string;
  kind: ImportedKind;
  key: string;
  /** The first row that has the key. */
  row_id: string;
}
