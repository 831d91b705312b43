import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  backToSignIn: { en: 'Back to sign-in', de: 'Zurück zur Anmeldung' },
  changePassword: { en: 'Change password', de: 'Passwort ändern' },
  codeHint: { en: 'Six digits from your authenticator app.', de: 'Sechs Ziffern aus Ihrer Authenticator-App.' },
  enterCode: { en: 'Enter your code', de: 'Code eingeben' },
  enterEmail: {
    en: 'Enter your email address, e.g. ada@example.com.',
    de: 'Geben Sie Ihre E-Mail-Adresse ein, z. B. ada@example.com.',
  },
  forgotPassword: { en: 'Forgot your password?', de: 'Passwort vergessen?' },
  hidePassword: { en: 'Hide password', de: 'Passwort verbergen' },
  linkSent: {
    en: 'If this email address is known, a link is on its way. It works once, for 15 minutes.',
    de: 'Falls diese E-Mail-Adresse bekannt ist, ist ein Link unterwegs. Er gilt einmal und 15 Minuten lang.',
  },
  passwordChanged: {
    en: 'Your password has been changed. You have been signed out everywhere.',
    de: 'Ihr Passwort wurde geändert. Sie wurden überall abgemeldet.',
  },
  passwordLength: { en: 'At least 8 characters.', de: 'Mindestens 8 Zeichen.' },
  recoveryCode: { en: 'Recovery code', de: 'Wiederherstellungscode' },
  recoveryCodeHint: {
    en: 'One of the codes that you saved when you set up the second factor. Each code works once.',
    de: 'Einer der Codes, die Sie beim Einrichten des zweiten Faktors aufgehoben haben. Er gilt einmal.',
  },
  resetSent: {
    en: 'If an account exists for {email}, we have sent a link to reset the password.',
    de: 'Falls es ein Konto für {email} gibt, haben wir einen Link zum Zurücksetzen des Passworts geschickt.',
  },
  resetYourPassword: { en: 'Reset your password', de: 'Passwort zurücksetzen' },
  sendResetLink: { en: 'Send reset link', de: 'Link senden' },
  sendSignInLink: { en: 'Email me a sign-in link', de: 'Anmeldelink per E-Mail senden' },
  setNewPassword: { en: 'Set a new password', de: 'Neues Passwort festlegen' },
  showPassword: { en: 'Show password', de: 'Passwort anzeigen' },
  startAgain: { en: 'Start again', de: 'Von vorn beginnen' },
  trustBrowser: { en: 'Do not ask in this browser for 30 days', de: 'In diesem Browser 30 Tage lang nicht fragen' },
  useApp: { en: 'Use the authenticator app', de: 'Authenticator-App benutzen' },
  useRecoveryCode: { en: 'Use a recovery code', de: 'Wiederherstellungscode benutzen' },
  verify: { en: 'Continue', de: 'Weiter' },
  usePassword: { en: 'Use a password', de: 'Passwort verwenden' },
});
