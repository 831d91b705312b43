/** A write at the payment provider, before it is sent. */
export interface OperationRequest {
  kind: 'import' | 'create' | 'affiliate_coupon' | 'endpoint' | 'metadata' | 'test_purchase';
  livemode: boolean;
  /** Subject of the operation, e.g. `code:jane20`. Only one operation per subject may be open. */
  subject: string;
  /** Null if the subject alone identifies the operation. Then a request with the same subject and fingerprint resumes it. */
  idempotencyKey: string | null;
  fingerprint: string;
  /** Input that lets any member finish the operation. Null if only the same request can finish it. */
  input: OperationInput | null;
}

/** A promotion code to import or to create for an affiliate. */
export interface OperationInput {
  affiliate_id: string;
  psp_promotion_code_id?: string;
  code?: string;
  psp_coupon_id?: string;
}

/** An operation whose lease this process holds. */
export interface RunningOperation {
  id: string;
  /** Number of the attempt. Each attempt has its own idempotency key at the provider (see `providerKey`). */
  attempt: number;
  /** True if an earlier attempt may have reached the provider, so that the provider has to be queried first. */
  resumed: boolean;
}
