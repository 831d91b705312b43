import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { CurrencyTotal } from '../methods/totals.ts';

export const PAYOUT_EXPORT_STATES = ['processing', 'paying', 'paid', 'released'] as const;
export type PayoutExportState = (typeof PAYOUT_EXPORT_STATES)[number];

export const PayoutExport = defineEntity({
  name: 'PayoutExport',
  tableName: 'payout_export',
  properties: {
    ...recordColumns,
    state: p.string().$type<PayoutExportState>(),
    /** The mode of all payouts of the export. */
    livemode: p.boolean(),
    /** Kind of the method that makes the file. */
    method: p.string(),
    notes: p.string().strictNullable(),
    payouts_count: p.integer(),
    totals: p.json().$type<CurrencyTotal[]>(),
    payment_reference: p.string().strictNullable(),
    paid_at: instant().strictNullable(),
    /** Number of payouts paid so far. */
    paid_count: p.integer(),
    /** Id of the last payout that was paid or, after an error, passed over. Payouts are paid in the order of their ids. */
    paid_through: p.string().strictNullable(),
    /** Number of payouts whose transfer was returned after the export was paid. */
    returned_count: p.integer(),
    released_at: instant().strictNullable(),
  },
});

/** A set of payouts that are paid together outside the service. Its attempts have the rows of the file. */
export type PayoutExport = Row<typeof PayoutExport>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_export: InferKyselyTable<typeof PayoutExport>;
  }
}
