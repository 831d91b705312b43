import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { cents, instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';

export const PayoutSchema = defineEntity({
  name: 'Payout',
  tableName: 'payout',
  properties: {
    ...recordColumns,
    affiliate_id: () => p.manyToOne(Affiliate).mapToPk().fieldName('affiliate_id'),
    currency: p.string(),
    /** `open` is shown as pending or due, depending on whether it is payable now; see payout.queries. */
    status: p.string().$type<'open' | 'processing' | 'paid'>(),
    /** Always the sum of the amounts of its commissions. */
    amount_cents: cents(),
    commissions_count: p.integer(),
    payment_reference: p.string().strictNullable(),
    paid_at: instant().strictNullable(),
  },
});

/** What is paid to an affiliate at one time, in one currency. Collects commissions while it is open. */
export class Payout extends PayoutSchema.class {
  markPaid(paymentReference: string | null, at: Instant): void {
    this.status = 'paid';
    this.paid_at = at;
    this.payment_reference = paymentReference;
    this.updated_at = at;
  }
}
PayoutSchema.setClass(Payout);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout: InferKyselyTable<typeof PayoutSchema>;
  }
}
