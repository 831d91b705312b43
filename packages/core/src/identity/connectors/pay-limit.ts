/** The largest amount that a connector may mark as paid within 24 hours, in one currency. It may pay nothing in currencies without a limit. */
export interface PayLimit {
  currency: string;
  amount_cents: number;
}
