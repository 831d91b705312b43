import { sql } from 'kysely';
import { settleDueDecisionsOf } from '../../attribution/settle-decisions.ts';
import { sweepDueOf } from '../../ledger/earning/sweep-due.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { onceInTransaction } from '../../platform/idempotency/idempotency.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { type AdvanceTestClock, MAX_AHEAD_MS, MAX_STEP_MS, type TestClock } from './test-mode.schema.ts';

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
