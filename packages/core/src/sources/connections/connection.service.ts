import { shadowSince } from '../../identity/accounts/account.entity.ts';
import { becomeOrdinary } from '../../identity/accounts/example-account.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import { assertReaches } from '../../platform/call/mode.ts';
import { foundOrThrow, insert, lock, save } from '../../platform/call/records.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { DomainError, invalid, unknownField, validationError } from '../../platform/errors/errors.ts';
import { PLATFORM_REASONS } from '../../platform/texts/reasons.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { type ConnectionSettings, ownMode, type Source } from '../port/port.ts';
import { failed, onReason, PspError, pspFailure } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import { Connection, disconnected, INITIAL, rotatedWebhookSecret } from './connection.entity.ts';
import type {
  ConnectionActivity,
  ConnectionRecord,
  ConnectionWithSecret,
  CreateConnection,
  ListConnections,
  RenewKey,
  SourceRecord,
  UpdateConnection,
} from './connection.schema.ts';
import { createEndpoint, deleteEndpointOf } from './endpoint.service.ts';
import { type Connected, endpointUrl, findConnection, IS_CONNECTED, open, sourceOf, withCapability } from './open-connection.ts';

export type StoredConnection = Omit<ConnectionRecord, keyof ConnectionActivity>;
type SigningSecret = Pick<ConnectionWithSecret, 'signing_secret'>;

/** Lists the account's connections, of all kinds of sources, newest first. Those that were removed are left out. */
export async function listConnections(ctx: Ctx, input: ListConnections): Promise<Page<StoredConnection>> {
  const query = ctx.db.selectFrom('connection').where('account_id', '=', ctx.accountId).where(IS_CONNECTED);
  const { data, pagination } = await paginate(query, input, {
    order: listOrder('-created_at', { table: 'connection' }),
    select: (all) => all.selectAll(),
  });
  return { data: data.map((row) => connectionRecord(ctx.services, row)), pagination };
}

/** Lists the kinds of sources that can be connected. */
export function listSources({ services }: Pick<Ctx, 'services'>): { data: SourceRecord[] } {
  const data = [...services.sources.values()].map((source) => ({
    source: source.kind,
    name: source.name,
    fields: source.fields.map(({ isSecret: secret, ...field }) => ({ ...field, secret })),
    makes_secret: source.newSigningSecret !== undefined,
    creates_endpoint: source.createsEndpoint === true,
    choices: (source.choices ?? []).map(({ name, options }) => ({ name, options: [...options] })),
    event_types: [...source.eventTypes],
  }));
  return { data };
}

/** Returns a connection. Throws NOT_FOUND for one that was removed. */
export async function getConnection(ctx: Ctx, { id }: { id: string }): Promise<StoredConnection> {
  return connectionRecord(ctx.services, foundOrThrow(await findConnection(ctx.db, ctx.accountId, id), 'connection'));
}

/**
 * Connects the account to a further account at a provider. An account that was connected before continues its connection. Verifies the key with the
 * provider first. Without a signing secret, makes one, or creates the endpoint at the provider, if the source does that.
 *
 * @param keep stores the response in the transaction of the change
 * @throws VALIDATION_ERROR for an unknown source, for a key that is not valid, and for an account that is connected already; PSP_ERROR when the provider cannot be reached
 */
