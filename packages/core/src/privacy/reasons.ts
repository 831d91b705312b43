import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const PRIVACY_REASONS = reasons({
  payout_claimed: {
    en: 'An export or a run holds {payout}, a payout of this affiliate. Finish or release it first.',
    de: 'Ein Export oder Lauf enthält {payout}, eine Auszahlung dieses Partners. Schließen Sie ihn ab, oder geben Sie die Auszahlung zuerst frei.',
  },
});
