import { texts } from './catalogue.ts';

export const t = texts({
  accountShown: { en: 'Account', de: 'Konto' },
  askForInvitation: {
    en: 'You are signed in as {email}, but you are not a member of any account. Ask an owner or admin to invite this email address.',
    de: 'Sie sind als {email} angemeldet, gehören aber zu keinem Konto. Bitten Sie einen Inhaber oder Administrator, diese E-Mail-Adresse einzuladen.',
  },
  askForRole: {
    en: 'Your role in {account} is {role}. Ask an owner to change it.',
    de: 'Ihre Rolle in {account} ist {role}. Ein Inhaber kann sie ändern.',
  },
  discardAndSignIn: { en: 'Discard and sign in here', de: 'Verwerfen und hier anmelden' },
  entriesAreKept: {
    en: 'Sign in again in a new tab. This page keeps what you have entered: return to it and save.',
    de: 'Melden Sie sich in einem neuen Tab wieder an. Diese Seite behält Ihre Eingaben: Kehren Sie zu ihr zurück und speichern Sie.',
  },
  noAccess: { en: 'No access', de: 'Kein Zugriff' },
  noAccount: { en: 'No account yet', de: 'Noch kein Konto' },
  requiresRole: { en: 'This page requires the {role} role', de: 'Diese Seite erfordert die Rolle {role}' },
  sessionEnded: { en: 'Your session has ended', de: 'Ihre Sitzung ist beendet' },
  signInInNewTab: { en: 'Sign in in a new tab', de: 'In neuem Tab anmelden' },
  signOut: { en: 'Sign out', de: 'Abmelden' },
});
