/**
 * The kinds of operations of all rooms, which the rooms merge into this interface. The type of a kind is the input that lets any member finish an
 * operation of the kind, or null if only the same request can finish it.
 */
export interface OperationKinds {}

export type OperationKind = keyof OperationKinds;

/** A write outside, before it is sent. */
export interface OperationRequest<Kind extends OperationKind = OperationKind> {
  kind: Kind;
  /** Subject of the operation, e.g. `code:jane20`. Only one operation per subject of an account may be open. */
  subject: string;
  /** Null if the subject alone identifies the operation. Then a request with the same subject and fingerprint resumes it. */
  idempotencyKey: string | null;
  fingerprint: string;
  input: OperationKinds[Kind];
}

/** An operation whose lease this process holds. */
export interface RunningOperation {
  id: string;
  /** Number of the attempt. Each attempt has its own idempotency key outside (see `outsideKey`). */
  attempt: number;
  /** True if an earlier attempt may have taken effect, so that the outside has to be queried first. */
  resumed: boolean;
}

/** A failed call to a system outside, e.g. a payment provider or a rail of payouts. */
export abstract class OutsideError extends Error {
  /** True if a write that failed with this error may have taken effect. */
  abstract readonly outcomeUnknown: boolean;
  /** True if the system repeated the stored response of an earlier request with the same idempotency key. */
  abstract readonly replayed: boolean;
}
