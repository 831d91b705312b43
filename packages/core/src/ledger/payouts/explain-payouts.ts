import type { Ctx } from '../../platform/call/context.ts';
import { amountIn } from '../../platform/mail/in-language.ts';
import type { CommissionKind } from '../commissions/commission.entity.ts';
import { findCommissionsOfPayouts } from '../commissions/commission.queries.ts';
import { type Amount, explanation, withRest } from '../commissions/explain-amounts.ts';
import type { AmountExplanation } from '../commissions/explanation.schema.ts';

/** Explains the amounts of payouts by the kinds of their commissions. */
export async function explainPayouts(ctx: Ctx, payouts: readonly (Amount & { id: string })[]): Promise<AmountExplanation[]> {
  const held = await findCommissionsOfPayouts(ctx, payouts);
  return payouts.map(({ amount_cents, currency }, at) => {
    const byKind = Map.groupBy(held[at]!, ({ kind }) => kind);
    const steps = [...byKind].map(([kind, commissions]): AmountExplanation['steps'][number] => {
      const sum = commissions.reduce((total, each) => total + each.amount_cents, 0);
      const what = `${commissions.length} ${KINDS[kind][commissions.length === 1 ? 0 : 1]}`;
      return { kind: 'commissions', text: `${what}: ${amountIn('en', { amount_cents: sum, currency })}.`, amount_cents: sum };
    });
    return explanation(withRest(steps, amount_cents, 'Amounts that this payout carries to another one, or takes over.'), {
      amount_cents,
      currency,
    });
  });
}

const KINDS: Record<CommissionKind, readonly [one: string, other: string]> = {
  sale: ['commission for a sale', 'commissions for sales'],
  bonus: ['bonus on top of a sale', 'bonuses on top of sales'],
  lead: ['reward for a lead', 'rewards for leads'],
  milestone: ['milestone', 'milestones'],
  adjustment: ['adjustment of an earlier commission', 'adjustments of earlier commissions'],
  manual: ['commission entered by hand', 'commissions entered by hand'],
  imported: ['imported commission', 'imported commissions'],
};
