/** The rules of docs/rules/rewards.md about several sales as stories of facts: what each sale earns, and how later facts change it. */
import { describe, expect, it } from 'vitest';
import { decide, restricts, withEligibility } from '../../packages/core/src/attribution/decide/decide.ts';
import {
  type ClaimFact,
  MERCHANT,
  type PaidByRule,
  type PaidOnTop,
  type SaleFact,
  tierKey,
} from '../../packages/core/src/attribution/decide/facts.ts';
import type { Cap } from '../../packages/core/src/rewards/worth/rule.ts';
import { day, ID_1 } from './random-facts.ts';
import { commission, facts, link, percent, rule, sale, TERMS, usd } from './rewarded-facts.ts';

type Given = Parameters<typeof facts>[0];

const A = link('A', 1);

/** Returns the result of each sale, in the order of their charges: the outcome, the cents of the commission and those of the bonuses. */
function earned(given: Partial<Given>): string[] {
  return decide(facts({ claims: [A], rules: [], ...given })).sales.map((each) => {
    const worth = 'reward' in each ? each.reward.worth : null;
    const amounts = worth === null ? [] : [worth, ...worth.bonuses].map(({ amount }) => amount.cents);
    const contest = each.contested === null ? [] : [`contested ${each.contested.amount_cents}`];
    return [each.outcome, each.refusal ?? [], amounts, contest].flat(2).join(' ');
  });
}
const cents = (given: Partial<Given>) => earned(given).map((each) => each.replace(/^earn /, ''));

describe('a sale', () => {
  it('earns by the rules of its campaign that were in force at its charge', () => {
    const rules = [rule('r', { version: 2, pay: percent(50), in_force_from: day(5) }), rule('r')];
    expect(cents({ sales: [sale(3), sale(5), sale(6)], rules })).toEqual(['300', '500', '500']);
    expect(cents({ sales: [sale(3), sale(5)], rules, campaign: { rewarded_since: day(4) } })).toEqual(['200', '500']);
    expect(cents({ sales: [sale(3)], rules, campaign: { rewarded_since: null } })).toEqual(['200']);
    expect(cents({ sales: [sale(3)], rules, rewards: { rules: new Map([['campaign B', rules]]) } })).toEqual(['200']);
  });

  it('earns by its lines', () => {
    const line = (product: string, net_cents: number) => ({
      product,
      price: null,
      interval: null,
      quantity: 1,
      net_cents,
      refunded_cents: 0,
    });
    const lines = new Map([['sale 3', [line('pro', 600), line('mug', 400)]]]);
    const rules = [rule('r', { when: { products: ['pro'] }, pay: percent(50) })];
    expect(cents({ sales: [sale(3), sale(4)], rules, rewards: { lines } })).toEqual(['380', '200']);
  });

  it('earns by the country and the link of its referral, and by the tiers of its time', () => {
    const referrers = new Map([['referral A1', { link_id: 'link', country: 'DE' }]]);
    const tiers = new Map([[tierKey('A', 'campaign A', true, day(3)), ['gold']]]);
    const given = { sales: [sale(3), sale(4)], rewards: { referrers, tiers } };
    expect(cents({ ...given, rules: [rule('r', { link_id: 'link', when: { countries: ['DE'] } })] })).toEqual(['300', '300']);
    expect(cents({ ...given, rules: [rule('r', { when: { countries: ['FR'] } })] })).toEqual(['200', '200']);
    expect(cents({ ...given, rules: [rule('r', { when: { tier: ['gold'] } })] })).toEqual(['300', '200']);
    // A code has no link.
    const code = link('A', 3, { key: 'code', kind: 'code', referral_id: null, named_id: null, code: 'ADA', sale_id: 'sale 3' });
    expect(cents({ ...given, claims: [code], rules: [rule('r', { link_id: 'link' })], sales: [sale(3)] })).toEqual(['200']);
  });

  it('earns by the codes of affiliates that were redeemed with it or, without one, by the code that was reported', () => {
    const rules = [rule('r', { when: { codes: ['ada'] } })];
    const code = (name: string) =>
      link('A', 3, { key: name, kind: 'code', referral_id: null, named_id: null, code: name, sale_id: 'sale 3' });
    const sales = [sale(3, { promo_code: 'ADA' })];
    expect(cents({ sales, rules })).toEqual(['300']);
    expect(cents({ sales, rules, claims: [A, code('BOB')] })).toEqual(['200']);
    expect(cents({ sales: [sale(3, { promo_code: 'BOB' })], rules, claims: [A, code('ADA')] })).toEqual(['300']);
    expect(cents({ sales: [sale(4)], rules, claims: [A, code('ADA')] })).toEqual(['200']);
  });
});

