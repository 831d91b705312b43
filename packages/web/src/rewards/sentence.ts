import type { Outputs } from '@affiliate/client';
import { ruleInWords, type SpokenRule } from '@affiliate/core/browser';
import { OWN_TIME_ZONE } from '../account/time-zones.ts';
import { shownTimeZone } from '../api/shown-zone.ts';
import { language } from '../texts/language.ts';
import type { WrittenRule } from './rule-values.ts';

type Tier = Pick<Outputs['tiers']['get'], 'id' | 'name'>;
type Catalog = Outputs['pspConnection']['catalog'];

/** Returns the rule as a sentence in the language of the page, with the names of products where the catalog has them. */
export function sentenceOf(rule: WrittenRule, tiers: readonly Tier[], catalog: Catalog | null): string {
  // The page names the link of a rule itself. The sentence would call it a link of the reader.
  const spoken: SpokenRule = { ...rule, pay: payOf(rule.pay), link_id: null };
  const names = {
    products: new Map(catalog?.products.map(({ id, name }) => [id, name])),
    tiers: new Map(tiers.map(({ id, name }) => [id, name])),
  };
  return ruleInWords(spoken, language, names, { now: new Date().toISOString(), timeZone: shownTimeZone() ?? OWN_TIME_ZONE });
}

function payOf({ percent, fixed }: WrittenRule['pay']): SpokenRule['pay'] {
  if (percent !== undefined) return { kind: 'percent', basis_points: Math.round(percent * 100) };
  return fixed === undefined ? { kind: 'nothing' } : { kind: 'fixed', ...fixed };
}
