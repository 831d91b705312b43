import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { countAccountRows, deleteAccountRows } from '../../platform/db/delete-account-rows.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { assertTestMode } from './advance-clock.ts';
import type { DeletedTestData } from './test-mode.schema.ts';

/**
 * Tables that keep their rows: credentials, settings, logs, and the order of events, so that sequence numbers go on. None of them references a record
 * of the program.
 */
const KEPT = [
  'api_key',
  'connector',
  'connector_payment',
  'webhook_endpoint',
  'psp_connection',
  'account_logo',
  'program_slug',
  'program_terms',
  'portal_host',
  'mail_template',
  'unsent_mail',
  'audit_log',
  'api_request',
  'event_order',
];

/**
 * Deletes all records of a test account, and sets its test clock back to the service's clock. Works in batches that commit separately. After an
 * interruption, the next call continues.
 *
 * @throws CONFLICT outside test mode
 */
export async function deleteTestData(ctx: Ctx): Promise<DeletedTestData> {
  assertTestMode(ctx);
  const { accountId, services } = ctx;
  const db = services.database.kysely;
  if (ctx.preview) return { deleted_count: await countAccountRows(db, accountId, KEPT) };
  const deleted_count = await deleteAccountRows(db, accountId, [], KEPT);
  await inTransaction(ctx, async (tx) => {
    tx.locks.note('account');
    await tx.db.updateTable('account').set({ clock_ahead_ms: 0 }).where('id', '=', accountId).execute();
    await tx.db.updateTable('webhook_endpoint').set({ clock_ahead_ms: 0 }).where('account_id', '=', accountId).execute();
    await sql`update event_order set last_at = least(last_at, ${toInstant(services.clock.now())}::timestamptz) where account_id = ${accountId}`.execute(
      tx.db,
    );
  });
  return { deleted_count };
}