describe('the earlier sales', () => {
  const first = [rule('r', { when: { sale_number: { to: 1 } }, pay: percent(50) })];

  it('of a referral give a sale its number', () => {
    expect(cents({ sales: [sale(3), sale(4), sale(5)], rules: first })).toEqual(['500', '200', '200']);
  });

  it.each<[string, SaleFact]>([
    ['of nothing', sale(2, { charge_amount_cents: 100, tax_amount_cents: 100 })],
    ['that is excluded', sale(2, { excluded: true })],
    ['of test mode', sale(2, { livemode: false })],
    ['that was excluded when it was decided', sale(2, { no_commission_reason: 'excluded' }, { isOnlyCounted: true })],
  ])('do not count a sale %s', (_, other) => {
    const sales = [{ ...other, sale: { ...other.sale, referral_id: A.referral_id } }, sale(3)];
    expect(cents({ sales, rules: first }).at(-1)).toBe('500');
  });

  it('count those that were decided before, and others of the referral', () => {
    const before = sale(2, { referral_id: A.referral_id, no_commission_reason: null }, { isOnlyCounted: true });
    expect(cents({ sales: [before, sale(3)], rules: first }).at(-1)).toBe('200');
    const history = (more: object) => [
      {
        id: 'sale 2',
        key: 'charge:ch_2 sale 2',
        referral_id: A.referral_id,
        customer_id: 'other',
        charged_at: day(2),
        is_live: true,
        ...more,
      },
    ];
    const with_ = (more: object) => cents({ sales: [sale(3)], rules: first, rewards: { history: history(more) } });
    expect(with_({})).toEqual(['200']);
    expect(with_({ referral_id: 'referral of nobody' })).toEqual(['500']);
    expect(with_({ is_live: false })).toEqual(['500']);
    expect(with_({ charged_at: day(4) })).toEqual(['500']);
    // Charges of one moment come in the order of their keys.
    expect(with_({ charged_at: day(3) })).toEqual(['200']);
    expect(with_({ charged_at: day(3), key: 'charge:ch_4 sale 4' })).toEqual(['500']);
  });

  it('make a customer one who returns, by whichever referral', () => {
    const rules = [rule('r', { when: { customer: 'new' }, pay: percent(50) })];
    expect(cents({ sales: [sale(3), sale(4)], rules })).toEqual(['500', '200']);
    // The first sale is of nobody.
    expect(cents({ sales: [sale(0.5), sale(4)], rules }).at(-1)).toBe('200');
    const other = { id: 'x', key: 'x', referral_id: null, customer_id: 'customer', charged_at: day(2), is_live: true };
    expect(cents({ sales: [sale(3)], rules, rewards: { history: [other] } })).toEqual(['200']);
    expect(cents({ sales: [sale(3)], rules, rewards: { history: [{ ...other, customer_id: 'other' }] } })).toEqual(['500']);
    const counted = (customer_id: string) =>
      sale(2, { customer_id, referral_id: A.referral_id, no_commission_reason: null }, { isOnlyCounted: true });
    expect(cents({ sales: [counted('customer'), sale(3)], rules }).at(-1)).toBe('200');
    expect(cents({ sales: [counted('other'), sale(3)], rules }).at(-1)).toBe('500');
  });

  it('of a referral make a customer one who returns, if the customer is unknown', () => {
    const rules = [rule('r', { when: { customer: 'new' }, pay: percent(50) })];
    const known = { id: 'x', key: 'x', referral_id: A.referral_id, customer_id: 'other', charged_at: day(2), is_live: true };
    expect(cents({ customer: null, sales: [sale(3)], rules, rewards: { history: [known] } })).toEqual(['200']);
    expect(cents({ customer: null, sales: [sale(3)], rules })).toEqual(['500']);
  });

  it('of a referral give a sale its age in months', () => {
    const rules = [rule('r', { when: { age_months: { from: 1 } }, pay: percent(50) })];
    // Of a referral that has converted before it expires.
    expect(cents({ sales: [sale(3), sale(33), sale(34), sale(70)], rules })).toEqual(['200', '200', '500', '500']);
  });
});

