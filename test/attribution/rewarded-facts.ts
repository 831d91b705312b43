/** Facts about a customer of the affiliates A and B. `facts` has campaigns in which reward rules decide. Times are days, as in the stories of `random-facts.ts`. */
import { BEGINNING } from '../../packages/core/src/attribution/decide/earners.ts';
import type {
  AffiliateFact,
  CampaignFact,
  ClaimFact,
  Facts,
  RewardFacts,
  SaleFact,
  TermsVersion,
} from '../../packages/core/src/attribution/decide/facts.ts';
import type { Commission } from '../../packages/core/src/ledger/commissions/commission.entity.ts';
import type { Sale } from '../../packages/core/src/ledger/sales/sale.entity.ts';
import type { RuleVersion } from '../../packages/core/src/rewards/rules/rule-versions.ts';
import { day, ID_1, NO_SALE } from './random-facts.ts';

/** 20 % of each sale, due after 30 days. */
export const TERMS: TermsVersion = {
  archived: false,
  commission_basis_points: 2_000,
  commission_amount_cents: null,
  commission_amount_currency: null,
  max_commissions: null,
  max_commission_period_months: null,
  days_until_commissions_are_due: 30,
  attribution: 'first_click',
  days_before_referrals_expire: 60,
};

export const usd = (amount_cents: number) => ({ kind: 'fixed', amount_cents, currency: 'USD', per: 'sale' }) as const;
export const percent = (share: number) => ({ kind: 'percent', basis_points: share * 100 }) as const;

/** A rule of both campaigns that is in force from the beginning. */
export function rule(id: string, more: Partial<RuleVersion> = {}): RuleVersion {
  return {
    id,
    campaign_id: 'campaign A',
    version: 1,
    in_force_from: day(0),
    ended: false,
    event: 'sale',
    link_id: null,
    affiliate_id: null,
    position: 0,
    when: {},
    pay: percent(30),
    apply: 'instead',
    cap: null,
    milestone: null,
    hold_days: null,
    from: null,
    until: null,
    ...more,
  };
}

/** A visit by the link of an affiliate on a day, which counts for 60 days. */
export function link(who: 'A' | 'B', from: number, more: Partial<ClaimFact> = {}): ClaimFact {
  const id = `referral ${who}${from}`;
  return {
    key: id,
    source: null,
    kind: 'link',
    affiliate_id: who,
    campaign_id: `campaign ${who}`,
    from: day(from),
    madeAt: day(from),
    expiresAt: day(from + 60),
    deactivatedAt: null,
    inactive: [],
    convertedAt: null,
    lastClick: false,
    beforeLink: false,
    referral_id: id,
    named_id: id,
    code: null,
    psp_promotion_code_id: null,
    sale_id: null,
    isTest: false,
    isProven: true,
    lead: null,
    isCrowded: false,
    isAssigned: false,
    standsFor: [],
    namedBy: [ID_1],
    ...more,
  };
}

/** A charge of 10.00 dollars on a day, which the provider tells. */
export function sale(at: number, more: Partial<Sale> = {}, fact: Partial<SaleFact> = {}): SaleFact {
  return {
    sale: {
      ...NO_SALE,
      id: `sale ${at}`,
      charged_at: day(at),
      created_at: day(390),
      updated_at: day(390),
      names: [`charge:ch_${at}`],
      livemode: true,
      charge_amount_cents: 1_000,
      ...more,
    },
    payer: { ids: [ID_1], emails: [], references: [] },
    isCreated: false,
    reopenedBy: null,
    isOnlyCounted: false,
    commission: null,
    isClaimed: false,
    endedByHand: new Map(),
    ...fact,
  };
}

/** The commission that a sale has by the link of an affiliate. */
export function commission(of: ClaimFact, amount_cents: number, more: Partial<Commission> = {}): Commission {
  return {
    id: `commission of ${of.key}`,
    affiliate_id: of.affiliate_id,
    campaign_id: of.campaign_id,
    referral_id: of.referral_id,
    amount_cents,
    currency: 'USD',
    basis_points: null,
    livemode: true,
    imported_cents: null,
    lines_currency: null,
    state: 'pending',
    voided_by_refund: false,
    review_status: null,
    review_reason: null,
    due_at: day(33),
    due_by_hand: false,
    ...more,
  } as Commission;
}

interface Given {
  now?: number;
  claims: readonly ClaimFact[];
  sales?: readonly SaleFact[];
  rules: readonly RuleVersion[];
  rewards?: Partial<RewardFacts>;
  customer?: Partial<NonNullable<Facts['customer']>> | null;
  /** The affiliate A. */
  state?: AffiliateFact['versions'];
  campaign?: Partial<CampaignFact>;
  reopensLeads?: boolean;
}

export function facts({ now = 200, claims, sales = [], rules, rewards, customer = {}, state, campaign, ...more }: Given): Facts {
  const active: AffiliateFact['versions'] = { current: { state: 'active', archived: false }, former: [] };
  return {
    now: day(now),
    customer: customer && {
      id: 'customer',
      emails: [],
      hasUnverifiedEmail: false,
      exclusions: [],
      joins: [],
      boundReferralId: null,
      ...customer,
    },
    claims,
    sales,
    affiliates: new Map(
      ['A', 'B'].map((id) => [
        id,
        { id, emails: [`${id.toLowerCase()}@example.com`], versions: id === 'A' ? (state ?? active) : active },
      ]),
    ),
    campaigns: new Map(
      ['campaign A', 'campaign B'].map((id) => [
        id,
        {
          id,
          rewarded_since: day(0),
          rules_revision: 'revision',
          versions: { current: TERMS, former: [] },
          shadow: { current: { is_shadow: false }, former: [] },
          ...campaign,
        },
      ]),
    ),
    reopensLeads: more.reopensLeads ?? false,
    before: BEGINNING,
    rewards: {
      rules: new Map(['campaign A', 'campaign B'].map((id) => [id, rules])),
      lines: new Map(),
      own: new Map(),
      bonuses: new Map(),
      tiers: new Map(),
      leads: new Map(),
      referrers: new Map(),
      history: [],
      inOrderOfCaps: sales.map((each) => each.sale.id),
      paid: [],
      ...rewards,
    },
  };
}
