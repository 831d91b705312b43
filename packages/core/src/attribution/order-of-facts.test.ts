/**
 * Checks that decisions do not depend on the order in which facts arrive (docs/rules/attribution.md#order-of-facts), although each decision uses
 * a result of the one before: which charges a limit has refused. ATTRIBUTION_STORIES sets the number of random
 * stories, e.g. 10000. Each run has a new seed, unless ATTRIBUTION_SEED sets it.
 */
import { expect, it } from 'vitest';
import type { SaleLimits } from '../ledger/sales/sale.entity.ts';
import { attributeCharges, type Charge, type Claim } from './earners.ts';
import type { Eligibility } from './eligibility.ts';
import { applyLimits } from './limits.ts';

const STORIES = Number(process.env['ATTRIBUTION_STORIES'] ?? 300);
const SEED = Number(process.env['ATTRIBUTION_SEED'] ?? Date.now() % 2 ** 31);
/** Number of orders in which each story is told: the given order and random ones. */
const ORDERS = 24;

type Fact = { claim: Claim } | { charge: Charge } | { refunded: string };

interface Story {
  facts: Fact[];
  limits: SaleLimits;
}

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

function randomStory(random: () => number): Story {
  const pick = <T>(...from: T[]): T => from[Math.floor(random() * from.length)]!;
  const randomEligibility = (): Eligibility => {
    const [one, other] = [pick(null, null, 'affiliate_inactive' as const), pick(null, null, null, 'campaign_archived' as const)];
    return random() < 0.3
      ? [
          { until: day(Math.floor(random() * 160)), obstacle: one, isSuspicious: false },
          { until: null, obstacle: other, isSuspicious: false },
        ]
      : [{ until: null, obstacle: other, isSuspicious: false }];
  };
  const limits = { maxCommissions: pick(null, null, 1, 2), periodMonths: pick(null, null, 1, 3) };
  const [lastClick, beforeLink] = [random() < 0.3, random() < 0.3];
  const claims = Array.from({ length: pick(1, 2, 2, 3) }, (_, i): Claim => {
    const from = Math.floor(random() * 120);
    return {
      key: `claim ${i}`,
      kind: pick('link', 'code'),
      affiliate_id: pick('A', 'B'),
      campaign_id: 'campaign',
      from: day(from),
      madeAt: day(from + pick(0, 0, 10, 40)),
      expiresAt: day(from + pick(20, 60)),
      deactivatedAt: random() < 0.1 ? day(from + 30) : null,
      convertedAt: null,
      eligibility: randomEligibility(),
      inactive: random() < 0.1 ? [{ from: day(from + 5), until: day(from + 15) }] : [],
      lastClick,
      beforeLink,
    };
  });
  const charges = Array.from({ length: pick(1, 2, 3) }, (_, i): Charge => {
    // A charge is often in the same second as a claim.
    const chargedAt = random() < 0.4 ? pick(...claims).from : day(Math.floor(random() * 160));
    return {
      key: `charge ${i}`,
      chargedAt,
      decidedAt: random() < 0.1 ? day(170) : chargedAt,
      netCents: pick(0, 500, 500, 500),
      named: random() < 0.2 ? pick(...claims).key : null,
      redeemed: random() < 0.4 ? claims.filter(({ kind }) => kind === 'code').map(({ key }) => key) : [],
      isExcluded: random() < 0.1,
      settled: null,
      assigned: null,
    };
  });
  const refunds = charges.filter(() => random() < 0.25).map(({ key }): Fact => ({ refunded: key }));
  return { facts: [...claims.map((claim) => ({ claim })), ...charges.map((charge) => ({ charge })), ...refunds], limits };
}

/** Who earns from each charge after all facts of a story. */
interface Ending {
  earners: string[];
  /** True if a payment contradicts the facts. */
  isContested: boolean;
}

/**
 * Adds the facts one by one and decides after each. A paid charge must keep its affiliate.
 *
 * @param isPaid called for each commission after each fact; if it returns true, the commission is paid
 */
