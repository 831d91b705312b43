import { texts } from './catalogue.ts';

export const t = texts({
  backToLiveMode: { en: 'Back to live mode', de: 'Zurück zum Livemodus' },
  clockShows: { en: 'The test clock shows {time}.', de: 'Die Testuhr zeigt {time}.' },
  day: { en: 'Day of the test clock', de: 'Tag der Testuhr' },
  deleteConsequence: {
    en: 'All test records are deleted for good, and the test clock is set back. API keys, webhook endpoints and live records stay as they are.',
    de: 'Alle Testdatensätze werden endgültig gelöscht, und die Testuhr wird zurückgestellt. API-Schlüssel, Webhook-Endpunkte und Livedaten bleiben, wie sie sind.',
  },
  deleteTestData: { en: 'Delete all test data', de: 'Alle Testdaten löschen' },
  moveTo: { en: 'Move it to this day', de: 'Auf diesen Tag vorstellen' },
  moveForward: {
    en: { one: 'Move it {count} day forward', other: 'Move it {count} days forward' },
    de: { one: 'Um {count} Tag vorstellen', other: 'Um {count} Tage vorstellen' },
  },
  nothingIsReal: {
    en: 'These pages show test records. Nothing here is paid, and affiliates get no news by email.',
    de: 'Diese Seiten zeigen Testdatensätze. Nichts davon wird ausgezahlt, und Partner erhalten keine Nachrichten per E-Mail.',
  },
  testMode: { en: 'Test mode', de: 'Testmodus' },
});
