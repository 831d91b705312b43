import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/portal-settings.ts';

export const portalSettings: TranslationOf<typeof t> = {
  addQuestion: 'Frage hinzufügen',
  approvedDomains: 'Adressen dieser Domains annehmen',
  byRule: 'Werden nach der Domain ihrer E-Mail-Adresse entschieden',
  choices: 'Auswahl, eine je Zeile',
  domainsExplained: 'Eine je Zeile, z. B. school.example. Subdomains gehören dazu.',
  embedOrigins: 'Websites, die das Portal zeigen dürfen',
  embedOriginsExplained: 'Eine je Zeile, z. B. https://app.example.com.',
  kind: 'Antwort',
  kindChoice: 'Eine Auswahl',
  kindText: 'Text',
  kindUrl: 'Eine Webadresse',
  question: 'Frage {number}',
  questions: 'Fragen an Bewerber',
  rejectedDomains: 'Adressen dieser Domains ablehnen',
  remove: 'Frage {number} entfernen',
  required: 'Muss beantwortet werden',
};