describe('a cap', () => {
  const capped = (cap: Partial<Cap> = {}) => [
    rule('r', { cap: { amount_cents: 500, currency: 'USD', per: 'referral', window: 'ever', ...cap } }),
  ];
  const sales = [sale(3), sale(4), sale(5)];
  const NOTHING = 'refuse nothing_to_earn';

  it('is used up in the order of the charges', () => {
    expect(cents({ sales: sales.toReversed(), rules: capped() })).toEqual(['300', '200', NOTHING]);
    expect(cents({ sales, rules: capped({ per: 'affiliate' }) })).toEqual(['300', '200', NOTHING]);
  });

  it('for a sale is that of each sale', () => {
    expect(cents({ sales, rules: capped({ per: 'sale', amount_cents: 250 }) })).toEqual(['250', '250', '250']);
  });

  it('begins anew with each window', () => {
    // Days 29, 30 and 32 are the 30th and the 31st of January, and the 2nd of February.
    const later = [sale(29), sale(30), sale(32)];
    expect(cents({ sales: later, rules: capped({ window: 'month' }) })).toEqual(['300', '200', '300']);
    expect(cents({ sales: later, rules: capped({ window: 'year' }) })).toEqual(['300', '200', NOTHING]);
  });

  it('in another currency than the rule pays in does not count', () => {
    expect(cents({ sales, rules: capped({ currency: 'EUR' }) })).toEqual(['300', '300', '300']);
  });

  it('is not used up by test sales, by other currencies and by other rules', () => {
    const euros = sale(4, { currency: 'EUR' });
    expect(cents({ sales: [sale(3), euros, sale(5)], rules: capped() })).toEqual(['300', '300', '200']);
    expect(cents({ sales: [sale(3, { livemode: false }), sale(4), sale(5)], rules: capped() })).toEqual(['300', '300', '200']);
    const two = [...capped(), rule('s', { apply: 'on_top', pay: percent(20), cap: { ...capped()[0]!.cap!, amount_cents: 300 } })];
    expect(cents({ sales, rules: two })).toEqual(['300 200', '200 100', NOTHING]);
  });

  describe('is used up by what its rule has paid for other sales', () => {
    const paid = (more: Partial<PaidByRule> = {}): PaidByRule => ({
      rule_id: 'r',
      affiliate_id: 'A',
      referral_id: A.referral_id,
      is_of_person: true,
      currency: 'USD',
      is_live: true,
      month: '2026-01-01T00:00:00.000Z',
      place: 0,
      cents: 400,
      ...more,
    });
    const after = (more: Partial<PaidByRule>, cap: Partial<Cap> = {}, given: Partial<Given> = {}) =>
      cents({ sales: [sale(3)], rules: capped(cap), ...given, rewards: { paid: [paid(more)], ...given.rewards } });

    it('to the owner of the cap', () => {
      expect(after({})).toEqual(['100']);
      expect(after({ referral_id: null })).toEqual(['100']);
      expect(after({ is_of_person: false })).toEqual(['300']);
      expect(after({ affiliate_id: 'B' })).toEqual(['300']);
      expect(after({ is_of_person: false }, { per: 'affiliate' })).toEqual(['100']);
      expect(after({ affiliate_id: 'B' }, { per: 'affiliate' })).toEqual(['300']);
    });

    it('to the referral, if the customer is unknown', () => {
      expect(after({ is_of_person: false }, {}, { customer: null })).toEqual(['100']);
      expect(after({ referral_id: 'referral of another' }, {}, { customer: null })).toEqual(['300']);
      expect(after({ referral_id: null }, {}, { customer: null })).toEqual(['300']);
      expect(after({ referral_id: 'referral of another' }, { per: 'affiliate' }, { customer: null })).toEqual(['100']);
    });

    it('within the window, in the same currency and mode, and by the same rule', () => {
      expect(after({ month: '2025-12-01T00:00:00.000Z' })).toEqual(['100']);
      expect(after({ month: '2025-12-01T00:00:00.000Z' }, { window: 'month' })).toEqual(['300']);
      expect(after({ month: '2025-12-01T00:00:00.000Z' }, { window: 'year' })).toEqual(['300']);
      expect(after({}, { window: 'month' })).toEqual(['100']);
      expect(after({ currency: 'EUR' })).toEqual(['300']);
      expect(after({ is_live: false })).toEqual(['300']);
      expect(after({ rule_id: 's' })).toEqual(['300']);
    });

    it('before the sale, in the order of caps', () => {
      expect(after({ place: 1 })).toEqual(['300']);
      const rewards = { inOrderOfCaps: ['another sale', 'sale 3'] };
      expect(after({ place: 1 }, {}, { rewards })).toEqual(['100']);
    });
  });

  describe('leaves a sale that has its commission already', () => {
    /** A sale that has been decided, with what the rule pays for it. */
    const decided = (at: number, has: number, fact: Partial<SaleFact> = {}) => {
      const own = commission(A, has, { id: `commission ${at}`, lines_currency: 'USD', due_at: day(at + 30) });
      return sale(
        at,
        { referral_id: A.referral_id, affiliate_id: 'A', no_commission_reason: null },
        { ...fact, commission: { ...own, ...fact.commission } },
      );
    };
    const own = (...amounts: [at: number, cents: number, at_most?: number][]) =>
      new Map(
        amounts.map(([at, paid, at_most = 500]) => [`commission ${at}`, [{ rule_id: 'r', cents: paid, at_most_cents: at_most }]]),
      );
    const PAID = commission(A, 300, { id: 'commission 5', lines_currency: 'USD', state: 'paid' });

    it('what it has, and later ones the rest', () => {
      const known = decided(3, 300);
      expect(earned({ sales: [known, sale(4)], rules: capped(), rewards: { own: own([3, 300]) } })).toEqual(['keep', 'earn 200']);
      // An earlier sale that becomes known later takes its part first.
      expect(earned({ sales: [sale(2), known], rules: capped(), rewards: { own: own([3, 300]) } })).toEqual([
        'earn 300',
        'revise 200',
      ]);
    });

    it('all of it if it is claimed or paid, before earlier charges', () => {
      for (const fact of [{ isClaimed: true }, { commission: PAID }])
        expect(earned({ sales: [sale(2), decided(5, 300, fact)], rules: capped(), rewards: { own: own([5, 300]) } })).toEqual([
          'earn 200',
          'keep',
        ]);
      const voided = { ...PAID, state: 'voided' as const };
      expect(
        earned({ sales: [sale(2), decided(5, 300, { commission: voided })], rules: capped(), rewards: { own: own([5, 300]) } }),
      ).toEqual(['earn 300', 'keep']);
      // A refund that failed gives back what the commission had.
      const refunded = { ...voided, voided_by_refund: true };
      expect(
        earned({ sales: [sale(2), decided(5, 300, { commission: refunded })], rules: capped(), rewards: { own: own([5, 300]) } }),
      ).toEqual(['earn 200', 'keep']);
    });

    it('of its rule only', () => {
      const both = [
        { rule_id: 'r', cents: 200, at_most_cents: 500 },
        { rule_id: 'other', cents: 100, at_most_cents: null },
      ];
      const given = { sales: [sale(2), decided(5, 300, { isClaimed: true })], rules: capped() };
      expect(earned({ ...given, rewards: { own: new Map([['commission 5', both]]) } })).toEqual(['earn 300', 'keep']);
    });

    it('what it had left when that was paid, whatever has become free since', () => {
      const paid = { commission: { ...PAID, amount_cents: 200 }, reopenedBy: 'rewards' } as const;
      expect(earned({ sales: [decided(5, 200, paid)], rules: capped(), rewards: { own: own([5, 200, 200]) } })).toEqual(['keep']);
      expect(earned({ sales: [decided(5, 200, paid)], rules: capped(), rewards: { own: own([5, 200, 500]) } })).toEqual([
        'keep contested 300',
      ]);
    });

    it('without a contest, once the payments exceed it no longer', () => {
      const known = decided(5, 300, { commission: PAID });
      const contested = { affiliate_id: 'A', reason: null, amount_cents: 200 };
      const sold = { ...known, sale: { ...known.sale, contested } };
      expect(earned({ sales: [sold], rules: capped(), rewards: { own: own([5, 300]) } })).toEqual(['keep']);
      expect(earned({ sales: [sold], rules: [rule('r')], rewards: { own: own([5, 300]) } })).toEqual(['keep contested 200']);
    });

    it('with what is right, if the payments exceed it', () => {
      const sold = [decided(3, 300, { commission: { ...PAID, id: 'commission 3' } }), decided(5, 300, { commission: PAID })];
      expect(earned({ sales: sold, rules: capped(), rewards: { own: own([3, 300], [5, 300]) } })).toEqual([
        'keep',
        'keep contested 200',
      ]);
      expect(earned({ sales: sold, rules: capped({ amount_cents: 600 }), rewards: { own: own([3, 300], [5, 300]) } })).toEqual([
        'keep',
        'keep',
      ]);
    });
  });
});

