import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  alreadyThere: {
    en: 'Test mode already has this campaign. It stays as it is.',
    de: 'Diese Kampagne gibt es im Testmodus schon. Sie bleibt, wie sie ist.',
  },
  backToLiveMode: { en: 'Back to live mode', de: 'Zurück zum Livemodus' },
  clockShows: { en: 'The test clock shows {time}.', de: 'Die Testuhr zeigt {time}.' },
  copied: {
    en: { one: '{count} campaign copied.', other: '{count} campaigns copied.' },
    de: { one: '{count} Kampagne kopiert.', other: '{count} Kampagnen kopiert.' },
  },
  copyCampaigns: { en: 'Copy campaigns from live mode', de: 'Kampagnen aus dem Livemodus kopieren' },
  copyMeaning: {
    en: 'Copies campaigns with their rules and tiers. Affiliates, links and codes are not copied, and neither are later changes in live mode.',
    de: 'Kopiert Kampagnen mit ihren Regeln und Stufen. Partner, Links und Codes werden nicht kopiert, spätere Änderungen im Livemodus auch nicht.',
  },
  day: { en: 'Day of the test clock', de: 'Tag der Testuhr' },
  deleteConsequence: {
    en: 'All test records are deleted for good, and the test clock is set back. API keys, webhook endpoints and live records stay as they are.',
    de: 'Alle Testdatensätze werden endgültig gelöscht, und die Testuhr wird zurückgestellt. API-Schlüssel, Webhook-Endpunkte und Livedaten bleiben, wie sie sind.',
  },
  deleteTestData: { en: 'Delete all test data', de: 'Alle Testdaten löschen' },
  leftOut: {
    en: { one: '{count} rule for a single affiliate is left out.', other: '{count} rules for single affiliates are left out.' },
    de: {
      one: '{count} Regel für einen einzelnen Partner bleibt weg.',
      other: '{count} Regeln für einzelne Partner bleiben weg.',
    },
  },
  moveTo: { en: 'Move it to this day', de: 'Auf diesen Tag vorstellen' },
  moveForward: {
    en: { one: 'Move it {count} day forward', other: 'Move it {count} days forward' },
    de: { one: 'Um {count} Tag vorstellen', other: 'Um {count} Tage vorstellen' },
  },
  namesIds: {
    en: 'It names {ids}. Your payment provider’s test mode needs the same ids.',
    de: 'Sie nennt {ids}. Der Testmodus Ihres Zahlungsanbieters braucht dieselben Kennungen.',
  },
  nothingToCopy: { en: 'Live mode has no campaigns.', de: 'Im Livemodus gibt es keine Kampagnen.' },
  nothingIsReal: {
    en: 'These pages show test records. Nothing here is paid, and affiliates get no news by email.',
    de: 'Diese Seiten zeigen Testdatensätze. Nichts davon wird ausgezahlt, und Partner erhalten keine Nachrichten per E-Mail.',
  },
  rules: {
    en: { one: '{count} rule.', other: '{count} rules.' },
    de: { one: '{count} Regel.', other: '{count} Regeln.' },
  },
  testMode: { en: 'Test mode', de: 'Testmodus' },
  tiers: {
    en: { one: '{count} tier.', other: '{count} tiers.' },
    de: { one: '{count} Stufe.', other: '{count} Stufen.' },
  },
});
