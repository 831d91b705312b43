declare module './tables.ts' {
  interface Tables {
    /** The position that a replica must have replayed before it answers reads of the account. */
    account_write: { account_id: string; position: LogPosition };
  }
}

/** A position in the write-ahead log, as PostgreSQL writes it: `16/B374D848`. */
export type LogPosition = string;
