/** A write at the payment provider, before it is sent. */
export interface OperationRequest {
  kind: 'import' | 'create' | 'affiliate_coupon';
  livemode: boolean;
  /** Subject of the operation, e.g. `code:jane20`. Only one operation per subject may be open. */
  subject: string;
  /** Null when only the subject identifies the operation; a request with the same fingerprint then resumes it. */
  idempotencyKey: string | null;
  fingerprint: string;
  /** Input with which any member can finish the operation. Null when only the same request can. */
  input: OperationInput | null;
}

/** A promotion code to import or to create for an affiliate. */
export interface OperationInput {
  affiliate_id: string;
  psp_promotion_code_id?: string;
  code?: string;
  psp_coupon_id?: string;
}

/** An operation whose lease is held by this process. */
export interface RunningOperation {
  id: string;
  /** Number of the idempotency key used at the provider; see `providerKey`. */
  attempt: number;
  /** True when an earlier attempt may have reached the provider, which has to be asked first. */
  resumed: boolean;
}
