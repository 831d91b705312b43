/** Flags what many public leads from one network earn (docs/rules/intake.md#many-leads-from-one-network). */
import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Services, WriteCtx } from '../platform/call/context.ts';
import { type Held, advisoryLock } from '../platform/call/locks.ts';
import { inTransaction, systemContext } from '../platform/call/transaction.ts';
import type { MustStop } from '../platform/db/purge.ts';
import { Failures } from '../platform/sweeps/failures.ts';
import { plusDays, plusMilliseconds } from '../platform/time/instant.ts';
import { ANYTHING, attribute } from './attribute.ts';
import { lockCustomer } from './claims/customers.ts';

/** Number of leads from one network within `WITHIN_MS` that are too many to come from different people. */
const CROWD = 20;
const WITHIN_MS = 600_000;
/** Days for which the network of a lead is remembered. */
const REMEMBERED_DAYS = 1;
/** Number of leads that one statement finds. */
const BATCH = 100;

/** A network whose leads are being counted. */
interface CountedNetwork {
  /** Hash of the network, with a secret key. */
  network: string;
  held: Held<'leads of network'>;
}

/** Takes the lock on the leads of the account from a network, so that each of them sees the earlier ones. */
export async function lockNetwork(ctx: WriteCtx, network: string): Promise<CountedNetwork> {
  const key = ctx.services.secrets.derive('networks of leads');
  const hash = createHmac('sha256', key).update(`${ctx.accountId} ${network}`).digest('base64url');
  return { network: hash, held: await advisoryLock(ctx, 'leads of network', hash) };
}

/** Notes that a lead from a network has made a claim on a referral. If the leads of the network are many, lets a worker flag what all of them earn. */
export async function noteLead(
  { db, accountId, now, services, afterCommit }: WriteCtx,
  { network }: CountedNetwork,
  referralId: string,
): Promise<void> {
  await db
    .insertInto('lead_network')
    .values({
      referral_id: referralId,
      account_id: accountId,
      network,
      crowded: false,
      flagged: false,
      reported_at: now,
      expires_at: plusDays(now, REMEMBERED_DAYS),
    })
    .onConflict((conflict) => conflict.column('referral_id').doNothing())
    .execute();
  const since = plusMilliseconds(now, -WITHIN_MS);
  const { numAffectedRows } = await sql`
    with recent as (
      select referral_id, crowded from lead_network
      where account_id = ${accountId} and network = ${network} and reported_at > ${since}::timestamptz)
    update lead_network set crowded = true
    where referral_id in (select referral_id from recent where not crowded) and (select count(*) from recent) >= ${CROWD}`.execute(
    db,
  );
  if (Number(numAffectedRows) > 0) afterCommit(() => services.jobs.send('crowded_leads'));
}

/**
 * Flags the claims and the commissions of crowded leads, each in a transaction of its own. Returns the number of leads.
 *
 * @throws the first failure, after all other leads have been tried
 */
export async function flagCrowdedLeads(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const failures = new Failures(services, 'lead not flagged; will be retried');
  const failed: string[] = [];
  let flagged = 0;
  for (;;) {
    const due = await services.database.kysely
      .selectFrom('lead_network')
      .innerJoin('attribution_claim as claim', 'claim.referral_id', 'lead_network.referral_id')
      .select(['lead_network.referral_id', 'lead_network.account_id', 'claim.customer_id'])
      .where('lead_network.crowded', '=', true)
      .where('lead_network.flagged', '=', false)
      .where('claim.kind', '=', 'link')
      .where(sql<boolean>`lead_network.referral_id <> all (${failed}::text[])`)
      .orderBy('lead_network.reported_at')
      .limit(BATCH)
      .execute();
    const before = flagged;
    for (const lead of due) {
      if (mustStop()) return flagged;
      const { account_id, referral_id } = lead;
      const isFlagged = await failures.attempt({ account_id, referral_id }, () => flagLead(services, lead));
      if (isFlagged) flagged += 1;
      if (isFlagged === undefined) failed.push(referral_id);
    }
    // Leads whose customer was merged in the meantime are left to the next sweep.
    if (due.length < BATCH || flagged === before) break;
  }
  failures.throwFirst();
  return flagged;
}

/** Flags the claim of a lead, and decides about its customer again. Returns false if the customer was merged into another one in the meantime. */
function flagLead(
  services: Services,
  { referral_id, account_id, customer_id }: { referral_id: string; account_id: string; customer_id: string },
): Promise<boolean> {
  return inTransaction(systemContext(services, account_id, randomUUID()), async (ctx) => {
    const customer = await lockCustomer(ctx, customer_id);
    const { numUpdatedRows } = await ctx.db
      .updateTable('attribution_claim')
      .set({ crowded: true })
      .where('customer_id', '=', customer_id)
      .where('kind', '=', 'link')
      .where('referral_id', '=', referral_id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await attribute(ctx, { of: 'customer', customer, change: ANYTHING });
    await ctx.db.updateTable('lead_network').set({ flagged: true }).where('referral_id', '=', referral_id).execute();
    return true;
  });
}
