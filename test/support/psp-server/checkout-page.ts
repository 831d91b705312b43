import type { Stripe } from 'stripe';
import { charge } from './objects/charge.ts';
import { checkoutCustomer } from './objects/checkout-session.ts';
import { wireEvent, type WireEvent } from './objects/event.ts';
import type { ProviderRecords } from './provider-records.ts';
import { sendEvent } from './send-event.ts';

/** Returns the page on which a customer pays. */
export function checkoutPage({ id, amount_total, currency, customer_email, status }: Stripe.Checkout.Session): string {
  const amount = `${((amount_total ?? 0) / 100).toFixed(2)} ${currency?.toUpperCase()}`;
  const form = `<form method="post"><p>Pay ${amount} as ${customer_email}</p><button>Pay</button></form>`;
  return `<!doctype html><html lang="en"><title>${id}</title><body>${status === 'open' ? form : '<p>Payment received</p>'}</body></html>`;
}

/** Pays a checkout of a one-off payment as a guest. Returns the events that the provider then sends, in its order. */
export function payCheckout(session: Stripe.Checkout.Session): WireEvent[] {
  const email = session.customer_email ?? '';
  const paid = charge({ amount: session.amount_total ?? 0, currency: session.currency ?? 'usd', livemode: session.livemode });
  paid.billing_details = { ...paid.billing_details, email };
  Object.assign(session, {
    status: 'complete',
    payment_status: 'paid',
    payment_intent: paid.payment_intent,
    customer_details: checkoutCustomer({ email }),
    url: null,
  });
  return [
    wireEvent('charge.succeeded', paid),
    wireEvent('payment_intent.succeeded', {
      id: paid.payment_intent,
      object: 'payment_intent',
      created: paid.created,
      customer: null,
      latest_charge: paid.id,
      metadata: {},
    }),
    wireEvent('checkout.session.completed', session),
  ];
}

/** Delivers events to the endpoints of an account as the provider does. `origin` is the address at which the service really listens. */
export async function deliverToEndpoints(records: ProviderRecords, origin: string, events: readonly WireEvent[]): Promise<void> {
  for (const { id, url, status, enabled_events: types } of records.webhookEndpoints) {
    const secret = records.endpointSecrets.get(id)!;
    const received = events.filter(({ type }) => status === 'enabled' && (types.includes('*') || types.includes(type)));
    for (const event of received) await sendEvent(origin + new URL(url).pathname, event, { secret });
  }
}
