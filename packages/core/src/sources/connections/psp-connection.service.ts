import { sql } from 'kysely';
import { becomeOrdinary } from '../../identity/accounts/example-account.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { lockRow } from '../../platform/call/locks.ts';
import { save } from '../../platform/call/records.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import type { Db } from '../../platform/db/database.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';
import type { PermissionPurpose, ProviderAccount, ProviderOptions, ProviderPermission } from '../port/port.ts';
import { PspError } from '../port/psp-error.ts';
import { createEndpoint, deleteEndpointOf, endpointUrl, repairEndpoint } from './endpoint.service.ts';
import { isOwnMode } from './own-mode.ts';
import { INITIAL_SETTINGS, OVERLAP_MS, PspConnection, rotatedWebhookSecret } from './psp-connection.entity.ts';
import type {
  ConnectPsp,
  EndpointStatus,
  PspConnectionRecord,
  RotateWebhookSecret,
  UpdatePspConnection,
} from './psp-connection.schema.ts';
import { notConnected, pspFailure } from './psp-failure.ts';

/** Returns the wire record of the connection. Without a connection, the record contains the data that is needed to create one. */
export async function getPspConnection(ctx: Ctx): Promise<PspConnectionRecord> {
  const row = await ctx.db.selectFrom('psp_connection').selectAll().where('account_id', '=', ctx.accountId).executeTakeFirst();
  return connectionRecord(ctx, row ?? null);
}

/**
 * Connects the account to the payment provider, or replaces its connection. Verifies the key with the provider first, and stores nothing if
 * the provider refuses the key. Without a signing secret, creates the endpoint at the provider.
 *
 * @throws VALIDATION_ERROR for text that is not a key, and for a key that the provider refuses or that lacks permissions; OPERATION_PENDING;
 * PSP_ERROR when the provider cannot be reached
 */
