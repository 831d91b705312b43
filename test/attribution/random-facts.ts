/** Random facts about one customer and two affiliates, and the state that they leave if they arrive one by one. */
import { decide, type Verdict } from '../../packages/core/src/attribution/decide/decide.ts';
import { BEGINNING, type Checkpoint } from '../../packages/core/src/attribution/decide/earners.ts';
import { versionAt } from '../../packages/core/src/attribution/decide/eligibility.ts';
import type {
  AffiliateFact,
  CampaignFact,
  ClaimFact,
  Facts,
  Payer,
  SaleFact,
  TermsVersion,
} from '../../packages/core/src/attribution/decide/facts.ts';
import type { Commission, ReviewReason } from '../../packages/core/src/ledger/commissions/commission.entity.ts';
import { flagFor } from '../../packages/core/src/ledger/earning/flag-commission.ts';
import { keptByBase } from '../../packages/core/src/ledger/earning/worth.ts';
import type { Sale } from '../../packages/core/src/ledger/sales/sale.entity.ts';
import { wholeSecond } from '../../packages/core/src/platform/time/instant.ts';
import { type Join, withJoins } from '../../packages/core/src/program/customer-identities/customer-identity.ts';
import type { Random } from '../support/random.ts';

const START = Date.UTC(2026, 0, 1);
export const day = (n: number): string => new Date(START + Math.round(n * 86_400) * 1_000).toISOString();
const NOW = day(400);

/** Two ids of the customer at the provider. */
export const [ID_1, ID_2] = ['psp_customer_id cus_1', 'psp_customer_id cus_2'] as const;

/** The facts known from the beginning: the affiliates and campaigns with their versions, and the settings. */
export interface Program {
  affiliates: AffiliateFact[];
  campaigns: CampaignFact[];
  exclusions: { at: string; excluded: boolean }[];
  emails: string[];
  hasUnverifiedEmail: boolean;
}

/** Something that becomes known. Refunds, disputes and assignments become known after their sale. */
export type Fact =
  | { kind: 'claim'; claim: ClaimFact }
  | { kind: 'join'; join: Join }
  | { kind: 'sale'; sale: Sale; payer: Payer }
  | { kind: 'refund'; sale: string; cents: number }
  | { kind: 'dispute'; sale: string; isOpen: boolean }
  | { kind: 'mode'; sale: string; livemode: boolean }
  | { kind: 'time'; sale: string; at: string }
  | { kind: 'exclusion'; sale: string }
  | { kind: 'assignment'; sale: string; claim: ClaimFact };

export interface Story {
  program: Program;
  facts: Fact[];
}

export const NO_SALE = {
  account_id: 'account',
  imported_at: null,
  imported_refund_cents: null,
  referral_id: null,
  affiliate_id: null,
  customer_id: 'customer',
  external_id: null,
  report: null,
  named_referral_id: null,
  assigned_referral_id: null,
  connection_id: null,
  names: [] as string[],
  name_of_group: null,
  promo_code: null,
  psp_promotion_code_id: null,
  livemode: null,
  tax_amount_cents: 0,
  refund_amount_cents: 0,
  credit_note_refund_cents: 0,
  credit_note_tax_cents: 0,
  disputed: false,
  tax_ignored: false,
  currency: 'USD',
  description: null,
  no_commission_reason: 'no_referral',
  limits: null,
  reconsidered_at: null,
  redated_from: null,
  repeats_sale_id: null,
  uncounted_refund_cents: null,
  excluded: false,
  paid_outside: null,
  itemized: false,
  metadata: {},
  contested: null,
} as const;

