import { texts } from './catalogue.ts';

export const t = texts('events', {
  change: { en: 'Change', de: 'Änderung' },
  event: { en: 'Event', de: 'Ereignis' },
  events: { en: 'Events', de: 'Ereignisse' },
  eventsHint: {
    en: 'The events of the last 90 days about this record, whether or not a webhook endpoint received them.',
    de: 'Die Ereignisse der letzten 90 Tage zu diesem Datensatz, auch wenn kein Webhook-Endpunkt sie erhalten hat.',
  },
  noEvents: { en: 'No events in the last 90 days.', de: 'Keine Ereignisse in den letzten 90 Tagen.' },
  show: { en: 'Show', de: 'Anzeigen' },
  when: { en: 'When', de: 'Zeitpunkt' },
});
