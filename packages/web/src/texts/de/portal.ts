import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/portal.ts';

export const portal: TranslationOf<typeof t> = {
  accept: 'Akzeptieren',
  chooseAnswer: 'Antwort auswählen',
  newTerms: 'Lesen und akzeptieren Sie die Bedingungen des Programms',
  noteFrom: '{account} schreibt:',
  termsOfProgram: 'Bedingungen des Programms',
};
