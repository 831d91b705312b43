import { deepEqual } from 'node:assert/strict';
import { add } from './ledger.ts';
import type { Walk } from './walk.ts';

/** Checks the invariants that hold after any operation. */
export async function check(walk: Walk): Promise<void> {
  deepEqual(
    (await walk.api().payoutRuns.reconcile({ lookback_days: 3650 })).discrepancies.filter(({ code }) => code !== 'run_stuck'),
    [],
  );

  const notOnce = await walk.rows(`
    select commission.id, commission.state, payout.status from commission
    left join payout_item item on item.commission_id = commission.id left join payout on payout.id = item.payout_id
    where commission.account_id = $1 and case
      when commission.state = 'due' and commission.review_status is distinct from 'suspicious' then payout.status is null or payout.status = 'paid'
      when commission.state = 'voided' then false
      when commission.review_reason = 'dispute' and payout.status = 'processing' then false
      when payout.status = 'paid' then commission.state <> 'paid'
      else payout.id is not null
    end`);
  deepEqual(notOnce, []);

  // A dispute holds the unpaid credits of its sale while it is open, unless a person approved them, and nothing afterwards.
  const wronglyHeld = await walk.rows(`
    select commission.id, commission.state, commission.review_status, commission.review_reason, sale.disputed
    from commission join sale on sale.id = commission.sale_id
    where commission.account_id = $1 and case
      when not sale.disputed then commission.review_reason = 'dispute'
      else commission.state in ('pending', 'due') and commission.amount_cents > 0 and not commission.superseded
        and commission.affiliate_id = sale.affiliate_id and commission.review_status is distinct from 'suspicious'
        and (commission.review_status, commission.review_reason) is distinct from ('approved', 'dispute')
    end`);
  deepEqual(wronglyHeld, []);

  // An affiliate who is active again has no commissions that are flagged because of a suspicion.
  const stillSuspected = await walk.rows(`
    select commission.id from commission join affiliate on affiliate.id = commission.affiliate_id
    where commission.account_id = $1 and affiliate.state = 'active' and commission.state in ('pending', 'due')
      and commission.review_status = 'suspicious' and commission.review_reason = 'suspicious_affiliate'`);
  deepEqual(stillSuspected, []);

  const announced = await walk.rows<{
    payout_id: string;
    affiliate_id: string;
    currency: string;
    livemode: boolean;
    cents: number;
    times: number;
  }>(`
    select subject_id as payout_id, (body::json -> 'data' ->> 'livemode')::boolean as livemode, body::json -> 'data' ->> 'affiliate_id' as affiliate_id, body::json -> 'data' ->> 'currency' as currency,
      (body::json -> 'data' ->> 'amount_cents')::int as cents, (count(*) over (partition by subject_id))::int as times
    from event where account_id = $1 and type = 'payout.paid'`);
  deepEqual(
    announced.filter(({ times }) => times !== 1),
    [],
  );
  const paid = await walk.rows<{ id: string }>(`select id from payout where account_id = $1 and status in ('paid', 'returned')`);
  deepEqual(announced.map(({ payout_id }) => payout_id).toSorted(byText), paid.map(({ id }) => id).toSorted(byText));

  const returned = await walk.rows<{ payout_id: string; times: number }>(`
    select subject_id as payout_id, count(*)::int as times from event where account_id = $1 and type = 'payout.returned' group by subject_id`);
  deepEqual(
    returned.filter(({ times }) => times !== 1),
    [],
  );
  const gone = await walk.rows<{ id: string }>(`select id from payout where account_id = $1 and status = 'returned'`);
  const returnedIds = new Set(returned.map(({ payout_id }) => payout_id));
  deepEqual([...returnedIds].toSorted(byText), gone.map(({ id }) => id).toSorted(byText));

  const outstanding = await walk.rows<{ affiliate_id: string; currency: string; livemode: boolean; cents: number }>(`
    select affiliate_id, currency, livemode, amount_cents::int as cents from payout where account_id = $1 and status in ('open', 'processing')
    union all
    select affiliate_id, currency, livemode, amount_cents::int from commission
    where account_id = $1 and state in ('pending', 'due') and not exists (select from payout_item where commission_id = commission.id)`);
  const money = walk.ledger.handPaid();
  const kept = announced.filter(({ payout_id }) => !returnedIds.has(payout_id));
  for (const { affiliate_id: affiliateId, ...amount } of [...kept, ...outstanding]) add(money, { affiliateId, ...amount });
  // Paid and outstanding amounts must equal the earnings of all sales and manual commissions.
  deepEqual(withoutZeros(money), withoutZeros(walk.ledger.earned()));
}

function withoutZeros(sums: Map<string, number>): Map<string, number> {
  return new Map([...sums].filter(([, cents]) => cents !== 0));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
