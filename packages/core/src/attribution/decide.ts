import { type Instant, isBefore, plusMonths, wholeSecond } from '../platform/time/instant.ts';
import { type Standing, obstacleAt } from './standing.ts';

/*
 * Decides who earns from a charge, as a function of all known facts and of the times at which they happened
 * (docs/rules/attribution.md#attribution). Nothing here depends on the order in which facts arrived, and nothing reads a clock or a database.
 */

/** A fact that ties a customer to an affiliate: the customer's referral was named, or the affiliate's code was redeemed. */
export interface Claim {
  /**
   * Identifies the claim, in whatever order the facts arrive, and breaks ties: the id of the referral, or the code with the sale or
   * checkout it was redeemed with.
   */
  key: string;
  kind: 'link' | 'code';
  affiliate_id: string;
  campaign_id: string;
  /** Time at which the link was visited or the code was redeemed. The claim earns nothing from charges before this second. */
  from: Instant;
  /**
   * Time at which the claim was made: the checkout opened, the sale reported, the lead entered. The claim earns nothing from charges before this
   * second, unless it was made with the charge itself (`named`, `redeemed`): it cannot rewrite who earned from them.
   */
  madeAt: Instant;
  /** The claim must convert before this time; null for no limit. */
  expiresAt: Instant | null;
  deactivatedAt: Instant | null;
  /** Time at which the referral was marked converted by hand, or null. May be earlier than any charge. */
  convertedAt: Instant | null;
  /** The states of the affiliate and the campaign, over time. */
  standing: Standing;
  /** Times during which the referral was deactivated, before it was activated again. */
  inactive: readonly { from: Instant; until: Instant }[];
  /**
   * True if the campaign's attribution was `last_click` when the claim was made. A link then takes over from an earlier claim that has not converted.
   */
  lastClick: boolean;
  /**
   * True if the account chose codes before links when the claim was made. A code then wins a charge that it is redeemed with, even if the
   * customer is bound to a link.
   */
  beforeLink: boolean;
}

export interface Charge {
  /** Id of the charge at the provider or the merchant. Breaks ties between charges of the same second. */
  key: string;
  chargedAt: Instant;
  /** Charge minus tax, before refunds. A charge with 0 does not convert a referral. */
  netCents: number;
  /** Key of the claim that the merchant named for this charge, or null. This claim may earn even if the charge came before the visit. */
  named: string | null;
  /** Keys of the claims whose codes were redeemed with this charge. */
  redeemed: readonly string[];
  /** Time whose states of affiliate, campaign and referral decide: of the charge, unless a person had the sale decided again later. */
  standingAt: Instant;
  /** True if the merchant wants nobody to earn from this charge. It then neither converts nor binds. */
  isExcluded: boolean;
  /**
   * Key of the claim whose commission from this charge has been paid, or null. Facts do not move paid money: this claim keeps the charge, and
   * keeps the customer who was bound by it.
   */
  settled: string | null;
}

export type Refusal =
  | 'no_referral'
  | 'before_visit'
  | 'referral_expired'
  | 'referral_deactivated'
  | 'affiliate_inactive'
  | 'campaign_archived'
  | 'excluded';

/** The claim that earns from a charge. */
export interface Earner {
  /** Key of the claim to which the charge is attributed, or null. */
  claim: string | null;
  /** The reason why the charge earns nothing; null if it may earn within the campaign's limits. */
  refusal: Refusal | null;
}

export interface Attribution extends Earner {
  charge: string;
  /** The earner if the commission were not paid (`settled`); null if the facts do not contradict the payment. */
  contested: Earner | null;
}

export interface Outcome {
  /** One attribution per charge, in the order of the charges' times. */
  attributions: Attribution[];
  /** Key of the claim to which the customer is bound at `until`; null if no claim is live then. */
  binding: string | null;
  /** Times of conversion, by the key of the claim. Contains only claims that converted. */
  conversions: Map<string, Instant>;
}

