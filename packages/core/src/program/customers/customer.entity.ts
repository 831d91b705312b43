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
    /**
     * Additional email addresses of the customer, in lower case. `other_psp_customer_ids` has the customer's additional ids at the payment
     * provider (docs/domain-rules.md#customers).
     */
    other_emails: p.json<string[]>(),
    other_psp_customer_ids: p.json<string[]>(),
  },
});

/** A paying customer, known by email address, by the payment provider's id, or by both. */
export class Customer extends CustomerSchema.class {
  /** Returns all email addresses of the customer. */
  emails(): string[] {
    return this.email === null ? this.other_emails : [this.email, ...this.other_emails];
  }
}
CustomerSchema.setClass(Customer);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    customer: InferKyselyTable<typeof CustomerSchema>;
  }
}
