/** The rules of docs/rules/rewards.md#rewards-for-leads as stories of facts: what each lead earns, and how rewards change that a lead has earned. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../packages/core/src/attribution/decide/decide.ts';
import { type ClaimFact, type LeadFact, tierKey } from '../../packages/core/src/attribution/decide/facts.ts';
import { day } from './random-facts.ts';
import { facts, link, rule, sale, usd } from './rewarded-facts.ts';

type Given = Parameters<typeof facts>[0];

/** 3.00 dollars for a lead, due after ten days or when the customer has paid. */
const WELCOME = rule('welcome', { event: 'lead', pay: usd(300), hold_days: 10 });

/** The reward of a referral, as it is right for a lead of day 1 who has not paid yet. */
const reward = (more: Partial<LeadFact> = {}): LeadFact => ({
  id: 'reward',
  state: 'pending',
  review_status: 'suspicious',
  review_reason: 'unpaid_lead',
  due_at: day(11),
  due_by_hand: false,
  rule_id: 'welcome',
  amount_cents: 300,
  currency: 'USD',
  contested: null,
  is_claimed: false,
  ...more,
});

const dayOf = (at: string) => (Date.parse(at) - Date.parse(day(0))) / 86_400_000;

/** Returns the changes of the customer's rewards, in a few words each. */
function leadsIn(given: Partial<Given>): string[] {
  const { earned, lost, revised, held, contested } = decide(facts({ claims: [], rules: [WELCOME], ...given })).leads;
  const of = (one: NonNullable<typeof earned>) =>
    `${one.claim.referral_id} ${one.ruleId} ${one.pay.amount_cents}, due ${dayOf(one.dueAt)}${one.reviewReason ? ` ${one.reviewReason}` : ''}`;
  return [
    ...(earned === null ? [] : [`earned: ${of(earned)}`]),
    ...lost.map(({ id }) => `lost: ${id}`),
    ...revised.map(({ reward: right }) => `revised: ${right === null ? 'nothing' : of(right)}`),
    ...held.map(({ hold: { due_at, reason } }) => `held: ${dayOf(due_at)} ${reason}`),
    ...contested.map(
      ({ contested: right }) => `contested: ${right === null ? 'no more' : `${right.affiliate_id} ${right.amount_cents}`}`,
    ),
  ];
}

