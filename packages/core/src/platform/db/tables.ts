import type { Selectable } from 'kysely';

/**
 * Every table as Kysely sees it. Each table is declared in its own room, beside its entity or in a `*.tables.ts`, by merging into
 * this interface.
 */
export interface Tables {}

/** A row as a select returns it. */
export type TableRow<Name extends keyof Tables> = Selectable<Tables[Name]>;