/** Creates a random story. The affiliates change their states, and the campaigns their terms, during the story. */
export function randomStory(random: Random, { hasPeriods = true } = {}): Story {
  const pick = <T>(...from: T[]): T => random.pick(from)!;
  const terms = (): TermsVersion => ({
    archived: random.chance(0.1),
    commission_basis_points: pick(0, 1_000, 2_000, 3_333),
    commission_amount_cents: null,
    commission_amount_currency: null,
    max_commissions: pick(null, null, null, 1, 2),
    max_commission_period_months: hasPeriods ? pick(null, null, null, 1, 3) : null,
    days_until_commissions_are_due: 30,
    attribution: pick('first_click', 'last_click'),
    days_before_referrals_expire: pick(30, 60),
  });
  const former = <V>(value: () => V) => (random.chance(0.3) ? [{ ...value(), until: day(random.int(1, 300) / 2) }] : []);
  const state = () => ({ state: pick('active', 'active', 'active', 'suspicious', 'disabled', 'pending'), archived: false });
  const isTyped = random.chance(0.3);
  const isShadow = (probability: number) => ({ is_shadow: random.chance(probability) });
  const shadow = { current: isShadow(0.05), former: former(() => isShadow(0.5)) };
  const program: Program = {
    affiliates: ['A', 'B'].map((id) => ({
      id,
      emails: [`${id.toLowerCase()}@example.com`],
      versions: { current: state(), former: former(state) },
    })) as AffiliateFact[],
    campaigns: ['A', 'B'].map((id) => ({
      id: `campaign ${id}`,
      rewarded_since: null,
      rules_revision: null,
      versions: { current: terms(), former: former(terms) },
      shadow,
    })) as CampaignFact[],
    exclusions: random.chance(0.1) ? [{ at: day(random.int(1, 150)), excluded: true }] : [],
    emails: [...(random.chance(0.1) ? ['a@example.com'] : []), ...(isTyped ? ['typed@example.com'] : [])],
    hasUnverifiedEmail: isTyped,
  };
  const beforeLink = random.chance(0.3);
  const sales = Array.from({ length: pick(1, 2, 3, 4) }, (_, nth) => randomSale(random, nth));
  const claimOf = (nth: number, kind: 'link' | 'code', from: string, more: Partial<ClaimFact> = {}): ClaimFact => {
    const who = pick('A', 'B');
    const id = `referral ${nth}`;
    const isLink = kind === 'link';
    return {
      key: isLink ? id : `code ${nth}`,
      source: null,
      kind,
      affiliate_id: who,
      campaign_id: `campaign ${who}`,
      from,
      madeAt: from,
      expiresAt: day((Date.parse(from) - START) / 86_400_000 + pick(20, 60)),
      deactivatedAt: random.chance(0.05) ? day(random.int(1, 150)) : null,
      inactive: random.chance(0.05) ? [{ from: day(40), until: day(60) }] : [],
      convertedAt: null,
      lastClick: isLastClickAt(program, `campaign ${who}`, from),
      beforeLink: !isLink && beforeLink,
      referral_id: isLink ? id : null,
      named_id: isLink ? id : null,
      code: isLink ? null : `CODE${nth}`,
      psp_promotion_code_id: isLink ? null : `promo_${nth}`,
      sale_id: null,
      isTest: false,
      isProven: true,
      lead: null,
      isCrowded: false,
      isAssigned: false,
      standsFor: [],
      namedBy: pick([ID_1], [ID_1, ID_2], ['merchant'], []),
      ...more,
    };
  };
  const facts: Fact[] = [];
  for (let nth = random.int(1, 3); nth > 0; nth -= 1) {
    const from = random.int(1, 240) / 2;
    const madeAt = day(from + pick(0, 0, 10, 40));
    const isLead = random.chance(0.3);
    const lead = isLead ? { at: day(from + pick(0, 5, 30)), from: day(from) } : null;
    const isProven = !isLead || random.chance(0.5);
    const claim = claimOf(nth, 'link', day(from), {
      madeAt: isProven ? madeAt : lead!.at,
      isProven,
      lead,
      isCrowded: isLead && random.chance(0.3),
    });
    facts.push({ kind: 'claim', claim });
  }
  // The ids turn out to be of one person, perhaps by several facts.
  for (let nth = pick(0, 1, 1, 2); nth > 0; nth -= 1)
    facts.push({ kind: 'join', join: { of: [ID_1, ID_2], at: day(random.int(0, 300) / 2) } });
  for (const [nth, sale] of sales.entries()) {
    const references = random.chance(0.2) ? ['referral 1'] : [];
    facts.push({ kind: 'sale', sale, payer: { ids: pick([ID_1], [ID_2], []), emails: [], references } });
    if (random.chance(0.3)) {
      const claim = claimOf(10 + nth, 'code', sale.charged_at, { sale_id: sale.id, isTest: sale.livemode === false });
      facts.push({ kind: 'claim', claim });
    }
    const named = facts.find((fact) => fact.kind === 'claim' && fact.claim.kind === 'link');
    if (random.chance(0.15) && named?.kind === 'claim') sale.named_referral_id = named.claim.referral_id;
    const net = sale.charge_amount_cents - sale.tax_amount_cents;
    if (net > 0 && random.chance(0.25)) facts.push({ kind: 'refund', sale: sale.id, cents: pick(sale.charge_amount_cents, 400) });
    if (random.chance(0.1)) facts.push({ kind: 'dispute', sale: sale.id, isOpen: true });
    if (random.chance(0.08)) facts.push({ kind: 'exclusion', sale: sale.id });
    if (sale.livemode === null && random.chance(0.2)) facts.push({ kind: 'mode', sale: sale.id, livemode: random.chance(0.8) });
    if (sale.livemode === null && random.chance(0.3))
      facts.push({ kind: 'time', sale: sale.id, at: day(random.int(1, 300) / 2) });
    // A second assignment of a sale that the first one lets earn would be refused.
    if (random.chance(0.08) && !facts.some(({ kind }) => kind === 'assignment')) {
      const claim = claimOf(20 + nth, 'link', sale.charged_at, { expiresAt: null, deactivatedAt: null, inactive: [] });
      facts.push({ kind: 'assignment', sale: sale.id, claim });
    }
  }
  return { program, facts };
}

