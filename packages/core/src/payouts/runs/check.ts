import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { type Discrepancy, type DiscrepancyCode, MAX_COMMISSIONS_NAMED } from './reconcile.schema.ts';

/** A row that a check found. `message`, if set, replaces the message of the check. */
export type Finding = Partial<Omit<Discrepancy, 'code'>>;

export interface Check {
  code: DiscrepancyCode;
  message: string;
  /** Returns a query of the findings, or those that the check has found itself. */
  find: (ctx: Ctx, from: Instant) => RawBuilder<Finding> | Promise<Finding[]>;
}

/** SQL columns: the run or the export that a row of `batch` is. */
export const RUN_AND_EXPORT = sql`case batch.kind when 'run' then batch.id end as payout_run_id,
  case batch.kind when 'export' then batch.id end as payout_export_id`;

export const NAMED_IDS = sql`(array_agg(commission.id order by commission.id))[1:${sql.lit(MAX_COMMISSIONS_NAMED)}]`;
/** SQL column: the ids of the commissions of a group. */
export const NAMED_COMMISSIONS = sql`${NAMED_IDS} as commission_ids`;
