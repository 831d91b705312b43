import { texts } from '../catalogue.ts';

export const t = texts('language', {
  hint: 'Also used for emails to you, and for dates and numbers.',
  languageOfPages: 'Language of the pages',
});
