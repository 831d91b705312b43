import type { Language } from '../../platform/texts/texts.ts';

/** Words for the kinds of commissions. */
export const KIND_WORDS = {
  sale: { en: 'sale', de: 'Verkauf' },
  bonus: { en: 'bonus', de: 'Bonus' },
  lead: { en: 'lead', de: 'Interessent' },
  milestone: { en: 'milestone', de: 'Meilenstein' },
  adjustment: { en: 'adjustment', de: 'Korrektur' },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>;
