/**
 * Decides who earns from a charge, as a function of all known facts and of the times at which they happened (docs/rules/attribution.md#attribution).
 * Nothing here depends on the order in which facts arrived, and nothing reads a clock or a database.
 */
import { compare } from '../../platform/order/compare.ts';
import { type Instant, isBefore, wholeSecond } from '../../platform/time/instant.ts';
import type { Join } from '../../program/customer-identities/customer-identity.ts';
import { type Eligibility, obstacleAt } from './eligibility.ts';

/** The name of the person when all names are of one person, and of payers of whom nothing is known. */
const ANYBODY = '';

/** Persons by the names that facts have joined so far, each with the key of the claim that binds them. */
class Persons {
  readonly #joins: readonly Join[];
  readonly #preferred: (one: string, other: string) => string;
  readonly #parents = new Map<string, string>();
  readonly #bindings = new Map<string, string>();
  #next = 0;

  /** @param preferred returns which of two claims binds the customer when two persons turn out to be one */
  constructor(joins: readonly Join[], preferred: (one: string, other: string) => string) {
    this.#joins = joins.toSorted((a, b) => compare(a.at, b.at));
    this.#preferred = preferred;
  }

  /**
   * Joins all names that were shown to be one at or before a time. The times must not decrease. After the last join, all names are of one person, and so are payers
   * of whom nothing is known.
   */
  joinUntil(at: Instant): void {
    for (let join = this.#joins[this.#next]; join !== undefined && wholeSecond(join.at) <= at; join = this.#joins[this.#next]) {
      this.#join(...join.of);
      this.#next += 1;
    }
    if (!this.isOnePerson) return;
    const binding = this.bindingOf(null);
    this.#bindings.clear();
    this.bind(ANYBODY, binding);
  }

  /** True if no names are left to join. */
  get isOnePerson(): boolean {
    return this.#next === this.#joins.length;
  }

  /** Returns the person who has all of these names, which one fact shows together now. */
  personWith([first, ...others]: readonly [string, ...string[]]): string {
    for (const other of others) this.#join(first, other);
    return this.#rootOf(first);
  }

  isNameOf(name: string, person: string): boolean {
    return this.#rootOf(name) === this.#rootOf(person);
  }

