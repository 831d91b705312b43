import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/session.ts';

export const session: TranslationOf<typeof t> = {
  accountShown: 'Konto',
  askForInvitation:
    'Sie sind als {email} angemeldet, gehören aber zu keinem Konto. Bitten Sie einen Inhaber oder Administrator, diese E-Mail-Adresse einzuladen.',
  askForRole: 'Ihre Rolle in {account} ist {role}. Ein Inhaber kann sie ändern.',
  noAccess: 'Kein Zugriff',
  noAccount: 'Noch kein Konto',
  requiresRole: 'Diese Seite erfordert die Rolle {role}',
  signOut: 'Abmelden',
};
