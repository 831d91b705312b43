import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { PaymentProvider } from '../port/port.ts';

/** A connection of an account, ready for calls with its key. */
export interface OpenConnection {
  provider: PaymentProvider;
  livemode: boolean;
}

/** Opens the account's connection to the payment provider. Null when there is none. */
export async function openConnection(services: Services, db: Db, accountId: string): Promise<OpenConnection | null> {
  const row = await db
    .selectFrom('psp_connection')
    .select(['sealed_secret_key', 'livemode'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  return { provider: await services.psp.open(services.secrets.open(row.sealed_secret_key)), livemode: row.livemode };
}

/** The valid signing secrets. Null without a connection. */
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
