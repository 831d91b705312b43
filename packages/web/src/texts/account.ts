import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  accountIdHint: {
    en: 'Send it in the X-Account-Id header of every API request.',
    de: 'Senden Sie sie im Kopf X-Account-Id jeder API-Anfrage mit.',
  },
  accountUpdated: { en: 'Account updated.', de: 'Konto aktualisiert.' },
  copyAccountId: { en: 'Copy account ID', de: 'Konto-ID kopieren' },
  currencyHint: {
    en: 'Used for new amounts. Existing amounts keep their currency.',
    de: 'Für neue Beträge. Bestehende Beträge behalten ihre Währung.',
  },
  defaultCurrency: { en: 'Default currency', de: 'Standardwährung' },
  description: {
    en: 'The name, default currency, time zone and language of this account.',
    de: 'Name, Standardwährung, Zeitzone und Sprache dieses Kontos.',
  },
  mailLanguage: { en: 'Language of emails', de: 'Sprache der E-Mails' },
  mailLanguageHint: {
    en: 'Used for people who have not chosen a language, and whose browser’s language is unknown.',
    de: 'Für Personen, die keine gewählt haben und deren Browser nicht bekannt ist.',
  },
  nameHint: { en: 'Shown in the application and in invitations.', de: 'Steht in der Anwendung und in Einladungen.' },
  newerVersion: {
    en: 'This installation runs version {version}. Its operator can upgrade it while it is in use.',
    de: 'Diese Installation läuft mit Version {version}. Ihr Betreiber kann sie im laufenden Betrieb aktualisieren.',
  },
  timeZoneHint: {
    en: 'Days of analytics, statements and emails, and times on all pages, are in this time zone.',
    de: 'In dieser Zone gelten die Tage in Auswertung, Abrechnungen und E-Mails und die Zeiten auf allen Seiten.',
  },
  runningVersion: { en: 'Version {version}', de: 'Version {version}' },
  versionIsAvailable: { en: 'Version {newerVersion} is available', de: 'Version {newerVersion} ist verfügbar' },
});
