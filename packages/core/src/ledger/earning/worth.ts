/**
 * What a sale is worth: gathers the facts that reward rules ask for, and applies the rules to them (docs/rules/rewards.md). A sale of a campaign
 * without rules is worth the campaign's base reward, without a statement.
 */
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { apportion } from '../../platform/money/money.ts';
import { type Instant, isBefore } from '../../platform/time/instant.ts';
import type { Campaign } from '../../program/campaigns/campaign.entity.ts';
import type { CampaignTerms } from '../../program/campaigns/campaign.transitions.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { rulesAt } from '../../rewards/rules/rule-versions.ts';
import { type Amount, amountOf } from '../../rewards/worth/amount-of.ts';
import { evaluate } from '../../rewards/worth/evaluate.ts';
import type { Line, SaleFacts } from '../../rewards/worth/facts.ts';
import type { Cap, Pay, Rule } from '../../rewards/worth/rule.ts';
import { linesAfterRefunds, wholeSale } from '../../rewards/worth/sale-lines.ts';
import type { LineTerms, Terms } from '../../rewards/worth/terms.ts';
import { periodOf, wholeMonths } from '../../rewards/worth/windows.ts';
import type { Commission } from '../commissions/commission.entity.ts';
import { saleAmountCents } from '../sales/sale-amount.ts';
import { decidedBy, type Sale } from '../sales/sale.entity.ts';
import { IS_LIVE_SALE, isLive } from '../sales/sale-mode.ts';

/** The terms of a commission, and what they pay for the sale as it is now. */
export interface Worth {
  terms: Terms;
  amount: Amount;
}

/** The columns of a referral on which rules depend. */
export type Referrer = Pick<Referral, 'id' | 'affiliate_id' | 'link_id'>;

/** The columns of a campaign that show whether it has rules. */
export type RewardingCampaign = Pick<Campaign, 'id' | 'rewarded_since'>;

/**
 * Decides what a sale earns that has not earned yet, by the rules and the base reward that were in force at its charge.
 *
 * @param base the terms of the campaign that apply to the sale
 */
export async function worthOf(
  ctx: WriteCtx,
  sale: Sale,
  referral: Referrer,
  campaign: RewardingCampaign,
  base: CampaignTerms,
): Promise<Worth> {
  const at = decidedBy(sale);
  if (campaign.rewarded_since === null || isBefore(at, campaign.rewarded_since)) {
    const terms = plainTerms(basePay(base), sale.currency);
    return { terms, amount: amountOf(terms, [saleAmountCents(sale)]) };
  }
  const [rules, lines, place] = await Promise.all([
    rulesAt(ctx, campaign.id, at),
    linesOf(ctx, sale),
    placeOf(ctx, sale, referral),
  ]);
  const facts: SaleFacts = {
    at,
    affiliate_id: referral.affiliate_id,
    link_id: referral.link_id,
    currency: sale.currency,
    lines: atCharge(sale, lines),
    codes: sale.promo_code === null ? [] : [sale.promo_code],
    country: place.country,
    metadata: {},
    sale_number: place.earlier_of_referral + 1,
    age_months: place.first_charged_at === null ? 0 : wholeMonths(place.first_charged_at, sale.charged_at),
    customer: place.earlier_of_customer === 0 ? 'new' : 'returning',
    tiers: [],
    used_cents: await usedCents(ctx, rules, sale, referral),
  };
  const { sale: terms } = evaluate({ rules, base: basePay(base) }, facts);
  return { terms, amount: amountOf(terms, linesAfterRefunds(saleAmountCents(sale), lines)) };
}

/** Computes what the frozen terms of a commission pay for its sale as it is now. */
export async function worthNow(ctx: WriteCtx, commission: Commission, sale: Sale): Promise<Worth> {
  if (commission.lines_currency === null) {
    const { basis_points, amount_cents, currency } = commission;
    const pay: Pay =
      basis_points === null ? { kind: 'fixed', amount_cents, currency, per: 'sale' } : { kind: 'percent', basis_points };
    const terms = plainTerms(pay, currency);
    return { terms, amount: amountOf(terms, [saleAmountCents(sale)]) };
  }
  const [lines, terms] = await Promise.all([linesOf(ctx, sale), frozenTerms(ctx, commission)]);
  return { terms, amount: amountOf(terms, linesAfterRefunds(saleAmountCents(sale), lines)) };
}

/** True if a rule decided about a line, or a line that the base reward decided earns something else. Such terms are kept by line. */
export function isOfRules({ lines }: Terms): boolean {
  return lines.some(({ rule_id, note }) => rule_id !== null || note !== null);
}

