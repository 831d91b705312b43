import type { Stripe } from 'stripe';
import { newId, nowSeconds } from './ids.ts';

export const NO_ADDRESS: Stripe.Address = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

export function customer(fields: Partial<Stripe.Customer> = {}): Stripe.Customer {
  return {
    id: newId('cus'),
    object: 'customer',
    address: NO_ADDRESS,
    balance: 0,
    created: nowSeconds(),
    currency: 'usd',
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: '7FE1103',
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    ...fields,
  };
}
