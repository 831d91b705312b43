import { sql } from 'kysely';
import { type Commission, isUnpaid } from '../ledger/commissions/commission.entity.ts';
import { findClaimedPayoutOf } from '../ledger/payouts/payout.transitions.ts';
import type { Sale } from '../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import type { Decision, HeldCommissions } from './decision.ts';
import { possibleDuplicates } from './duplicates.ts';

/**
 * Finds the ids of sales whose commissions must be kept out of payouts, because the merchant and the provider seem to have reported the
 * same sale. Of each such pair, returns the merchant's sale, or the provider's sale if the commission of the merchant's sale is claimed or
 * paid. A pair is skipped once a person has approved or voided one of its commissions.
 */
export async function findDuplicates(
  ctx: WriteCtx,
  decisions: ReadonlyMap<string, Decision>,
  held: HeldCommissions,
): Promise<Set<string>> {
  const earning = [...decisions.values()].filter(({ referral, refusal }) => referral !== null && refusal === null);
  const sales = earning.map(({ sale }) => sale);
  const named = await namedTwice(ctx, sales);
  const paired = new Set(named.flatMap(({ reported, told }) => [reported, told]));
  const alike = possibleDuplicates(sales.filter(({ id }) => !paired.has(id)));
  const flagged = new Set<string>();
  for (const { reported, told } of [...named, ...alike.map((pair) => ({ reported: pair.reported.id, told: pair.told.id }))]) {
    const [ours, theirs] = [held.get(reported), held.get(told)];
    if ([ours, theirs].some((each) => each !== undefined && isSettled(each))) continue;
    const stands = ours !== undefined && (!isUnpaid(ours) || (await findClaimedPayoutOf(ctx.db, ours.id)) !== null);
    flagged.add(stands ? told : reported);
  }
  return flagged;
}

/**
 * Finds pairs of sales (by id) with the same payment. The merchant reported one sale (`reported`) with only one of the payment's two ids,
 * the charge or the payment intent. The row of the payment in `psp_payment` refers to a different sale (`told`).
 */
async function namedTwice(ctx: WriteCtx, sales: readonly Sale[]): Promise<{ reported: string; told: string }[]> {
  const doubtful = sales.filter(
    (sale) => sale.external_id !== null && (sale.psp_charge_id === null) !== (sale.psp_payment_intent_id === null),
  );
  if (doubtful.length === 0) return [];
  const charges = doubtful.flatMap(({ psp_charge_id: id }) => (id === null ? [] : [id]));
  const intents = doubtful.flatMap(({ psp_payment_intent_id: id }) => (id === null ? [] : [id]));
  const { rows } = await sql<{ charge_id: string | null; payment_intent_id: string | null; sale_id: string }>`
    select charge_id, payment_intent_id, sale_id from psp_payment
    where account_id = ${ctx.accountId} and sale_id is not null
      and (charge_id = any (${charges}::text[]) or payment_intent_id = any (${intents}::text[]))`.execute(ctx.db);
  return doubtful.flatMap(({ id, psp_charge_id: charge, psp_payment_intent_id: intent }) => {
    const payment = rows.find((row) => (charge === null ? row.payment_intent_id === intent : row.charge_id === charge));
    return payment === undefined || payment.sale_id === id ? [] : [{ reported: id, told: payment.sale_id }];
  });
}

function isSettled(commission: Commission): boolean {
  return commission.review_status === 'approved' || (commission.state === 'voided' && !commission.voided_by_refund);
}
