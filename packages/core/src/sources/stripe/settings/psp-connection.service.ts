import { becomeOrdinary } from '../../../identity/accounts/example-account.ts';
import type { Ctx, WriteCtx } from '../../../platform/call/context.ts';
import { advisoryLock, type Locked, lockRow } from '../../../platform/call/locks.ts';
import { insert, save } from '../../../platform/call/records.ts';
import { isTestAccount } from '../../../platform/call/test-account-id.ts';
import { inTransaction } from '../../../platform/call/transaction.ts';
import { invalid } from '../../../platform/errors/errors.ts';
import { storedReason } from '../../../platform/texts/reason.ts';
import { type Instant, plusMilliseconds } from '../../../platform/time/instant.ts';
import { newId } from '../../../platform/wire/ids.ts';
import { Connection, disconnected, INITIAL, OVERLAP_MS, rotatedWebhookSecret } from '../../connections/connection.entity.ts';
import { askForHistory, assertUnused, verified } from '../../connections/connection.service.ts';
import { createEndpoint, deleteEndpointOf } from '../../connections/endpoint.service.ts';
import type { Connected } from '../../connections/open-connection.ts';
import { type ConnectionSettings, isOwnMode, type ProviderAccount } from '../../port/port.ts';
import { failed, notConnected } from '../../port/psp-error.ts';
import { SOURCE_REASONS } from '../../port/reasons.ts';
import type { PermissionPurpose } from '../permissions.ts';
import { STRIPE_REASONS } from '../reasons.ts';
import { STRIPE } from '../values/names.ts';
import { endpointRefused, repairEndpoint } from './endpoint-status.ts';
import {
  findPspConnection,
  pspConnectionOf,
  requirePspConnection,
  settingsEndpointUrl,
  stripeOf,
} from './find-psp-connection.ts';
import type {
  ConnectPsp,
  EndpointStatus,
  PspConnectionRecord,
  RotateWebhookSecret,
  UpdatePspConnection,
} from './psp-connection.schema.ts';

/** Returns the wire record of the connection. Without a connection, the record contains the data that is needed to create one. */
export async function getPspConnection(ctx: Ctx): Promise<PspConnectionRecord> {
  return connectionRecord(ctx, await findPspConnection(ctx.db, ctx.accountId));
}

/**
 * Connects the account to the payment provider, or replaces its connection. Verifies the key with the provider first, and stores nothing if
 * the provider refuses the key. Without a signing secret, creates the endpoint at the provider.
 *
 * @throws VALIDATION_ERROR for text that is not a key, and for a key that the provider refuses or that lacks permissions; OPERATION_PENDING;
 * PSP_ERROR when the provider cannot be reached
 */
