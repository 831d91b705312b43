import { DomainError } from '../../platform/errors/errors.ts';
import { OutsideError } from '../../platform/operations/operation.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { SOURCE_REASONS } from './reasons.ts';

/** Reason why a call to the payment provider failed. */
export type PspErrorReason =
  /** The connection could not be made, or broke. */
  | 'unreachable'
  /** The provider did not respond in time. */
  | 'timeout'
  /** The provider had a fault (5xx), or is still processing the same request. */
  | 'unavailable'
  /** Too many requests; nothing was done. */
  | 'rate_limited'
  /** The key is wrong, revoked or expired. */
  | 'authentication'
  /** The key is valid but lacks the permission. */
  | 'permission'
  | 'not_found'
  /** The provider answered, but its answer does not contain everything yet. */
  | 'incomplete'
  /** The provider understood the request and refused it. */
  | 'rejected';

/** Error reasons that leave the outcome of a write unknown. Only the provider knows the outcome. */
const OUTCOME_UNKNOWN: ReadonlySet<PspErrorReason> = new Set(['unreachable', 'timeout', 'unavailable']);

interface PspErrorDetail {
  reason: PspErrorReason;
  said: Reason<keyof typeof SOURCE_REASONS>;
  /** The provider's code for the refusal, e.g. `coupon_expired`. */
  providerCode?: string | undefined;
  /** Name of the refused parameter in the provider's API. */
  param?: string | undefined;
  /** The provider's id of the request, for questions to the provider's support. */
  requestId?: string | undefined;
  /** True if the provider returned the stored response of an earlier request with the same idempotency key. */
  replayed?: boolean;
}

/** A failed call to the payment provider. Neither the message nor any field contains a secret. */
export class PspError extends OutsideError {
  override readonly name = 'PspError';
  readonly reason: PspErrorReason;
  readonly said: PspErrorDetail['said'];
  readonly providerCode: string | undefined;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  readonly replayed: boolean;

  constructor(detail: PspErrorDetail) {
    super(String(detail.said));
    this.said = detail.said;
    this.reason = detail.reason;
    this.providerCode = detail.providerCode;
    this.param = detail.param;
    this.requestId = detail.requestId;
    this.replayed = detail.replayed ?? false;
  }

  get outcomeUnknown(): boolean {
    return OUTCOME_UNKNOWN.has(this.reason);
  }
}

/** Our own messages, for reasons where that of a provider says nothing more, or may quote the key. */
export const FAILURES: Partial<Record<PspErrorReason, PspErrorDetail['said']>> = {
  unreachable: SOURCE_REASONS.provider_unreachable,
  timeout: SOURCE_REASONS.provider_timeout,
  unavailable: SOURCE_REASONS.provider_unavailable,
  rate_limited: SOURCE_REASONS.provider_rate_limited,
  authentication: SOURCE_REASONS.key_not_accepted,
  permission: SOURCE_REASONS.key_lacks_permission,
};

/** The signature of a delivery is missing, wrong or too old. */
export class InvalidPspEventError extends Error {
  override readonly name = 'InvalidPspEventError';
}

/** The signature of a delivery is valid, but its body is not an event. */
export class MalformedPspEventError extends Error {
  override readonly name = 'MalformedPspEventError';
}

/**
 * Returns the error for the caller after a failed call to the provider. Refusals that the caller's input caused are translated where they
 * occur.
 */
export function pspFailure(error: PspError): DomainError {
  return new DomainError('PSP_ERROR', error.said, {
    reason: error.reason,
    ...(error.providerCode && { psp_code: error.providerCode }),
    ...(error.requestId && { psp_request_id: error.requestId }),
  });
}

/** Throws the error for the caller after a failed call to the provider (`pspFailure`). Other errors stay. */
export function failed(error: unknown): never {
  throw error instanceof PspError ? pspFailure(error) : error;
}

/** Makes a handler of a failed call to the provider, which returns what stands for an answer if the call failed for one of the reasons. */
export function onReason<Instead>(reasons: readonly PspErrorReason[], instead: () => Instead): (error: unknown) => Instead {
  return (error) => {
    if (error instanceof PspError && reasons.includes(error.reason)) return instead();
    throw error;
  };
}

export function notConnected(): DomainError {
  return new DomainError('PSP_NOT_CONNECTED');
}
