import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { cents, recordColumns, type Row } from '../../platform/db/columns.ts';

/** A refunded amount of the lines with a product, without tax. */
export interface RefundedProduct {
  product: string;
  amount_cents: number;
}

export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: {
    ...recordColumns,
    sale_id: p.string(),
    /** The merchant's or the provider's id of the refund. A second report with the same id changes nothing. */
    external_id: p.string(),
    amount_cents: cents(),
    /** The sale for whose `external_id` the refund was reported. Null if several reports of one payment name it. */
    reported_sale_id: p.string().strictNullable(),
    /** The refunded products that the report names. */
    lines: p.json<RefundedProduct[]>(),
    /** True if a person has found that another report of the payment names the same money under another id. */
    repeated: p.boolean(),
  },
});

/** One refund of a sale. */
export type Refund = Row<typeof Refund>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    refund: InferKyselyTable<typeof Refund>;
  }
}
