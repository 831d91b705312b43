import { texts } from '../catalogue.ts';

export const t = texts('profile', {
  asInBrowser: 'As in the browser',
  currentPassword: 'Current password',
  language: 'Language',
  languageHint: 'Applies to this browser. Dates and numbers follow it.',
  languageOfPages: 'Language of the pages',
  newPassword: 'New password',
  password: 'Password',
  passwordChanged: 'Password changed. You are signed out on all other devices.',
  passwordHint: 'At least 8 characters. You are signed out on all other devices.',
  profile: 'Profile',
  sessions: 'Sessions',
  sessionsHint: 'A session ends 7 days after its last use.',
  signOutElsewhere: 'Sign out everywhere else',
  signedOutElsewhere: 'You are signed out on all other devices.',
});
