import { texts } from './catalogue.ts';

export const t = texts({
  actions: { en: 'Actions', de: 'Aktionen' },
  address: { en: 'Address', de: 'Adresse' },
  blocked: { en: 'Addresses that get no emails', de: 'Adressen, die keine E-Mails erhalten' },
  blockedExplained: {
    en: 'Affiliates and invited people whose address does not exist, or who reported an email as spam. They can still ask for sign-in links after such a report.',
    de: 'Partner und Eingeladene, deren Adresse nicht existiert oder die eine E-Mail als Spam gemeldet haben. Anmeldelinks können sie nach einer solchen Meldung weiterhin anfordern.',
  },
  blockedUntil: { en: 'Blocked until', de: 'Gesperrt bis' },
  body: { en: 'Text', de: 'Text' },
  bodyExplained: {
    en: 'Leave a blank line between paragraphs. A paragraph is left out when one of its placeholders has no value.',
    de: 'Lassen Sie zwischen Absätzen eine Leerzeile. Ein Absatz entfällt, wenn einer seiner Platzhalter keinen Wert hat.',
  },
  changed: { en: 'Changed', de: 'Geändert' },
  description: {
    en: 'What your affiliates read when something happens in your program.',
    de: 'Was Ihre Partner lesen, wenn in Ihrem Programm etwas geschieht.',
  },
  language: { en: 'Language', de: 'Sprache' },
  languageExplained: {
    en: 'Affiliates see your texts in their language. If there are none, they see your English texts. If there are none in English either, they see the default texts in their language.',
    de: 'Partner lesen Ihre Texte in ihrer Sprache, sonst Ihre englischen, sonst die ursprünglichen Texte in ihrer Sprache.',
  },
  mails: { en: 'Affiliate emails', de: 'E-Mails an Partner' },
  complaint: { en: 'Reported an email as spam', de: 'Hat eine E-Mail als Spam gemeldet' },
  no_such_recipient: { en: 'The address does not exist', de: 'Die Adresse existiert nicht' },
  placeholders: { en: 'Placeholders: {names}', de: 'Platzhalter: {names}' },
  preview: { en: 'Preview', de: 'Vorschau' },
  reason: { en: 'Reason', de: 'Grund' },
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
