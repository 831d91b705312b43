import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/portal.ts';

export const portal: TranslationOf<typeof t> = {
  accept: 'Akzeptieren',
  chooseAnswer: 'Antwort auswählen',
  digest: 'E-Mail über verdiente Provisionen',
  digestDaily: 'Jeden Tag',
  digestNone: 'Keine',
  digestWeekly: 'Jede Woche',
  newTerms: 'Lesen und akzeptieren Sie die Bedingungen des Programms',
  noteFrom: '{account} schreibt:',
  noMoreDigests: 'Sie erhalten keine Übersichten mehr von {account}.',
  stopDigests: 'Keine E-Mails mehr über verdiente Provisionen',
  stopDigestsExplained: 'E-Mails über Auszahlungen und Änderungen Ihres Kontos erhalten Sie weiterhin.',
  termsOfProgram: 'Bedingungen des Programms',
  unsubscribe: 'Abbestellen',
};
