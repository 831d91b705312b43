import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/join.ts';

export const join: TranslationOf<typeof t> = {
  acceptTerms: 'Ich habe die Bedingungen gelesen und akzeptiere sie.',
  affiliateProgram: 'Partnerprogramm',
  apply: 'Bewerben',
  chooseAnswer: 'Antwort auswählen',
  confirm: 'Bestätigen',
  confirmAddress: 'Bestätigen Sie Ihre Adresse',
  confirmationSent:
    'Wir haben eine E-Mail an {email} gesendet. Öffnen Sie den Link darin, um Ihre Bewerbung an {account} zu senden.',
  confirmItIsYours: 'Bestätigen Sie, dass dies Ihre E-Mail-Adresse ist.',
  email: 'E-Mail',
  join: 'Partner von {account} werden',
  mustAcceptTerms: 'Lesen und akzeptieren Sie die Bedingungen.',
  noProgram: 'Noch kein Programm',
  noProgramExplained:
    'Sie sind als {email} angemeldet, aber in keinem Programm Partner. Bitten Sie um eine Einladung an diese E-Mail-Adresse.',
  notApproved: 'Bewerbung nicht angenommen',
  notApprovedExplained: '{account} hat Ihre Bewerbung für „{campaign}“ nicht angenommen.',
  noteFrom: '{account} schreibt:',
  questions: 'Fragen? Schreiben Sie an {email}.',
  received: 'Bewerbung eingegangen',
  receivedExplained:
    '{account} hat Ihre Bewerbung für „{campaign}“ erhalten und wird sie prüfen. Sie erhalten eine E-Mail, sobald entschieden ist.',
  sent: '{account} hat Ihre Bewerbung.',
  signInToSee: 'Melden Sie sich an, um den Stand zu sehen.',
  yourApplication: 'Ihre Bewerbung',
};
