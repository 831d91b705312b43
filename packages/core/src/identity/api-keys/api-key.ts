import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { covers, PERMISSION_NAMES, type PermissionMap, permissionsOfRole } from '../../platform/access/permissions.ts';
import type { Ctx, Principal, WriteCtx } from '../../platform/call/context.ts';
import { assertReaches, ofMode, seesLiveOnly } from '../../platform/call/mode.ts';
import { insert, lock, newRecordColumns, save } from '../../platform/call/records.ts';
import { isTestAccount, testAccountOf } from '../../platform/call/test-account-id.ts';
import { instant as instantColumn, recordColumns, type Row } from '../../platform/db/columns.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { allOf, updatedRange, whenUpdated } from '../../platform/wire/filters.ts';
import { newId } from '../../platform/wire/ids.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, nameText, timestamp } from '../../platform/wire/scalars.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { evictCredentials } from '../credentials/authenticate.ts';
import { personBehind } from '../credentials/describe-caller.ts';
import { hashSecret, newSecret, visiblePrefix } from '../credentials/secret.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { openTestAccount } from '../test-accounts/test-account.ts';

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
    expires_at: instantColumn().strictNullable(),
    last_used_at: instantColumn().strictNullable(),
    revoked_at: instantColumn().strictNullable(),
  },
});

/** An API key of an account. The secret itself is not stored. */
export type ApiKey = Row<typeof ApiKey>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    api_key: InferKyselyTable<typeof ApiKey>;
  }
}

const Permissions = z
  .partialRecord(z.enum(PERMISSION_NAMES), z.boolean())
  .describe('Map of permission names to booleans. `{ "all": true }` grants every permission that is not set to `false`.')
  .meta({ id: 'Permissions', example: { 'v1.affiliates.read': true, 'v1.commissions.read': true } });

const ApiKeyRecord = z
  .object({
    id: id('api_key'),
    name: z.string(),
    prefix: z.string().describe('First characters of the key, for identification.'),
    permissions: Permissions,
    livemode: z
      .boolean()
      .nullable()
      .describe(
        '`true`: the key sees and makes only live records. `false`: only records of test mode. `null`: a key without a mode.',
      ),
    expires_at: instant().nullable(),
    last_used_at: instant().nullable().describe('Time of last use, to the minute.'),
    revoked_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'ApiKey', description: 'An API key of the account. The secret is returned only on creation.' });
type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

export const CreateApiKey = z.strictObject({
  name: nameText(200).meta({ example: 'Nightly export' }),
  permissions: Permissions.optional().describe('Defaults to `{ "all": true }`.'),
  livemode: z
    .boolean()
    .nullable()
    .optional()
    .describe(
      'The mode of the records that the key sees and makes: `true` for live, `false` for test. Defaults to a key without a mode.',
    ),
  expires_at: timestamp()
    .nullable()
    .optional()
    .describe('Expiration time; must be in the future. Defaults to no expiration.')
    .meta({ example: '2099-12-31T12:00:00Z' }),
});
export type CreateApiKey = z.infer<typeof CreateApiKey>;

export const CreatedApiKey = z
  .object({ ...ApiKeyRecord.shape, api_key: z.string().describe('The secret key. Returned only once.') })
  .meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const ApiKeyId = z.strictObject({ id: id('api_key') });
export const ListApiKeys = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...updatedRange });
export type ListApiKeys = z.infer<typeof ListApiKeys>;
export const ApiKeyPage = paginated(ApiKeyRecord);
export const RevokedApiKey = z
  .object({ message: z.string(), id: id('api_key'), revoked_at: instant() })
  .meta({ id: 'RevokedApiKey' });

/** Returns the wire record of a key, without the hash of its secret. */
const apiKeyRecord: (row: ApiKey) => ApiKeyRecord = wireRecord(ApiKey, ApiKeyRecord).of;

/** Lists API keys, newest first, including revoked ones. */
export async function listApiKeys(ctx: Ctx, input: ListApiKeys) {
  // A caller without a mode also manages the keys of test mode, which belong to the test account.
  const accounts =
    isTestAccount(ctx.accountId) || seesLiveOnly(ctx) ? [ctx.accountId] : [ctx.accountId, testAccountOf(ctx.accountId)];
  const query = ctx.db.selectFrom('api_key').where(oneOf('account_id', accounts));
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'api_key' }),
    select: (all) => all.selectAll(),
  });
  return { data: data.map(apiKeyRecord), pagination };
}

