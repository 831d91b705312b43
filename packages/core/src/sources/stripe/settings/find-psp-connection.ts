/** The connection to Stripe that the settings of an account show: its oldest one. */
import type { Ctx } from '../../../platform/call/context.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Connection } from '../../connections/connection.entity.ts';
import type { Connected } from '../../connections/open-connection.ts';
import { notConnected } from '../../port/psp-error.ts';
import type { StripeGateway } from '../stripe-gateway.ts';
import { STRIPE } from '../values/names.ts';

export function stripeOf({ services }: Pick<Ctx, 'services'>): StripeGateway {
  return services.sources.get(STRIPE) as StripeGateway;
}

/** SQL: the connection, whether it is connected or not. */
export function pspConnectionOf(db: Db, accountId: string) {
  return db
    .selectFrom('connection')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('source', '=', STRIPE)
    .orderBy('id')
    .limit(1);
}

/** Finds the connection. Returns null if the account was never connected, or is disconnected. */
export async function findPspConnection(db: Db, accountId: string): Promise<Connected | null> {
  const row: Connection | undefined = await pspConnectionOf(db, accountId).executeTakeFirst();
  return row?.state === 'connected' ? (row as Connected) : null;
}

export async function requirePspConnection({ db, accountId }: Ctx): Promise<Connected> {
  const connection = await findPspConnection(db, accountId);
  if (connection === null) throw notConnected();
  return connection;
}

/** Address for the events of the connection, which is known before the account is connected. */
export function settingsEndpointUrl({ services, accountId }: Pick<Ctx, 'services' | 'accountId'>): string {
  return `${services.publicUrl}/psp/webhooks/${accountId}`;
}
