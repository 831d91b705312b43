/**
 * The worth of sales and their commissions: applies rules, the base reward and frozen terms to sales (docs/rules/rewards.md).
 */
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { apportion, proportionOf } from '../../platform/money/money.ts';
import type { CampaignTerms } from '../../program/campaigns/campaign.service.ts';
import { type Amount, amountOf, basePay } from '../../rewards/worth/amount-of.ts';
import { evaluate } from '../../rewards/worth/evaluate.ts';
import type { Line, SaleFacts } from '../../rewards/worth/evaluate.ts';
import type { Cap, Pay, Rule } from '../../rewards/worth/rule.ts';
import type { LineTerms, Terms } from '../../rewards/worth/rule.ts';
import { linesAfterRefunds, wholeSale } from '../../rewards/worth/sale-lines.ts';
import { periodOf } from '../../rewards/worth/windows.ts';
import type { Commission } from '../commissions/commission.entity.ts';
import { type Sale, saleAmountCents } from '../sales/sale.entity.ts';

/** The terms of a commission, and what they pay for the sale as it is now. */
export interface Worth {
  terms: Terms;
  amount: Amount;
}

/** The worth of a sale: its commission, and the amounts that rules pay on top of it. */
export interface SaleWorth extends Worth {
  bonuses: readonly Worth[];
}

/** A line of a sale, with the sum of the refunds that name it. */
export type KeptLine = Line & { refunded_cents: number };

/** The facts about a sale that are not in its record and its lines. */
export type FactsAround = Omit<SaleFacts, 'currency' | 'lines' | 'metadata'>;

/** Returns what a sale is worth to which no rule applies: the base reward of the campaign. */
export function plainWorth(sale: Sale, base: CampaignTerms): SaleWorth {
  const terms = plainTerms(basePay(base), sale.currency);
  return { terms, amount: amountOf(terms, [saleAmountCents(sale)]), bonuses: [] };
}

/**
 * Returns what a sale is worth by rules.
 *
 * @param known the lines of the sale, or null if they are not known
 */
export function worthByRules(
  sale: Sale,
  known: readonly KeptLine[] | null,
  rules: readonly Rule[],
  base: CampaignTerms,
  around: FactsAround,
): SaleWorth {
  const lines = known ?? oneLine(sale);
  const facts: SaleFacts = {
    ...around,
    currency: sale.currency,
    lines: atCharge(sale, lines),
    metadata: sale.metadata,
  };
  const { sale: terms, bonuses } = evaluate({ rules, base: basePay(base) }, facts);
  const nets = linesAfterRefunds(saleAmountCents(sale), lines);
  const worthOf = (of: Terms): Worth => ({ terms: of, amount: amountOf(of, nets) });
  return { ...worthOf(terms), bonuses: bonuses.map(worthOf) };
}

/** Returns what is owed now for a commission about which no rule decided. */
export function keptByBase(commission: Commission, sale: Sale): number {
  if (commission.imported_cents !== null) return importedWorth(commission.imported_cents, sale);
  return amountOf(baseTerms(commission), [saleAmountCents(sale)]).cents;
}

/**
 * Returns what is owed now for an imported commission: the imported amount, as long as the sale has no refunds but those from before the import. Later
 * refunds take the same fraction of it as of what the customer had paid by then.
 */
function importedWorth(importedCents: number, sale: Sale): number {
  const paid = sale.charge_amount_cents - (sale.imported_refund_cents ?? 0);
  if (paid <= 0) return importedCents;
  return proportionOf(importedCents, sale.charge_amount_cents - sale.refund_amount_cents, paid);
}

/** Computes what the frozen terms of a commission pay for its sale as it is now. */
export async function worthNow(ctx: WriteCtx, commission: Commission, sale: Sale): Promise<Worth> {
  if (commission.lines_currency === null) {
    const terms = baseTerms(commission);
    if (commission.imported_cents !== null)
      return { terms, amount: { cents: importedWorth(commission.imported_cents, sale), lines: [] } };
    return { terms, amount: amountOf(terms, [saleAmountCents(sale)]) };
  }
  const [lines, terms] = await Promise.all([linesOf(ctx, sale), frozenTerms(ctx, commission)]);
  const nets = linesAfterRefunds(saleAmountCents(sale), lines);
  const amount = amountOf(terms, nets);
  if (terms.lines.every(({ at_most_cents }) => at_most_cents === null)) return { terms, amount };
  const capped = await withinCaps(ctx, { terms, amount }, commission, sale);
  return capped === null ? { terms, amount } : { terms: capped, amount: amountOf(capped, nets) };
}

/** Returns the terms of a commission about which no rule decided. */
function baseTerms({ basis_points, amount_cents, currency }: Commission): Terms {
  if (basis_points !== null) return plainTerms({ kind: 'percent', basis_points }, currency);
  return plainTerms({ kind: 'fixed', amount_cents, currency, per: 'sale' }, currency);
}

/** True if a rule decided about a line, or a line that the base reward decided earns something else. Such terms are kept by line. */
export function isOfRules({ lines }: Terms): boolean {
  return lines.some(({ rule_id, note }) => rule_id !== null || note !== null);
}

/** Returns the terms of a sale to which no rule applies. Its lines make no difference to what it earns. */
function plainTerms(pay: Pay, saleCurrency: string): Terms {
  const line: LineTerms = { line: 0, rule_id: null, rule_version: null, pay, quantity: 1, at_most_cents: null, note: null };
  return { kind: 'sale', currency: pay.kind === 'fixed' ? pay.currency : saleCurrency, lines: [line] };
}

/** Loads the lines of a sale. A sale without known lines is one line. */
async function linesOf({ db, accountId }: WriteCtx, sale: Sale): Promise<KeptLine[]> {
  if (!sale.itemized) return oneLine(sale);
  return db
    .selectFrom('sale_line')
    .select(['product', 'price', 'interval', 'quantity', 'net_cents', 'refunded_cents'])
    .where('account_id', '=', accountId)
    .where('sale_id', '=', sale.id)
    .orderBy('line')
    .execute();
}

function oneLine(sale: Sale): KeptLine[] {
  return [{ ...wholeSale(netAtCharge(sale)), refunded_cents: 0 }];
}

function netAtCharge({ charge_amount_cents, tax_amount_cents }: Sale): number {
  return charge_amount_cents - tax_amount_cents;
}

/** Returns the lines as they were at the charge. If the amount or the tax of the sale was corrected since, the lines follow in proportion. */
function atCharge(sale: Sale, lines: readonly KeptLine[]): Line[] {
  const nets = apportion(
    netAtCharge(sale),
    lines.map(({ net_cents }) => net_cents),
  );
  return lines.map(({ refunded_cents: _, ...line }, i) => ({ ...line, net_cents: nets[i]! }));
}

async function frozenTerms({ db, accountId }: WriteCtx, { id, currency }: Commission): Promise<Terms> {
  const lines = await db
    .selectFrom('commission_line')
    .select(['line', 'rule_id', 'rule_version', 'pay', 'quantity', 'at_most_cents', 'note'])
    .where('account_id', '=', accountId)
    .where('commission_id', '=', id)
    .orderBy('line')
    .execute();
  return { kind: 'sale', currency, lines };
}

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
async function withinCaps(
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
