import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    api_request: ApiRequestTable;
  }
}

/** Requests with API keys (docs/rules/identity.md#api-log). Rows never change. */
export interface ApiRequestTable {
  id: string;
  account_id: string;
  key_id: string;
  method: string;
  /** Path in which only ids of records are left as they were. */
  path: string;
  status: number;
  is_failure: boolean;
  error_code: string | null;
  request_id: string;
  duration_ms: number;
  /** Number of requests: more than one for equal refusals within a second. */
  count: number;
  created_at: Instant;
}
