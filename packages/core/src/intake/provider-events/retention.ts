import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purge } from '../../platform/db/purge.ts';
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
  const isOver = sql<boolean>`state <> 'pending' and received_at < ${before}::timestamptz`;
  const rows = { table: 'psp_event', key: ['connection_id', 'psp_event_id'], isOver, order: 'received_at' } as const;
  return purge(database.kysely, rows, mustStop);
}
