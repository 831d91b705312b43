/** With what affiliates can be compared before they are paid (docs/rules/payouts.md#screening). `lists`: the lists that the operator has loaded. */
export const SCREENERS = ['lists'] as const;
export type ScreenerKind = (typeof SCREENERS)[number];

/** State of an account whose affiliates have not been compared yet. No affiliate is cleared against it. */
export const UNSCREENED = 'new';
