/**
 * Checks that decisions do not depend on the order in which facts arrive (docs/domain-rules.md#order-of-facts), although each decision uses
 * a result of the one before: which charges a limit has refused. ATTRIBUTION_STORIES sets the number of random
 * stories, e.g. 10000. Each run has a new seed, unless ATTRIBUTION_SEED sets it.
 */
import { expect, it } from 'vitest';
import { applyLimits, attributeCharges, type CampaignLimits, type Charge, type Claim } from './decide.ts';
import type { Standing } from './standing.ts';

const STORIES = Number(process.env['ATTRIBUTION_STORIES'] ?? 300);
const SEED = Number(process.env['ATTRIBUTION_SEED'] ?? Date.now() % 2 ** 31);
/** Number of orders in which each story is told: the given order and random ones. */
const ORDERS = 24;

type Fact = { claim: Claim } | { charge: Charge } | { refunded: string };

interface Story {
  facts: Fact[];
  limits: CampaignLimits;
}

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

function randomStory(random: () => number): Story {
  const pick = <T>(...from: T[]): T => from[Math.floor(random() * from.length)]!;
  const randomStanding = (): Standing => {
    const [one, other] = [pick(null, null, 'affiliate_inactive' as const), pick(null, null, null, 'campaign_archived' as const)];
    return random() < 0.3
      ? [
          { until: day(Math.floor(random() * 160)), obstacle: one },
          { until: null, obstacle: other },
        ]
      : [{ until: null, obstacle: other }];
  };
  const limits = { maxCommissions: pick(null, null, 1, 2), periodMonths: pick(null, null, 1, 3) };
  const [lastClick, beforeLink] = [random() < 0.3, random() < 0.3];
  const claims = Array.from({ length: pick(1, 2, 2, 3) }, (_, i): Claim => {
    const from = Math.floor(random() * 120);
    return {
      key: `claim ${i}`,
      kind: pick('link', 'code'),
      affiliate_id: pick('A', 'B'),
      from: day(from),
      madeAt: day(from + pick(0, 0, 10, 40)),
      expiresAt: day(from + pick(20, 60)),
      deactivatedAt: random() < 0.1 ? day(from + 30) : null,
      convertedAt: null,
      standing: randomStanding(),
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
      standingAt: random() < 0.1 ? day(170) : chargedAt,
      netCents: pick(0, 500, 500, 500),
      named: random() < 0.2 ? pick(...claims).key : null,
      redeemed: random() < 0.4 ? claims.filter(({ kind }) => kind === 'code').map(({ key }) => key) : [],
      isExcluded: random() < 0.1,
    };
  });
  const refunds = charges.filter(() => random() < 0.25).map(({ key }): Fact => ({ refunded: key }));
  return { facts: [...claims.map((claim) => ({ claim })), ...charges.map((charge) => ({ charge })), ...refunds], limits };
}

/** Adds the facts one by one and decides after each. Returns who earns from each charge in the end. */
function told(facts: readonly Fact[], limits: CampaignLimits): string[] {
  const claims: Claim[] = [];
  const charges: Charge[] = [];
  const refunded = new Set<string>();
  let held = new Map<string, string>();
  let limited = new Set<string>();
  for (const fact of facts) {
    if ('claim' in fact) claims.push(fact.claim);
    else if ('charge' in fact) charges.push(fact.charge);
    else refunded.add(fact.refunded);
    const { attributions } = attributeCharges(claims, charges, day(999));
    const [next, refused] = [new Map<string, string>(), new Set<string>()];
    const earning = attributions.filter(({ claim, refusal }) => claim !== null && refusal === null);
    for (const [claim, own] of Map.groupBy(earning, (each) => each.claim!)) {
      const eligible = own.map(({ charge: key }) => {
        const { chargedAt, netCents } = charges.find((each) => each.key === key)!;
        return { key, chargedAt, worth: netCents > 0 && !refunded.has(key), endedAt: null, wasRefused: limited.has(key), limits };
      });
      const reasons = applyLimits(eligible);
      for (const { key } of eligible) {
        if (reasons.has(key)) refused.add(key);
        else next.set(key, claim);
      }
    }
    [held, limited] = [next, refused];
  }
  return [...held].map(([charge, claim]) => `${charge}: ${claim}`).toSorted();
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
    const expected = told(facts, limits);
    if (expected.length > 0) earning += 1;
    for (let order = 1; order < ORDERS; order += 1) {
      const again = shuffled(facts, random);
      tellings += 1;
      const ended = told(again, limits);
      if (ended.join() !== expected.join()) failures.push({ facts: again, limits, ended, expected });
    }
  }
  if (STORIES > 300) process.stdout.write(`${STORIES} stories, ${earning} of which earn, ${tellings + STORIES} tellings\n`);
  expect({ seed: SEED, failures }).toEqual({ seed: SEED, failures: [] });
  expect(earning).toBeGreaterThan(STORIES / 5);
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