export async function connectPsp(ctx: Ctx, { secret_key, webhook_secret }: ConnectPsp): Promise<PspConnectionRecord> {
  const { database, psp, secrets } = ctx.services;
  const mode = psp.modeOf(secret_key);
  if (mode === null) throw invalid('secret_key', 'Enter a secret key of the payment provider, e.g. sk_test_… or rk_live_….');
  if (mode === 'live' && isTestAccount(ctx.accountId))
    throw invalid('secret_key', 'In test mode, enter a key of the payment provider’s test mode, e.g. rk_test_….', 'other_mode');
  const account = await verify(ctx, secret_key);
  await assertPermitted(ctx, secret_key, webhook_secret === undefined ? ['endpoint', 'events'] : ['events']);
  const row: TableRow<'psp_connection'> = {
    account_id: ctx.accountId,
    livemode: isOwnMode(ctx.accountId, mode),
    psp_account_id: account.id,
    psp_account_name: account.name,
    sealed_secret_key: secrets.seal(secret_key),
    endpoint_id: null,
    endpoint_checked_at: null,
    sealed_webhook_secret: secrets.seal(webhook_secret ?? ''),
    sealed_previous_webhook_secret: null,
    previous_webhook_secret_expires_at: null,
    ...INITIAL_SETTINGS,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  if (ctx.preview) return connectionRecord(ctx, row);
  await becomeOrdinary(database.kysely, ctx.accountId);
  if (webhook_secret !== undefined) return connectionRecord(ctx, await storeConnection(database.kysely, row, {}));
  return createEndpoint(ctx, {
    secretKey: secret_key,
    livemode: row.livemode,
    store: async (tx, { id, sealedSecret }) => {
      const connected = { ...row, endpoint_id: id, sealed_webhook_secret: sealedSecret };
      return connectionRecord(tx, await storeConnection(tx.db, connected, formerSecret(tx.now)));
    },
  });
}

/** Creates the endpoint of an existing connection again, with a new secret. The former secret stays valid for a day. */
export async function repairPspEndpoint(ctx: Ctx): Promise<EndpointStatus> {
  return repairEndpoint(ctx, async (tx, { id, sealedSecret }) => {
    const saved = await tx.db
      .updateTable('psp_connection')
      .set({ endpoint_id: id, sealed_webhook_secret: sealedSecret, ...formerSecret(tx.now), updated_at: tx.now })
      .where('account_id', '=', tx.accountId)
      .returningAll()
      .executeTakeFirst();
    if (!saved) throw notConnected();
    return connectionRecord(tx, saved);
  });
}

/** The changes that keep the signing secret of a replaced endpoint valid, because deliveries signed with it may be under way. */
function formerSecret(at: Instant) {
  return {
    sealed_previous_webhook_secret: sql<string>`psp_connection.sealed_webhook_secret`,
    previous_webhook_secret_expires_at: plusMilliseconds(at, OVERLAP_MS),
  };
}

/** Inserts a connection, or replaces the account's connection. The merchant's settings of a replaced connection stay. */
function storeConnection(
  db: Db,
  row: TableRow<'psp_connection'>,
  replaced: Partial<ReturnType<typeof formerSecret>>,
): Promise<TableRow<'psp_connection'>> {
  return db
    .insertInto('psp_connection')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({
        ...row,
        ...replaced,
        customer_id_key: (eb) => eb.ref('psp_connection.customer_id_key'),
        outside_payments: (eb) => eb.ref('psp_connection.outside_payments'),
        write_back: (eb) => eb.ref('psp_connection.write_back'),
        write_back_since: (eb) => eb.ref('psp_connection.write_back_since'),
        // A connected account belongs to one platform.
        connected_account_id: sql`case when psp_connection.psp_account_id = excluded.psp_account_id then psp_connection.connected_account_id end`,
        created_at: (eb) => eb.ref('psp_connection.created_at'),
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Throws VALIDATION_ERROR, naming all permissions that a key lacks for the given purposes; PSP_ERROR. */
async function assertPermitted(
  ctx: Ctx,
  secretKey: string,
  purposes: readonly PermissionPurpose[],
  path = 'secret_key',
): Promise<void> {
  let missing: ProviderPermission[];
  try {
    missing = await (await ctx.services.psp.open(secretKey)).missingPermissions(purposes);
  } catch (error) {
    throw error instanceof PspError ? pspFailure(error) : error;
  }
  if (missing.length === 0) return;
  const names = missing.map(({ resource, access }) => `${resource} (${access})`).join(', ');
  throw invalid(path, `The key lacks permissions: ${names}. Add them to the key in Stripe.`, 'missing_permissions');
}

/** Deletes the connection with its key and signing secrets, and the endpoint that this service created. Promo code assignments stay, but cannot be refreshed without a connection. */
export async function disconnectPsp(ctx: WriteCtx): Promise<PspConnectionRecord> {
  const removed = await ctx.db
    .deleteFrom('psp_connection')
    .where('account_id', '=', ctx.accountId)
    .returning(['endpoint_id', 'sealed_secret_key'])
    .executeTakeFirst();
  const endpointId = removed?.endpoint_id ?? null;
  if (removed && endpointId !== null) ctx.afterCommit(() => void deleteEndpointOf(ctx, removed.sealed_secret_key, endpointId));
  return connectionRecord(ctx, null);
}

/**
 * Changes the settings of the connection. Asks the provider first whether the key may act for a new connected account, and write metadata.
 *
 * @throws PSP_NOT_CONNECTED; VALIDATION_ERROR for a connected account that the provider refuses, and for missing permissions; PSP_ERROR when the provider cannot be reached
 */
export async function updatePspConnection(ctx: Ctx, input: UpdatePspConnection): Promise<PspConnectionRecord> {
  const row = await ctx.db.selectFrom('psp_connection').selectAll().where('account_id', '=', ctx.accountId).executeTakeFirst();
  if (!row) throw notConnected();
  const { connected_account_id: chosen = null } = input;
  if (chosen !== null && chosen !== row.connected_account_id) {
    const options = { connectedAccountId: chosen, customerIdKey: null };
    await verify(ctx, ctx.services.secrets.open(row.sealed_secret_key), 'connected_account_id', options);
  }
  const startsWriting = input.write_back === true && !row.write_back;
  if (startsWriting) await assertPermitted(ctx, ctx.services.secrets.open(row.sealed_secret_key), ['write_back'], 'write_back');
  const changes = {
    ...input,
    ...(startsWriting && { write_back_since: ctx.now }),
    ...(input.write_back !== undefined && { write_back_problem: null }),
    updated_at: ctx.now,
  };
  const changed = { ...row, ...changes };
  if (ctx.preview) return connectionRecord(ctx, changed);
  return inTransaction(ctx, async (tx) => {
    const connections = tx.db.selectFrom('psp_connection').selectAll().where('account_id', '=', tx.accountId);
    const connection = await lockRow<PspConnection>(tx, 'psp_connection', connections);
    if (!connection) throw notConnected();
    save(tx, PspConnection, connection, changes);
    return connectionRecord(tx, connection);
  });
}

/** Sets a new signing secret for the provider's events. Throws PSP_NOT_CONNECTED. */
export async function rotateWebhookSecret(ctx: WriteCtx, input: RotateWebhookSecret): Promise<PspConnectionRecord> {
  const connections = ctx.db.selectFrom('psp_connection').selectAll().where('account_id', '=', ctx.accountId);
  const connection = await lockRow<PspConnection>(ctx, 'psp_connection', connections);
  if (!connection) throw notConnected();
  // Setting the same secret again must not drop the former secret, which may still be valid.
  if (ctx.services.secrets.open(connection.sealed_webhook_secret) !== input.webhook_secret) {
    const sealed = ctx.services.secrets.seal(input.webhook_secret);
    save(ctx, PspConnection, connection, rotatedWebhookSecret(connection, sealed, ctx.now));
  }
  return connectionRecord(ctx, connection);
}

/** Returns the account of a key. Throws VALIDATION_ERROR for the field `path` if the provider refuses the key; PSP_ERROR. */
async function verify(ctx: Ctx, secretKey: string, path = 'secret_key', options?: ProviderOptions): Promise<ProviderAccount> {
  try {
    const provider = await ctx.services.psp.open(secretKey, options);
    return await provider.account();
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    if (error.reason === 'authentication' || error.reason === 'permission' || error.reason === 'rejected') {
      throw invalid(path, error.message, 'not_accepted');
    }
    throw pspFailure(error);
  }
}

function connectionRecord(ctx: Ctx, row: TableRow<'psp_connection'> | null): PspConnectionRecord {
  return {
    connected: row !== null,
    livemode: row?.livemode ?? null,
    psp_account_id: row?.psp_account_id ?? null,
    psp_account_name: row?.psp_account_name ?? null,
    endpoint_id: row?.endpoint_id ?? null,
    connected_account_id: row?.connected_account_id ?? null,
    customer_id_key: row === null ? INITIAL_SETTINGS.customer_id_key : row.customer_id_key,
    outside_payments: row?.outside_payments ?? INITIAL_SETTINGS.outside_payments,
    write_back: row?.write_back ?? INITIAL_SETTINGS.write_back,
    write_back_problem: row?.write_back_problem ?? null,
    webhook_url: endpointUrl(ctx),
    webhook_event_types: [...ctx.services.psp.handledEventTypes],
    previous_webhook_secret_expires_at: row?.previous_webhook_secret_expires_at ?? null,
    created_at: row?.created_at ?? null,
    updated_at: row?.updated_at ?? null,
  };
}