/** Returns what the base reward of a campaign pays. */
function basePay({ commission_basis_points, commission_amount_cents, commission_amount_currency }: CampaignTerms): Pay {
  if (commission_basis_points !== null) return { kind: 'percent', basis_points: commission_basis_points };
  if (commission_amount_cents === null || commission_amount_currency === null) return { kind: 'nothing' };
  return { kind: 'fixed', amount_cents: commission_amount_cents, currency: commission_amount_currency, per: 'sale' };
}

/** Returns the terms of a sale to which no rule applies. Its lines make no difference to what it earns. */
function plainTerms(pay: Pay, saleCurrency: string): Terms {
  const line: LineTerms = { line: 0, rule_id: null, rule_version: null, pay, quantity: 1, at_most_cents: null, note: null };
  return { kind: 'sale', currency: pay.kind === 'fixed' ? pay.currency : saleCurrency, lines: [line] };
}

/** A line of a sale, with the sum of the refunds that name it. */
type KeptLine = Line & { refunded_cents: number };

/** Loads the lines of a sale. A sale without known lines is one line. */
async function linesOf({ db, accountId }: WriteCtx, sale: Sale): Promise<KeptLine[]> {
  if (!sale.itemized) return [{ ...wholeSale(netAtCharge(sale)), refunded_cents: 0 }];
  return db
    .selectFrom('sale_line')
    .select(['product', 'price', 'interval', 'quantity', 'net_cents', 'refunded_cents'])
    .where('account_id', '=', accountId)
    .where('sale_id', '=', sale.id)
    .orderBy('line')
    .execute();
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

/** The place of a sale among those of its referral and its customer, and what is known about the visit. */
interface Place {
  earlier_of_referral: number;
  earlier_of_customer: number;
  first_charged_at: Instant | null;
  country: string | null;
}

/** Counts the sales before a sale. Sales of zero and excluded sales do not count. Live and test sales are counted separately. */
async function placeOf({ db, accountId }: WriteCtx, sale: Sale, referral: Referrer): Promise<Place> {
  const counts = sql`sale.account_id = ${accountId} and ${isLive(sale) ? IS_LIVE_SALE : sql`not ${IS_LIVE_SALE}`}
    and sale.charge_amount_cents > sale.tax_amount_cents and not sale.excluded
    and (sale.charged_at, sale.id) < (${sale.charged_at}::timestamptz, ${sale.id})`;
  const { rows } = await sql<Place>`
    select of_referral.n as earlier_of_referral, of_referral.first as first_charged_at,
      case when ${sale.customer_id}::text is null then of_referral.n
        else (select count(*) from sale where sale.customer_id = ${sale.customer_id} and ${counts}) end as earlier_of_customer,
      (select country from referral_source where referral_id = ${referral.id}) as country
    from (select count(*) as n, min(charged_at) as first from sale where sale.referral_id = ${referral.id} and ${counts}) of_referral`.execute(
    db,
  );
  return rows[0]!;
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

/**
 * Returns what each rule with a cap has paid already within the window of its cap, by the id of the rule. The affiliate is locked, so that two
 * sales at once cannot both take what is left.
 */
async function usedCents(
  { db, accountId }: WriteCtx,
  rules: readonly Rule[],
  sale: Sale,
  referral: Referrer,
): Promise<Record<string, number>> {
  const capped = rules.flatMap(({ id, cap }) => (cap === null || cap.per === 'sale' ? [] : [{ id, cap }]));
  if (capped.length === 0) return {};
  const sums = capped.map(
    ({ id, cap }) => sql`select ${id}::text as id, ${usedBy({ accountId, id, cap }, sale, referral)} as cents`,
  );
  const { rows } = await sql<{ id: string; cents: number }>`${sql.join(sums, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ id, cents }) => [id, cents]));
}

function usedBy({ accountId, id, cap }: { accountId: string; id: string; cap: Cap }, sale: Sale, referral: Referrer) {
  const { from, until } = periodOf(cap.window, sale.charged_at);
  const owner =
    cap.per === 'referral'
      ? sql`commission.referral_id = ${referral.id}`
      : sql`commission.affiliate_id = ${referral.affiliate_id}`;
  return sql`(
    select coalesce(sum(line.cents), 0)::bigint
    from commission_line line join commission on commission.id = line.commission_id join sale on sale.id = commission.sale_id
    where line.account_id = ${accountId} and line.rule_id = ${id} and ${owner} and commission.currency = ${cap.currency}
      and commission.livemode = ${isLive(sale)} and not commission.superseded and sale.id <> ${sale.id}
      and (commission.state <> 'voided' or commission.voided_by_refund)
      and (${from}::timestamptz is null or (sale.charged_at >= ${from} and sale.charged_at < ${until})))`;
}
