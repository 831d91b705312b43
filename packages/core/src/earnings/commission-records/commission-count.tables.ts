import type { CommissionState } from './commission.states.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    commission_count: CommissionCountTable;
    commission_count_change: CommissionCountTable;
  }
}

/**
 * Number of an account's commissions by state, mode and the UTC day of their last change. The exact number is the sum over both tables.
 * Triggers record every change in `commission_count_change`, in the transaction that makes the change. They insert new rows, so that
 * transactions do not wait for each other.
 */
interface CommissionCountTable {
  account_id: string;
  day: string;
  state: CommissionState;
  livemode: boolean;
  n: number;
}