describe('what a rule pays on top', () => {
  const onTop = [rule('base', { pay: percent(10) }), rule('top', { apply: 'on_top', pay: usd(50) })];
  const bonus = (more: Partial<PaidOnTop> = {}): PaidOnTop => ({
    id: 'bonus',
    contested: null,
    rule_id: 'top',
    affiliate_id: 'A',
    referral_id: A.referral_id!,
    currency: 'USD',
    is_live: true,
    is_paid: false,
    cents: 50,
    at_most_cents: null,
    ...more,
  });
  const having = (one: PaidOnTop) => new Map([['sale 3', [one]]]);

  it('is beside the commission', () => {
    expect(cents({ sales: [sale(3)], rules: onTop })).toEqual(['100 50']);
  });

  it('is enough for a sale that earns nothing else', () => {
    const rules = [rule('none', { pay: { kind: 'nothing' } }), onTop[1]!];
    expect(cents({ sales: [sale(3)], rules })).toEqual(['0 50']);
    expect(cents({ sales: [sale(3)], rules: [rules[0]!] })).toEqual(['refuse nothing_to_earn']);
  });

  it('is not paid to a second affiliate', () => {
    const paid = bonus({ affiliate_id: 'B', is_paid: true });
    expect(cents({ sales: [sale(3)], rules: onTop, rewards: { bonuses: having(paid) } })).toEqual(['100']);
    expect(cents({ sales: [sale(3)], rules: onTop, rewards: { bonuses: having({ ...paid, rule_id: 'other' }) } })).toEqual([
      '100 50',
    ]);
    expect(cents({ sales: [sale(3)], rules: onTop, rewards: { bonuses: having({ ...paid, is_paid: false }) } })).toEqual([
      '100 50',
    ]);
    expect(cents({ sales: [sale(3)], rules: onTop, rewards: { bonuses: having({ ...paid, affiliate_id: 'A' }) } })).toEqual([
      '100 50',
    ]);
  });

  describe('with a commission that is decided again', () => {
    const known = (fact: Partial<SaleFact> = {}) =>
      sale(
        3,
        { referral_id: A.referral_id, affiliate_id: 'A', no_commission_reason: null },
        { reopenedBy: 'rewards', commission: commission(A, 100, { id: 'commission', lines_currency: 'USD' }), ...fact },
      );
    const own = new Map([['commission', [{ rule_id: 'base', cents: 100, at_most_cents: null }]]]);
    const again = (bonuses: PaidOnTop[], given: Partial<Given> = {}) =>
      earned({
        sales: [known()],
        rules: onTop,
        ...given,
        rewards: { own, bonuses: new Map([['sale 3', bonuses]]), ...given.rewards },
      });

    it('stays if it is right', () => {
      expect(again([bonus()])).toEqual(['keep']);
    });

    it('changes with the rules', () => {
      expect(again([])).toEqual(['revise 100 50']);
      expect(again([bonus({ cents: 60 })])).toEqual(['revise 100 50']);
      expect(again([bonus({ currency: 'EUR' })])).toEqual(['revise 100 50']);
      expect(again([bonus(), bonus({ affiliate_id: 'B' })])).toEqual(['keep']);
      expect(again([bonus(), bonus({ rule_id: 'former', cents: 0 })])).toEqual(['keep']);
      expect(again([bonus()], { rules: [rule('base', { pay: percent(20) }), onTop[1]!] })).toEqual(['revise 200 50']);
      expect(again([bonus()], { rules: [rule('other', { pay: percent(10) }), onTop[1]!] })).toEqual(['revise 100 50']);
      expect(again([bonus()], { rules: [onTop[1]!] })).toEqual(['revise 200 50']);
    });

    it('is contested if it is paid and wrong', () => {
      const paid = { commission: commission(A, 100, { id: 'commission', lines_currency: 'USD', state: 'paid' }) };
      expect(again([bonus({ is_paid: true })], { sales: [known(paid)] })).toEqual(['keep']);
      expect(again([bonus({ is_paid: true, cents: 60 })], { sales: [known(paid)] })).toEqual(['keep contested 150']);
      // The bonus alone is paid: the commission is corrected.
      expect(again([bonus({ is_paid: true, cents: 60 })])).toEqual(['revise 100 50 contested 150']);
      expect(again([bonus({ is_paid: true })])).toEqual(['keep']);
      // Bonuses by other rules are no reason.
      const more = [...onTop, rule('z', { apply: 'on_top', pay: usd(30) })];
      expect(again([bonus({ is_paid: true })], { rules: more })).toEqual(['revise 100 50 30']);
    });
  });
});

