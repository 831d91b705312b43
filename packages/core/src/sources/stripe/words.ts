import { type DomainError, invalid } from '../../platform/errors/errors.ts';
import type { PspError } from '../port/psp-error.ts';
/** Texts for people that name Stripe. */
import { SOURCE_REASONS } from '../reasons.ts';
import { STRIPE_REASONS } from './reasons.ts';

export const ENDPOINT_PERMISSION = SOURCE_REASONS.key_lacks_endpoints;

/** The error for an endpoint that Stripe refuses. */
export function endpointRefused(url: string, error: PspError): DomainError {
  return invalid('secret_key', STRIPE_REASONS.endpoint_refused({ url, said: error.said }), 'endpoint_refused');
}
