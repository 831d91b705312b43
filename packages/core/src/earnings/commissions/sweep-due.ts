import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { writeEvents } from '../../webhooks/events/emit.ts';
import { attachToOpenPayouts } from '../payout-records/open-payout.ts';
import { commissionSubjects } from './commission.events.ts';

/** Commissions per transaction: short enough that nobody waits long for an affiliate's lock. */
const BATCH = 5_000;

/**
 * Moves every commission whose time has come from pending to due, puts it into its affiliate's open payout, and announces
 * `commission.due`. Batches of ids in one transaction each; the rows themselves never leave PostgreSQL. Any number of
 * processes may sweep at once, and one that is killed loses only its last batch.
 *
 * @returns how many fell due
 */
export async function sweepDueCommissions(services: Services): Promise<number> {
  const now = toInstant(services.clock.now());
  let total = 0;
  for (let fallen = BATCH; fallen === BATCH; total += fallen) fallen = await sweepBatch(services, now);
  return total;
}

async function sweepBatch(services: Services, now: Instant): Promise<number> {
  const { ids, endpointIds } = await services.database.transaction(async (_em, db) => {
    const fallen = await claimFallenDue(db, now);
    if (fallen.length === 0) return { ids: fallen, endpointIds: [] };
    await attachToOpenPayouts(db, now, fallen);
    return { ids: fallen, endpointIds: await writeEvents(db, now, 'commission.due', commissionSubjects(fallen)) };
  });
  if (endpointIds.length > 0) services.wakeUps.deliveries(endpointIds);
  return ids.length;
}

/** Locks the affiliates first, in order (see `lockAffiliate`); those that another transaction holds are left for the next sweep. */
async function claimFallenDue(db: Db, now: Instant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with candidate as materialized (
      select id, affiliate_id from commission where state = 'pending' and due_at <= ${now} order by due_at limit ${BATCH}
    ), locked as materialized (
      select id from affiliate where id in (select affiliate_id from candidate) order by id for no key update skip locked
    )
    update commission set state = 'due', updated_at = ${now}
    from candidate
    where commission.id = candidate.id and commission.state = 'pending' and commission.due_at <= ${now}
      and candidate.affiliate_id in (select id from locked)
    returning commission.id`.execute(db);
  return rows.map(({ id }) => id);
}
