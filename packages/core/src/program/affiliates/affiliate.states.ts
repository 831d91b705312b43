export const AFFILIATE_STATES = ['pending', 'active', 'disabled', 'suspicious', 'rejected'] as const;
export type AffiliateState = (typeof AFFILIATE_STATES)[number];
