import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/install.ts';

export const install: TranslationOf<typeof t> = {
  bot: 'Bot, zählt nicht',
  browser: 'Browser',
  copied: 'Kopiert',
  copy: 'Kopieren',
  from: 'Von',
  landing: 'Zielseite',
  link: 'Link',
  noVisits: 'Noch keine Besuche. Folgen Sie einem Ihrer Links: Der Besuch erscheint hier nach wenigen Sekunden.',
  preview: 'Linkvorschau, zählt nicht',
  recent: 'Letzte Besuche',
  recentExplained: 'Die letzten 50 Besuche dieser Woche, sobald sie eintreffen.',
  script: 'Tracking-Skript',
  scriptExplained:
    'Fügen Sie dies in den Kopf jeder Seite Ihrer Website ein. Es merkt sich, wer einen Besucher geschickt hat, damit der Verkauf für diesen Partner zählt.',
  snippet: 'Codeausschnitt',
  title: 'Tracking',
  titleExplained: 'Bauen Sie das Skript in Ihre Website ein, und sehen Sie, wie Besuche eintreffen.',
  visit: 'Besuch',
  when: 'Zeitpunkt',
  without: 'Direkt',
};
