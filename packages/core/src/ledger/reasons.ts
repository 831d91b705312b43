import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const LEDGER_REASONS = reasons({
  zero: { en: 'Must not be 0.', de: 'Darf nicht 0 sein.' },
  commission_not_reviewable: {
    en: 'A {state} commission cannot be reviewed.',
    de: 'Provisionen mit dem Status „{state}“ lassen sich nicht prüfen.',
  },
  only_contradicted_reviewable: {
    en: 'Only a paid bonus, reward for a lead or milestone that facts contradict can be kept or reconsidered.',
    de: 'Nur ein gezahlter Bonus oder eine gezahlte Prämie für einen Interessenten oder Meilenstein, denen Tatsachen widersprechen, kann bestehen bleiben oder neu entschieden werden.',
  },
  voided_commission_not_paid: {
    en: 'A voided commission cannot be marked paid or unpaid.',
    de: 'Eine stornierte Provision lässt sich nicht als bezahlt oder unbezahlt markieren.',
  },
  commission_external_id_taken: {
    en: 'Another commission has this external_id.',
    de: 'Eine andere Provision hat diese externe ID.',
  },
  payout_external_id_taken: { en: 'Another payout has this external_id.', de: 'Eine andere Auszahlung hat diese externe ID.' },
  commission_in_payout: {
    en: 'This commission is in a payout that is {state}. Void the commission instead: that reduces the next payout.',
    de: 'Diese Provision ist in einer Auszahlung mit dem Status „{state}“. Stornieren Sie stattdessen die Provision: Das verringert die nächste Auszahlung.',
  },
  payout_paid: { en: 'This payout is already paid.', de: 'Diese Auszahlung ist schon bezahlt.' },
  payout_returned: {
    en: 'This payout was returned, and its commissions are in another payout. Pay that payout instead.',
    de: 'Diese Auszahlung kam zurück, und ihre Provisionen sind in einer anderen Auszahlung. Bezahlen Sie diese.',
  },
  payout_claimed: {
    en: 'An export or a run has claimed this payout. Pay it through that export or run, or release the payout first.',
    de: 'Diese Auszahlung ist in einem Export oder Lauf. Bezahlen Sie sie dort, oder geben Sie sie zuerst frei.',
  },
  payout_moving_in: {
    en: 'Your former tool pays until this account is no shadow any more. Pay this payout after the switch.',
    de: 'Bis zum Umstieg zahlt Ihr bisheriges Werkzeug. Bezahlen Sie diese Auszahlung danach.',
  },
  nothing_to_pay: {
    en: 'There is nothing to pay: this payout is zero or negative. A negative amount is deducted from later commissions. If you settled an adjustment in another way, void it or mark it paid.',
    de: 'Es ist nichts zu zahlen: Diese Auszahlung ist null oder negativ. Ein negativer Betrag wird von späteren Provisionen abgezogen. Haben Sie eine Korrektur anders ausgeglichen, dann stornieren Sie sie, oder markieren Sie sie als bezahlt.',
  },
});
