import { randomBytes } from 'node:crypto';
import { toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { allOf, changesIn, type ListPage } from '../port/changes.ts';
import { accountInAddress, addressFor, type JsonApi, parseAnswer } from '../port/json-api.ts';
import type { Changes, CompletionScope, ProviderAccount, ProviderMode, SourceAccess } from '../port/port.ts';
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

  /** `complete` reads what every event is about. */
  look(event: LemonSqueezyEvent): Promise<LemonSqueezyEvent> {
    return Promise.resolve(event);
  }

  /** Lists the newest orders and invoices first. */
  since(at: Date, from?: string): AsyncIterable<Changes<LemonSqueezyEvent>> {
    const lists = (['orders', 'subscription-invoices'] as const).map((kind) => (place: string | null) => {
      return this.#changed(kind, at, place);
    });
    return changesIn(lists, from);
  }

  async #changed(kind: Kind, at: Date, place: string | null): Promise<ListPage<LemonSqueezyEvent>> {
    const from = toInstant(new Date(at.getTime() - OVERLAP_MS));
    const earliest = toInstant(new Date(at.getTime() - OPEN_DAYS * DAY_MS));
    const { items, page, next } = await this.#page(kind, {}, place);
    const listed = items.map((each) => parseAnswer(RESOURCES[kind], each));
    const isOver = listed.some(({ created_at }) => created_at < earliest);
    const changed = listed.filter(
      ({ created_at, updated_at, refunded_at }) => created_at >= earliest && (updated_at >= from || (refunded_at ?? '') >= from),
    );
    return { items: changed.map((each) => polledEvent(kind, each.id, each, this.#mode)), page, next: isOver ? null : next };
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
