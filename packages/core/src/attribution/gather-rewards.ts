/** Loads what reward rules depend on, for the sales of a decision. Campaigns without rules cost no statement. */
import { sql } from 'kysely';
import { tiersAt } from '../ledger/earning/tiers.ts';
import type { KeptLine } from '../ledger/earning/worth.ts';
import { IS_CLAIMED } from '../ledger/payouts/payout.transitions.ts';
import { IS_LIVE_SALE } from '../ledger/sales/sale-mode.ts';
import { isLive } from '../ledger/sales/sale-mode.ts';
import { decidedBy } from '../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { laterOf } from '../platform/time/instant.ts';
import { type RuleVersion, versionsUntil } from '../rewards/rules/rule-versions.ts';
import { tiersOf } from '../rewards/tiers/tier.queries.ts';
import { tierKey, timesOf } from './facts.ts';
import type {
  CampaignFact,
  ClaimFact,
  CountedSale,
  CustomerFact,
  LeadFact,
  PaidByRule,
  PaidOnTop,
  ReferrerFact,
  RewardFacts,
  SaleFact,
} from './facts.ts';

type Reader = Pick<WriteCtx, 'db' | 'accountId' | 'now'>;

interface Decided {
  customer: CustomerFact | null;
  claims: readonly ClaimFact[];
  sales: readonly SaleFact[];
  campaigns: ReadonlyMap<string, CampaignFact>;
}

/** Loads the facts for reward rules. Null if no campaign of the claims has rules, and none decided about a commission. */
export async function gatherRewards(reader: Reader, decided: Decided): Promise<RewardFacts | null> {
  const { customer, claims, sales, campaigns } = decided;
  const withRules = [...campaigns.values()].filter(({ rewarded_since }) => rewarded_since !== null).map(({ id }) => id);
  const commissionIds = sales.flatMap(({ commission }) => (commission?.lines_currency == null ? [] : [commission.id]));
  if (withRules.length === 0 && commissionIds.length === 0) return null;
  const saleIds = sales.map(({ sale }) => sale.id);
  const referralIds = claims.flatMap(({ referral_id }) => referral_id ?? []);
  const until = sales.map(({ sale }) => decidedBy(sale)).reduce(laterOf, reader.now);
  const versions = await versionsUntil(reader, withRules, until);
  const capped = versions.filter(({ cap }) => cap !== null && cap.per !== 'sale').map(({ id }) => id);
  const tiered = versions.filter(({ when }) => when.tier !== undefined).map(({ campaign_id }) => campaign_id);
  const mayPayOnTop = versions.some(({ apply }) => apply === 'on_top');
  const mayPayLeads = versions.some(({ event }) => event === 'lead');
  const [tiers, lines, own, bonuses, leads, referrers, history, paid] = await Promise.all([
    tiered.length === 0 ? new Map<string, string[]>() : findTiers(reader, decided, tiered),
    findLines(reader, saleIds),
    findOwn(reader, commissionIds),
    mayPayOnTop ? findBonuses(reader, saleIds) : new Map<string, PaidOnTop[]>(),
    mayPayLeads ? findLeads(reader, referralIds) : new Map<string, LeadFact>(),
    findReferrers(reader, referralIds),
    findHistory(reader, { referralIds, customerId: customer?.id ?? null, saleIds }),
    capped.length === 0 ? [] : findPaid(reader, { ruleIds: capped, referralIds, claims, saleIds }),
  ]);
  return {
    rules: Map.groupBy(versions, ({ campaign_id }) => campaign_id) satisfies Map<string, RuleVersion[]>,
    lines,
    tiers,
    own,
    bonuses,
    leads,
    referrers,
    history,
    paid,
  };
}

/** Finds the tiers of the affiliates at each charge that has no commission yet, and at each claim, which may reward a lead. */
async function findTiers(
  reader: Reader,
  { claims, sales }: Decided,
  campaignIds: readonly string[],
): Promise<Map<string, string[]>> {
  const tiers = await tiersOf(reader, [...new Set(campaignIds)]);
  const found = new Map<string, string[]>();
  for (const { affiliate_id: affiliateId, campaign_id: campaignId, madeAt } of claims) {
    if (!campaignIds.includes(campaignId)) continue;
    const charges = sales.flatMap((fact) => timesOf(fact).map((at) => ({ at, livemode: isLive(fact.sale) })));
    for (const { at, livemode } of [...charges, { at: madeAt, livemode: true }]) {
      const key = tierKey(affiliateId, campaignId, livemode, at);
      if (!found.has(key)) found.set(key, await tiersAt(reader, tiers, { affiliateId, campaignId, livemode }, at));
    }
  }
  return found;
}

