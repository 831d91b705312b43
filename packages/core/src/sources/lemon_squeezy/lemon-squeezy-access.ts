import { randomBytes } from 'node:crypto';
import { toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { accountInAddress, addressFor, type JsonApi, parseAnswer } from '../port/json-api.ts';
import type { CompletionScope, ProviderAccount, ProviderMode, SourceAccess } from '../port/port.ts';
import { Answer, Endpoint, type Invoice, Page, RESOURCES, Store, type Subscription } from './objects.ts';
import { EVENT_TYPES, type LemonSqueezyEvent, polledEvent } from './read.ts';
import type { WholePayment } from './tell.ts';

const PER_PAGE = 100;
/** Days for which the service looks at orders and invoices, because lists have no filter by the time of a change. */
const OPEN_DAYS = 90;
const DAY_MS = 24 * 60 * 60_000;
/** Time in which a change may still be missing from the lists. */
const OVERLAP_MS = 10 * 60_000;
/** The longest secret that Lemon Squeezy takes has 40 characters. */
const SECRET_BYTES = 20;

type Kind = 'orders' | 'subscription-invoices';

/** Access to a store at Lemon Squeezy. */
export class LemonSqueezyAccess implements SourceAccess<LemonSqueezyEvent> {
  readonly #api: JsonApi;
  readonly #storeId: string;
  readonly #mode: ProviderMode;
  readonly endpoints: Endpoints = {
    allEndpoints: async () => {
      const all: ProviderEndpoint[] = [];
      for await (const each of this.#list('webhooks', {})) all.push(endpointOf(parseAnswer(Endpoint, each)));
      return all;
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

  /** `complete` reads what every event is about. */
  look(event: LemonSqueezyEvent): Promise<LemonSqueezyEvent> {
    return Promise.resolve(event);
  }

  /** Lists the newest orders and invoices first. */
  async *since(at: Date): AsyncIterable<LemonSqueezyEvent> {
    const from = toInstant(new Date(at.getTime() - OVERLAP_MS));
    const earliest = toInstant(new Date(at.getTime() - OPEN_DAYS * DAY_MS));
    for (const kind of ['orders', 'subscription-invoices'] as const) {
      for await (const each of this.#list(kind, {})) {
        const read = parseAnswer(RESOURCES[kind], each);
        if (read.created_at < earliest) break;
        if (read.updated_at >= from || (read.refunded_at ?? '') >= from) yield polledEvent(kind, read.id, read, this.#mode);
      }
    }
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `/v1/webhooks/${encodeURIComponent(id)}`;
    const { events } = parseAnswer(Endpoint, parseAnswer(Answer, await this.#api.get(path)).data);
    if (EVENT_TYPES.every((type) => events.includes(type))) return false;
    const attributes = { events: [...new Set([...events, ...EVENT_TYPES])] };
    await this.#api.send('PATCH', path, { data: { type: 'webhooks', id, attributes } });
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
    const first: Invoice[] = [];
    for await (const each of this.#list('subscription-invoices', { 'filter[subscription_id]': id })) {
      const invoice = parseAnswer(RESOURCES['subscription-invoices'], each);
      if (invoice.billing_reason === 'initial') first.push(invoice);
    }
    return first;
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

  /** Iterates over a list of the store, page by page. */
  async *#list(path: Kind | 'webhooks', query: Readonly<Record<string, string>>): AsyncIterable<unknown> {
    for (let page = 1; ; page += 1) {
      const paged = { 'filter[store_id]': this.#storeId, ...query, 'page[number]': page, 'page[size]': PER_PAGE };
      const { data } = parseAnswer(Page, await this.#api.get(`/v1/${path}`, paged));
      yield* data;
      if (data.length < PER_PAGE) return;
    }
  }
}

function endpointOf({ id, url, events }: Endpoint): ProviderEndpoint {
  return { id, url, createdFor: accountInAddress(url), isEnabled: true, eventTypes: events, apiVersion: null };
}
