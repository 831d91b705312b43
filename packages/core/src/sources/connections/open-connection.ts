import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { PaymentProvider } from '../port/port.ts';

/** An account's connection, ready to call the provider with the account's key. */
export interface OpenConnection {
  provider: PaymentProvider;
  livemode: boolean;
}

/** Opens the account's connection to the payment provider. Returns null if the account has no connection. */
export async function openConnection(services: Services, db: Db, accountId: string): Promise<OpenConnection | null> {
  const row = await db
    .selectFrom('psp_connection')
    .select(['sealed_secret_key', 'livemode'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  return { provider: await services.psp.open(services.secrets.open(row.sealed_secret_key)), livemode: row.livemode };
}

/** Returns the signing secrets that are valid now, or null if the account has no connection. */
export async function webhookSecrets(services: Services, accountId: string, now: Instant): Promise<string[] | null> {
  const row = await services.database.kysely
    .selectFrom('psp_connection')
    .select(['sealed_webhook_secret', 'sealed_previous_webhook_secret', 'previous_webhook_secret_expires_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  const sealed = [row.sealed_webhook_secret];
  if (row.sealed_previous_webhook_secret && (row.previous_webhook_secret_expires_at ?? now) > now) {
    sealed.push(row.sealed_previous_webhook_secret);
  }
  return sealed.map((secret) => services.secrets.open(secret));
}
