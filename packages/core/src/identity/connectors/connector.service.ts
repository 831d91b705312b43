import { isDeepStrictEqual } from 'node:util';
import { covers, type PermissionMap, RESOURCES, roleAtLeast, type SessionRole } from '../../platform/access/permissions.ts';
import type { Ctx, PersonCtx, PersonWriteCtx, Services, WriteCtx } from '../../platform/call/context.ts';
import { type Locked, lockRows } from '../../platform/call/locks.ts';
import { seesLiveOnly } from '../../platform/call/mode.ts';
import { getRow, insert, lock, newRecordColumns, save } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { newId } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { assertExpiresLater, assertMayGrant, assertMayManage } from '../api-keys/api-key.ts';
import { evictCredentials } from '../credentials/authenticate.ts';
import { personBehind } from '../credentials/describe-caller.ts';
import { hashSecret, newSecret, visiblePrefix } from '../credentials/secret.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import {
  Connector,
  ConnectorRecord,
  type CreateConnector,
  type CreatedConnector,
  type ListConnectors,
  type OwnConnectors,
  type PayLimit,
} from './connector.ts';
import { inheritPayments } from './count-payment.ts';
import { grantedBy, mayGrant, PROMO_CODE_MANAGEMENT, READ_ONLY } from './grantable.ts';

const RECORD = wireRecord(Connector, ConnectorRecord);

/** Returns the wire record of a connector, without the hash of its token. */
export function connectorRecord(row: Connector): ConnectorRecord {
  return RECORD.of(row, { kind: row.oauth_client_id === null ? 'token' : 'oauth' });
}

/** Lists connectors, newest first, including revoked ones. */
export async function listConnectors(ctx: Ctx, input: ListConnectors) {
  const query = ctx.db.selectFrom('connector').where('account_id', '=', ctx.accountId);
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'connector' }),
    select: (all) => all.selectAll(),
  });
  return { data: data.map(connectorRecord), pagination };
}

/** Returns a connector, even a revoked one. Throws NOT_FOUND. */
export async function getConnector(ctx: Ctx, { id }: { id: string }): Promise<ConnectorRecord> {
  return connectorRecord(await getRow(ctx, Connector, id));
}

/**
 * Creates a connector and returns its token, which is shown only once.
 *
 * @throws FORBIDDEN when the connector would allow more than its creator may do; VALIDATION_ERROR for an expiry that is not in the future
 */
export async function createConnector(ctx: WriteCtx, input: CreateConnector): Promise<CreatedConnector> {
  const permissions = connectorPermissions(input.permissions, input.allow_promo_code_management);
  assertMayGrant(ctx.principal, permissions, input.expires_at);
  assertExpiresLater(ctx, input.expires_at);
  const token = newSecret('mcp');
  const connector = insert(ctx, Connector, {
    ...newRecordColumns(ctx, newId('connector', ctx.clock.now())),
    name: input.name,
    prefix: visiblePrefix(token),
    secret_hash: hashSecret(token),
    permissions,
    daily_pay_limits: input.daily_pay_limits ?? null,
    live_only: seesLiveOnly(ctx),
    oauth_client_id: null,
    authorized_by_user_id: null,
    created_by: await personBehind(ctx),
    expires_at: input.expires_at ?? null,
    last_used_at: null,
    revoked_at: null,
  });
  return { ...connectorRecord(connector), token };
}

/** Lists the permissions of a map that exceed a role. */
export function exceedingRole(role: SessionRole, permissions: PermissionMap): string[] {
  return grantedBy(permissions).filter((name) => !mayGrant(role, name));
}

/**
 * Revokes a connector: its tokens fail at once in this process, and within 1 s in others. Members can revoke only connectors that they authorized, because
 * they do not see others.
 *
 * @throws NOT_FOUND, FORBIDDEN
 */
export async function revokeConnector(ctx: WriteCtx, { id }: { id: string }): Promise<ConnectorRecord> {
  const connector = await lock(ctx, Connector, id);
  const { principal } = ctx;
  const isOwn = principal.kind === 'session' && connector.authorized_by_user_id === principal.user_id;
  if (principal.kind === 'session' && !isOwn && !roleAtLeast(principal.role, RESOURCES.connectors.write))
    throw notFound('connector');
  assertMayManage(ctx, { permissions: connector.permissions, livemode: connector.live_only || null });
  await revoke(ctx, [connector]);
  return connectorRecord(connector);
}

/** Most connectors that a person sees. A person rarely connects more than a few assistants. */
const MAX_OWN = 100;

/** Lists the live connectors that the signed-in person authorized in an account, newest first. They end when the person leaves the account. */
export async function listOwnConnectors(
  { services, session }: PersonCtx,
  { account_id }: { account_id: string },
): Promise<OwnConnectors> {
  const rows = await services.database.kysely
    .selectFrom('connector')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('authorized_by_user_id', '=', session.user_id)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_OWN)
    .execute();
  return { data: rows.map(connectorRecord) };
}

/** A person's consent to an OAuth client, with the permissions granted. */
export interface AuthorizedConnector {
  oauth_client_id: string;
  user_id: string;
  permissions: PermissionMap;
  daily_pay_limits: PayLimit[] | null;
}

