import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/timeline.ts';

export const timeline: TranslationOf<typeof t> = {
  amount: 'Betrag',
  first_click: 'Erster Klick',
  first_sale: 'Erster Verkauf',
  joined: 'Beigetreten',
  payout_paid: 'Auszahlung bezahlt',
  payout_returned: 'Auszahlung zurückgekommen',
  refund: 'Erstattung',
  timeline: 'Verlauf',
  what: 'Ereignis',
  when: 'Zeitpunkt',
};
