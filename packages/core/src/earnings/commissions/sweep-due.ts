import type { Services } from '../../platform/call/context.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { writeEvents } from '../../webhooks/events/emit.ts';
import { markCommissionsDue } from '../commission-records/commission.transitions.ts';
import { collectCommissions } from '../payout-records/payout.transitions.ts';
import { commissionSubjects } from './commission.events.ts';

/** Commissions per transaction: few enough that nobody waits long for an affiliate's lock. */
const BATCH = 5_000;

/**
 * Moves every pending commission whose due date has come to due, adds it to its affiliate's open payout, and emits `commission.due`.
 * Each batch is one transaction of set-based statements; only ids pass through this process. Several processes may sweep at once, and a
 * process that is killed loses its last batch only.
 *
 * @returns the number of commissions that fell due
 */
export async function sweepDueCommissions(services: Services): Promise<number> {
  const now = toInstant(services.clock.now());
  let total = 0;
  for (let fallen = BATCH; fallen === BATCH; total += fallen) fallen = await sweepBatch(services, now);
  return total;
}

async function sweepBatch(services: Services, now: Instant): Promise<number> {
  const { ids, endpointIds } = await services.database.transaction(async (_em, db) => {
    const fallen = await markCommissionsDue(db, now, BATCH);
    if (fallen.length === 0) return { ids: fallen, endpointIds: [] };
    await collectCommissions(db, now, fallen);
    return { ids: fallen, endpointIds: await writeEvents(db, now, 'commission.due', commissionSubjects(fallen)) };
  });
  if (endpointIds.length > 0) services.wakeUps.deliveries(endpointIds);
  return ids.length;
}
