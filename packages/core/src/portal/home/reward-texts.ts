import type { MailTexts } from '../../platform/mail/in-language.ts';

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
  },
} as const satisfies MailTexts;
