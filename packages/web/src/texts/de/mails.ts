import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/mails.ts';

export const mails: TranslationOf<typeof t> = {
  body: 'Text',
  bodyExplained:
    'Lassen Sie zwischen Absätzen eine Leerzeile. Ein Absatz entfällt, wenn einer seiner Platzhalter keinen Wert hat.',
  changed: 'Geändert',
  description: 'Was Ihre Partner lesen, wenn in Ihrem Programm etwas geschieht.',
  language: 'Sprache',
  languageExplained:
    'Partner lesen Ihre Texte in ihrer Sprache, sonst Ihre englischen, sonst die ursprünglichen Texte in ihrer Sprache.',
  mails: 'E-Mails an Partner',
  placeholders: 'Platzhalter: {names}',
  preview: 'Vorschau',
  reset: 'Ursprüngliche Texte verwenden',
  saved: 'Texte gespeichert.',
  sendTest: 'Eine Probe an mich senden',
  sent: 'Eine Probe wurde an {address} gesendet.',
  subject: 'Betreff',
  wasReset: 'Die ursprünglichen Texte werden wieder verwendet.',
};