async function findLines({ db, accountId }: Reader, saleIds: readonly string[]): Promise<Map<string, KeptLine[]>> {
  const { rows } = await sql<KeptLine & { sale_id: string }>`
    select sale_id, product, price, interval, quantity, net_cents, refunded_cents from sale_line
    where account_id = ${accountId} and sale_id = any (${saleIds}::text[]) order by sale_id, line`.execute(db);
  return Map.groupBy(rows, ({ sale_id }) => sale_id);
}

/** Returns what each rule pays for the commissions of the sales, by the id of the commission. Null stands for the base reward. */
async function findOwn({ db, accountId }: Reader, commissionIds: readonly string[]): Promise<RewardFacts['own']> {
  if (commissionIds.length === 0) return new Map();
  const { rows } = await sql<{ commission_id: string; rule_id: string | null; cents: number }>`
    select commission_id, rule_id, sum(cents)::bigint as cents from commission_line
    where account_id = ${accountId} and commission_id = any (${commissionIds}::text[]) group by 1, 2`.execute(db);
  return Map.groupBy(rows, ({ commission_id }) => commission_id);
}

async function findBonuses({ db, accountId }: Reader, saleIds: readonly string[]): Promise<RewardFacts['bonuses']> {
  const { rows } = await sql<PaidOnTop & { sale_id: string }>`
    select sale_id, commission.rule_id, affiliate_id, referral_id, currency, livemode as is_live, sum(line.cents)::bigint as cents
    from commission join commission_line line on line.commission_id = commission.id
    where commission.account_id = ${accountId} and sale_id = any (${saleIds}::text[]) and kind = 'bonus' and not superseded
      and (state <> 'voided' or voided_by_refund)
    group by commission.id`.execute(db);
  return Map.groupBy(rows, ({ sale_id }) => sale_id);
}

async function findLeads({ db, accountId }: Reader, referralIds: readonly string[]): Promise<RewardFacts['leads']> {
  const { rows } = await sql<LeadFact & { referral_id: string }>`
    select id, referral_id, state, review_status, review_reason, due_at, ${IS_CLAIMED} as is_claimed from commission
    where account_id = ${accountId} and referral_id = any (${referralIds}::text[]) and kind = 'lead' and not superseded`.execute(
    db,
  );
  return new Map(rows.map(({ referral_id, ...lead }) => [referral_id, lead]));
}

async function findReferrers({ db, accountId }: Reader, referralIds: readonly string[]): Promise<Map<string, ReferrerFact>> {
  const { rows } = await sql<ReferrerFact & { id: string }>`
    select referral.id, referral.link_id, source.country from referral left join referral_source source on source.referral_id = referral.id
    where referral.account_id = ${accountId} and referral.id = any (${referralIds}::text[])`.execute(db);
  return new Map(rows.map(({ id, ...referrer }) => [id, referrer]));
}

/** Loads the sales of the referrals and the customer, other than the decided ones. */
async function findHistory(
  { db, accountId }: Reader,
  { referralIds, customerId, saleIds }: { referralIds: readonly string[]; customerId: string | null; saleIds: readonly string[] },
): Promise<CountedSale[]> {
  const { rows } = await sql<CountedSale>`
    select id, referral_id, customer_id, charged_at, ${IS_LIVE_SALE} as is_live from sale
    where account_id = ${accountId} and (referral_id = any (${referralIds}::text[]) or customer_id = ${customerId})
      and charge_amount_cents > tax_amount_cents and not excluded and id <> all (${saleIds}::text[])`.execute(db);
  return rows;
}

/** Returns what capped rules have paid for other sales, by owner of the cap and month. */
async function findPaid(
  { db, accountId }: Reader,
  {
    ruleIds,
    referralIds,
    claims,
    saleIds,
  }: { ruleIds: readonly string[]; referralIds: readonly string[]; claims: readonly ClaimFact[]; saleIds: readonly string[] },
): Promise<PaidByRule[]> {
  const affiliateIds = claims.map(({ affiliate_id }) => affiliate_id);
  const { rows } = await sql<PaidByRule>`
    select line.rule_id, commission.affiliate_id,
      case when commission.referral_id = any (${referralIds}::text[]) then commission.referral_id end as referral_id,
      commission.currency, commission.livemode as is_live, wire_time(date_trunc('month', sale.charged_at, 'UTC')) as month,
      sum(line.cents)::bigint as cents
    from commission_line line join commission on commission.id = line.commission_id join sale on sale.id = commission.sale_id
    where line.account_id = ${accountId} and line.rule_id = any (${ruleIds}::text[]) and commission.affiliate_id = any (${affiliateIds}::text[])
      and not commission.superseded and (commission.state <> 'voided' or commission.voided_by_refund) and sale.id <> all (${saleIds}::text[])
    group by 1, 2, 3, 4, 5, 6`.execute(db);
  return rows;
}
