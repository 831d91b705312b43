/**
 * The rules of docs/rules/attribution.md as stories with the right outcome, each told in every order of its facts: who earns how much from each sale,
 * or why nobody does, and the flag.
 */
import { describe, expect, it } from 'vitest';
import type { ClaimFact, Payer, TermsVersion } from '../../packages/core/src/attribution/decide/facts.ts';
import type { Sale } from '../../packages/core/src/ledger/sales/sale.entity.ts';
import { Random } from '../support/random.ts';
import { THOROUGH } from '../support/thorough.ts';
import { day, type Fact, ID_1, ID_2, type Program, type Story, told, type World } from './random-facts.ts';
import { link as claimByLink, sale as chargeOn, TERMS } from './rewarded-facts.ts';

/** Number of orders of stories with more orders than these. */
const MOST_ORDERS = THOROUGH ? 720 : 24;

type State = { state: string; archived: boolean };
interface Setting {
  /** Terms of both campaigns. Without them, 20 % of each sale is earned. */
  terms?: Partial<TermsVersion>;
  /** Former terms, each until a time. */
  formerTerms?: (Partial<TermsVersion> & { until: string })[];
  /** States of the affiliate A. */
  state?: string;
  formerStates?: { state: string; until: string }[];
  shadow?: Program['campaigns'][number]['shadow'];
  exclusions?: Program['exclusions'];
  emails?: string[];
  hasUnverifiedEmail?: boolean;
}

function programOf(setting: Setting): Program {
  const { terms, formerTerms = [], state = 'active', formerStates = [], shadow, exclusions = [], emails = [] } = setting;
  const stateOf = (name: string): State => ({ state: name, archived: false });
  return {
    affiliates: ['A', 'B'].map((id) => ({
      id,
      emails: [`${id.toLowerCase()}@example.com`],
      versions:
        id === 'A'
          ? { current: stateOf(state), former: formerStates.map((each) => ({ ...stateOf(each.state), until: each.until })) }
          : { current: stateOf('active'), former: [] },
    })) as Program['affiliates'],
    campaigns: ['A', 'B'].map((id) => ({
      id: `campaign ${id}`,
      rewarded_since: null,
      rules_revision: null,
      versions: {
        current: { ...TERMS, ...terms },
        former: formerTerms.map((each) => ({ ...TERMS, ...each })),
      },
      shadow: shadow ?? { current: { is_shadow: false }, former: [] },
    })) as Program['campaigns'],
    exclusions,
    emails,
    hasUnverifiedEmail: setting.hasUnverifiedEmail ?? false,
  };
}

/** A visit by the link of an affiliate on a day, after which the provider or the merchant names the referral for the customer. */
const link = (...of: Parameters<typeof claimByLink>): Fact => ({ kind: 'claim', claim: claimByLink(...of) });

/** The code of an affiliate, redeemed with the sale of a day. */
function code(who: 'A' | 'B', of: number, more: Partial<ClaimFact> = {}): Fact {
  const claim = claimByLink(who, of, { key: `code ${who}${of}`, kind: 'code', referral_id: null, named_id: null, ...more });
  return { kind: 'claim', claim: { ...claim, code: 'CODE', psp_promotion_code_id: 'promo', sale_id: `sale ${of}` } };
}

/** A charge of 10.00 on a day, which the provider tells. */
function sale(at: number, more: Partial<Sale> = {}, payer: Partial<Payer> = {}): Fact {
  const told = chargeOn(at, more);
  return { kind: 'sale', sale: told.sale, payer: { ...told.payer, ...payer } };
}

const TEST = { livemode: false };
const refund = (of: number, cents = 1_000): Fact => ({ kind: 'refund', sale: `sale ${of}`, cents });
const join = (at: number): Fact => ({ kind: 'join', join: { of: [ID_1, ID_2], at: day(at) } });
const excluded = (of: number): Fact => ({ kind: 'exclusion', sale: `sale ${of}` });
const assigned = (of: number, to: 'A' | 'B'): Fact => {
  const id = `assigned ${of}`;
  const claim = claimByLink(to, of, { key: id, referral_id: id, named_id: null, expiresAt: null, isAssigned: true });
  return { kind: 'assignment', sale: `sale ${of}`, claim };
};

