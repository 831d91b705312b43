export const PAYOUT_STATES = ['pending', 'due', 'processing', 'paid', 'returned'] as const;