/** True if links of the campaign take over as the last click at a time. */
function isLastClickAt({ campaigns }: Program, campaignId: string, at: string): boolean {
  return versionAt(campaigns.find(({ id }) => id === campaignId)!.versions, at).attribution === 'last_click';
}

function randomSale(random: Random, nth: number): Sale {
  const pick = <T>(...from: T[]): T => random.pick(from)!;
  const by = pick('merchant', 'provider', 'provider', 'test');
  const at = pick(random.int(1, 300) / 2, 30, 30.001);
  const charge = pick(0, 1_000, 1_190, 2_500);
  return {
    ...NO_SALE,
    id: `sale ${nth}`,
    charged_at: day(at),
    created_at: day(390),
    updated_at: day(390),
    ...(by === 'merchant' ? { external_id: `order ${nth}` } : { names: [`charge:ch_${nth}`], livemode: by !== 'test' }),
    charge_amount_cents: charge,
    tax_amount_cents: charge === 1_190 ? 190 : 0,
    tax_ignored: random.chance(0.05),
  };
}

/** The state that facts leave: sales with their commissions, and claims with their referrals. */
export class World {
  readonly #program: Program;
  readonly claims: ClaimFact[] = [];
  readonly sales: SaleFact[] = [];
  joins: Join[] = [];
  binding: string | null = null;
  conversions: [string, string][] = [];
  /** Number of changes that the decisions so far have made. */
  changes = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Adds a fact. Returns false if it has to come later, because its sale is unknown. */
  learn(fact: Fact): boolean {
    if (fact.kind === 'claim') {
      // Naming a referral again only makes the times of its claim earlier.
      if (!this.claims.some(({ key }) => key === fact.claim.key)) this.claims.push({ ...fact.claim });
      this.#redateClaims(this.sales.find(({ sale }) => sale.id === fact.claim.sale_id)?.sale);
      return true;
    }
    if (fact.kind === 'join') {
      this.joins = withJoins(this.joins, [fact.join]);
      return true;
    }
    if (fact.kind === 'sale') {
      const endedByHand = new Map<string, string>();
      const known = {
        isCreated: false,
        reopenedBy: null,
        isOnlyCounted: false,
        commission: null,
        isClaimed: false,
        endedByHand,
      };
      this.sales.push({ sale: { ...fact.sale }, payer: fact.payer, ...known });
      return true;
    }
    const found = this.sales.find(({ sale }) => sale.id === fact.sale);
    if (found === undefined) return false;
    const { sale } = found;
    if (fact.kind === 'refund') this.#refund(found, fact.cents);
    if (fact.kind === 'dispute') {
      sale.disputed = fact.isOpen;
      const { commission } = found;
      if (commission?.state === 'pending') Object.assign(commission, { review_status: 'suspicious', review_reason: 'dispute' });
    }
    if (fact.kind === 'mode') sale.livemode = fact.livemode;
    if (fact.kind === 'time') this.#redate(sale, fact.at);
    if (fact.kind === 'exclusion') sale.excluded = true;
    if (fact.kind === 'assignment') {
      this.claims.push({ ...fact.claim });
      Object.assign(sale, { assigned_referral_id: fact.claim.referral_id, reconsidered_at: day(395), limits: null });
    }
    return true;
  }

