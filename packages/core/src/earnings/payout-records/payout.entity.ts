import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { cents, instant, recordColumns } from '../../platform/db/columns.ts';

/**
 * Open payouts of the test mode have a status of their own: version 0.1.0, which knows no modes and may run beside this one during an
 * upgrade, collects commissions in the one payout that is `open`.
 */
export type PayoutStatus = 'open' | 'open_test' | 'processing' | 'paid' | 'returned';

export const OPEN_STATUSES = ['open', 'open_test'] as const satisfies PayoutStatus[];

/** Open in any mode, for rows of `payout` under this alias, if they have one. Literals, as in the predicates of the indexes. */
export function isOpen(alias?: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(alias === undefined ? 'status' : `${alias}.status`)} in (${sql.join(OPEN_STATUSES.map((status) => sql.lit(status)))})`;
}

export const IS_OPEN = isOpen('payout');

/** The status of an open payout of a mode. */
export function openStatus(livemode: boolean): PayoutStatus {
  return livemode ? 'open' : 'open_test';
}

/** `openStatus` for rows with `livemode`. */
export const OPEN_STATUS = sql<PayoutStatus>`case when livemode then 'open' else 'open_test' end`;

export const PayoutSchema = defineEntity({
  name: 'Payout',
  tableName: 'payout',
  properties: {
    ...recordColumns,
    affiliate_id: () => p.manyToOne(Affiliate).mapToPk().fieldName('affiliate_id'),
    currency: p.string(),
    /** The mode of all its commissions. */
    livemode: p.boolean(),
    /** The wire shows `open` as pending or due, depending on whether the payout is eligible now; see payout.queries.ts. */
    status: p.string().$type<PayoutStatus>(),
    /** Always the sum of its commissions; of a returned payout, of those that were in it. */
    amount_cents: cents(),
    commissions_count: p.integer(),
    payment_reference: p.string().strictNullable(),
    paid_at: instant().strictNullable(),
    returned_at: instant().strictNullable(),
    return_reason: p.string().strictNullable(),
  },
});

/** An amount that an affiliate is paid at one time, in one currency and mode. Collects commissions while it is open. Changed by `payout.transitions.ts` only. */
export class Payout extends PayoutSchema.class {}
PayoutSchema.setClass(Payout);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout: InferKyselyTable<typeof PayoutSchema>;
  }
}
