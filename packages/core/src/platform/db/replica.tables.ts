declare module './tables.ts' {
  interface Tables {
    /** The position that a replica must have replayed before the account's records are read from it. */
    account_write: { account_id: string; position: LogPosition };
  }
}

/** A position in the write-ahead log, as PostgreSQL writes it: `16/B374D848`. */
export type LogPosition = string;
