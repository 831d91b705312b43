import type { Services } from '../../platform/call/context.ts';
import { GrowingTables } from '../../platform/db/growing-tables.ts';
import { preferIndexes } from '../../platform/db/prefer-indexes.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { writeEventsOf } from '../../webhooks/events/emit.ts';
import {
  type AffiliateFallingDue,
  findAffiliatesFallingDue,
  markCommissionsDue,
} from '../commission-records/commission.transitions.ts';
import { collectCommissions } from '../payout-records/payout.transitions.ts';
import { commissionSubjects } from './commission.events.ts';

/** Commissions per transaction: few enough that nobody waits long for an affiliate's lock, or for the order of the account's events. */
const BATCH = 500;
/** Affiliates that are looked up at a time. */
const AFFILIATES = 20_000;
/** Batches at once. The events of an account are written by one transaction at a time; meanwhile another changes commissions. */
const LANES = 2;
/** Tables to which falling due adds rows. */
const FILLED = ['payout', 'payout_item', 'event', 'webhook_delivery'];

/**
 * Moves every pending commission whose due date has come to due, adds it to its affiliate's open payout, and emits `commission.due`.
 * Each batch is one transaction of set-based statements; only ids pass through this process, unread. Several processes may sweep at once, and a
 * process that is killed loses its last batches only.
 *
 * A batch holds all that falls due for some affiliates, because a payout, once open, then changes once. A pass goes through all affiliates, past
 * those that another transaction has locked. Passes repeat until one moves nothing, so a busy affiliate delays nobody else, and its own
 * commissions follow as soon as it is free.
 *
 * @param mustStop checked between batches
 * @returns the number of commissions that fell due
 */
export async function sweepDueCommissions(services: Services, mustStop: () => boolean = () => false): Promise<number> {
  const filled = new GrowingTables(services, FILLED);
  let total = 0;
  for (;;) {
    const fallen = await sweepPass(services, filled, mustStop);
    if (fallen === 0) return total;
    total += fallen;
  }
}

async function sweepPass(services: Services, filled: GrowingTables, mustStop: () => boolean): Promise<number> {
  const { kysely } = services.database;
  let total = 0;
  let last: AffiliateFallingDue | undefined;
  do {
    const affiliates = await findAffiliatesFallingDue(kysely, toInstant(services.clock.now()), last, AFFILIATES);
    total += await sweepAffiliates(services, batchesOf(affiliates), filled, mustStop);
    last = affiliates.at(-1);
  } while (last !== undefined && !mustStop());
  return total;
}

/** The commissions of some affiliates that fall due. More than `BATCH` only for an affiliate alone. */
interface Batch {
  affiliateIds: string[];
  commissions: number;
}

function* batchesOf(affiliates: readonly AffiliateFallingDue[]): Generator<Batch> {
  let batch: Batch = { affiliateIds: [], commissions: 0 };
  for (const { affiliate_id, commissions } of affiliates) {
    if (batch.commissions > 0 && batch.commissions + commissions > BATCH) {
      yield batch;
      batch = { affiliateIds: [], commissions: 0 };
    }
    batch.affiliateIds.push(affiliate_id);
    batch.commissions += commissions;
  }
  if (batch.commissions > 0) yield batch;
}

async function sweepAffiliates(
  services: Services,
  batches: Generator<Batch>,
  filled: GrowingTables,
  mustStop: () => boolean,
): Promise<number> {
  let total = 0;
  const lane = async () => {
    // An error in one lane ends the generator, and so the other lane after its batch.
    for (const { affiliateIds, commissions } of batches) {
      for (let left = commissions; left > 0 && !mustStop(); left -= BATCH) {
        const fallen = await sweepBatch(services, affiliateIds);
        total += fallen;
        await filled.add(fallen);
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: LANES }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return total;
}

/** Returns the number of commissions that fell due. */
async function sweepBatch(services: Services, affiliateIds: readonly string[]): Promise<number> {
  // The time of these changes: pollers of `updated_since` would miss a batch that carried the time of the first one.
  const now = toInstant(services.clock.now());
  const { fallen, endpointIds } = await services.database.transaction(async (_em, db) => {
    await preferIndexes(db);
    const fallen = await markCommissionsDue(db, now, affiliateIds, BATCH);
    if (fallen.count === 0) return { fallen, endpointIds: [] };
    await collectCommissions(db, now, fallen.ids);
    return { fallen, endpointIds: await writeEventsOf(db, now, 'commission.due', commissionSubjects(fallen.ids)) };
  });
  if (endpointIds.length > 0) services.wakeUps.deliveries(endpointIds);
  return fallen.count;
}
