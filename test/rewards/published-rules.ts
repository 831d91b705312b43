import type { Line, SaleFacts } from '../../packages/core/src/rewards/worth/evaluate.ts';
/**
 * Reward rules that six affiliate programs publish in their documentation, told in our own words, as rules of this service. Each has sales, leads or
 * counts with what they earn. The names of the programs belong to their owners.
 */
import type { Pay, Rule } from '../../packages/core/src/rewards/worth/rule.ts';

export type Program = 'Dub' | 'FirstPromoter' | 'Tolt' | 'Affonso' | 'AffiliateWP' | 'GoAffPro';

/** A rule of the test, by its name. Its position is its place in the list. */
export type NamedRule = Pick<Rule, 'pay'> & Partial<Omit<Rule, 'id' | 'position'>> & { name: string };

export interface Case {
  sale?: Partial<Omit<SaleFacts, 'lines'>> & { lines: Partial<Line>[] };
  /** The name of the rule that decides each line (null for the base reward), and its cents. */
  lines?: [string | null, number][];
  /** The further commissions, by the name of their rule. */
  bonuses?: [string, number][];
  lead?: { country?: string; affiliate_id?: string };
  /** The name of the rule that rewards the lead, or null. */
  leadRule?: string | null;
  /** The value that the metric of the milestone has reached, and how often its bonus is paid by then. */
  reached?: [count: number, times: number][];
}

export interface PublishedRule {
  program: Program;
  says: string;
  base: Pay;
  rules: NamedRule[];
  cases: Case[];
}

const percent = (value: number): Pay => ({ kind: 'percent', basis_points: value * 100 });
const fixed = (amount_cents: number, per: 'sale' | 'unit' = 'sale', currency = 'USD'): Pay => ({
  kind: 'fixed',
  amount_cents,
  currency,
  per,
});
const NOTHING: Pay = { kind: 'nothing' };

const line = (net_cents: number, more: Partial<Line> = {}): Partial<Line> => ({ net_cents, ...more });
const of = (product: string, net_cents: number, more: Partial<Line> = {}) => line(net_cents, { product, ...more });
const sale = (lines: Partial<Line>[], more: Partial<SaleFacts> = {}) => ({ ...more, lines });

