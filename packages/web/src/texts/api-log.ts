import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  allKeys: { en: 'All API keys', de: 'Alle API-Schlüssel' },
  description: {
    en: 'Requests with API keys in the last 7 days, without their contents.',
    de: 'Anfragen mit API-Schlüsseln in den letzten 7 Tagen, ohne ihren Inhalt.',
  },
  duration: { en: 'Duration', de: 'Dauer' },
  failed: { en: 'Failed', de: 'Fehlgeschlagen' },
  milliseconds: { en: '{value} ms', de: '{value} ms' },
  nothing: { en: 'No requests', de: 'Keine Anfragen' },
  older: { en: 'Older requests', de: 'Ältere Anfragen' },
  requestId: { en: 'Request ID', de: 'Anfrage-ID' },
  succeeded: { en: 'Succeeded', de: 'Erfolgreich' },
});
