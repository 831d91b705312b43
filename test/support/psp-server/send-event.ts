import { Stripe } from 'stripe';
import type { WireEvent } from './objects/event.ts';

export interface Signing {
  secret: string;
  /** Time of the signature, in seconds since the epoch. */
  timestamp?: number;
}

/** Returns the headers and the body of a delivery, signed like the provider's. */
export function signedDelivery(event: WireEvent, { secret, timestamp }: Signing) {
  // Indented like the provider's body, so that a receiver that verifies a re-serialized body fails.
  const body = JSON.stringify(event, null, 2);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, ...(timestamp && { timestamp }) });
  return { body, headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature } };
}

/** Delivers an event to an endpoint once. */
export function sendEvent(endpoint: string, event: WireEvent, signing: Signing): Promise<Response> {
  return fetch(endpoint, { method: 'POST', ...signedDelivery(event, signing) });
}
