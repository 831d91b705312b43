import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { PermissionMap } from '../../platform/access/permissions.ts';
import { instant, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';

/** The largest amount that a connector may mark as paid within 24 hours, in one currency. It may pay nothing in currencies without a limit. */
export interface PayLimit {
  currency: string;
  amount_cents: number;
}

export const Connector = defineEntity({
  name: 'Connector',
  tableName: 'connector',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    name: p.string(),
    prefix: p.string(),
    secret_hash: p.string().strictNullable(),
    permissions: p.json<PermissionMap>(),
    daily_pay_limits: p.json<PayLimit[]>().strictNullable(),
    /** True if a key of live mode made the connector, which then sees what this key sees. */
    live_only: p.boolean(),
    oauth_client_id: p.string().strictNullable(),
    authorized_by_user_id: p.string().strictNullable(),
    /** The person who made the connector, also by a key. Null if the operator's key made it. */
    created_by: p.string().strictNullable(),
    expires_at: instant().strictNullable(),
    last_used_at: instant().strictNullable(),
    revoked_at: instant().strictNullable(),
  },
});

/**
 * An AI assistant's access to an account. A connector of the first kind is created with a token, of which only a hash is stored. A connector of the
 * second kind belongs to an OAuth client that a person has authorized, and OAuth tokens are issued to this client. Only a person changes the
 * permissions of a connector.
 */
export type Connector = Row<typeof Connector>;

/** The changes that revoke a connector. None if it is revoked already: it keeps its time of revocation. */
export function revokedConnector(connector: Connector, at: Instant): Partial<Connector> {
  return connector.revoked_at === null ? { revoked_at: at, updated_at: at } : {};
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    connector: InferKyselyTable<typeof Connector>;
  }
}
