import { DomainError } from '../../platform/errors/errors.ts';
import type { PspError, PspErrorReason } from '../port/psp-error.ts';

/**
 * Returns the error for the caller after a failed call to the provider. Refusals that the caller's input caused are translated where they
 * occur.
 */
export function pspFailure(error: PspError): DomainError {
  return new DomainError('PSP_ERROR', error.message, {
    reason: error.reason,
    ...(error.providerCode && { psp_code: error.providerCode }),
    ...(error.requestId && { psp_request_id: error.requestId }),
  });
}

/** True if a call failed because the provider did not answer. The next call would probably fail, too. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof DomainError) || error.code !== 'PSP_ERROR') return false;
  const { reason } = error.details as { reason?: PspErrorReason };
  return reason !== 'incomplete';
}

export function notConnected(): DomainError {
  return new DomainError('PSP_NOT_CONNECTED');
}
