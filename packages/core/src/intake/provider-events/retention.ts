import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purgeInBatches } from '../../platform/db/purge-in-batches.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';

/**
 * Days for which processed events and payments without a sale are kept. Longer than the provider keeps an event (30 days), so that the
 * provider cannot deliver a deleted event again.
 */
const KEPT_DAYS = 90;

/**
 * Deletes provider events that were processed or ignored and were received more than 90 days ago, with the personal data in them. Returns
 * the number deleted.
 */
export function purgePspEvents({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = plusDays(toInstant(clock.now()), -KEPT_DAYS);
  return purgeInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      delete from psp_event where (account_id, psp_event_id) in (
        select account_id, psp_event_id from psp_event
        where state <> 'pending' and received_at < ${before}::timestamptz order by received_at limit ${limit})`.execute(
      database.kysely,
    );
    return Number(numAffectedRows ?? 0);
  }, mustStop);
}

/**
 * Deletes payments of the provider that have no sale 90 days after their last change: abandoned checkouts, and refunds of charges from
 * before the connection. Payments with a sale are kept, because later refunds and disputes name the payment. Returns the number deleted.
 */
export function purgePspPayments({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = plusDays(toInstant(clock.now()), -KEPT_DAYS);
  return purgeInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      delete from psp_payment where sale_id is null and id in (
        select id from psp_payment where sale_id is null and updated_at < ${before}::timestamptz
        order by updated_at limit ${limit} for update skip locked)`.execute(database.kysely);
    return Number(numAffectedRows ?? 0);
  }, mustStop);
}
