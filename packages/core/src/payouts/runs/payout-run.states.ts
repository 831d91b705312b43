export const PAYOUT_RUN_STATES = ['planned', 'executing', 'completed', 'partially_completed', 'canceled'] as const;
export type PayoutRunState = (typeof PAYOUT_RUN_STATES)[number];

export const PAYOUT_RUN_ITEM_STATES = ['planned', 'paid', 'returned', 'failed', 'excluded', 'canceled'] as const;
