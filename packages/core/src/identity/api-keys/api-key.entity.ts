import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { PermissionMap } from '../../platform/access/permissions.ts';
import { instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';

export const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    ...recordColumns,
    name: p.string(),
    prefix: p.string(),
    secret_hash: p.string(),
    permissions: p.json<PermissionMap>(),
    expires_at: instant().strictNullable(),
    last_used_at: instant().strictNullable(),
    revoked_at: instant().strictNullable(),
  },
});

/** An API key of an account. The secret itself is not stored. */
export class ApiKey extends ApiKeySchema.class {
  /** Revokes the key and returns the time of its revocation. A key that is already revoked keeps its time. */
  revoke(at: Instant): Instant {
    if (this.revoked_at === null) {
      this.revoked_at = at;
      this.updated_at = at;
    }
    return this.revoked_at;
  }
}
ApiKeySchema.setClass(ApiKey);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    api_key: InferKyselyTable<typeof ApiKeySchema>;
  }
}
