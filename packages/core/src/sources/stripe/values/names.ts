/** Names of payments: the provider's id with its kind in front. */
export const NAMES = {
  charge: (id: string) => `charge:${id}`,
  paymentIntent: (id: string) => `payment_intent:${id}`,
  /** An invoice may have several payments. */
  invoice: (id: string) => `invoice:${id}`,
  /** The part of an invoice that was paid outside the provider. It has no id. */
  outside: (invoiceId: string) => `outside:${invoiceId}`,
};

const KINDS: ReadonlyMap<string, 'charge' | 'paymentIntent' | 'invoice'> = new Map([
  ['ch', 'charge'],
  ['py', 'charge'],
  ['pi', 'paymentIntent'],
  ['in', 'invoice'],
]);

/** Returns the name of the object that an id is of: of a payment alone, or of an invoice, which is the name of a group. Null for other texts. */
export function nameOfId(id: string): { name: string; isOfGroup: boolean } | null {
  const kind = KINDS.get(/^([a-z]{2})_\w/.exec(id)?.[1] ?? '');
  return kind === undefined ? null : { name: NAMES[kind](id), isOfGroup: kind === 'invoice' };
}

/** The kind of source that Stripe is. */
export const STRIPE = 'stripe';
