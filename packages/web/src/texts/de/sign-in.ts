import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/sign-in.ts';

export const signIn: TranslationOf<typeof t> = {
  backToSignIn: 'Zurück zur Anmeldung',
  changePassword: 'Passwort ändern',
  email: 'E-Mail',
  enterEmail: 'Geben Sie Ihre E-Mail-Adresse ein, z. B. ada@example.com.',
  forgotPassword: 'Passwort vergessen?',
  hidePassword: 'Passwort verbergen',
  linkSent: 'Falls diese E-Mail-Adresse bekannt ist, ist ein Link unterwegs. Er gilt einmal und 15 Minuten lang.',
  newPassword: 'Neues Passwort',
  password: 'Passwort',
  passwordChanged: 'Ihr Passwort wurde geändert. Sie wurden überall abgemeldet.',
  passwordLength: 'Mindestens 8 Zeichen.',
  requestNewLink: 'Neuen Link anfordern',
  resetSent: 'Falls es ein Konto für {email} gibt, haben wir einen Link zum Zurücksetzen des Passworts geschickt.',
  resetYourPassword: 'Passwort zurücksetzen',
  sendResetLink: 'Link senden',
  sendSignInLink: 'Anmeldelink per E-Mail senden',
  setNewPassword: 'Neues Passwort festlegen',
  showPassword: 'Passwort anzeigen',
  signIn: 'Anmelden',
  signsInOnce: 'Mit diesem Link melden Sie sich einmal an.',
};
