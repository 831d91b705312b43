import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';

/**
 * Puts commissions that may be paid (due, not flagged, in no payout yet) into the open payout of their affiliate and
 * currency, which is made when there is none. Two statements, for one commission or for thousands.
 *
 * The caller holds the affiliates' locks. A payout that is being claimed at this moment is not open any more once its row can be
 * had: the commission then starts the next one.
 */
export async function attachToOpenPayouts(db: Db, now: Instant, commissionIds: readonly string[]): Promise<void> {
  const payable = sql`
    commission.id = any (${commissionIds}) and commission.state = 'due' and commission.review_status is distinct from 'suspicious'
    and not exists (select from payout_item where commission_id = commission.id)`;
  await sql`
    insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, created_at, updated_at)
    select new_id('payout', ${now}::timestamptz), account_id, affiliate_id, currency, 'open', sum(amount_cents), count(*), ${now}, ${now}
    from commission where ${payable}
    group by account_id, affiliate_id, currency order by affiliate_id, currency
    on conflict (affiliate_id, currency) where status = 'open' do update set
      amount_cents = payout.amount_cents + excluded.amount_cents,
      commissions_count = payout.commissions_count + excluded.commissions_count,
      updated_at = excluded.updated_at`.execute(db);
  // The payouts are locked by the statement above. Joining its result instead of the table would have no index to use.
  await sql`
    insert into payout_item (commission_id, payout_id)
    select commission.id, payout.id
    from commission join payout using (affiliate_id, currency)
    where ${payable} and payout.status = 'open'`.execute(db);
}

/** Takes commissions out of the open payouts they are in, at the amounts they have now; those in claimed or paid payouts stay. */
export async function detachFromOpenPayouts(db: Db, now: Instant, commissionIds: readonly string[]): Promise<void> {
  await sql`
    with left_payout as (
      delete from payout_item item using payout
      where item.payout_id = payout.id and payout.status = 'open' and item.commission_id = any (${commissionIds})
      returning item.commission_id, item.payout_id
    ), change as (
      select payout_id, sum(amount_cents) as amount_cents, count(*) as commissions_count
      from left_payout join commission on commission.id = commission_id group by payout_id
    )
    update payout set
      amount_cents = payout.amount_cents - change.amount_cents,
      commissions_count = payout.commissions_count - change.commissions_count,
      updated_at = ${now}
    from change where payout.id = change.payout_id`.execute(db);
}

/** The payout that holds a commission, if any; locked, so that its status stays as it is. */
export async function payoutOf(
  db: Db,
  commissionId: string,
): Promise<{ id: string; status: 'open' | 'processing' | 'paid' } | null> {
  const row = await db
    .selectFrom('payout_item')
    .innerJoin('payout', 'payout.id', 'payout_item.payout_id')
    .select(['payout.id', 'payout.status'])
    .where('commission_id', '=', commissionId)
    .forUpdate(['payout'])
    .executeTakeFirst();
  return row ?? null;
}