describe('a code that becomes known later', () => {
  const rules = [rule('r', { when: { codes: ['ada'] }, pay: percent(50) })];
  const known = (promo_code: string | null) =>
    sale(
      3,
      { referral_id: A.referral_id, affiliate_id: 'A', no_commission_reason: null, promo_code },
      { commission: commission(A, 200, { basis_points: 2_000 }) },
    );
  const code = link('A', 3, { key: 'code', kind: 'code', referral_id: null, named_id: null, code: 'ADA', sale_id: 'sale 3' });

  it('decides about its sale', () => {
    expect(earned({ claims: [A, code], sales: [known(null)], rules })).toEqual(['revise 500']);
    expect(earned({ claims: [A, code], sales: [known('ADA')], rules })).toEqual(['keep']);
  });

  it('changes nothing if no rule depends on codes', () => {
    expect(earned({ claims: [A, code], sales: [known(null)], rules: [rule('r', { pay: percent(50) })] })).toEqual(['keep']);
  });
});

it('a sale that moves to another referral is decided again if a rule depends on the sales before it', () => {
  const known = sale(
    4,
    { referral_id: 'referral A9', affiliate_id: 'A', no_commission_reason: null },
    { commission: commission(link('A', 9), 200, { basis_points: 2_000 }) },
  );
  const given = { sales: [known] };
  expect(earned({ ...given, rules: [rule('r', { when: { sale_number: { to: 1 } }, pay: percent(50) })] })).toEqual([
    'revise 500',
  ]);
  expect(earned({ ...given, rules: [rule('r', { pay: percent(50) })] })).toEqual(['move']);
});

