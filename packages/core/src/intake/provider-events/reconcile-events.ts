import { sql } from 'kysely';
import type { Check } from '../../payouts/runs/check.ts';
import { MAX_DISCREPANCIES, type Reconciliation } from '../../payouts/runs/reconcile.schema.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { storedReason } from '../../platform/texts/reason.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { IGNORED } from '../../sources/port/reasons.ts';
import { IS_KEPT } from './psp-event.tables.ts';

/** Finds provider events that the service gave up on (docs/rules/intake.md#retries-of-provider-events). */
export const FAILED_EVENTS: Check = {
  code: 'failed_event',
  message: 'An event of the payment provider could not be applied.',
  find: (ctx) => sql`
    select psp_event_id,
      format('The event (%s) of the payment provider failed %s times and is not tried again. Last error: %s', type, attempts, problem) as message
    from psp_event
    where account_id = ${ctx.accountId} and state = 'pending' and gave_up_at is not null
    order by occurred_at`,
};

/** Finds provider events that are kept without an effect, one finding per mode and reason (docs/rules/intake.md#kept-events). */
export const KEPT_EVENTS: Check = {
  code: 'kept_event',
  message: 'Events of the payment provider had no effect.',
  find: async (ctx) => {
    const { rows } = await sql<{ psp_event_id: string; count: number; livemode: boolean; type: string; problem: string }>`
      select (array_agg(psp_event_id order by occurred_at, psp_event_id))[1] as psp_event_id, count(*) as count, livemode,
        (array_agg(type order by occurred_at, psp_event_id))[1] as type, problem
      from psp_event
      where account_id = ${ctx.accountId} and ${IS_KEPT}
      group by livemode, problem order by min(occurred_at) limit ${MAX_DISCREPANCIES}`.execute(ctx.db);
    return rows.map(({ psp_event_id, count, livemode, type, problem }) => ({
      psp_event_id,
      message: `Events of the payment provider that had no effect and are kept: ${count} (${livemode ? 'live' : 'test'}). The oldest is a ${type}. Reason: ${storedReason(IGNORED, problem).in()}`,
    }));
  },
};

/** Counts records that are incomplete until further events arrive. Small numbers are normal. */
export async function countWaiting({ db, accountId }: Ctx, from: Instant): Promise<Reconciliation['waiting']> {
  const { rows } = await sql<Reconciliation['waiting']>`
    select
      (select count(*) from psp_event where account_id = ${accountId} and state = 'pending' and gave_up_at is null) as events,
      (select count(*) from payment_pieces where account_id = ${accountId} and not charged and updated_at >= ${from}) as payments_without_amount,
      (select count(*) from sale
        where account_id = ${accountId} and referral_id is null and charged_at >= ${from}) as sales_without_referral`.execute(db);
  return rows[0]!;
}
