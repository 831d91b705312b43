import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/connection.ts';

export const connection: TranslationOf<typeof t> = {
  offline: 'Sie sind offline. Stellen Sie eine Internetverbindung her und versuchen Sie es erneut.',
  sessionEnded: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
  unreachable: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
};
