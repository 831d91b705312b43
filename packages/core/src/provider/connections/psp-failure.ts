import { DomainError } from '../../platform/errors/errors.ts';
import type { PspError } from '../port/psp-error.ts';

/** The error for the caller when the provider failed. Refusals that the caller causes are handled where they occur. */
export function pspFailure(error: PspError): DomainError {
  return new DomainError('PSP_ERROR', error.message, {
    reason: error.reason,
    ...(error.providerCode && { psp_code: error.providerCode }),
    ...(error.requestId && { psp_request_id: error.requestId }),
  });
}

export function notConnected(): DomainError {
  return new DomainError('PSP_NOT_CONNECTED');
}
