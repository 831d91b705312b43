/** Loads what reward rules depend on, for the sales of a decision. Campaigns without rules cost no statement. */
import { sql } from 'kysely';
import { tiersAt } from '../../ledger/earning/count-sales.ts';
import type { KeptLine } from '../../ledger/earning/worth.ts';
import { IS_CLAIMED } from '../../ledger/payouts/payout.transitions.ts';
import { IS_LIVE_SALE, IS_PURCHASE, isLive, KIND_OF_SALE, SALE_KINDS } from '../../ledger/sales/sale.entity.ts';
import { linesOfDraft } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { earlierOf, laterOf } from '../../platform/time/instant.ts';
import { type RuleVersion, versionsOf } from '../../rewards/rules/rule-versions.ts';
import { tiersOf } from '../../rewards/tiers/tier.ts';
import { dependsOnHistory, hasSharedCap } from '../../rewards/worth/rule.ts';
import { type Period, periodOf } from '../../rewards/worth/windows.ts';
import {
  byOrderOfCaps,
  type CampaignFact,
  CHARGE_KEY,
  chargeKey,
  type ClaimFact,
  type CountedSale,
  type CustomerFact,
  isSettled,
  type LeadFact,
  type PaidByLines,
  type PaidByRule,
  type PaidOnTop,
  type ReferrerFact,
  type RewardFacts,
  type SaleFact,
  tierKey,
  timesOf,
} from '../decide/facts.ts';

type Reader = Pick<WriteCtx, 'db' | 'accountId' | 'now'>;

interface Decided {
  customer: CustomerFact | null;
  claims: readonly ClaimFact[];
  sales: readonly SaleFact[];
  campaigns: ReadonlyMap<string, CampaignFact>;
}

