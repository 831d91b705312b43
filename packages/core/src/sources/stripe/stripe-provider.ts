import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import type {
  Catalog,
  Codes,
  Endpoints,
  Metadata,
  MetadataOwner,
  NewCheckout,
  NewPromotionCode,
  ProviderCoupon,
  ProviderEndpoint,
  ProviderPrice,
  ProviderPromotionCode,
  TestCheckout,
} from '../port/capabilities.ts';
import { changesIn, type ListPage, type ReadPage } from '../port/changes.ts';
import type { Changes, CompletionScope, ConnectionSettings, ProviderAccount, SourceAccess } from '../port/port.ts';
import { onReason, PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import { completeEvent } from './assembly/complete-event.ts';
import { checkoutSessionFact } from './facts/checkout-session.ts';
import { redemptionsOfSubscription } from './facts/customer.ts';
import { invoicePaymentObject, normalizeInvoicePayments, promotionCodesOfInvoice } from './facts/invoice.ts';
import { listedCheckoutLines, listedInvoiceLines } from './facts/lines.ts';
import { PERMISSIONS, type PermissionPurpose, type ProviderPermission } from './permissions.ts';
import { couponSchema, promotionCodeSchema, priceSchema } from './promotion-code.ts';
import { HANDLED_EVENT_TYPES, missingTypes, readProviderEvent } from './read-event.ts';
import { toPspError } from './stripe-errors.ts';
import { toProviderAmount } from './values/minor-unit.ts';
import type { CheckoutCompleted, InvoicePayment, ProviderEvent, ProviderLine, Redemption } from './values/provider-event.ts';
import { name, optionalCurrency, reference, text } from './values/provider-object.ts';

/** The provider's maximum page size. */
const PAGE = 100;

/** Maximum number of records that a listing reads from the provider. */
const LIST_CAP = 1000;

/**
 * Options for idempotent requests, which the SDK may repeat. A creation has our idempotency key instead, and its caller decides whether to
 * repeat it.
 */
const REPEATABLE = { maxNetworkRetries: 2 };

const accountSchema = z.object({
  id: z.string(),
  country: text,
  default_currency: optionalCurrency,
  business_profile: z.object({ name: text }).nullish(),
  settings: z.object({ dashboard: z.object({ display_name: text }).nullish() }).nullish(),
});

type EventTypes = Stripe.WebhookEndpointCreateParams.EnabledEvent[];
const HANDLED = [...HANDLED_EVENT_TYPES] as EventTypes;

/** Key of the metadata of an endpoint that name the account for which this service created it. */
const CREATED_FOR = 'affiliate_account';

const endpointSchema = z
  .object({
    id: name,
    url: z.string(),
    status: z.string(),
    enabled_events: z.array(z.string()),
    api_version: text,
    metadata: z.record(z.string(), z.string()).nullish(),
  })
  .transform(({ id, url, status, enabled_events, api_version, metadata }): ProviderEndpoint => ({
    id,
    url,
    createdFor: metadata?.[CREATED_FOR] ?? null,
    isEnabled: status === 'enabled',
    eventTypes: enabled_events,
    apiVersion: api_version,
  }));

/** A customer or an invoice. A deleted customer has no metadata. */
const metadataOwner = z.object({ deleted: z.boolean().default(false), metadata: z.record(z.string(), z.string()).nullish() });

const openedCheckout = z.object({ url: z.url() });

const createdEndpoint = z.object({ id: name, secret: z.string().min(1) });

/** Access to a Stripe account with the SDK and one secret key. */
export class StripeProvider implements SourceAccess<ProviderEvent>, Codes, Catalog, Metadata, TestCheckout, Endpoints {
  readonly codes: Codes = this;
  readonly catalog: Catalog = this;
  readonly metadata: Metadata = this;
  readonly testCheckout: TestCheckout = this;
  readonly endpoints: Endpoints = this;
  readonly #connect: () => Stripe;
  #connected: Stripe | undefined;
  readonly #deadlineMs: number;
  readonly #settings: ConnectionSettings;
  readonly #livemode: boolean;

  /**
   * @param connect creates the SDK's client. Called on the first request, because most events need no request to the provider
   * @param options.deadlineMs time-out of a whole call, including retries. The SDK's own time-out only limits the time without any data
   */
  constructor(
    connect: () => Stripe,
    { deadlineMs, settings, livemode }: { deadlineMs: number; settings: ConnectionSettings; livemode: boolean },
  ) {
    this.#connect = connect;
    this.#deadlineMs = deadlineMs;
    this.#settings = settings;
    this.#livemode = livemode;
  }

  get #stripe(): Stripe {
    return (this.#connected ??= this.#connect());
  }

  account(): Promise<ProviderAccount> {
    return this.#call(async () => {
      const account = accountSchema.parse(await this.#stripe.accounts.retrieveCurrent({}, REPEATABLE));
      return {
        id: account.id,
        name: account.settings?.dashboard?.display_name ?? account.business_profile?.name ?? null,
        country: account.country,
        defaultCurrency: account.default_currency,
      };
    });
  }

  async missingPermissions(purposes: readonly PermissionPurpose[]): Promise<ProviderPermission[]> {
    const probes = PERMISSIONS.filter(({ purpose }) => purposes.includes(purpose)).map(async ({ probe, ...permission }) => {
      try {
        await this.#call(() => probe(this.#stripe));
        return [];
      } catch (error) {
        if (!(error instanceof PspError)) throw error;
        if (error.reason === 'permission') return [permission];
        if (error.reason === 'not_found' || error.reason === 'rejected') return [];
        throw error;
      }
    });
    return (await Promise.all(probes)).flat();
  }

  allEndpoints(): Promise<ProviderEndpoint[]> {
    return this.#call(async () => {
      const found = await this.#stripe.webhookEndpoints.list({ limit: PAGE }, REPEATABLE).autoPagingToArray({ limit: LIST_CAP });
      return z.array(endpointSchema).parse(found);
    });
  }

  createEndpoint(
    { url, createdFor }: { url: string; createdFor: string },
    idempotencyKey: string,
  ): Promise<{ id: string; secret: string }> {
    return this.#call(async () => {
      const created = await this.#stripe.webhookEndpoints.create(
        {
          url,
          enabled_events: HANDLED,
          api_version: this.#stripe.getApiField('version') as typeof Stripe.API_VERSION,
          description: 'Affiliate program',
          metadata: { [CREATED_FOR]: createdFor },
        },
        { idempotencyKey },
      );
      return createdEndpoint.parse(created);
    });
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const endpoint = (await this.allEndpoints()).find((each) => each.id === id);
    if (!endpoint || (endpoint.isEnabled && missingTypes(endpoint.eventTypes).length === 0)) return false;
    await this.#repairEndpoint(endpoint);
    return true;
  }

  #repairEndpoint({ id, eventTypes }: ProviderEndpoint): Promise<void> {
    return this.#call(async () => {
      const missing = missingTypes(eventTypes);
      const enabled_events = [...eventTypes, ...missing] as EventTypes;
      await this.#stripe.webhookEndpoints.update(id, { disabled: false, enabled_events }, REPEATABLE);
    });
  }

  deleteEndpoint(id: string): Promise<void> {
    return this.#call(async () => void (await this.#stripe.webhookEndpoints.del(id, {}, REPEATABLE)));
  }

  promotionCode(id: string): Promise<ProviderPromotionCode> {
    return this.#call(async () => promotionCodeSchema.parse(await this.#stripe.promotionCodes.retrieve(id, {}, REPEATABLE)));
  }

  promotionCodesByCode(code: string): Promise<ProviderPromotionCode[]> {
    return this.#call(async () => {
      const found = await this.#stripe.promotionCodes
        .list({ code, limit: PAGE }, REPEATABLE)
        .autoPagingToArray({ limit: LIST_CAP });
      return z.array(promotionCodeSchema).parse(found);
    });
  }

  createPromotionCode(input: NewPromotionCode, idempotencyKey: string): Promise<ProviderPromotionCode> {
    return this.#call(async () =>
      promotionCodeSchema.parse(
        await this.#stripe.promotionCodes.create(
          { code: input.code, promotion: { type: 'coupon', coupon: input.couponId }, metadata: input.metadata },
          { idempotencyKey },
        ),
      ),
    );
  }

  setPromotionCodeActive(id: string, active: boolean): Promise<ProviderPromotionCode> {
    return this.#call(async () =>
      promotionCodeSchema.parse(await this.#stripe.promotionCodes.update(id, { active }, REPEATABLE)),
    );
  }

  coupon(id: string): Promise<ProviderCoupon> {
    return this.#call(async () => couponSchema.parse(await this.#stripe.coupons.retrieve(id, {}, REPEATABLE)));
  }

  validCoupons(): Promise<ProviderCoupon[]> {
    return this.#call(async () => {
      const found = await this.#stripe.coupons.list({ limit: PAGE }, REPEATABLE).autoPagingToArray({ limit: LIST_CAP });
      return z
        .array(couponSchema)
        .parse(found)
        .filter((coupon) => coupon.valid);
    });
  }

  prices(): Promise<ProviderPrice[]> {
    return this.#prices(['data.product']).catch(onReason(['permission'], () => this.#prices([])));
  }

  #prices(expand: string[]): Promise<ProviderPrice[]> {
    return this.#call(async () => {
      const found = await this.#stripe.prices.list({ limit: PAGE, expand }, REPEATABLE).autoPagingToArray({ limit: LIST_CAP });
      return z.array(priceSchema).parse(found);
    });
  }

  invoicePayments(invoiceId: string): Promise<InvoicePayment[]> {
    return this.#call(async () => {
      const list = (expand: string[]) =>
        this.#stripe.invoicePayments
          .list({ invoice: invoiceId, status: 'paid', limit: PAGE, expand }, REPEATABLE)
          .autoPagingToArray({ limit: LIST_CAP });
      const found = await list(['data.payment.payment_intent']).catch((error: unknown) => {
        if (toPspError(error).reason === 'permission') return list([]);
        throw error;
      });
      return normalizeInvoicePayments(z.array(invoicePaymentObject).parse(found));
    });
  }

  promotionCodesOfInvoice(invoiceId: string): Promise<string[]> {
    return this.#call(async () => {
      const expand = ['discounts', 'total_discount_amounts.discount'];
      return promotionCodesOfInvoice.parse(await this.#stripe.invoices.retrieve(invoiceId, { expand }, REPEATABLE));
    });
  }

  linesOfInvoice(invoiceId: string): Promise<ProviderLine[]> {
    return this.#call(async () => {
      const expand = ['data.pricing.price_details.price'];
      const found = await this.#stripe.invoices
        .listLineItems(invoiceId, { limit: PAGE, expand }, REPEATABLE)
        .autoPagingToArray({ limit: LIST_CAP });
      return listedInvoiceLines.parse(found);
    });
  }

  linesOfCheckout(sessionId: string): Promise<ProviderLine[]> {
    return this.#call(async () => {
      const found = await this.#stripe.checkout.sessions
        .listLineItems(sessionId, { limit: PAGE }, REPEATABLE)
        .autoPagingToArray({ limit: LIST_CAP });
      return listedCheckoutLines.parse(found);
    });
  }

  redemptionsOfSubscription(subscriptionId: string): Promise<Redemption[]> {
    return this.#call(async () =>
      redemptionsOfSubscription.parse(
        await this.#stripe.subscriptions.retrieve(subscriptionId, { expand: ['discounts'] }, REPEATABLE),
      ),
    );
  }

  invoiceOfPaymentIntent(paymentIntentId: string): Promise<string | null> {
    return this.#call(async () => {
      const { data } = await this.#stripe.invoicePayments.list(
        { payment: { type: 'payment_intent', payment_intent: paymentIntentId }, limit: 1 },
        REPEATABLE,
      );
      return data[0] ? reference.parse(data[0].invoice) : null;
    });
  }

  checkoutOfSubscription(subscriptionId: string): Promise<CheckoutCompleted | null> {
    return this.#call(async () => {
      const { data } = await this.#stripe.checkout.sessions.list(
        { subscription: subscriptionId, status: 'complete', limit: 1 },
        REPEATABLE,
      );
      return data[0] ? checkoutSessionFact.parse(data[0]) : null;
    });
  }

  openCheckout({ reference: named, customerEmail, amount, currency, successUrl }: NewCheckout, idempotencyKey: string) {
    return this.#call(async () => {
      const price_data = {
        currency: currency.toLowerCase(),
        unit_amount: toProviderAmount(amount, currency),
        product_data: { name: 'Test purchase' },
      };
      const session = await this.#stripe.checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [{ quantity: 1, price_data }],
          client_reference_id: named,
          customer_email: customerEmail,
          success_url: successUrl,
        },
        { idempotencyKey },
      );
      return openedCheckout.parse(session);
    });
  }

  readMetadata({ kind, id }: MetadataOwner): Promise<Record<string, string>> {
    return this.#call(async () => {
      const found =
        kind === 'customer'
          ? this.#stripe.customers.retrieve(id, {}, REPEATABLE)
          : this.#stripe.invoices.retrieve(id, {}, REPEATABLE);
      const { deleted, metadata } = metadataOwner.parse(await found);
      if (deleted) throw new PspError({ reason: 'not_found', said: SOURCE_REASONS.deleted_at_provider({ kind, id }) });
      return metadata ?? {};
    });
  }

  writeMetadata({ kind, id }: MetadataOwner, metadata: Record<string, string>, idempotencyKey: string): Promise<void> {
    return this.#call(async () => {
      if (kind === 'customer') await this.#stripe.customers.update(id, { metadata }, { idempotencyKey });
      else await this.#stripe.invoices.update(id, { metadata }, { idempotencyKey });
    });
  }

  complete(of: CompletionScope, event: ProviderEvent, hasWaited: boolean): Promise<ProviderEvent> {
    return completeEvent(of, this, event, hasWaited);
  }

  look({ id }: ProviderEvent): Promise<ProviderEvent> {
    return this.#call(async () => readProviderEvent(await this.#stripe.events.retrieve(id, {}, REPEATABLE), this.#settings));
  }

  /** Iterates over the events of handled types that Stripe could not deliver. Stripe keeps events for 30 days. */
  since(since: Date, from?: string): AsyncIterable<Changes<ProviderEvent>> {
    return changesIn([(place) => this.#undelivered(since, place)], from);
  }

  #undelivered(since: Date, startingAfter: string | null): Promise<ListPage<ProviderEvent>> {
    return this.#call(async () => {
      const { data, has_more } = await this.#stripe.events.list(
        {
          types: [...HANDLED_EVENT_TYPES],
          delivery_success: false,
          created: { gte: Math.floor(since.getTime() / 1000) },
          limit: PAGE,
          ...(startingAfter !== null && { starting_after: startingAfter }),
        },
        REPEATABLE,
      );
      const items = data.map((event) => readProviderEvent(event, this.#settings));
      return { items, page: startingAfter ?? '', next: has_more ? (items.at(-1)?.id ?? null) : null };
    });
  }

  /**
   * Iterates over the objects that were made since a time, as events that tell each of them as it is now, because Stripe keeps events for 30 days only.
   * Invoices come before charges, so that Stripe is not asked for the invoice of each charge.
   */
  history(at: Date, from?: string): AsyncIterable<Changes<ProviderEvent>> {
    const created = { gte: Math.floor(at.getTime() / 1000) };
    const { subscriptions, checkout, invoices, charges, refunds, disputes, creditNotes } = this.#stripe;
    const lists: ReadPage<ProviderEvent>[] = [
      this.#told('customer.subscription.created', (page) => subscriptions.list({ created, status: 'all', ...page }, REPEATABLE)),
      this.#told('checkout.session.completed', (page) =>
        checkout.sessions.list({ created, status: 'complete', ...page }, REPEATABLE),
      ),
      this.#told(
        'invoice.paid',
        (page) => invoices.list({ created, status: 'paid', ...page }, REPEATABLE),
        (invoice) => invoice.status_transitions.paid_at ?? invoice.created,
      ),
      this.#told(
        'charge.succeeded',
        (page) => charges.list({ created, ...page }, REPEATABLE),
        (charge) => (charge.status === 'succeeded' ? charge.created : null),
      ),
      this.#told('refund.updated', (page) => refunds.list({ created, ...page }, REPEATABLE)),
      this.#told('charge.dispute.updated', (page) => disputes.list({ created, ...page }, REPEATABLE)),
      this.#told('credit_note.updated', (page) => creditNotes.list({ created, ...page }, REPEATABLE)),
    ];
    return changesIn(lists, from);
  }

  /**
   * Reads pages of a list as events of a type.
   *
   * @param timeOf time of the event in seconds; null for an object that is left out
   */
  #told<Told extends { id: string; created: number }>(
    type: string,
    list: (page: { limit: number; starting_after?: string }) => Promise<{ data: Told[]; has_more: boolean }>,
    timeOf: (object: Told) => number | null = ({ created }) => created,
  ): ReadPage<ProviderEvent> {
    return (place) =>
      this.#call(async () => {
        const { data, has_more } = await list({ limit: PAGE, ...(place !== null && { starting_after: place }) });
        const items = data.flatMap((object) => {
          const at = timeOf(object);
          return at === null ? [] : [this.#eventOf(type, object, at)];
        });
        return { items, page: place ?? '', next: has_more ? (data.at(-1)?.id ?? null) : null };
      });
  }

  /** Returns an event about an object. The same state of the object is the same event. */
  #eventOf(type: string, object: { id: string }, created: number): ProviderEvent {
    const state = createHash('sha256').update(JSON.stringify(object)).digest('hex').slice(0, 16);
    const account = this.#settings['connected_account_id'] ?? null;
    const event = {
      id: `${object.id}:${state}`,
      object: 'event',
      type,
      created,
      livemode: this.#livemode,
      account,
      data: { object },
    };
    return readProviderEvent(event, this.#settings);
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    const deadline = AbortSignal.timeout(this.#deadlineMs);
    const expired = new Promise<never>((_, reject) => {
      deadline.addEventListener('abort', () =>
        reject(new PspError({ reason: 'timeout', said: SOURCE_REASONS.provider_timeout })),
      );
    });
    try {
      return await Promise.race([work(), expired]);
    } catch (error) {
      // An unexpected response, e.g. an error page of a proxy, does not show whether the request took effect. `unavailable` means that the
      // outcome is unknown.
      if (error instanceof z.ZodError)
        throw new PspError({ reason: 'unavailable', said: SOURCE_REASONS.provider_answer_unreadable });
      throw toPspError(error);
    }
  }
}