/**
 * Attributes the charges of one customer.
 *
 * The earliest claim binds the customer. If this claim expires without a conversion, is deactivated, or cannot earn, the next live claim
 * takes over. A claim that has converted keeps the customer for good. A later claim may take over from a claim that has not converted
 * (`lastClick`), and a code that is redeemed with a charge may win this charge over the bound claim (`beforeLink`).
 *
 * A claim whose commission is paid (`settled`) keeps its charge and converts by it, whatever the other facts say. If another referral of the same
 * affiliate and campaign wins the charge, that referral gets it, because no money moves.
 *
 * @param until the time for which `binding` is computed
 */
export function attributeCharges(claims: readonly Claim[], charges: readonly Charge[], until: Instant): Outcome {
  let ordered = claims.toSorted(byTime);
  const conversions = new Map(ordered.flatMap(({ key, convertedAt }) => (convertedAt === null ? [] : [[key, convertedAt]])));
  let bound: Claim | null = null;

  const attributions = charges
    .toSorted((a, b) => compare(a.chargedAt, b.chargedAt) || compare(a.key, b.key))
    .map((charge): Attribution => {
      const at = charge.chargedAt;
      const made = ordered.filter((each) => isMadeBy(each, charge));
      bound = holder(made, bound, conversions, at, charge);
      const code = redeemedCode(made, charge, conversions);
      const named = bound === null ? (made.find(({ key }) => key === charge.named) ?? null) : null;
      const claim: Claim | null = code ?? bound ?? named;
      const earner = earnerOf(claim, ordered, charge, conversions);
      const settled = ordered.find(({ key }) => key === charge.settled);
      const isContested = settled && !(claim && earner.refusal === null && isOfSameEarner(claim, settled));
      const earning = isContested ? settled : earner.refusal === null ? claim : null;
      if (earning && charge.netCents > 0 && !conversions.has(earning.key)) conversions.set(earning.key, at);
      if (!isContested) {
        if (earning && earning === named) bound = named;
        return { charge: charge.key, ...earner, contested: null };
      }
      // A code that won over a link won only this charge.
      const isOwnCode = settled.beforeLink && charge.redeemed.includes(settled.key);
      if (charge.netCents > 0 && !isOwnCode) {
        // The claim keeps the customer for good, even if later facts say that it had expired.
        const kept = { ...settled, expiresAt: null };
        ordered = ordered.map((each) => (each === settled ? kept : each));
        bound = kept;
      }
      return { charge: charge.key, claim: settled.key, refusal: null, contested: earner };
    });
  const last = holder(ordered, bound, conversions, until, { standingAt: until, redeemed: [] });
  return { attributions, binding: last?.key ?? null, conversions };
}

/** Returns who earns from a charge. `claim` is the claim that wins the charge, if any does. */
function earnerOf(
  claim: Claim | null,
  claims: readonly Claim[],
  charge: Charge,
  conversions: ReadonlyMap<string, Instant>,
): Earner {
  if (charge.isExcluded) return { claim: claim?.key ?? null, refusal: 'excluded' };
  if (claim === null) return whyNobody(claims, charge);
  return { claim: claim.key, refusal: refusalOf(claim, charge, conversions) };
}

/** True if two claims earn for the same affiliate on the terms of the same campaign. */
export function isOfSameEarner(
  one: Pick<Claim, 'affiliate_id' | 'campaign_id'>,
  other: Pick<Claim, 'affiliate_id' | 'campaign_id'>,
): boolean {
  return one.affiliate_id === other.affiliate_id && one.campaign_id === other.campaign_id;
}

/** True if a claim was made before a charge or with it. */
function isMadeBy({ key, madeAt }: Claim, { chargedAt, named, redeemed }: Charge): boolean {
  return wholeSecond(madeAt) <= chargedAt || key === named || redeemed.includes(key);
}

