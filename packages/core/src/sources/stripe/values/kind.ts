/** The kind of source that Stripe is. */
export const STRIPE = 'stripe';
