import type { Selectable } from 'kysely';

/** All tables as Kysely sees them. Each table is declared beside its entity, in the file that writes it, or in a `*.tables.ts`, by merging into this interface. */
export interface Tables {}

/** A row returned by a select. */
export type TableRow<Name extends keyof Tables> = Selectable<Tables[Name]>;
