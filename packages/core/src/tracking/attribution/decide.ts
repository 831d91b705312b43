import { type Instant, plusMonths, wholeSecond } from '../../platform/time/instant.ts';

/*
 * Decides who earns from a charge, as a function of all known facts and of the times at which they happened (docs/domain-rules.md#attribution). Nothing here
 * depends on the order in which facts arrived, and nothing reads a clock or a database.
 */

/** A fact that ties a customer to an affiliate: the customer's referral was named, or the affiliate's code was redeemed. */
export interface Claim {
  /** Identity that does not depend on arrival: the id of the referral, or the code and the time it was redeemed. Breaks ties. */
  key: string;
  kind: 'link' | 'code';
  affiliate_id: string;
  /** The visit of a link, the redemption of a code. Nothing charged before this second earns. */
  from: Instant;
  /** Converting must happen before this; null for no limit. */
  expiresAt: Instant | null;
  deactivatedAt: Instant | null;
  /** Set when the referral was marked converted by hand, which may be earlier than any charge. */
  convertedAt: Instant | null;
  /** The reason for which the affiliate or campaign cannot earn now; null when they can. */
  obstacle: 'affiliate_inactive' | 'campaign_archived' | null;
  /** It takes over from an earlier claim that has not converted: the campaign chose the last click when the claim was made. */
  lastClick: boolean;
  /** As a code, it wins a charge that it is redeemed with over a bound link: the account chose so when the claim was made. */
  beforeLink: boolean;
}

export interface Charge {
  /** The charge's id at the provider or the merchant: breaks ties between charges of one second. */
  key: string;
  chargedAt: Instant;
  /** Charge minus tax, before refunds. A charge of nothing converts nothing. */
  netCents: number;
  /** Key of the claim that the merchant named itself for this charge: it may be earlier than the visit. */
  named: string | null;
  /** Keys of the code claims that were redeemed with this charge. */
  redeemed: readonly string[];
  /**
   * Keys of the claims of the affiliate and campaign that have already earned from this charge. They keep it whatever the merchant has done to
   * affiliate or campaign since, even if another of these claims has the charge now.
   */
  earned: readonly string[];
  /**
   * Keys of the claims that could not earn while this charge earned its commission. When their affiliate or campaign is active again, they do not
   * take it from the claim that has earned.
   */
  passedOver: readonly string[];
}

export type Refusal =
  | 'no_referral'
  | 'before_visit'
  | 'referral_expired'
  | 'referral_deactivated'
  | 'affiliate_inactive'
  | 'campaign_archived';

export interface Attribution {
  charge: string;
  /** The claim that the charge belongs to; null when there is none. */
  claim: string | null;
  /** The reason for which it earns nothing all the same; null when it may earn, within the campaign's limits. */
  refusal: Refusal | null;
}

export interface Outcome {
  /** One per charge, in the order of the charges' own times. */
  attributions: Attribution[];
  /** The claim that the customer is bound to after the last charge; null when none is live at `until`. */
  binding: string | null;
  /** The time at which each claim converted, for those that did. */
  conversions: Map<string, Instant>;
}

/**
 * Attributes the charges of one customer.
 *
 * The first claim whose time has come binds the customer. It holds until it expires without a conversion; then the next live claim
 * takes over. Once converted it holds for good. A later claim may take over from one that has not converted (`lastClick`), and a code that is
 * redeemed with the charge may win over the binding (`beforeLink`).
 *
 * @param until the time at which `binding` is asked for
 */
export function attributeCharges(claims: readonly Claim[], charges: readonly Charge[], until: Instant): Outcome {
  const ordered = claims.toSorted(byTime);
  const conversions = new Map(ordered.flatMap(({ key, convertedAt }) => (convertedAt === null ? [] : [[key, convertedAt]])));
  let bound: Claim | null = null;

  const attributions = charges
    .toSorted((a, b) => compare(a.chargedAt, b.chargedAt) || compare(a.key, b.key))
    .map((charge) => {
      const at = charge.chargedAt;
      bound = holder(ordered, bound, conversions, at, charge);
      const code = redeemedCode(ordered, charge, conversions);
      const named = bound === null ? (ordered.find(({ key }) => key === charge.named) ?? null) : null;
      const claim: Claim | null = code ?? bound ?? named;
      if (claim === null) return { charge: charge.key, ...whyNobody(ordered, at) };
      const refusal = refusalOf(claim, charge, conversions);
      if (refusal === null && charge.netCents > 0 && !conversions.has(claim.key)) conversions.set(claim.key, at);
      if (refusal === null && claim === named) bound = named;
      return { charge: charge.key, claim: claim.key, refusal };
    });
  const last = holder(ordered, bound, conversions, until, { earned: [], passedOver: [], redeemed: [] });
  return { attributions, binding: last?.key ?? null, conversions };
}

