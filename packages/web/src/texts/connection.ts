import { texts } from './catalogue.ts';

export const t = texts({
  offline: {
    en: 'You are offline. Connect to the internet and try again.',
    de: 'Sie sind offline. Stellen Sie eine Internetverbindung her und versuchen Sie es erneut.',
  },
  portalEnded: {
    en: 'This view has been open for too long. Try again, or reload the page.',
    de: 'Diese Ansicht war zu lange offen. Versuchen Sie es noch einmal, oder laden Sie die Seite neu.',
  },
  sessionEnded: { en: 'Your session has ended. Sign in again.', de: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.' },
  unreachable: {
    en: 'The service cannot be reached. Check your connection and try again.',
    de: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  },
});
