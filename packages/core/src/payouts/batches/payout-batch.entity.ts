import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { TableRow } from '../../platform/db/tables.ts';

/** The producers of batches: an export and a run, which a person pays, and payments that the service sends. */
export type BatchKind = 'export' | 'run' | 'payment';
/** `partly_paid`: nothing is left to do, but some payouts could not be paid. `withdrawn`: the unpaid payouts are open again. */
export type BatchStage = 'prepared' | 'paying' | 'paid' | 'partly_paid' | 'withdrawn';

export const PayoutBatch = defineEntity({
  name: 'PayoutBatch',
  tableName: 'payout_batch',
  properties: {
    ...recordColumns,
    kind: p.string().$type<BatchKind>(),
    method: p.string(),
    /** The mode of all payouts of the batch. */
    livemode: p.boolean(),
    /** A batch of payments stays `paying`: its attempts say how far each payment is. */
    stage: p.string().$type<BatchStage>(),
    /** True while the batch has work to do. The stage and the attempts determine the work; see advance-batches.ts. */
    working: p.boolean(),
    /** Number of payouts that were chosen, without those that were taken out of an export. */
    payouts_count: p.integer(),
    /** Id of the caller. */
    prepared_by: p.string(),
    /** The person behind this caller, who cannot approve the batch. Null for the operator's keys, and if the batch sends nothing. */
    prepared_by_person: p.string().strictNullable(),
    /** The account from which the file of an export is paid, as sealed JSON. Null if the file names none. */
    sealed_payer: p.string().strictNullable(),
    notes: p.string().strictNullable(),
    affiliate_ids: p.array().strictNullable(),
    payment_reference: p.string().strictNullable(),
    /** The person who approved the batch, another one than `prepared_by_person`. */
    approved_by: p.string().strictNullable(),
    approved_at: instant().strictNullable(),
    /** Hash of the payments that were approved. The approval ends when they change. */
    approved_hash: p.string().strictNullable(),
    idempotency_key: p.string().strictNullable(),
    /** Fingerprint of the parameters with which a run was created. A request with the same key and other parameters is refused. */
    request_fingerprint: p.string().strictNullable(),
    started_at: instant().strictNullable(),
    /** Time at which the payment ended. */
    paid_at: instant().strictNullable(),
    withdrawn_at: instant().strictNullable(),
  },
});

/** Payouts that are paid together. Its attempts say what happens to each of them. Only `payout-batch.transitions.ts` changes batches. */
export type PayoutBatch = Row<typeof PayoutBatch>;
/** A batch, or a copy of it that is not stored yet. */
export type BatchRow = TableRow<'payout_batch'>;

/** State of an item of a batch, which is its latest attempt to pay a payout. `candidate`: not claimed yet. `planned`: claimed by the batch. */
export type ItemState = 'candidate' | 'planned' | 'paid' | 'returned' | 'failed' | 'excluded' | 'canceled';

/** Reasons why an item was not paid, in the order in which they are checked (docs/rules/payouts.md#payout-runs). */
export const ISSUE_CODES = [
  'amount_mismatch',
  'commission_flagged',
  'affiliate_inactive',
  'not_positive',
  'below_minimum',
  'payout_details_changed',
  'screening',
  'missing_payout_details',
  'payment_failed',
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_batch: InferKyselyTable<typeof PayoutBatch>;
  }
}
