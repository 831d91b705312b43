import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/profile.ts';

export const profile: TranslationOf<typeof t> = {
  asInBrowser: 'Wie im Browser',
  currentPassword: 'Bisheriges Passwort',
  language: 'Sprache',
  languageHint: 'Gilt in diesem Browser. Datum und Zahlen richten sich danach.',
  languageOfPages: 'Sprache der Seiten',
  newPassword: 'Neues Passwort',
  password: 'Passwort',
  passwordChanged: 'Passwort geändert. Sie sind auf allen anderen Geräten abgemeldet.',
  passwordHint: 'Mindestens 8 Zeichen. Sie werden auf allen anderen Geräten abgemeldet.',
  profile: 'Profil',
  sessions: 'Sitzungen',
  sessionsHint: 'Eine Sitzung endet 7 Tage nach der letzten Benutzung.',
  signOutElsewhere: 'Überall sonst abmelden',
  signedOutElsewhere: 'Sie sind auf allen anderen Geräten abgemeldet.',
};
