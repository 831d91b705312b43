import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { invalid } from '../../platform/errors/errors.ts';
import { instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { PayoutRunState } from './payout-run.states.ts';

export const PayoutRunSchema = defineEntity({
  name: 'PayoutRun',
  tableName: 'payout_run',
  properties: {
    ...recordColumns,
    idempotency_key: p.string(),
    /** Of the parameters it was created with: the same key with others is a mistake. */
    request_fingerprint: p.string(),
    state: p.string().$type<PayoutRunState>(),
    /** Whether there is something left to do for it, now: what, follows from the state and the items. See advance-run.ts. */
    working: p.boolean(),
    affiliate_ids: p.array().strictNullable(),
    payment_reference: p.string().strictNullable(),
    items_total: p.integer(),
    items_done: p.integer(),
    executed_at: instant().strictNullable(),
    completed_at: instant().strictNullable(),
    canceled_at: instant().strictNullable(),
  },
});

/** Payouts that are checked and marked paid together, item by item. */
export class PayoutRun extends PayoutRunSchema.class {
  /** Executing once more changes nothing. Throws VALIDATION_ERROR on a canceled run. */
  execute(paymentReference: string | undefined, at: Instant): void {
    if (this.state === 'canceled') throw invalid('id', 'This run is canceled', 'invalid_state');
    if (this.state !== 'planned') return;
    this.payment_reference = paymentReference ?? this.payment_reference;
    this.executed_at = at;
    setToWork(this, 'executing', at);
  }

  /** Takes up again what had failed. */
  retry(at: Instant): void {
    this.completed_at = null;
    setToWork(this, 'executing', at);
  }

  /** Canceling once more changes nothing. Throws VALIDATION_ERROR on a run that has paid everything. */
  cancel(at: Instant): void {
    if (this.state === 'completed') throw invalid('id', 'This run is completed: nothing is left to cancel', 'invalid_state');
    if (this.state === 'canceled') return;
    this.canceled_at = at;
    setToWork(this, 'canceled', at);
  }

  /** Items have come to their end, or (negative) are taken up again. */
  progress(items: number, at: Instant): void {
    this.items_done += items;
    this.updated_at = at;
  }

  /** Nothing is left to do for now. An executing run is through; whether with issues, is for the items to say. */
  rest(hasIssues: boolean, at: Instant): void {
    this.working = false;
    this.updated_at = at;
    if (this.state !== 'executing' && this.state !== 'partially_completed') return;
    this.state = hasIssues ? 'partially_completed' : 'completed';
    this.completed_at = at;
  }
}
PayoutRunSchema.setClass(PayoutRun);

function setToWork(run: PayoutRun, state: PayoutRunState, at: Instant): void {
  run.state = state;
  run.working = true;
  run.updated_at = at;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_run: InferKyselyTable<typeof PayoutRunSchema>;
  }
}
