import { expect, it } from 'vitest';
import { ruleInWords, type SpokenRule } from './rule-in-words.ts';

const RULE: SpokenRule = {
  event: 'sale',
  when: {},
  pay: { kind: 'percent', basis_points: 2000 },
  apply: 'instead',
  cap: null,
  milestone: null,
  link_id: null,
  from: null,
  until: null,
};
const USD = (amount_cents: number) => ({ kind: 'fixed' as const, amount_cents, currency: 'USD', per: 'sale' as const });
const READING = { now: '2026-11-27T12:00:00.000Z', timeZone: 'Europe/Berlin' };
const names = { products: new Map([['prod_pro', 'Pro']]), tiers: new Map([['tier_1', 'Gold']]) };

it.each<[Partial<SpokenRule>, string, string]>([
  [{ when: { products: ['prod_pro', 'prod_x'] } }, '20% for Pro and prod_x.', '20 % für Pro und prod_x.'],
  [{ when: { products: ['addon'] }, pay: { kind: 'nothing' } }, 'Nothing for addon.', 'Nichts für addon.'],
  [{ when: { tier: ['tier_1'] } }, '20% from tier Gold.', '20 % ab der Stufe Gold.'],
  [
    { when: { age_months: { to: 12 } } },
    '20% in the first 12 months of a customer.',
    '20 % in den ersten 12 Monaten eines Kunden.',
  ],
  [
    { when: { sale_number: { to: 1 } }, pay: USD(5_000) },
    'US$50.00 for the first sale to a customer.',
    '50,00 $ für den ersten Verkauf an einen Kunden.',
  ],
  [
    { when: { interval: ['year'], countries: ['DE'] }, apply: 'on_top', pay: USD(1_000) },
    'US$10.00 on top billed yearly for customers in Germany.',
    'Zusätzlich 10,00 $ bei jährlicher Zahlung für Kunden in Deutschland.',
  ],
  [
    { event: 'milestone', milestone: { metric: 'customers', window: 'ever', every: 10 }, pay: USD(5_000) },
    'US$50.00 for every 10 customers.',
    '50,00 $ für je 10 Kunden.',
  ],
  [
    { event: 'milestone', milestone: { metric: 'revenue', window: 'month', at: 100_000 }, pay: USD(5_000) },
    'US$50.00 at US$1,000.00 of sales in a month.',
    '50,00 $ bei 1.000,00 $ Umsatz in einem Monat.',
  ],
  [
    {
      when: { products: ['prod_pro'] },
      cap: { amount_cents: 50_000, currency: 'USD', per: 'affiliate', window: 'month' },
      until: '2027-01-01T00:00:00.000Z',
    },
    '20% for Pro until 1 January 2027, at most US$500.00 for each affiliate in a month.',
    '20 % für Pro bis 1. Januar 2027, höchstens 500,00 $ für jeden Partner in einem Monat.',
  ],
  [
    { cap: { amount_cents: 5_000, currency: 'USD', per: 'referral', window: 'ever' } },
    '20%, at most US$50.00 for each customer.',
    '20 %, höchstens 50,00 $ für jeden Kunden.',
  ],
  [{ event: 'lead', pay: USD(300) }, 'US$3.00 for each lead.', '3,00 $ für jeden Interessenten.'],
  [
    { from: '2026-11-30T23:00:00.000Z', until: '2026-12-31T23:00:00.000Z' },
    '20% from 1 December 2026 until 1 January 2027.',
    '20 % ab 1. Dezember 2026 bis 1. Januar 2027.',
  ],
  [
    { pay: { ...USD(200), per: 'unit' }, apply: 'on_top', when: { prices: ['price_1'], metadata: { plan: ['pro'] } } },
    'US$2.00 for each unit on top for certain prices for certain orders.',
    'Zusätzlich 2,00 $ für jedes Stück für bestimmte Preise für bestimmte Bestellungen.',
  ],
  [{ apply: 'on_top', when: { metadata: {} } }, '20% on top.', 'Zusätzlich 20 %.'],
  [{ when: { codes: ['ADA', 'BOB'] } }, '20% with the code ADA and BOB.', '20 % mit dem Code ADA und BOB.'],
  [{ when: { customer: 'new' } }, '20% for new customers.', '20 % für neue Kunden.'],
  [{ when: { customer: 'returning' } }, '20% for returning customers.', '20 % für wiederkehrende Kunden.'],
  [{ link_id: 'link_1' }, '20% through one of your links.', '20 % über einen Ihrer Links.'],
  [{ when: { sale_number: { from: 2 } } }, '20% from sale 2 to a customer on.', '20 % ab dem 2. Verkauf an einen Kunden.'],
  [
    { when: { sale_number: { from: 2, to: 3 } } },
    '20% for sales 2 to 3 to a customer.',
    '20 % für den 2. bis 3. Verkauf an einen Kunden.',
  ],
  [
    { when: { sale_number: { from: 0, to: 3 } } },
    '20% for sales 1 to 3 to a customer.',
    '20 % für den 1. bis 3. Verkauf an einen Kunden.',
  ],
  [
    { when: { age_months: { from: 12 } } },
    '20% after the first 12 months of a customer.',
    '20 % nach den ersten 12 Monaten eines Kunden.',
  ],
  [{ when: { age_months: { from: 1, to: 6 } } }, '20% in months 2 to 6 of a customer.', '20 % im 2. bis 6. Monat eines Kunden.'],
  [
    { when: { amount: { from: 1_000, to: 5_000, currency: 'USD' } } },
    '20% for orders of US$10.00 or more for orders below US$50.00.',
    '20 % für Bestellungen ab 10,00 $ für Bestellungen unter 50,00 $.',
  ],
  [
    { when: { interval: ['month', 'one_time'] } },
    '20% billed monthly and paid once.',
    '20 % bei monatlicher Zahlung und bei einmaliger Zahlung.',
  ],
  [
    { cap: { amount_cents: 5_000, currency: 'USD', per: 'sale', window: 'month' } },
    '20%, at most US$50.00 for each sale.',
    '20 %, höchstens 50,00 $ für jeden Verkauf.',
  ],
  [
    { cap: { amount_cents: 5_000, currency: 'USD', per: 'affiliate', window: 'year' } },
    '20%, at most US$50.00 for each affiliate in a year.',
    '20 %, höchstens 50,00 $ für jeden Partner in einem Jahr.',
  ],
  [
    { event: 'milestone', milestone: { metric: 'sales', window: 'quarter', at: 1 }, pay: USD(5_000) },
    'US$50.00 at the first sale in a quarter.',
    '50,00 $ beim ersten Verkauf in einem Quartal.',
  ],
  [
    { event: 'milestone', milestone: { metric: 'revenue', window: 'ever', every: 100_000 }, pay: USD(5_000) },
    'US$50.00 for every US$1,000.00 of sales.',
    '50,00 $ für je 1.000,00 $ Umsatz.',
  ],
  // A beginning that is over needs no words.
  [{ from: '2026-11-27T12:00:00.000Z' }, '20%.', '20 %.'],
])('a rule %j is described in words', (values, en, de) => {
  const rule = { ...RULE, ...values };
  const said = [ruleInWords(rule, 'en', names, READING), ruleInWords(rule, 'de', names, READING)];
  expect(said.map((each) => each.replaceAll('\u00a0', ' '))).toEqual([en, de]);
});
