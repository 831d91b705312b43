import { describe, expect, it } from 'vitest';
import { timesReached } from '../../packages/core/src/rewards/rules/milestones.ts';
import { amountOf } from '../../packages/core/src/rewards/worth/amount-of.ts';
import {
  evaluate,
  type LeadFacts,
  type Rewards,
  ruleForLead,
  type SaleFacts,
} from '../../packages/core/src/rewards/worth/evaluate.ts';
import type { Rule } from '../../packages/core/src/rewards/worth/rule.ts';
import { type Case, type NamedRule, OMISSIONS, PUBLISHED_RULES, type PublishedRule } from './published-rules.ts';

const NOW = '2026-11-27T12:00:00.000Z';

function rulesOf(named: readonly NamedRule[]): Rule[] {
  return named.map(({ name, ...rule }, position) => ({
    id: name,
    position,
    version: 1,
    event: 'sale',
    link_id: null,
    affiliate_id: null,
    when: {},
    apply: 'instead',
    cap: null,
    milestone: null,
    hold_days: null,
    from: null,
    until: null,
    ...rule,
  }));
}

function factsOf({ lines, ...more }: NonNullable<Case['sale']>): SaleFacts {
  return {
    at: NOW,
    affiliate_id: 'aff_any',
    link_id: null,
    currency: 'USD',
    codes: [],
    country: null,
    metadata: {},
    sale_number: 1,
    age_months: 0,
    customer: 'new',
    tiers: [],
    used_cents: {},
    ...more,
    lines: lines.map((line) => ({ product: null, price: null, interval: null, quantity: 1, net_cents: 0, ...line })),
  };
}

/** The earnings of a case by the rules, in the form in which the case expects it. */
function earned({ base, rules: named }: PublishedRule, { sale, bonuses, lead, reached }: Case): Partial<Case> {
  const rules = rulesOf(named);
  return {
    ...(sale && earnedFrom({ rules, base }, factsOf(sale), bonuses !== undefined)),
    ...(lead && { leadRule: ruleForLead(rules, { ...LEAD, ...lead })?.id ?? null }),
    ...(reached && { reached: reached.map(([count]) => [count, timesReached(rules[0]!.milestone!, count)]) }),
  };
}

const LEAD: LeadFacts = { at: NOW, affiliate_id: 'aff_any', link_id: null, country: null, tiers: [] };

function earnedFrom(rewards: Rewards, facts: SaleFacts, withBonuses: boolean): Pick<Case, 'lines' | 'bonuses'> {
  const nets = facts.lines.map(({ net_cents }) => net_cents);
  const terms = evaluate(rewards, facts);
  const { lines } = amountOf(terms.sale, nets);
  const paid = terms.bonuses.map((bonus): [string, number] => [bonus.lines[0]!.rule_id!, amountOf(bonus, nets).cents]);
  return {
    lines: lines.map(({ cents }, i) => [terms.sale.lines[i]!.rule_id, cents]),
    ...((withBonuses || paid.length > 0) && { bonuses: paid }),
  };
}

describe.each([...Map.groupBy(PUBLISHED_RULES, ({ program }) => program)])('rules of %s', (_program, published) => {
  it.each(published.map((rule) => [rule.says, rule] as const))('%s', (_says, rule) => {
    for (const one of rule.cases) {
      const { sale: _sale, lead: _lead, ...expected } = one;
      expect(earned(rule, one)).toEqual(expected);
    }
  });
});

it('covers 40 published rules of six programs, and names those that the model leaves out', () => {
  expect(PUBLISHED_RULES).toHaveLength(40);
  expect(new Set(PUBLISHED_RULES.map(({ program }) => program)).size).toBe(6);
  const covered = new Set(PUBLISHED_RULES.map(({ says }) => says));
  expect(OMISSIONS.filter(({ says, because }) => covered.has(says) || because === '')).toEqual([]);
});
