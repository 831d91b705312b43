import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Row } from '../../platform/db/row.ts';
import { type RawBuilder, sql } from 'kysely';
import { cents, instant, recordColumns } from '../../platform/db/columns.ts';

/**
 * Stored status of a payout. Open payouts of the test mode have a separate status, `open_test`, because version 0.1.0 may run at the same
 * time during an upgrade. That version does not know modes, and adds every commission to the payout with the status `open`.
 */
export type PayoutStatus = 'open' | 'open_test' | 'processing' | 'paid' | 'returned';

export const OPEN_STATUSES = ['open', 'open_test'] as const satisfies PayoutStatus[];

/**
 * SQL condition: the payout is open, in live or test mode. Uses the column `status` of the table `alias`, or the unqualified column if no alias is
 * given. The statuses are literals, so that PostgreSQL can use the partial indexes that have this condition.
 */
export function isOpen(alias?: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(alias === undefined ? 'status' : `${alias}.status`)} in (${sql.join(OPEN_STATUSES.map((status) => sql.lit(status)))})`;
}

export const IS_OPEN = isOpen('payout');

/** Returns the status of an open payout in the given mode. */
export function openStatus(livemode: boolean): PayoutStatus {
  return livemode ? 'open' : 'open_test';
}

/** SQL expression: `openStatus` for a row with a column `livemode`. */
export const OPEN_STATUS = sql<PayoutStatus>`case when livemode then 'open' else 'open_test' end`;

export const Payout = defineEntity({
  name: 'Payout',
  tableName: 'payout',
  properties: {
    ...recordColumns,
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

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout: InferKyselyTable<typeof Payout>;
  }
}
