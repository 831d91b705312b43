import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  allExcept: { en: 'All except {value}', de: 'Alle außer {value}' },
  allPermissions: { en: 'All permissions, including future ones', de: 'Alle Rechte, auch künftige' },
  andMore: { en: '{value} and {value2} more', de: '{value} und {value2} weitere' },
  apiKeyOf: { en: 'API key “{name}”', de: 'API-Schlüssel „{name}“' },
  couponsAndPromoCodes: { en: 'Coupons and promo codes', de: 'Gutscheine und Aktionscodes' },
  createApiKey: { en: 'Create API key', de: 'API-Schlüssel anlegen' },
  description: {
    en: 'Keys that authenticate your programs with the REST API.',
    de: 'Schlüssel, mit denen sich Ihre Programme bei der REST-API ausweisen.',
  },
  expirationHint: { en: 'Leave empty for no expiration.', de: 'Leer lassen, wenn er nicht ablaufen soll.' },
  imports: { en: 'Imports from other tools', de: 'Importe aus anderen Werkzeugen' },
  liveMode: { en: 'Live', de: 'Live' },
  modeHint: {
    en: 'In test mode, a program makes and sees only test records.',
    de: 'Im Testmodus legt ein Programm nur Testdatensätze an und sieht keine anderen.',
  },
  nameHint: {
    en: 'The program that uses the key, e.g. Nightly export.',
    de: 'Das Programm, das den Schlüssel benutzt, z. B. nächtlicher Export.',
  },
  noApiKeysYet: { en: 'No API keys yet', de: 'Noch keine API-Schlüssel' },
  noKeysHint: {
    en: 'Create one key per program, with only the permissions it needs.',
    de: 'Legen Sie für jedes Programm einen eigenen Schlüssel an, nur mit den nötigen Rechten.',
  },
  payoutOutcomes: { en: 'Outcomes of payments', de: 'Ausgang von Zahlungen' },
  portalTokens: { en: 'Opening portals', de: 'Portale von Partnern öffnen' },
  allowed: { en: 'Allowed', de: 'Erlaubt' },
  readAndWrite: { en: 'Read and write', de: 'Lesen und schreiben' },
  revokeConsequence: {
    en: 'Programs that use this key lose access immediately. This cannot be undone.',
    de: 'Programme mit diesem Schlüssel verlieren sofort den Zugriff. Das lässt sich nicht rückgängig machen.',
  },
  selectedPermissions: { en: 'Selected permissions', de: 'Ausgewählte Rechte' },
  storeHint: {
    en: 'Store it with your program’s secrets. If you lose it, create a new key.',
    de: 'Verwahren Sie ihn mit den Geheimnissen Ihres Programms. Wenn Sie ihn verlieren, erzeugen Sie einen neuen.',
  },
  withoutMode: { en: 'Live, with Stripe’s test mode', de: 'Live, mit dem Testmodus von Stripe' },
});
