import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Amount } from '../../rewards/worth/amount-of.ts';
import type { Cap } from '../../rewards/worth/rule.ts';
import type { Terms } from '../../rewards/worth/terms.ts';
import { periodOf } from '../../rewards/worth/windows.ts';
import type { Commission } from '../commissions/commission.entity.ts';
import type { Sale } from '../sales/sale.entity.ts';

/** The cap of a rule that decided about lines of a commission. */
interface CapOfRule {
  rule_id: string;
  cap: Cap;
  /** Payment of the rule for the commission, and the amount of its lines, in cents, before the sale changes. */
  own_cents: number;
  base_cents: number;
}

/**
 * Sets what frozen terms pay at most to what the caps of their rules have left, for the rules of whose lines more is left than before: the sale was
 * corrected upward, or its refund failed. Since the charge, other sales may have used up a cap, or refunds may have freed it. Nothing that the commission
 * has is taken away (docs/rules/rewards.md#amounts). The affiliate is locked by this transaction.
 *
 * @param worth the terms, and what they would pay now
 * @returns the terms, or null if they stay
 */
export async function withinCaps(
  ctx: WriteCtx,
  { terms, amount }: { terms: Terms; amount: Amount },
  commission: Commission,
  sale: Sale,
): Promise<Terms | null> {
  const left = new Map<string, number>();
  for (const { rule_id, cap, own_cents, base_cents } of await findCaps(ctx, commission)) {
    const base = terms.lines.reduce((sum, line, i) => sum + (line.rule_id === rule_id ? amount.lines[i]!.base_cents : 0), 0);
    if (base <= base_cents) continue;
    const others = await paidForOthers(ctx, rule_id, cap, commission, sale);
    left.set(rule_id, Math.max(own_cents, cap.amount_cents - others));
  }
  if (left.size === 0) return null;
  const lines = terms.lines.map((line) => {
    const cents = line.rule_id === null ? undefined : left.get(line.rule_id);
    return cents === undefined || line.at_most_cents === null ? line : { ...line, at_most_cents: cents };
  });
  return { ...terms, lines };
}

/** Returns the caps for more than one sale by which the terms of a commission are limited. */
async function findCaps({ db, accountId }: WriteCtx, { id }: Commission): Promise<CapOfRule[]> {
  const { rows } = await sql<CapOfRule>`
    select line.rule_id, version.cap, sum(line.cents)::bigint as own_cents, sum(line.base_cents)::bigint as base_cents
    from commission_line line
    join reward_rule_version version on version.rule_id = line.rule_id and version.version = line.rule_version
    where line.account_id = ${accountId} and line.commission_id = ${id} and line.at_most_cents is not null
      and version.cap ->> 'per' <> 'sale'
    group by line.rule_id, version.cap`.execute(db);
  return rows;
}

/** Returns what a rule pays for the other commissions that share its cap, in cents. */
async function paidForOthers(
  { db, accountId }: WriteCtx,
  ruleId: string,
  { per, currency, window }: Cap,
  { id, affiliate_id, referral_id, livemode }: Commission,
  sale: Sale,
): Promise<number> {
  const { from, until } = periodOf(window, sale.charged_at);
  const { rows } = await sql<{ cents: number }>`
    with sold as materialized (
      select id, customer_id from sale
      where account_id = ${accountId} and affiliate_id = ${affiliate_id}
        and charged_at >= ${from ?? '-infinity'}::timestamptz and charged_at < ${until ?? 'infinity'}::timestamptz
    )
    select coalesce(sum(line.cents), 0)::bigint as cents
    from sold join commission on commission.sale_id = sold.id join commission_line line on line.commission_id = commission.id
    where commission.account_id = ${accountId} and commission.affiliate_id = ${affiliate_id} and commission.id <> ${id}
      and (${per === 'affiliate'} or commission.referral_id = ${referral_id} or sold.customer_id = ${sale.customer_id}) and commission.livemode = ${livemode}
      and commission.currency = ${currency} and not commission.superseded
      and (commission.state <> 'voided' or commission.voided_by_refund) and line.rule_id = ${ruleId}`.execute(db);
  return rows[0]!.cents;
}