it('the holder of a sale is who has its commission after the verdict', () => {
  const holders = (given: Partial<Given>) =>
    decide(facts({ claims: [A], rules: [], ...given })).sales.map(({ holder }) => holder);
  const having = (more: object) =>
    sale(
      3,
      { referral_id: A.referral_id, affiliate_id: 'A', no_commission_reason: null },
      { commission: commission(A, 200, { basis_points: 2_000, ...more }) },
    );
  expect(holders({ sales: [sale(0.5), sale(3)] })).toEqual([null, 'A']);
  expect(holders({ sales: [having({})] })).toEqual(['A']);
  expect(holders({ sales: [having({ state: 'voided' })] })).toEqual([null]);
  expect(holders({ sales: [having({ state: 'voided', voided_by_refund: true })] })).toEqual(['A']);
});

it('a commission that is decided again falls due by its terms, unless a person has set the date', () => {
  const dueDates = (more: object, rules: Given['rules'] = []) => {
    const known = sale(
      3,
      { referral_id: A.referral_id, affiliate_id: 'A', no_commission_reason: null },
      { reopenedBy: 'rewards', commission: commission(A, 200, { basis_points: 2_000, ...more }) },
    );
    return decide(facts({ claims: [A], rules, sales: [known] })).sales.map((each) => [
      each.outcome,
      'dueAt' in each ? each.dueAt : undefined,
    ]);
  };
  expect(dueDates({})).toEqual([['keep', null]]);
  expect(dueDates({ due_at: day(40) })).toEqual([['keep', day(33)]]);
  expect(dueDates({ due_at: day(40), due_by_hand: true })).toEqual([['keep', null]]);
  expect(dueDates({ due_at: day(40) }, [rule('r')])).toEqual([['revise', day(33)]]);
  expect(dueDates({ due_at: day(40), due_by_hand: true }, [rule('r')])).toEqual([['revise', null]]);
});

