import { sql } from 'kysely';
import { type DueTiers, noteEndedMonths, settleTiers } from '../ledger/earning/settle-tiers.ts';
import type { Services } from '../platform/call/context.ts';
import { inTransaction, systemContext } from '../platform/call/transaction.ts';

/** Rows that are loaded at once. */
const BATCH = 100;

/**
 * Settles the tiers of affiliates whose month has ended, or for whom a sale of an earlier month has become known or has changed
 * (docs/rules/rewards.md#tiers). Each affiliate has a transaction of its own, so that a killed process loses and repeats nothing. Returns the number
 * of affiliates.
 *
 * @throws the first failure, after all others have been tried
 */
export async function settleDueTiers(services: Services, mustStop: () => boolean = () => false): Promise<number> {
  await noteEndedMonths(services, mustStop);
  const failures: unknown[] = [];
  let settled = 0;
  let last = { affiliate_id: '', campaign_id: '' };
  for (;;) {
    const due = await findDue(services, last);
    for (const each of due) {
      if (mustStop()) return settled;
      try {
        await inTransaction(systemContext(services, each.account_id, each.affiliate_id), (ctx) => settleTiers(ctx, each));
        settled += 1;
      } catch (err) {
        services.log.error({ err, affiliate_id: each.affiliate_id }, 'tiers not settled; will be retried');
        failures.push(err);
      }
    }
    if (due.length < BATCH) break;
    last = due.at(-1)!;
  }
  if (failures.length > 0) throw failures[0];
  return settled;
}

async function findDue({ database }: Services, { affiliate_id, campaign_id }: Omit<DueTiers, 'account_id'>): Promise<DueTiers[]> {
  const { rows } = await sql<DueTiers>`
    select account_id, affiliate_id, campaign_id from tier_check
    where (affiliate_id, campaign_id) > (${affiliate_id}, ${campaign_id})
    order by affiliate_id, campaign_id limit ${BATCH}`.execute(database.kysely);
  return rows;
}
