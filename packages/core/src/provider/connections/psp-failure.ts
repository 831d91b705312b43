import { DomainError } from '../../platform/errors/errors.ts';
import type { PspError } from '../port/psp-error.ts';

/** What the caller sees when the provider let us down (502). A refusal that is the caller's own doing is answered where it arises. */
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
