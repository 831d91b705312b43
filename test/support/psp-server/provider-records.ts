import type { Stripe } from 'stripe';
import { invalidRequest, noSuch } from './api-error.ts';
import { account } from './objects/account.ts';
import type { WireEvent } from './objects/event.ts';
import { newId } from './objects/ids.ts';
import { promotionCode } from './objects/promotion.ts';
import { webhookEndpoint } from './objects/webhook-endpoint.ts';

/** The records of an account in one mode. They are stored in order of creation, and lists return them newest first. */
export class ProviderRecords {
  readonly account: Stripe.Account;
  readonly livemode: boolean;
  readonly coupons: Stripe.Coupon[] = [];
  readonly promotionCodes: Stripe.PromotionCode[] = [];
  readonly invoices: Stripe.Invoice[] = [];
  readonly invoicePayments: Stripe.InvoicePayment[] = [];
  readonly charges: Stripe.Charge[] = [];
  readonly refunds: Stripe.Refund[] = [];
  readonly disputes: Stripe.Dispute[] = [];
  readonly creditNotes: Stripe.CreditNote[] = [];
  readonly subscriptions: Stripe.Subscription[] = [];
  readonly prices: Stripe.Price[] = [];
  readonly products: Stripe.Product[] = [];
  /** Lines of checkouts, by the id of the checkout. */
  readonly checkoutLines = new Map<string, Stripe.LineItem[]>();
  readonly customers: Stripe.Customer[] = [];
  readonly checkoutSessions: Stripe.Checkout.Session[] = [];
  /** Discounts, which other objects refer to by their ids. The provider shows them only where they are expanded. */
  readonly discounts: Stripe.Discount[] = [];
  /** Signing secrets by endpoint. */
  readonly endpointSecrets = new Map<string, string>();
  readonly webhookEndpoints: Stripe.WebhookEndpoint[] = [];
  readonly events: { event: WireEvent; delivered: boolean }[] = [];

  constructor(livemode: boolean, fields: Partial<Stripe.Account> = {}) {
    this.livemode = livemode;
    this.account = account(fields);
  }

  coupon(id: string): Stripe.Coupon {
    const found = this.coupons.find((coupon) => coupon.id === id);
    if (!found) throw noSuch('coupon', id, 'coupon');
    return found;
  }

  invoice(id: string): Stripe.Invoice {
    const found = this.invoices.find((invoice) => invoice.id === id);
    if (!found) throw noSuch('invoice', id, 'invoice');
    return found;
  }

  customer(id: string): Stripe.Customer {
    const found = this.customers.find((customer) => customer.id === id);
    if (!found) throw noSuch('customer', id, 'id');
    return found;
  }

  subscription(id: string): Stripe.Subscription {
    const found = this.subscriptions.find((subscription) => subscription.id === id);
    if (!found) throw noSuch('subscription', id, 'subscription');
    return found;
  }

  webhookEndpoint(id: string): Stripe.WebhookEndpoint {
    const found = this.webhookEndpoints.find((endpoint) => endpoint.id === id);
    if (!found) throw noSuch('webhook endpoint', id, 'webhook_endpoint');
    return found;
  }

  /** Creates an endpoint. The provider shows its signing secret only now. */
  createWebhookEndpoint(
    fields: Pick<Stripe.WebhookEndpoint, 'url' | 'enabled_events' | 'api_version' | 'description' | 'metadata'>,
  ): Stripe.WebhookEndpoint {
    assertEndpoint(fields, this.livemode);
    if (this.webhookEndpoints.length >= MAX_ENDPOINTS)
      throw invalidRequest(
        `You have reached the maximum of ${MAX_ENDPOINTS} ${this.livemode ? 'live' : 'test'} webhook endpoints.`,
      );
    const created = webhookEndpoint({ ...fields, livemode: this.livemode });
    this.webhookEndpoints.push(created);
    const secret = `whsec_${newId('s').slice(2)}`;
    this.endpointSecrets.set(created.id, secret);
    return { ...created, secret };
  }

  updateWebhookEndpoint(id: string, changes: { enabled_events?: string[]; disabled?: boolean }): Stripe.WebhookEndpoint {
    const found = this.webhookEndpoint(id);
    if (changes.enabled_events) {
      assertEndpoint({ url: found.url, enabled_events: changes.enabled_events }, this.livemode);
      found.enabled_events = changes.enabled_events;
    }
    if (changes.disabled !== undefined) found.status = changes.disabled ? 'disabled' : 'enabled';
    return found;
  }

  deleteWebhookEndpoint(id: string): Stripe.DeletedWebhookEndpoint {
    this.webhookEndpoints.splice(this.webhookEndpoints.indexOf(this.webhookEndpoint(id)), 1);
    return { id, object: 'webhook_endpoint', deleted: true };
  }

  discount(id: string): Stripe.Discount {
    const found = this.discounts.find((discount) => discount.id === id);
    if (!found) throw noSuch('discount', id, 'discount');
    return found;
  }

  promotionCode(id: string): Stripe.PromotionCode {
    const found = this.promotionCodes.find((code) => code.id === id);
    if (!found) throw noSuch('promotion code', id, 'promotion_code');
    return found;
  }

  createPromotionCode(input: { code: string; coupon: string; metadata: Record<string, string> }): Stripe.PromotionCode {
    if (!this.coupon(input.coupon).valid) {
      throw invalidRequest('This coupon has expired or been fully redeemed.', { code: 'coupon_expired', param: 'coupon' });
    }
    if (!/^[A-Za-z0-9-]{1,500}$/.test(input.code)) throw invalidRequest('Invalid characters in code', { param: 'code' });
    if (this.promotionCodes.some((code) => code.active && code.code.toLowerCase() === input.code.toLowerCase())) {
      throw invalidRequest(`An active promotion code with \`code: ${input.code}\` already exists.`, { param: 'code' });
    }
    const created = promotionCode({
      code: input.code,
      livemode: this.livemode,
      metadata: input.metadata,
      promotion: { type: 'coupon', coupon: input.coupon },
    });
    this.promotionCodes.push(created);
    return created;
  }

  setActive(id: string, active: boolean): Stripe.PromotionCode {
    const found = this.promotionCode(id);
    if (active && !found.active && !this.coupon(couponIdOf(found)).valid) {
      throw invalidRequest('This promotion code cannot be reactivated.', { param: 'active' });
    }
    found.active = active;
    return found;
  }
}

/** The provider's maximum number of endpoints in one mode. */
const MAX_ENDPOINTS = 16;

function assertEndpoint({ url, enabled_events }: { url: string; enabled_events: string[] }, livemode: boolean): void {
  const { protocol } = URL.parse(url) ?? {};
  if (protocol !== 'https:' && (livemode || protocol !== 'http:'))
    throw invalidRequest('Invalid URL: URL must be publicly accessible and start with https.', {
      code: 'url_invalid',
      param: 'url',
    });
  if (enabled_events.length === 0)
    throw invalidRequest('Missing required param: enabled_events.', { code: 'parameter_missing', param: 'enabled_events' });
  const unknown = enabled_events.findIndex((type) => type !== '*' && !/^[a-z_]+(\.[a-z_]+)+$/.test(type));
  if (unknown >= 0) throw invalidRequest(`Invalid enabled_events[${unknown}]`, { param: `enabled_events[${unknown}]` });
}

export function couponIdOf(code: Stripe.PromotionCode): string {
  const { coupon } = code.promotion;
  return typeof coupon === 'string' ? coupon : (coupon?.id ?? '');
}
