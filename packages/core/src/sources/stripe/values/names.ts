/** Names of payments: the provider's id with its kind in front. */
export const NAMES = {
  charge: (id: string) => `charge:${id}`,
  paymentIntent: (id: string) => `payment_intent:${id}`,
  /** An invoice may have several payments. */
  invoice: (id: string) => `invoice:${id}`,
  /** The part of an invoice that was paid outside the provider. It has no id. */
  outside: (invoiceId: string) => `outside:${invoiceId}`,
};
