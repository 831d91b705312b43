import type { CommissionState } from './commission.states.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    commission_count: CommissionCountTable;
    commission_count_change: CommissionCountTable;
  }
}

/**
 * Number of an account's commissions in a state and mode, by the UTC day of their last change. The true number is the sum of both tables: triggers
 * record changes in the transaction that makes them, each in rows of its own, so that transactions do not wait for each other.
 */
interface CommissionCountTable {
  account_id: string;
  day: string;
  state: CommissionState;
  livemode: boolean;
  n: number;
}
