/** Texts for people that name Stripe. */
import { type DomainError, invalid } from '../../platform/errors/errors.ts';
import type { PspError } from '../port/psp-error.ts';

export const ENDPOINT_PERMISSION = 'The key lacks the permission Webhook Endpoints (write). Connect with a key that has it.';

/** The error for an endpoint that Stripe refuses. */
export function endpointRefused(url: string, error: PspError): DomainError {
  return invalid('secret_key', `Stripe did not create the endpoint ${url}. ${error.message}`, 'endpoint_refused');
}