describe('a commission that a person has decided about', () => {
  const approved = { review_status: 'approved', basis_points: 2_000 } as const;

  it('says that a payment is not told twice, as long as it is that of the sale', () => {
    const flags = (by: 'A' | 'B', more: Partial<ReturnType<typeof commission>> = approved) => {
      const told = sale(
        3.01,
        { names: [], external_id: 'order 1', livemode: null },
        { commission: commission(link(by, 1), 200, more) },
      );
      return decide(facts({ claims: [A], rules: [], sales: [sale(3), told] })).sales.map((each) => each.flags);
    };
    expect(flags('A')).toEqual([[], []]);
    expect(flags('A', { basis_points: 2_000 })).toEqual([[], ['possible_duplicate']]);
    // The sale has moved since.
    expect(flags('B')).toEqual([[], ['possible_duplicate']]);
  });

  it('has its place under a limit if the person assigned the sale to its affiliate', () => {
    const outcomes = (assigned: string | null, by: 'A' | 'B' = 'A') => {
      const known = sale(
        3,
        { referral_id: A.referral_id, affiliate_id: by, no_commission_reason: null, assigned_referral_id: assigned },
        { commission: commission(link(by, 1), 200, { basis_points: 2_000 }) },
      );
      const campaign = { versions: { current: { ...TERMS, max_commissions: 1 }, former: [] } };
      return earned({ sales: [sale(2), known], campaign });
    };
    expect(outcomes('referral A1')).toEqual(['refuse max_commissions_reached', 'keep']);
    expect(outcomes(null)).toEqual(['earn 200', 'supersede max_commissions_reached']);
    expect(outcomes('referral A1', 'B')).toEqual(['earn 200', 'supersede max_commissions_reached']);
  });
});