/** Returns the claim that binds the customer at `at`. `before` is the claim that bound the customer at the previous charge. */
function holder(
  claims: readonly Claim[],
  before: Claim | null,
  conversions: ReadonlyMap<string, Instant>,
  at: Instant,
  charge: Pick<Charge, 'standingAt' | 'redeemed'>,
): Claim | null {
  const convertedBy = (claim: Claim) => {
    const when = conversions.get(claim.key);
    return when !== undefined && when <= at && (claim.expiresAt === null || when < claim.expiresAt);
  };
  const converted = claims
    .filter(convertedBy)
    .toSorted((a, b) => compare(conversions.get(a.key)!, conversions.get(b.key)!) || byTime(a, b));
  if (before !== null && convertedBy(before)) return before;
  if (converted[0]) return converted[0];
  // If the merchant named the referral of a claim, a charge before the referral's visit (`from`) may have bound the customer to this claim. The
  // bound claim (`before`) therefore stays a candidate even before `from`.
  const come = claims.filter((claim) => claim === before || wholeSecond(claim.from) <= at);
  const live = come.filter((claim) => isLive(claim, conversions, at, charge.standingAt));
  const able = live.filter((claim) => isAble(claim, charge));
  const candidates = able.length > 0 ? able : live;
  const [first] = candidates;
  // If codes of two affiliates were redeemed in the same second, the code that was redeemed with this charge wins.
  const own = candidates.find(
    ({ key, kind, from, affiliate_id }) =>
      charge.redeemed.includes(key) &&
      kind === first?.kind &&
      affiliate_id !== first.affiliate_id &&
      wholeSecond(from) === wholeSecond(first.from),
  );
  const start = before !== null && candidates.includes(before) ? before : (own ?? first ?? null);
  return candidates.reduce<Claim | null>(
    (held, next) => (held !== null && isLastClick(next) && byTime(next, held) > 0 ? next : held),
    start,
  );
}

/** True if the claim's affiliate and campaign could earn from the charge. */
function isAble({ standing }: Claim, { standingAt }: Pick<Charge, 'standingAt'>): boolean {
  return obstacleAt(standing, standingAt) === null;
}

/** True if a claim takes over as the last click. A code is not a click: a code wins over a link only if the account prefers codes (`beforeLink`). */
function isLastClick({ kind, lastClick }: Claim): boolean {
  return kind === 'link' && lastClick;
}

function isDeactivated({ deactivatedAt, inactive }: Claim, at: Instant): boolean {
  return (
    (deactivatedAt !== null && !isBefore(at, deactivatedAt)) ||
    inactive.some(({ from, until }) => !isBefore(at, from) && isBefore(at, until))
  );
}

function isLive(claim: Claim, conversions: ReadonlyMap<string, Instant>, at: Instant, standingAt: Instant): boolean {
  if (isDeactivated(claim, standingAt)) return false;
  const { key, expiresAt } = claim;
  if (expiresAt === null || at < expiresAt) return true;
  const converted = conversions.get(key);
  return converted !== undefined && converted < expiresAt;
}

/** Finds a code that was redeemed with the charge and earns from it, even if another claim binds the customer (`beforeLink`). */
function redeemedCode(claims: readonly Claim[], charge: Charge, conversions: ReadonlyMap<string, Instant>): Claim | null {
  return (
    claims.find(
      (claim) =>
        claim.beforeLink &&
        charge.redeemed.includes(claim.key) &&
        wholeSecond(claim.from) <= charge.chargedAt &&
        isLive(claim, conversions, charge.chargedAt, charge.standingAt) &&
        isAble(claim, charge),
    ) ?? null
  );
}

function refusalOf(claim: Claim, charge: Charge, conversions: ReadonlyMap<string, Instant>): Refusal | null {
  if (isDeactivated(claim, charge.standingAt)) return 'referral_deactivated';
  if (!isLive(claim, conversions, charge.chargedAt, charge.standingAt)) return 'referral_expired';
  return obstacleAt(claim.standing, charge.standingAt);
}

/** Returns the reason why no claim earns from a charge, and the key of the latest claim that was made before it and began before it. */
function whyNobody(claims: readonly Claim[], charge: Charge): Earner {
  if (claims.length === 0) return { claim: null, refusal: 'no_referral' };
  const begun = claims.filter(({ from }) => wholeSecond(from) <= charge.chargedAt);
  if (begun.length === 0) return { claim: null, refusal: 'before_visit' };
  const latest = begun.findLast((claim) => isMadeBy(claim, charge));
  if (latest === undefined) return { claim: null, refusal: 'no_referral' };
  return { claim: latest.key, refusal: isDeactivated(latest, charge.standingAt) ? 'referral_deactivated' : 'referral_expired' };
}

