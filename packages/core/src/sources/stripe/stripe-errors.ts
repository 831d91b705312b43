import { Stripe } from 'stripe';
import { FAILURES, PspError, type PspErrorReason } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';

/** Matches keys and signing secrets, because a message of the provider may quote them. */
const SECRET = /\b(?:[sr]k_(?:live|test)|whsec)_[\w*]+/g;

/** Turns an SDK error into a `PspError` that is safe to show and to log. */
export function toPspError(error: unknown): PspError {
  if (error instanceof PspError) return error;
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const reason = reasonOf(error);
  return new PspError({
    reason,
    said: messageOf(reason, error),
    providerCode: error.code,
    param: error.param,
    requestId: error.requestId,
    replayed: error.headers?.['idempotent-replayed'] === 'true',
  });
}

function reasonOf(error: Stripe.errors.StripeError): PspErrorReason {
  if (error instanceof Stripe.errors.StripeConnectionError) return timedOut(error) ? 'timeout' : 'unreachable';
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'authentication';
  if (error instanceof Stripe.errors.StripePermissionError) return 'permission';
  if (error instanceof Stripe.errors.StripeRateLimitError) return 'rate_limited';
  // 409: a request with the same idempotency key is still running.
  const status = error.statusCode;
  if (status === undefined || status >= 500 || status === 409) return 'unavailable';
  return status === 404 || error.code === 'resource_missing' ? 'not_found' : 'rejected';
}

function timedOut(error: Stripe.errors.StripeConnectionError): boolean {
  return typeof error.detail === 'object' && 'code' in error.detail && error.detail.code === 'ETIMEDOUT';
}

/** Our own messages do not describe the SDK and do not quote the key. Stripe's message about a permission names it. */
function messageOf(reason: PspErrorReason, error: Stripe.errors.StripeError): PspError['said'] {
  if (reason === 'authentication') return SOURCE_REASONS.secret_key_not_accepted;
  const own = reason === 'permission' ? undefined : FAILURES[reason];
  return own ?? SOURCE_REASONS.provider_said({ words: error.message.replace(SECRET, '[redacted]') });
}
