import type { Inputs, Outputs } from '@affiliate/client';
import { ruleInWords, type SpokenRule } from '@affiliate/core/browser';
import { language } from '../texts/language.ts';

type Tier = Outputs['tiers']['get'];
type Catalog = Outputs['pspConnection']['catalog'];
/** A rule that is stored or being written. */
type Written = Pick<Outputs['rewardRules']['get'], 'pay'> & Omit<Inputs['rewardRules']['create'], 'campaign_id' | 'name' | 'pay'>;

/** Returns the rule as a sentence in the language of the page, with the names of products where the catalog has them. */
export function sentenceOf(rule: Written, tiers: readonly Tier[], catalog: Catalog | null): string {
  const spoken: SpokenRule = {
    event: rule.event ?? 'sale',
    when: rule.when ?? {},
    pay: payOf(rule.pay),
    apply: rule.apply ?? 'instead',
    milestone: rule.milestone ? { ...rule.milestone, window: rule.milestone.window ?? 'ever' } : null,
    link_id: rule.link_id ?? null,
    from: rule.from ?? null,
    until: rule.until ?? null,
  };
  const names = {
    products: new Map(catalog?.products.map(({ id, name }) => [id, name])),
    tiers: new Map(tiers.map(({ id, name }) => [id, name])),
  };
  return ruleInWords(spoken, language, names, new Date().toISOString());
}

function payOf({ percent, fixed }: Written['pay']): SpokenRule['pay'] {
  if (percent !== undefined) return { kind: 'percent', basis_points: Math.round(percent * 100) };
  return fixed === undefined ? { kind: 'nothing' } : { kind: 'fixed', ...fixed };
}