/** Orders claims by time. Links come before codes of the same second, because a bound link wins over a code. */
function byTime(a: Claim, b: Claim): number {
  return (
    compare(wholeSecond(a.from), wholeSecond(b.from)) ||
    compare(a.kind === 'link' ? 0 : 1, b.kind === 'link' ? 0 : 1) ||
    compare(a.from, b.from) ||
    compare(a.key, b.key)
  );
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A charge from which its referral may earn, with the facts that determine whether the campaign's limits allow a commission. */
export interface EligibleCharge {
  key: string;
  chargedAt: Instant;
  /** False if the reward is zero. A charge without a reward does not count towards any limit. */
  worth: boolean;
  /** Time at which the commission stopped counting because the merchant voided it; null while it counts. */
  endedAt: Instant | null;
  /** True if a limit has refused the charge before. It then stays refused, even if the limit has room again at the exact time of the charge. */
  wasRefused: boolean;
  /** True if the commission has been paid. The limits then never refuse the charge. */
  isSettled: boolean;
  limits: CampaignLimits;
}

/** A campaign's limits as they were when a sale was first attributed to it. */
export interface CampaignLimits {
  /** Commissions per referral; null for no limit. */
  maxCommissions: number | null;
  /** Calendar months from the referral's first commission; null for no limit. */
  periodMonths: number | null;
}

type LimitReason = 'nothing_to_earn' | 'max_commissions_reached' | 'commission_period_over';

/** The charges that limits refuse, by key, with the reasons. All other charges earn. */
export interface Limited {
  refused: Map<string, LimitReason>;
  /** The paid charges that the limits would refuse if they were not paid. */
  contested: Map<string, LimitReason>;
}

/**
 * Applies limits to the charges of one referral, in the order of the charges' times. Each charge has its own limits. A commission that
 * stops counting frees its place for charges from that time on; earlier charges that were refused stay refused. A paid commission keeps its
 * place, even if an earlier charge that takes the place becomes known later: the earlier charge is then refused.
 */
export function applyLimits(charges: readonly EligibleCharge[]): Limited {
  const byFacts = refusedInOrder(charges, new Set());
  const isContested = ({ key, isSettled, worth }: EligibleCharge) => isSettled && worth && byFacts.has(key);
  const contested = charges.filter(isContested);
  if (contested.length === 0) return { refused: byFacts, contested: new Map() };
  return {
    refused: refusedInOrder(charges, new Set(contested)),
    contested: new Map(contested.map(({ key }) => [key, byFacts.get(key)!])),
  };
}

/** @param reserved paid charges whose places are taken before the other charges come; if there are any, no paid charge is refused */
function refusedInOrder(charges: readonly EligibleCharge[], reserved: ReadonlySet<EligibleCharge>): Map<string, LimitReason> {
  const refused = new Map<string, LimitReason>();
  const earning: EligibleCharge[] = [];
  for (const charge of charges.toSorted((a, b) => compare(a.chargedAt, b.chargedAt) || compare(a.key, b.key))) {
    const { maxCommissions, periodMonths } = charge.limits;
    const counted = [...new Set([...earning, ...reserved])].filter(
      ({ endedAt }) => endedAt === null || endedAt > charge.chargedAt || (endedAt === charge.chargedAt && charge.wasRefused),
    ).length;
    const first = earning[0];
    if (!charge.worth) refused.set(charge.key, 'nothing_to_earn');
    else if (reserved.size > 0 && charge.isSettled) earning.push(charge);
    else if (maxCommissions !== null && counted >= maxCommissions) refused.set(charge.key, 'max_commissions_reached');
    else if (periodMonths !== null && first && charge.chargedAt >= plusMonths(first.chargedAt, periodMonths)) {
      refused.set(charge.key, 'commission_period_over');
    } else earning.push(charge);
  }
  return refused;
}