export async function connectPsp(ctx: Ctx, { secret_key, webhook_secret }: ConnectPsp): Promise<PspConnectionRecord> {
  const { database, secrets } = ctx.services;
  const mode = stripeOf(ctx).modeOf(secret_key);
  if (mode === null) throw invalid('secret_key', STRIPE_REASONS.key_form);
  if (mode === 'live' && isTestAccount(ctx.accountId)) throw invalid('secret_key', STRIPE_REASONS.test_key_needed, 'other_mode');
  const account = await accountOf(ctx, secret_key);
  await assertPermitted(ctx, secret_key, webhook_secret === undefined ? ['endpoint', 'events'] : ['events']);
  const row: Connection = {
    id: newId('connection', ctx.clock.now()),
    account_id: ctx.accountId,
    source: STRIPE,
    mode,
    psp_account_id: account.id,
    psp_account_name: account.name,
    settings: stripeOf(ctx).initialSettings,
    ...INITIAL,
    sealed_credentials: secrets.seal(secret_key),
    sealed_webhook_secret: secrets.seal(webhook_secret ?? ''),
    complete_until: ctx.now,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  if (ctx.preview) return connectionRecord(ctx, row);
  await becomeOrdinary(database.kysely, ctx.accountId);
  if (webhook_secret !== undefined)
    return inTransaction(ctx, async (tx) => connectionRecord(tx, await storeConnection(tx, row, () => ({}))));
  return createEndpoint(ctx, {
    url: settingsEndpointUrl(ctx),
    endpoints: await stripeOf(ctx).open(secret_key),
    credentials: secret_key,
    mode,
    pspAccountId: account.id,
    refused: endpointRefused,
    store: async (tx, { id, sealedSecret }) => {
      const connected = { ...row, endpoint_id: id, sealed_webhook_secret: sealedSecret };
      return connectionRecord(tx, await storeConnection(tx, connected, (former) => formerSecret(former, tx.now)));
    },
  });
}

/** Creates the endpoint of an existing connection again, with a new secret. The former secret stays valid for a day. */
export async function repairPspEndpoint(ctx: Ctx): Promise<EndpointStatus> {
  return repairEndpoint(ctx, async (connectionId, tx, { id, sealedSecret }) => {
    const connection = await lockConnection(tx);
    if (connection?.id !== connectionId) throw notConnected();
    const changes = { endpoint_id: id, sealed_webhook_secret: sealedSecret, updated_at: tx.now };
    save(tx, Connection, connection, { ...formerSecret(connection, tx.now), ...changes });
    return connectionRecord(tx, connection);
  });
}

/** The changes that keep the signing secret of a replaced endpoint valid, because deliveries signed with it may be under way. */
function formerSecret({ sealed_webhook_secret }: Connection, at: Instant): Partial<Connection> {
  return {
    sealed_previous_webhook_secret: sealed_webhook_secret,
    previous_webhook_secret_expires_at: sealed_webhook_secret && plusMilliseconds(at, OVERLAP_MS),
  };
}

/** Inserts a connection, or replaces the account's connection. The merchant's settings of a replaced connection stay. */
async function storeConnection(
  tx: WriteCtx,
  row: Connection,
  replaced: (former: Connection) => Partial<Connection>,
): Promise<Connection> {
  await advisoryLock(tx, 'connections');
  const former = await lockPspConnection(tx);
  await assertUnused(tx, row, 'secret_key', former?.id);
  const shadowSince = await askForHistory(tx);
  if (former === null) return insert(tx, Connection, { ...row, history_since: shadowSince });
  const { id, settings, outside_payments, write_back, write_back_since, complete_until, history_since, created_at, ...taken } =
    row;
  // A connected account belongs to one platform.
  const isSame = former.psp_account_id === row.psp_account_id;
  save(tx, Connection, former, {
    ...taken,
    ...replaced(former),
    complete_until: isSame ? former.complete_until : complete_until,
    history_since: isSame && former.state === 'connected' ? former.history_since : shadowSince,
    settings: isSame ? former.settings : { ...former.settings, connected_account_id: null },
  });
  return former;
}

/** Throws VALIDATION_ERROR, naming all permissions that a key lacks for the given purposes; PSP_ERROR. */
async function assertPermitted(
  ctx: Ctx,
  secretKey: string,
  purposes: readonly PermissionPurpose[],
  path = 'secret_key',
): Promise<void> {
  const provider = await stripeOf(ctx).open(secretKey);
  const missing = await provider.missingPermissions(purposes).catch(failed);
  if (missing.length === 0) return;
  const names = missing.map(({ resource, access }) => `${resource} (${access})`).join(', ');
  throw invalid(path, STRIPE_REASONS.key_lacks_permissions({ permissions: names }), 'missing_permissions');
}

/** Deletes the key and the signing secrets, and the endpoint that this service created. Promo code assignments stay, but cannot be refreshed without a connection. */
export async function disconnectPsp(ctx: WriteCtx): Promise<PspConnectionRecord> {
  const connection = await lockConnection(ctx);
  if (connection !== null) {
    const former = { ...connection };
    const { endpoint_id: endpointId } = former;
    if (endpointId !== null) ctx.afterCommit(() => void deleteEndpointOf(ctx, former, endpointId));
    save(ctx, Connection, connection, disconnected(ctx.now));
  }
  return connectionRecord(ctx, null);
}

/**
 * Changes the settings of the connection. Asks the provider first whether the key may act for a new connected account, and write metadata.
 *
 * @throws PSP_NOT_CONNECTED; VALIDATION_ERROR for a connected account that the provider refuses, and for missing permissions; PSP_ERROR when the provider cannot be reached
 */
export async function updatePspConnection(ctx: Ctx, input: UpdatePspConnection): Promise<PspConnectionRecord> {
  const row = await requirePspConnection(ctx);
  const { connected_account_id: chosen = null } = input;
  if (chosen !== null && chosen !== row.settings['connected_account_id']) {
    const settings = { connected_account_id: chosen };
    await accountOf(ctx, ctx.services.secrets.open(row.sealed_credentials), 'connected_account_id', settings);
  }
  const startsWriting = input.write_back === true && !row.write_back;
  if (startsWriting) await assertPermitted(ctx, ctx.services.secrets.open(row.sealed_credentials), ['write_back'], 'write_back');
  const { connected_account_id, customer_id_key, ...common } = input;
  const changes = (connection: Connection) => ({
    ...common,
    settings: {
      ...connection.settings,
      ...(connected_account_id !== undefined && { connected_account_id }),
      ...(customer_id_key !== undefined && { customer_id_key }),
    },
    ...(startsWriting && { write_back_since: ctx.now }),
    ...(input.write_back !== undefined && { write_back_problem: null }),
    updated_at: ctx.now,
  });
  if (ctx.preview) return connectionRecord(ctx, { ...row, ...changes(row) });
  return inTransaction(ctx, async (tx) => {
    const connection = await lockConnection(tx);
    if (connection === null) throw notConnected();
    save(tx, Connection, connection, changes(connection));
    return connectionRecord(tx, connection);
  });
}

/** Sets a new signing secret for the provider's events. Throws PSP_NOT_CONNECTED. */
export async function rotateWebhookSecret(ctx: WriteCtx, input: RotateWebhookSecret): Promise<PspConnectionRecord> {
  const connection = await lockConnection(ctx);
  if (connection === null) throw notConnected();
  // Setting the same secret again must not drop the former secret, which may still be valid.
  if (ctx.services.secrets.open(connection.sealed_webhook_secret) !== input.webhook_secret) {
    const sealed = ctx.services.secrets.seal(input.webhook_secret);
    save(ctx, Connection, connection, rotatedWebhookSecret(connection, sealed, ctx.now));
  }
  return connectionRecord(ctx, connection);
}

/** Returns the account of a key. Throws VALIDATION_ERROR for the field `path` if the provider refuses the key; PSP_ERROR. */
function accountOf(ctx: Ctx, secretKey: string, path = 'secret_key', settings?: ConnectionSettings): Promise<ProviderAccount> {
  return verified(async () => (await stripeOf(ctx).open(secretKey, settings)).account(), path);
}

/** Locks the connection, whether it is connected or not. */
function lockPspConnection(tx: WriteCtx) {
  return lockRow<Connection>(tx, 'connection', pspConnectionOf(tx.db, tx.accountId));
}

/** Locks the connection. Returns null if the account is not connected. */
async function lockConnection(tx: WriteCtx) {
  const connection = await lockPspConnection(tx);
  return connection?.state === 'connected' ? (connection as Locked<Connected>) : null;
}

function connectionRecord(ctx: Ctx, row: Connection | null): PspConnectionRecord {
  const settings: ConnectionSettings = row?.settings ?? stripeOf(ctx).initialSettings;
  const problem = row?.write_back_problem ?? null;
  return {
    connected: row !== null,
    livemode: row && isOwnMode(ctx.accountId, row.mode),
    psp_account_id: row?.psp_account_id ?? null,
    psp_account_name: row?.psp_account_name ?? null,
    endpoint_id: row?.endpoint_id ?? null,
    connected_account_id: settings['connected_account_id'] ?? null,
    customer_id_key: settings['customer_id_key'] ?? null,
    outside_payments: row?.outside_payments ?? INITIAL.outside_payments,
    write_back: row?.write_back ?? INITIAL.write_back,
    write_back_problem: problem === null ? null : storedReason(SOURCE_REASONS, problem).in(ctx.language),
    webhook_url: settingsEndpointUrl(ctx),
    webhook_event_types: [...stripeOf(ctx).eventTypes],
    previous_webhook_secret_expires_at: row?.previous_webhook_secret_expires_at ?? null,
    created_at: row?.created_at ?? null,
    updated_at: row?.updated_at ?? null,
  };
}
