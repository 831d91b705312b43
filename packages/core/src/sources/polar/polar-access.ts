import type { z } from 'zod';
import { toInstant } from '../../platform/time/instant.ts';
import { type Catalog, type Endpoints, MAX_PRICES, type ProviderEndpoint, type ProviderPrice } from '../port/capabilities.ts';
import { allOf, changesIn, type ListPage, type ReadPage } from '../port/changes.ts';
import { type JsonApi, parseAnswer, type Query } from '../port/json-api.ts';
import type { Changes, CompletionScope, ProviderAccount, ProviderMode, SourceAccess } from '../port/port.ts';
import { PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import { Dispute, Endpoint, Order, Organization, pageOf, Product, Refund } from './objects.ts';
import { EVENT_TYPES, payerOf, type PolarEvent, polledEvent } from './read.ts';
import { minorUnitsAtPolar } from './tell.ts';

const PER_PAGE = 100;
/** Time in which a change may still be missing from Polar's lists. */
const OVERLAP_MS = 10 * 60_000;
/** Days after which an order is not paid any more, a refund not decided, and a dispute not resolved. Lists have no filter by the time of a change. */
const OPEN_DAYS = { orders: 7, refunds: 60, disputes: 120 };
const DAY_MS = 24 * 60 * 60_000;
const NAME = /^Affiliate program \((acct_[\w-]+)\)$/;

/** Access to an organization at Polar. */
export class PolarAccess implements SourceAccess<PolarEvent> {
  readonly #api: JsonApi;
  readonly #mode: ProviderMode;
  readonly catalog: Catalog = {
    prices: async () => {
      const products = await allOf(
        (place) => this.#page('/v1/products/', { sorting: '-created_at' }, Product, place),
        MAX_PRICES,
      );
      return products.flatMap(pricesOf);
    },
  };
  readonly endpoints: Endpoints = {
    allEndpoints: async () => (await this.#all('/v1/webhooks/endpoints', {}, Endpoint)).map(endpointOf),
    createEndpoint: async ({ url, createdFor }) => {
      const name = `Affiliate program (${createdFor})`;
      return parseAnswer(
        Endpoint,
        await this.#api.send('POST', '/v1/webhooks/endpoints', { url, name, format: 'raw', events: EVENT_TYPES }),
      );
    },
    deleteEndpoint: async (id) => {
      await this.#api.send('DELETE', `/v1/webhooks/endpoints/${encodeURIComponent(id)}`);
    },
  };

  constructor(api: JsonApi, mode: ProviderMode) {
    this.#api = api;
    this.#mode = mode;
  }

  /** A token belongs to one organization. */
  async account(): Promise<ProviderAccount> {
    const [organization] = parseAnswer(pageOf(Organization), await this.#api.get('/v1/organizations/', { limit: 1 })).items;
    if (!organization) throw new PspError({ reason: 'permission', said: SOURCE_REASONS.token_without_organization });
    return { id: organization.id, name: organization.name, country: null, defaultCurrency: null };
  }

  /** Reads the order of an event with its refunds and disputes. */
  async complete(_: CompletionScope, event: PolarEvent): Promise<PolarEvent> {
    const { orderId } = event;
    if (orderId === null) return event;
    const order = parseAnswer(Order, await this.#api.get(`/v1/orders/${encodeURIComponent(orderId)}`));
    const refunds = await this.#all('/v1/refunds/', { order_id: orderId }, Refund);
    const disputes = await this.#all('/v1/disputes/', { order_id: orderId }, Dispute);
    return { ...event, whole: { order, refunds, disputes }, payer: order.customer ? payerOf(order.customer) : event.payer };
  }

  look(event: PolarEvent): Promise<PolarEvent> {
    return Promise.resolve(event);
  }

  since(at: Date, place?: string): AsyncIterable<Changes<PolarEvent>> {
    const lists = [
      this.#changed('/v1/orders/', Order, ({ id }) => id, at, OPEN_DAYS.orders),
      this.#changed('/v1/refunds/', Refund, ({ order_id }) => order_id, at, OPEN_DAYS.refunds),
      this.#changed('/v1/disputes/', Dispute, ({ order_id }) => order_id, at, OPEN_DAYS.disputes),
    ];
    return changesIn(lists, place);
  }

  /** Reads the newest entries of a list that have changed since a time, and names their orders. */
  #changed<Item extends { id: string; created_at: string; modified_at: string | null }>(
    path: string,
    item: z.ZodType<Item>,
    orderOf: (item: Item) => string,
    at: Date,
    days: number,
  ): ReadPage<PolarEvent> {
    const from = toInstant(new Date(at.getTime() - OVERLAP_MS));
    const earliest = toInstant(new Date(at.getTime() - days * DAY_MS));
    return async (place) => {
      const { items: listed, page, next } = await this.#page(path, { sorting: '-created_at' }, item, place);
      const isOver = listed.some(({ created_at }) => created_at < earliest);
      const items = listed.flatMap((each) => {
        const changedAt = each.modified_at ?? each.created_at;
        if (each.created_at < earliest || changedAt < from) return [];
        return [polledEvent(orderOf(each), each.id, changedAt, this.#mode)];
      });
      return { items, page, next: isOver ? null : next };
    };
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `/v1/webhooks/endpoints/${encodeURIComponent(id)}`;
    const { enabled, events } = parseAnswer(Endpoint, await this.#api.get(path));
    if (enabled && EVENT_TYPES.every((type) => events.includes(type))) return false;
    await this.#api.send('PATCH', path, { enabled: true, events: [...new Set([...events, ...EVENT_TYPES])] });
    return true;
  }

  #all<Item extends { id: string }>(path: string, query: Query, item: z.ZodType<Item>): Promise<Item[]> {
    return allOf((place) => this.#page(path, query, item, place));
  }

  /** Reads a page of a list by its number. */
  async #page<Item extends { id: string }>(
    path: string,
    query: Query,
    item: z.ZodType<Item>,
    place: string | null,
  ): Promise<ListPage<Item>> {
    const page = Number(place ?? 1);
    const { items, pagination } = parseAnswer(pageOf(item), await this.#api.get(path, { ...query, page, limit: PER_PAGE }));
    return { items, page: items[0]?.id ?? '', next: page >= pagination.max_page ? null : String(page + 1) };
  }
}

function pricesOf({ id: product, name, is_archived, recurring_interval, prices }: Product): ProviderPrice[] {
  return prices.map(({ id, is_archived: isEnded, price_amount, price_currency: currency }) => ({
    id,
    name: null,
    product,
    productName: name,
    interval: recurring_interval ?? 'one_time',
    unitCents: price_amount == null ? null : minorUnitsAtPolar(price_amount, currency),
    currency,
    isActive: !is_archived && !isEnded,
  }));
}

function endpointOf({ id, url, name, enabled, events, api_version }: z.infer<typeof Endpoint>): ProviderEndpoint {
  const createdFor = NAME.exec(name ?? '')?.[1] ?? null;
  return { id, url, createdFor, isEnabled: enabled, eventTypes: events, apiVersion: api_version ?? null };
}
