import type { Services } from '../../platform/call/context.ts';
import { WorkingSet } from '../../platform/call/working-set.ts';
import { GrowingTables } from '../../platform/db/growing-tables.ts';
import { preferIndexes } from '../../platform/db/prefer-indexes.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { type AffiliateFallingDue, findAffiliatesFallingDue, markCommissionsDue } from '../commissions/commission.transitions.ts';
import { collectCommissions } from '../payouts/payout.transitions.ts';

/**
 * Maximum number of commissions per transaction. Small, because the transaction makes others wait: it locks affiliates, and only one
 * transaction at a time can write the events of an account.
 */
const BATCH = 500;
/** Maximum number of affiliates per look-up. */
const AFFILIATES = 20_000;
/**
 * Number of concurrent batches. Two are enough: while one writes the account's events, which only one transaction at a time can do, the
 * other changes commissions.
 */
const LANES = 2;
/** Tables to which the sweep adds rows. */
const FILLED = ['payout', 'payout_item', 'event', 'webhook_delivery'];

/**
 * Moves pending commissions to due once their due date has come, and adds them to the open payouts of their affiliates, with the events of
 * both. Each transaction consists of three set-based statements, and this process holds only the ids of one transaction at a time. Several processes may sweep at the same time. If a process is killed, only its unfinished transactions are lost.
 *
 * A batch contains a few affiliates, with all of their commissions that fall due, so that each open payout changes only once if the batch
 * fits into one transaction. A pass goes through all affiliates, and skips those that another transaction has locked. Passes repeat until a
 * pass moves nothing. A locked affiliate thus delays no other affiliate, and a later pass moves its commissions.
 *
 * @param mustStop checked between transactions; the sweep ends when it returns true
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

/** Some affiliates, and the number of their commissions that fall due. The number exceeds `BATCH` only if the batch has a single affiliate. */
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
    // An error in one lane closes the generator that the lanes share. The other lane therefore ends after its current batch.
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

/** Makes up to `BATCH` commissions of the affiliates due, in one transaction. Returns the number of these commissions. */
async function sweepBatch(services: Services, affiliateIds: readonly string[]): Promise<number> {
  // Each transaction reads the clock again. If all used the time of the first transaction, clients that poll by `updated_since` would miss
  // the commissions of later batches.
  const now = toInstant(services.clock.now());
  const records = new WorkingSet();
  const { fallen, announced } = await services.database.transaction(async (db) => {
    preferIndexes(db);
    const fallen = await markCommissionsDue({ db, records }, now, affiliateIds, BATCH);
    if (fallen.ids.length > 0) await collectCommissions({ db, records }, fallen.held, now, fallen.ids);
    return { fallen, announced: await services.database.announcer.write(db, now, records.changes) };
  });
  if (announced.length > 0) services.jobs.send('webhooks', announced);
  if (fallen.ids.length > 0) services.jobs.send('commission_counts');
  return fallen.ids.length;
}
