import type { Stripe } from 'stripe';

/** An id that no object has. A request for it is refused as missing if the key has the permission, and changes nothing. */
const NO_ID = 'permission_check';

interface Permission extends ProviderPermission {
  /** Sends a request that needs the permission. Writes name an object that does not exist. */
  probe: (stripe: Stripe) => Promise<unknown>;
}

/** The permissions that this service uses, apart from the one to identify the account of the key. */
export const PERMISSIONS: readonly Permission[] = [
  {
    resource: 'Webhook Endpoints',
    access: 'write',
    purpose: 'endpoint',
    probe: (stripe) => stripe.webhookEndpoints.update(`we_${NO_ID}`, { disabled: false }),
  },
  {
    resource: 'Invoices',
    access: 'read',
    purpose: 'events',
    probe: (stripe) => Promise.all([stripe.invoices.list({ limit: 1 }), stripe.invoicePayments.list({ limit: 1 })]),
  },
  {
    resource: 'Subscriptions',
    access: 'read',
    purpose: 'events',
    probe: (stripe) => stripe.subscriptions.list({ limit: 1 }),
  },
  { resource: 'Events', access: 'read', purpose: 'events', probe: (stripe) => stripe.events.list({ limit: 1 }) },
  {
    resource: 'Checkout Sessions',
    access: 'read',
    purpose: 'lines',
    probe: (stripe) => stripe.checkout.sessions.list({ limit: 1 }),
  },
  { resource: 'Prices', access: 'read', purpose: 'lines', probe: (stripe) => stripe.prices.list({ limit: 1 }) },
  { resource: 'Coupons', access: 'read', purpose: 'codes', probe: (stripe) => stripe.coupons.list({ limit: 1 }) },
  {
    resource: 'Promotion Codes',
    access: 'write',
    purpose: 'codes',
    probe: (stripe) => stripe.promotionCodes.update(`promo_${NO_ID}`, { active: false }),
  },
  {
    resource: 'Customers',
    access: 'write',
    purpose: 'write_back',
    probe: (stripe) => stripe.customers.update(`cus_${NO_ID}`, { metadata: {} }),
  },
  {
    resource: 'Invoices',
    access: 'write',
    purpose: 'write_back',
    probe: (stripe) => stripe.invoices.update(`in_${NO_ID}`, { metadata: {} }),
  },
];

/** The purpose of a permission of a restricted key. */
export const PERMISSION_PURPOSES = ['endpoint', 'events', 'lines', 'codes', 'write_back'] as const;
export type PermissionPurpose = (typeof PERMISSION_PURPOSES)[number];

/** A permission of a restricted key, in the words of the provider's dashboard. */
export interface ProviderPermission {
  resource: string;
  access: 'read' | 'write';
  purpose: PermissionPurpose;
}