/** Says of each sale, by day, who earns how much with which flag, or why nobody earns. */
function outcomes(world: World): string[] {
  const dayOf = (id: string) => Number(id.split(' ')[1]);
  return world.sales
    .toSorted((a, b) => dayOf(a.sale.id) - dayOf(b.sale.id))
    .map(({ sale: { no_commission_reason }, commission }) => {
      if (commission === null || commission.state === 'voided') return String(no_commission_reason);
      return [commission.affiliate_id, commission.amount_cents, commission.review_reason ?? []].flat().join(' ');
    });
}

function ordersOf(facts: readonly Fact[]): Fact[][] {
  const all = permutations(facts);
  if (all !== null) return all;
  const random = new Random(1);
  return Array.from({ length: MOST_ORDERS }, () => random.shuffled(facts));
}

/** Lists all orders of a few facts, or returns null if there are more than `MOST_ORDERS`. */
function permutations(facts: readonly Fact[]): Fact[][] | null {
  let orders: Fact[][] = [[]];
  for (const fact of facts) {
    orders = orders.flatMap((order) => order.map((_, at) => order.toSpliced(at, 0, fact)).concat([[...order, fact]]));
    if (orders.length > MOST_ORDERS) return null;
  }
  return orders;
}

type Row = [rule: string, facts: Fact[], outcome: string[], setting?: Setting];

const FIRST: Row[] = [
  ['the first click earns', [link('A', 1), link('B', 2), sale(3)], ['A 200']],
  ['a code and a link of one second: the link earns', [link('B', 3), code('A', 3), sale(3)], ['B 200']],
  ['of two visits at one moment, the smaller id earns', [link('A', 1), link('B', 1), sale(3)], ['A 200']],
  [
    'of two visits in one second, the earlier one earns',
    [link('A', 1, { from: '2026-01-02T00:00:00.800Z' }), link('B', 1, { from: '2026-01-02T00:00:00.200Z' }), sale(3)],
    ['B 200'],
  ],
  ['the customer stays with who converted them', [link('A', 1), sale(50), link('B', 55), sale(70)], ['A 200', 'A 200']],
  [
    'a claim that is made later takes nothing that was earned before, whenever its visit was',
    [link('B', 5), sale(10), link('A', 1, { madeAt: day(20) }), sale(30)],
    ['B 200', 'B 200'],
  ],
  [
    'a claim that is made after a sale of nobody earns from then on',
    [sale(10), link('A', 1, { madeAt: day(20) }), sale(30)],
    ['no_referral', 'A 200'],
  ],
  [
    'a referral that the merchant names for the sale earns it, although it was made later',
    [link('A', 1, { madeAt: day(20) }), sale(10, { named_referral_id: 'referral A1' })],
    ['A 200'],
  ],
];

const TAKING_OVER: Row[] = [
  ['an expired claim earns nothing', [link('A', 1), sale(62)], ['referral_expired']],
  ['a claim earns until the moment of its expiry', [link('A', 1), sale(60.99)], ['A 200']],
  ['the next claim takes over from one that expired without converting', [link('A', 1), link('B', 30), sale(70)], ['B 200']],
  ['a code takes over from an expired link', [link('A', 1), sale(70), code('B', 70)], ['B 200']],
  [
    'a deactivated claim that has converted earns nothing, and keeps the customer',
    [link('A', 1, { deactivatedAt: day(20) }), link('B', 10), sale(15), sale(25)],
    ['A 200', 'referral_deactivated'],
  ],
  [
    'a claim that was deactivated before it converted gives way',
    [link('A', 1, { deactivatedAt: day(20) }), link('B', 10), sale(25)],
    ['B 200'],
  ],
  ['a deactivated claim alone earns nothing', [link('A', 1, { deactivatedAt: day(20) }), sale(25)], ['referral_deactivated']],
  [
    'a referral earns nothing while it was deactivated, and again afterwards',
    [link('A', 1, { inactive: [{ from: day(10), until: day(20) }] }), sale(5), sale(15), sale(25)],
    ['A 200', 'referral_deactivated', 'A 200'],
  ],
  [
    'the next claim takes over from an affiliate who cannot earn at the time of the charge',
    [link('A', 1), link('B', 2), sale(10), sale(30)],
    ['B 200', 'B 200'],
    { formerStates: [{ state: 'disabled', until: day(20) }] },
  ],
  [
    'zero does not convert',
    [link('A', 1), sale(50, { charge_amount_cents: 0 }), link('B', 55), sale(70)],
    ['nothing_to_earn', 'B 200'],
  ],
  [
    'neither does a charge of tax alone',
    [link('A', 1), sale(50, { tax_amount_cents: 1_000 }), link('B', 55), sale(70)],
    ['nothing_to_earn', 'B 200'],
  ],
];

