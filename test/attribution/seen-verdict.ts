import type { Verdict } from '../../packages/core/src/attribution/decide/decide.ts';

/** Returns the parts of a verdict that follow from the facts, without the records. */
export function seen({ sales, binding, conversions }: Verdict) {
  return {
    sales: sales
      .map(({ fact, claim, rule, refusal, flags, limits, ...verdict }) => ({
        sale: fact.sale.id,
        claim: claim?.key ?? null,
        rule,
        refusal,
        outcome: verdict.outcome,
        reward: 'reward' in verdict ? verdict.reward : null,
        flags,
        limits,
      }))
      .toSorted((a, b) => (a.sale < b.sale ? -1 : 1)),
    binding: binding?.key ?? null,
    conversions: [...conversions].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
}