  /** Returns the key of the claim that binds a person; of several persons, of whom the customer may be any (`null`), the preferred one. */
  bindingOf(person: string | null): string | null {
    if (person !== null) return this.#bindings.get(this.#rootOf(person)) ?? null;
    return [...this.#bindings.values()].reduce<string | null>(
      (one, other) => (one === null ? other : this.#preferred(one, other)),
      null,
    );
  }

  bind(person: string, claim: string | null): void {
    if (claim === null) this.#bindings.delete(this.#rootOf(person));
    else this.#bindings.set(this.#rootOf(person), claim);
  }

  #join(one: string, other: string): void {
    const [kept, gone] = [this.#rootOf(one), this.#rootOf(other)];
    if (kept === gone) return;
    this.#parents.set(gone, kept);
    const [ofKept, ofGone] = [this.#bindings.get(kept), this.#bindings.get(gone)];
    this.#bindings.delete(gone);
    if (ofGone !== undefined) this.#bindings.set(kept, ofKept === undefined ? ofGone : this.#preferred(ofKept, ofGone));
  }

  #rootOf(name: string): string {
    let root = name;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    return root;
  }
}

/** A fact that ties a customer to an affiliate: the customer's referral was named, or the affiliate's code was redeemed. */
export interface Claim {
  /**
   * Identifies the claim, in whatever order the facts arrive, and breaks ties: the id of the referral, preceded by that of the referral that it
   * continues, or the code with the charge or checkout it was redeemed with.
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
  /** When the affiliate and the campaign could earn. */
  eligibility: Eligibility;
  /** Times during which the referral was deactivated, before it was activated again. */
  inactive: readonly { from: Instant; until: Instant }[];
  /** True if an assignment that named only the affiliate has started the referral. It comes after every other claim of its second. */
  isAssigned: boolean;
  /** The public lead that named the referral, with the time of the visit; null if there was none. */
  lead: { at: Instant; from: Instant } | null;
  /** False if only a public lead made the claim (docs/rules/intake.md#leads). */
  isProven: boolean;
  /**
   * True if the campaign's attribution was `last_click` when the claim was made. A link then takes over from an earlier claim that has not converted.
   */
  lastClick: boolean;
  /**
   * True if the account chose codes before links when the claim was made. A code then wins a charge that it is redeemed with, even if the
   * customer is bound to a link.
   */
  beforeLink: boolean;
  /** The names of the person in the facts that made the claim (`Join`). A claim without names counts for every charge of the customer. */
  names: readonly string[];
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
  decidedAt: Instant;
  /** True if the merchant wants nobody to earn from this charge. It then neither converts nor binds. */
  isExcluded: boolean;
  /**
   * Key of the claim whose commission from this charge has been paid, or null. Facts do not move paid money: this claim keeps the charge, and
   * keeps the customer who was bound by it.
   */
  settled: string | null;
  /** Key of the claim to which a person assigned the charge, or null. Facts do not undo what a person decided. */
  assigned: string | null;
  /** The names of the payer (`Join`). Empty if none is known: the payer may then be any person of the customer. */
  payer: readonly string[];
  /** Keys of the claims that the payment itself, its report or a person connects with the charge, whoever the payer is. */
  shown: readonly string[];
}

type Refusal =
  | 'no_referral'
  | 'before_visit'
  | 'referral_expired'
  | 'referral_deactivated'
  | 'affiliate_inactive'
  | 'campaign_archived'
  | 'excluded';

/** The reasons that a claim can have. */
type ClaimRefusal = Exclude<Refusal, 'no_referral' | 'before_visit' | 'excluded'>;

/** The claim that earns from a charge. */
export interface Earner {
  /** Key of the claim to which the charge is attributed, or null. */
  claim: string | null;
  /** The reason why the charge earns nothing; null if it may earn within the campaign's limits. */
  refusal: Refusal | null;
}

/** The rule by which a claim won a charge (docs/rules/attribution.md#attribution). */
export type Rule =
  /** The commission has been paid to this claim. */
  | 'paid'
  /** A person assigned the sale. */
  | 'assigned'
  /** The code that was redeemed with the charge wins over the binding. */
  | 'redeemed_code'
  /** The customer had converted with this claim. */
  | 'converted'
  /** The merchant named this referral for the sale, and no claim binds the customer. */
  | 'named'
  /** The latest click of a campaign with last click. */
  | 'last_click'
  /** The earliest claim that was live at the charge. */
  | 'first_claim'
  /** No claim was live at the charge. */
  | 'none';

interface Attribution extends Earner {
  charge: string;
  rule: Rule;
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

/** The result of the charges before a time, from which the later ones are decided. */
export interface Checkpoint {
  /** Key of the claim that binds the customer, or null. */
  binding: string | null;
  /** Times of conversion, by the key of the claim. */
  conversions: ReadonlyMap<string, Instant>;
}

export const BEGINNING: Checkpoint = { binding: null, conversions: new Map() };

/**
 * Attributes the charges of one customer, by the claims that have an effect (`acceptedClaims`).
 *
 * The earliest claim binds the customer. If this claim expires without a conversion, is deactivated, or cannot earn, the next live claim
 * takes over. A claim that has converted keeps the customer for good. A later claim may take over from a claim that has not converted
 * (`lastClick`), and a code that is redeemed with a charge may win this charge over the bound claim (`beforeLink`).
 *
 * A claim whose commission is paid (`settled`) keeps its charge and converts by it, whatever the other facts say. If another referral of the same
 * affiliate and campaign wins the charge, that referral gets it, because no money moves.
 *
 * A charge that a person assigned goes to the claim that the person chose, and keeps the customer for this claim from then on.
 *
 * Identities join at a time: a claim counts for a charge only if facts had shown by then that both are of one person. When two persons turn out to be
 * one, the claim that converted first keeps them.
 *
 * @param until the time for which `binding` is computed
 * @param before the result of all earlier charges, which `charges` then leaves out. All names had joined by then
 * @param joins the names that were shown to be one person
 */
export function attributeCharges(
  claims: readonly Claim[],
  charges: readonly Charge[],
  until: Instant,
  before: Checkpoint = BEGINNING,
  joins: readonly Join[] = [],
): Outcome {
  let ordered = claims.toSorted(byTime);
  const byHand = ordered.flatMap(({ key, convertedAt }) => (convertedAt === null ? [] : [[key, convertedAt] as const]));
  const conversions = new Map([...byHand, ...before.conversions]);
  const claimOf = (key: string | null) => ordered.find((each) => each.key === key) ?? null;
  const names = new Map(claims.map((claim) => [claim.key, claim.names]));
  const persons = new Persons(joins, (one, other) => firstConverted(claimOf(one)!, claimOf(other)!, conversions).key);
  const isOneFromBeginning = before.binding !== null;
  if (before.binding !== null) persons.bind(ANYBODY, before.binding);

  const attributions = charges.toSorted(byCharge).map((charge): Attribution => {
    const at = charge.chargedAt;
    persons.joinUntil(at);
    const isOnePerson = isOneFromBeginning || persons.isOnePerson;
    const payer = isOnePerson ? ANYBODY : payerOf(charge, names, persons);
    const own = ordered.filter((each) => isOnePerson || isOfPayer(each.key, { charge, payer, names, persons }));
    noteShown(charge, names);
    const made = own.filter((each) => isMadeBy(each, charge));
    let bound = bindingAt(made, claimOf(persons.bindingOf(payer)), conversions, at, charge);
    const code = redeemedCode(made, charge, conversions);
    const named = bound === null ? (made.find(({ key }) => key === charge.named) ?? null) : null;
    const claim: Claim | null = code ?? bound ?? named;
    const byFacts = earnerOf(claim, own, charge, conversions);
    const fixed = fixedEarner(ordered, charge);
    const isContested = fixed && !(claim && byFacts.refusal === null && isOfSameEarner(claim, fixed.claim));
    const earning = isContested ? fixed.claim : byFacts.refusal === null ? claim : null;
    const mayConvert = charge.netCents > 0 && !(isContested && fixed.refusal !== null);
    const byRule = ruleOf(claim, { code, named, convertedAt: conversions.get(claim?.key ?? ''), at });
    const rule = fixed && (isContested || fixed.rule === 'assigned') ? fixed.rule : byRule;
    if (earning && mayConvert && !conversions.has(earning.key)) conversions.set(earning.key, at);
    if (!isContested) {
      if (earning && earning === named) bound = named;
      persons.bind(payer ?? ANYBODY, bound?.key ?? null);
      return { charge: charge.key, rule, ...byFacts, contested: null };
    }
    const { claim: kept, refusal } = fixed;
    // A code that won over a link won only this charge.
    const isOwnCode = kept.beforeLink && charge.redeemed.includes(kept.key);
    if (mayConvert && !isOwnCode) {
      // The claim keeps the customer for good, even if later facts say that it had expired.
      bound = { ...kept, expiresAt: null };
      const keeper = bound;
      ordered = ordered.map((each) => (each === kept ? keeper : each));
    }
    persons.bind(payer ?? ANYBODY, bound?.key ?? null);
    return { charge: charge.key, rule, claim: kept.key, refusal, contested: fixed.rule === 'paid' ? byFacts : null };
  });
  persons.joinUntil(until);
  const last = bindingAt(ordered, claimOf(persons.bindingOf(null)), conversions, until, { decidedAt: until, redeemed: [] });
  return { attributions, binding: last?.key ?? null, conversions };
}

type NamesOfClaims = Map<string, readonly string[]>;

/** Returns the person who paid a charge. Null if nothing is known of the payer. */
function payerOf({ payer, shown }: Charge, names: NamesOfClaims, persons: Persons): string | null {
  const [first, ...others] = payer.length > 0 ? payer : shown.flatMap((key) => names.get(key) ?? []);
  return first === undefined ? null : persons.personWith([first, ...others]);
}

/** True if a claim is one of the person who paid a charge. */
function isOfPayer(
  key: string,
  { charge, payer, names, persons }: { charge: Charge; payer: string | null; names: NamesOfClaims; persons: Persons },
): boolean {
  const own = names.get(key)!;
  return payer === null || own.length === 0 || charge.shown.includes(key) || own.some((name) => persons.isNameOf(name, payer));
}

/** Adds the payer of a charge to the names of the claims that the charge names, for later charges. */
function noteShown({ payer, shown }: Charge, names: NamesOfClaims): void {
  for (const key of shown) {
    const own = names.get(key);
    if (own !== undefined && own.length > 0) names.set(key, [...own, ...payer]);
  }
}

/** Returns which of two claims converted first. A claim that has not converted comes last. */
function firstConverted(one: Claim, other: Claim, conversions: ReadonlyMap<string, Instant>): Claim {
  const [ofOne, ofOther] = [conversions.get(one.key), conversions.get(other.key)];
  if (ofOne === ofOther) return byTime(one, other) <= 0 ? one : other;
  if (ofOne === undefined || ofOther === undefined) return ofOther === undefined ? one : other;
  return ofOne < ofOther ? one : other;
}

/**
 * Decides which public leads have an effect: those of customers who had not paid and had no live claim. Returns the claims without those that only a
 * lead without effect made. A proven claim with such a lead counts from its proof.
 *
 * @param charges all charges that count as payments before a lead
 * @param binding key of the claim that binds the customer since a charge before `charges`, or null. Its lead had an effect
 */
export function acceptedClaims<Given extends Claim>(
  claims: readonly Given[],
  charges: readonly Charge[],
  binding: string | null = null,
): Given[] {
  const byHand = new Map(claims.flatMap(({ key, convertedAt }) => (convertedAt === null ? [] : [[key, convertedAt]])));
  const accepted = new Map(claims.flatMap((claim) => (claim.isProven || claim.key === binding ? [[claim.key, claim]] : [])));
  const leads = claims.flatMap((claim) => (claim.lead === null ? [] : [{ claim, ...claim.lead }]));
  for (const { claim, at, from } of leads.toSorted(
    (a, b) => compare(a.at, b.at) || compare(a.from, b.from) || compare(a.claim.key, b.claim.key),
  )) {
    const hasPaid = charges.some(({ chargedAt }) => isBefore(chargedAt, at));
    const isTaken = [...accepted.values()].some(
      (other) => other.key !== claim.key && other.from <= at && other.madeAt <= at && isLive(other, byHand, at, at),
    );
    if (hasPaid || isTaken) continue;
    accepted.set(claim.key, {
      ...claim,
      from: claim.isProven && claim.from < from ? claim.from : from,
      madeAt: claim.isProven && claim.madeAt < at ? claim.madeAt : at,
    });
  }
  return [...accepted.values()];
}

/** Orders charges by time. Charges of the same second are ordered by their keys (docs/rules/attribution.md#order-of-facts). */
function byCharge(a: Charge, b: Charge): number {
  return compare(a.chargedAt, b.chargedAt) || compare(a.key, b.key);
}

/** Returns the claim that keeps a charge whatever the other facts say: the paid one, otherwise the one that a person assigned. */
function fixedEarner(
  claims: readonly Claim[],
  charge: Charge,
): { claim: Claim; refusal: Refusal | null; rule: 'paid' | 'assigned' } | null {
  const paid = claims.find(({ key }) => key === charge.settled);
  if (paid) return { claim: paid, refusal: null, rule: 'paid' };
  const assigned = claims.find(({ key }) => key === charge.assigned);
  return assigned ? { claim: assigned, refusal: obstacleAt(assigned.eligibility, charge.decidedAt), rule: 'assigned' } : null;
}

function ruleOf(
  claim: Claim | null,
  { code, named, convertedAt, at }: { code: Claim | null; named: Claim | null; convertedAt: Instant | undefined; at: Instant },
): Rule {
  if (claim === null) return 'none';
  if (claim === code) return 'redeemed_code';
  if (claim === named) return 'named';
  if (convertedAt !== undefined && convertedAt <= at) return 'converted';
  return isLastClick(claim) ? 'last_click' : 'first_claim';
}

/** Returns who earns from a charge. `claim` is the claim that wins the charge, if any does. */
function earnerOf(
  claim: Claim | null,
  claims: readonly Claim[],
  charge: Charge,
  conversions: ReadonlyMap<string, Instant>,
): Earner {
  if (charge.isExcluded) return { claim: claim?.key ?? null, refusal: 'excluded' };
  if (claim === null) return refusalWithoutClaim(claims, charge);
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

/** Why a claim won a charge or not. */
export type ClaimStatus =
  | 'won'
  | 'another_claim_won'
  | 'made_after_charge'
  | 'visited_after_charge'
  | 'lead_without_effect'
  | ClaimRefusal;

/** Explains how a claim fared with a charge, after the charge was attributed to `winner`. */
export function statusOf(
  claim: Claim,
  charge: Charge,
  { winner, conversions }: { winner: string | null; conversions: ReadonlyMap<string, Instant> },
): ClaimStatus {
  const isNamed = claim.key === charge.named;
  if (claim.key === winner) return refusalOf(claim, charge, conversions) ?? 'won';
  if (!isMadeBy(claim, charge)) return 'made_after_charge';
  if (wholeSecond(claim.from) > charge.chargedAt && !isNamed) return 'visited_after_charge';
  return refusalOf(claim, charge, conversions) ?? 'another_claim_won';
}

/** Returns the claim that binds the customer at `at`. `before` is the claim that bound the customer at the previous charge. */
function bindingAt(
  claims: readonly Claim[],
  before: Claim | null,
  conversions: ReadonlyMap<string, Instant>,
  at: Instant,
  charge: Pick<Charge, 'decidedAt' | 'redeemed'>,
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
  const live = come.filter((claim) => isLive(claim, conversions, at, charge.decidedAt));
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
    (winner, next) => (winner !== null && isLastClick(next) && byTime(next, winner) > 0 ? next : winner),
    start,
  );
}

/** True if the claim's affiliate and campaign could earn from the charge. */
function isAble({ eligibility }: Claim, { decidedAt }: Pick<Charge, 'decidedAt'>): boolean {
  return obstacleAt(eligibility, decidedAt) === null;
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

function isLive(claim: Claim, conversions: ReadonlyMap<string, Instant>, at: Instant, decidedAt: Instant): boolean {
  if (isDeactivated(claim, decidedAt)) return false;
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
        isLive(claim, conversions, charge.chargedAt, charge.decidedAt) &&
        isAble(claim, charge),
    ) ?? null
  );
}

function refusalOf(claim: Claim, charge: Charge, conversions: ReadonlyMap<string, Instant>): ClaimRefusal | null {
  if (isDeactivated(claim, charge.decidedAt)) return 'referral_deactivated';
  if (!isLive(claim, conversions, charge.chargedAt, charge.decidedAt)) return 'referral_expired';
  return obstacleAt(claim.eligibility, charge.decidedAt);
}

/** Returns the reason why no claim earns from a charge, and the key of the latest claim that was made before it and began before it. */
function refusalWithoutClaim(claims: readonly Claim[], charge: Charge): Earner {
  if (claims.length === 0) return { claim: null, refusal: 'no_referral' };
  const begun = claims.filter(({ from }) => wholeSecond(from) <= charge.chargedAt);
  if (begun.length === 0) return { claim: null, refusal: 'before_visit' };
  const latest = begun.findLast((claim) => isMadeBy(claim, charge));
  if (latest === undefined) return { claim: null, refusal: 'no_referral' };
  return { claim: latest.key, refusal: isDeactivated(latest, charge.decidedAt) ? 'referral_deactivated' : 'referral_expired' };
}

/**
 * Orders claims by time. Links come before codes of the same second, because a bound link wins over a code. A referral that an assignment has started comes
 * last: it began with its charge, and other charges of the second may come before that.
 */
function byTime(a: Claim, b: Claim): number {
  const rank = ({ kind, isAssigned }: Claim) => (isAssigned ? 2 : kind === 'code' ? 1 : 0);
  return (
    compare(wholeSecond(a.from), wholeSecond(b.from)) ||
    compare(rank(a), rank(b)) ||
    compare(a.from, b.from) ||
    compare(a.key, b.key)
  );
}
