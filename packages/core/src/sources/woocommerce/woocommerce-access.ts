import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { allOf, changesIn, type ListPage } from '../port/changes.ts';
import { type JsonApi, parseAnswer, type Query } from '../port/json-api.ts';
import type { Changes, CompletionScope, ConnectionSettings, ProviderAccount, ProviderMode, SourceAccess } from '../port/port.ts';
import { PspError } from '../port/psp-error.ts';
import { CurrentCurrency, Index, Order, OrderState, Refund, Webhook } from './objects.ts';
import { EVENT_TYPES, readMessage, type WooCommerceEvent } from './read.ts';

const API = '/wp-json/wc/v3';
const PER_PAGE = 100;
/** Time for which the service looks at changed orders again, because the deletion of a refund does not change the time of its order. */
const LOOK_BACK_MS = 2 * 24 * 60 * 60_000;
const NAME = /^Affiliate program \((acct_[\w-]+)\)$/;

/** Access to a shop. */
export class WooCommerceAccess implements SourceAccess<WooCommerceEvent> {
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
      const name = `Affiliate program (${createdFor})`;
      const made = await this.#api.send('POST', `${API}/webhooks`, { name, topic: EVENT_TYPES[0], delivery_url: url, secret });
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

  look(event: WooCommerceEvent): Promise<WooCommerceEvent> {
    return Promise.resolve(event);
  }

  since(at: Date, from?: string): AsyncIterable<Changes<WooCommerceEvent>> {
    const begin = `1 ${toInstant(new Date(at.getTime() - LOOK_BACK_MS))}`;
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
    const last = secondBefore(parseAnswer(OrderState, orders.at(-1)).date_modified_gmt);
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

function secondBefore(at: Instant): Instant {
  return toInstant(new Date(Date.parse(at) - 1_000));
}

function endpointOf({ id, name, status, topic, delivery_url: url }: z.infer<typeof Webhook>): ProviderEndpoint {
  const createdFor = NAME.exec(name)?.[1] ?? null;
  return { id, url, createdFor, isEnabled: status === 'active', eventTypes: [topic], apiVersion: null };
}