describe('a commission stays', () => {
  /** The outcome for a sale of day 3 that has a commission of 200. */
  const outcome = (has: object, given: Partial<Given> = {}, of: object = {}, fact: Partial<SaleFact> = {}) => {
    const known = sale(
      3,
      { referral_id: A.referral_id, affiliate_id: 'A', no_commission_reason: null, ...of },
      { ...fact, commission: commission(A, 200, { basis_points: 2_000, ...has }) },
    );
    return earned({ sales: [known], ...given }).join();
  };
  const VOIDED = { state: 'voided' };
  const REFUNDED = { state: 'voided', voided_by_refund: true };
  const gone = { claims: [link('A', 1, { deactivatedAt: day(2) })] };
  const nothing = { rules: [rule('none', { pay: { kind: 'nothing' } })] };
  const again = { reopenedBy: 'rewards' } as const;

  it('although its referral turns out not to earn, only if a person has voided or somebody paid it', () => {
    expect(outcome({})).toBe('keep');
    expect(outcome({}, gone)).toBe('supersede referral_deactivated');
    expect(outcome(VOIDED, gone)).toBe('keep referral_deactivated');
    expect(outcome(REFUNDED, gone)).toBe('supersede referral_deactivated');
    expect(outcome({ state: 'paid' }, gone)).toBe('keep contested null');
  });

  it('although its terms pay nothing, unless it is decided again', () => {
    expect(outcome({}, nothing)).toBe('keep');
    expect(outcome({}, nothing, {}, again)).toBe('supersede nothing_to_earn');
    expect(outcome(VOIDED, nothing, {}, again)).toBe('keep');
    expect(outcome(REFUNDED, nothing, { refund_amount_cents: 1_000 }, again)).toBe('keep nothing_to_earn');
  });

  it('with a fixed amount, as long as that is the base reward', () => {
    const pays = (cents: number): Partial<Given> => {
      const fixed = { commission_basis_points: null, commission_amount_cents: cents, commission_amount_currency: 'USD' };
      return { campaign: { versions: { current: { ...TERMS, ...fixed }, former: [] } } };
    };
    expect(outcome({ basis_points: null }, pays(200), {}, again)).toBe('keep');
    expect(outcome({ basis_points: null }, pays(300), {}, again)).toBe('revise 300');
    expect(outcome({}, pays(200), {}, again)).toBe('revise 200');
    expect(outcome({ basis_points: null }, {}, {}, again)).toBe('revise 200');
  });

  describe('when the time of its charge was corrected', () => {
    const redated = { redated_from: day(2) };
    const rules = [rule('r', { in_force_from: day(3) })];

    it('only by the terms of the new time', () => {
      expect(outcome({}, {}, redated)).toBe('keep');
      expect(outcome({}, { rules }, redated)).toBe('replace 300');
      expect(outcome({}, gone, redated)).toBe('supersede referral_deactivated');
      expect(outcome({}, nothing, redated)).toBe('supersede nothing_to_earn');
      expect(outcome(REFUNDED, { rules }, redated)).toBe('replace 300');
    });

    it('if it was paid, or a person has voided it', () => {
      expect(outcome(VOIDED, { rules }, redated)).toBe('keep');
      expect(outcome({ state: 'paid' }, { rules }, redated)).toBe('keep contested 300');
    });
  });
});

describe('the sales of an unknown customer', () => {
  const convertedAt = (claim: Partial<ClaimFact>, sales: SaleFact[]) =>
    decide(
      facts({ customer: null, claims: [link('A', 5, { convertedAt: day(20), ...claim })], rules: [], sales }),
    ).conversions.get('referral A5');
  const named = (at: number, more: object = {}) =>
    sale(at, { named_referral_id: 'referral A5', referral_id: 'referral A5', ...more });

  it('convert the referral that they name, by the earliest that earns', () => {
    expect(convertedAt({ convertedAt: null }, [named(12)])).toBe(day(12));
    expect(convertedAt({}, [named(12)])).toBe(day(12));
    expect(convertedAt({}, [named(12), named(10)])).toBe(day(10));
    expect(convertedAt({}, [named(25)])).toBe(day(20));
    expect(convertedAt({}, [named(12, { tax_amount_cents: 1_000 })])).toBe(day(20));
    expect(convertedAt({ deactivatedAt: day(11) }, [named(12)])).toBe(day(20));
    expect(convertedAt({}, [named(12, { excluded: true })])).toBe(day(20));
    expect(convertedAt({}, [sale(4)])).toBe(day(20));
  });
});

it('a claim has the names of its facts, and its own name if a fact has joined it with an address', () => {
  const names = (joins: { of: [string, string]; at: string }[], more: Partial<ClaimFact> = {}) => {
    const claim = link('A', 1, more);
    return withEligibility(claim, facts({ claims: [claim], rules: [], customer: { joins } })).names;
  };
  expect(names([])).toEqual([ID_1]);
  expect(names([], { namedBy: [MERCHANT, ID_1] })).toEqual([ID_1]);
  expect(names([{ of: ['claim referral A1', 'email x'], at: day(1) }])).toEqual([ID_1, 'claim referral A1']);
  expect(names([{ of: ['claim referral B1', 'email x'], at: day(1) }])).toEqual([ID_1]);
  const continued = { key: 'referral A1 second', named_id: 'referral A1', referral_id: 'second' };
  expect(names([{ of: ['claim referral A1', 'email x'], at: day(1) }], continued)).toEqual([ID_1, 'claim referral A1']);
});

it('limits restrict if there is a number or a period', () => {
  expect(restricts({ maxCommissions: null, periodMonths: null })).toBe(false);
  expect(restricts({ maxCommissions: 1, periodMonths: null })).toBe(true);
  expect(restricts({ maxCommissions: null, periodMonths: 1 })).toBe(true);
});
