import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { recordColumns } from '../../platform/db/columns.ts';

export const CustomerSchema = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  properties: {
    ...recordColumns,
    email: p.string().strictNullable(),
    name: p.string().strictNullable(),
    first_name: p.string().strictNullable(),
    last_name: p.string().strictNullable(),
    psp_customer_id: p.string().strictNullable(),
  },
});

/** A paying customer, known by e-mail address, by the payment provider's id, or by both. */
export class Customer extends CustomerSchema.class {}
CustomerSchema.setClass(Customer);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    customer: InferKyselyTable<typeof CustomerSchema>;
  }
}
