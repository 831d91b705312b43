/** Tables whose changes are announced by events (`event-catalog.ts`). */
export const ANNOUNCED_TABLES = ['affiliate', 'referral', 'customer', 'sale', 'commission', 'payout'] as const;