/**
 * Creates a key and returns its secret, which is shown only once.
 *
 * @throws FORBIDDEN when the key would allow more than its creator may do, or outlive the creator's credential; VALIDATION_ERROR for an
 * expiry that is not in the future
 */
export async function createApiKey(ctx: WriteCtx, input: CreateApiKey): Promise<CreatedApiKey> {
  const permissions = (input.permissions ?? { all: true }) as PermissionMap;
  assertMayGrant(ctx.principal, permissions, input.expires_at);
  assertExpiresLater(ctx, input.expires_at);
  const livemode = ofMode(ctx, input.livemode);
  const ofTestMode = livemode === false && !isTestAccount(ctx.accountId);
  const secret = newSecret('apk');
  const key = insert(ctx, ApiKey, {
    ...newRecordColumns(ctx, newId('api_key', ctx.clock.now())),
    ...(ofTestMode && { account_id: await openTestAccount(ctx.db, ctx.accountId) }),
    livemode,
    name: input.name,
    prefix: visiblePrefix(secret),
    secret_hash: hashSecret(secret),
    permissions,
    created_by: await personBehind(ctx),
    expires_at: input.expires_at ?? null,
    last_used_at: null,
    revoked_at: null,
  });
  return { ...apiKeyRecord(key), api_key: secret };
}

/** Throws VALIDATION_ERROR for an expiry that is not in the future. Credentials do not use the test clock (docs/rules/platform.md#test-clock). */
export function assertExpiresLater({ services }: Pick<Ctx, 'services'>, expiresAt: Instant | null | undefined): void {
  if (expiresAt != null && expiresAt <= toInstant(services.clock.now()))
    throw invalid('expires_at', IDENTITY_REASONS.not_in_future, 'too_small');
}

/**
 * Throws FORBIDDEN when a new credential would allow more than its creator's credential (docs/rules/identity.md#credentials) or outlive it.
 * Otherwise a key issued for a day could create a permanent one.
 */
export function assertMayGrant(principal: Principal, permissions: PermissionMap, expiresAt: Instant | null = null): void {
  if (principal.kind === 'system') return;
  const end = principal.kind === 'session' ? null : (principal.expires_at ?? null);
  if (end !== null && (expiresAt === null || expiresAt > end))
    throw new DomainError('FORBIDDEN', IDENTITY_REASONS.expires_after_credential({ end }));
  if (!covers(ownPermissions(principal), permissions)) throw new DomainError('FORBIDDEN', IDENTITY_REASONS.permissions_not_held);
}

/**
 * Throws FORBIDDEN if a credential allows something that the caller may not do, or reaches a mode that the caller does not see
 * (docs/rules/identity.md#credentials). Otherwise a caller with few permissions could shut out the credentials of others.
 */
export function assertMayManage(
  { principal }: Pick<Ctx, 'principal'>,
  { permissions, livemode }: { permissions: PermissionMap; livemode: boolean | null },
): void {
  assertReaches({ principal }, livemode);
  if (principal.kind === 'system' || covers(ownPermissions(principal), permissions)) return;
  throw new DomainError('FORBIDDEN', IDENTITY_REASONS.credential_has_more_permissions);
}

function ownPermissions(principal: Exclude<Principal, { kind: 'system' }>): PermissionMap {
  return principal.kind === 'session' ? permissionsOfRole(principal.role) : principal.permissions;
}

/** Locks a key of the account, or, for a caller without a mode, of its test account. Throws NOT_FOUND. */
async function lockKey(ctx: WriteCtx, id: string) {
  if (isTestAccount(ctx.accountId) || seesLiveOnly(ctx)) return lock(ctx, ApiKey, id);
  const test = testAccountOf(ctx.accountId);
  const isOfTestMode = ctx.db.selectFrom('api_key').select('id').where('account_id', '=', test).where('id', '=', id);
  return lock((await isOfTestMode.executeTakeFirst()) ? { ...ctx, accountId: test } : ctx, ApiKey, id);
}

/**
 * Revokes a key, which then fails at once in this process and within 1 s in others. The record is kept.
 *
 * @throws NOT_FOUND; FORBIDDEN if the key has permissions, or a mode, that the caller lacks
 */
export async function revokeApiKey(ctx: WriteCtx, { id }: { id: string }) {
  const key = await lockKey(ctx, id);
  assertMayManage(ctx, key);
  if (key.revoked_at === null) save(ctx, ApiKey, key, { revoked_at: ctx.now, updated_at: ctx.now });
  ctx.afterCommit(() => evictCredentials(ctx.services, key.id));
  return { message: 'The API key has been revoked.', id, revoked_at: key.revoked_at! };
}
