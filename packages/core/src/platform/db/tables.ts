import type { Selectable } from 'kysely';

/** All tables as Kysely sees them. Each table is declared beside its entity, in the file that writes it, or in a `*.tables.ts`, by merging into this interface. */
export interface Tables {}

/** A row returned by a select. */
export type TableRow<Name extends keyof Tables> = Selectable<Tables[Name]>;

/** The rows of a table that are about a person (docs/rules/privacy.md#declarations). */
export interface PersonalRows {
  /**
   * SQL condition. Default: the column `<kind>_id` is the person. `$id` is the person, `$account` the account, `$referrals` and
   * `$sales` are queries of the ids of a customer’s referrals and sales, and `$addresses` and `$recipients` are the person’s addresses, plain and hashed.
   */
  rows?: string;
  /**
   * Erasing the person deletes the rows, or sets columns to SQL expressions. `stays`: they name the person by ids only, or their texts are searched for the
   * person. `in code`: the service that erases the record erases them.
   */
  erase: 'delete' | 'stays' | 'in code' | Readonly<Record<string, string>>;
  /** Name of the rows in the person’s export. Without it, they tell the person nothing new. */
  export?: string;
}

/** The rows of a table about people, by the kind of the person. Or a sentence that says why there are none, although the columns look like it. */
type PersonalTable = Readonly<Record<string, PersonalRows>> | string;

export type PersonalTables = Readonly<Record<string, PersonalTable>>;
