/** A failed call to a system outside, e.g. a payment provider or a rail of payouts. */
export abstract class OutsideError extends Error {
  /** True if a write that failed with this error may have taken effect. */
  abstract readonly outcomeUnknown: boolean;
  /** True if the system repeated the stored response of an earlier request with the same idempotency key. */
  abstract readonly replayed: boolean;
}
