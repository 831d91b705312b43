import type { PermissionMap, SessionRole } from '../../platform/access/permissions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { assertReaches } from '../../platform/call/mode.ts';
import { foundOrThrow, lock, save } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { ROLES_IN_WORDS } from '../../platform/texts/refusal-words.ts';
import { assertMayGrant } from '../api-keys/api-key.ts';
import { connectorRecord, exceedingRole } from '../connectors/connector.service.ts';
import { Connector, type ConnectorRecord, type UpdateConnector } from '../connectors/connector.ts';
import { evictCredentials } from '../credentials/authenticate.ts';
import { lockRole } from '../members/memberships.ts';
import { IDENTITY_REASONS } from '../reasons.ts';

/**
 * Changes the name, the permissions or the limits of a connector. New permissions hold at once in this process, and within 1 s in others.
 *
 * @throws NOT_FOUND; FORBIDDEN when the caller may not grant the permissions, or the connector is not of the mode of the caller; VALIDATION_ERROR for a revoked connector, and for permissions that
 * the person who connected the assistant may not grant
 */
export async function updateConnector(ctx: WriteCtx, input: UpdateConnector): Promise<ConnectorRecord> {
  const { id, name, daily_pay_limits } = input;
  const person = await authorizerOf(ctx, id);
  // Locked before the connector, so that a concurrent change of the role either comes later and revokes the connector, or is seen here.
  const role = person === null ? null : ((await lockRole(ctx, person)).role ?? 'invitee');
  const connector = await lock(ctx, Connector, id);
  if (connector.revoked_at !== null) throw invalid('id', IDENTITY_REASONS.connector_revoked, 'invalid_state');
  const permissions = (input.permissions as PermissionMap | undefined) ?? connector.permissions;
  // A caller with fewer permissions may narrow the connector, which `assertMayGrant` limits to their own.
  assertReaches(ctx, connector.live_only || null);
  assertMayGrant(ctx.principal, permissions, connector.expires_at);
  if (role !== null) assertWithinRole(role, permissions);
  save(ctx, Connector, connector, { name, permissions, daily_pay_limits, updated_at: ctx.now });
  ctx.afterCommit(() => evictCredentials(ctx.services, id));
  return connectorRecord(connector);
}

/** Returns the user who connected the assistant by consent, or null for a connector with its own token. Throws NOT_FOUND. */
async function authorizerOf({ db, accountId }: Ctx, id: string): Promise<string | null> {
  const connector = await db
    .selectFrom('connector')
    .select('authorized_by_user_id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return foundOrThrow(connector, 'connector').authorized_by_user_id;
}

/** Throws VALIDATION_ERROR naming the permissions that exceed the role of the person who connected the assistant. */
function assertWithinRole(role: SessionRole, permissions: PermissionMap): void {
  const exceeding = exceedingRole(role, permissions);
  if (exceeding.length === 0) return;
  throw invalid(
    'permissions',
    IDENTITY_REASONS.role_of_authorizer_too_low({ role: ROLES_IN_WORDS[role], permissions: exceeding.join(', ') }),
    'not_allowed',
  );
}
