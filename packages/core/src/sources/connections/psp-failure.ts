import { DomainError } from '../../platform/errors/errors.ts';
import type { PspError } from '../port/psp-error.ts';

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

export function notConnected(): DomainError {
  return new DomainError('PSP_NOT_CONNECTED');
}
