/**
 * All state changes of a payout export: created, paid in steps, released (docs/rules/payouts.md#exports). `payout.transitions.ts` changes the
 * payouts.
 *
 * A preview applies the same changes as the export itself, so they are made to a draft: `changeExport` writes the differences between a locked
 * export and its draft, and a preview only shows the draft.
 */
import { createBatch } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { insert, newRecordColumns, save } from '../../platform/call/records.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import type { CurrencyTotal } from '../methods/totals.ts';
import { PayoutExport } from './payout-export.entity.ts';

/** A copy of an export that is not stored yet. */
type ExportDraft = TableRow<'payout_export'>;

/** The values that are decided when an export is created. */
export interface NewPayoutExport {
  method: string;
  livemode: boolean;
  notes: string | null;
  payouts_count: number;
  totals: CurrencyTotal[];
}

/** Creates an export in state `processing`. The caller adds its candidates, and claims the payouts. */
export function createExport(ctx: WriteCtx, terms: NewPayoutExport): Locked<PayoutExport> {
  const payoutExport = insert(ctx, PayoutExport, newExport(ctx, terms));
  createBatch(ctx, 'export', payoutExport.id);
  return payoutExport;
}

/** Applies changes to a draft of an export, and writes them. */
export function changeExport(ctx: WriteCtx, payoutExport: Locked<PayoutExport>, change: (draft: ExportDraft) => void): void {
  const draft = { ...payoutExport };
  change(draft);
  save(ctx, PayoutExport, payoutExport, draft);
}

/** Returns the columns of a new export. */
export function newExport(ctx: WriteCtx, terms: NewPayoutExport): ExportDraft {
  return {
    ...newRecordColumns(ctx, newId('payout_export', ctx.clock.now())),
    ...terms,
    state: 'processing',
    payment_reference: null,
    paid_at: null,
    paid_count: 0,
    paid_through: null,
    returned_count: 0,
    released_at: null,
  };
}

/** Starts the payment of an export (processing → paying). Throws VALIDATION_ERROR if the export is being paid, paid or released already. */
export function markExportPaying(payoutExport: ExportDraft, paymentReference: string | null, at: Instant): void {
  const { state } = payoutExport;
  if (state !== 'processing') {
    throw invalid('payout_export_id', `This export is already ${state === 'paying' ? 'being paid' : state}.`, 'invalid_state');
  }
  payoutExport.state = 'paying';
  payoutExport.payment_reference = paymentReference;
  payoutExport.updated_at = at;
}

/** Adds the number of payouts that were paid. `through` is the id of the last payout that was paid or passed over. */
export function countPaidPayouts(payoutExport: ExportDraft, payouts: number, through: string, at: Instant): void {
  payoutExport.paid_count += payouts;
  if (through > (payoutExport.paid_through ?? '')) payoutExport.paid_through = through;
  payoutExport.updated_at = at;
}

/** Marks an export paid (paying → paid). */
export function markExportPaid(payoutExport: ExportDraft, at: Instant): void {
  payoutExport.state = 'paid';
  payoutExport.paid_at = at;
  payoutExport.updated_at = at;
}

/** Adds one to the export's count of payouts that were returned after they were paid. */
export function countReturnedPayout(ctx: WriteCtx, payoutExport: Locked<PayoutExport>): void {
  save(ctx, PayoutExport, payoutExport, { returned_count: payoutExport.returned_count + 1, updated_at: ctx.now });
}

/** Marks an export released (processing → released). Throws VALIDATION_ERROR if the export is being paid or has been paid. */
export function markExportReleased(payoutExport: ExportDraft, at: Instant): void {
  if (payoutExport.state === 'paid' || payoutExport.state === 'paying') {
    const state = payoutExport.state === 'paid' ? 'paid' : 'being paid';
    throw invalid('id', `This export is ${state}; its payouts can no longer be released.`, 'invalid_state');
  }
  payoutExport.state = 'released';
  payoutExport.released_at = at;
  payoutExport.updated_at = at;
}