const CODES: Row[] = [
  ['a code alone earns', [sale(3), code('A', 3)], ['A 200']],
  ['a code loses to a link', [link('B', 1), sale(3), code('A', 3)], ['B 200']],
  ['a code wins in an account that prefers codes', [link('B', 1), sale(3), code('A', 3, { beforeLink: true })], ['A 200']],
  [
    'a preferred code wins its own charge, and not the customer whom a link has',
    [link('B', 1), sale(2), sale(3), code('A', 3, { beforeLink: true }), sale(4)],
    ['B 200', 'A 200', 'B 200'],
  ],
  ['a code binds a customer who had nobody', [sale(3), code('A', 3), link('B', 4), sale(5)], ['A 200', 'A 200']],
  [
    'a code takes nobody from a last click',
    [link('B', 1, { lastClick: true }), sale(3), code('A', 3, { lastClick: true })],
    ['B 200'],
  ],
  ['a code of test mode earns nothing from a live sale', [sale(3), code('A', 3, { isTest: true }), sale(4)], ['A 200', 'A 200']],
];

const LAST_CLICK: Row[] = [
  [
    'the last click earns in a campaign that attributes to it',
    [link('A', 1), link('B', 2, { lastClick: true }), sale(3)],
    ['B 200'],
  ],
  ['the choice of the later campaign counts', [link('A', 1, { lastClick: true }), link('B', 2), sale(3)], ['A 200']],
  [
    'a last click takes no customer who has converted',
    [link('A', 1), sale(3), link('B', 4, { lastClick: true }), sale(5)],
    ['A 200', 'A 200'],
  ],
];

const VISITS: Row[] = [
  ['a charge before the visit earns nothing', [link('A', 5), sale(4)], ['before_visit']],
  ['a charge in the second of the visit is after it', [link('A', 5, { from: '2026-01-06T00:00:00.900Z' }), sale(5)], ['A 200']],
  ['unless the merchant has named the referral for it', [link('A', 5), sale(4, { named_referral_id: 'referral A5' })], ['A 200']],
];

const LEADS: Row[] = [
  [
    'a public lead earns, and the commission waits for a person',
    [link('A', 1, { isProven: false, lead: { at: day(5), from: day(1) }, madeAt: day(5), namedBy: [] }), sale(7)],
    ['A 200 unproven_lead'],
  ],
  [
    'a public lead after a payment earns nothing',
    [sale(3), link('A', 1, { isProven: false, lead: { at: day(5), from: day(1) }, madeAt: day(5), namedBy: [] }), sale(7)],
    ['no_referral', 'no_referral'],
  ],
  [
    'a public lead of a customer whom somebody has earns nothing',
    [link('B', 2), link('A', 1, { isProven: false, lead: { at: day(5), from: day(1) }, madeAt: day(5), namedBy: [] }), sale(7)],
    ['B 200'],
  ],
  [
    'of two public leads at one moment, that of the earlier visit earns',
    [
      link('A', 3, { isProven: false, lead: { at: day(5), from: day(3) }, madeAt: day(5), namedBy: [] }),
      link('B', 1, { isProven: false, lead: { at: day(5), from: day(1) }, madeAt: day(5), namedBy: [] }),
      sale(7),
    ],
    ['B 200 unproven_lead'],
  ],
  [
    'a lead of many from one network waits for a person',
    [
      link('A', 1, { isProven: false, isCrowded: true, lead: { at: day(5), from: day(1) }, madeAt: day(5), namedBy: [] }),
      sale(7),
    ],
    ['A 200 crowded_network'],
  ],
];

