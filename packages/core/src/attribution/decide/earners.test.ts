import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedClaims, attributeCharges, BEGINNING, type Charge, type Claim, statusOf } from './earners.ts';
import { applyLimits } from './eligibility.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

const ABLE = [{ until: null, obstacle: null, isSuspicious: false }];
const INACTIVE = [{ until: null, obstacle: 'affiliate_inactive' as const, isSuspicious: false }];

const link = (key: string, from: number, more: Partial<Claim> = {}): Claim => ({
  key,
  kind: 'link',
  affiliate_id: key,
  campaign_id: 'campaign',
  from: day(from),
  madeAt: day(from),
  expiresAt: day(from + 60),
  deactivatedAt: null,
  convertedAt: null,
  eligibility: ABLE,
  inactive: [],
  isAssigned: false,
  lead: null,
  isProven: true,
  lastClick: false,
  beforeLink: false,
  names: [],
  ...more,
});
const code = (key: string, from: number, more: Partial<Claim> = {}) => link(key, from, { kind: 'code', ...more });
const charge = (key: string, at: number, more: Partial<Charge> = {}): Charge => ({
  key,
  chargedAt: day(at),
  netCents: 1_000,
  named: null,
  redeemed: [],
  decidedAt: day(at),
  isExcluded: false,
  settled: null,
  assigned: null,
  payer: [],
  shown: [],
  ...more,
});

/** Returns for each charge the key of the claim that earns, or the reason why no claim earns. */
function earners(claims: Claim[], charges: Charge[], codeBeforeLink = false) {
  const chosen = claims.map((claim) => ({ ...claim, beforeLink: codeBeforeLink }));
  const { attributions } = attributeCharges(acceptedClaims(chosen, charges), charges, day(999));
  return attributions.map(({ claim, refusal }) => refusal ?? claim);
}

