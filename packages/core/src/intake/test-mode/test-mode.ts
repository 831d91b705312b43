import { sql } from 'kysely';
import { z } from 'zod';
import { settleDueDecisionsOf } from '../../attribution/settle-decisions.ts';
import { sweepDueOf } from '../../ledger/earning/sweep-due.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import type { Database } from '../../platform/db/database.ts';
import { countAccountRows, deleteAccountRows } from '../../platform/db/delete-account-rows.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { onceInTransaction } from '../../platform/idempotency/idempotency.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';
import { timePart } from '../../platform/wire/ids.ts';
import { id, instant, timestamp } from '../../platform/wire/scalars.ts';
import { INTAKE_REASONS } from '../reasons.ts';

const MAX_DAYS = 366;

export const TestClock = z
  .object({
    now: instant().describe('The time by which dates of the account’s test records are compared.'),
    ahead_seconds: z
      .int()
      .min(0)
      .describe('Seconds by which the clock is ahead of the service’s clock.')
      .meta({ example: 2_592_000 }),
  })
  .meta({ id: 'TestClock', description: 'The clock of test mode.' });
export type TestClock = z.infer<typeof TestClock>;

export const AdvanceTestClock = z
  .strictObject({
    days: z
      .int()
      .min(1)
      .max(MAX_DAYS)
      .optional()
      .describe('Days by which to move the clock forward. Required unless `to` is given.')
      .meta({ example: 30 }),
    to: timestamp()
      .optional()
      .describe(
        `Time to which to move the clock, after the time that it shows, by at most ${MAX_DAYS} days, and at most ten years ahead. Instead of \`days\`.`,
      ),
  })
  .meta({ example: { days: 30 } });
export type AdvanceTestClock = z.infer<typeof AdvanceTestClock>;

/** The greatest step of the clock. */
const MAX_STEP_MS = MAX_DAYS * 86_400_000;
/** The greatest time by which the clock can be ahead. Without a limit, dates would leave the years that the service stores and compares. */
const MAX_AHEAD_MS = 10 * MAX_STEP_MS;

export const DeleteTestData = z.strictObject({});

export const DeletedTestData = z
  .object({ deleted_count: z.int().min(0).describe('Number of deleted rows of the database.').meta({ example: 42 }) })
  .meta({ id: 'DeletedTestData', description: 'The result of deleting all test data.' });
export type DeletedTestData = z.infer<typeof DeletedTestData>;

export const CopyCampaigns = z.strictObject({
  dry_run: z.boolean().default(false).describe('If `true`, previews the copy without making it.'),
});
export type CopyCampaigns = z.infer<typeof CopyCampaigns>;

const CopiedCampaign = z.object({
  live_campaign_id: id('campaign').describe('The campaign in live mode.'),
  campaign_id: id('campaign').nullable().describe('The campaign in test mode. `null` in a preview of a copy.'),
  name: z.string().describe('Name of the campaign in live mode.').meta({ example: 'Friends of the shop' }),
  copied: z
    .boolean()
    .describe('`false` if test mode already had a campaign with this slug or `external_id`. That campaign does not change.'),
  rules_count: z.int().min(0).describe('Number of copied reward rules.').meta({ example: 3 }),
  tiers_count: z.int().min(0).describe('Number of copied tiers.').meta({ example: 1 }),
  left_out_rules_count: z
    .int()
    .min(0)
    .describe('Number of reward rules that are not copied because they are for one affiliate or link.')
    .meta({ example: 0 }),
  provider_ids: z
    .array(z.string())
    .describe(
      'IDs of products, prices and a coupon that the copy names. It has an effect in test mode if the provider’s test mode uses the same IDs.',
    )
    .meta({ example: ['prod_addon'] }),
});
export type CopiedCampaign = z.infer<typeof CopiedCampaign>;

export const CopiedCampaigns = z
  .object({ data: z.array(CopiedCampaign).describe('The campaigns of live mode that are not archived, oldest first.') })
  .meta({ id: 'CopiedCampaigns', description: 'The result of copying campaigns to test mode.' });
export type CopiedCampaigns = z.infer<typeof CopiedCampaigns>;

/** Throws CONFLICT unless the call is about a test account. */
export function assertTestMode({ accountId }: Pick<Ctx, 'accountId'>): void {
  if (!isTestAccount(accountId)) throw new DomainError('CONFLICT', INTAKE_REASONS.only_in_test_mode, { reason: 'live_mode' });
}

/** Returns the test clock of the account. Throws CONFLICT outside test mode. */
export function getTestClock(ctx: Ctx): TestClock {
  assertTestMode(ctx);
  const now = ctx.clock.now();
  return {
    now: toInstant(now),
    ahead_seconds: Math.round((now.getTime() - ctx.services.clock.now().getTime()) / 1_000),
  };
}

/**
 * Moves the clock of a test account forward (docs/rules/platform.md#test-clock). Commissions whose due date comes are due when the call returns, tiers of ended months
 * are settled, and
 * deliveries whose next attempt comes are attempted.
 *
 * @throws CONFLICT outside test mode; VALIDATION_ERROR unless exactly one of `days` and `to` is given, for a time before the clock's, and for a time
 * too far ahead
 */
export async function advanceTestClock(ctx: Ctx, input: AdvanceTestClock): Promise<TestClock> {
  assertTestMode(ctx);
  const clock = await onceInTransaction(ctx, { procedure: 'testMode.advanceClock', input }, (tx) => advance(tx, input));
  if (ctx.preview) return clock;
  await sweepDueOf(ctx.services, ctx.accountId);
  await settleDueDecisionsOf(ctx.services, ctx.accountId);
  const endpoints = await ctx.services.database.kysely
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('deleted_at', 'is', null)
    .execute();
  if (endpoints.length > 0)
    ctx.services.jobs.send(
      'webhooks',
      endpoints.map(({ id }) => id),
    );
  return clock;
}

async function advance(tx: WriteCtx, { days, to }: AdvanceTestClock): Promise<TestClock> {
  if ((days === undefined) === (to === undefined)) throw invalid('days', INTAKE_REASONS.days_or_to, 'required');
  const { db, accountId } = tx;
  tx.locks.note('account');
  const { clock_ahead_ms } = await db
    .selectFrom('account')
    .select('clock_ahead_ms')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const present = toInstant(new Date(tx.services.clock.now().getTime() + clock_ahead_ms));
  const now = to ?? plusDays(present, days!);
  const step = Date.parse(now) - Date.parse(present);
  if (step <= 0) throw invalid('to', INTAKE_REASONS.clock_only_forward({ shown: present }), 'too_small');
  if (step > MAX_STEP_MS) throw invalid('to', INTAKE_REASONS.clock_step_too_large, 'too_big');
  const ahead = clock_ahead_ms + step;
  if (ahead > MAX_AHEAD_MS) throw invalid('to', INTAKE_REASONS.clock_too_far_ahead, 'too_big');
  await db.updateTable('account').set({ clock_ahead_ms: ahead }).where('id', '=', accountId).execute();
  await db.updateTable('webhook_endpoint').set({ clock_ahead_ms: ahead }).where('account_id', '=', accountId).execute();
  // Deliveries are scheduled by the service's clock, so their next attempts come earlier.
  await sql`
    update webhook_delivery set next_attempt_at = next_attempt_at - ${step} * interval '1 ms'
    where account_id = ${accountId} and next_attempt_at is not null`.execute(db);
  return { now, ahead_seconds: Math.round(ahead / 1_000) };
}

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
