import { texts } from './catalogue.ts';

export const t = texts({
  all: { en: 'All', de: 'Alle' },
  allKeys: { en: 'All API keys', de: 'Alle API-Schlüssel' },
  apiLog: { en: 'API log', de: 'API-Protokoll' },
  description: {
    en: 'Requests with API keys in the last 7 days, without their contents.',
    de: 'Anfragen mit API-Schlüsseln in den letzten 7 Tagen, ohne ihren Inhalt.',
  },
  duration: { en: 'Duration', de: 'Dauer' },
  failed: { en: 'Failed', de: 'Fehlgeschlagen' },
  key: { en: 'API key', de: 'API-Schlüssel' },
  latest: { en: 'Back to the latest', de: 'Zurück zu den neuesten' },
  milliseconds: { en: '{value} ms', de: '{value} ms' },
  nothing: { en: 'No requests', de: 'Keine Anfragen' },
  nothingHint: { en: 'Nothing matches these filters.', de: 'Nichts passt zu diesen Filtern.' },
  older: { en: 'Older requests', de: 'Ältere Anfragen' },
  outcome: { en: 'Outcome', de: 'Ergebnis' },
  request: { en: 'Request', de: 'Anfrage' },
  requestId: { en: 'Request ID', de: 'Anfrage-ID' },
  status: { en: 'Status', de: 'Status' },
  succeeded: { en: 'Succeeded', de: 'Erfolgreich' },
  time: { en: 'Time', de: 'Zeit' },
});
