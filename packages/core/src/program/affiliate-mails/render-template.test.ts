import { expect, it } from 'vitest';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { fillIn, fillInParagraphs, namedPlaceholders } from './affiliate-mail.ts';
import { AFFILIATE_MAIL_NAMES, AFFILIATE_MAILS, placeholdersOf } from './mail-catalog.ts';

it('a value is not interpreted as a template', () => {
  expect(fillIn('{{a}} {{ b }} {{constructor}}', { a: '{{b}}', b: '$&' })).toBe('{{b}} $& ');
});

it('a paragraph with a placeholder without a value is omitted', () => {
  expect(fillInParagraphs('One {{a}}.\n\n{{note}}\n \nTwo.', { a: '1', note: '' })).toEqual(['One 1.', 'Two.']);
});

it.each(AFFILIATE_MAIL_NAMES)('the default texts of %s use only declared placeholders', (mail) => {
  const { subject, body, closing } = AFFILIATE_MAILS[mail];
  const declared = Object.keys(placeholdersOf(mail));
  for (const language of LANGUAGES)
    expect(declared).toEqual(
      expect.arrayContaining(namedPlaceholders(`${subject[language]} ${body[language]} ${closing[language]}`)),
    );
});
