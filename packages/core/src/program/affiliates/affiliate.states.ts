export const AFFILIATE_STATES = ['pending', 'active', 'disabled', 'suspicious', 'rejected'] as const;
export type AffiliateState = (typeof AFFILIATE_STATES)[number];

/** Frequencies of the email about earned commissions. */
export const DIGESTS = ['daily', 'weekly', 'none'] as const;
export type Digest = (typeof DIGESTS)[number];
