import type { z } from 'zod';
import type { WriteCtx } from '../../platform/call/context.ts';
import { plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { type Catalog, type Endpoints, MAX_PRICES, type ProviderEndpoint, type ProviderPrice } from '../port/capabilities.ts';
import { allOf, changesIn, type ListPage, OVERLAP_MS, type ReadPage, recentOf } from '../port/changes.ts';
import { accountOfEitherMode, type ApiOptions, JsonApi, parseAnswer, type Query } from '../port/json-api.ts';
import { accountInName, nameFor, withMissing } from '../port/own-endpoints.ts';
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
import { PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import type { Seen } from '../port/seen.ts';
import { secretKeyOf, verifyStandardWebhook } from '../port/standard-webhooks.ts';
import {
  changedAt,
  customerSeen,
  Dispute,
  Endpoint,
  EVENT_TYPES,
  minorUnitsAtPolar,
  Order,
  orderSeen,
  Organization,
  pageOf,
  eventPayerOf,
  POLAR,
  type PolarEvent,
  polledEvent,
  Product,
  readMessage,
  Refund,
  subscriptionSeen,
} from './tell.ts';

const TOKEN = /^polar_(oat|pat)_[A-Za-z0-9_-]+$/;
const HOSTS = { live: 'https://api.polar.sh', test: 'https://sandbox-api.polar.sh' };
const VERSION = '2026-04';
/** Polar accepts 500 requests in a minute, and 100 in its sandbox. */
const PER_MINUTE = { live: 400, test: 80 };
const PER_PAGE = 100;
/** Days after which an order is not paid any more, a refund not decided, and a dispute not resolved. Lists have no filter by the time of a change. */
const OPEN_DAYS = { orders: 7, refunds: 60, disputes: 120 };

/** Polar. Every event leads to its order, which is read with its refunds and disputes, so that the order of events does not matter. */
export class PolarSource implements Source<PolarEvent> {
  readonly kind = POLAR;
  readonly name = 'Polar';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = 'polar.checkouts.create({ …, metadata: { referral: referralId } })';
  readonly fields = [{ name: 'access_token', isSecret: true, placeholder: 'polar_oat_…' }];
  readonly createsEndpoint = true;
  readonly givesUpSoon = true;
  readonly read = readMessage;
  readonly #options: ApiOptions;

  /** @param options.base another server for live requests. The sandbox is then reached at its path `/sandbox` */
  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** A token does not name its mode: the sandbox is asked if Polar itself does not know the token. */
  connect(token: string) {
    return TOKEN.test(token) ? accountOfEitherMode((mode) => this.#access(token, mode)) : Promise.resolve(null);
  }

  open(token: string, _settings: ConnectionSettings, { mode }: CompletionScope): PolarAccess {
    return this.#access(token, mode);
  }

  #access(token: string, mode: ProviderMode): PolarAccess {
    const { base, timeoutMs } = this.#options;
    const hosts = base === undefined ? HOSTS : { live: base, test: `${base}/sandbox` };
    const headers = { Authorization: `Bearer ${token}`, 'Polar-Version': VERSION };
    return new PolarAccess(new JsonApi({ base: hosts[mode], headers, timeoutMs, perMinute: PER_MINUTE[mode] }), mode);
  }

  /** Polar signs with the text of the secret. It prepares to sign with the bytes that the text encodes, as the standard does. */
  verify(delivery: Delivery, secrets: readonly string[], now: Date): Promise<Trust> {
    const v1 = secrets.flatMap((secret) => {
      const bytes = secretKeyOf(secret);
      return bytes === null ? [Buffer.from(secret)] : [Buffer.from(secret), bytes];
    });
    return verifyStandardWebhook(delivery, { v1 }, now);
  }

  tell(_ctx: WriteCtx, connectionId: string, event: PolarEvent): Seen[] {
    const { mode, occurredAt, whole, customer, subscription } = event;
    const told = { source: POLAR, connectionId, mode } as const;
    const at = toInstant(occurredAt);
    return [
      ...(whole ? orderSeen(told, whole) : []),
      ...(customer ? [customerSeen(told, customer, at)] : []),
      ...(subscription ? subscriptionSeen(told, subscription, at) : []),
    ];
  }
}

/** Access to an organization at Polar. */
class PolarAccess implements SourceAccess<PolarEvent> {
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
      const asked = { url, name: nameFor(createdFor), format: 'raw', events: EVENT_TYPES };
      return parseAnswer(Endpoint, await this.#api.send('POST', '/v1/webhooks/endpoints', asked));
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
    return { ...event, whole: { order, refunds, disputes }, payer: order.customer ? eventPayerOf(order.customer) : event.payer };
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
    const from = plusMilliseconds(toInstant(at), -OVERLAP_MS);
    const earliest = plusDays(toInstant(at), -days);
    return async (place) => {
      const listed = await this.#page(path, { sorting: '-created_at' }, item, place);
      const recent = recentOf(listed, earliest, (each) => changedAt(each) >= from);
      return { ...recent, items: recent.items.map((each) => polledEvent(orderOf(each), each.id, changedAt(each), this.#mode)) };
    };
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `/v1/webhooks/endpoints/${encodeURIComponent(id)}`;
    const { enabled, events } = parseAnswer(Endpoint, await this.#api.get(path));
    const missing = withMissing(events, EVENT_TYPES);
    if (enabled && missing === null) return false;
    await this.#api.send('PATCH', path, { enabled: true, events: missing ?? events });
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
  const createdFor = accountInName(name);
  return { id, url, createdFor, isEnabled: enabled, eventTypes: events, apiVersion: api_version ?? null };
}
