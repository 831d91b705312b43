import { randomBytes } from 'node:crypto';
import type { WriteCtx } from '../../platform/call/context.ts';
import { plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { allOf, changesIn, type ListPage, OVERLAP_MS, recentOf } from '../port/changes.ts';
import { type ApiOptions, credentialsIn, JsonApi, parseAnswer } from '../port/json-api.ts';
import { accountInAddress, addressFor, withMissing } from '../port/own-endpoints.ts';
import type {
  Changes,
  CompletionScope,
  ConnectionSettings,
  Delivery,
  ProviderAccount,
  ProviderMode,
  Source,
  SourceAccess,
  Trust,
} from '../port/port.ts';
import { onReason, PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import type { Seen } from '../port/seen.ts';
import { verifyBodySignature } from '../port/standard-webhooks.ts';
import { keepCustomData } from './keep-custom-data.ts';
import {
  Answer,
  Endpoint,
  EVENT_TYPES,
  type Invoice,
  type Kind,
  LEMON_SQUEEZY,
  type LemonSqueezyEvent,
  Page,
  paymentsSeen,
  polledEvent,
  readMessage,
  RESOURCES,
  Store,
  type Subscription,
  User,
  type WholePayment,
} from './tell.ts';

const KEY = /^[A-Za-z0-9_.-]{20,4000}$/;
const STORE_ID = /^#?(\d{1,12})$/;
const HOST = 'https://api.lemonsqueezy.com';
const MEDIA_TYPE = 'application/vnd.api+json';
/** Lemon Squeezy accepts 300 requests in a minute. */
const PER_MINUTE = 240;
const PER_PAGE = 100;
/** Days for which the service looks at orders and invoices, because lists have no filter by the time of a change. */
const OPEN_DAYS = 90;
/** The longest secret that Lemon Squeezy takes has 40 characters. */
const SECRET_BYTES = 20;

const FIELDS = ['api_key', 'store_id'] as const;

/** Lemon Squeezy. Every event leads to its order or invoice, which is read as a whole, so that the order of events does not matter. */
export class LemonSqueezySource implements Source<LemonSqueezyEvent> {
  readonly kind = LEMON_SQUEEZY;
  readonly name = 'Lemon Squeezy';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = 'createCheckout(…, { checkoutData: { custom: { referral: referralId } } })';
  readonly fields = [
    { name: 'api_key', isSecret: true, placeholder: 'eyJ0…' },
    { name: 'store_id', isSecret: false, placeholder: '12345' },
  ];
  readonly createsEndpoint = true;
  readonly givesUpSoon = true;
  readonly read = readMessage;
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** A key is for all stores of a person. */
  async connect(credentials: string) {
    const { api_key, store_id } = credentialsIn(credentials, FIELDS);
    if (!KEY.test(api_key) || !STORE_ID.test(store_id)) return null;
    const { meta } = parseAnswer(User, await this.#api(api_key).get('/v1/users/me'));
    const mode = meta?.test_mode === true ? ('test' as const) : ('live' as const);
    const unknown = onReason(['not_found'], () => {
      throw new PspError({ reason: 'rejected', said: SOURCE_REASONS.key_without_store });
    });
    return { mode, account: await this.#access(credentials, mode).account().catch(unknown) };
  }

  open(credentials: string, _settings: ConnectionSettings, { mode }: CompletionScope): LemonSqueezyAccess {
    return this.#access(credentials, mode);
  }

  #access(credentials: string, mode: ProviderMode): LemonSqueezyAccess {
    const { api_key, store_id } = credentialsIn(credentials, FIELDS);
    return new LemonSqueezyAccess(this.#api(api_key), store_id.replace('#', ''), mode);
  }

  #api(key: string): JsonApi {
    const { base = HOST, timeoutMs } = this.#options;
    const headers = { Authorization: `Bearer ${key}`, Accept: MEDIA_TYPE, 'Content-Type': MEDIA_TYPE };
    return new JsonApi({ base, headers, timeoutMs, perMinute: PER_MINUTE });
  }

  verify(delivery: Delivery, secrets: readonly string[]): Promise<Trust> {
    return verifyBodySignature(delivery, { name: 'x-signature', encoding: 'hex' }, secrets);
  }

  withoutPayer(event: LemonSqueezyEvent): LemonSqueezyEvent {
    const { read, custom } = event;
    const erased = { user_email: null, user_name: null };
    if (read === null) return { ...event, custom: { ...custom, externalId: null } };
    const { order, invoices } = read.payment;
    const payment = {
      ...read.payment,
      order: order && { ...order, ...erased },
      invoices: invoices.map((invoice) => ({ ...invoice, ...erased })),
    };
    return { ...event, custom: { ...custom, externalId: null }, read: { ...read, payment } };
  }

  async tell(ctx: WriteCtx, connectionId: string, event: LemonSqueezyEvent): Promise<Seen[]> {
    const { mode, read } = event;
    if (read === null) return [];
    return paymentsSeen({ connectionId, mode, readAt: read.at }, read.payment, await keepCustomData(ctx, connectionId, event));
  }
}

/** Access to a store at Lemon Squeezy. */
class LemonSqueezyAccess implements SourceAccess<LemonSqueezyEvent> {
  readonly #api: JsonApi;
  readonly #storeId: string;
  readonly #mode: ProviderMode;
  readonly endpoints: Endpoints = {
    allEndpoints: async () => {
      const all = await allOf((place) => this.#page('webhooks', {}, place));
      return all.map((each) => endpointOf(parseAnswer(Endpoint, each)));
    },
    createEndpoint: async ({ url, createdFor }) => {
      const secret = randomBytes(SECRET_BYTES).toString('hex');
      const attributes = { url: addressFor(url, createdFor), events: EVENT_TYPES, secret, test_mode: this.#mode === 'test' };
      const relationships = { store: { data: { type: 'stores', id: this.#storeId } } };
      const { data } = parseAnswer(
        Answer,
        await this.#api.send('POST', '/v1/webhooks', { data: { type: 'webhooks', attributes, relationships } }),
      );
      return { id: parseAnswer(Endpoint, data).id, secret };
    },
    deleteEndpoint: async (id) => {
      await this.#api.send('DELETE', `/v1/webhooks/${encodeURIComponent(id)}`);
    },
  };

  constructor(api: JsonApi, storeId: string, mode: ProviderMode) {
    this.#api = api;
    this.#storeId = storeId;
    this.#mode = mode;
  }

  async account(): Promise<ProviderAccount> {
    const { data } = parseAnswer(Store, await this.#api.get(`/v1/stores/${encodeURIComponent(this.#storeId)}`));
    const { name, country, currency } = data.attributes;
    return { id: data.id, name, country, defaultCurrency: currency };
  }

  /** Reads the payment of an event as a whole. A payment of another store of the same person is not this connection's. */
  async complete({ now }: CompletionScope, event: LemonSqueezyEvent): Promise<LemonSqueezyEvent> {
    const { about } = event;
    if (about === null) return event;
    const at = toInstant(now());
    const payment = about.kind === 'orders' ? await this.#order(about.id) : await this.#invoice(about.id);
    const of = payment.order ?? payment.invoices[0]!;
    const mode = of.test_mode ? 'test' : 'live';
    if (of.store_id !== this.#storeId || mode !== this.#mode) return event;
    const payer = { id: of.customer_id, externalId: event.custom.externalId, email: of.user_email, formerEmail: null };
    return { ...event, read: { payment, at }, payer };
  }

  /** Lists the newest orders and invoices first. */
  since(at: Date, from?: string): AsyncIterable<Changes<LemonSqueezyEvent>> {
    const lists = (['orders', 'subscription-invoices'] as const).map((kind) => (place: string | null) => {
      return this.#changed(kind, at, place);
    });
    return changesIn(lists, from);
  }

  async #changed(kind: Kind, at: Date, place: string | null): Promise<ListPage<LemonSqueezyEvent>> {
    const from = plusMilliseconds(toInstant(at), -OVERLAP_MS);
    const { items, ...page } = await this.#page(kind, {}, place);
    const listed = items.map((each) => parseAnswer(RESOURCES[kind], each));
    const recent = recentOf({ ...page, items: listed }, plusDays(toInstant(at), -OPEN_DAYS), ({ updated_at, refunded_at }) => {
      return updated_at >= from || (refunded_at ?? '') >= from;
    });
    return { ...recent, items: recent.items.map((each) => polledEvent(kind, each.id, each, this.#mode)) };
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `/v1/webhooks/${encodeURIComponent(id)}`;
    const { events } = parseAnswer(Endpoint, parseAnswer(Answer, await this.#api.get(path)).data);
    const missing = withMissing(events, EVENT_TYPES);
    if (missing === null) return false;
    await this.#api.send('PATCH', path, { data: { type: 'webhooks', id, attributes: { events: missing } } });
    return true;
  }

  /** Reads an order with the first invoices of its subscriptions. */
  async #order(id: string): Promise<WholePayment> {
    const include = 'order-items,subscriptions,discount-redemptions';
    const { data, included } = await this.#one('orders', id, include);
    const order = parseAnswer(RESOURCES.orders, data);
    const of = (type: string) => included.filter((each) => each.type === type);
    const subscriptions = of('subscriptions').map((each) => parseAnswer(RESOURCES.subscriptions, each));
    const items = of('order-items').map((each) => parseAnswer(RESOURCES['order-items'], each));
    const codes = of('discount-redemptions').flatMap(
      (each) => parseAnswer(RESOURCES['discount-redemptions'], each).discount_code ?? [],
    );
    const invoices: Invoice[] = [];
    for (const subscription of subscriptions) invoices.push(...(await this.#firstInvoices(subscription)));
    return { orderId: id, order, invoices, subscription: subscriptions[0] ?? null, items, codes };
  }

  async #firstInvoices({ id }: Subscription): Promise<Invoice[]> {
    const all = await allOf((place) => this.#page('subscription-invoices', { 'filter[subscription_id]': id }, place));
    return all
      .map((each) => parseAnswer(RESOURCES['subscription-invoices'], each))
      .filter(({ billing_reason }) => billing_reason === 'initial');
  }

  /** Reads a later invoice of a subscription. The first one leads to the order. */
  async #invoice(id: string): Promise<WholePayment> {
    const { data, included } = await this.#one('subscription-invoices', id, 'subscription');
    const invoice = parseAnswer(RESOURCES['subscription-invoices'], data);
    const subscription = parseAnswer(
      RESOURCES.subscriptions,
      included.find(({ type }) => type === 'subscriptions'),
    );
    const { order_id: orderId } = subscription;
    if (invoice.billing_reason === 'initial') return this.#order(orderId);
    return { orderId, order: null, invoices: [invoice], subscription, items: [], codes: [] };
  }

  async #one(kind: Kind, id: string, include: string) {
    return parseAnswer(Answer, await this.#api.get(`/v1/${kind}/${encodeURIComponent(id)}`, { include }));
  }

  /** Reads a page of a list of the store by its number. */
  async #page(path: Kind | 'webhooks', query: Readonly<Record<string, string>>, place: string | null) {
    const number = Number(place ?? 1);
    const paged = { 'filter[store_id]': this.#storeId, ...query, 'page[number]': number, 'page[size]': PER_PAGE };
    const { data: items } = parseAnswer(Page, await this.#api.get(`/v1/${path}`, paged));
    return { items, page: items[0]?.id ?? '', next: items.length < PER_PAGE ? null : String(number + 1) };
  }
}

function endpointOf({ id, url, events }: Endpoint): ProviderEndpoint {
  return { id, url, createdFor: accountInAddress(url), isEnabled: true, eventTypes: events, apiVersion: null };
}