const EXCLUDED: Row[] = [
  ['an excluded payment earns nothing', [link('A', 1), sale(3), excluded(3)], ['excluded']],
  ['and does not convert', [link('A', 1), sale(50), excluded(50), link('B', 55), sale(70)], ['excluded', 'B 200']],
  [
    'neither does a payment outside the provider earn that the merchant excludes',
    [link('A', 1), sale(3, { paid_outside: 'excluded' })],
    ['excluded'],
  ],
  ['one that the merchant counts earns', [link('A', 1), sale(3, { paid_outside: 'counted' })], ['A 200']],
  [
    'the metadata of a customer exclude charges from their event until the event that removes them',
    [link('A', 1), sale(9), sale(10), sale(19), sale(20)],
    ['A 200', 'excluded', 'excluded', 'A 200'],
    {
      exclusions: [
        { at: day(10), excluded: true },
        { at: day(20), excluded: false },
      ],
    },
  ],
];

const MODES: Row[] = [
  ['test sales earn, too', [link('A', 1), sale(3, TEST)], ['A 200']],
  ['a test sale converts nobody for live sales', [link('A', 1), sale(50, TEST), link('B', 55), sale(70)], ['A 200', 'B 200']],
  [
    'limits count per mode',
    [link('A', 1), sale(3, TEST), sale(4), sale(5)],
    ['A 200', 'A 200', 'max_commissions_reached'],
    { terms: { max_commissions: 1 } },
  ],
];

const LIMITS: Row[] = [
  [
    'the first charges take the places',
    [link('A', 1), sale(3), sale(4), sale(5)],
    ['A 200', 'A 200', 'max_commissions_reached'],
    { terms: { max_commissions: 2 } },
  ],
  [
    'a charge that is refunded completely frees its place',
    [link('A', 1), sale(3), refund(3), sale(4)],
    ['nothing_to_earn', 'A 200'],
    { terms: { max_commissions: 1 } },
  ],
  [
    'a charge that is refunded in part keeps its place',
    [link('A', 1), sale(3), refund(3, 400), sale(4)],
    ['A 120', 'max_commissions_reached'],
    { terms: { max_commissions: 1 } },
  ],
  [
    'what earns nothing takes no place',
    [link('A', 1), sale(3, { charge_amount_cents: 0 }), sale(4)],
    ['nothing_to_earn', 'A 200'],
    { terms: { max_commissions: 1 } },
  ],
  [
    'the period begins with the first charge, and ends on the same day of the month',
    [link('A', 1), sale(9), sale(39.99), sale(40.01)],
    ['A 200', 'A 200', 'commission_period_over'],
    { terms: { max_commission_period_months: 1 } },
  ],
  [
    'a campaign that pays nothing gives nothing to earn',
    [link('A', 1), sale(3)],
    ['nothing_to_earn'],
    { terms: { commission_basis_points: 0 } },
  ],
];

const HISTORY: Row[] = [
  [
    'each sale earns by the terms at its charge',
    [link('A', 1), sale(9), sale(10), sale(11)],
    ['A 100', 'A 200', 'A 200'],
    { formerTerms: [{ commission_basis_points: 1_000, until: day(10) }] },
  ],
  [
    'a change in the second of a charge counts for it',
    [link('A', 1), sale(10)],
    ['A 200'],
    { formerTerms: [{ commission_basis_points: 1_000, until: '2026-01-11T00:00:00.700Z' }] },
  ],
  [
    'an affiliate who is disabled later keeps what was earned',
    [link('A', 1), sale(19), sale(21)],
    ['A 200', 'affiliate_inactive'],
    { state: 'disabled', formerStates: [{ state: 'active', until: day(20) }] },
  ],
  [
    'a sale from before the approval earns nothing',
    [link('A', 1), sale(9), sale(11)],
    ['affiliate_inactive', 'A 200'],
    { formerStates: [{ state: 'pending', until: day(10) }] },
  ],
  [
    'a campaign that was archived earns nothing meanwhile',
    [link('A', 1), sale(9), sale(11)],
    ['campaign_archived', 'A 200'],
    { formerTerms: [{ archived: true, until: day(10) }] },
  ],
  [
    'what the former tool decides earns nothing here',
    [link('A', 1), sale(9), sale(11)],
    ['shadow', 'A 200'],
    { shadow: { current: { is_shadow: false }, former: [{ is_shadow: true, until: day(10) }] } },
  ],
  ['a tax earns nothing', [link('A', 1), sale(3, { charge_amount_cents: 1_190, tax_amount_cents: 190 })], ['A 200']],
];

