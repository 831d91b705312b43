import { params, texts } from '../catalogue.ts';

export const t = texts('mails', {
  body: 'Text',
  bodyExplained: 'Leave a blank line between paragraphs. A paragraph is left out when one of its placeholders has no value.',
  changed: 'Changed',
  description: 'What your affiliates read when something happens in your program.',
  language: 'Language',
  languageExplained:
    'Affiliates see your texts in their language. If there are none, they see your English texts. If there are none in English either, they see the default texts in their language.',
  mails: 'Affiliate emails',
  placeholders: params('Placeholders: {names}'),
  preview: 'Preview',
  reset: 'Use the default texts',
  saved: 'Texts saved.',
  sendTest: 'Send a test email to me',
  sent: params('A test email was sent to {address}.'),
  subject: 'Subject',
  wasReset: 'The default texts are used again.',
});
