import { texts } from '../catalogue.ts';

export const t = texts('language', {
  hint: 'Also of e-mails to you. Dates and numbers follow it.',
  languageOfPages: 'Language of the pages',
});