  /** Corrects the time of a charge as `amendSale` does. */
  #redate(sale: Sale, at: string): void {
    if (sale.charged_at === at) return;
    if (sale.reconsidered_at === null) Object.assign(sale, { redated_from: sale.redated_from ?? sale.charged_at, limits: null });
    sale.charged_at = at;
    this.#redateClaims(sale);
  }

  /** Moves the codes that were redeemed with a sale to the time of its charge, with their expiry. */
  #redateClaims(sale: Sale | undefined): void {
    for (const claim of this.claims) {
      if (sale === undefined || claim.sale_id !== sale.id || claim.from === sale.charged_at) continue;
      const moved = Date.parse(sale.charged_at) - Date.parse(claim.from);
      const expiresAt = claim.expiresAt && new Date(Date.parse(claim.expiresAt) + moved).toISOString();
      const lastClick = isLastClickAt(this.#program, claim.campaign_id, sale.charged_at);
      Object.assign(claim, { from: sale.charged_at, madeAt: sale.charged_at, expiresAt, lastClick });
    }
  }

  #refund({ sale, commission }: SaleFact, cents: number): void {
    sale.refund_amount_cents = Math.min(sale.charge_amount_cents, sale.refund_amount_cents + cents);
    if (commission === null || commission.state === 'voided') return;
    const amount = keptByBase(commission, sale);
    if (commission.state === 'paid') return;
    if (amount === 0) Object.assign(commission, { state: 'voided', voided_by_refund: true });
    else commission.amount_cents = amount;
  }

  facts(more: Partial<Facts> = {}): Facts {
    const { affiliates, campaigns, exclusions, emails, hasUnverifiedEmail } = this.#program;
    const bound = this.claims.find(({ key }) => key === this.binding);
    return {
      now: NOW,
      customer: {
        id: 'customer',
        emails,
        hasUnverifiedEmail,
        exclusions,
        joins: this.joins,
        boundReferralId: bound?.referral_id ?? null,
      },
      claims: this.claims,
      sales: this.sales,
      affiliates: new Map(affiliates.map((each) => [each.id, each])),
      campaigns: new Map(campaigns.map((each) => [each.id, each])),
      reopensLeads: false,
      rewards: null,
      before: BEGINNING,
      ...more,
    };
  }

  /** Decides from all facts, and applies the verdict. */
  decide(): Verdict {
    const verdict = decide(this.facts());
    for (const each of verdict.sales) {
      const { fact, claim, refusal, contested, outcome, limits, redatedFrom, flags } = each;
      const isKept = 'dueAt' in each;
      const { sale } = fact;
      this.#set(sale, { contested, redated_from: redatedFrom });
      if (outcome === 'paid_elsewhere') continue;
      if (claim !== null && claim.referral_id === null) this.#set(claim, { referral_id: `referral of ${claim.key}` });
      const referral = { referral_id: claim?.referral_id ?? null, affiliate_id: claim?.affiliate_id ?? null };
      this.#set(sale, { ...referral, no_commission_reason: refusal, ...(limits && { limits }) });
      const { commission } = fact;
      if (commission !== null && !isKept) this.#set(fact, { commission: null });
      if (commission !== null && isKept) {
        this.#set(commission, { referral_id: sale.referral_id });
        if (refusal === null) this.#flag(commission, flags);
      }
      if (each.outcome === 'earn' || each.outcome === 'replace') {
        const { reward } = each;
        const [flag = null] = flags;
        const created = {
          affiliate_id: claim!.affiliate_id,
          campaign_id: claim!.campaign_id,
          referral_id: sale.referral_id,
          amount_cents: reward.worth.amount.cents,
          currency: reward.worth.terms.currency,
          basis_points: reward.basisPoints,
          livemode: sale.livemode !== false,
          imported_cents: null,
          lines_currency: null,
          state: 'pending',
          voided_by_refund: false,
          review_status: flag === null ? null : 'suspicious',
          review_reason: flag,
        } as unknown as Commission;
        this.#set(fact, { commission: created });
      }
    }
    this.binding = verdict.binding?.key ?? null;
    this.conversions = [...verdict.conversions].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return verdict;
  }

  #flag(commission: Commission, flags: readonly ReviewReason[]): void {
    const reason = flagFor(commission, flags);
    if (reason !== undefined) this.#set(commission, { review_status: reason && 'suspicious', review_reason: reason });
  }

  #set(record: object, values: object): void {
    for (const [name, value] of Object.entries(values)) {
      if (JSON.stringify((record as Record<string, unknown>)[name]) === JSON.stringify(value)) continue;
      (record as Record<string, unknown>)[name] = value;
      this.changes += 1;
    }
  }

  /** Returns everything that a person could see of the result, sorted. */
  ending(): string[] {
    const sales = this.sales.map(({ sale, commission }) => {
      const isEarning = commission !== null && commission.state !== 'voided';
      const money = isEarning ? `${commission.affiliate_id} ${commission.amount_cents} ${commission.review_reason}` : 'nothing';
      return `${sale.id}: ${sale.affiliate_id} ${sale.referral_id} ${sale.no_commission_reason} ${money}`;
    });
    const conversions = this.conversions.map(([key, at]) => `${key} converted at ${at}`);
    return [...sales.toSorted(), `bound to ${this.binding}`, ...conversions];
  }

  /** Returns the state after the sales before a time, if it may stand for them (`gather`), and the sales from then on. */
  window(from: string): { facts: Facts; sales: string[] } | null {
    const bound = this.claims.find(({ key }) => key === this.binding);
    const convertedAt = this.conversions.find(([key]) => key === this.binding)?.[1];
    const modes = new Set(this.sales.map(({ sale }) => sale.livemode !== false));
    const isClosed =
      bound !== undefined &&
      convertedAt !== undefined &&
      convertedAt < from &&
      (bound.expiresAt === null || convertedAt < bound.expiresAt) &&
      modes.size === 1 &&
      this.joins.every(({ at }) => wholeSecond(at) <= from) &&
      this.sales.every(({ sale }) => sale.contested === null) &&
      !decide(this.facts()).sales.some(({ flags }) => flags.includes('possible_duplicate'));
    if (!isClosed) return null;
    const later = this.sales.filter(({ sale }) => sale.charged_at >= from);
    const ids = later.map(({ sale }) => sale.id);
    const counted = this.sales.filter(({ sale }) => sale.charged_at < from && sale.referral_id === bound.referral_id);
    const isOfLimits = (reason: string | null) =>
      reason === null || ['max_commissions_reached', 'commission_period_over', 'nothing_to_earn'].includes(reason);
    const before: Checkpoint = { binding: bound.key, conversions: new Map([[bound.key, convertedAt]]) };
    const assigned = later.map(({ sale }) => sale.assigned_referral_id);
    const named = later.flatMap(({ sale, payer }) => [sale.named_referral_id, ...payer.references]);
    const isOfSale = ({ sale_id, referral_id }: ClaimFact) =>
      ids.includes(sale_id ?? '') || [...assigned, ...named].includes(referral_id ?? '');
    const claims = this.claims.filter((claim) => claim === bound || isOfSale(claim));
    const sales = [
      ...later,
      ...counted.filter(({ sale }) => isOfLimits(sale.no_commission_reason)).map((fact) => ({ ...fact, isOnlyCounted: true })),
    ];
    return { facts: this.facts({ claims, sales, before }), sales: ids };
  }
}

/**
 * Adds the facts one by one in this order, and decides after each. A person assigns a sale that nobody has earned from, so assignments and their sales
 * come first, in the order of the story.
 */
export function told({ program, facts }: Story, order: readonly Fact[] = facts): World {
  const world = new World(program);
  const assignments = facts.filter((fact) => fact.kind === 'assignment');
  const isAssigned = (fact: Fact) => assignments.some(({ sale }) => fact.kind === 'sale' && fact.sale.id === sale);
  const first = facts.filter((fact) => isAssigned(fact) || fact.kind === 'assignment');
  const queue = [...first, ...order.filter((fact) => !first.includes(fact))];
  while (queue.length > 0) {
    const fact = queue.shift()!;
    if (world.learn(fact)) world.decide();
    else queue.push(fact);
  }
  return world;
}
