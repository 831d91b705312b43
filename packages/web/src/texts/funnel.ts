import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  change: { en: '{change} on the previous period', de: '{change} gegenüber dem Zeitraum davor' },
  conversionRate: { en: 'Conversion rate', de: 'Abschlussquote' },
  earningsPerClick: { en: 'Earnings per click', de: 'Verdienst pro Klick' },
  funnel: { en: 'From click to sale', de: 'Vom Klick zum Verkauf' },
  netRevenue: { en: 'Net revenue', de: 'Nettoumsatz' },
  more: { en: 'Analytics', de: 'Auswertung' },
  unchanged: { en: 'Same as in the previous period', de: 'Wie im Zeitraum davor' },
  visitors: { en: 'Unique visitors', de: 'Einzelne Besucher' },
});