function told(facts: readonly Fact[], limits: SaleLimits, isPaid = () => false): Ending {
  const claims: Claim[] = [];
  const charges: Charge[] = [];
  const refunded = new Set<string>();
  const payments = new Map<string, Claim>();
  let held = new Map<string, string>();
  let limited = new Set<string>();
  let isContested = false;
  for (const fact of facts) {
    if ('claim' in fact) claims.push(fact.claim);
    else if ('charge' in fact) charges.push({ ...fact.charge });
    else refunded.add(fact.refunded);
    for (const charge of charges) charge.settled = payments.get(charge.key)?.key ?? null;
    const { attributions } = attributeCharges(claims, charges, day(999));
    const [next, refused] = [new Map<string, string>(), new Set<string>()];
    const earning = attributions.filter(({ claim, refusal }) => claim !== null && refusal === null);
    isContested = attributions.some(({ contested }) => contested !== null);
    for (const [claim, own] of Map.groupBy(earning, (each) => each.claim!)) {
      const eligible = own.map(({ charge: key }) => {
        const { chargedAt, netCents } = charges.find((each) => each.key === key)!;
        const worth = netCents > 0 && !refunded.has(key);
        return { key, chargedAt, worth, endedAt: null, wasRefused: limited.has(key), isSettled: payments.has(key), limits };
      });
      const reasons = applyLimits(eligible);
      isContested ||= reasons.contested.size > 0;
      for (const { key } of eligible) {
        if (reasons.refused.has(key)) refused.add(key);
        else next.set(key, claim);
      }
    }
    const affiliateOf = (charge: string) => claims.find(({ key }) => key === next.get(charge))?.affiliate_id;
    const owed = [...payments].filter(([charge]) => !refunded.has(charge));
    expect(owed.map(([charge]) => affiliateOf(charge))).toEqual(owed.map(([, { affiliate_id }]) => affiliate_id));
    for (const [charge, claim] of next)
      if (payments.has(charge) || isPaid())
        payments.set(
          charge,
          claims.find(({ key }) => key === claim)!,
        );
    [held, limited] = [next, refused];
  }
  return { earners: [...held].map(([charge, claim]) => `${charge}: ${claim}`).toSorted(), isContested };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

it(`${STORIES} random stories have the same result in ${ORDERS} orders each`, { timeout: 60_000 + STORIES * 20 }, () => {
  const random = mulberry32(SEED);
  let [earning, tellings] = [0, 0];
  const failures: object[] = [];
  for (let story = 0; story < STORIES; story += 1) {
    const { facts, limits } = randomStory(random);
    const { earners: expected } = told(facts, limits);
    if (expected.length > 0) earning += 1;
    for (let order = 1; order < ORDERS; order += 1) {
      const again = shuffled(facts, random);
      tellings += 1;
      const { earners: ended } = told(again, limits);
      if (ended.join() !== expected.join()) failures.push({ facts: again, limits, ended, expected });
    }
  }
  if (STORIES > 300) process.stdout.write(`${STORIES} stories, ${earning} of which earn, ${tellings + STORIES} tellings\n`);
  expect({ seed: SEED, failures }).toEqual({ seed: SEED, failures: [] });
  expect(earning).toBeGreaterThan(STORIES / 5);
});

it(`payments change the result of ${STORIES} random stories only if a later fact contradicts one`, () => {
  const random = mulberry32(20_261_127);
  const failures: object[] = [];
  const counts = { contested: 0, agreed: 0 };
  for (let story = 0; story < STORIES; story += 1) {
    const { facts, limits } = randomStory(random);
    const { earners: expected } = told(facts, limits);
    for (let order = 0; order < ORDERS; order += 1) {
      const again = shuffled(facts, random);
      const { earners, isContested } = told(again, limits, () => random() < 0.5);
      counts[isContested ? 'contested' : 'agreed'] += 1;
      if (!isContested && earners.join() !== expected.join()) failures.push({ facts: again, limits, earners, expected });
    }
  }
  expect(failures).toEqual([]);
  expect(Math.min(counts.contested, counts.agreed)).toBeGreaterThan(STORIES / 10);
});

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
