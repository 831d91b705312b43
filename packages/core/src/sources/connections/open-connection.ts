import { type RawBuilder, sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { toInstant } from '../../platform/time/instant.ts';
import type { Capabilities } from '../port/capabilities.ts';
import { type ConnectionSettings, isOwnMode, type ProviderMode, type Source, type SourceAccess } from '../port/port.ts';
import type { Connection, OutsidePayments } from './connection.entity.ts';

/** A connection, ready to call the provider with its key. */
export interface OpenConnection {
  id: string;
  source: Source;
  access: SourceAccess;
  mode: ProviderMode;
  /** True if the account’s own records are of this mode. */
  livemode: boolean;
  settings: ConnectionSettings;
  /** The merchant's decision about payments outside the provider. */
  outsidePayments: OutsidePayments;
  writesBack: boolean;
}

/** A connection whose source has a capability. */
export type ConnectionWith<Name extends keyof Capabilities> = OpenConnection & Pick<Capabilities, Name>;

export type Connected = Connection & { sealed_credentials: string; sealed_webhook_secret: string };

/** SQL condition: the connection has its key and secrets. */
export const IS_CONNECTED: RawBuilder<boolean> = sql<boolean>`connection.state = 'connected'`;

/** Address for the events of a connection. */
export function endpointUrl({ publicUrl }: Pick<Services, 'publicUrl'>, id: string): string {
  return `${publicUrl}/sources/${id}/events`;
}

/** Returns the subject of an operation at the provider of a connection, which keeps live and test records apart. */
export function subjectAt({ id, livemode }: { id: string; livemode: boolean }, subject: string): string {
  return `${id} ${livemode ? 'live' : 'test'} ${subject}`;
}

/** Finds the account's connections, oldest first. */
export async function findConnections(db: Db, accountId: string): Promise<Connected[]> {
  const rows = db.selectFrom('connection').selectAll().where('account_id', '=', accountId).where(IS_CONNECTED).orderBy('id');
  return (await rows.execute()) as Connected[];
}

/** Finds a connection of the account. Returns null if it does not exist or is disconnected. */
export async function findConnection(db: Db, accountId: string, id: string): Promise<Connected | null> {
  const row = await db
    .selectFrom('connection')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where(IS_CONNECTED)
    .executeTakeFirst();
  return (row as Connected | undefined) ?? null;
}

/** Finds the connection to whose address a delivery came. Returns null if it does not exist or is disconnected. */
export async function findConnectionOfDelivery(db: Db, id: string): Promise<Connected | null> {
  const row = await db.selectFrom('connection').selectAll().where('id', '=', id).where(IS_CONNECTED).executeTakeFirst();
  return (row as Connected | undefined) ?? null;
}

/** Opens the account's oldest connection whose source has a capability, preferably one that can also write. Returns null if the account has none. */
export async function openWith<Name extends keyof Capabilities>(
  services: Services,
  db: Db,
  accountId: string,
  name: Name,
): Promise<ConnectionWith<Name> | null> {
  let readOnly: ConnectionWith<Name> | null = null;
  for (const connection of await findConnections(db, accountId)) {
    const opened = withCapability(await open(services, connection), name);
    if (opened === null) continue;
    if (!('isReadOnly' in opened[name])) return opened;
    readOnly ??= opened;
  }
  return readOnly;
}

/** Returns the connection with a capability of its source, or null if the source does not have it. */
export function withCapability<Name extends keyof Capabilities>(
  connection: OpenConnection,
  name: Name,
): ConnectionWith<Name> | null {
  const capability = connection.access[name];
  return capability === undefined ? null : ({ ...connection, [name]: capability } as ConnectionWith<Name>);
}

export async function open(services: Services, connection: Connected): Promise<OpenConnection> {
  const { id, account_id: accountId, mode, settings } = connection;
  const source = sourceOf(services, connection);
  const scope = { db: services.database.kysely, accountId, connectionId: id, mode, now: () => services.clock.now() };
  const access = await source.open(services.secrets.open(connection.sealed_credentials), settings, scope);
  const { outside_payments: outsidePayments, write_back: writesBack } = connection;
  return { id, source, access, mode, livemode: isOwnMode(accountId, mode), settings, outsidePayments, writesBack };
}

export function sourceOf({ sources }: Pick<Services, 'sources'>, { source: kind }: Pick<Connection, 'source'>): Source {
  const source = sources.get(kind);
  if (source === undefined) throw new Error(`There is no source of the kind ${kind}.`);
  return source;
}

/** Returns the secrets with which a delivery of a connection may be signed now. */
export function validSecrets(services: Services, connection: Connected): string[] {
  const { sealed_previous_webhook_secret: previous, previous_webhook_secret_expires_at: until } = connection;
  const sealed = [connection.sealed_webhook_secret];
  if (previous !== null && (until ?? '') > toInstant(services.clock.now())) sealed.push(previous);
  // A connection whose secret is not set yet has an empty one, with which anyone could sign.
  return sealed.map((secret) => services.secrets.open(secret)).filter((secret) => secret !== '');
}
