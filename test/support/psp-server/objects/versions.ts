import type { Stripe } from 'stripe';
import type { ProviderRecords } from '../provider-records.ts';
import { type EventFields, wireEvent, type WireEvent } from './event.ts';
import { newId, nowSeconds } from './ids.ts';
import { invoicePayment } from './invoice.ts';
import { legacyCharge, legacyInvoice } from './legacy.ts';

/** API versions of merchants' endpoints. */
export const API_VERSIONS = ['2022-11-15', '2024-06-20', '2025-09-30.clover'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

/** Fields of an invoice that are the same in every version. */
export interface PaidInvoice {
  invoice: Stripe.Invoice;
  /** Null for an invoice that was paid outside the provider, or of nothing. */
  paidBy: Stripe.Charge | null;
  /** Metadata of the invoice's subscription. */
  ofSubscription?: Record<string, string>;
}

/** Makes events with objects as the provider sends them to an endpoint of one API version. */
export class VersionedEvents {
  readonly version: ApiVersion;
  readonly #records: ProviderRecords;

  /** @param records where the provider stores what newer versions leave out of events */
  constructor(version: ApiVersion, records: ProviderRecords) {
    this.version = version;
    this.#records = records;
  }

  get #isLegacy(): boolean {
    return this.version < '2025-03-31';
  }

  event(type: string, object: object, fields: EventFields = {}): WireEvent {
    return wireEvent(type, object, { ...fields, apiVersion: this.version });
  }

  /** `charge.succeeded`. Only older versions name the invoice. */
  charged(of: Stripe.Charge, invoiceId: string | null = null): WireEvent {
    return this.event('charge.succeeded', this.#isLegacy ? legacyCharge(of, invoiceId) : of, { created: of.created });
  }

  /** `invoice.paid`. Newer versions leave out the payments, which the provider then lists. */
  paid({ invoice, paidBy, ofSubscription }: PaidInvoice): WireEvent {
    const created = invoice.status_transitions.paid_at ?? invoice.created;
    const subscription_details = ofSubscription && { metadata: ofSubscription };
    if (this.#isLegacy) {
      const tax = (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
      const { parent: _, ...object } = legacyInvoice(invoice, paidBy, tax, this.#records.prices);
      const paid_out_of_band = paidBy === null && invoice.amount_paid > 0;
      return this.event('invoice.paid', { ...object, paid_out_of_band, subscription_details }, { created });
    }
    this.#records.invoices.push(invoice);
    const payment = invoicePayment(invoice, (paidBy?.payment_intent ?? '') as string);
    const payment_record = newId('pr');
    if (paidBy) {
      this.#records.invoicePayments.push(payment);
      this.#records.charges.push(paidBy);
    } else if (invoice.amount_paid > 0)
      this.#records.invoicePayments.push({ ...payment, payment: { type: 'payment_record', payment_record } });
    const parent = subscription_details && { type: 'subscription_details', quote_details: null, subscription_details };
    return this.event('invoice.paid', { ...invoice, parent: parent ?? null }, { created });
  }

  /** `checkout.session.completed`. The oldest version has no `discounts`. */
  completed(session: Stripe.Checkout.Session, fields: EventFields = {}): WireEvent {
    const { discounts, ...object } = session;
    const isOldest = this.version === '2022-11-15';
    return this.event('checkout.session.completed', isOldest ? object : { ...object, discounts }, {
      created: session.created,
      ...fields,
    });
  }

  /** `customer.subscription.<change>`. Older versions have the predecessor of `discounts`, too. */
  subscription(change: 'created' | 'updated', object: object, fields: EventFields = {}): WireEvent {
    const told = this.#isLegacy ? { ...object, discount: null } : object;
    return this.event(`customer.subscription.${change}`, told, fields);
  }
}

/** A subscription, by default in a trial of 14 days. */
export function subscription(customerId: string, fields: object = {}) {
  return {
    id: newId('sub'),
    object: 'subscription',
    customer: customerId,
    status: 'trialing',
    trial_end: nowSeconds() + 14 * 86_400,
    created: nowSeconds(),
    livemode: false,
    discounts: [],
    metadata: {},
    ...fields,
  };
}
