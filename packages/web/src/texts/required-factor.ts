import { texts } from './catalogue.ts';

export const t = texts({
  atOnce: { en: 'At once', de: 'Sofort' },
  closesOn: {
    en: 'Required of all members. From {date} the account is closed to members without a second factor.',
    de: 'Von allen Mitgliedern verlangt. Ab {date} ist das Konto für Mitglieder ohne zweiten Faktor geschlossen.',
  },
  daysLater: {
    en: { one: 'In {count} day', other: 'In {count} days' },
    de: { one: 'In {count} Tag', other: 'In {count} Tagen' },
  },
  hint: {
    en: 'Members can open this account without a second factor. If you require it, members who have not set one up get an email.',
    de: 'Mitglieder können dieses Konto ohne ihn öffnen. Wenn Sie ihn verlangen, erhalten alle, die keinen haben, eine E-Mail.',
  },
  isRequired: {
    en: 'The second factor is required. Members who have not set one up get an email.',
    de: 'Der zweite Faktor wird verlangt. Mitglieder ohne zweiten Faktor erhalten eine E-Mail.',
  },
  isVoluntary: { en: 'The second factor is no longer required.', de: 'Der zweite Faktor wird nicht mehr verlangt.' },
  needed: {
    en: '{account} requires its members to have a second factor. Set yours up with an authenticator app.',
    de: '{account} verlangt von den Mitgliedern einen zweiten Faktor. Richten Sie Ihren mit einer Authenticator-App ein.',
  },
  ofAllMembers: { en: 'Second factor of all members', de: 'Zweiter Faktor aller Mitglieder' },
  open: { en: 'Open {account}', de: '{account} öffnen' },
  ownFirst: {
    en: 'Before you can require a second factor, set up your own in your profile.',
    de: 'Um ihn zu verlangen, richten Sie zuerst in Ihrem Profil Ihren eigenen zweiten Faktor ein.',
  },
  profile: { en: 'Open your profile', de: 'Profil öffnen' },
  require: { en: 'Require it', de: 'Verlangen' },
  requiredSince: {
    en: 'Required of all members since {date}. The account is closed to members without a second factor.',
    de: 'Seit {date} von allen Mitgliedern verlangt. Für Mitglieder ohne zweiten Faktor ist das Konto geschlossen.',
  },
  setUp: { en: 'Set up a second factor', de: 'Zweiten Faktor einrichten' },
  soon: {
    en: 'From {date} this account is closed to members without a second factor, and you have not set one up yet.',
    de: 'Ab {date} ist dieses Konto für Mitglieder ohne zweiten Faktor geschlossen, und Sie haben noch keinen.',
  },
  stop: { en: 'No longer require it', de: 'Nicht mehr verlangen' },
  when: {
    en: 'When the account closes to members without a second factor',
    de: 'Ab wann das Konto für Mitglieder ohne zweiten Faktor geschlossen ist',
  },
});
