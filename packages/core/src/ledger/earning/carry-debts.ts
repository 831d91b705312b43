/**
 * Carries debts of archived affiliates over to affiliates who have joined again with the same email address
 * (docs/rules/ledger.md#debts). Two manual commissions move a debt, so that the books of both affiliates stay complete.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Services, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import type { Db } from '../../platform/db/database.ts';
import { Failures } from '../../platform/sweeps/failures.ts';
import { type HeldAffiliates, lockAffiliates } from '../affiliate-lock.ts';
import { IS_OPEN } from '../payouts/payout.entity.ts';
import { bookBalances } from './book-commission.ts';

/** The negative open payout of an archived affiliate whose address belongs to another affiliate now. */
interface Debt {
  account_id: string;
  debtor_id: string;
  affiliate_id: string;
  /** Negative. */
  amount_cents: number;
  currency: string;
  livemode: boolean;
}

/**
 * Carries the debts of archived affiliates over to the affiliate who has joined with their address.
 *
 * @param formerIds ids of the archived affiliates
 */
export async function carryDebts(ctx: WriteCtx, affiliateId: string, formerIds: readonly string[]): Promise<void> {
  const held = await lockAffiliates(ctx, [affiliateId, ...formerIds]);
  const of = sql`debtor.account_id = ${ctx.accountId} and debtor.id = any (${formerIds}) and affiliate.id = ${affiliateId}`;
  for (const debt of await findDebts(ctx.db, of)) await carry(ctx, held, debt);
}

/**
 * Carries debts over that arose after the affiliate had joined again, e.g. by a late refund, or whose address another affiliate got by a
 * change. Each debt is carried in a transaction of its own, and a failure leaves the other debts alone. Returns the number of debts carried.
 *
 * @throws the first failure, after all other debts have been tried
 */
export async function carryLateDebts(services: Services, mustStop: () => boolean = () => false): Promise<number> {
  const late = await findDebts(services.database.kysely, sql`true`);
  const failures = new Failures(services, 'debt not carried over; will be retried');
  let carried = 0;
  for (const { account_id, affiliate_id, debtor_id } of late) {
    if (mustStop()) break;
    await failures.attempt({ account_id, affiliate_id: debtor_id }, async () => {
      await inTransaction(systemContext(services, account_id, debtor_id), (ctx) => carryDebts(ctx, affiliate_id, [debtor_id]));
      carried += 1;
    });
  }
  failures.throwFirst();
  return carried;
}

async function findDebts(db: Db, which: RawBuilder<unknown>): Promise<Debt[]> {
  const { rows } = await sql<Debt>`
    select debtor.account_id, debtor.id as debtor_id, affiliate.id as affiliate_id,
      payout.amount_cents, payout.currency, payout.livemode
    from payout join affiliate debtor on debtor.id = payout.affiliate_id
    join affiliate on affiliate.account_id = debtor.account_id and lower(affiliate.email) = lower(debtor.email)
    where ${IS_OPEN} and payout.amount_cents < 0 and debtor.archived_at is not null and affiliate.archived_at is null and ${which}
    order by payout.id`.execute(db);
  return rows;
}

function carry(ctx: WriteCtx, held: HeldAffiliates, debt: Debt): Promise<void> {
  const { debtor_id, affiliate_id, amount_cents, currency, livemode } = debt;
  return bookBalances(ctx, held, [
    {
      affiliate_id: debtor_id,
      amount_cents: -amount_cents,
      currency,
      livemode,
      note: `Balance carried over to the affiliate ${affiliate_id}, who has joined with the same email address.`,
    },
    {
      affiliate_id,
      amount_cents,
      currency,
      livemode,
      note: `Balance of the archived affiliate ${debtor_id}, who has the same email address.`,
    },
  ]);
}
