import { becomeOrdinary } from '../../identity/accounts/example-account.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import { assertReaches } from '../../platform/call/mode.ts';
import { foundOrThrow, insert, lock, save } from '../../platform/call/records.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { PspError } from '../port/psp-error.ts';
import { Connection, disconnected, INITIAL_SETTINGS, rotatedWebhookSecret } from './connection.entity.ts';
import type { ConnectionRecord, CreateConnection, ListConnections, UpdateConnection } from './connection.schema.ts';
import { deleteEndpointOf } from './endpoint.service.ts';
import { type Connected, endpointUrl, findConnection, IS_CONNECTED, sourceOf } from './open-connection.ts';
import { pspFailure } from './psp-failure.ts';

/** Lists the account's connections, of all kinds of sources, newest first. Those that were removed are left out. */
export async function listConnections(ctx: Ctx, input: ListConnections): Promise<Page<ConnectionRecord>> {
  const query = ctx.db.selectFrom('connection').where('account_id', '=', ctx.accountId).where(IS_CONNECTED);
  const { data, pagination } = await paginate(query, input, {
    order: listOrder('-created_at', { table: 'connection' }),
    select: (all) => all.selectAll(),
  });
  return { data: data.map((row) => connectionRecord(ctx.services, row)), pagination };
}

/** Returns a connection. Throws NOT_FOUND for one that was removed. */
export async function getConnection(ctx: Ctx, { id }: { id: string }): Promise<ConnectionRecord> {
  return connectionRecord(ctx.services, foundOrThrow(await findConnection(ctx.db, ctx.accountId, id), 'connection'));
}

/**
 * Connects the account to a further account at a provider. An account that was connected before continues its connection. Verifies the key with the
 * provider first.
 *
 * @param keep stores the response in the transaction of the change
 * @throws VALIDATION_ERROR for an unknown source, for a key that is not valid, and for an account that is connected already; PSP_ERROR when the provider cannot be reached
 */
export async function createConnection(
  ctx: Ctx,
  { source: kind, credentials, webhook_secret = '' }: CreateConnection,
  keep: (tx: WriteCtx, record: ConnectionRecord) => Promise<void>,
): Promise<ConnectionRecord> {
  const { services, accountId } = ctx;
  const source = services.sources[kind];
  if (!source) throw invalid('source', 'There is no payment provider of this kind.', 'not_found');
  const { mode, account } = await verified(() => source.connect(credentials));
  if (mode === 'live' && isTestAccount(accountId))
    throw invalid('credentials', 'In test mode, enter a key of the payment provider’s test mode.', 'other_mode');
  assertReaches(ctx, mode === 'live');
  const own = {
    state: 'connected' as const,
    psp_account_name: account.name,
    sealed_credentials: services.secrets.seal(credentials),
    sealed_webhook_secret: services.secrets.seal(webhook_secret),
    updated_at: ctx.now,
  };
  const row: Connection = {
    id: newId('connection', ctx.clock.now()),
    account_id: accountId,
    source: kind,
    mode,
    psp_account_id: account.id,
    settings: source.initialSettings,
    ...INITIAL_SETTINGS,
    ...own,
    endpoint_id: null,
    endpoint_checked_at: null,
    sealed_previous_webhook_secret: null,
    previous_webhook_secret_expires_at: null,
    looked_at: null,
    complete_until: ctx.now,
    created_at: ctx.now,
  };
  if (!ctx.preview) await becomeOrdinary(services.database.kysely, accountId);
  return inTransaction(ctx, async (tx) => {
    await advisoryLock(tx, 'connections');
    await assertUnused(tx, row, 'credentials');
    const former = await connectionsOfAccount(tx, row).select('id').executeTakeFirst();
    const stored = former ? await lock(tx, Connection, former.id) : insert(tx, Connection, row);
    if (former) save(tx, Connection, stored, own);
    const record = connectionRecord(services, stored);
    await keep(tx, record);
    return record;
  });
}

/** Sets the signing secret of a connection. For a day, the former one is also valid. Throws NOT_FOUND. */
export async function updateConnection(ctx: WriteCtx, { id, webhook_secret }: UpdateConnection): Promise<ConnectionRecord> {
  const connection = await lockConnected(ctx, id);
  const { secrets } = ctx.services;
  if (secrets.open(connection.sealed_webhook_secret!) !== webhook_secret)
    save(ctx, Connection, connection, rotatedWebhookSecret(connection, secrets.seal(webhook_secret), ctx.now));
  return connectionRecord(ctx.services, connection);
}

/** Deletes the key and the secrets of a connection, and the endpoint that this service created. Recorded sales stay. Throws NOT_FOUND. */
export async function removeConnection(ctx: WriteCtx, { id }: { id: string }): Promise<ConnectionRecord> {
  const connection = await lockConnected(ctx, id);
  const former = { ...connection } as Connected;
  const { endpoint_id } = former;
  if (endpoint_id !== null) ctx.afterCommit(() => void deleteEndpointOf(ctx, former, endpoint_id));
  save(ctx, Connection, connection, disconnected(ctx.now));
  return connectionRecord(ctx.services, connection);
}

async function lockConnected(ctx: WriteCtx, id: string) {
  foundOrThrow(await findConnection(ctx.db, ctx.accountId, id), 'connection');
  return lock(ctx, Connection, id);
}

type OfProvider = Pick<Connection, 'source' | 'mode' | 'psp_account_id'>;

/** Starts a query of the connections to an account at a provider, whether they are connected or not. */
function connectionsOfAccount({ db, accountId }: WriteCtx, { source, mode, psp_account_id }: OfProvider) {
  return db
    .selectFrom('connection')
    .where('account_id', '=', accountId)
    .where('source', '=', source)
    .where('mode', '=', mode)
    .where('psp_account_id', '=', psp_account_id);
}

/**
 * Throws VALIDATION_ERROR for the field `path` if another connection is to the same account at the provider: each of its payments would become two sales.
 * The transaction has the lock `connections`.
 */
export async function assertUnused(tx: WriteCtx, of: OfProvider, path: string, except = ''): Promise<void> {
  const other = await connectionsOfAccount(tx, of).select('id').where(IS_CONNECTED).where('id', '<>', except).executeTakeFirst();
  if (other) throw invalid(path, `This account at the payment provider is connected already, as ${other.id}.`, 'taken');
}

/** Returns what a provider says of a key. Throws VALIDATION_ERROR if the key is not valid; PSP_ERROR. */
async function verified<Said>(ask: () => Promise<Said | null>): Promise<Said> {
  try {
    const said = await ask();
    if (said === null) throw invalid('credentials', 'This is not a key of the payment provider.', 'not_accepted');
    return said;
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    if (error.reason === 'authentication' || error.reason === 'permission' || error.reason === 'rejected')
      throw invalid('credentials', error.message, 'not_accepted');
    throw pspFailure(error);
  }
}

function connectionRecord(services: Services, row: Connection): ConnectionRecord {
  const { id, source, mode, psp_account_id, psp_account_name, created_at, updated_at } = row;
  return {
    id,
    source,
    livemode: mode === 'live',
    provider_account_id: psp_account_id,
    provider_account_name: psp_account_name,
    webhook_url: endpointUrl(services, id),
    webhook_event_types: [...sourceOf(services, row).eventTypes],
    created_at,
    updated_at,
  };
}
