import { type RawBuilder, sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { toInstant } from '../../platform/time/instant.ts';
import type { EventReading, EventVerification, PaymentProvider, ProviderOptions } from '../port/port.ts';
import type { Connection, OutsidePayments } from './connection.entity.ts';
import { isOwnMode, providerInOwnMode } from './own-mode.ts';

/** A connection, ready to call the provider with its key. */
export interface OpenConnection extends EventReading {
  id: string;
  provider: PaymentProvider;
  livemode: boolean;
  /** The connected account whose events count and to which calls go; null for the own account of the key. */
  connectedAccountId: string | null;
  /** The merchant's decision about payments outside the provider. */
  outsidePayments: OutsidePayments;
  /** True if metadata are written back. */
  writesBack: boolean;
}

/** A connection with its key and secrets. */
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

/** Opens the account's oldest connection. Returns null if the account has no connection. */
export async function openConnection(services: Services, db: Db, accountId: string): Promise<OpenConnection | null> {
  const [first] = await findConnections(db, accountId);
  return first === undefined ? null : open(services, first);
}

/** Opens a connection. */
export async function open(services: Services, connection: Connected): Promise<OpenConnection> {
  const { id, account_id: accountId, mode, outside_payments: outsidePayments, write_back: writesBack } = connection;
  const options = optionsOf(connection);
  const opened = await services.psp.open(services.secrets.open(connection.sealed_credentials), options);
  const provider = providerInOwnMode(accountId, opened);
  return { id, provider, livemode: isOwnMode(accountId, mode), outsidePayments, writesBack, ...options };
}

/** Returns what is needed to verify and read a delivery of a connection now. */
export function eventVerification(services: Services, connection: Connected): EventVerification {
  const now = services.clock.now();
  const sealed = [connection.sealed_webhook_secret];
  if (connection.sealed_previous_webhook_secret && (connection.previous_webhook_secret_expires_at ?? '') > toInstant(now)) {
    sealed.push(connection.sealed_previous_webhook_secret);
  }
  const { customerIdKey } = optionsOf(connection);
  return { secrets: sealed.map((secret) => services.secrets.open(secret)), now, customerIdKey };
}

function optionsOf({ settings }: Connection): ProviderOptions {
  return { customerIdKey: settings['customer_id_key'] ?? null, connectedAccountId: settings['connected_account_id'] ?? null };
}