/** Loads the facts on which reward rules depend. Null if no campaign of the claims has rules, and none decided about a commission. */
export async function gatherRewards(reader: Reader, decided: Decided): Promise<RewardFacts | null> {
  const { customer, claims, sales, campaigns } = decided;
  const isInvolved = [...campaigns.values()].some(({ rewarded_since }) => rewarded_since !== null);
  const commissionIds = sales.flatMap(({ commission }) => (commission?.lines_currency == null ? [] : [commission.id]));
  if (!isInvolved && commissionIds.length === 0) return null;
  const saleIds = sales.map(({ sale }) => sale.id);
  const referralIds = claims.flatMap(({ referral_id }) => referral_id ?? []);
  const ruled = [...campaigns.values()].flatMap(({ id, rules_revision: revision }) =>
    revision === null ? [] : [{ id, revision }],
  );
  const versions = await versionsOf(reader, ruled);
  const tiered = versions.filter(({ when }) => when.tier !== undefined).map(({ campaign_id }) => campaign_id);
  const mayPayOnTop = versions.some(({ apply }) => apply === 'on_top');
  const mayPayLeads = versions.some(({ event }) => event === 'lead');
  const dependsOnReferrer = versions.some(({ link_id, when }) => link_id !== null || when.countries !== undefined);
  const mayDependOnHistory = versions.some(dependsOnHistory);
  const inOrderOfCaps = sales.toSorted(byOrderOfCaps);
  const [tiers, lines, own, bonuses, leads, referrers, history, paid] = await Promise.all([
    tiered.length === 0 ? new Map<string, string[]>() : findTiers(reader, decided, tiered),
    findLines(reader, sales),
    findOwn(reader, commissionIds),
    mayPayOnTop ? findBonuses(reader, saleIds) : new Map<string, PaidOnTop[]>(),
    mayPayLeads ? findLeads(reader, referralIds) : new Map<string, LeadFact>(),
    dependsOnReferrer ? findReferrers(reader, referralIds) : new Map<string, ReferrerFact>(),
    mayDependOnHistory
      ? findHistory(reader, {
          referralIds,
          customerId: customer?.id ?? null,
          saleIds,
          places: toldApart(versions),
          modes: [...new Set(sales.map(({ sale }) => isLive(sale)))],
        })
      : [],
    findPaid(reader, { versions, claims, referralIds, sales: inOrderOfCaps, customerId: customer?.id ?? null }),
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
    inOrderOfCaps: inOrderOfCaps.map(({ sale }) => sale.id),
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

/** Returns the lines of the sales whose lines are known. Those of a sale that this transaction records are not stored yet. */
async function findLines({ db, accountId }: Reader, sales: readonly SaleFact[]): Promise<Map<string, KeptLine[]>> {
  const drafts = new Map<string, KeptLine[]>();
  for (const { sale } of sales) {
    const lines = linesOfDraft(sale);
    if (lines !== null)
      drafts.set(
        sale.id,
        lines.map((line) => ({ ...line, refunded_cents: 0 })),
      );
  }
  const ids = sales.flatMap(({ sale: { id, itemized } }) => (itemized && !drafts.has(id) ? [id] : []));
  if (ids.length === 0) return drafts;
  const { rows } = await sql<KeptLine & { sale_id: string }>`
    select sale_id, product, price, interval, quantity, net_cents, refunded_cents from sale_line
    where account_id = ${accountId} and sale_id = any (${ids}::text[]) order by sale_id, line`.execute(db);
  return new Map([...Map.groupBy(rows, ({ sale_id }) => sale_id), ...drafts]);
}

/** Returns what each rule pays for the commissions of the sales, by the id of the commission. Null stands for the base reward. */
async function findOwn({ db, accountId }: Reader, commissionIds: readonly string[]): Promise<RewardFacts['own']> {
  if (commissionIds.length === 0) return new Map();
  const { rows } = await sql<PaidByLines & { commission_id: string }>`
    select commission_id, rule_id, sum(cents)::bigint as cents, max(at_most_cents) as at_most_cents from commission_line
    where account_id = ${accountId} and commission_id = any (${commissionIds}::text[]) group by 1, 2`.execute(db);
  return Map.groupBy(rows, ({ commission_id }) => commission_id);
}

async function findBonuses({ db, accountId }: Reader, saleIds: readonly string[]): Promise<RewardFacts['bonuses']> {
  const { rows } = await sql<PaidOnTop & { sale_id: string }>`
    select commission.id, contested, sale_id, commission.rule_id, affiliate_id, referral_id, currency, livemode as is_live, state = 'paid' as is_paid,
      sum(line.cents)::bigint as cents, max(line.at_most_cents) as at_most_cents
    from commission join commission_line line on line.commission_id = commission.id
    where commission.account_id = ${accountId} and sale_id = any (${saleIds}::text[]) and kind = 'bonus' and not superseded
      and (state <> 'voided' or voided_by_refund)
    group by commission.id`.execute(db);
  return Map.groupBy(rows, ({ sale_id }) => sale_id);
}

async function findLeads({ db, accountId }: Reader, referralIds: readonly string[]): Promise<RewardFacts['leads']> {
  const { rows } = await sql<LeadFact & { referral_id: string }>`
    select id, referral_id, state, review_status, review_reason, due_at, due_by_hand, rule_id, amount_cents, currency, contested, ${IS_CLAIMED} as is_claimed from commission
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

/** The part of the past sales that rules can distinguish. */
interface PastSales {
  referralIds: readonly string[];
  customerId: string | null;
  /** The ids of the decided sales, which are not past. */
  saleIds: readonly string[];
  /** Number of the first sales of a referral that rules tell apart (`toldApart`). */
  places: number;
  /** The modes of the decided sales. */
  modes: readonly boolean[];
}

/**
 * Returns the number of the first sales of a referral that rules tell apart: the largest number in a condition about `sale_number`. Any later sale is
 * like the one after these. The first sale, from which the age of a referral counts, is always one of them.
 */
function toldApart(versions: readonly RuleVersion[]): number {
  return Math.max(1, ...versions.flatMap(({ when: { sale_number: range } }) => [range?.from ?? 1, range?.to ?? 1]));
}

/**
 * Loads of the sales other than the decided ones the first of each referral, as many as rules tell apart, and the first of the customer. More are not
 * needed, and a customer may have thousands.
 */
async function findHistory(
  { db, accountId }: Reader,
  { referralIds, customerId, saleIds, places, modes }: PastSales,
): Promise<CountedSale[]> {
  const counted = sql`${IS_PURCHASE} and sale.id <> all (${saleIds}::text[])`;
  const columns = sql`sale.id, sale.account_id, sale.referral_id, sale.customer_id, sale.charged_at, ${CHARGE_KEY} as key, ${IS_LIVE_SALE} as is_live`;
  // The account is a condition of the outer query: PostgreSQL would otherwise go through all sales of the account in the order of their times.
  const { rows } = await sql<CountedSale>`
    select id, key, referral_id, customer_id, charged_at, is_live from (
      select first.* from unnest(${referralIds}::text[]) referral (id) cross join unnest(${modes}::boolean[]) mode (is_live)
      cross join lateral (
        select ${columns} from sale where sale.referral_id = referral.id and ${IS_LIVE_SALE} = mode.is_live and ${counted}
        order by sale.charged_at, ${CHARGE_KEY} limit ${places}::bigint
      ) first
      union
      select first.* from unnest(array[${SALE_KINDS.test}, ${SALE_KINDS.merchant}, ${SALE_KINDS.provider}]::int[]) kind (of)
      cross join lateral (
        select ${columns} from sale where sale.customer_id = ${customerId} and ${KIND_OF_SALE} = kind.of and ${counted}
        order by sale.charged_at, ${CHARGE_KEY} limit 1
      ) first
    ) found
    where account_id = ${accountId}`.execute(db);
  return rows;
}

/** The caps of rules, with the sales of the decision. */
interface Capped {
  versions: readonly RuleVersion[];
  claims: readonly ClaimFact[];
  referralIds: readonly string[];
  /** In the order of caps. */
  sales: readonly SaleFact[];
  customerId: string | null;
}

/** Returns what capped rules have paid for other sales, by owner of the cap, month and place in the order of caps. Reads only the sales in the windows of the caps. */
async function findPaid(
  { db, accountId }: Reader,
  { versions, claims, referralIds, sales, customerId }: Capped,
): Promise<PaidByRule[]> {
  const capped = versions.filter(hasSharedCap);
  if (capped.length === 0 || sales.length === 0) return [];
  const affiliateIds = [...new Set(claims.map(({ affiliate_id }) => affiliate_id))];
  const saleIds = sales.map(({ sale }) => sale.id);
  // Versions of one rule may have caps of both kinds. The sales of the affiliate contain those of the referral.
  const ofAffiliate = new Set(capped.filter(({ cap }) => cap!.per === 'affiliate').map(({ id }) => id));
  const owners = [
    { rules: capped.filter(({ id }) => ofAffiliate.has(id)), sold: [{ ids: affiliateIds, owner: sql`affiliate_id` }] },
    {
      rules: capped.filter(({ id }) => !ofAffiliate.has(id)),
      sold: [
        { ids: referralIds, owner: sql`referral_id` },
        { ids: customerId === null ? [] : [customerId], owner: sql`customer_id` },
      ],
    },
  ].filter(({ rules }) => rules.length > 0);
  const found = await Promise.all(
    owners.map(({ rules, sold }) => {
      const { from, until } = windowOf(rules, sales);
      // Without `offset` and `materialized`, PostgreSQL would begin with all sales of the time, or with all that a rule has paid.
      const parts = sold.map(
        ({ ids, owner }) => sql`
          select sale.id, account_id, customer_id, charged_at, key
          from unnest(${ids}::text[]) own (id) cross join lateral (
            select id, account_id, customer_id, charged_at, ${CHARGE_KEY} as key from sale
            where sale.${owner} = own.id
              and charged_at >= ${from ?? '-infinity'}::timestamptz and charged_at < ${until ?? 'infinity'}::timestamptz offset 0
          ) sale`,
      );
      return sql<PaidByRule>`
        with sold as materialized (${sql.join(parts, sql` union `)}), earned as materialized (
          select commission.id, affiliate_id, referral_id, currency, livemode, date_trunc('month', charged_at, 'UTC') as month, (
              select count(*)::int from unnest(${sales.map((each) => !isSettled(each))}::bool[], ${sales.map(({ sale }) => sale.charged_at)}::timestamptz[],
                ${sales.map(({ sale }) => chargeKey(sale))}::text[]) decided (is_open, charged_at, key)
              where (decided.is_open, decided.charged_at, decided.key) < (state in ('pending', 'due') and not ${IS_CLAIMED}, sold.charged_at, sold.key)
            ) as place,
            (referral_id = any (${referralIds}::text[]) or sold.customer_id = ${customerId}) is true as is_of_person
          from sold join commission on commission.sale_id = sold.id
          where sold.account_id = ${accountId} and sold.id <> all (${saleIds}::text[]) and affiliate_id = any (${affiliateIds}::text[]) and not superseded and (state <> 'voided' or voided_by_refund)
        )
        select rule_id, affiliate_id, case when referral_id = any (${referralIds}::text[]) then referral_id end as referral_id, is_of_person, currency,
          livemode as is_live, wire_time(month) as month, place, sum(cents)::bigint as cents
        from earned join commission_line line on line.commission_id = earned.id
        where rule_id = any (${rules.map(({ id }) => id)}::text[])
        group by 1, 2, 3, 4, 5, 6, 7, 8`.execute(db);
    }),
  );
  return found.flatMap(({ rows }) => rows);
}

/** Returns the time within which lie all windows of the caps at the charges. */
function windowOf(rules: readonly RuleVersion[], sales: readonly SaleFact[]): Period {
  const windows = rules.flatMap(({ cap }) => sales.map(({ sale }) => periodOf(cap!.window, sale.charged_at)));
  const isEver = windows.some(({ from }) => from === null);
  if (isEver) return { from: null, until: null };
  return {
    from: windows.map(({ from }) => from!).reduce(earlierOf),
    until: windows.map(({ until }) => until!).reduce(laterOf),
  };
}
