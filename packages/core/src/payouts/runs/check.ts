import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { Discrepancy, DiscrepancyCode } from './reconcile.schema.ts';

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
