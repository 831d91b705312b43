import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Row } from '../../platform/db/row.ts';
import { recordColumns } from '../../platform/db/columns.ts';

import type { Exclusion } from './exclusions.ts';

export const Customer = defineEntity({
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
     * provider (docs/rules/program.md#customers).
     */
    other_emails: p.json<string[]>(),
    other_psp_customer_ids: p.json<string[]>(),
    exclusions: p.json<Exclusion[]>(),
  },
});

/** A paying customer, known by email address, by the payment provider's id, or by both. */
export type Customer = Row<typeof Customer>;

/** Returns all email addresses of the customer. */
export function emailsOf({ email, other_emails }: Pick<Customer, 'email' | 'other_emails'>): string[] {
  return email === null ? other_emails : [email, ...other_emails];
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    customer: InferKyselyTable<typeof Customer>;
  }
}
