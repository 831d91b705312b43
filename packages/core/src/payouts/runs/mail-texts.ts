import type { Texts } from '../../platform/texts/texts.ts';

/** Texts of the emails to members about payout runs. */
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
} as const satisfies Texts;