/** Finds the person's live connector of the same client with exactly the same permissions and limits. Returns its id, or null. */
export async function findAuthorizedConnector(ctx: Ctx, wanted: AuthorizedConnector): Promise<string | null> {
  const connectors = await ctx.db
    .selectFrom('connector')
    .select(['id', 'permissions', 'daily_pay_limits'])
    .where('account_id', '=', ctx.accountId)
    .where('oauth_client_id', '=', wanted.oauth_client_id)
    .where('authorized_by_user_id', '=', wanted.user_id)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
  const isSame = ({ permissions, daily_pay_limits }: (typeof connectors)[number]) =>
    covers(permissions, wanted.permissions) &&
    covers(wanted.permissions, permissions) &&
    isDeepStrictEqual(daily_pay_limits, wanted.daily_pay_limits);
  return connectors.find(isSame)?.id ?? null;
}

/** Lists the live connectors, of any account, with which a person has authorized a client. */
export function listConnectorsOf({ database }: Services, userId: string, clientId: string) {
  return database.kysely
    .selectFrom('connector')
    .select(['account_id', 'permissions', 'daily_pay_limits'])
    .where('oauth_client_id', '=', clientId)
    .where('authorized_by_user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
}

/** Creates the connector of a consent, and revokes the person's earlier connectors of the same client in this account. */
export async function createAuthorizedConnector(
  ctx: WriteCtx,
  id: string,
  { name, oauth_client_id, user_id, permissions, daily_pay_limits }: AuthorizedConnector & { name: string },
): Promise<void> {
  const former = liveConnectorsOf(ctx, user_id)
    .where('account_id', '=', ctx.accountId)
    .where('oauth_client_id', '=', oauth_client_id);
  const replaced = await lockRows(ctx, 'connector', former);
  await revoke(ctx, replaced);
  insert(ctx, Connector, {
    ...newRecordColumns(ctx, id),
    name,
    prefix: '',
    secret_hash: null,
    permissions,
    daily_pay_limits,
    live_only: false,
    oauth_client_id,
    authorized_by_user_id: user_id,
    created_by: user_id,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
  });
  await inheritPayments(
    ctx,
    id,
    replaced.map((connector) => connector.id),
  );
}

/** Revokes the connectors that a person authorized in this account and that may do more than the person's new role allows. */
export async function revokeConnectorsExceeding(ctx: WriteCtx, userId: string, role: SessionRole): Promise<void> {
  const theirs = await lockRows(ctx, 'connector', liveConnectorsOf(ctx, userId).where('account_id', '=', ctx.accountId));
  await revoke(
    ctx,
    theirs.filter(({ permissions }) => exceedingRole(role, permissions).length > 0),
  );
}

/** Revokes the connectors that a person authorized in this account. Called when the person leaves the account. */
export async function revokeConnectorsAuthorizedBy(
  ctx: PersonWriteCtx & Pick<WriteCtx, 'accountId'>,
  userId: string,
): Promise<void> {
  const theirs = liveConnectorsOf(ctx, userId).where('account_id', '=', ctx.accountId);
  await revoke(ctx, await lockRows(ctx, 'connector', theirs));
}

/** Revokes the connectors that a user authorized in any account. Called when somebody else proves to be the owner of the user's email address. */
export async function revokeAllConnectorsAuthorizedBy(ctx: PersonWriteCtx, userId: string): Promise<void> {
  await revoke(ctx, await lockRows(ctx, 'connector', liveConnectorsOf(ctx, userId)));
}

function liveConnectorsOf({ db }: PersonWriteCtx, userId: string) {
  return db
    .selectFrom('connector')
    .selectAll()
    .where('authorized_by_user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id');
}

async function revoke(ctx: PersonWriteCtx, connectors: Locked<Connector>[]): Promise<void> {
  if (connectors.length === 0) return;
  for (const connector of connectors)
    if (connector.revoked_at === null) save(ctx, Connector, connector, { revoked_at: ctx.now, updated_at: ctx.now });
  const ids = connectors.map(({ id }) => id);
  await ctx.db.deleteFrom('oauth_access_token').where(oneOf('reference_id', ids)).execute();
  await ctx.db.deleteFrom('oauth_refresh_token').where(oneOf('reference_id', ids)).execute();
  await ctx.db.deleteFrom('oauth_consent').where(oneOf('reference_id', ids)).execute();
  ctx.afterCommit(() => ids.forEach((id) => evictCredentials(ctx.services, id)));
}

/**
 * Returns the permission map of a new connector: `chosen`, or `READ_ONLY` by default. `allowPromoCodes` adds the permissions to manage promo
 * codes.
 *
 * @throws VALIDATION_ERROR when `chosen` denies a permission that `allowPromoCodes` adds
 */
export function connectorPermissions(chosen: PermissionMap | undefined, allowPromoCodes: boolean): PermissionMap {
  const map = chosen ?? granting(READ_ONLY);
  if (!allowPromoCodes) return map;
  const denied = PROMO_CODE_MANAGEMENT.find((name) => map[name] === false);
  if (denied !== undefined)
    throw invalid(
      'allow_promo_code_management',
      IDENTITY_REASONS.permission_contradicted({ permission: denied }),
      'contradiction',
    );
  return { ...map, ...granting(PROMO_CODE_MANAGEMENT) };
}

function granting(names: readonly string[]): PermissionMap {
  return Object.fromEntries(names.map((name) => [name, true]));
}
