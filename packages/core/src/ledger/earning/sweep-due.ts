import { type RawBuilder, sql } from 'kysely';
import { clockOf } from '../../platform/call/call-time.ts';
import type { Services } from '../../platform/call/context.ts';
import { WorkingSet } from '../../platform/call/working-set.ts';
import { SYSTEM_ACTOR } from '../../platform/db/announcer.ts';
import { GrowingTables, preferIndexes } from '../../platform/db/planner.ts';
import { databaseFailure, isLockTimeout, isStatementTimeout } from '../../platform/errors/database-failures.ts';
import { Failures, mayLieInOne, workApart } from '../../platform/sweeps/failures.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { toInstant } from '../../platform/time/instant.ts';
import {
  type AffiliateFallingDue,
  type FallingDue,
  findAffiliatesFallingDue,
  findClocksFallingDue,
  findCommissionsFallingDue,
  markCommissionsDue,
} from '../commissions/commission.transitions.ts';
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
const NOT_DONE = 'commissions did not fall due; will be retried';

/**
 * Moves pending commissions to due once their due date has come, and adds them to the open payouts of their affiliates, with the events of
 * both. Each transaction consists of three set-based statements, and this process holds only the ids of one transaction at a time. Several processes may sweep at the same time. If a process is killed, only its unfinished transactions are lost.
 *
 * A batch contains a few affiliates, with all of their commissions that fall due, so that each open payout changes only once if the batch
 * fits into one transaction. A pass goes through all affiliates, and skips those that another transaction has locked. Passes repeat until a
 * pass moves nothing. A locked affiliate thus delays no other affiliate, and a later pass moves its commissions.
 *
 * A batch that fails is repeated in halves, down to single commissions, so that a commission that cannot be moved holds up neither other affiliates
 * nor the other commissions of its affiliate. It is logged, and the next sweep tries it again.
 *
 * @param mustStop checked between transactions; the sweep ends when it returns true
 * @returns the number of commissions that fell due
 * @throws the first failure, after all other commissions have been tried. The failure of a database that is unreachable, at once
 */
export async function sweepDueCommissions(services: Services, mustStop: () => boolean = () => false): Promise<number> {
  const { clock } = services;
  const failures = new Failures(services, NOT_DONE);
  const clocks = await findClocksFallingDue(services.database.kysely, toInstant(clock.now()));
  let total = 0;
  if (clocks.services_own) {
    const accounts = sql<boolean>`not account_id = any (${clocks.ahead})`;
    total += await sweep(services, { clock, accounts, failures, failed: [] }, mustStop);
  }
  for (const id of clocks.ahead_falling_due) total += await sweepAccount(services, id, failures, mustStop);
  failures.throwFirst();
  return total;
}

/** Does what `sweepDueCommissions` does for one account, by the account’s own clock. */
export async function sweepDueOf(services: Services, accountId: string): Promise<number> {
  const failures = new Failures(services, NOT_DONE);
  const total = await sweepAccount(services, accountId, failures, () => false);
  failures.throwFirst();
  return total;
}

async function sweepAccount(services: Services, accountId: string, failures: Failures, mustStop: () => boolean): Promise<number> {
  const clock = await clockOf(services, accountId);
  return sweep(services, { clock, accounts: sql`account_id = ${accountId}`, failures, failed: [] }, mustStop);
}

/** The accounts of a sweep: a condition on `account_id`, and their clock. */
interface Swept {
  clock: Clock;
  accounts: RawBuilder<boolean>;
  failures: Failures;
  /** Ids of the commissions that could not be moved, which the sweep leaves out from then on. */
  failed: string[];
}

async function sweep(services: Services, swept: Swept, mustStop: () => boolean): Promise<number> {
  const filled = new GrowingTables(services, FILLED);
  let total = 0;
  for (;;) {
    const fallen = await sweepPass(services, swept, filled, mustStop);
    if (fallen === 0) return total;
    total += fallen;
  }
}

