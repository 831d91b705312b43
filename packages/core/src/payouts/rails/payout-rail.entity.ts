import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { ProviderMode } from '../../sources/port/port.ts';

export const PayoutRail = defineEntity({
  name: 'PayoutRail',
  tableName: 'payout_rail',
  properties: {
    ...recordColumns,
    /** Kind of the method whose payments go through the rail. */
    kind: p.string(),
    mode: p.string().$type<ProviderMode>(),
    /** A disconnected rail has no credentials. Connecting the same account again continues it. */
    state: p.string().$type<'connected' | 'disconnected'>(),
    /** The merchant's account at the rail. */
    provider_account_id: p.string(),
    sealed_credentials: p.string().strictNullable(),
    /** The endpoint for notices that this service created at the rail. */
    endpoint_id: p.string().strictNullable(),
    /** The secret of this endpoint. Null if the rail signs its notices in another way. */
    sealed_endpoint_secret: p.string().strictNullable(),
    /** Time until which the calls made so far use up what the rail takes (`limits.perMinute`), or until which it asked to wait. */
    paced_until: instant().strictNullable(),
    /** Why nothing is sent until a person has looked. Null if nothing is wrong. */
    problem: p.string().strictNullable(),
    problem_at: instant().strictNullable(),
  },
});

/**
 * A merchant's account at a rail. A payment keeps the rail through which it was first sent: through another account, its key would protect nothing, and
 * it could be paid twice.
 */
export type PayoutRail = Row<typeof PayoutRail>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_rail: InferKyselyTable<typeof PayoutRail>;
  }
}
