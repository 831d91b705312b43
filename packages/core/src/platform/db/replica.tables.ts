declare module './tables.ts' {
  interface Tables {
    /** Up to where a replica must have replayed the write-ahead log to answer reads of an account. */
    account_write: { account_id: string; position: LogPosition };
  }
}

/** A position in the write-ahead log, as PostgreSQL writes it: `16/B374D848`. */
export type LogPosition = string;
