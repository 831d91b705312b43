import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { recordColumns, type Row } from '../../platform/db/columns.ts';

import type { Exclusion } from './exclusions.ts';

export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  properties: {
    ...recordColumns,
    /** The shown address and the shown provider id. A customer may have more of them (`customer_identity`). */
    email: p.string().strictNullable(),
    name: p.string().strictNullable(),
    first_name: p.string().strictNullable(),
    last_name: p.string().strictNullable(),
    psp_customer_id: p.string().strictNullable(),
    exclusions: p.json<Exclusion[]>(),
  },
});

/** A paying customer, known by the rows of `customer_identity`. */
export type Customer = Row<typeof Customer>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    customer: InferKyselyTable<typeof Customer>;
  }
}
