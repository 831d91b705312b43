import type { z } from 'zod';
import { toInstant } from '../../platform/time/instant.ts';
import { type Catalog, type Endpoints, MAX_PRICES, type ProviderEndpoint, type ProviderPrice } from '../port/capabilities.ts';
import { allOf, changesIn, type ListPage } from '../port/changes.ts';
import { type JsonApi, parseAnswer, type Query } from '../port/json-api.ts';
import type { Changes, CompletionScope, ProviderAccount, ProviderMode, SourceAccess } from '../port/port.ts';
import { PspError } from '../port/psp-error.ts';
import { ListedAdjustment, NotificationSetting, pageOf, Price, Transaction } from './objects.ts';
import { EVENT_TYPES, type PaddleEvent, polledEvent } from './read.ts';

const INCLUDED = 'customer,discount,adjustments';
const TRANSACTIONS_PER_PAGE = 30;
const ADJUSTMENTS_PER_PAGE = 50;
const SETTINGS_PER_PAGE = 200;
const PRICES_PER_PAGE = 200;
/** Time in which a change may still be missing from Paddle's lists. */
const OVERLAP_MS = 10 * 60_000;
/** Days after which Paddle decides no refund. Adjustments have no filter by the time of their change. */
const ADJUSTMENT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
const DESCRIPTION = /^Affiliate program \((acct_[\w-]+)\)$/;

