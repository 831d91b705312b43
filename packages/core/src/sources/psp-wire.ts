/** The `psp` of the wire: the account's oldest connection to Stripe. */
import type { Services } from '../platform/call/context.ts';
import type { Source } from './port/port.ts';
import { STRIPE } from './stripe/values/names.ts';

export { findPspConnection } from './stripe/settings/find-psp-connection.ts';
export { getEndpointStatus } from './stripe/settings/endpoint-status.ts';
export * from './stripe/settings/psp-connection.schema.ts';
export * from './stripe/settings/psp-connection.service.ts';

/** True for the kind of source whose ids the wire shows in the fields `psp_*`. */
export function isPsp(source: string): boolean {
  return source === STRIPE;
}

export function pspSource({ sources }: Pick<Services, 'sources'>): Source {
  return sources.get(STRIPE)!;
}

/** The line of code that names the referral, by the way in which the customer pays. */
export const NAMING_LINES = {
  payment_link: 'https://buy.stripe.com/…?client_reference_id=${referralId}',
  checkout: 'stripe.checkout.sessions.create({ …, client_reference_id: referralId })',
  subscription: 'stripe.subscriptions.create({ …, metadata: { referral: referralId } })',
  invoice: 'stripe.invoices.create({ …, metadata: { referral: referralId } })',
  payment: 'stripe.paymentIntents.create({ …, metadata: { referral: referralId } })',
};
