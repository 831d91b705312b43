import type { z } from 'zod';
import { toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { type JsonApi, parseAnswer } from '../port/json-api.ts';
import type { CompletionScope, ProviderAccount, ProviderMode, SourceAccess } from '../port/port.ts';
import { ListedAdjustment, NotificationSetting, pageOf, Transaction } from './objects.ts';
import { EVENT_TYPES, type PaddleEvent, polledEvent } from './read.ts';

const INCLUDED = 'customer,discount,adjustments';
const TRANSACTIONS_PER_PAGE = 30;
const ADJUSTMENTS_PER_PAGE = 50;
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
  readonly endpoints: Endpoints = {
    allEndpoints: async () => (await this.#settings()).map(endpointOf),
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

  /** Reads the whole transaction of an event. The event has neither email nor code. */
  async complete(_: CompletionScope, event: PaddleEvent): Promise<PaddleEvent> {
    const { transactionId } = event;
    if (transactionId === null || event.transaction !== null) return event;
    const path = `/transactions/${encodeURIComponent(transactionId)}`;
    const transaction = data(Transaction, await this.#api.get(path, { include: INCLUDED }));
    const { email = null } = transaction.customer ?? {};
    return { ...event, transaction, payer: event.payer && { ...event.payer, email } };
  }

  look(event: PaddleEvent): Promise<PaddleEvent> {
    return Promise.resolve(event);
  }

  async *since(at: Date): AsyncIterable<PaddleEvent> {
    const from = toInstant(new Date(at.getTime() - OVERLAP_MS));
    const changed = { 'updated_at[GTE]': from, order_by: 'updated_at[ASC]', include: INCLUDED, per_page: TRANSACTIONS_PER_PAGE };
    for await (const transaction of this.#list('/transactions', changed, Transaction))
      yield polledEvent('transaction.updated', transaction.id, transaction.updated_at, this.#mode, transaction);
    const earliest = toInstant(new Date(at.getTime() - ADJUSTMENT_DAYS * DAY_MS));
    const newest = { order_by: 'id[DESC]', per_page: ADJUSTMENTS_PER_PAGE };
    for await (const { id, transaction_id, created_at, updated_at } of this.#list('/adjustments', newest, ListedAdjustment)) {
      if (created_at < earliest) return;
      if (updated_at >= from)
        yield { ...polledEvent('adjustment.updated', id, updated_at, this.#mode, null), transactionId: transaction_id };
    }
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

  async #settings() {
    return parseAnswer(pageOf(NotificationSetting), await this.#api.get('/notification-settings', { per_page: 200 })).data;
  }

  /** Iterates over a list, page by page. */
  async *#list<Item>(path: string, query: Record<string, string | number>, item: z.ZodType<Item>): AsyncIterable<Item> {
    for (let after: string | undefined; ;) {
      const page = parseAnswer(pageOf(item), await this.#api.get(path, { ...query, after }));
      yield* page.data;
      const { next, has_more } = page.meta?.pagination ?? {};
      // Only the cursor of the address counts, because requests go to the configured address.
      const cursor = has_more === true && next ? (URL.parse(next)?.searchParams.get('after') ?? undefined) : undefined;
      if (cursor === undefined || cursor === after) return;
      after = cursor;
    }
  }
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
