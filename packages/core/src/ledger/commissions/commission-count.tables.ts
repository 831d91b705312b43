import type { CommissionState } from '../../platform/wire/states.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    commission_count: CommissionCountTable;
    commission_count_change: CommissionCountTable;
  }
}

/**
 * Number of an account's commissions by state, mode and the UTC day of their last change. The exact number is the sum of `n` in
 * `commission_count` and `commission_count_change`. Triggers record every change of a commission in `commission_count_change`, in the same
 * transaction. They only insert rows, so that transactions do not wait for each other.
 */
interface CommissionCountTable {
  account_id: string;
  day: string;
  state: CommissionState;
  livemode: boolean;
  n: number;
}
