import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  always: { en: 'Always sent', de: 'Immer gesendet' },
  address: { en: 'Address', de: 'Adresse' },
  blocked: { en: 'Addresses that get no emails', de: 'Adressen, die keine E-Mails erhalten' },
  blockedExplained: {
    en: 'Affiliates and invited people whose address does not exist, who reported an email as spam, or who have ended the emails of the program. After a report they can still ask for sign-in links. Only affiliates themselves can start emails again that they have ended.',
    de: 'Partner und Eingeladene, deren Adresse nicht existiert, die eine E-Mail als Spam gemeldet oder die E-Mails des Programms abbestellt haben. Anmeldelinks können sie nach einer Meldung weiterhin anfordern. Was Partner abbestellt haben, können nur sie selbst wieder bestellen.',
  },
  blockedUntil: { en: 'Blocked until', de: 'Gesperrt bis' },
  body: { en: 'Text', de: 'Text' },
  bodyExplained: {
    en: 'Leave a blank line between paragraphs. A paragraph is left out when one of its placeholders has no value.',
    de: 'Lassen Sie zwischen Absätzen eine Leerzeile. Ein Absatz entfällt, wenn einer seiner Platzhalter keinen Wert hat.',
  },
  description: {
    en: 'What your affiliates read when something happens in your program.',
    de: 'Was Ihre Partner lesen, wenn in Ihrem Programm etwas geschieht.',
  },
  languageExplained: {
    en: 'Affiliates see your texts in their language. If there are none, they see your English texts. If there are none in English either, they see the default texts in their language.',
    de: 'Partner lesen Ihre Texte in ihrer Sprache, sonst Ihre englischen, sonst die ursprünglichen Texte in ihrer Sprache.',
  },
  complaint: { en: 'Reported an email as spam', de: 'Hat eine E-Mail als Spam gemeldet' },
  no_such_recipient: { en: 'The address does not exist', de: 'Die Adresse existiert nicht' },
  unsubscribed: { en: 'Has ended the emails of the program', de: 'Hat die E-Mails des Programms abbestellt' },
  recipients: { en: 'Who gets the emails of the program', de: 'Wer die E-Mails des Programms erhält' },
  recipientsExplained: {
    en: 'All emails below, except those that are always sent because they answer an application or protect an affiliate. Each contains a link that ends all of them. Test affiliates get none, nor does anybody while you are moving in.',
    de: 'Alle E-Mails unten außer denen, die immer gesendet werden, weil sie eine Bewerbung beantworten oder einen Partner schützen. Jede enthält einen Link, der alle abbestellt. Testpartner erhalten keine, und während Ihres Umzugs niemand.',
  },
  recipientsSaved: { en: 'Saved.', de: 'Gespeichert.' },
  everyone: { en: 'All affiliates, however they were added', de: 'Alle Partner, wie auch immer sie hinzukamen' },
  signed_in: {
    en: 'Only affiliates who have signed in at least once',
    de: 'Nur Partner, die sich schon einmal angemeldet haben',
  },
  counted: { en: '{who} ({number})', de: '{who} ({number})' },
  placeholders: { en: 'Placeholders: {names}', de: 'Platzhalter: {names}' },
  preview: { en: 'Preview', de: 'Vorschau' },
  reset: { en: 'Use the default texts', de: 'Ursprüngliche Texte verwenden' },
  saved: { en: 'Texts saved.', de: 'Texte gespeichert.' },
  sendTest: { en: 'Send a test email to me', de: 'Eine Probe an mich senden' },
  sent: { en: 'A test email was sent to {address}.', de: 'Eine Probe wurde an {address} gesendet.' },
  subject: { en: 'Subject', de: 'Betreff' },
  unblock: { en: 'Send emails again', de: 'Wieder E-Mails senden' },
  unblockNamed: { en: 'Send emails again: {address}', de: 'Wieder E-Mails senden: {address}' },
  unblocked: { en: '{address} gets emails again.', de: '{address} erhält wieder E-Mails.' },
  wasReset: { en: 'The default texts are used again.', de: 'Die ursprünglichen Texte werden wieder verwendet.' },
  notSent: { en: 'Not sent', de: 'Wird nicht gesendet' },
  send: { en: 'Send this email', de: 'Diese E-Mail senden' },
});
