import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { invalid } from '../../platform/errors/errors.ts';
import { instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { ExportFormat } from './formats/export-formats.ts';

export const PAYOUT_EXPORT_STATES = ['processing', 'paid', 'released'] as const;
export type PayoutExportState = (typeof PAYOUT_EXPORT_STATES)[number];

/** What an export pays in one currency. */
export interface CurrencyTotal {
  currency: string;
  payouts_count: number;
  amount_cents: number;
}

export const PayoutExportSchema = defineEntity({
  name: 'PayoutExport',
  tableName: 'payout_export',
  properties: {
    ...recordColumns,
    state: p.string().$type<PayoutExportState>(),
    export_format: p.string().$type<ExportFormat>(),
    notes: p.string().strictNullable(),
    payouts_count: p.integer(),
    totals: p.json().$type<CurrencyTotal[]>(),
    payment_reference: p.string().strictNullable(),
    paid_at: instant().strictNullable(),
    released_at: instant().strictNullable(),
  },
});

/** Payouts taken out together to be paid elsewhere, and the frozen content of the file about them. */
export class PayoutExport extends PayoutExportSchema.class {
  /** Throws VALIDATION_ERROR unless it still holds its payouts. */
  markPaid(paymentReference: string | null, at: Instant): void {
    if (this.state !== 'processing') throw invalid('payout_export_id', `This export is ${this.state} already`, 'invalid_state');
    this.state = 'paid';
    this.payment_reference = paymentReference;
    this.paid_at = at;
    this.updated_at = at;
  }

  /** Throws VALIDATION_ERROR once it is paid. */
  release(at: Instant): void {
    if (this.state === 'paid') throw invalid('id', 'This export is paid: its payouts cannot be released', 'invalid_state');
    this.state = 'released';
    this.released_at = at;
    this.updated_at = at;
  }
}
PayoutExportSchema.setClass(PayoutExport);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_export: InferKyselyTable<typeof PayoutExportSchema>;
  }
}
