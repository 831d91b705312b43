import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Fetch } from '../../platform/operations/ask-json.ts';
import { plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { allOf, changesIn, type ListPage } from '../port/changes.ts';
import { type ApiOptions, credentialsIn, JsonApi, parseAnswer, type Query } from '../port/json-api.ts';
import { accountInName, nameFor } from '../port/own-endpoints.ts';
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
import type { Seen } from '../port/seen.ts';
import { verifyBodySignature } from '../port/standard-webhooks.ts';
import {
  CurrentCurrency,
  EVENT_TYPES,
  Index,
  Order,
  orderSeen,
  OrderState,
  readMessage,
  Refund,
  Webhook,
  WOOCOMMERCE,
  type WooCommerceEvent,
} from './tell.ts';

const FIELDS = ['store_url', 'consumer_key', 'consumer_secret'] as const;
const KEY = /^c[ks]_[0-9A-Za-z]{16,100}$/;
/** Shops often share a small server. */
const PER_MINUTE = 120;
/** The unsigned body that WooCommerce sends when a webhook is created. It expects a 200. */
const PING = /^webhook_id=\d{1,12}$/;

/** Finding the account needs no mode and no time. */
const NO_SCOPE = { mode: 'live', now: () => new Date(0) } as const;

const API = '/wp-json/wc/v3';
const PER_PAGE = 100;
/** Time for which the service looks at changed orders again, because the deletion of a refund does not change the time of its order. */
const LOOK_BACK_DAYS = 2;

interface Options extends ApiOptions {
  /** Sends requests to public addresses only, because merchants enter the address. */
  fetchPublic: Fetch;
}

/** WooCommerce, a plugin on the merchant's own server. Every event leads to its order, which is read as a whole. */
export class WooCommerceSource implements Source<WooCommerceEvent> {
  readonly kind = WOOCOMMERCE;
  readonly name = 'WooCommerce';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = "$order->update_meta_data('_referral', $referralId)";
  readonly fields = [
    { name: 'store_url', isSecret: false, placeholder: 'https://shop.example.com' },
    { name: 'consumer_key', isSecret: true, placeholder: 'ck_…' },
    { name: 'consumer_secret', isSecret: true, placeholder: 'cs_…' },
  ];
  readonly choices = [
    { name: 'shipping', options: ['exclude', 'count'] },
    { name: 'fees', options: ['exclude', 'count'] },
    { name: 'manual_orders', options: ['count', 'exclude'] },
  ];
  readonly createsEndpoint = true;
  readonly givesUpSoon = true;
  readonly read = readMessage;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** A shop has no test mode. A copy of the shop for tests is a connection of its own. */
  async connect(credentials: string) {
    const { store_url, consumer_key, consumer_secret } = credentialsIn(credentials, FIELDS);
    if (addressOf(store_url) === null || !KEY.test(consumer_key) || !KEY.test(consumer_secret)) return null;
    return { mode: null, account: await this.#access(credentials, {}, NO_SCOPE).account() };
  }

  open(credentials: string, settings: ConnectionSettings, scope: CompletionScope): WooCommerceAccess {
    return this.#access(credentials, settings, scope);
  }

  #access(credentials: string, settings: ConnectionSettings, scope: Pick<CompletionScope, 'mode' | 'now'>): WooCommerceAccess {
    const { store_url, consumer_key, consumer_secret } = credentialsIn(credentials, FIELDS);
    const { base, timeoutMs, fetchPublic } = this.#options;
    const address = addressOf(store_url) ?? '';
    const key = Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64');
    const api = new JsonApi({
      base: base ?? address,
      headers: { Authorization: `Basic ${key}` },
      timeoutMs,
      perMinute: PER_MINUTE,
      ...(base === undefined && { fetch: fetchPublic }),
    });
    return new WooCommerceAccess(api, address.replace('https://', ''), settings, scope);
  }

  isPing({ rawBody }: Delivery): boolean {
    return rawBody.length < 40 && PING.test(new TextDecoder().decode(rawBody));
  }

  verify(delivery: Delivery, secrets: readonly string[]): Promise<Trust> {
    return verifyBodySignature(delivery, { name: 'x-wc-webhook-signature', encoding: 'base64' }, secrets);
  }

  tell(_ctx: WriteCtx, connectionId: string, { mode, read }: WooCommerceEvent): Seen[] {
    return read === null ? [] : orderSeen(connectionId, mode, read.whole, read.at);
  }
}

/** Returns the address of a shop without a slash at its end; null if the text is none. Keys are not sent without encryption. */
function addressOf(text: string): string | null {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') return null;
  return `https://${url.host}${url.pathname}`.replace(/\/+$/, '');
}

/** Access to a shop. */
class WooCommerceAccess implements SourceAccess<WooCommerceEvent> {
  readonly #api: JsonApi;
  readonly #shop: string;
  readonly #settings: ConnectionSettings;
  readonly #mode: ProviderMode;
  readonly #now: () => Date;
  readonly endpoints: Endpoints = {
    allEndpoints: async () => {
      const all = await allOf(async (place) => {
        const page = Number(place ?? 1);
        const items = await this.#page('webhooks', { page }, Webhook);
        return { items, page: items[0]?.id ?? '', next: items.length < PER_PAGE ? null : String(page + 1) };
      });
      return all.map(endpointOf);
    },
    createEndpoint: async ({ url, createdFor }) => {
      const secret = randomBytes(32).toString('hex');
      const asked = { name: nameFor(createdFor), topic: EVENT_TYPES[0], delivery_url: url, secret };
      const made = await this.#api.send('POST', `${API}/webhooks`, asked);
      return { id: parseAnswer(Webhook, made).id, secret };
    },
    deleteEndpoint: async (id) => {
      await this.#api.send('DELETE', `${API}/webhooks/${encodeURIComponent(id)}?force=true`);
    },
  };

  /** @param shop address of the shop without its scheme, by which the shop is known */
  constructor(api: JsonApi, shop: string, settings: ConnectionSettings, { mode, now }: Pick<CompletionScope, 'mode' | 'now'>) {
    this.#api = api;
    this.#shop = shop;
    this.#settings = settings;
    this.#mode = mode;
    this.#now = now;
  }

  async account(): Promise<ProviderAccount> {
    await this.#page('orders', { per_page: 1 }, OrderState);
    const { name } = parseAnswer(Index, await this.#api.get('/wp-json/'));
    const { code } = parseAnswer(CurrentCurrency, await this.#api.get(`${API}/data/currencies/current`));
    return { id: this.#shop, name, country: null, defaultCurrency: code };
  }

  /** Reads the order of an event with its refunds. An order that was deleted says nothing more. */
  async complete(_: CompletionScope, event: WooCommerceEvent): Promise<WooCommerceEvent> {
    const { orderId, listed } = event;
    if (orderId === null) return event;
    try {
      const { order, at } = listed ?? (await this.#order(orderId));
      const refunds = order.refunds.length > 0 ? await this.#page(`orders/${orderId}/refunds`, {}, Refund) : [];
      const { customer_id, billing } = order;
      const payer = event.payer && { ...event.payer, id: customer_id === '0' ? null : customer_id, email: billing.email };
      return { ...event, payer, read: { at, whole: { order, refunds, settings: this.#settings } } };
    } catch (error) {
      if (error instanceof PspError && error.reason === 'not_found') return event;
      throw error;
    }
  }

  since(at: Date, from?: string): AsyncIterable<Changes<WooCommerceEvent>> {
    const begin = `1 ${plusDays(toInstant(at), -LOOK_BACK_DAYS)}`;
    return changesIn([(place) => this.#changed(place ?? begin)], from);
  }

  /** The next page begins at the time of the last order, because orders that change meanwhile move to the end. Pages of one time are numbered. */
  async #changed(place: string): Promise<ListPage<WooCommerceEvent>> {
    const [page = '', from = ''] = place.split(' ');
    const query = { modified_after: from, dates_are_gmt: 'true', orderby: 'modified', order: 'asc', page };
    const at = toInstant(this.#now());
    const orders = await this.#page('orders', query, z.unknown());
    const items = orders.map((each) => {
      const { data: order } = Order.safeParse(each);
      return { ...readMessage(JSON.stringify(each), this.#mode), listed: order ? { order, at } : null };
    });
    const known = { items, page: `${from} ${items[0]?.id ?? ''}` };
    if (orders.length < PER_PAGE) return { ...known, next: null };
    const last = plusMilliseconds(parseAnswer(OrderState, orders.at(-1)).date_modified_gmt, -1_000);
    return { ...known, next: last > from ? `1 ${last}` : `${Number(page) + 1} ${from}` };
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `${API}/webhooks/${encodeURIComponent(id)}`;
    const { status, topic } = parseAnswer(Webhook, await this.#api.get(path));
    if (status === 'active' && EVENT_TYPES.includes(topic)) return false;
    await this.#api.send('PATCH', path, { status: 'active', topic: EVENT_TYPES[0] });
    return true;
  }

  async #order(id: string) {
    const at = toInstant(this.#now());
    return { at, order: parseAnswer(Order, await this.#api.get(`${API}/orders/${id}`)) };
  }

  async #page<Item>(path: string, query: Query, item: z.ZodType<Item>): Promise<Item[]> {
    return parseAnswer(item.array(), await this.#api.get(`${API}/${path}`, { per_page: PER_PAGE, ...query }));
  }
}

function endpointOf({ id, name, status, topic, delivery_url: url }: z.infer<typeof Webhook>): ProviderEndpoint {
  return { id, url, createdFor: accountInName(name), isEnabled: status === 'active', eventTypes: [topic], apiVersion: null };
}