/** Access to an account at Paddle. */
export class PaddleAccess implements SourceAccess<PaddleEvent> {
  readonly #api: JsonApi;
  readonly #mode: ProviderMode;
  readonly #keyId: string;
  readonly catalog: Catalog = {
    prices: async () => {
      const newest = { order_by: 'id[DESC]', per_page: PRICES_PER_PAGE, status: 'active,archived' };
      const read = (more: Query) => allOf((after) => this.#page('/prices', { ...newest, ...more }, Price, after), MAX_PRICES);
      const found = await read({ include: 'product' }).catch((error: unknown) => {
        if (error instanceof PspError && error.reason === 'permission') return read({});
        throw error;
      });
      return found.map(priceOf);
    },
  };
  readonly endpoints: Endpoints = {
    allEndpoints: async () => {
      const read = (after: string | null) =>
        this.#page('/notification-settings', { per_page: SETTINGS_PER_PAGE }, NotificationSetting, after);
      return (await allOf(read)).map(endpointOf);
    },
    createEndpoint: async ({ url, createdFor }) => {
      const { id, endpoint_secret_key: secret } = data(
        NotificationSetting,
        await this.#api.send('POST', '/notification-settings', {
          description: `Affiliate program (${createdFor})`,
          type: 'url',
          destination: url,
          subscribed_events: EVENT_TYPES,
          api_version: 1,
          // Simulated events look like real ones.
          traffic_source: 'platform',
        }),
      );
      return { id, secret: secret ?? '' };
    },
    deleteEndpoint: async (id) => {
      await this.#api.send('DELETE', `/notification-settings/${encodeURIComponent(id)}`);
    },
  };

  constructor(api: JsonApi, mode: ProviderMode, keyId: string) {
    this.#api = api;
    this.#mode = mode;
    this.#keyId = keyId;
  }

  /** Paddle does not name the account of a key. Its oldest transaction identifies it, and before the first one its key. */
  async account(): Promise<ProviderAccount> {
    const { data: first } = parseAnswer(
      pageOf(Transaction.pick({ id: true })),
      await this.#api.get('/transactions', { per_page: 1, order_by: 'id[ASC]' }),
    );
    return { id: first[0]?.id ?? this.#keyId, name: null, country: null, defaultCurrency: null };
  }

  /** Reads the whole transaction of an event, which has neither email nor code. Of the account's keys, only that of the connection matters. */
  async complete(_: CompletionScope, event: PaddleEvent): Promise<PaddleEvent> {
    const { transactionId, apiKey } = event;
    if (apiKey !== null && apiKey.id !== `apikey_${this.#keyId}`) return { ...event, apiKey: null };
    if (transactionId === null || event.transaction !== null) return event;
    const path = `/transactions/${encodeURIComponent(transactionId)}`;
    const transaction = data(Transaction, await this.#api.get(path, { include: INCLUDED }));
    const { email = null } = transaction.customer ?? {};
    return { ...event, transaction, payer: event.payer && { ...event.payer, email } };
  }

  look(event: PaddleEvent): Promise<PaddleEvent> {
    return Promise.resolve(event);
  }

  since(at: Date, place?: string): AsyncIterable<Changes<PaddleEvent>> {
    const from = toInstant(new Date(at.getTime() - OVERLAP_MS));
    const changed = { 'updated_at[GTE]': from, order_by: 'updated_at[ASC]', include: INCLUDED, per_page: TRANSACTIONS_PER_PAGE };
    const earliest = toInstant(new Date(at.getTime() - ADJUSTMENT_DAYS * DAY_MS));
    const newest = { order_by: 'id[DESC]', per_page: ADJUSTMENTS_PER_PAGE };
    const transactions = async (after: string | null) => {
      const { items, ...page } = await this.#page('/transactions', changed, Transaction, after);
      const eventOf = (each: Transaction) => polledEvent('transaction.updated', each.id, each.updated_at, this.#mode, each);
      return { ...page, items: items.map(eventOf) };
    };
    const adjustments = async (after: string | null) => {
      const { items, page, next } = await this.#page('/adjustments', newest, ListedAdjustment, after);
      const isOver = items.some(({ created_at }) => created_at < earliest);
      const recent = items.filter(({ created_at, updated_at }) => created_at >= earliest && updated_at >= from);
      const eventOf = ({ id, transaction_id: transactionId, updated_at }: z.infer<typeof ListedAdjustment>) => ({
        ...polledEvent('adjustment.updated', id, updated_at, this.#mode, null),
        transactionId,
      });
      return { items: recent.map(eventOf), page, next: isOver ? null : next };
    };
    return changesIn([transactions, adjustments], place);
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `/notification-settings/${encodeURIComponent(id)}`;
    const setting = endpointOf(data(NotificationSetting, await this.#api.get(path)));
    const missing = EVENT_TYPES.filter((type) => !setting.eventTypes.includes(type));
    if (setting.isEnabled && missing.length === 0) return false;
    await this.#api.send('PATCH', path, {
      active: true,
      subscribed_events: [...new Set([...setting.eventTypes, ...EVENT_TYPES])],
    });
    return true;
  }

  /** Reads a page of a list. */
  async #page<Item>(path: string, query: Query, item: z.ZodType<Item>, after: string | null): Promise<ListPage<Item>> {
    const { data: items, meta } = parseAnswer(pageOf(item), await this.#api.get(path, { ...query, after: after ?? undefined }));
    const { next, has_more } = meta?.pagination ?? {};
    // Only the cursor of the address counts, because requests go to the configured address.
    const cursor = has_more === true && next ? (URL.parse(next)?.searchParams.get('after') ?? null) : null;
    return { items, page: after ?? '', next: cursor };
  }
}

function priceOf({ id, name, description, product_id, product, billing_cycle, unit_price, status }: Price): ProviderPrice {
  return {
    id,
    name: name ?? description,
    product: product_id,
    productName: product?.name ?? null,
    interval: billing_cycle?.interval ?? 'one_time',
    unitCents: unit_price.amount,
    currency: unit_price.currency_code,
    isActive: status === 'active',
  };
}

function endpointOf({
  id,
  destination,
  description,
  active,
  subscribed_events,
  api_version,
}: z.infer<typeof NotificationSetting>): ProviderEndpoint {
  return {
    id,
    url: destination,
    createdFor: DESCRIPTION.exec(description)?.[1] ?? null,
    isEnabled: active,
    eventTypes: subscribed_events.map(({ name }) => name),
    apiVersion: String(api_version),
  };
}

function data<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  return parseAnswer(schema, (answer as { data?: unknown } | null)?.data);
}
