/** The name, in texts for people, of the provider that the wire calls `psp`. */
export const PSP = 'Stripe';