describe('a lead', () => {
  const EARNED = 'earned: referral A1 welcome 300, due 11';

  it('earns, and waits for a payment until its days are over', () => {
    expect(leadsIn({ claims: [link('A', 1)], now: 5 })).toEqual([`${EARNED} unpaid_lead`]);
    expect(leadsIn({ claims: [link('A', 1)], now: 11 })).toEqual([EARNED]);
  });

  it('is due like the sale by which the customer has paid, if that is earlier', () => {
    const late = rule('welcome', { event: 'lead', pay: usd(300), hold_days: 90 });
    expect(leadsIn({ claims: [link('A', 1)], sales: [sale(3)], now: 5 })).toEqual([EARNED]);
    expect(leadsIn({ claims: [link('A', 1)], sales: [sale(3)], rules: [late], now: 5 })).toEqual([
      'earned: referral A1 welcome 300, due 33',
    ]);
    expect(leadsIn({ claims: [link('A', 1)], rules: [rule('welcome', { event: 'lead', pay: usd(300) })], now: 5 })).toEqual([
      'earned: referral A1 welcome 300, due 1',
    ]);
  });

  it.each<[string, Partial<Given>]>([
    ['that only a page has told', { claims: [link('A', 1, { isProven: false, lead: { at: day(1), from: day(1) } })] }],
    ['of test mode', { claims: [link('A', 1, { isTest: true })] }],
    ['by a code', { claims: [link('A', 1, { kind: 'code', code: 'ADA' })] }],
    ['whose referral is not there yet', { claims: [link('A', 1, { referral_id: null })] }],
    ['of an excluded customer', { customer: { exclusions: [{ at: day(0), excluded: true }] } }],
    ['of an unknown customer', { customer: null }],
    ['by a referral that was deactivated before', { claims: [link('A', 1, { deactivatedAt: day(1) })] }],
    ['while a former tool decides', { campaign: { shadow: { current: { is_shadow: true }, former: [] } } }],
    ['of an affiliate who cannot earn', { state: { current: { state: 'disabled', archived: false }, former: [] } }],
    ['for whom nothing is paid', { rules: [rule('welcome', { event: 'lead', pay: usd(0) })] }],
    ['of a campaign without a rule for leads', { rules: [rule('sales', { pay: usd(300) })] }],
    ['from before the rule', { rules: [{ ...WELCOME, in_force_from: day(2) }] }],
    ['from after the rule', { rules: [{ ...WELCOME, in_force_from: day(0), ended: true }] }],
    ['from another country', { rules: [{ ...WELCOME, when: { countries: ['DE'] } }] }],
    ['of an affiliate without the tier', { rules: [{ ...WELCOME, when: { tier: ['gold'] } }] }],
  ])('%s earns nothing', (_, given) => {
    expect(leadsIn({ claims: [link('A', 1)], now: 20, ...given })).toEqual([]);
  });

  it('earns by the country and the link of its referral, and by the tiers of its time', () => {
    const rules = [{ ...WELCOME, link_id: 'link', when: { countries: ['DE'], tier: ['gold'] } }];
    const given = (at: number, link_id: string, country: string): Partial<Given> => ({
      claims: [link('A', 1)],
      rules,
      now: 20,
      rewards: {
        referrers: new Map([['referral A1', { link_id, country }]]),
        tiers: new Map([[tierKey('A', 'campaign A', true, day(at)), ['gold']]]),
      },
    });
    expect(leadsIn(given(1, 'link', 'DE'))).toEqual([EARNED]);
    for (const other of [given(2, 'link', 'DE'), given(1, 'other', 'DE'), given(1, 'link', 'FR')])
      expect(leadsIn(other)).toEqual([]);
  });

  it('earns by the rule and the state of its time, whatever changes later', () => {
    const rules = [{ ...WELCOME, version: 2, pay: usd(500), in_force_from: day(5) }, WELCOME];
    const state = {
      current: { state: 'disabled', archived: false },
      former: [{ state: 'active', archived: false, until: day(3) }],
    } as const;
    expect(leadsIn({ claims: [link('A', 1, { deactivatedAt: day(5) })], rules, state, now: 20 })).toEqual([EARNED]);
    expect(leadsIn({ claims: [link('A', 6)], rules, now: 20 })).toEqual(['earned: referral A6 welcome 500, due 16']);
  });

  it.each<[string, Partial<Given>]>([
    ['self_referral', { customer: { emails: ['a@example.com'] } }],
    ['suspicious_affiliate', { state: { current: { state: 'suspicious', archived: false }, former: [] } }],
    ['crowded_network', { claims: [link('A', 1, { isCrowded: true })] }],
  ])('is flagged as %s', (reason, given) => {
    expect(leadsIn({ claims: [link('A', 1)], now: 20, ...given })).toEqual([`${EARNED} ${reason}`]);
  });

  it('earns for the affiliate who has the customer, unless another one has them before the reward falls due', () => {
    const first = link('A', 1, { expiresAt: day(3) });
    expect(leadsIn({ claims: [link('A', 1), link('B', 2)] })).toEqual([EARNED]);
    expect(leadsIn({ claims: [first, link('B', 4)] })).toEqual(['earned: referral B4 welcome 300, due 14']);
    expect(leadsIn({ claims: [first, link('B', 10)] })).toEqual(['earned: referral B10 welcome 300, due 20']);
    expect(leadsIn({ claims: [first, link('B', 11)] })).toEqual([EARNED]);
    expect(leadsIn({ claims: [first, link('B', 4)], sales: [sale(2)] })).toEqual([EARNED]);
  });

  it('earns nothing if its referral was named after it had expired', () => {
    expect(leadsIn({ claims: [link('A', 1, { madeAt: day(70) })], now: 80 })).toEqual([]);
  });

  it('counts from the time at which its referral was first named for the person', () => {
    // Another referral continues that of day 1, which has expired.
    const [first, continued] = [
      link('A', 1, { referral_id: null, expiresAt: day(5) }),
      link('A', 8, { named_id: 'referral A1' }),
    ];
    expect(leadsIn({ claims: [first, continued], now: 20 })).toEqual(['earned: referral A8 welcome 300, due 11']);
  });
});

