import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import type { Database } from '../../platform/db/database.ts';
import { countAccountRows, deleteAccountRows } from '../../platform/db/delete-account-rows.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { timePart } from '../../platform/wire/ids.ts';
import { INTAKE_REASONS } from '../reasons.ts';
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
  'connection',
  'account_logo',
  'program_slug',
  'program_terms',
  'portal_host',
  'mail_template',
  'unsent_mail',
  'audit_log',
  'audit_subject',
  'api_request',
  'event_order',
];

/**
 * Deletes all records of a test account, and sets its test clock back to the service's clock. Works in batches that commit separately. After an
 * interruption, the next call continues.
 *
 * @throws CONFLICT outside test mode; UNAVAILABLE if others keep adding records, so that the call must be repeated
 */
export async function deleteTestData(ctx: Ctx): Promise<DeletedTestData> {
  assertTestMode(ctx);
  const { accountId, services } = ctx;
  const { database } = services;
  if (ctx.preview) return { deleted_count: await countAccountRows(database, accountId, KEPT) };
  const deleted_count = await deleteRows(database, accountId);
  await inTransaction(ctx, async (tx) => {
    tx.locks.note('account');
    await tx.db.updateTable('account').set({ clock_ahead_ms: 0 }).where('id', '=', accountId).execute();
    await tx.db.updateTable('webhook_endpoint').set({ clock_ahead_ms: 0 }).where('account_id', '=', accountId).execute();
    await sql`update event_order set last_time = least(last_time, ${timePart(services.clock.now())}) where account_id = ${accountId}`.execute(
      tx.db,
    );
  });
  return { deleted_count };
}

/** Maximum number of attempts to delete all rows while others add some. */
const MOST_ATTEMPTS = 5;
/** Codes of the errors of a deletion that others have overtaken by adding a row: violated foreign key, deadlock. */
const OVERTAKEN: readonly unknown[] = ['23503', '40P01'];

async function deleteRows(database: Database, accountId: string): Promise<number> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    try {
      return await deleteAccountRows(database, accountId, [], KEPT);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && OVERTAKEN.includes(error.code))) throw error;
    }
  }
  throw new DomainError('UNAVAILABLE', INTAKE_REASONS.records_being_added, {
    retry_after: 5,
  });
}
