import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

/** Texts for signing up as an affiliate, and for people without a portal. */
export const t = texts({
  ...WORDS,
  acceptTerms: { en: 'I have read the terms and accept them.', de: 'Ich habe die Bedingungen gelesen und akzeptiere sie.' },
  affiliateProgram: { en: 'Affiliate program', de: 'Partnerprogramm' },
  apply: { en: 'Apply', de: 'Bewerben' },
  chooseAnswer: { en: 'Choose an answer', de: 'Antwort auswählen' },
  codeIsFree: { en: 'Free: your link ends in {token}.', de: 'Frei: Ihr Link endet auf {token}.' },
  specialRewards: { en: 'Special rewards', de: 'Besondere Provisionen' },
  linkCode: { en: 'Code of your link', de: 'Kürzel Ihres Links' },
  linkCodeExplained: {
    en: 'The end of your link, e.g. your name. You can leave it empty.',
    de: 'Das Ende Ihres Links, z. B. Ihr Name. Sie können es leer lassen.',
  },
  confirm: { en: 'Confirm', de: 'Bestätigen' },
  confirmAddress: { en: 'Confirm your address', de: 'Bestätigen Sie Ihre Adresse' },
  confirmationSent: {
    en: 'We have sent an email to {email}. Open its link to send your application to {account}.',
    de: 'Wir haben eine E-Mail an {email} gesendet. Öffnen Sie den Link darin, um Ihre Bewerbung an {account} zu senden.',
  },
  confirmationSentAgain: {
    en: 'We have sent the email to {email} again.',
    de: 'Wir haben die E-Mail noch einmal an {email} gesendet.',
  },
  sendAgain: { en: 'Send the email again', de: 'E-Mail noch einmal senden' },
  correctAddress: { en: 'Correct the address', de: 'Adresse korrigieren' },
  confirmItIsYours: { en: 'Confirm that this is your email address.', de: 'Bestätigen Sie, dass dies Ihre E-Mail-Adresse ist.' },
  join: { en: 'Join {account}', de: 'Partner von {account} werden' },
  mustAcceptTerms: { en: 'Read and accept the terms.', de: 'Lesen und akzeptieren Sie die Bedingungen.' },
  noProgram: { en: 'No program yet', de: 'Noch kein Programm' },
  noProgramExplained: {
    en: 'You are signed in as {email}, but you are not an affiliate of any program. Ask for an invitation to this email address.',
    de: 'Sie sind als {email} angemeldet, aber in keinem Programm Partner. Bitten Sie um eine Einladung an diese E-Mail-Adresse.',
  },
  notApproved: { en: 'Application not approved', de: 'Bewerbung nicht angenommen' },
  notApprovedExplained: {
    en: '{account} has not approved your application for “{campaign}”.',
    de: '{account} hat Ihre Bewerbung für „{campaign}“ nicht angenommen.',
  },
  noteFrom: { en: '{account} writes:', de: '{account} schreibt:' },
  questions: { en: 'Questions? Write to {email}.', de: 'Fragen? Schreiben Sie an {email}.' },
  received: { en: 'Application received', de: 'Bewerbung eingegangen' },
  receivedExplained: {
    en: '{account} has received your application for “{campaign}” and will review it. You get an email with the decision.',
    de: '{account} hat Ihre Bewerbung für „{campaign}“ erhalten und wird sie prüfen. Sie erhalten eine E-Mail, sobald entschieden ist.',
  },
  sent: { en: '{account} has your application.', de: '{account} hat Ihre Bewerbung.' },
  signInToSee: { en: 'Sign in to see where it stands.', de: 'Melden Sie sich an, um den Stand zu sehen.' },
  termsOfProgram: { en: 'Terms of the program', de: 'Bedingungen des Programms' },
  yourApplication: { en: 'Your application', de: 'Ihre Bewerbung' },
});
