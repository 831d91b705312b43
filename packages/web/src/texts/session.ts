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
  noAccess: { en: 'No access', de: 'Kein Zugriff' },
  noAccount: { en: 'No account yet', de: 'Noch kein Konto' },
  requiresRole: { en: 'This page requires the {role} role', de: 'Diese Seite erfordert die Rolle {role}' },
  signOut: { en: 'Sign out', de: 'Abmelden' },
});
