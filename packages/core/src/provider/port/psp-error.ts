/** Why the payment provider could not do what it was asked. */
export type PspErrorReason =
  /** No connection, or it broke. */
  | 'unreachable'
  /** No answer in time. */
  | 'timeout'
  /** The provider answered with a fault of its own (5xx), or is still working on the same request. */
  | 'unavailable'
  /** Too many requests; nothing was done. */
  | 'rate_limited'
  /** The key is wrong, revoked or expired. */
  | 'authentication'
  /** The key is good, but may not do this. */
  | 'permission'
  | 'not_found'
  /** The provider understood the request and refused it. */
  | 'rejected';

/** After these a write may or may not have taken effect: only the provider can tell. */
const OUTCOME_UNKNOWN: ReadonlySet<PspErrorReason> = new Set(['unreachable', 'timeout', 'unavailable']);

interface PspErrorDetail {
  reason: PspErrorReason;
  message: string;
  /** The provider's own code of the refusal, such as `coupon_expired`. */
  providerCode?: string | undefined;
  /** The parameter that the refusal is about, by the provider's own name. */
  param?: string | undefined;
  /** The provider's id of the request, to quote to its support. */
  requestId?: string | undefined;
  /** The provider answered from its record of an earlier request with the same idempotency key. */
  replayed?: boolean;
}

/** A call to the payment provider failed. Neither the message nor any field holds a secret. */
export class PspError extends Error {
  override readonly name = 'PspError';
  readonly reason: PspErrorReason;
  readonly providerCode: string | undefined;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  readonly replayed: boolean;

  constructor(detail: PspErrorDetail) {
    super(detail.message);
    this.reason = detail.reason;
    this.providerCode = detail.providerCode;
    this.param = detail.param;
    this.requestId = detail.requestId;
    this.replayed = detail.replayed ?? false;
  }

  /** Whether a write that failed like this may have taken effect all the same. */
  get outcomeUnknown(): boolean {
    return OUTCOME_UNKNOWN.has(this.reason);
  }
}

/** A delivery that was not signed with the connection's secret, or whose signature is too old. */
export class InvalidPspEventError extends Error {
  override readonly name = 'InvalidPspEventError';
}

/** A delivery that is well signed, and no event. */
export class NoPspEventError extends Error {
  override readonly name = 'NoPspEventError';
}
