import type { Services } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { writeEventsOf } from '../../webhooks/events/emit.ts';
import { type DuePosition, markCommissionsDue } from '../commission-records/commission.transitions.ts';
import { collectCommissions } from '../payout-records/payout.transitions.ts';
import { commissionSubjects } from './commission.events.ts';

/** Commissions per transaction: few enough that nobody waits long for an affiliate's lock. */
const BATCH = 5_000;

/**
 * Moves every pending commission whose due date has come to due, adds it to its affiliate's open payout, and emits `commission.due`.
 * Each batch is one transaction of set-based statements; only ids pass through this process. Several processes may sweep at once, and a
 * process that is killed loses its last batch only.
 *
 * A pass goes through all of them, past those whose affiliate another transaction has locked. Passes repeat until one moves nothing, so a
 * busy affiliate delays nobody else, and its own commissions follow as soon as it is free.
 *
 * @returns the number of commissions that fell due
 */
export async function sweepDueCommissions(services: Services): Promise<number> {
  let total = 0;
  for (let fallen = await sweepPass(services); fallen > 0; fallen = await sweepPass(services)) total += fallen;
  return total;
}

async function sweepPass(services: Services): Promise<number> {
  let total = 0;
  let position: DuePosition | null = null;
  do {
    const { fallen, next }: Batch = await sweepBatch(services, position);
    total += fallen;
    position = next;
  } while (position !== null);
  return total;
}

interface Batch {
  fallen: number;
  next: DuePosition | null;
}

async function sweepBatch(services: Services, position: DuePosition | null): Promise<Batch> {
  // The time of these changes: pollers of `updated_since` would miss a batch that carried the time of the first one.
  const now = toInstant(services.clock.now());
  const { fallen, next, endpointIds } = await services.database.transaction(async (_em, db) => {
    const batch = await markCommissionsDue(db, now, position, BATCH);
    if (batch.fallen.length === 0) return { ...batch, endpointIds: [] };
    await collectCommissions(db, now, batch.fallen);
    return { ...batch, endpointIds: await writeEventsOf(db, now, 'commission.due', commissionSubjects(batch.fallen)) };
  });
  if (endpointIds.length > 0) services.wakeUps.deliveries(endpointIds);
  return { fallen: fallen.length, next };
}
