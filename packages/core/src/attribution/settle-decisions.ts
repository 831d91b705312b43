/** Settles what depends on tiers and on other sales: tiers, and the queued decisions about sales and leads (docs/rules/rewards.md#tiers). */
import { setTimeout } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { IS_STRANDED, voidStranded } from '../ledger/earning/milestones.ts';
import { contextOf, type DueTiers, noteEndedMonths, settleTiers } from '../ledger/earning/settle-tiers.ts';
import { IS_CLAIMED } from '../ledger/payouts/payout.transitions.ts';
import type { Ctx, Services, WriteCtx } from '../platform/call/context.ts';
import { inTransaction } from '../platform/call/transaction.ts';
import { Failures } from '../platform/sweeps/failures.ts';
import { ANY_CLAIM, attribute } from './attribute.ts';
import { lockCustomer } from './claims/customers.ts';

/** Rows that are loaded at once. */
const BATCH = 100;

/**
 * Settles the tiers of affiliates whose month has ended, or for whom a sale of an earlier month has become known or has changed, and makes the
 * queued decisions (`ledger/queued-decisions/queue-decisions.ts`). Each affiliate, sale and lead has a transaction of its own, so that a killed
 * process loses and repeats nothing. Returns the number of affiliates, sales and leads.
 *
 * @throws the first failure, after all others have been tried
 */
export function settleDueDecisions(services: Services, mustStop: () => boolean = () => false): Promise<number> {
  return settle(services, sql`true`, mustStop);
}

/** Does what `settleDueDecisions` does for one account. */
export function settleDueDecisionsOf(services: Services, accountId: string): Promise<number> {
  return settle(services, sql`account_id = ${accountId}`, () => false);
}

/** Milliseconds for which a call waits for decisions before it claims payouts. */
const MOST_BEFORE_CLAIMS = 2_000;

/**
 * Makes the queued decisions of an account before a call claims its payouts, so that a run or an export right after a correction pays what is
 * right by the facts (docs/rules/payouts.md#decisions-before-claims). Decisions that fail or take too long, e.g. because they wait for a lock, are
 * left to the worker. Does nothing in a preview.
 */