async function sweepPass(services: Services, swept: Swept, filled: GrowingTables, mustStop: () => boolean): Promise<number> {
  const { kysely } = services.database;
  const { clock, accounts, failed: except } = swept;
  let total = 0;
  let last: AffiliateFallingDue | undefined;
  do {
    const affiliates = await findAffiliatesFallingDue(kysely, toInstant(clock.now()), {
      last,
      limit: AFFILIATES,
      accounts,
      except,
    });
    total += await sweepAffiliates(services, swept, batchesOf(affiliates), filled, mustStop);
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
  { clock, failures, failed }: Swept,
  batches: Generator<Batch>,
  filled: GrowingTables,
  mustStop: () => boolean,
): Promise<number> {
  let total = 0;
  const move = async (affiliateIds: readonly string[], only?: readonly string[]): Promise<number> => {
    const fallen = await sweepBatch(services, clock, { affiliateIds, limit: BATCH, except: failed, ...(only && { only }) });
    total += fallen;
    await filled.add(fallen);
    return fallen;
  };
  const moveAll = async ({ affiliateIds, commissions }: Batch): Promise<void> => {
    try {
      for (let left = commissions; left > 0 && !mustStop(); left -= BATCH) await move(affiliateIds);
    } catch (err) {
      // Halves of a batch that had to wait for others would have to wait as well.
      if (isWaitedTooLong(err)) return failures.add(err, { affiliate_ids: affiliateIds });
      const [affiliateId] = affiliateIds;
      if (affiliateIds.length === 1) return moveOneByOne(affiliateId!, err);
      // Only a batch of one affiliate needs more than one transaction.
      for (const half of halvesOf(affiliateIds)) await moveAll({ affiliateIds: half, commissions });
    }
  };
  /** Moves the commissions of an affiliate apart from those that cannot be moved. */
  const moveOneByOne = async (affiliateId: string, cause: unknown): Promise<void> => {
    const found = { affiliateId, limit: BATCH, except: failed };
    const ids = await findCommissionsFallingDue(services.database.kysely, toInstant(clock.now()), found);
    if (ids.length === 0) return;
    try {
      await workApart(ids, cause, {
        work: async (only) => (mustStop() ? 0 : move([affiliateId], only)),
        giveUp: async (id, err) => {
          failed.push(id);
          failures.add(err, { affiliate_ids: [affiliateId], commission_ids: [id] });
        },
      });
    } catch (err) {
      if (!isLockTimeout(err) && !mayLieInOne(err)) throw err;
      // The rest of the affiliate waits for the next sweep, which tries the commissions in another order.
      failures.add(err, { affiliate_ids: [affiliateId] });
    }
  };
  const lane = async () => {
    // An error in one lane closes the generator that the lanes share. The other lane therefore ends after its current batch.
    for (const batch of batches) await moveAll(batch);
  };
  const ends = await Promise.allSettled(Array.from({ length: LANES }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return total;
}

/** True if a transaction failed because others kept it waiting. Throws the error if the database is unreachable. */
function isWaitedTooLong(err: unknown): boolean {
  const isSlow = isLockTimeout(err) || isStatementTimeout(err);
  if (!isSlow && databaseFailure(err) !== null) throw err;
  return isSlow;
}

function halvesOf(ids: readonly string[]): string[][] {
  const middle = ids.length >> 1;
  return [ids.slice(0, middle), ids.slice(middle)];
}

/** Makes commissions due, in one transaction. Returns their number. */
async function sweepBatch(services: Services, clock: Clock, falling: FallingDue): Promise<number> {
  // Each transaction reads the clock again. If all used the time of the first transaction, clients that poll by `updated_since` would miss
  // the commissions of later batches.
  const now = toInstant(clock.now());
  const records = new WorkingSet();
  const { fallen, sendJobs } = await services.database.transaction(async (db) => {
    preferIndexes(db);
    const fallen = await markCommissionsDue({ db, records }, now, falling);
    if (fallen.ids.length > 0) await collectCommissions({ db, records }, fallen.held, now, fallen.ids);
    return { fallen, sendJobs: await services.database.announcer.write(db, now, records.changes, SYSTEM_ACTOR) };
  });
  sendJobs(services.jobs);
  if (fallen.ids.length > 0) services.jobs.send('commission_counts');
  return fallen.ids.length;
}
