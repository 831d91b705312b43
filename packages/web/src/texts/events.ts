import { texts } from './catalogue.ts';

export const t = texts({
  change: { en: 'Change', de: 'Änderung' },
  deliveries: { en: 'Deliveries', de: 'Zustellungen' },
  endpoint: { en: 'Webhook endpoint', de: 'Webhook-Endpunkt' },
  event: { en: 'Event', de: 'Ereignis' },
  events: { en: 'Events', de: 'Ereignisse' },
  eventsHint: {
    en: 'The events of the last 90 days about this record, whether or not a webhook endpoint received them.',
    de: 'Die Ereignisse der letzten 90 Tage zu diesem Datensatz, auch wenn kein Webhook-Endpunkt sie erhalten hat.',
  },
  history: { en: 'History', de: 'Protokoll' },
  noDeliveries: { en: 'Not sent', de: 'Nicht gesendet' },
  noEvents: { en: 'No events in the last 90 days.', de: 'Keine Ereignisse in den letzten 90 Tagen.' },
  show: { en: 'Show', de: 'Anzeigen' },
  when: { en: 'When', de: 'Zeitpunkt' },
});
