import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/language.ts';

export const language: TranslationOf<typeof t> = {
  hint: 'Auch der E-Mails an Sie. Datum und Zahlen richten sich danach.',
  languageOfPages: 'Sprache der Seiten',
};
