import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { WriteCtx } from '../../platform/call/context.ts';
import { plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { type Catalog, type Endpoints, MAX_PRICES, type ProviderEndpoint, type ProviderPrice } from '../port/capabilities.ts';
import { allOf, changesIn, type ListPage, OVERLAP_MS, recentOf } from '../port/changes.ts';
import { type ApiOptions, JsonApi, parseAnswer, type Query } from '../port/json-api.ts';
import { accountInName, nameFor, withMissing } from '../port/own-endpoints.ts';
import type {
  Changes,
  CompletionScope,
  Delivery,
  ProviderAccount,
  ProviderMode,
  Source,
  SourceAccess,
  Trust,
} from '../port/port.ts';
import { InvalidPspEventError, onReason } from '../port/psp-error.ts';
import type { Seen } from '../port/seen.ts';
import { isEqual } from '../port/standard-webhooks.ts';
import {
  customerSeen,
  EVENT_TYPES,
  ListedAdjustment,
  NotificationSetting,
  PADDLE,
  type PaddleEvent,
  pageOf,
  polledEvent,
  Price,
  readNotification,
  subscriptionSeen,
  Transaction,
  transactionSeen,
} from './tell.ts';

const KEY = /^pdl_(live|sdbx)_apikey_([a-z0-9]{26})_[A-Za-z0-9_-]+$/;
const HOSTS = { live: 'https://api.paddle.com', test: 'https://sandbox-api.paddle.com' };
/** Maximum difference in seconds between the time of a delivery and now. */
const TOLERANCE_SECONDS = 300;
/** Paddle accepts 240 requests in a minute from one address, which other connections use, too. */
const PER_MINUTE = 200;
const INCLUDED = 'customer,discount,adjustments';
const TRANSACTIONS_PER_PAGE = 30;
const ADJUSTMENTS_PER_PAGE = 50;
const SETTINGS_PER_PAGE = 200;
const PRICES_PER_PAGE = 200;
/** Days after which Paddle decides no refund. Adjustments have no filter by the time of their change. */
const ADJUSTMENT_DAYS = 30;

/** Paddle Billing. Every event leads to its transaction, which is read as a whole, so that the order of events does not matter. */
export class PaddleSource implements Source<PaddleEvent> {
  readonly kind = PADDLE;
  readonly name = 'Paddle';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = 'Paddle.Checkout.open({ …, customData: { referral: referralId } })';
  readonly fields = [{ name: 'api_key', isSecret: true, placeholder: 'pdl_live_apikey_…' }];
  readonly createsEndpoint = true;
  readonly read = readNotification;
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  async connect(key: string) {
    const mode = modeOf(key);
    return mode && { mode, account: await this.open(key).account() };
  }

  open(key: string): PaddleAccess {
    const mode = modeOf(key) ?? 'live';
    const { base = HOSTS[mode], timeoutMs } = this.#options;
    const headers = { Authorization: `Bearer ${key}`, 'Paddle-Version': '1' };
    return new PaddleAccess(new JsonApi({ base, headers, timeoutMs, perMinute: PER_MINUTE }), mode, KEY.exec(key)?.[2] ?? '');
  }

  verify({ rawBody, header }: Delivery, secrets: readonly string[], now: Date): Promise<Trust> {
    const parts = (header('paddle-signature') ?? '').split(/[;,]/).map((part) => part.trim().split('=', 2));
    const valuesOf = (name: string) => parts.flatMap(([key, value]) => (key === name && value ? [value] : []));
    const [timestamp = ''] = valuesOf('ts');
    const isRecent = /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
    const isSigned = secrets.some((secret) => {
      const expected = createHmac('sha256', secret).update(`${timestamp}:`).update(rawBody).digest();
      return valuesOf('h1').some((hex) => isEqual(expected, Buffer.from(hex, 'hex')));
    });
    if (isRecent && isSigned) return Promise.resolve('full');
    return Promise.reject(
      new InvalidPspEventError('The signature does not match any valid signing secret, or its timestamp is too old'),
    );
  }

  tell(_ctx: WriteCtx, connectionId: string, event: PaddleEvent): Seen[] {
    const { mode, occurredAt, transaction, customer, subscription, apiKey } = event;
    const told = { source: PADDLE, connectionId, mode } as const;
    const at = toInstant(occurredAt);
    return [
      ...(transaction ? transactionSeen(told, transaction) : []),
      ...(customer ? [customerSeen(told, customer, at)] : []),
      ...(subscription ? subscriptionSeen(told, subscription, at) : []),
      ...(apiKey ? [{ kind: 'key expiry' as const, connectionId, expiresAt: apiKey.expires_at }] : []),
    ];
  }
}

function modeOf(key: string): ProviderMode | null {
  const kind = KEY.exec(key)?.[1];
  return kind === undefined ? null : kind === 'live' ? 'live' : 'test';
}

/** Access to an account at Paddle. */
class PaddleAccess implements SourceAccess<PaddleEvent> {
  readonly #api: JsonApi;
  readonly #mode: ProviderMode;
  readonly #keyId: string;
  readonly catalog: Catalog = {
    prices: async () => {
      const newest = { order_by: 'id[DESC]', per_page: PRICES_PER_PAGE, status: 'active,archived' };
      const read = (more: Query) => allOf((after) => this.#page('/prices', { ...newest, ...more }, Price, after), MAX_PRICES);
      const found = await read({ include: 'product' }).catch(onReason(['permission'], () => read({})));
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
          description: nameFor(createdFor),
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

  since(at: Date, place?: string): AsyncIterable<Changes<PaddleEvent>> {
    const from = plusMilliseconds(toInstant(at), -OVERLAP_MS);
    const changed = { 'updated_at[GTE]': from, order_by: 'updated_at[ASC]', include: INCLUDED, per_page: TRANSACTIONS_PER_PAGE };
    const earliest = plusDays(toInstant(at), -ADJUSTMENT_DAYS);
    const newest = { order_by: 'id[DESC]', per_page: ADJUSTMENTS_PER_PAGE };
    const transactions = async (after: string | null) => {
      const { items, ...page } = await this.#page('/transactions', changed, Transaction, after);
      const eventOf = (each: Transaction) => polledEvent('transaction.updated', each.id, each.updated_at, this.#mode, each);
      return { ...page, items: items.map(eventOf) };
    };
    const adjustments = async (after: string | null) => {
      const listed = await this.#page('/adjustments', newest, ListedAdjustment, after);
      const recent = recentOf(listed, earliest, ({ updated_at }) => updated_at >= from);
      const eventOf = ({ id, transaction_id: transactionId, updated_at }: z.infer<typeof ListedAdjustment>) => ({
        ...polledEvent('adjustment.updated', id, updated_at, this.#mode, null),
        transactionId,
      });
      return { ...recent, items: recent.items.map(eventOf) };
    };
    return changesIn([transactions, adjustments], place);
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `/notification-settings/${encodeURIComponent(id)}`;
    const setting = endpointOf(data(NotificationSetting, await this.#api.get(path)));
    const missing = withMissing(setting.eventTypes, EVENT_TYPES);
    if (setting.isEnabled && missing === null) return false;
    await this.#api.send('PATCH', path, { active: true, subscribed_events: missing ?? setting.eventTypes });
    return true;
  }

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

function endpointOf(setting: z.infer<typeof NotificationSetting>): ProviderEndpoint {
  const { id, destination: url, description, active: isEnabled, subscribed_events, api_version } = setting;
  const eventTypes = subscribed_events.map(({ name }) => name);
  return { id, url, createdFor: accountInName(description), isEnabled, eventTypes, apiVersion: String(api_version) };
}

function data<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  return parseAnswer(schema, (answer as { data?: unknown } | null)?.data);
}
