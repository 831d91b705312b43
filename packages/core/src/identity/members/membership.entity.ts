import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Role } from '../../platform/access/permissions.ts';
import { instant, type Row } from '../../platform/db/columns.ts';

export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    account_id: p.string().primary(),
    user_id: p.string().primary(),
    role: p.string().$type<Role>(),
    created_at: instant(),
    updated_at: instant(),
  },
});

/** A person's role in an account. */
export type Membership = Row<typeof Membership>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    membership: InferKyselyTable<typeof Membership>;
  }
}
