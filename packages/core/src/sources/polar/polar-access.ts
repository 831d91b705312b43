import type { z } from 'zod';
import { toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { type JsonApi, parseAnswer, type Query } from '../port/json-api.ts';
import type { CompletionScope, ProviderAccount, ProviderMode, SourceAccess } from '../port/port.ts';
import { PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import { Dispute, Endpoint, Order, Organization, pageOf, Refund } from './objects.ts';
import { EVENT_TYPES, payerOf, type PolarEvent, polledEvent } from './read.ts';

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
  readonly endpoints: Endpoints = {
    allEndpoints: async () => {
      const all: ProviderEndpoint[] = [];
      for await (const endpoint of this.#list('/v1/webhooks/endpoints', {}, Endpoint)) all.push(endpointOf(endpoint));
      return all;
    },
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
    const [refunds, disputes]: [Refund[], Dispute[]] = [[], []];
    for await (const refund of this.#list('/v1/refunds/', { order_id: orderId }, Refund)) refunds.push(refund);
    for await (const dispute of this.#list('/v1/disputes/', { order_id: orderId }, Dispute)) disputes.push(dispute);
    return { ...event, whole: { order, refunds, disputes }, payer: order.customer ? payerOf(order.customer) : event.payer };
  }

  look(event: PolarEvent): Promise<PolarEvent> {
    return Promise.resolve(event);
  }

  async *since(at: Date): AsyncIterable<PolarEvent> {
    yield* this.#changed('/v1/orders/', Order, ({ id }) => id, at, OPEN_DAYS.orders);
    yield* this.#changed('/v1/refunds/', Refund, ({ order_id }) => order_id, at, OPEN_DAYS.refunds);
    yield* this.#changed('/v1/disputes/', Dispute, ({ order_id }) => order_id, at, OPEN_DAYS.disputes);
  }

  /** Iterates over the newest entries of a list that have changed since a time, and names their orders. */
  async *#changed<Item extends { id: string; created_at: string; modified_at: string | null }>(
    path: string,
    item: z.ZodType<Item>,
    orderOf: (item: Item) => string,
    at: Date,
    days: number,
  ): AsyncIterable<PolarEvent> {
    const from = toInstant(new Date(at.getTime() - OVERLAP_MS));
    const earliest = toInstant(new Date(at.getTime() - days * DAY_MS));
    for await (const each of this.#list(path, { sorting: '-created_at' }, item)) {
      if (each.created_at < earliest) return;
      const changedAt = each.modified_at ?? each.created_at;
      if (changedAt >= from) yield polledEvent(orderOf(each), each.id, changedAt, this.#mode);
    }
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `/v1/webhooks/endpoints/${encodeURIComponent(id)}`;
    const { enabled, events } = parseAnswer(Endpoint, await this.#api.get(path));
    if (enabled && EVENT_TYPES.every((type) => events.includes(type))) return false;
    await this.#api.send('PATCH', path, { enabled: true, events: [...new Set([...events, ...EVENT_TYPES])] });
    return true;
  }

  /** Iterates over a list, page by page. */
  async *#list<Item>(path: string, query: Query, item: z.ZodType<Item>): AsyncIterable<Item> {
    for (let page = 1; ; page += 1) {
      const { items, pagination } = parseAnswer(pageOf(item), await this.#api.get(path, { ...query, page, limit: PER_PAGE }));
      yield* items;
      if (page >= pagination.max_page) return;
    }
  }
}

function endpointOf({ id, url, name, enabled, events, api_version }: z.infer<typeof Endpoint>): ProviderEndpoint {
  const createdFor = NAME.exec(name ?? '')?.[1] ?? null;
  return { id, url, createdFor, isEnabled: enabled, eventTypes: events, apiVersion: api_version ?? null };
}
