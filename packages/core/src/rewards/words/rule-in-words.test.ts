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
])('a rule %j is described in words', (values, en, de) => {
  const rule = { ...RULE, ...values };
  const said = [ruleInWords(rule, 'en', names, READING), ruleInWords(rule, 'de', names, READING)];
  expect(said.map((each) => each.replaceAll('\u00a0', ' '))).toEqual([en, de]);
});