const IDENTITIES: Row[] = [
  [
    'the claim of another identity counts from the time on at which both were shown together',
    [link('A', 1), sale(5, {}, { ids: [ID_2] }), join(10), sale(15, {}, { ids: [ID_2] })],
    ['no_referral', 'A 200'],
  ],
  [
    'each identity has its own binding until then, and who converted first keeps the person',
    [link('A', 1), link('B', 2, { namedBy: [ID_2] }), sale(5, {}, { ids: [ID_2] }), sale(6), join(10), sale(15)],
    ['B 200', 'A 200', 'B 200'],
  ],
  ['all claims count for a payer of whom nothing is known', [link('A', 1), join(10), sale(5, {}, { ids: [] })], ['A 200']],
  [
    'a charge that names a claim itself needs no identity',
    [link('A', 1), join(10), sale(5, {}, { ids: [ID_2], references: ['referral A1'] })],
    ['A 200'],
  ],
];

const ASSIGNED: Row[] = [
  ['an assigned sale goes to the affiliate, and so do later ones', [sale(5), assigned(5, 'B'), sale(7)], ['B 200', 'B 200']],
  [
    'an assignment takes no other sale of its second that comes first',
    [sale(5), code('A', 5), sale(5.000001), code('B', 5.000001), assigned(5.000001, 'B'), sale(7)],
    ['A 200', 'B 200', 'B 200'],
  ],
  [
    'limits take nothing from an assigned sale whose mode and time are corrected',
    [
      sale(5),
      assigned(5, 'B'),
      { kind: 'mode', sale: 'sale 5', livemode: false },
      { kind: 'time', sale: 'sale 5', at: day(70) },
      sale(6, TEST),
    ],
    ['B 200', 'B 200'],
    { terms: { max_commission_period_months: 1 } },
  ],
  ['an assignment counts for an excluded payment', [sale(5), excluded(5), assigned(5, 'B')], ['B 200']],
  [
    'earlier sales stay with who earned them',
    [link('A', 1), sale(3), sale(5), assigned(5, 'B'), sale(7)],
    ['A 200', 'B 200', 'B 200'],
  ],
];

const FLAGS: Row[] = [
  ['a suspicious affiliate', [link('A', 1), sale(3)], ['A 200 suspicious_affiliate'], { state: 'suspicious' }],
  [
    'an affiliate who was suspicious at the charge',
    [link('A', 1), sale(3), sale(30)],
    ['A 200 suspicious_affiliate', 'affiliate_inactive'],
    { state: 'disabled', formerStates: [{ state: 'suspicious', until: day(20) }] },
  ],
  [
    'an affiliate who was suspicious until a person found that all is well',
    [link('A', 1), sale(3), sale(30)],
    ['A 200', 'A 200'],
    { formerStates: [{ state: 'suspicious', until: day(20) }] },
  ],
  ['who buys from themselves', [link('A', 1), sale(3)], ['A 200 self_referral'], { emails: ['a@example.com'] }],
  [
    'an address that somebody typed is all that connects them',
    [link('A', 1, { namedBy: [] }), sale(3)],
    ['A 200 unverified_address'],
    { emails: ['typed@example.com'], hasUnverifiedEmail: true },
  ],
  [
    'an address that somebody typed, beside an id of the customer',
    [link('A', 1), sale(3)],
    ['A 200'],
    { emails: ['typed@example.com'], hasUnverifiedEmail: true },
  ],
  [
    'a guest whose sale names another affiliate',
    [link('A', 1), link('B', 2), sale(3, { named_referral_id: 'referral B2' }, { ids: [] })],
    ['A 200 unverified_address'],
  ],
  [
    'a guest whose payment names another affiliate',
    [link('A', 1), link('B', 2), sale(3, {}, { ids: [], references: ['referral B2'] })],
    ['A 200 unverified_address'],
  ],
  [
    'a customer with an id whose sale names another affiliate',
    [link('A', 1), link('B', 2), sale(3, { named_referral_id: 'referral B2' })],
    ['A 200'],
  ],
  [
    'a guest whose sale and payment name both affiliates',
    [link('A', 1), link('B', 2), sale(3, { named_referral_id: 'referral B2' }, { ids: [], references: ['referral A1'] })],
    ['A 200'],
  ],
  ['a guest who redeems the code of another affiliate', [link('A', 1), sale(3, {}, { ids: [] }), code('B', 3)], ['A 200']],
  ['a guest whose sale names nobody', [link('A', 1), link('B', 2), sale(3, {}, { ids: [] })], ['A 200']],
  [
    'an address that somebody typed, beside an id for which the same referral was named when it was another customer',
    [
      link('A', 1, { namedBy: [] }),
      link('A', 1, { key: 'referral A1 second', referral_id: 'second', named_id: 'referral A1', madeAt: day(2) }),
      sale(3),
    ],
    ['A 200'],
    { emails: ['typed@example.com'], hasUnverifiedEmail: true },
  ],
  [
    'an address that somebody typed, beside an id for which another referral was named',
    [link('B', 1, { namedBy: [] }), link('A', 2), sale(3)],
    ['B 200 unverified_address'],
    { emails: ['typed@example.com'], hasUnverifiedEmail: true },
  ],
  ['a dispute', [link('A', 1), sale(3), { kind: 'dispute', sale: 'sale 3', isOpen: true }], ['A 200 dispute']],
  ['a tax that was ignored', [link('A', 1), sale(3, { tax_ignored: true })], ['A 200 tax_currency']],
  [
    'a payment that seems to be told twice, one of which is excluded',
    [link('A', 1), sale(3), sale(3.01, { names: [], external_id: 'order 1', livemode: null }), excluded(3)],
    ['excluded', 'A 200'],
  ],
  [
    'a payment that seems to be told twice, once before the visit',
    [link('A', 3.005), sale(3), sale(3.01, { names: [], external_id: 'order 1', livemode: null })],
    ['before_visit', 'A 200'],
  ],
  [
    'a payment that the merchant and the provider seem to have told',
    [link('A', 1), sale(3), sale(3.01, { names: [], external_id: 'order 1', livemode: null })],
    ['A 200', 'A 200 possible_duplicate'],
  ],
];

