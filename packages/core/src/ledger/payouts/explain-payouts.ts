import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { amountIn, inLanguage } from '../../platform/mail/in-language.ts';
import type { Texts } from '../../platform/texts/texts.ts';
import { findCommissionsOfPayouts } from '../commissions/commission.queries.ts';
import { type Amount, explanation, step, withRest } from '../commissions/explain-amounts.ts';
import type { AmountExplanation } from '../commissions/explanation.schema.ts';
import { feeIn } from './payment-outlook.ts';
import { HOLDS_PAYOUT } from './payout-attempt.entity.ts';

const PAYOUT_TEXTS = {
  kinds: {
    sale: {
      en: { one: '{count} commission for a sale: {amount}.', other: '{count} commissions for sales: {amount}.' },
      de: { one: '{count} Provision für einen Verkauf: {amount}.', other: '{count} Provisionen für Verkäufe: {amount}.' },
    },
    bonus: {
      en: { one: '{count} bonus on top of a sale: {amount}.', other: '{count} bonuses on top of sales: {amount}.' },
      de: { one: '{count} Bonus zu einem Verkauf: {amount}.', other: '{count} Boni zu Verkäufen: {amount}.' },
    },
    lead: {
      en: { one: '{count} reward for a lead: {amount}.', other: '{count} rewards for leads: {amount}.' },
      de: {
        one: '{count} Provision für einen Interessenten: {amount}.',
        other: '{count} Provisionen für Interessenten: {amount}.',
      },
    },
    milestone: {
      en: { one: '{count} milestone: {amount}.', other: '{count} milestones: {amount}.' },
      de: { one: '{count} Meilenstein: {amount}.', other: '{count} Meilensteine: {amount}.' },
    },
    adjustment: {
      en: {
        one: '{count} adjustment of an earlier commission: {amount}.',
        other: '{count} adjustments of earlier commissions: {amount}.',
      },
      de: {
        one: '{count} Korrektur einer früheren Provision: {amount}.',
        other: '{count} Korrekturen früherer Provisionen: {amount}.',
      },
    },
    manual: {
      en: { one: '{count} commission entered by hand: {amount}.', other: '{count} commissions entered by hand: {amount}.' },
      de: {
        one: '{count} von Hand eingetragene Provision: {amount}.',
        other: '{count} von Hand eingetragene Provisionen: {amount}.',
      },
    },
    imported: {
      en: { one: '{count} imported commission: {amount}.', other: '{count} imported commissions: {amount}.' },
      de: { one: '{count} übernommene Provision: {amount}.', other: '{count} übernommene Provisionen: {amount}.' },
    },
  },
  rest: {
    moved: {
      en: 'Amounts that this payout carries to another one, or takes over.',
      de: 'Beträge, die diese Auszahlung an eine andere abgibt oder von ihr übernimmt.',
    },
  },
} as const satisfies Texts;

/** Explains the amounts of payouts by the kinds of their commissions. */
export async function explainPayouts(ctx: Ctx, payouts: readonly (Amount & { id: string })[]): Promise<AmountExplanation[]> {
  const held = await findCommissionsOfPayouts(ctx, payouts);
  const { rows: payments } = await sql<{ payout_id: string; affiliate_fee_cents: number }>`
    select payout_id, affiliate_fee_cents from payout_attempt attempt
    where payout_id = any (${payouts.map(({ id }) => id)}::text[]) and affiliate_fee_cents > 0 and ${HOLDS_PAYOUT}`.execute(
    ctx.db,
  );
  return payouts.map(({ id, amount_cents, currency }, at) => {
    const byKind = Map.groupBy(held[at]!, ({ kind }) => kind);
    const steps = [...byKind].map(([kind, commissions]) => {
      const sum = commissions.reduce((total, each) => total + each.amount_cents, 0);
      return step(
        'commissions',
        (language) =>
          inLanguage(language)(PAYOUT_TEXTS.kinds[kind], {
            count: commissions.length,
            amount: amountIn(language, { amount_cents: sum, currency }),
          }),
        sum,
      );
    });
    const rest = withRest(steps, amount_cents, (language) => inLanguage(language)(PAYOUT_TEXTS.rest.moved));
    const fee = payments.find(({ payout_id }) => payout_id === id)?.affiliate_fee_cents ?? 0;
    const sum = { amount_cents, currency };
    const taken = fee === 0 ? [] : [step('fee', (language) => feeIn(language, { amount_cents: fee, currency }, sum), null)];
    return explanation([...rest, ...taken], sum);
  });
}
