export const PAYOUT_STATES = ['pending', 'due', 'processing', 'paid'] as const;
