import { assertMayGrant } from '../api-keys/api-key.service.ts';
import { hashSecret, newSecret, visiblePrefix } from '../api-keys/api-key.secret.ts';
import { forgetCredential } from '../api-keys/authenticate.ts';
import { invalid } from '../api/errors.ts';
import { newId } from '../api/ids.ts';
import { paginate } from '../api/pagination.ts';
import type { PermissionMap } from '../api/permissions.ts';
import { created, loadForUpdate } from '../api/records.ts';
import type { Ctx, WriteCtx } from '../context.ts';
import type { TableRow } from '../db/tables.ts';
import { Connector } from './connector.entity.ts';
import { connectorPermissions } from './connector.permissions.ts';
import type { ConnectorRecord, CreateConnector, CreatedConnector } from './connector.schema.ts';

function connectorRecord({ account_id: _, secret_hash: _hash, ...columns }: TableRow<'connector'>): ConnectorRecord {
  return columns;
}

/** Connectors of the account, revoked ones included, newest first. */
export async function listConnectors(ctx: Ctx, page: { page: number; limit: number }) {
  const query = ctx.db.selectFrom('connector').where('account_id', '=', ctx.accountId);
  const { data, pagination } = await paginate(query, page, (all) => all.selectAll().orderBy('id', 'desc'));
  return { data: data.map(connectorRecord), pagination };
}

/**
 * Creates a connector and returns its token, once.
 *
 * @throws FORBIDDEN when it would allow more than its creator may; VALIDATION_ERROR for an expiry that is not in the future
 */
export async function createConnector(ctx: WriteCtx, input: CreateConnector): Promise<CreatedConnector> {
  const permissions = connectorPermissions(input.permissions as PermissionMap | undefined, input.allow_promo_code_management);
  assertMayGrant(ctx.principal, permissions);
  if (input.expires_at != null && input.expires_at <= ctx.now) throw invalid('expires_at', 'Must lie in the future', 'too_small');
  const token = newSecret('mcp');
  const connector = ctx.em.create(Connector, {
    ...created(ctx, newId('connector', ctx.clock.now())),
    name: input.name,
    prefix: visiblePrefix(token),
    secret_hash: hashSecret(token),
    permissions,
    expires_at: input.expires_at ?? null,
    last_used_at: null,
    revoked_at: null,
  });
  await ctx.em.flush();
  return { ...connectorRecord(connector), token };
}

/** Revokes a connector: its token fails from now on, at once in this process and within a second in others. Throws NOT_FOUND. */
export async function revokeConnector(ctx: WriteCtx, { id }: { id: string }): Promise<ConnectorRecord> {
  const connector = await loadForUpdate(ctx, Connector, id);
  connector.revoke(ctx.now);
  await ctx.em.flush();
  ctx.afterCommit(() => forgetCredential(ctx.services, connector.secret_hash));
  return connectorRecord(connector);
}