/** The claim that binds the customer at `at`, given the one that did before. */
function holder(
  claims: readonly Claim[],
  before: Claim | null,
  conversions: ReadonlyMap<string, Instant>,
  at: Instant,
  charge: Pick<Charge, 'earned' | 'passedOver' | 'redeemed'>,
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
  // A claim that was bound by name may be earlier than its visit: it stays while it is live.
  const come = claims.filter((claim) => claim === before || wholeSecond(claim.from) <= at);
  const live = come.filter((claim) => isLive(claim, conversions, at));
  const able = live.filter((claim) => isAble(claim, charge));
  const candidates = able.length > 0 ? able : live;
  const [first] = candidates;
  // Of two affiliates' codes redeemed in one second, the one that came with this charge.
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

/** Tells whether affiliate and campaign let the claim earn from the charge. Those who have earned from it go on doing so. */
function isAble({ key, obstacle }: Claim, { earned, passedOver }: Pick<Charge, 'earned' | 'passedOver'>): boolean {
  return earned.includes(key) || (obstacle === null && !passedOver.includes(key));
}

/** A code is not a click: it wins over a link by the choice of the account only. */
function isLastClick({ kind, lastClick }: Claim): boolean {
  return kind === 'link' && lastClick;
}

function isLive({ key, expiresAt, deactivatedAt }: Claim, conversions: ReadonlyMap<string, Instant>, at: Instant): boolean {
  if (deactivatedAt !== null && deactivatedAt <= at) return false;
  if (expiresAt === null || at < expiresAt) return true;
  const converted = conversions.get(key);
  return converted !== undefined && converted < expiresAt;
}

/** The code that wins the charge whatever binds the customer. */
function redeemedCode(claims: readonly Claim[], charge: Charge, conversions: ReadonlyMap<string, Instant>): Claim | null {
  return (
    claims.find(
      (claim) =>
        claim.beforeLink &&
        charge.redeemed.includes(claim.key) &&
        wholeSecond(claim.from) <= charge.chargedAt &&
        isLive(claim, conversions, charge.chargedAt) &&
        isAble(claim, charge),
    ) ?? null
  );
}

function refusalOf(claim: Claim, charge: Charge, conversions: ReadonlyMap<string, Instant>): Refusal | null {
  if (claim.deactivatedAt !== null && claim.deactivatedAt <= charge.chargedAt) return 'referral_deactivated';
  if (!isLive(claim, conversions, charge.chargedAt)) return 'referral_expired';
  return charge.earned.includes(claim.key) ? null : claim.obstacle;
}

/** The reason for which no claim takes a charge, and the latest claim that came too late or ended too early for it. */
function whyNobody(claims: readonly Claim[], at: Instant): { claim: string | null; refusal: Refusal } {
  if (claims.length === 0) return { claim: null, refusal: 'no_referral' };
  const latest = claims.findLast(({ from }) => wholeSecond(from) <= at);
  if (!latest) return { claim: null, refusal: 'before_visit' };
  const deactivated = latest.deactivatedAt !== null && latest.deactivatedAt <= at;
  return { claim: latest.key, refusal: deactivated ? 'referral_deactivated' : 'referral_expired' };
}

/** Links before codes of the same second: a bound link wins over a code. */
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

/** A charge that its referral may earn from, as the campaign's limits see it. */
export interface EligibleCharge {
  key: string;
  chargedAt: Instant;
  /** False where the reward comes to nothing: no limit is used up. */
  worth: boolean;
  /** The time at which its commission stopped counting: voided by the merchant, or refunded in full; null while it counts. */
  endedAt: Instant | null;
  /** A limit has refused it so far. If a place becomes free at the very time of the charge, it stays refused. */
  wasRefused: boolean;
  limits: CampaignLimits;
}

/** A campaign's limits as they were when a sale was first attributed to it. */
export interface CampaignLimits {
  /** Commissions per referral; null for no limit. */
  maxCommissions: number | null;
  /** Calendar months from the referral's first commission; null for no limit. */
  periodMonths: number | null;
}

/**
 * Applies the limits of each charge to the charges of one referral, in the order of the charges' own times. A commission that ended
 * frees its place for charges from that moment on; nothing that was refused before comes back.
 *
 * @returns the reason per refused charge; charges without one earn
 */
export function applyLimits(
  charges: readonly EligibleCharge[],
): Map<string, 'nothing_to_earn' | 'max_commissions_reached' | 'commission_period_over'> {
  const refused = new Map<string, 'nothing_to_earn' | 'max_commissions_reached' | 'commission_period_over'>();
  const earning: EligibleCharge[] = [];
  for (const charge of charges.toSorted((a, b) => compare(a.chargedAt, b.chargedAt) || compare(a.key, b.key))) {
    const { maxCommissions, periodMonths } = charge.limits;
    const counted = earning.filter(
      ({ endedAt }) => endedAt === null || endedAt > charge.chargedAt || (endedAt === charge.chargedAt && charge.wasRefused),
    ).length;
    const first = earning[0];
    if (!charge.worth) refused.set(charge.key, 'nothing_to_earn');
    else if (maxCommissions !== null && counted >= maxCommissions) refused.set(charge.key, 'max_commissions_reached');
    else if (periodMonths !== null && first && charge.chargedAt >= plusMonths(first.chargedAt, periodMonths)) {
      refused.set(charge.key, 'commission_period_over');
    } else earning.push(charge);
  }
  return refused;
}