describe('attributeCharges', () => {
  it('gives a charge to the first click', () => {
    expect(earners([link('b', 2), link('a', 1)], [charge('1', 3)])).toEqual(['a']);
  });

  it('converts a claim that a person has marked converted from that time on', () => {
    const marked = link('a', 2, { convertedAt: day(20) });
    expect(earners([link('b', 1), marked], [charge('1', 10)])).toEqual(['b']);
    expect(earners([link('b', 1), marked], [charge('1', 20)])).toEqual(['a']);
  });

  it('counts a public lead only if the customer had not paid and had no live claim at its time', () => {
    const lead = (key: string, from: number, at: number, more: Partial<Claim> = {}) =>
      link(key, from, { madeAt: day(at), lead: { at: day(at), from: day(from) }, isProven: false, ...more });
    expect(earners([lead('a', 1, 5)], [charge('1', 7)])).toEqual(['a']);
    expect(earners([lead('a', 1, 5)], [charge('1', 3), charge('2', 7)])).toEqual(['no_referral', 'no_referral']);
    expect(earners([lead('a', 1, 5), link('b', 2)], [charge('1', 7)])).toEqual(['b']);
    expect(earners([lead('a', 1, 70), link('b', 2)], [charge('1', 71)])).toEqual(['referral_expired']);
    expect(earners([lead('a', 20, 70), link('b', 2)], [charge('1', 71)])).toEqual(['a']);
    expect(earners([lead('a', 1, 5), lead('b', 2, 4)], [charge('1', 7)])).toEqual(['b']);
    // The proof counts from its own time.
    const proven = lead('a', 1, 5, { isProven: true, madeAt: day(8) });
    expect(earners([proven], [charge('1', 3), charge('2', 7), charge('3', 9)])).toEqual(['no_referral', 'no_referral', 'a']);
    expect(earners([proven], [charge('2', 7)])).toEqual(['a']);
  });

  it('gives an excluded charge to nobody, and neither converts nor extends a claim by it', () => {
    const claims = [link('a', 1), link('b', 70)];
    const excluded = charge('1', 3, { isExcluded: true });
    expect(earners(claims, [excluded, charge('2', 4), charge('3', 80)])).toEqual(['excluded', 'a', 'a']);
    expect(earners(claims, [excluded, charge('3', 80)])).toEqual(['excluded', 'b']);
    expect(earners([], [excluded])).toEqual(['excluded']);
    expect(attributeCharges(claims, [excluded], day(999)).attributions).toMatchObject([{ claim: 'a' }]);
  });

  it('gives a charge to a link rather than to a later code, even if the campaign attributes to the last click', () => {
    const claims = [link('a', 1), link('b', 2, { kind: 'code', lastClick: true })];
    expect(earners(claims, [charge('1', 3)])).toEqual(['a']);
    expect(earners(claims, [charge('1', 3, { redeemed: ['b'] })], true)).toEqual(['b']);
  });

  it('gives a charge to the last click if the campaign attributes to the last click and no click has converted', () => {
    const claims = [link('a', 1), link('b', 2, { lastClick: true }), link('c', 5, { lastClick: true })];
    expect(earners(claims, [charge('1', 3), charge('2', 6)])).toEqual(['b', 'b']);
  });

  it('prefers a link to a code redeemed with the same charge, unless the account prefers codes', () => {
    const claims = [link('a', 1), code('k', 3)];
    const charges = [charge('1', 3, { redeemed: ['k'] }), charge('2', 4)];
    expect(earners(claims, charges)).toEqual(['a', 'a']);
    expect(earners(claims, charges, true)).toEqual(['k', 'k']);
    expect(earners(claims, [charge('0', 2), ...charges], true)).toEqual(['a', 'k', 'a']);
  });

  it('does not attribute a charge made before the visit, unless the merchant named the referral', () => {
    expect(earners([link('a', 5)], [charge('1', 4)])).toEqual(['before_visit']);
    expect(earners([link('a', 5)], [charge('1', 4, { named: 'a' }), charge('2', 4.5)])).toEqual(['a', 'a']);
  });

  it('treats a charge in the same second as the visit as later than the visit', () => {
    expect(earners([link('a', 0, { from: '2026-01-01T00:00:00.900Z' })], [charge('1', 0)])).toEqual(['a']);
  });

  it('replaces a binding that expired unconverted, and keeps a converted one', () => {
    const claims = [link('a', 1), link('b', 30)];
    expect(earners(claims, [charge('1', 70)])).toEqual(['b']);
    expect(earners(claims, [charge('1', 50), charge('2', 70)])).toEqual(['a', 'a']);
    expect(earners([link('a', 1)], [charge('1', 70)])).toEqual(['referral_expired']);
  });

  it('does not convert a referral by a charge of zero', () => {
    expect(earners([link('a', 1), link('b', 30)], [charge('1', 50, { netCents: 0 }), charge('2', 70)])).toEqual(['a', 'b']);
  });

  it('prefers an affiliate who could earn to one who could not', () => {
    const gone = link('a', 1, { eligibility: INACTIVE });
    expect(earners([gone, link('b', 2)], [charge('1', 3)])).toEqual(['b']);
    expect(earners([gone], [charge('1', 3)])).toEqual(['affiliate_inactive']);
  });

  it('decides each charge by what was in force at its time', () => {
    const approvedOn10 = link('a', 1, {
      eligibility: [{ until: day(10), obstacle: 'affiliate_inactive', isSuspicious: false }, ...ABLE],
    });
    const disabledOn20 = link('b', 2, { eligibility: [{ until: day(20), obstacle: null, isSuspicious: false }, ...INACTIVE] });
    expect(earners([approvedOn10], [charge('1', 9), charge('2', 10), charge('3', 11)])).toEqual(['affiliate_inactive', 'a', 'a']);
    expect(earners([disabledOn20], [charge('1', 19), charge('2', 20)])).toEqual(['b', 'affiliate_inactive']);
    // The customer converted with `b` before `a` could earn.
    expect(earners([approvedOn10, disabledOn20], [charge('1', 9), charge('2', 11)])).toEqual(['b', 'b']);
  });

  it('decides a charge that a person has decided again by the later time', () => {
    const disabledOn20 = link('a', 1, {
      eligibility: [{ until: day(20), obstacle: 'affiliate_inactive', isSuspicious: false }, ...ABLE],
    });
    expect(earners([disabledOn20], [charge('1', 9, { decidedAt: day(30) }), charge('2', 10)])).toEqual([
      'a',
      'affiliate_inactive',
    ]);
  });

  it('earns nothing from charges of a time during which the referral was deactivated', () => {
    const paused = link('a', 1, { inactive: [{ from: day(5), until: day(8) }] });
    const charges = [charge('1', 4), charge('2', 5), charge('3', 7), charge('4', 8)];
    expect(earners([paused], charges)).toEqual(['a', 'referral_deactivated', 'referral_deactivated', 'a']);
  });

  it('counts a deactivation and its end from the start of their seconds for charges of whole seconds', () => {
    const at = (second: string) => `2026-01-06T00:00:${second}Z`;
    const paused = link('a', 1, { inactive: [{ from: at('10.500'), until: at('20.500') }], deactivatedAt: at('30.500') });
    const charges = ['09.000', '10.000', '10.400', '19.000', '20.000', '20.400', '30.000', '30.400'].map((second) =>
      charge(second, 5, { chargedAt: at(second), decidedAt: at(second) }),
    );
    const off = 'referral_deactivated';
    expect(earners([paused], charges)).toEqual(['a', off, 'a', off, 'a', off, off, 'a']);
  });

  it('attributes charges until the referral is deactivated', () => {
    const stopped = link('a', 1, { deactivatedAt: day(5) });
    expect(earners([stopped], [charge('1', 4), charge('2', 6)])).toEqual(['a', 'referral_deactivated']);
  });

  it('does not let a claim rewrite who earned from charges before the claim was made', () => {
    // B's visit was earlier, but B's checkout was opened after A had earned.
    const late = link('b', 1, { madeAt: day(20) });
    expect(earners([link('a', 2), late], [charge('1', 10), charge('2', 30)])).toEqual(['a', 'a']);
    expect(earners([late], [charge('1', 10), charge('2', 30)])).toEqual(['no_referral', 'b']);
    // Nobody converted before the claim was made, so the earlier visit wins afterwards.
    expect(earners([link('a', 2), late], [charge('1', 30)])).toEqual(['b']);
    expect(earners([late], [charge('1', 10, { named: 'b' })])).toEqual(['b']);
  });

  it('names the rule by which a claim won', () => {
    const rules = (claims: Claim[], charges: Charge[]) =>
      attributeCharges(claims, charges, day(999)).attributions.map(({ rule }) => rule);
    const free = { netCents: 0 };
    expect(rules([], [charge('1', 3)])).toEqual(['none']);
    expect(rules([link('a', 1)], [charge('1', 70)])).toEqual(['none']);
    expect(rules([link('a', 1)], [charge('1', 3), charge('2', 3), charge('3', 4)])).toEqual([
      'first_claim',
      'converted',
      'converted',
    ]);
    expect(rules([link('a', 1)], [charge('1', 3, free), charge('2', 4)])).toEqual(['first_claim', 'first_claim']);
    expect(rules([link('a', 1, { convertedAt: day(5) })], [charge('1', 4, free), charge('2', 6)])).toEqual([
      'first_claim',
      'converted',
    ]);
    expect(rules([link('a', 1), link('b', 2, { lastClick: true })], [charge('1', 3)])).toEqual(['last_click']);
    // A code is not a click.
    expect(rules([code('k', 3, { lastClick: true })], [charge('1', 3)])).toEqual(['first_claim']);
    expect(rules([link('a', 1), code('k', 3, { beforeLink: true })], [charge('1', 3, { redeemed: ['k'] })])).toEqual([
      'redeemed_code',
    ]);
    expect(rules([link('a', 5)], [charge('1', 4, { named: 'a' })])).toEqual(['named']);
    // The merchant names who has the customer anyway.
    expect(rules([link('a', 1)], [charge('1', 4, { named: 'a' })])).toEqual(['first_claim']);
    expect(rules([link('a', 1), link('b', 2)], [charge('1', 4, { assigned: 'b' })])).toEqual(['assigned']);
  });

  it('does not count a conversion by hand after the claim had expired', () => {
    const late = link('a', 1, { expiresAt: day(10), convertedAt: day(10) });
    expect(earners([late, link('b', 2)], [charge('1', 30)])).toEqual(['b']);
    expect(earners([late], [charge('1', 30)])).toEqual(['referral_expired']);
    expect(earners([{ ...late, convertedAt: day(9) }, link('b', 2)], [charge('1', 30)])).toEqual(['a']);
  });

  it('tells of each claim how it fared with a charge', () => {
    const claims = {
      winner: link('winner', 1),
      expired: link('expired', 1, { expiresAt: day(9) }),
      other: link('other', 2),
      late: link('late', 1, { madeAt: day(11) }),
      visited: link('visited', 11, { madeAt: day(5) }),
      off: link('off', 1, { deactivatedAt: day(3) }),
      unable: link('unable', 1, { eligibility: INACTIVE }),
    };
    const status = (
      claim: Claim,
      more: Partial<Charge> = {},
      winner: string | null = 'winner',
      conversions = new Map<string, string>(),
    ) => statusOf(claim, charge('1', 10, more), { winner, conversions });
    const statuses = Object.fromEntries(Object.values(claims).map((claim) => [claim.key, status(claim)]));
    expect(statuses).toEqual({
      winner: 'won',
      expired: 'referral_expired',
      other: 'another_claim_won',
      late: 'made_after_charge',
      visited: 'visited_after_charge',
      off: 'referral_deactivated',
      unable: 'affiliate_inactive',
    });
    // What a winner could not earn is said of the winner, too, and the merchant may name a later visit for a charge.
    expect(status(claims.unable, {}, 'unable')).toBe('affiliate_inactive');
    expect(status(claims.visited, { named: 'visited' })).toBe('another_claim_won');
    expect(status(claims.late, { named: 'late' }, 'late')).toBe('won');
    expect(status(claims.expired, {}, null, new Map([['expired', day(8)]]))).toBe('another_claim_won');
    // The second of the charge is not after it.
    expect(status(link('now', 10, { from: '2026-01-11T00:00:00.700Z', madeAt: '2026-01-11T00:00:00.700Z' }))).toBe(
      'another_claim_won',
    );
  });

  describe('of two customers who turn out to be one', () => {
    const joins = [{ of: ['x', 'y'] as [string, string], at: day(20) }];
    /** The claims that earn, before and after the joining, from the charges of either customer. `x` has the first visit, or with `isLater` the second one. */
    const earningOf = (charges: Charge[], { isLater = false } = {}) => {
      const [x, y] = isLater ? [2, 1] : [1, 2];
      const claims = [link('a', x, { names: ['x'] }), link('b', y, { names: ['y'] })];
      const { attributions } = attributeCharges(claims, charges, day(999), BEGINNING, joins);
      return attributions.map(({ claim }) => claim);
    };
    const by = (name: string, at: number, more: Partial<Charge> = {}) => charge(`${at} ${name}`, at, { payer: [name], ...more });

    it('each has their own affiliate until then', () => {
      expect(earningOf([by('x', 5), by('y', 6), by('x', 19), by('y', 19)])).toEqual(['a', 'b', 'a', 'b']);
    });

    it.each([{ isLater: false }, { isLater: true }])('the affiliate who converted first keeps the customer (%j)', (which) => {
      expect(earningOf([by('x', 5), by('y', 6), by('y', 30)], which)).toEqual(['a', 'b', 'a']);
      expect(earningOf([by('x', 6), by('y', 5), by('x', 30)], which)).toEqual(['b', 'a', 'b']);
      expect(earningOf([by('x', 5), by('y', 30)], which)).toEqual(['a', 'a']);
      expect(earningOf([by('y', 5), by('x', 30)], which)).toEqual(['b', 'b']);
    });

    it('the earlier visit keeps the customer if neither has converted, or both at one moment', () => {
      const free = { netCents: 0 };
      for (const [isLater, first] of [
        [false, 'a'],
        [true, 'b'],
      ] as const) {
        expect(earningOf([by('x', 5, free), by('y', 6, free), by('x', 30)], { isLater }).at(-1)).toBe(first);
        expect(earningOf([by('x', 5), by('y', 5), by('x', 30)], { isLater }).at(-1)).toBe(first);
      }
    });
  });

  describe('with a paid commission', () => {
    const paidTo = (settled: string, at: number, more: Partial<Charge> = {}) => charge(String(at), at, { settled, ...more });

    it('changes nothing as long as the facts agree with the payment', () => {
      const claims = [link('a', 1), link('b', 30)];
      const charges = [charge('3', 3), charge('80', 80)];
      const outcome = attributeCharges(claims, charges, day(999));
      const paid = charges.map((each) => ({ ...each, settled: 'a' }));
      expect(attributeCharges(claims, paid, day(999))).toEqual(outcome);
      expect(outcome.attributions.map(({ contested }) => contested)).toEqual([null, null]);
    });

    it('keeps the charge, and the customer from then on, if an earlier visit becomes known later', () => {
      const claims = [link('late', 0), link('a', 1)];
      const { attributions, binding, conversions } = attributeCharges(
        claims,
        [charge('2', 2), paidTo('a', 3), charge('4', 4)],
        day(999),
      );
      expect(attributions).toEqual([
        { charge: '2', rule: 'first_claim', claim: 'late', refusal: null, contested: null },
        { charge: '3', rule: 'paid', claim: 'a', refusal: null, contested: { claim: 'late', refusal: null } },
        { charge: '4', rule: 'converted', claim: 'a', refusal: null, contested: null },
      ]);
      expect(binding).toBe('a');
      expect(conversions.get('a')).toBe(day(3));
    });

    it('keeps the charge if the merchant excludes it later', () => {
      const { attributions } = attributeCharges([link('a', 1)], [paidTo('a', 3, { isExcluded: true })], day(999));
      expect(attributions).toMatchObject([{ claim: 'a', refusal: null, contested: { claim: 'a', refusal: 'excluded' } }]);
    });

    it('keeps the customer of a referral that turns out to have expired', () => {
      const charges = [paidTo('a', 70), charge('80', 80)];
      const { attributions, binding } = attributeCharges([link('a', 1), link('b', 65)], charges, day(999));
      expect(attributions.map(({ claim, refusal }) => [claim, refusal])).toEqual([
        ['a', null],
        ['a', null],
      ]);
      expect(attributions.map(({ contested }) => contested?.claim)).toEqual(['b', undefined]);
      expect(binding).toBe('a');
    });

    it('keeps only the charge if a code won only the charge', () => {
      const code = link('k', 3, { kind: 'code', beforeLink: true, expiresAt: day(3) });
      const claims = [link('a', 1), code];
      const { attributions } = attributeCharges(claims, [paidTo('k', 3, { redeemed: ['k'] }), charge('4', 4)], day(999));
      expect(attributions).toMatchObject([{ claim: 'k', contested: { claim: 'a' } }, { claim: 'a' }]);
    });

    it('moves to another referral of the same affiliate and campaign, because no money moves', () => {
      const claims = [link('first', 0, { affiliate_id: 'ada' }), link('a', 1, { affiliate_id: 'ada' })];
      expect(attributeCharges(claims, [paidTo('a', 3)], day(999)).attributions).toMatchObject([
        { claim: 'first', contested: null },
      ]);
      const elsewhere = [{ ...claims[0]!, campaign_id: 'other' }, claims[1]!];
      expect(attributeCharges(elsewhere, [paidTo('a', 3)], day(999)).attributions).toMatchObject([
        { claim: 'a', contested: { claim: 'first' } },
      ]);
    });
  });

  it('attributes nothing without a claim', () => {
    expect(earners([], [charge('1', 3)])).toEqual(['no_referral']);
  });

  it('does not depend on the order of claims and charges, and attributes each charge to an eligible claim', () => {
    const when = fc.integer({ min: 0, max: 200 });
    const claim = fc.record({
      from: when,
      length: fc.integer({ min: 1, max: 90 }),
      isCode: fc.boolean(),
      lastClick: fc.boolean(),
    });
    const sale = fc.record({ at: when, cents: fc.constantFrom(0, 500), code: fc.nat(5) });
    const scene = fc.record({
      claims: fc.array(claim, { maxLength: 5 }),
      charges: fc.array(sale, { maxLength: 7 }),
      codeBeforeLink: fc.boolean(),
      seed: fc.infiniteStream(fc.nat()),
    });
    fc.assert(
      fc.property(scene, ({ claims, charges, codeBeforeLink, seed }) => {
        const allClaims = claims.map(({ from, length, isCode, lastClick }, index) =>
          link(`c${index}`, from, {
            kind: isCode ? 'code' : 'link',
            expiresAt: day(from + length),
            lastClick,
            beforeLink: codeBeforeLink,
          }),
        );
        const allCharges = charges.map(({ at, cents, code: redeemed }, index) =>
          charge(`s${index}`, at, { netCents: cents, redeemed: [`c${redeemed}`] }),
        );
        const shuffled = <T>(items: T[]) =>
          items
            .map((item) => ({ item, rank: seed.next().value }))
            .toSorted((a, b) => a.rank - b.rank)
            .map(({ item }) => item);
        const outcome = attributeCharges(allClaims, allCharges, day(999));
        expect(attributeCharges(shuffled(allClaims), shuffled(allCharges), day(999))).toEqual(outcome);
        for (const { charge: key, claim: held, refusal } of outcome.attributions) {
          if (held === null || refusal !== null) continue;
          const at = allCharges.find((each) => each.key === key)!.chargedAt;
          const { from, expiresAt } = allClaims.find((each) => each.key === held)!;
          const converted = outcome.conversions.get(held);
          expect(from <= at).toBe(true);
          expect(at < expiresAt! || (converted !== undefined && converted < expiresAt!)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('applyLimits', () => {
  const sale = (key: string, at: number, endedAt: number | null = null, worth = true) => ({
    key,
    chargedAt: day(at),
    worth,
    endedAt: endedAt === null ? null : day(endedAt),
    takesPlace: true,
    wasRefused: false,
    isSettled: false,
  });
  type Limited = Parameters<typeof applyLimits>[0][number];
  const under = (limits: Limited['limits'], charges: Omit<Limited, 'limits'>[]) =>
    charges.map((charge) => ({ ...charge, limits }));
  const refusedBy = (charges: Limited[]) => applyLimits(charges).refused;

  it('lets the earliest charges earn', () => {
    expect([...refusedBy(under({ maxCommissions: 2, periodMonths: null }, [sale('c', 3), sale('a', 1), sale('b', 2)]))]).toEqual([
      ['c', 'max_commissions_reached'],
    ]);
  });

  it('frees a place at the moment when a commission ended', () => {
    const charges = [sale('a', 1, 3), sale('b', 2), sale('c', 4)];
    expect([...refusedBy(under({ maxCommissions: 1, periodMonths: null }, charges))]).toEqual([['b', 'max_commissions_reached']]);
  });

  it('frees a place for a charge of that very moment, unless the charge was refused before', () => {
    const refused = (at: number, wasRefused: boolean) => [
      ...refusedBy(under({ maxCommissions: 1, periodMonths: null }, [sale('a', 1, 3), { ...sale('b', at), wasRefused }])).keys(),
    ];
    expect([refused(3, false), refused(3, true), refused(4, true), refused(2, true)]).toEqual([[], ['b'], [], ['b']]);
  });

  it('keeps decisions that were made under former limits', () => {
    const before = under({ maxCommissions: null, periodMonths: null }, [sale('a', 1), sale('b', 2)]);
    const after = under({ maxCommissions: 1, periodMonths: null }, [sale('c', 3)]);
    const later = under({ maxCommissions: 4, periodMonths: null }, [sale('d', 4)]);
    expect([...refusedBy([...later, ...after, ...before])]).toEqual([['c', 'max_commissions_reached']]);
  });

  it('leaves a paid commission its place, whichever charge was earlier', () => {
    const limits = { maxCommissions: 1, periodMonths: 1 };
    const late = sale('late', 1);
    const paid = { ...sale('paid', 40), isSettled: true };
    expect([...refusedBy(under(limits, [late, paid, sale('next', 45)]))]).toEqual([
      ['late', 'max_commissions_reached'],
      ['next', 'max_commissions_reached'],
    ]);
    const { refused, contested } = applyLimits(under({ ...limits, maxCommissions: null }, [late, paid]));
    expect([refused, contested]).toEqual([new Map(), new Map([['paid', 'commission_period_over']])]);
  });

  it('counts all paid commissions, also those that have a place by the order of the charges', () => {
    const paid = (key: string, at: number) => ({ ...sale(key, at), isSettled: true });
    const charges = [sale('late', 1), paid('first', 2), sale('x', 3), paid('second', 4)];
    expect(applyLimits(under({ maxCommissions: 3, periodMonths: null }, charges))).toEqual({
      refused: new Map([['x', 'max_commissions_reached']]),
      contested: new Map([['second', 'max_commissions_reached']]),
    });
  });

  it('does not refuse a charge because a later one is paid, if both have a place', () => {
    const charges = [sale('ended', 1, 3), sale('b', 2), { ...sale('paid', 4), isSettled: true }];
    expect(applyLimits(under({ maxCommissions: 2, periodMonths: null }, charges))).toEqual({
      refused: new Map(),
      contested: new Map(),
    });
  });

  it('counts months from the first commission', () => {
    const charges = [sale('a', 0), sale('b', 30), sale('c', 31)];
    expect([...refusedBy(under({ maxCommissions: null, periodMonths: 1 }, charges))]).toEqual([['c', 'commission_period_over']]);
  });

  it('gives no place to a charge that earns nothing but a bonus, and refuses it if all places are taken', () => {
    const bonus = (key: string, at: number) => ({ ...sale(key, at), takesPlace: false });
    const charges = [bonus('a', 0), sale('b', 1), bonus('c', 2), sale('d', 40)];
    const refused = [...refusedBy(under({ maxCommissions: 1, periodMonths: null }, charges))];
    expect(refused.map(([key]) => key)).toEqual(['c', 'd']);
    expect([
      ...refusedBy(under({ maxCommissions: null, periodMonths: 1 }, [bonus('a', 0), sale('b', 20), sale('d', 40)])),
    ]).toEqual([]);
  });

  it('does not count a charge that cannot earn anything', () => {
    const charges = [sale('a', 0, null, false), sale('b', 1)];
    expect([...refusedBy(under({ maxCommissions: 1, periodMonths: 1 }, charges))]).toEqual([['a', 'nothing_to_earn']]);
  });
});