export async function settleBeforeClaims({ services, accountId, preview }: Ctx): Promise<void> {
  if (preview) return;
  let isLate = false;
  const decided = settle(services, sql`account_id = ${accountId}`, () => isLate).catch((err: unknown) =>
    services.log.warn({ err, accountId }, 'payouts claimed before all decisions were made'),
  );
  const timer = new AbortController();
  const late = setTimeout(MOST_BEFORE_CLAIMS, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([decided, late]);
  isLate = true;
  timer.abort();
}

async function settle(services: Services, accounts: RawBuilder<boolean>, mustStop: () => boolean): Promise<number> {
  const failures = new Failures(services, 'tiers or decisions not settled; will be retried');
  await noteEndedMonths(services, { accounts, failures }, mustStop);
  const attempt = async ({ account_id, key }: Due, work: (ctx: WriteCtx) => Promise<void>) => {
    const done = await failures.attempt({ account_id, key }, async () => {
      await inTransaction(await contextOf(services, account_id, key), work);
      return 1;
    });
    return done ?? 0;
  };
  let total = 0;
  // A sale that earns otherwise may count otherwise for the tiers of the months after it.
  for (let done = -1; done !== 0 && !mustStop(); total += done) {
    done = await forEach(
      mustStop,
      (last) => findAffiliates(services, accounts, last),
      async (due) => attempt(due, (ctx) => settleTiers(ctx, due)),
    );
    done += await forEach(
      mustStop,
      (last) => findSales(services, accounts, last),
      async (due) => attempt(due, (ctx) => decideAgain(ctx, due.key)),
    );
    done += await forEach(
      mustStop,
      (last) => findLeads(services, accounts, last),
      async (due) => attempt(due, (ctx) => decideLeadAgain(ctx, due.key)),
    );
    done += await forEach(
      mustStop,
      (last) => findMilestones(services, accounts, last),
      async (due) => attempt(due, (ctx) => voidStranded(ctx, { id: due.key, affiliate_id: due.affiliate_id })),
    );
  }
  failures.throwFirst();
  return total;
}

/** SQL condition: the unpaid commission of a row of `queued_sale_decision`, or a bonus of the sale, is in a claimed payout. */
const IS_SALE_CLAIMED = sql<boolean>`exists (
  select from commission where commission.sale_id = queued_sale_decision.sale_id and commission.state in ('pending', 'due') and ${IS_CLAIMED})`;

/** SQL condition: the unpaid reward of a row of `queued_lead_decision` is in a claimed payout. */
const IS_LEAD_CLAIMED = sql<boolean>`exists (
  select from commission where commission.referral_id = queued_lead_decision.referral_id and commission.kind = 'lead'
    and commission.state in ('pending', 'due') and ${IS_CLAIMED})`;

/** Work that is due. `key` orders the work of a kind. */
interface Due {
  account_id: string;
  key: string;
}

async function forEach<Row extends Due>(
  mustStop: () => boolean,
  find: (last: string) => Promise<Row[]>,
  work: (row: Row) => Promise<number>,
): Promise<number> {
  let done = 0;
  for (let rows = await find(''); rows.length > 0; rows = await find(rows.at(-1)!.key)) {
    for (const row of rows) {
      if (mustStop()) return done;
      done += await work(row);
    }
    if (rows.length < BATCH) break;
  }
  return done;
}

async function findAffiliates({ database }: Services, accounts: RawBuilder<boolean>, last: string): Promise<(DueTiers & Due)[]> {
  const { rows } = await sql<DueTiers & Due>`
    select * from (select account_id, affiliate_id, campaign_id, affiliate_id || ' ' || campaign_id as key from tier_check) due
    where ${accounts} and key > ${last} order by key limit ${BATCH}`.execute(database.kysely);
  return rows;
}

/**
 * Finds the sales to decide again. Those whose commission is in a claimed payout wait until it is paid or released, and those whose tiers are not
 * settled until they are.
 */
async function findSales({ database }: Services, accounts: RawBuilder<boolean>, last: string): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select account_id, sale_id as key from queued_sale_decision
    where ${accounts} and sale_id > ${last} and not ${IS_SALE_CLAIMED}
      and not exists (
        select from sale join referral on referral.id = sale.referral_id
        join tier_check on tier_check.affiliate_id = sale.affiliate_id and tier_check.campaign_id = referral.campaign_id
        where sale.id = queued_sale_decision.sale_id and sale.charged_at >= tier_check.due_from)
    order by sale_id limit ${BATCH}`.execute(database.kysely);
  return rows;
}

async function decideAgain(ctx: WriteCtx, saleId: string): Promise<void> {
  const clues = { customer: { source: 'merchant' as const, shown_at: ctx.now }, referral: null, referredId: null, promo: null };
  await attribute(ctx, { of: 'sale', saleId, clues, learn: () => Promise.resolve('rewards') });
  // Last, because the affiliate is locked now: the tiers of an affiliate are settled, sales reopened, and payouts claimed under this lock. A sale whose
  // payout has been claimed since the sale was found was not corrected, and waits.
  await ctx.db
    .deleteFrom('queued_sale_decision')
    .where('account_id', '=', ctx.accountId)
    .where('sale_id', '=', saleId)
    .where(sql<boolean>`not ${IS_SALE_CLAIMED}`)
    .execute();
}

/** Finds the leads to decide again. Those whose reward is in a claimed payout wait until it is paid or released. */
async function findLeads({ database }: Services, accounts: RawBuilder<boolean>, last: string): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select account_id, referral_id as key from queued_lead_decision
    where ${accounts} and referral_id > ${last} and not ${IS_LEAD_CLAIMED}
    order by referral_id limit ${BATCH}`.execute(database.kysely);
  return rows;
}

/** Finds the milestones that became unpaid after their affiliate had lost all sales that could count for them. */
async function findMilestones(
  { database }: Services,
  accounts: RawBuilder<boolean>,
  last: string,
): Promise<(Due & { affiliate_id: string })[]> {
  const { rows } = await sql<Due & { affiliate_id: string }>`
    with commission as materialized (select * from commission where ${accounts} and contested is not null)
    select account_id, affiliate_id, id as key from commission where id > ${last} and ${IS_STRANDED} order by id limit ${BATCH}`.execute(
    database.kysely,
  );
  return rows;
}

async function decideLeadAgain(ctx: WriteCtx, referralId: string): Promise<void> {
  const found = await findLead(ctx, referralId);
  if (found !== null) {
    const customer = await lockCustomer(ctx, found);
    // The customer was merged into another one before the lock was granted. The next round finds the other one.
    if ((await findLead(ctx, referralId)) !== found) return;
    await attribute(ctx, { of: 'customer', customer, change: ANY_CLAIM });
  }
  // Last, because the affiliate is locked now, as for sales.
  await ctx.db
    .deleteFrom('queued_lead_decision')
    .where('account_id', '=', ctx.accountId)
    .where('referral_id', '=', referralId)
    .where(sql<boolean>`not ${IS_LEAD_CLAIMED}`)
    .execute();
}

/** Returns the id of the customer for whom a referral was named, or null. */
async function findLead({ db, accountId }: WriteCtx, referralId: string): Promise<string | null> {
  const claim = await db
    .selectFrom('attribution_claim')
    .select('customer_id')
    .where('account_id', '=', accountId)
    .where('referral_id', '=', referralId)
    .where('kind', '=', 'link')
    .orderBy('id')
    .executeTakeFirst();
  return claim?.customer_id ?? null;
}
