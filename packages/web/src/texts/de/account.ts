import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/account.ts';

export const account: TranslationOf<typeof t> = {
  account: 'Konto',
  accountId: 'Konto-ID',
  accountUpdated: 'Konto aktualisiert.',
  copied: 'Kopiert',
  copy: 'Kopieren',
  copyAccountId: 'Konto-ID kopieren',
  daysOfAnalyticsBeginAt: 'Tage der Auswertung beginnen um Mitternacht dieser Zone.',
  defaultCurrency: 'Standardwährung',
  name: 'Name',
  sendItInTheX: 'Senden Sie sie im Kopf X-Account-Id jeder API-Anfrage mit.',
  shownInTheApplicationAnd: 'Steht in der Anwendung und in Einladungen.',
  theNameDefaultCurrencyAnd: 'Name, Standardwährung und Zeitzone dieses Kontos.',
  thisInstallationRunsVersionIts:
    'Diese Installation läuft mit Version {version}. Ihr Betreiber kann sie im laufenden Betrieb aktualisieren.',
  timeZone: 'Zeitzone',
  usedForNewAmountsExisting: 'Für neue Beträge. Bestehende Beträge behalten ihre Währung.',
  versionIsAvailable: 'Version {newerVersion} ist verfügbar',
};