export async function createConnection(
  ctx: Ctx,
  { source: kind, credentials: entered, webhook_secret }: CreateConnection,
  keep: (tx: WriteCtx, connection: StoredConnection & SigningSecret) => Promise<void>,
): Promise<StoredConnection & SigningSecret> {
  const { services, accountId } = ctx;
  const source = services.sources.get(kind);
  if (!source) throw invalid('source', SOURCE_REASONS.unknown_provider, 'not_found');
  if (webhook_secret !== undefined) assertSecret(source, webhook_secret);
  const credentials = credentialsOf(source, entered);
  const { account, mode: ofKey } = await verified(() => source.connect(credentials), 'credentials');
  const mode = ofKey ?? ownMode(accountId);
  if (mode === 'live' && isTestAccount(accountId)) throw invalid('credentials', SOURCE_REASONS.test_key_needed, 'other_mode');
  assertReaches(ctx, mode === 'live');
  const made = webhook_secret === undefined ? source.newSigningSecret?.() : undefined;
  const own = {
    state: 'connected' as const,
    psp_account_name: account.name,
    sealed_credentials: services.secrets.seal(credentials),
    sealed_webhook_secret: services.secrets.seal(webhook_secret ?? made ?? ''),
    look_problem: null,
    key_expires_at: null,
    updated_at: ctx.now,
  };
  const row: Connection = {
    id: newId('connection', ctx.clock.now()),
    account_id: accountId,
    source: kind,
    mode,
    psp_account_id: account.id,
    settings: source.initialSettings ?? {},
    ...INITIAL,
    ...own,
    complete_until: ctx.now,
    created_at: ctx.now,
  };
  const createsEndpoint = source.createsEndpoint === true && webhook_secret === undefined;
  if (!ctx.preview) await becomeOrdinary(services.database.kysely, accountId);
  const stored = await inTransaction(ctx, async (tx) => {
    await advisoryLock(tx, 'connections');
    const former = await findFormer(tx, row, createsEndpoint);
    const history_since = await askForHistory(tx);
    const connection = former ? await lock(tx, Connection, former) : insert(tx, Connection, { ...row, history_since });
    if (former) save(tx, Connection, connection, { ...own, history_since });
    const shown = { ...connectionRecord(services, connection), ...(made !== undefined && { signing_secret: made }) };
    if (!createsEndpoint) await keep(tx, shown);
    return shown;
  });
  if (!createsEndpoint || ctx.preview) return stored;
  return (await addEndpoint(ctx, stored.id, credentials)) ?? stored;
}

/**
 * Returns the time since which a shadow compares payments, and sends the job that reads their history from a source that is connected now. Null for an
 * account that is no shadow.
 */
