import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { cents, instant, merchantData, recordColumns, type Row } from '../../platform/db/columns.ts';

/** Stored status of a payout. Responses show an open payout as pending or due. */
export type PayoutStatus = 'open' | 'processing' | 'paid' | 'returned';

/**
 * SQL condition: the payout is open. Uses the column `status` of the table `alias`, or the unqualified column if no alias is given. The status is a
 * literal, so that PostgreSQL can use the partial index that has this condition.
 */
export function isOpen(alias?: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(alias === undefined ? 'status' : `${alias}.status`)} = 'open'`;
}

export const IS_OPEN = isOpen('payout');

export const Payout = defineEntity({
  name: 'Payout',
  tableName: 'payout',
  properties: {
    ...recordColumns,
    ...merchantData,
    affiliate_id: p.string(),
    currency: p.string(),
    /** The mode of all commissions in the payout. */
    livemode: p.boolean(),
    /** Responses show an open payout as pending or due, depending on whether the payout is eligible now; see payout.queries.ts. */
    status: p.string().$type<PayoutStatus>(),
    /** Always the sum of the payout's commissions. For a returned payout: the sum of the commissions that it held when it was returned. */
    amount_cents: cents(),
    commissions_count: p.integer(),
    payment_reference: p.string().strictNullable(),
    paid_at: instant().strictNullable(),
    returned_at: instant().strictNullable(),
    return_reason: p.string().strictNullable(),
  },
});

/**
 * A single payment to an affiliate, in one currency and mode. While the payout is open, commissions are added to it. Only
 * `payout.transitions.ts` changes payouts.
 */
export type Payout = Row<typeof Payout>;

/** A commission in a payout. Each commission is in at most one payout. */
interface PayoutItemTable {
  commission_id: string;
  payout_id: string;
}

/**
 * A commission that was in a payout when the payout was returned, with its amount at that time. The commission itself can be in another
 * payout now.
 */
interface ReturnedPayoutItemTable {
  payout_id: string;
  commission_id: string;
  amount_cents: number;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_item: PayoutItemTable;
    returned_payout_item: ReturnedPayoutItemTable;
    payout: InferKyselyTable<typeof Payout>;
  }
}
