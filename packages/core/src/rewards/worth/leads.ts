import { byRank, isInEffectFor } from './evaluate.ts';
import type { SaleFacts } from './facts.ts';
import type { Rule } from './rule.ts';

/** Everything about a lead that decides what it is worth. */
export type LeadFacts = Pick<SaleFacts, 'at' | 'affiliate_id' | 'link_id' | 'country' | 'tiers'>;

/** Returns the first rule that rewards a lead, or null. */
export function ruleForLead(rules: readonly Rule[], facts: LeadFacts): Rule | null {
  const { country, tiers } = facts;
  const meant = rules.filter(
    (rule) =>
      rule.event === 'lead' &&
      isInEffectFor(rule, facts) &&
      (rule.when.countries === undefined || (country !== null && rule.when.countries.includes(country))) &&
      (rule.when.tier === undefined || rule.when.tier.some((id) => tiers.includes(id))),
  );
  return meant.toSorted(byRank)[0] ?? null;
}