describe.each([
  ['attribution', FIRST],
  ['taking over', TAKING_OVER],
  ['codes', CODES],
  ['last click', LAST_CLICK],
  ['visits', VISITS],
  ['public leads', LEADS],
  ['exclusion', EXCLUDED],
  ['modes', MODES],
  ['limits', LIMITS],
  ['history', HISTORY],
  ['identities', IDENTITIES],
  ['assignment', ASSIGNED],
  ['flags', FLAGS],
])('%s, in every order of the facts', (_, rows) => {
  it.each(rows)('%s', (_rule, facts, outcome, setting = {}) => {
    const story: Story = { program: programOf(setting), facts };
    for (const order of ordersOf(facts)) expect(outcomes(told(story, order))).toEqual(outcome);
  });
});

describe('a paid commission', () => {
  /** Tells the facts, pays the commissions that they earn, and then tells what becomes known later. */
  function toldAfterPayment(facts: Fact[], late: Fact[], setting: Setting = {}) {
    const world = told({ program: programOf(setting), facts });
    for (const { commission } of world.sales) if (commission !== null) commission.state = 'paid';
    for (const fact of late) {
      world.learn(fact);
      world.decide();
    }
    return { outcome: outcomes(world), contested: world.sales.map(({ sale: { contested } }) => contested) };
  }

  it('stays with who has it, and the sale tells who would earn', () => {
    expect(toldAfterPayment([link('B', 5), sale(10)], [link('A', 1)])).toEqual({
      outcome: ['B 200'],
      contested: [{ affiliate_id: 'A', reason: null, amount_cents: null }],
    });
  });

  it('keeps the customer for later sales', () => {
    expect(toldAfterPayment([link('B', 5), sale(10)], [link('A', 1), sale(20)]).outcome).toEqual(['B 200', 'B 200']);
  });

  it('keeps its place under the limits', () => {
    const limited = { terms: { max_commissions: 1 } };
    expect(toldAfterPayment([link('A', 1), sale(10)], [sale(5)], limited)).toEqual({
      outcome: ['max_commissions_reached', 'A 200'],
      contested: [{ affiliate_id: null, reason: 'max_commissions_reached', amount_cents: null }, null],
    });
  });

  it('stays when the payment is excluded later', () => {
    expect(toldAfterPayment([link('A', 1), sale(10)], [excluded(10)])).toEqual({
      outcome: ['A 200'],
      contested: [{ affiliate_id: null, reason: 'excluded', amount_cents: null }],
    });
  });
});
