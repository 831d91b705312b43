import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  browserOnSystem: { en: '{browser} on {os}', de: '{browser} unter {os}' },
  continue: { en: 'Continue', de: 'Weiter' },
  currentPassword: { en: 'Current password', de: 'Bisheriges Passwort' },
  endSession: { en: 'Sign out', de: 'Abmelden' },
  endSessionOf: { en: 'Sign out: {device}', de: 'Abmelden: {device}' },
  enterFirstCode: { en: 'Enter the six digits that the app shows.', de: 'Geben Sie die sechs Ziffern ein, die die App zeigt.' },
  formerCodesEnd: {
    en: 'The previous recovery codes stop working.',
    de: 'Die bisherigen Wiederherstellungscodes gelten dann nicht mehr.',
  },
  keepRecoveryCodes: { en: 'Keep these recovery codes', de: 'Heben Sie diese Wiederherstellungscodes auf' },
  keyByHand: { en: 'Or enter this key:', de: 'Oder geben Sie diesen Schlüssel ein:' },
  mail_applications: { en: 'New applications, at most one an hour', de: 'Neue Bewerbungen, höchstens eine je Stunde' },
  mail_failing_endpoints: {
    en: 'Webhook endpoints that fail or are switched off',
    de: 'Webhook-Endpunkte, die versagen oder abgeschaltet werden',
  },
  mail_changed_payout_details: { en: 'Changed payout details', de: 'Geänderte Auszahlungsdaten' },
  mail_troubled_payments: { en: 'Payments that need a person', de: 'Zahlungen, die jemanden brauchen' },
  mail_troubled_connections: {
    en: 'Payment providers that refuse your key, or soon will',
    de: 'Zahlungsanbieter, die Ihren Schlüssel nicht oder bald nicht mehr annehmen',
  },
  mail_finished_runs: { en: 'Finished payout runs', de: 'Abgeschlossene Auszahlungsläufe' },
  mail_flagged_commissions: {
    en: 'New flagged commissions, at most one an hour',
    de: 'Neue markierte Provisionen, höchstens eine je Stunde',
  },
  mail_payouts_due: { en: 'Payouts that are due, on Mondays', de: 'Fällige Auszahlungen, montags' },
  mailMeAbout: { en: 'Send me an email about', de: 'E-Mail an mich bei' },
  mails: { en: 'Emails', de: 'E-Mails' },
  mailsChosen: { en: 'Emails chosen.', de: 'E-Mails gewählt.' },
  mailsHint: { en: 'Emails to you about {account}.', de: 'E-Mails an Sie über {account}.' },
  nameChanged: { en: 'Name changed.', de: 'Name geändert.' },
  nameHint: { en: 'Shown to the other members of your accounts.', de: 'Andere Mitglieder Ihrer Teams sehen ihn.' },
  newRecoveryCodes: { en: 'New recovery codes', de: 'Neue Wiederherstellungscodes' },
  passwordChanged: {
    en: 'Password changed. You are signed out on all other devices.',
    de: 'Passwort geändert. Sie sind auf allen anderen Geräten abgemeldet.',
  },
  passwordFirst: {
    en: 'Set a password first, with “Forgot your password?” on the sign-in page.',
    de: 'Setzen Sie zuerst ein Passwort, mit „Passwort vergessen?“ auf der Anmeldeseite.',
  },
  passwordHint: {
    en: 'At least 8 characters. You are signed out on all other devices.',
    de: 'Mindestens 8 Zeichen. Sie werden auf allen anderen Geräten abgemeldet.',
  },
  qrCode: { en: 'QR code for the authenticator app', de: 'QR-Code für die Authenticator-App' },
  recoveryCodes: { en: 'Recovery codes', de: 'Wiederherstellungscodes' },
  recoveryCodesHint: {
    en: 'Each code signs you in once without the app. The codes are not shown again.',
    de: 'Mit jedem melden Sie sich einmal ohne die App an. Sie werden nicht noch einmal gezeigt.',
  },
  removeSecondFactor: { en: 'Turn off', de: 'Ausschalten' },
  scanCode: { en: 'Scan the QR code with an authenticator app.', de: 'Scannen Sie den QR-Code mit einer Authenticator-App.' },
  secondFactorIsOff: { en: 'The second factor is off.', de: 'Der zweite Faktor ist ausgeschaltet.' },
  secondFactorIsOn: {
    en: 'The second factor is on. You are signed out on all other devices.',
    de: 'Der zweite Faktor ist eingeschaltet. Sie sind auf allen anderen Geräten abgemeldet.',
  },
  secondFactorOff: {
    en: 'You sign in with your password or a link. If you set up an authenticator app, signing in also asks for a code.',
    de: 'Zum Anmelden genügt Ihr Passwort oder ein Link. Mit einer Authenticator-App wird auch nach einem Code gefragt.',
  },
  secondFactorOn: {
    en: 'Signing in asks for a code of your authenticator app.',
    de: 'Beim Anmelden wird nach einem Code Ihrer Authenticator-App gefragt.',
  },
  sessionEnded: { en: 'The device is signed out.', de: 'Das Gerät ist abgemeldet.' },
  sessions: { en: 'Sessions', de: 'Sitzungen' },
  sessionsHint: { en: 'A session ends 7 days after its last use.', de: 'Eine Sitzung endet 7 Tage nach der letzten Benutzung.' },
  setUpSecondFactor: { en: 'Set up', de: 'Einrichten' },
  signedOutElsewhere: { en: 'You are signed out on all other devices.', de: 'Sie sind auf allen anderen Geräten abgemeldet.' },
  started: { en: 'Signed in', de: 'Angemeldet' },
  thisSession: { en: 'This device', de: 'Dieses Gerät' },
  turnOn: { en: 'Turn on', de: 'Einschalten' },
  unknownDevice: { en: 'Unknown device', de: 'Unbekanntes Gerät' },
});
