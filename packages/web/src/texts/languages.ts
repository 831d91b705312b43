import { texts } from './catalogue.ts';

export const t = texts({
  hint: {
    en: 'Also used for emails to you, and for dates and numbers.',
    de: 'Auch der E-Mails an Sie. Datum und Zahlen richten sich danach.',
  },
  languageOfPages: { en: 'Language of the pages', de: 'Sprache der Seiten' },
});
