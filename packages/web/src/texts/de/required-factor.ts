import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/required-factor.ts';

export const requiredFactor: TranslationOf<typeof t> = {
  atOnce: 'Sofort',
  closesOn: 'Von allen Mitgliedern verlangt. Ab {date} ist das Konto für Mitglieder ohne zweiten Faktor geschlossen.',
  daysLater: { one: 'In {count} Tag', other: 'In {count} Tagen' },
  hint: 'Mitglieder können dieses Konto ohne ihn öffnen. Wenn Sie ihn verlangen, erhalten alle, die keinen haben, eine E-Mail.',
  isRequired: 'Der zweite Faktor wird verlangt. Mitglieder ohne zweiten Faktor erhalten eine E-Mail.',
  isVoluntary: 'Der zweite Faktor wird nicht mehr verlangt.',
  needed: '{account} verlangt von den Mitgliedern einen zweiten Faktor. Richten Sie Ihren mit einer Authenticator-App ein.',
  ofAllMembers: 'Zweiter Faktor aller Mitglieder',
  open: '{account} öffnen',
  ownFirst: 'Um ihn zu verlangen, richten Sie zuerst in Ihrem Profil Ihren eigenen zweiten Faktor ein.',
  profile: 'Profil öffnen',
  require: 'Verlangen',
  requiredSince: 'Seit {date} von allen Mitgliedern verlangt. Für Mitglieder ohne zweiten Faktor ist das Konto geschlossen.',
  setUp: 'Zweiten Faktor einrichten',
  soon: 'Ab {date} ist dieses Konto für Mitglieder ohne zweiten Faktor geschlossen, und Sie haben noch keinen.',
  stop: 'Nicht mehr verlangen',
  when: 'Ab wann das Konto für Mitglieder ohne zweiten Faktor geschlossen ist',
};
