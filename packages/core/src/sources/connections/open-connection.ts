import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { toInstant } from '../../platform/time/instant.ts';
import type { EventReading, EventVerification, PaymentProvider } from '../port/port.ts';
import { providerInOwnMode } from './own-mode.ts';
import type { OutsidePayments } from './psp-connection.entity.ts';

/** An account's connection, ready to call the provider with the account's key. */
export interface OpenConnection extends EventReading {
  provider: PaymentProvider;
  livemode: boolean;
  /** The connected account whose events count and to which calls go; null for the own account of the key. */
  connectedAccountId: string | null;
  /** The merchant's decision about payments outside the provider. */
  outsidePayments: OutsidePayments;
  /** True if metadata are written back. */
  writesBack: boolean;
}

/** Returns the subject of an operation at the provider, which keeps live and test records apart. */
export function subjectAt({ livemode }: { livemode: boolean }, subject: string): string {
  return `${livemode ? 'live' : 'test'} ${subject}`;
}

/** Opens the account's connection to the payment provider. Returns null if the account has no connection. */
export async function openConnection(services: Services, db: Db, accountId: string): Promise<OpenConnection | null> {
  const row = await db
    .selectFrom('psp_connection')
    .select(['sealed_secret_key', 'livemode', 'customer_id_key', 'connected_account_id', 'outside_payments', 'write_back'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  const options = { customerIdKey: row.customer_id_key, connectedAccountId: row.connected_account_id };
  const opened = await services.psp.open(services.secrets.open(row.sealed_secret_key), options);
  const provider = providerInOwnMode(accountId, opened);
  return { provider, livemode: row.livemode, outsidePayments: row.outside_payments, writesBack: row.write_back, ...options };
}

/** Returns what is needed to verify and read a delivery now, or null if the account has no connection. */
export async function eventVerification(services: Services, accountId: string): Promise<EventVerification | null> {
  const row = await services.database.kysely
    .selectFrom('psp_connection')
    .select(['sealed_webhook_secret', 'sealed_previous_webhook_secret', 'previous_webhook_secret_expires_at', 'customer_id_key'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  const now = services.clock.now();
  const sealed = [row.sealed_webhook_secret];
  if (row.sealed_previous_webhook_secret && (row.previous_webhook_secret_expires_at ?? '') > toInstant(now)) {
    sealed.push(row.sealed_previous_webhook_secret);
  }
  return { secrets: sealed.map((secret) => services.secrets.open(secret)), now, customerIdKey: row.customer_id_key };
}
