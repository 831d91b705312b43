import type { Texts } from '../../platform/texts/texts.ts';

/** Texts of the emails to members about payouts. */
export const PAYOUT_MAILS = {
  finishedRun: {
    completed: { en: 'Payout run completed', de: 'Auszahlungslauf abgeschlossen' },
    completedInPart: { en: 'Payout run completed in part', de: 'Auszahlungslauf teilweise abgeschlossen' },
    paid: { en: '{paid} of {all} payouts are paid.', de: '{paid} von {all} Auszahlungen sind bezahlt.' },
    failed: {
      en: '{failed} could not be paid. Open the run to see why, and to try again.',
      de: '{failed} konnten nicht bezahlt werden. Öffnen Sie den Lauf, um den Grund zu sehen und es noch einmal zu versuchen.',
    },
    link: { en: 'Open the run', de: 'Lauf öffnen' },
  },
  stoppedRail: {
    subject: { en: '{service} pays nothing more', de: '{service} zahlt nicht mehr' },
    said: { en: 'The service has refused to pay: {problem}', de: 'Der Dienst zahlt nicht mehr und sagt: {problem}' },
    waits: {
      en: 'No further payment is sent until you have looked. Payments that have been sent already are followed to their end.',
      de: 'Bis Sie nachgesehen haben, wird keine weitere Zahlung gesendet. Gesendete Zahlungen werden bis zum Ende verfolgt.',
    },
    link: { en: 'Open the payout methods', de: 'Auszahlungswege öffnen' },
  },
  doubtfulPayment: {
    subject: { en: 'A payment needs your decision', de: 'Eine Zahlung wartet auf Ihre Entscheidung' },
    decide: {
      en: 'It is not certain whether this payment was made as it should be. It is not repeated, and nothing else is paid in its place, until you have decided. Look into your account at the service that pays first.',
      de: 'Es ist nicht sicher, ob diese Zahlung wie vorgesehen ausgeführt wurde. Bis Sie entschieden haben, wird sie nicht wiederholt und nichts anderes an ihrer Stelle gezahlt. Sehen Sie zuerst in Ihrem Konto bei dem Dienst nach, der zahlt.',
    },
    link: { en: 'Open the payments', de: 'Zahlungen öffnen' },
  },
  heldPayout: {
    subject: { en: 'Payouts to {name} are held', de: 'Auszahlungen an {name} sind angehalten' },
    hit: {
      en: 'The name is like one on a list of people and companies that nobody may pay. Compare both, and decide.',
      de: 'Der Name gleicht einem auf einer Liste von Personen und Unternehmen, die niemand bezahlen darf. Vergleichen und entscheiden Sie.',
    },
    unavailable: {
      en: 'The name could not be compared with the lists: it is missing, no list is loaded, or a list is too old.',
      de: 'Der Name ließ sich nicht mit den Listen vergleichen: Er fehlt, es ist keine Liste geladen, oder eine Liste ist zu alt.',
    },
    waits: { en: 'Nothing is paid until then.', de: 'Bis dahin wird nichts gezahlt.' },
    link: { en: 'Open the affiliate', de: 'Partner öffnen' },
  },
  changedDetails: {
    subject: { en: 'Payout details of {name} have changed', de: 'Auszahlungsdaten von {name} wurden geändert' },
    held: {
      en: 'Nothing is paid to the new details before {until}. If you do not expect this, ask the affiliate in another way than by email.',
      de: 'Vor dem {until} wird nichts an die neuen Daten gezahlt. Wenn Sie das nicht erwarten, fragen Sie den Partner auf anderem Weg als per E-Mail.',
    },
    shared: {
      en: '{other} is paid to the same account ({hint}). Look at both before you pay them.',
      de: '{other} wird auf dasselbe Konto bezahlt ({hint}). Sehen Sie sich beide an, bevor Sie zahlen.',
    },
    link: { en: 'Open the affiliate', de: 'Partner öffnen' },
  },
  changedBy: {
    affiliate: { en: 'The affiliate has changed them in the portal.', de: 'Der Partner hat sie im Portal geändert.' },
    session: { en: 'A member of the account has changed them.', de: 'Ein Mitglied des Kontos hat sie geändert.' },
    api_key: { en: 'An API key has changed them.', de: 'Ein API-Schlüssel hat sie geändert.' },
    connector: { en: 'A connector has changed them.', de: 'Ein Konnektor hat sie geändert.' },
    system: { en: 'The service has changed them.', de: 'Der Dienst hat sie geändert.' },
  },
} as const satisfies Texts;
