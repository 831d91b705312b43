import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  change: { en: 'Change', de: 'Änderung' },
  endpoint: { en: 'Webhook endpoint', de: 'Webhook-Endpunkt' },
  eventsHint: {
    en: 'The events of the last 90 days about this record, whether or not a webhook endpoint received them.',
    de: 'Die Ereignisse der letzten 90 Tage zu diesem Datensatz, auch wenn kein Webhook-Endpunkt sie erhalten hat.',
  },
  history: { en: 'History', de: 'Protokoll' },
  noDeliveries: { en: 'Not sent', de: 'Nicht gesendet' },
  noEvents: { en: 'No events in the last 90 days.', de: 'Keine Ereignisse in den letzten 90 Tagen.' },
  pagesOfAffiliate: { en: 'Pages of the affiliate', de: 'Seiten des Partners' },
  pagesOfCampaign: { en: 'Pages of the campaign', de: 'Seiten der Kampagne' },
  pagesOfCommission: { en: 'Pages of the commission', de: 'Seiten der Provision' },
  pagesOfPayout: { en: 'Pages of the payout', de: 'Seiten der Auszahlung' },
  pagesOfSale: { en: 'Pages of the sale', de: 'Seiten des Verkaufs' },
  promoCodes: { en: 'Promo codes', de: 'Aktionscodes' },
});
