import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/account.ts';

export const account: TranslationOf<typeof t> = {
  account: 'Konto',
  accountId: 'Konto-ID',
  accountIdHint: 'Senden Sie sie im Kopf X-Account-Id jeder API-Anfrage mit.',
  accountUpdated: 'Konto aktualisiert.',
  copied: 'Kopiert',
  copy: 'Kopieren',
  copyAccountId: 'Konto-ID kopieren',
  currencyHint: 'Für neue Beträge. Bestehende Beträge behalten ihre Währung.',
  defaultCurrency: 'Standardwährung',
  description: 'Name, Standardwährung, Zeitzone und Sprache dieses Kontos.',
  mailLanguage: 'Sprache der E-Mails',
  mailLanguageHint: 'Für Personen, die keine gewählt haben und deren Browser nicht bekannt ist.',
  name: 'Name',
  nameHint: 'Steht in der Anwendung und in Einladungen.',
  newerVersion: 'Diese Installation läuft mit Version {version}. Ihr Betreiber kann sie im laufenden Betrieb aktualisieren.',
  timeZone: 'Zeitzone',
  timeZoneHint: 'Tage der Auswertung beginnen um Mitternacht dieser Zone.',
  versionIsAvailable: 'Version {newerVersion} ist verfügbar',
};
