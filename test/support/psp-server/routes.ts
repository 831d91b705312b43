import type { Stripe } from 'stripe';
import { ApiError, invalidRequest } from './api-error.ts';
import { listParam, nestedParam, textParam, type Params } from './form.ts';
import { listPage } from './list.ts';
import { checkoutSession } from './objects/checkout-session.ts';
import { legacyPromotionCode, type LegacyPromotionCode } from './objects/legacy.ts';
import { couponIdOf, type ProviderRecords } from './provider-records.ts';

export interface RouteRequest {
  method: string;
  path: string;
  params: Params;
  /** Date in the `Stripe-Version` header, which decides the form of objects. */
  apiVersion: string;
  records: ProviderRecords;
  /** Address of this server, at which customers pay. */
  origin: string;
}

/** Answers the part of the API that the service uses. Refuses an unknown address as the provider does. */
export function route(request: RouteRequest): object {
  const [, , resource = '', id, ...rest] = request.path.replace('/checkout/sessions', '/checkout_sessions').split('/');
  const answer =
    rest.length === 0
      ? handle(request, `${request.method} ${resource}${id ? '/:id' : ''}`, id ?? '')
      : handleNested(request, `${request.method} ${[resource, ...rest].join('/')}`, id ?? '');
  if (!answer) {
    throw new ApiError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${request.method}: ${request.path}).`,
    });
  }
  return answer;
}

function handle(request: RouteRequest, pattern: string, id: string): object | undefined {
  const { records, params } = request;
  switch (pattern) {
    case 'GET account':
      return records.account;
    case 'GET coupons':
      return listPage(records.coupons.toReversed(), params, '/v1/coupons');
    case 'GET coupons/:id':
      return records.coupon(id);
    case 'GET promotion_codes':
      return listPromotionCodes(request);
    case 'GET promotion_codes/:id':
      return render(request, records.promotionCode(id));
    case 'POST promotion_codes':
      return render(request, createPromotionCode(request));
    case 'POST promotion_codes/:id':
      return render(request, updatePromotionCode(request, id));
    case 'GET webhook_endpoints':
      return listPage(records.webhookEndpoints.toReversed(), params, '/v1/webhook_endpoints');
    case 'POST webhook_endpoints':
      return createWebhookEndpoint(request);
    case 'POST webhook_endpoints/:id':
      return updateWebhookEndpoint(request, id);
    case 'DELETE webhook_endpoints/:id':
      return records.deleteWebhookEndpoint(id);
    case 'GET invoices':
      return listPage(madeSince(request, records.invoices, 'paid'), params, '/v1/invoices');
    case 'GET subscriptions':
      return listPage(madeSince(request, records.subscriptions), params, '/v1/subscriptions');
    case 'GET charges':
      return listPage(madeSince(request, records.charges), params, '/v1/charges');
    case 'GET refunds':
      return listPage(madeSince(request, records.refunds), params, '/v1/refunds');
    case 'GET disputes':
      return listPage(madeSince(request, records.disputes), params, '/v1/disputes');
    case 'GET credit_notes':
      return listPage(madeSince(request, records.creditNotes), params, '/v1/credit_notes');
    case 'GET invoices/:id':
      return expandDiscounts(request, records.invoice(id));
    case 'POST checkout_sessions':
      return openCheckout(request);
    case 'POST invoices/:id':
      return updateMetadata(request, records.invoice(id));
    case 'GET customers/:id':
      return records.customer(id);
    case 'POST customers/:id':
      return updateMetadata(request, records.customer(id));
    case 'GET subscriptions/:id':
      return expandDiscounts(request, records.subscription(id));
    case 'GET prices':
      return listPage(pricesIn(request), params, '/v1/prices');
    case 'GET checkout_sessions':
      return listCheckoutSessions(request);
    case 'GET invoice_payments':
      return listInvoicePayments(request);
    case 'GET events':
      return listEvents(request);
    default:
      return undefined;
  }
}

/** Returns the records of a list, newest first, within `created` and, where the list has the filter, with the status. */
function madeSince<T extends { created: number; status?: string | null }>(
  { params }: RouteRequest,
  records: readonly T[],
  status?: string,
): T[] {
  const since = Number(textParam(nestedParam(params, 'created'), 'gte') ?? 0);
  const isAsked = textParam(params, 'status') === status ? (each: T) => each.status === status : () => true;
  return records
    .filter((each) => each.created >= since && (status === undefined || isAsked(each)))
    .toSorted((one, other) => other.created - one.created);
}

/** Answers addresses below a record. */
function handleNested({ path, params, records }: RouteRequest, pattern: string, id: string): object | undefined {
  const expand = listParam(params, 'expand');
  if (pattern === 'GET invoices/lines') {
    const { data } = records.invoice(id).lines;
    return listPage(
      expand.includes('data.pricing.price_details.price') ? data.map((line) => withPrice(line, records)) : data,
      params,
      path,
    );
  }
  return pattern === 'GET checkout_sessions/line_items' ? listPage(records.checkoutLines.get(id) ?? [], params, path) : undefined;
}

function withPrice(line: Stripe.InvoiceLineItem, { prices }: ProviderRecords): Stripe.InvoiceLineItem {
  const details = line.pricing?.price_details;
  if (!line.pricing || !details) return line;
  const found = prices.find(({ id }) => id === details.price) ?? details.price;
  return { ...line, pricing: { ...line.pricing, price_details: { ...details, price: found } } };
}

function pricesIn({ params, records }: RouteRequest): Stripe.Price[] {
  const isExpanded = listParam(params, 'expand').includes('data.product');
  const productOf = (price: Stripe.Price) => records.products.find(({ id }) => id === price.product) ?? price.product;
  return records.prices.toReversed().map((price) => (isExpanded ? { ...price, product: productOf(price) } : price));
}

function isLegacy(request: RouteRequest): boolean {
  return request.apiVersion.slice(0, 10) < '2025-09-30';
}

function render(request: RouteRequest, code: Stripe.PromotionCode): Stripe.PromotionCode | LegacyPromotionCode {
  if (isLegacy(request)) return legacyPromotionCode(code, request.records.coupon(couponIdOf(code)));
  if (!listParam(request.params, 'expand').some((path) => /^(data\.)?promotion\.coupon$/.test(path))) return code;
  return { ...code, promotion: { ...code.promotion, coupon: request.records.coupon(couponIdOf(code)) } };
}

function listPromotionCodes(request: RouteRequest): object {
  const { params, records } = request;
  const code = textParam(params, 'code')?.toLowerCase();
  const coupon = textParam(params, 'coupon');
  const active = textParam(params, 'active');
  const matching = records.promotionCodes.filter(
    (candidate) =>
      (code === undefined || candidate.code.toLowerCase() === code) &&
      (coupon === undefined || couponIdOf(candidate) === coupon) &&
      (active === undefined || String(candidate.active) === active),
  );
  const page = listPage(matching.toReversed(), params, '/v1/promotion_codes');
  return { ...page, data: page.data.map((entry) => render(request, entry)) };
}

/** Creates a code. In API versions before 2025-09-30, the coupon is a separate parameter. In later versions it is part of `promotion`. */
function createPromotionCode(request: RouteRequest): Stripe.PromotionCode {
  const { params, records } = request;
  const promotion = nestedParam(params, 'promotion');
  const coupon = isLegacy(request) ? textParam(params, 'coupon') : textParam(promotion, 'coupon');
  if (!coupon) {
    const missing = isLegacy(request) ? 'coupon' : 'promotion';
    throw invalidRequest(`Missing required param: ${missing}.`, { code: 'parameter_missing', param: missing });
  }
  const code = textParam(params, 'code') ?? crypto.randomUUID().slice(0, 8).toUpperCase();
  return records.createPromotionCode({ code, coupon, metadata: metadataParam(params) });
}

function updatePromotionCode(request: RouteRequest, id: string): Stripe.PromotionCode {
  const active = textParam(request.params, 'active');
  return active === undefined ? request.records.promotionCode(id) : request.records.setActive(id, active === 'true');
}

function createWebhookEndpoint({ params, records }: RouteRequest): Stripe.WebhookEndpoint {
  const url = textParam(params, 'url');
  if (!url) throw invalidRequest('Missing required param: url.', { code: 'parameter_missing', param: 'url' });
  return records.createWebhookEndpoint({
    url,
    enabled_events: listParam(params, 'enabled_events'),
    api_version: textParam(params, 'api_version') ?? null,
    description: textParam(params, 'description') ?? null,
    metadata: metadataParam(params),
  });
}

function updateWebhookEndpoint({ params, records }: RouteRequest, id: string): Stripe.WebhookEndpoint {
  const enabled_events = listParam(params, 'enabled_events');
  const disabled = textParam(params, 'disabled');
  return records.updateWebhookEndpoint(id, {
    ...(enabled_events.length > 0 && { enabled_events }),
    ...(disabled !== undefined && { disabled: disabled === 'true' }),
  });
}

/** Opens a checkout of a one-off payment with its prices in the request. */
function openCheckout({ params, records, origin }: RouteRequest): Stripe.Checkout.Session {
  if (textParam(params, 'mode') !== 'payment') throw invalidRequest('Missing required param: mode.', { param: 'mode' });
  const item = nestedParam(nestedParam(params, 'line_items'), '0');
  const price = nestedParam(item, 'price_data');
  const amount = Number(textParam(price, 'unit_amount'));
  const currency = textParam(price, 'currency') ?? '';
  if (!(amount > 0)) throw invalidRequest('Invalid integer: unit_amount', { param: 'line_items[0][price_data][unit_amount]' });
  if (!/^[a-z]{3}$/.test(currency)) throw invalidRequest('Invalid currency', { param: 'line_items[0][price_data][currency]' });
  const reference = textParam(params, 'client_reference_id') ?? null;
  if (reference !== null && !/^[\w-]{1,200}$/.test(reference))
    throw invalidRequest('Invalid client_reference_id', { param: 'client_reference_id' });
  const session = checkoutSession({
    amount_total: amount,
    currency,
    client_reference_id: reference,
    customer_email: textParam(params, 'customer_email') ?? null,
    customer_details: null,
    status: 'open',
    payment_status: 'unpaid',
    success_url: textParam(params, 'success_url') ?? null,
    livemode: records.livemode,
  });
  records.checkoutSessions.push({ ...session, url: `${origin}/pay/${session.id}` });
  return records.checkoutSessions.at(-1)!;
}

/** Changes the named entries of the metadata. An empty value removes the entry. */
function updateMetadata<T extends Stripe.Invoice | Stripe.Customer>({ params }: RouteRequest, object: T): T {
  const metadata = { ...object.metadata, ...metadataParam(params) };
  object.metadata = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== ''));
  return object;
}

function metadataParam(params: Params): Record<string, string> {
  const entries = Object.entries(nestedParam(params, 'metadata'));
  return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === 'string' ? value : '']));
}

/** Replaces ids of discounts by the discounts where the request expands them. */
function expandDiscounts<T extends Stripe.Invoice | Stripe.Subscription>({ params, records }: RouteRequest, object: T): T {
  const paths = listParam(params, 'expand');
  const expanded = <D>(discount: D) => (typeof discount === 'string' ? records.discount(discount) : discount);
  const applied = 'total_discount_amounts' in object ? (object.total_discount_amounts ?? []) : [];
  return {
    ...object,
    ...(paths.includes('discounts') && { discounts: object.discounts.map(expanded) }),
    ...(paths.includes('total_discount_amounts.discount') && {
      total_discount_amounts: applied.map((entry) => ({ ...entry, discount: expanded(entry.discount) })),
    }),
  };
}

function listCheckoutSessions({ params, records }: RouteRequest): object {
  const subscription = textParam(params, 'subscription');
  const status = textParam(params, 'status');
  const since = Number(textParam(nestedParam(params, 'created'), 'gte') ?? 0);
  const matching = records.checkoutSessions.filter(
    (session) =>
      session.created >= since &&
      (subscription === undefined || session.subscription === subscription) &&
      (status === undefined || session.status === status),
  );
  return listPage(matching.toReversed(), params, '/v1/checkout/sessions');
}

function listInvoicePayments({ params, records }: RouteRequest): object {
  const invoice = textParam(params, 'invoice');
  const paymentIntent = textParam(nestedParam(params, 'payment'), 'payment_intent');
  const status = textParam(params, 'status');
  const matching = records.invoicePayments.filter(
    (payment) =>
      (invoice === undefined || payment.invoice === invoice) &&
      (paymentIntent === undefined || payment.payment.payment_intent === paymentIntent) &&
      (status === undefined || payment.status === status),
  );
  const isExpanded = listParam(params, 'expand').includes('data.payment.payment_intent');
  const shown = isExpanded ? matching.map((each) => withPaymentIntent(each, records)) : matching;
  return listPage(shown.toReversed(), params, '/v1/invoice_payments');
}

function withPaymentIntent(each: Stripe.InvoicePayment, { charges }: ProviderRecords): { id: string } {
  const { payment_intent: id } = each.payment;
  if (typeof id !== 'string') return each;
  const latest_charge = charges.findLast((charge) => charge.payment_intent === id)?.id ?? null;
  return { ...each, payment: { ...each.payment, payment_intent: { id, object: 'payment_intent', latest_charge } } } as {
    id: string;
  };
}

function listEvents({ params, records }: RouteRequest): object {
  const types = listParam(params, 'types');
  const since = Number(textParam(nestedParam(params, 'created'), 'gte') ?? 0);
  const delivered = textParam(params, 'delivery_success');
  const matching = records.events
    .filter((entry) => types.length === 0 || types.includes(entry.event.type))
    .filter((entry) => entry.event.created >= since)
    .filter((entry) => delivered === undefined || String(entry.delivered) === delivered)
    .map((entry) => entry.event);
  return listPage(matching.toReversed(), params, '/v1/events');
}