describe('a reward', () => {
  const A = link('A', 1);
  const has = (lead: LeadFact, given: Partial<Given> = {}, referral = 'referral A1') =>
    leadsIn({ claims: [A], now: 5, ...given, rewards: { leads: new Map([[referral, lead]]), ...given.rewards } });

  it('stays as it is while nothing has changed', () => {
    expect(has(reward())).toEqual([]);
    expect(has(reward({ state: 'paid', review_status: null, review_reason: null }), { sales: [sale(3)] })).toEqual([]);
    expect(has(reward({ state: 'voided' }))).toEqual([]);
  });

  it('falls due when the customer pays, and waits again if that was nothing', () => {
    expect(has(reward(), { sales: [sale(3)] })).toEqual(['held: 11 null']);
    const late = { ...WELCOME, hold_days: 60 };
    expect(has(reward({ due_at: day(61) }), { sales: [sale(3)], rules: [late] })).toEqual(['held: 33 null']);
    const released = reward({ review_status: null, review_reason: null, due_at: day(33) });
    expect(has(released, { sales: [sale(3, { charge_amount_cents: 0 })] })).toEqual(['held: 11 unpaid_lead']);
    expect(has(released, { sales: [sale(3, { refund_amount_cents: 1_000 })], rules: [late] })).toEqual([]);
  });

  it('keeps the due date that a person has set', () => {
    expect(has(reward({ due_at: day(5), due_by_hand: true }))).toEqual(['held: 5 null']);
    expect(has(reward({ due_at: day(6), due_by_hand: true }))).toEqual([]);
  });

  it('keeps its due date if its rule is not known', () => {
    expect(has(reward({ rule_id: 'former', due_at: day(50) }))).toEqual([]);
  });

  it.each<[string, Partial<LeadFact>]>([
    ['a person has approved', { review_status: 'approved', review_reason: null }],
    ['is a self-referral', { review_reason: 'self_referral' }],
    ['is claimed', { is_claimed: true }],
  ])('that %s keeps its flag when the customer pays', (_, more) => {
    expect(has(reward(more), { sales: [sale(3)] })).toEqual([]);
  });

  it('is flagged by the reason that ends last', () => {
    expect(has(reward(), { claims: [link('A', 1, { isCrowded: true })] })).toEqual(['held: 11 crowded_network']);
    const state = { current: { state: 'suspicious', archived: false }, former: [] } as const;
    expect(has(reward(), { state })).toEqual(['held: 11 suspicious_affiliate']);
  });

  describe('of an affiliate who has lost the customer', () => {
    const claims = [link('A', 1, { expiresAt: day(3) }), link('B', 4)];

    it('goes to the one who has them', () => {
      expect(has(reward(), { claims })).toEqual(['earned: referral B4 welcome 300, due 14 unpaid_lead', 'lost: reward']);
    });

    it('stays if it was paid, and the sale tells whose the customer is', () => {
      const paid = reward({ state: 'paid' });
      expect(has(paid, { claims })).toEqual(['contested: B 0']);
      expect(has({ ...paid, contested: { affiliate_id: 'B', amount_cents: 0 } }, { claims })).toEqual([]);
      expect(has(reward({ is_claimed: true }), { claims })).toEqual(['contested: B 0']);
    });

    it('is not earned again if a person has voided it', () => {
      expect(has(reward({ state: 'voided' }), { claims })).toEqual([]);
    });
  });

  it('that facts contradict no longer is not contested any more', () => {
    const contested = { affiliate_id: 'B', amount_cents: 0 };
    expect(has(reward({ state: 'paid', contested }))).toEqual(['contested: no more']);
  });

  describe('of an affiliate with two referrals', () => {
    const claims = [A, link('A', 3)];

    it('is that of the first one', () => {
      expect(has(reward({ due_at: day(13) }), { claims }, 'referral A3')).toEqual([
        'earned: referral A1 welcome 300, due 11 unpaid_lead',
        'lost: reward',
      ]);
    });

    it('stays with the second one once it is paid', () => {
      expect(has(reward({ state: 'paid' }), { claims }, 'referral A3')).toEqual([]);
    });

    it('is only one', () => {
      const leads = new Map([
        ['referral A1', reward()],
        ['referral A3', reward({ id: 'second', due_at: day(13) })],
      ]);
      expect(leadsIn({ claims, now: 5, rewards: { leads } })).toEqual(['lost: second']);
    });

    it('is only one if the second one was paid before both were known to be of one customer', () => {
      const second = reward({ id: 'second', due_at: day(13), state: 'paid' });
      const both = (first: LeadFact) =>
        leadsIn({
          claims,
          now: 20,
          rewards: {
            leads: new Map([
              ['referral A1', first],
              ['referral A3', second],
            ]),
          },
        });
      expect(both(reward())).toEqual(['lost: reward']);
      expect(both(reward({ state: 'paid' }))).toEqual(['contested: null 0']);
    });
  });

  describe('of an affiliate with two rewards, when only a part of the facts is loaded', () => {
    const [first, second] = [link('A', 3), link('A', 5)];
    /** Of the two rewards, that of the first referral stays, although the customer is bound to the second one. */
    const changes = (others: readonly ClaimFact[], more: [string, LeadFact][] = []) => {
      const leads = new Map([
        ['referral A3', reward({ due_at: day(13) })],
        ['referral A5', reward({ id: 'second', due_at: day(15) })],
        ...more,
      ]);
      const given = facts({ claims: [...others, first, second], rules: [WELCOME], now: 6, rewards: { leads } });
      const { lost, contested, earned } = decide({ ...given, before: { binding: 'referral A5', conversions: new Map() } }).leads;
      expect([contested, earned]).toEqual([[], null]);
      return lost.map(({ id }) => id);
    };

    it('that of the referral stays that was named first', () => {
      expect(changes([])).toEqual(['second']);
    });

    it.each<[string, ClaimFact]>([
      ['a code', link('A', 1, { kind: 'code', code: 'ADA' })],
      ['a lead of a page', link('A', 1, { isProven: false })],
      ['a code of test mode', link('A', 1, { isTest: true })],
      ['a referral of another affiliate', link('B', 1)],
    ])('%s before it changes nothing', (_, other) => {
      expect(changes([other])).toEqual(['second']);
    });

    it('a paid reward of another affiliate changes nothing', () => {
      expect(changes([link('B', 1)], [['referral B1', reward({ id: 'of B', state: 'voided' })]])).toEqual(['second']);
    });
  });

  it('follows the rule of the time at which its referral was first named for the person', () => {
    const rules = [
      { ...WELCOME, version: 2, in_force_from: day(5) },
      { ...WELCOME, pay: usd(500) },
    ];
    const claims = [link('A', 1, { referral_id: null, expiresAt: day(5) }), link('A', 8, { named_id: 'referral A1' })];
    expect(has(reward({ due_at: day(18) }), { claims, rules, now: 9 }, 'referral A8')).toEqual([
      'revised: referral A8 welcome 500, due 11 unpaid_lead',
    ]);
  });

  describe('that is decided again', () => {
    const rules = [{ ...WELCOME, pay: usd(500) }];
    const again = (lead: LeadFact, given: Partial<Given> = {}) => has(lead, { rules, reopensLeads: true, ...given });

    it('follows its rule', () => {
      expect(has(reward(), { rules })).toEqual([]);
      expect(again(reward())).toEqual(['revised: referral A1 welcome 500, due 11 unpaid_lead']);
      expect(again(reward({ due_at: day(9), due_by_hand: true }))).toEqual([
        'revised: referral A1 welcome 500, due 9 unpaid_lead',
      ]);
      expect(again(reward(), { rules: [WELCOME] })).toEqual([]);
      expect(again(reward(), { rules: [{ ...WELCOME, id: 'other' }] })).toEqual([
        'revised: referral A1 other 300, due 11 unpaid_lead',
      ]);
    });

    it('ends if no rule pays for it', () => {
      expect(again(reward(), { rules: [{ ...WELCOME, when: { tier: ['gold'] } }], sales: [sale(3)] })).toEqual(['lost: reward']);
    });

    it('stays if it was paid, with the amount that is right', () => {
      expect(again(reward({ state: 'paid' }))).toEqual(['contested: null 500']);
      expect(again(reward({ state: 'paid' }), { rules: [WELCOME] })).toEqual([]);
      const euros = { ...WELCOME, pay: { ...usd(300), currency: 'EUR' } };
      expect(again(reward({ state: 'paid' }), { rules: [euros] })).toEqual(['contested: null 0']);
      // Without a new decision, the former result stays.
      const contested = { affiliate_id: null, amount_cents: 500 };
      expect(has(reward({ state: 'paid', contested }))).toEqual([]);
    });

    it('becomes another one in another currency', () => {
      const euros = { ...WELCOME, pay: { ...usd(300), currency: 'EUR' } };
      expect(again(reward(), { rules: [euros], sales: [sale(3)] })).toEqual(['revised: referral A1 welcome 300, due 11']);
    });
  });
});