export const PUBLISHED_RULES: readonly PublishedRule[] = [
  {
    program: 'Dub',
    says: '30 % of each sale, for the lifetime of the customer',
    base: percent(30),
    rules: [],
    cases: [
      { sale: sale([line(9_900)]), lines: [[null, 2_970]] },
      { sale: sale([line(9_900)], { sale_number: 40, age_months: 39 }), lines: [[null, 2_970]] },
    ],
  },
  {
    program: 'Dub',
    says: '50.00 for the first sale only',
    base: NOTHING,
    rules: [{ name: 'first', when: { sale_number: { to: 1 } }, pay: fixed(5_000) }],
    cases: [
      { sale: sale([line(2_000)]), lines: [['first', 5_000]] },
      { sale: sale([line(2_000)], { sale_number: 2 }), lines: [[null, 0]] },
    ],
  },
  {
    program: 'Dub',
    says: '30 % for the first 12 months',
    base: NOTHING,
    rules: [{ name: 'year', when: { age_months: { from: 0, to: 12 } }, pay: percent(30) }],
    cases: [
      { sale: sale([line(10_000)], { sale_number: 12, age_months: 11 }), lines: [['year', 3_000]] },
      { sale: sale([line(10_000)], { sale_number: 13, age_months: 12 }), lines: [[null, 0]] },
    ],
  },
  {
    program: 'Dub',
    says: 'if the product is Pro, 40 % instead of 30 %',
    base: percent(30),
    rules: [{ name: 'pro', when: { products: ['pro'] }, pay: percent(40) }],
    cases: [
      {
        sale: sale([of('pro', 4_900), of('seats', 1_100)]),
        lines: [
          ['pro', 1_960],
          [null, 330],
        ],
      },
    ],
  },
  {
    program: 'Dub',
    says: 'if the customer is in the United States or Canada, 25.00 per sale, otherwise 10.00',
    base: fixed(1_000),
    rules: [{ name: 'north', when: { countries: ['US', 'CA'] }, pay: fixed(2_500) }],
    cases: [
      { sale: sale([line(9_000)], { country: 'CA' }), lines: [['north', 2_500]] },
      { sale: sale([line(9_000)], { country: 'FR' }), lines: [[null, 1_000]] },
      { sale: sale([line(9_000)]), lines: [[null, 1_000]] },
    ],
  },
  {
    program: 'Dub',
    says: '30 % in the first year of the subscription, 10 % afterwards',
    base: percent(10),
    rules: [{ name: 'young', when: { age_months: { to: 12 } }, pay: percent(30) }],
    cases: [
      { sale: sale([line(999)], { age_months: 3 }), lines: [['young', 300]] },
      { sale: sale([line(999)], { age_months: 12 }), lines: [[null, 100]] },
    ],
  },
  {
    program: 'Dub',
    says: 'partners with more than 10,000.00 of sales earn 40 %',
    base: percent(30),
    rules: [{ name: 'strong', when: { tier: ['tier_10k'] }, pay: percent(40) }],
    cases: [
      { sale: sale([line(1_250)], { tiers: ['tier_10k'] }), lines: [['strong', 500]] },
      { sale: sale([line(1_250)]), lines: [[null, 375]] },
    ],
  },
  {
    program: 'Dub',
    says: '5.00 for each lead, 8.00 for one from Germany',
    base: NOTHING,
    rules: [
      { name: 'german', event: 'lead', when: { countries: ['DE'] }, pay: fixed(800) },
      { name: 'lead', event: 'lead', pay: fixed(500) },
    ],
    cases: [
      { lead: { country: 'DE' }, leadRule: 'german' },
      { lead: {}, leadRule: 'lead' },
    ],
  },
  {
    program: 'Dub',
    says: 'yearly plans earn 50.00 once, monthly plans 30 %',
    base: percent(30),
    rules: [
      { name: 'yearly', when: { interval: ['year'], sale_number: { to: 1 } }, pay: fixed(5_000) },
      { name: 'renewed', when: { interval: ['year'] }, pay: NOTHING },
    ],
    cases: [
      { sale: sale([line(12_000, { interval: 'year' })]), lines: [['yearly', 5_000]] },
      { sale: sale([line(12_000, { interval: 'year' })], { sale_number: 2, age_months: 12 }), lines: [['renewed', 0]] },
      { sale: sale([line(1_200, { interval: 'month' })]), lines: [[null, 360]] },
    ],
  },
  {
    program: 'FirstPromoter',
    says: '20 % recurring for every plan, 35 % for the enterprise plan',
    base: percent(20),
    rules: [{ name: 'enterprise', when: { prices: ['price_enterprise'] }, pay: percent(35) }],
    cases: [
      { sale: sale([line(49_900, { price: 'price_enterprise' })]), lines: [['enterprise', 17_465]] },
      { sale: sale([line(4_900, { price: 'price_team' })]), lines: [[null, 980]] },
    ],
  },
  {
    program: 'FirstPromoter',
    says: '2.00 for each trial that starts',
    base: percent(20),
    rules: [{ name: 'trial', event: 'lead', pay: fixed(200) }],
    cases: [
      { lead: {}, leadRule: 'trial' },
      { sale: sale([line(1_000)]), lines: [[null, 200]] },
    ],
  },
  {
    program: 'FirstPromoter',
    says: 'at most 12 commissions per customer',
    base: NOTHING,
    rules: [{ name: 'twelve', when: { sale_number: { from: 1, to: 12 } }, pay: percent(25) }],
    cases: [
      { sale: sale([line(2_900)], { sale_number: 12 }), lines: [['twelve', 725]] },
      { sale: sale([line(2_900)], { sale_number: 13 }), lines: [[null, 0]] },
    ],
  },
  {
    program: 'FirstPromoter',
    says: 'a bonus of 100.00 at the 10th customer of a promoter',
    base: percent(20),
    rules: [
      {
        name: 'ten',
        event: 'milestone',
        pay: fixed(10_000),
        milestone: { metric: 'customers', window: 'ever', at: 10 },
      },
    ],
    cases: [
      {
        reached: [
          [9, 0],
          [10, 1],
          [35, 1],
        ],
      },
    ],
  },
  {
    program: 'FirstPromoter',
    says: 'a campaign of its own for one promoter: 40 % instead of 20 %',
    base: percent(20),
    rules: [{ name: 'own', affiliate_id: 'aff_ada', pay: percent(40) }],
    cases: [
      { sale: sale([line(1_999)], { affiliate_id: 'aff_ada' }), lines: [['own', 800]] },
      { sale: sale([line(1_999)], { affiliate_id: 'aff_bob' }), lines: [[null, 400]] },
    ],
  },
  {
    program: 'FirstPromoter',
    says: 'no commission on set-up fees',
    base: percent(20),
    rules: [{ name: 'fees', when: { products: ['setup_fee'] }, pay: NOTHING }],
    cases: [
      {
        sale: sale([of('plan', 9_900), of('setup_fee', 20_000)]),
        lines: [
          [null, 1_980],
          ['fees', 0],
        ],
      },
    ],
  },
  {
    program: 'FirstPromoter',
    says: 'at most 500.00 of commissions per customer',
    base: NOTHING,
    rules: [
      {
        name: 'capped',
        pay: percent(30),
        cap: { amount_cents: 50_000, currency: 'USD', per: 'referral', window: 'ever' },
      },
    ],
    cases: [
      { sale: sale([line(100_000)]), lines: [['capped', 30_000]] },
      { sale: sale([line(100_000)], { used_cents: { capped: 30_000 } }), lines: [['capped', 20_000]] },
      { sale: sale([line(100_000)], { used_cents: { capped: 50_000 } }), lines: [['capped', 0]] },
    ],
  },
  {
    program: 'Tolt',
    says: '30 % on the starter product, 20.00 on the lifetime deal, 10 % on everything else',
    base: percent(10),
    rules: [
      { name: 'starter', when: { products: ['starter'] }, pay: percent(30) },
      { name: 'lifetime', when: { products: ['lifetime'] }, pay: fixed(2_000) },
    ],
    cases: [
      {
        sale: sale([of('starter', 1_900), of('lifetime', 19_900), of('sticker', 500)]),
        lines: [
          ['starter', 570],
          ['lifetime', 2_000],
          [null, 50],
        ],
      },
    ],
  },
  {
    program: 'Tolt',
    says: 'partners of a group earn 5 % more: 35 % for its members',
    base: percent(30),
    rules: [
      { name: 'ada', affiliate_id: 'aff_ada', pay: percent(35) },
      { name: 'bob', affiliate_id: 'aff_bob', pay: percent(35) },
    ],
    cases: [
      { sale: sale([line(10_000)], { affiliate_id: 'aff_bob' }), lines: [['bob', 3_500]] },
      { sale: sale([line(10_000)], { affiliate_id: 'aff_cy' }), lines: [[null, 3_000]] },
    ],
  },
  {
    program: 'Tolt',
    says: 'the first payment earns 100 %, later ones nothing',
    base: NOTHING,
    rules: [{ name: 'first', when: { sale_number: { to: 1 } }, pay: percent(100) }],
    cases: [
      { sale: sale([line(2_999)]), lines: [['first', 2_999]] },
      { sale: sale([line(2_999)], { sale_number: 2 }), lines: [[null, 0]] },
    ],
  },
  {
    program: 'Tolt',
    says: 'flat 15.00 per paid subscription, whatever the plan, for 6 months',
    base: NOTHING,
    rules: [{ name: 'half_year', when: { age_months: { to: 6 }, interval: ['month', 'year'] }, pay: fixed(1_500) }],
    cases: [
      {
        sale: sale([line(3_000, { interval: 'month' }), line(1_000, { interval: 'month' })], { age_months: 5 }),
        lines: [
          ['half_year', 1_125],
          ['half_year', 375],
        ],
      },
      { sale: sale([line(3_000, { interval: 'month' })], { age_months: 6 }), lines: [[null, 0]] },
    ],
  },
  {
    program: 'Tolt',
    says: '25 % in December for everyone',
    base: percent(20),
    rules: [{ name: 'december', pay: percent(25), from: '2026-12-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' }],
    cases: [
      { sale: sale([line(4_000)], { at: '2026-11-30T23:59:59.999Z' }), lines: [[null, 800]] },
      { sale: sale([line(4_000)], { at: '2026-12-01T00:00:00.000Z' }), lines: [['december', 1_000]] },
      { sale: sale([line(4_000)], { at: '2027-01-01T00:00:00.000Z' }), lines: [[null, 800]] },
    ],
  },
  {
    program: 'Affonso',
    says: 'monthly plans earn 20 %, yearly plans 30 %',
    base: percent(20),
    rules: [{ name: 'yearly', when: { interval: ['year'] }, pay: percent(30) }],
    cases: [
      {
        sale: sale([line(12_000, { interval: 'year' }), line(1_000, { interval: 'month' })]),
        lines: [
          ['yearly', 3_600],
          [null, 200],
        ],
      },
    ],
  },
  {
    program: 'Affonso',
    says: 'levels by referred revenue: 20 %, from Silver 25 %, from Gold 30 %',
    base: percent(20),
    rules: [
      { name: 'gold', when: { tier: ['gold'] }, pay: percent(30) },
      { name: 'silver', when: { tier: ['silver'] }, pay: percent(25) },
    ],
    cases: [
      { sale: sale([line(10_001)], { tiers: ['silver', 'gold'] }), lines: [['gold', 3_000]] },
      { sale: sale([line(10_001)], { tiers: ['silver'] }), lines: [['silver', 2_500]] },
      { sale: sale([line(10_001)]), lines: [[null, 2_000]] },
    ],
  },
  {
    program: 'Affonso',
    says: '50.00 extra for every 10th customer',
    base: percent(20),
    rules: [
      {
        name: 'tenth',
        event: 'milestone',
        pay: fixed(5_000),
        milestone: { metric: 'customers', window: 'ever', every: 10 },
      },
    ],
    cases: [
      {
        reached: [
          [9, 0],
          [10, 1],
          [29, 2],
          [30, 3],
        ],
      },
    ],
  },
  {
    program: 'Affonso',
    says: '10.00 on top of the percentage for the first sale of a customer',
    base: percent(15),
    rules: [{ name: 'welcome', apply: 'on_top', when: { sale_number: { to: 1 } }, pay: fixed(1_000) }],
    cases: [
      { sale: sale([line(6_000)]), lines: [[null, 900]], bonuses: [['welcome', 1_000]] },
      { sale: sale([line(6_000)], { sale_number: 2 }), lines: [[null, 900]], bonuses: [] },
    ],
  },
  {
    program: 'Affonso',
    says: 'a higher rate for customers who enter the campaign’s code',
    base: percent(20),
    rules: [{ name: 'code', when: { codes: ['LAUNCH30'] }, pay: percent(30) }],
    cases: [
      { sale: sale([line(5_000)], { codes: ['launch30'] }), lines: [['code', 1_500]] },
      { sale: sale([line(5_000)], { codes: ['OTHER'] }), lines: [[null, 1_000]] },
    ],
  },
  {
    program: 'Affonso',
    says: '3.00 for each signup, only of affiliate Ada',
    base: percent(20),
    rules: [{ name: 'signup', event: 'lead', affiliate_id: 'aff_ada', pay: fixed(300) }],
    cases: [
      { lead: { affiliate_id: 'aff_ada' }, leadRule: 'signup' },
      { lead: { affiliate_id: 'aff_bob' }, leadRule: null },
    ],
  },
  {
    program: 'AffiliateWP',
    says: 'a rate per product: 10 % of shirts, a flat 3.00 per mug, each mug counted',
    base: percent(20),
    rules: [
      { name: 'shirts', when: { products: ['shirt'] }, pay: percent(10) },
      { name: 'mugs', when: { products: ['mug'] }, pay: fixed(300, 'unit') },
    ],
    cases: [
      {
        sale: sale([of('shirt', 2_500), of('mug', 3_600, { quantity: 3 }), of('poster', 1_000)]),
        lines: [
          ['shirts', 250],
          ['mugs', 900],
          [null, 200],
        ],
      },
    ],
  },
  {
    program: 'AffiliateWP',
    says: 'an affiliate’s own rate comes before the rate of the product',
    base: percent(20),
    rules: [
      { name: 'shirts', when: { products: ['shirt'] }, pay: percent(10) },
      { name: 'own', affiliate_id: 'aff_ada', pay: percent(50) },
    ],
    cases: [
      { sale: sale([of('shirt', 2_000)], { affiliate_id: 'aff_ada' }), lines: [['own', 1_000]] },
      { sale: sale([of('shirt', 2_000)], { affiliate_id: 'aff_bob' }), lines: [['shirts', 200]] },
    ],
  },
  {
    program: 'AffiliateWP',
    says: 'referrals disabled for gift cards',
    base: percent(20),
    rules: [{ name: 'gift cards', when: { products: ['gift_card'] }, pay: NOTHING }],
    cases: [{ sale: sale([of('gift_card', 5_000)]), lines: [['gift cards', 0]] }],
  },
  {
    program: 'AffiliateWP',
    says: 'recurring referrals: 20 % of the first payment, 5 % of renewals, for at most 5 renewals',
    base: NOTHING,
    rules: [
      { name: 'first', when: { sale_number: { to: 1 } }, pay: percent(20) },
      { name: 'renewal', when: { sale_number: { from: 2, to: 6 } }, pay: percent(5) },
    ],
    cases: [
      { sale: sale([line(3_333)]), lines: [['first', 667]] },
      { sale: sale([line(3_333)], { sale_number: 6 }), lines: [['renewal', 167]] },
      { sale: sale([line(3_333)], { sale_number: 7 }), lines: [[null, 0]] },
    ],
  },
  {
    program: 'AffiliateWP',
    says: 'a lifetime customer earns 8 %, a new customer 15 %',
    base: percent(8),
    rules: [{ name: 'new', when: { customer: 'new' }, pay: percent(15) }],
    cases: [
      { sale: sale([line(10_000)], { customer: 'new' }), lines: [['new', 1_500]] },
      { sale: sale([line(10_000)], { customer: 'returning' }), lines: [[null, 800]] },
    ],
  },
  {
    program: 'AffiliateWP',
    says: 'a performance bonus of 250.00 for each 1,000.00 of sales in a month',
    base: percent(10),
    rules: [
      {
        name: 'thousand',
        event: 'milestone',
        pay: fixed(25_000),
        milestone: { metric: 'revenue', window: 'month', every: 100_000 },
      },
    ],
    cases: [
      {
        reached: [
          [99_999, 0],
          [100_000, 1],
          [250_000, 2],
        ],
      },
    ],
  },
  {
    program: 'AffiliateWP',
    says: 'a flat rate per order, not per product',
    base: fixed(1_000),
    rules: [],
    cases: [
      {
        sale: sale([of('shirt', 3_000), of('mug', 1_000, { quantity: 4 })]),
        lines: [
          [null, 750],
          [null, 250],
        ],
      },
    ],
  },
  {
    program: 'GoAffPro',
    says: 'orders from 100.00 earn 10 %, from 500.00 15 %, smaller ones 5 %',
    base: percent(5),
    rules: [
      { name: 'large', when: { amount: { from: 50_000, currency: 'USD' } }, pay: percent(15) },
      { name: 'medium', when: { amount: { from: 10_000, to: 50_000, currency: 'USD' } }, pay: percent(10) },
    ],
    cases: [
      { sale: sale([line(9_999)]), lines: [[null, 500]] },
      { sale: sale([line(10_000)]), lines: [['medium', 1_000]] },
      {
        sale: sale([line(40_000), line(10_000)]),
        lines: [
          ['large', 6_000],
          ['large', 1_500],
        ],
      },
      { sale: sale([line(60_000)], { currency: 'EUR' }), lines: [[null, 3_000]] },
    ],
  },
  {
    program: 'GoAffPro',
    says: 'a fixed amount per item sold',
    base: NOTHING,
    rules: [{ name: 'item', pay: fixed(150, 'unit') }],
    cases: [
      {
        sale: sale([of('shirt', 4_000, { quantity: 2 }), of('mug', 900)]),
        lines: [
          ['item', 300],
          ['item', 150],
        ],
      },
    ],
  },
  {
    program: 'GoAffPro',
    says: 'new customers 20 %, returning customers 5 %',
    base: percent(5),
    rules: [{ name: 'new', when: { customer: 'new' }, pay: percent(20) }],
    cases: [
      { sale: sale([line(1_234)], { customer: 'new' }), lines: [['new', 247]] },
      { sale: sale([line(1_234)], { customer: 'returning' }), lines: [[null, 62]] },
    ],
  },
  {
    program: 'GoAffPro',
    says: 'a target of 20 sales in a month pays 100.00',
    base: percent(10),
    rules: [
      {
        name: 'target',
        event: 'milestone',
        pay: fixed(10_000),
        milestone: { metric: 'sales', window: 'month', at: 20 },
      },
    ],
    cases: [
      {
        reached: [
          [19, 0],
          [20, 1],
          [60, 1],
        ],
      },
    ],
  },
  {
    program: 'GoAffPro',
    says: 'orders of the subscription app earn 25 %, told by a tag of the order',
    base: percent(10),
    rules: [{ name: 'tagged', when: { metadata: { source: ['subscription_app'] } }, pay: percent(25) }],
    cases: [
      { sale: sale([line(2_000)], { metadata: { source: 'subscription_app' } }), lines: [['tagged', 500]] },
      { sale: sale([line(2_000)], { metadata: { source: 'shop' } }), lines: [[null, 200]] },
    ],
  },
  {
    program: 'GoAffPro',
    says: 'commissions of one order never exceed 75.00',
    base: NOTHING,
    rules: [{ name: 'order', pay: percent(15), cap: { amount_cents: 7_500, currency: 'USD', per: 'sale', window: 'ever' } }],
    cases: [
      {
        sale: sale([line(60_000), line(40_000)]),
        lines: [
          ['order', 4_500],
          ['order', 3_000],
        ],
      },
      // A cap in another currency does not count, because nothing is converted.
      { sale: sale([line(100_000)], { currency: 'EUR' }), lines: [['order', 15_000]] },
    ],
  },
];

