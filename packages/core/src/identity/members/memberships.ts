import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { grants, permissionsOn, type Role, roleCovers, type SessionRole } from '../../platform/access/permissions.ts';
import type { Ctx, Principal, WriteCtx } from '../../platform/call/context.ts';
import { type Held, held } from '../../platform/call/locks.ts';
import { assertReaches } from '../../platform/call/mode.ts';
import { instant, type Row } from '../../platform/db/columns.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { ROLES_IN_WORDS } from '../../platform/texts/refusal-words.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { lacksSecondFactor } from '../credentials/required-second-factor.ts';
import { IDENTITY_REASONS } from '../reasons.ts';

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

/**
 * Returns the active account of a user's new session: the account of the oldest membership, or an example only if the user has no other account.
 * Null for a user without memberships.
 */
export async function firstAccountOf(db: Db, userId: string): Promise<string | null> {
  const first = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .select('account_id')
    .where('user_id', '=', userId)
    .orderBy('account.is_example')
    .orderBy('membership.created_at')
    .orderBy('account_id')
    .limit(1)
    .executeTakeFirst();
  return first?.account_id ?? null;
}

/** A person's access to an account. */
interface CurrentMembership {
  role: SessionRole;
  /** True if the account is closed to the person until they set up a second factor. */
  lacks_second_factor: boolean;
}

/**
 * Finds a user's access to an account: the role of a member, or `invitee` for a pending invitation. Returns null if the user has neither,
 * whether or not the account exists.
 */
export async function membershipIn(db: Db, accountId: string, userId: string, now: Instant): Promise<CurrentMembership | null> {
  const membership = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .select(['membership.role', lacksSecondFactor(now).as('lacks_second_factor')])
    .where('membership.account_id', '=', accountId)
    .where('membership.user_id', '=', userId)
    .executeTakeFirst();
  if (membership) return membership;
  const invitation = await db
    .selectFrom('invitation')
    .innerJoin('auth_user', (join) =>
      join.on((on) => on(on.fn('lower', ['auth_user.email']), '=', on.fn('lower', ['invitation.email']))),
    )
    .select('invitation.id')
    .where('invitation.account_id', '=', accountId)
    .where('invitation.status', '=', 'pending')
    .where('invitation.expires_at', '>', now)
    .where('auth_user.id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return invitation ? { role: 'invitee', lacks_second_factor: false } : null;
}

/**
 * Throws FORBIDDEN unless the caller may grant and revoke these roles, and may invite and remove members with these roles. If `owner` is among the
 * roles, the caller must be a signed-in owner, not a key.
 */
export function assertMayAppoint(principal: Principal, ...roles: Role[]): void {
  if (!roles.includes('owner') || principal.kind === 'system') return;
  if (principal.kind === 'session' && principal.role === 'owner') return;
  throw new DomainError('FORBIDDEN', IDENTITY_REASONS.owner_needed_for_owners);
}

/**
 * Throws FORBIDDEN when a key adds a member or raises a member's role without holding all permissions of the new role (docs/rules/identity.md#members).
 * Does not check sessions, because managing members needs the role admin anyway, and `assertMayAppoint` covers owners.
 *
 * @param former the member's current role; null for a new member
 * @throws FORBIDDEN naming a missing permission, and for a key of live mode
 */
export function assertMayRaise(
  { principal, surface }: Pick<Ctx, 'principal' | 'surface'>,
  former: Role | null,
  role: Role,
): void {
  if (principal.kind === 'system' || principal.kind === 'session' || (former !== null && roleCovers(former, role))) return;
  // Members see both modes.
  assertReaches({ principal }, null);
  const permission = permissionsOn(surface, role).find((name) => !grants(principal.permissions, name));
  if (permission === undefined) return;
  throw new DomainError('FORBIDDEN', IDENTITY_REASONS.role_not_assignable({ role: ROLES_IN_WORDS[role], permission }), {
    permission,
  });
}

/** The part of a context that locking a role needs. Outside an account's call there is no ledger, because no other locks are taken. */
type Scope = Pick<WriteCtx, 'db' | 'accountId'> & Partial<Pick<WriteCtx, 'locks'>>;

/** Proof that the memberships of an account are locked. */
export type HeldMemberships = Held<'account'>;

/**
 * Locks the memberships of the account until this transaction ends, and returns a member's role. The account's row is locked instead of the
 * member's, so that two owners who demote each other at once do not both succeed.
 *
 * @returns `role`: null for a person who is not a member
 */
export async function lockRole(
  { db, accountId, locks }: Scope,
  userId: string,
): Promise<{ memberships: HeldMemberships; role: Role | null }> {
  locks?.note('account');
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const membership = await db
    .selectFrom('membership')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { memberships: held({ locks }, 'account', [accountId]), role: membership?.role ?? null };
}

/** Throws VALIDATION_ERROR if the user is the last owner, who cannot be removed or demoted. */
export async function assertAnotherOwner({ db }: Pick<Scope, 'db'>, memberships: HeldMemberships, userId: string): Promise<void> {
  const other = await db
    .selectFrom('membership')
    .select('user_id')
    .where('account_id', 'in', [...memberships.of])
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw invalid('user_id', IDENTITY_REASONS.last_owner, 'last_owner');
}

/** Makes a user a member. An existing member keeps a role unless the new one may do everything that it may, because an invitation must never demote. */
export async function joinAccount(ctx: WriteCtx, userId: string, role: Role): Promise<void> {
  const member = { account_id: ctx.accountId, user_id: userId };
  const inserted = await ctx.db
    .insertInto('membership')
    .values({ ...member, role, created_at: ctx.now, updated_at: ctx.now })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doNothing())
    .returning('role')
    .executeTakeFirst();
  if (inserted) return;
  const current = await ctx.db
    .selectFrom('membership')
    .select('role')
    .where('account_id', '=', ctx.accountId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (!roleCovers(role, current.role)) return;
  await ctx.db
    .updateTable('membership')
    .set({ role, updated_at: ctx.now })
    .where('account_id', '=', ctx.accountId)
    .where('user_id', '=', userId)
    .execute();
}
