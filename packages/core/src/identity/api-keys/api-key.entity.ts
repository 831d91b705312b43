import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { PermissionMap } from '../../platform/access/permissions.ts';
import { instant, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    ...recordColumns,
    name: p.string(),
    prefix: p.string(),
    secret_hash: p.string(),
    permissions: p.json<PermissionMap>(),
    /** The mode of the records that the key sees and makes. Null for a key without a mode. */
    livemode: p.boolean().strictNullable(),
    /** The person who made the key, also by another key. Null for a key of the operator. */
    created_by: p.string().strictNullable(),
    expires_at: instant().strictNullable(),
    last_used_at: instant().strictNullable(),
    revoked_at: instant().strictNullable(),
  },
});

/** An API key of an account. The secret itself is not stored. */
export type ApiKey = Row<typeof ApiKey>;

/** The changes that revoke a key. None if it is revoked already: it keeps its time of revocation. */
export function revokedKey(key: ApiKey, at: Instant): Partial<ApiKey> {
  return key.revoked_at === null ? { revoked_at: at, updated_at: at } : {};
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    api_key: InferKyselyTable<typeof ApiKey>;
  }
}
