import type { Instant } from '../time/instant.ts';

/** A call that a caller has previewed and may now carry out once. */
interface PreviewedCallTable {
  /** The token that the preview returned. Not a secret: only the caller of the preview can use it. */
  id: string;
  account_id: string;
  caller_id: string;
  /** Hash of the procedure and its input. */
  request_hash: string;
  /** Hash of the effect that the preview showed. */
  effect_hash: string;
  expires_at: Instant;
}

declare module '../db/tables.ts' {
  interface Tables {
    previewed_call: PreviewedCallTable;
  }
}
