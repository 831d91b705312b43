import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { cents, instant, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Metric, MilestoneWindow } from '../worth/rule.ts';

export const Tier = defineEntity({
  name: 'Tier',
  tableName: 'tier',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    campaign_id: p.string(),
    name: p.string(),
    metric: p.string().$type<Metric>(),
    /** Currency of revenue. Null for other metrics. */
    currency: p.string().strictNullable(),
    window: p.string().$type<MilestoneWindow>(),
    /** Number from which the tier is reached. What it counts never changes, so that the tier of an earlier charge stays the same. */
    from: cents(),
    ended_at: instant().strictNullable(),
  },
});

/** A tier of a campaign: what an affiliate must have reached in the last closed window to have it. */
export type Tier = Row<typeof Tier>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    tier: InferKyselyTable<typeof Tier>;
  }
}
