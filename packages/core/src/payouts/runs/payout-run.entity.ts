import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { PayoutRunState } from '../../platform/wire/states.ts';

export const PayoutRun = defineEntity({
  name: 'PayoutRun',
  tableName: 'payout_run',
  properties: {
    ...recordColumns,
    idempotency_key: p.string(),
    /** Fingerprint of the parameters with which the run was created. A request with the same key and other parameters is refused. */
    request_fingerprint: p.string(),
    state: p.string().$type<PayoutRunState>(),
    /** True while the run has work to do. The state and the items of the run determine the work; see advance-run.ts. */
    working: p.boolean(),
    /** The mode of all payouts of the run. */
    livemode: p.boolean(),
    affiliate_ids: p.array().strictNullable(),
    payment_reference: p.string().strictNullable(),
    items_total: p.integer(),
    items_done: p.integer(),
    executed_at: instant().strictNullable(),
    completed_at: instant().strictNullable(),
    canceled_at: instant().strictNullable(),
  },
});

/** Payouts that are checked and marked paid together, item by item. Only `payout-run.transitions.ts` changes runs. */
export type PayoutRun = Row<typeof PayoutRun>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_run: InferKyselyTable<typeof PayoutRun>;
  }
}
