import { defineEntity, p } from '@mikro-orm/core';
import type { Role } from '../api/permissions.ts';
import { instant } from '../db/columns.ts';

export const MembershipSchema = defineEntity({
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
export class Membership extends MembershipSchema.class {}
MembershipSchema.setClass(Membership);