/** Rules of these programs that the model leaves out. */
export const OMISSIONS: readonly { program: Program; says: string; because: string }[] = [
  {
    program: 'Dub',
    says: 'a reward for each click',
    because: 'Clicks cost nothing to fake and no money comes in with them. A lead or a sale proves that there is a customer.',
  },
  {
    program: 'Dub',
    says: 'a reward by the country of the partner',
    because:
      'The country of an affiliate is not known to this service. Rules for the affiliate do the same for chosen affiliates.',
  },
  {
    program: 'FirstPromoter',
    says: 'a commission for the promoter who recruited the promoter (second tier)',
    because: 'One sale has one earner here. A second earner needs books of its own.',
  },
  {
    program: 'AffiliateWP',
    says: 'a rate per category of products',
    because: 'Neither the payment provider nor a report states categories. The rule lists the products.',
  },
  {
    program: 'AffiliateWP',
    says: 'store credit instead of money',
    because: 'Commissions are money in a currency. Credit is a matter of the shop.',
  },
  {
    program: 'AffiliateWP',
    says: 'a bonus for signing up as an affiliate',
    because: 'No sale or lead causes it. A merchant enters it as a manual commission.',
  },
  {
    program: 'GoAffPro',
    says: 'royalties: an affiliate earns from every sale of a product, whoever sent the customer',
    because: 'A rule decides what a sale is worth, never who earns from it.',
  },
  {
    program: 'GoAffPro',
    says: 'the highest of several matching rates',
    because: 'It compares cents with percent, and nobody can explain the result. The first rule wins.',
  },
  {
    program: 'GoAffPro',
    says: 'a commission in the affiliate’s currency, converted at the day’s rate',
    because: 'Nothing is converted between currencies.',
  },
];