export async function askForHistory(tx: WriteCtx): Promise<Instant | null> {
  const { db, accountId, services } = tx;
  const account = await db
    .selectFrom('account')
    .select(['shadow', 'former_shadows'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (account.shadow !== 'on') return null;
  tx.afterCommit(() => services.jobs.send('lost_events'));
  return shadowSince(account);
}

/** Returns the credentials as text: the value of the only field, or the values of several fields as a JSON object. Throws VALIDATION_ERROR. */
function credentialsOf({ fields }: Source, entered: CreateConnection['credentials']): string {
  if (typeof entered !== 'object') {
    if (entered === undefined && fields.length > 0) throw invalid('credentials', PLATFORM_REASONS.required, 'invalid_type');
    return entered ?? '';
  }
  for (const { name } of fields)
    if (!entered[name]) throw invalid(`credentials.${name}`, PLATFORM_REASONS.required, 'invalid_type');
  const other = Object.keys(entered).find((name) => !fields.some((field) => field.name === name));
  if (other !== undefined) throw validationError([unknownField(`credentials.${other}`)]);
  const [first, ...more] = fields;
  return more.length > 0 ? JSON.stringify(entered) : ((first && entered[first.name]) ?? '');
}

function assertSecret(source: Source, secret: string): void {
  if (source.isSigningSecret?.(secret) === false)
    throw invalid('webhook_secret', SOURCE_REASONS.signing_secret_form, 'not_accepted');
}

/**
 * Creates the endpoint of a connection at the provider. Returns null if the provider refuses: the merchant can create the endpoint, and until then the
 * service asks the provider for changes.
 */
async function addEndpoint(ctx: Ctx, id: string, credentials: string): Promise<StoredConnection | null> {
  const connection = (await findConnection(ctx.db, ctx.accountId, id))!;
  try {
    const { endpoints } = withCapability(await open(ctx.services, connection), 'endpoints')!;
    return await createEndpoint(ctx, {
      url: endpointUrl(ctx.services, id),
      endpoints,
      credentials,
      mode: connection.mode,
      pspAccountId: connection.psp_account_id,
      refused: (_, error) => pspFailure(error),
      store: async (tx, endpoint) => {
        const locked = await lockConnected(tx, id);
        save(tx, Connection, locked, {
          ...rotatedWebhookSecret(locked, endpoint.sealedSecret, tx.now),
          endpoint_id: endpoint.id,
        });
        return connectionRecord(tx.services, locked);
      },
    });
  } catch (err) {
    if (!(err instanceof DomainError && err.code === 'PSP_ERROR')) throw err;
    ctx.services.log.warn(
      { err, account_id: ctx.accountId, connection_id: id },
      'could not create the endpoint at the payment provider',
    );
    return null;
  }
}

/**
 * Sets the signing secret of a connection, or makes a new one, and the merchant's choices. For a day, the former secret is also valid.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a text that is not a signing secret, if this service does not make the secret of the source, and for choices that
 * the source does not offer
 */
export async function updateConnection(
  ctx: WriteCtx,
  { id, webhook_secret, rotate_signing_secret, choices = {} }: UpdateConnection,
): Promise<StoredConnection & SigningSecret> {
  const connection = await lockConnected(ctx, id);
  const source = sourceOf(ctx.services, connection);
  const made = rotate_signing_secret ? source.newSigningSecret?.() : undefined;
  if (rotate_signing_secret && made === undefined)
    throw invalid('rotate_signing_secret', SOURCE_REASONS.secret_made_at_provider, 'not_supported');
  if (webhook_secret !== undefined) assertSecret(source, webhook_secret);
  assertOffered(source, choices);
  if (Object.keys(choices).length > 0)
    save(ctx, Connection, connection, { settings: { ...connection.settings, ...choices }, updated_at: ctx.now });
  const { secrets } = ctx.services;
  const secret = webhook_secret ?? made;
  if (secret !== undefined && secrets.open(connection.sealed_webhook_secret!) !== secret)
    save(ctx, Connection, connection, rotatedWebhookSecret(connection, secrets.seal(secret), ctx.now));
  return { ...connectionRecord(ctx.services, connection), ...(made !== undefined && { signing_secret: made }) };
}

/**
 * Replaces the key of a connection by a new key of the same account at the provider, and asks the provider for changes. The endpoint, the signing secret
 * and the choices stay. Verifies the key with the provider first.
 *
 * @param keep stores the response in the transaction of the change
 * @throws NOT_FOUND; VALIDATION_ERROR for a key that is not valid, or is of another account or mode; PSP_ERROR when the provider cannot be reached
 */
export async function renewKey(
  ctx: Ctx,
  { id, credentials: entered }: RenewKey,
  keep: (tx: WriteCtx, connection: StoredConnection) => Promise<void>,
): Promise<StoredConnection> {
  const { services } = ctx;
  const connection = foundOrThrow(await findConnection(ctx.db, ctx.accountId, id), 'connection');
  const source = sourceOf(services, connection);
  if (source.fields.length === 0) throw validationError([unknownField('credentials')]);
  const credentials = credentialsOf(source, entered);
  const { account, mode } = await verified(() => source.connect(credentials), 'credentials');
  const renewed = { ...connection, sealed_credentials: services.secrets.seal(credentials) };
  const isSame = account.id === connection.psp_account_id || (await reachesEndpoint(services, renewed));
  if (!isSame || (mode ?? connection.mode) !== connection.mode)
    throw invalid('credentials', SOURCE_REASONS.key_of_another_account, 'not_accepted');
  return inTransaction(ctx, async (tx) => {
    const locked = await lockConnected(tx, id);
    save(tx, Connection, locked, {
      sealed_credentials: renewed.sealed_credentials,
      key_expires_at: null,
      look_problem: null,
      looked_at: null,
      updated_at: tx.now,
    });
    tx.afterCommit(() => services.jobs.send('lost_events'));
    const shown = connectionRecord(services, locked);
    await keep(tx, shown);
    return shown;
  });
}

/**
 * True if the key of a connection reaches the endpoint that this service has created, which is of one account. A provider that does not name the account of
 * a key may show another one for a new key.
 */
async function reachesEndpoint(services: Services, connection: Connected): Promise<boolean> {
  if (connection.endpoint_id === null) return false;
  const { access } = await open(services, connection);
  const ensured = access.ensureEndpoint(connection.endpoint_id).then(() => true);
  return ensured.catch(onReason(['not_found'], () => false)).catch(failed);
}

/** Throws VALIDATION_ERROR for a choice or an option that the source does not offer. */
function assertOffered({ choices = [] }: Source, made: Readonly<Record<string, string>>): void {
  for (const [name, option] of Object.entries(made)) {
    const offered = choices.find((choice) => choice.name === name);
    if (!offered) throw validationError([unknownField(`choices.${name}`)]);
    if (!offered.options.includes(option))
      throw invalid(`choices.${name}`, PLATFORM_REASONS.not_one_of({ values: offered.options.join(', ') }), 'not_accepted');
  }
}

/** Returns the choices of a source as the merchant has made them. */
function chosen({ choices = [] }: Source, settings: ConnectionSettings): Record<string, string> {
  return Object.fromEntries(choices.map(({ name, options }) => [name, settings[name] ?? options[0]!]));
}

/** Deletes the key and the secrets of a connection, and the endpoint that this service created. Recorded sales stay. Throws NOT_FOUND. */
export async function removeConnection(ctx: WriteCtx, { id }: { id: string }): Promise<StoredConnection> {
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

/**
 * Returns the id of the connection that was to the same account at the provider, or null. Throws VALIDATION_ERROR if it still is, unless its endpoint is
 * missing because an earlier request was interrupted.
 */
async function findFormer(tx: WriteCtx, row: Connection, createsEndpoint: boolean): Promise<string | null> {
  const former = await connectionsOfAccount(tx, row).selectAll().executeTakeFirst();
  const secret = former?.sealed_webhook_secret;
  const isUnfinished = createsEndpoint && typeof secret === 'string' && tx.services.secrets.open(secret) === '';
  if (!isUnfinished) await assertUnused(tx, row, 'credentials');
  return former?.id ?? null;
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
  if (other) throw invalid(path, SOURCE_REASONS.account_connected_already({ connection: other.id }), 'taken');
}

/** Returns what a provider says of a key. Throws VALIDATION_ERROR for the field `path` if the key is not valid; PSP_ERROR. */
export async function verified<Said>(ask: () => Promise<Said | null>, path: string): Promise<Said> {
  try {
    const said = await ask();
    if (said === null) throw invalid(path, SOURCE_REASONS.no_key_of_provider, 'not_accepted');
    return said;
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    if (error.reason === 'authentication' || error.reason === 'permission' || error.reason === 'rejected')
      throw invalid(path, error.said, 'not_accepted');
    throw pspFailure(error);
  }
}

function connectionRecord(services: Services, row: Connection): StoredConnection {
  const { id, source, mode, psp_account_id, psp_account_name, key_expires_at, looked_at } = row;
  const { sealed_webhook_secret, created_at, updated_at } = row;
  return {
    id,
    source,
    livemode: mode === 'live',
    provider_account_id: psp_account_id,
    provider_account_name: psp_account_name,
    webhook_url: endpointUrl(services, id),
    events_url: endpointUrl(services, id),
    webhook_event_types: [...sourceOf(services, row).eventTypes],
    choices: chosen(sourceOf(services, row), row.settings),
    has_signing_secret: sealed_webhook_secret !== null && services.secrets.open(sealed_webhook_secret) !== '',
    key_expires_at,
    looked_at,
    created_at,
    updated_at,
  };
}
