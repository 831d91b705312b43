import { texts } from './catalogue.ts';

export const t = texts({
  erase: { en: 'Erase personal data', de: 'Personenbezogene Daten löschen' },
  eraseAffiliate: {
    en: 'Archives the affiliate and erases the email address, name, payout details and answers everywhere, also in events and in files of exports. Commissions and payouts keep their amounts. This cannot be undone.',
    de: 'Archiviert den Partner und löscht E-Mail-Adresse, Namen, Auszahlungsdaten und Antworten überall, auch in Ereignissen und Exportdateien. Provisionen und Auszahlungen behalten ihre Beträge. Das lässt sich nicht rückgängig machen.',
  },
  eraseCustomer: {
    en: 'Erases the email addresses, name and metadata everywhere, also in events and in the audit log. Sales and commissions keep their amounts. This cannot be undone.',
    de: 'Löscht E-Mail-Adressen, Namen und Metadaten überall, auch in Ereignissen und im Protokoll. Verkäufe und Provisionen behalten ihre Beträge. Das lässt sich nicht rückgängig machen.',
  },
  erasedAt: { en: 'The personal data were erased {at}.', de: 'Die personenbezogenen Daten wurden {at} gelöscht.' },
  export: { en: 'Export personal data', de: 'Personenbezogene Daten exportieren' },
  meaning: {
    en: 'For requests by the person: a file with everything that is stored, or its erasure.',
    de: 'Für Anfragen der Person: eine Datei mit allem, was gespeichert ist, oder die Löschung.',
  },
  title: { en: 'Personal data', de: 'Personenbezogene Daten' },
});
