import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/funnel.ts';

export const funnel: TranslationOf<typeof t> = {
  change: '{change} gegenüber dem Zeitraum davor',
  conversionRate: 'Konversionsrate',
  earningsPerClick: 'Verdienst pro Klick',
  funnel: 'Vom Klick zum Verkauf',
  leads: 'Leads',
  netRevenue: 'Nettoumsatz',
  more: 'Auswertung',
  unchanged: 'Wie im Zeitraum davor',
  visitors: 'Einzelne Besucher',
};
