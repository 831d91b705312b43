import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { cents, recordColumns, type Row } from '../../platform/db/columns.ts';

export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: {
    ...recordColumns,
    sale_id: p.string(),
    /** The merchant's or the provider's id of the refund. A second report with the same id changes nothing. */
    external_id: p.string(),
    amount_cents: cents(),
  },
});

/** One refund of a sale. */
export type Refund = Row<typeof Refund>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    refund: InferKyselyTable<typeof Refund>;
  }
}
