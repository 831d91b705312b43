declare module './tables.ts' {
  interface Tables {
    /** Up to where a replica must have replayed the write-ahead log to answer reads of an account. */
    account_write: { account_id: string; position: string };
  }
}

export {};
