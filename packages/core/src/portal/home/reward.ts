import { amountIn, inLanguage, shareIn } from '../../platform/mail/in-language.ts';
import { inEachLanguage, type Language, type Texts } from '../../platform/texts/texts.ts';

/** Wordings of a campaign's reward, for the sign-up pages and the portal. */
export const REWARD_TEXTS = {
  reward: {
    shareOfEvery: {
      en: '{share} of every sale to a customer you refer',
      de: '{share} von jedem Verkauf an Kunden, die Sie werben',
    },
    shareOfFirst: {
      en: '{share} of the first sale to a customer you refer',
      de: '{share} vom ersten Verkauf an jeden Kunden, den Sie werben',
    },
    amountForEvery: {
      en: '{amount} for every sale to a customer you refer',
      de: '{amount} für jeden Verkauf an Kunden, die Sie werben',
    },
    amountForFirst: {
      en: '{amount} for the first sale to a customer you refer',
      de: '{amount} für den ersten Verkauf an jeden Kunden, den Sie werben',
    },
    months: {
      en: { one: 'for {count} month', other: 'for {count} months' },
      de: { one: '{count} Monat lang', other: '{count} Monate lang' },
    },
    sales: {
      en: { one: 'up to {count} sale', other: 'up to {count} sales' },
      de: { one: 'höchstens {count} Verkauf', other: 'höchstens {count} Verkäufe' },
    },
    unless: { en: 'unless a special reward applies', de: 'sofern keine besondere Provision gilt' },
  },
} as const satisfies Texts;

const t = REWARD_TEXTS.reward;

/** The columns of a campaign that describe its reward. */
export interface RewardTerms {
  reward_type: 'percent' | 'fixed';
  commission_basis_points: number | null;
  commission_amount_cents: number | null;
  commission_amount_currency: string | null;
  max_commission_period_months: number | null;
  max_commissions: number | null;
  custom_reward_description: string | null;
}

/**
 * Describes a campaign's reward in one sentence: in the merchant's own words if given, otherwise made from the campaign's terms.
 *
 * @param hasExceptions true if reward rules decide about some sales
 */
export function rewardInWords(terms: RewardTerms, language: Language, hasExceptions = false): string {
  if (hasOwnWords(terms)) return terms.custom_reward_description!;
  const say = inLanguage(language);
  const { max_commission_period_months: months, max_commissions: most } = terms;
  const limits =
    most === 1
      ? []
      : [
          ...(months === null ? [] : [say(t.months, { count: months })]),
          ...(most === null ? [] : [say(t.sales, { count: most })]),
        ];
  const exceptions = hasExceptions ? [say(t.unless)] : [];
  return `${[earned(terms, language), ...limits, ...exceptions].join(', ')}.`;
}

/** Describes a reward in every language of the pages. */
export function rewardInLanguages(terms: RewardTerms, hasExceptions: boolean): Record<Language, string> {
  return inEachLanguage((language) => rewardInWords(terms, language, hasExceptions));
}

/** True if the merchant describes the reward in words of their own. */
export function hasOwnWords({ custom_reward_description: words }: RewardTerms): boolean {
  return words !== null && words.trim() !== '';
}

function earned(terms: RewardTerms, language: Language): string {
  const say = inLanguage(language);
  const isFirst = terms.max_commissions === 1;
  if (terms.reward_type === 'percent') {
    const share = shareIn(language, (terms.commission_basis_points ?? 0) / 10_000);
    return say(isFirst ? t.shareOfFirst : t.shareOfEvery, { share });
  }
  const { commission_amount_cents: cents, commission_amount_currency: currency } = terms;
  const amount = currency === null ? '' : amountIn(language, { amount_cents: cents ?? 0, currency });
  return say(isFirst ? t.amountForFirst : t.amountForEvery, { amount });
}
