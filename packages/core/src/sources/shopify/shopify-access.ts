import { toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { allOf, changesIn } from '../port/changes.ts';
import { accountInAddress, addressFor, type JsonApi, parseAnswer } from '../port/json-api.ts';
import type { Changes, CompletionScope, ConnectionSettings, ProviderAccount, ProviderMode, SourceAccess } from '../port/port.ts';
import { PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import { Answer, ChangedOrders, type Order, OrderAnswer, type PageInfo, Shop, Subscribed, Subscriptions } from './objects.ts';
import { API_VERSION, CHANGED_ORDERS, ORDER, SHOP, SUBSCRIBE, SUBSCRIPTIONS, UNSUBSCRIBE } from './queries.ts';
import { EVENT_TYPES, polledEvent, type ShopifyEvent, TOPICS } from './read.ts';

/** Time in which a change may still be missing from the lists. */
const OVERLAP_MS = 10 * 60_000;

interface Opened {
  api: JsonApi;
  /** Returns a token, a new one if the former one is refused. */
  token: (isRefused: boolean) => Promise<string>;
  settings: ConnectionSettings;
  /** The secret of the app, which signs its events. */
  secret: string;
  mode: ProviderMode;
}

/** Access to a shop. An endpoint consists of a subscription for each topic, so that its address identifies it. */
export class ShopifyAccess implements SourceAccess<ShopifyEvent> {
  readonly #opened: Opened;
  readonly endpoints: Endpoints = {
    allEndpoints: async () => {
      const byUri = Map.groupBy(await this.#subscriptions(), ({ uri }) => uri);
      return [...byUri].map(([uri, subscriptions]) => endpointOf(uri, subscriptions));
    },
    createEndpoint: async ({ url, createdFor }) => {
      const uri = addressFor(url, createdFor);
      await this.#subscribe(uri);
      return { id: uri, secret: this.#opened.secret };
    },
    deleteEndpoint: async (uri) => {
      for (const subscription of await this.#subscriptions())
        if (subscription.uri === uri) await this.#ask(UNSUBSCRIBE, { id: subscription.id });
    },
  };

  constructor(opened: Opened) {
    this.#opened = opened;
  }

  async account(): Promise<ProviderAccount> {
    const { name, myshopifyDomain, currencyCode } = parseAnswer(Shop, await this.#ask(SHOP, {})).shop;
    return { id: myshopifyDomain, name, country: null, defaultCurrency: currencyCode };
  }

  /** Reads the order of an event. Shopify may need a minute until it knows from where the customer came. */
  async complete({ now }: CompletionScope, event: ShopifyEvent, hasWaited: boolean): Promise<ShopifyEvent> {
    const { orderId } = event;
    if (orderId === null) return event;
    const at = toInstant(now());
    const { order } = parseAnswer(OrderAnswer, await this.#ask(ORDER, { id: orderId }));
    // A test account takes no live orders, which a refund or a dispute does not state.
    if (order === null || (!order.test && this.#opened.mode === 'test')) return event;
    if (!hasWaited && isUnknown(order)) throw new PspError({ reason: 'incomplete', said: SOURCE_REASONS.sender_not_known_yet });
    const payer = { id: order.customer?.legacyResourceId ?? null, externalId: null, email: order.email, formerEmail: null };
    return { ...event, mode: order.test ? 'test' : 'live', payer, read: { order, at, settings: this.#opened.settings } };
  }

  look(event: ShopifyEvent): Promise<ShopifyEvent> {
    return Promise.resolve(event);
  }

  since(at: Date, from?: string): AsyncIterable<Changes<ShopifyEvent>> {
    const query = `updated_at:>='${toInstant(new Date(at.getTime() - OVERLAP_MS))}'`;
    const changed = async (after: string | null) => {
      const { orders } = parseAnswer(ChangedOrders, await this.#ask(CHANGED_ORDERS, { query, after }));
      return { items: orders.nodes.map(polledEvent), page: after ?? '', next: nextOf(orders.pageInfo) };
    };
    return changesIn([changed], from);
  }

  /** Shopify deletes a subscription whose deliveries fail. */
  async ensureEndpoint(uri: string): Promise<boolean> {
    return this.#subscribe(uri);
  }

  /** Makes the subscriptions that an address lacks. Returns true if there were any. */
  async #subscribe(uri: string): Promise<boolean> {
    const known = (await this.#subscriptions()).flatMap((each) => (each.uri === uri ? each.topic : []));
    const missing = Object.values(TOPICS).filter((topic) => !known.includes(topic));
    for (const topic of missing) {
      const { userErrors } = parseAnswer(Subscribed, await this.#ask(SUBSCRIBE, { topic, uri }));
      const [refused] = userErrors;
      if (refused)
        throw new PspError({ reason: 'rejected', said: SOURCE_REASONS.provider_said({ words: refused.message.slice(0, 300) }) });
    }
    return missing.length > 0;
  }

  #subscriptions() {
    return allOf(async (after) => {
      const { webhookSubscriptions: found } = parseAnswer(Subscriptions, await this.#ask(SUBSCRIPTIONS, { after }));
      return { items: found.nodes, page: after ?? '', next: nextOf(found.pageInfo) };
    });
  }

  /** Sends a query or a mutation. Shopify answers most refusals with 200. */
  async #ask(query: string, variables: Readonly<Record<string, string | null>>): Promise<unknown> {
    const { data, errors } = parseAnswer(Answer, await this.#send({ query, variables }));
    const [refused] = errors ?? [];
    if (refused === undefined) return data;
    const code = refused.extensions?.code;
    const reason = code === 'THROTTLED' ? 'rate_limited' : code === 'ACCESS_DENIED' ? 'permission' : 'rejected';
    throw new PspError({ reason, said: SOURCE_REASONS.provider_said({ words: refused.message.slice(0, 300) }) });
  }

  async #send(body: object): Promise<unknown> {
    const { api, token } = this.#opened;
    const send = async (isRefused: boolean) =>
      api.send('POST', `/admin/api/${API_VERSION}/graphql.json`, body, { 'X-Shopify-Access-Token': await token(isRefused) });
    try {
      return await send(false);
    } catch (error) {
      if (!(error instanceof PspError && error.reason === 'authentication')) throw error;
      return send(true);
    }
  }
}

function nextOf({ hasNextPage, endCursor }: PageInfo): string | null {
  return hasNextPage ? (endCursor ?? null) : null;
}

/** True if nothing says who sent the customer, and Shopify may still learn it. */
function isUnknown({ customAttributes, customerJourneySummary }: Order): boolean {
  return customAttributes.length === 0 && customerJourneySummary?.ready === false;
}

function endpointOf(uri: string, subscriptions: readonly { topic: string }[]): ProviderEndpoint {
  const eventTypes = EVENT_TYPES.filter((type) =>
    subscriptions.some(({ topic }) => topic === TOPICS[type as keyof typeof TOPICS]),
  );
  return { id: uri, url: uri, createdFor: accountInAddress(uri), isEnabled: true, eventTypes, apiVersion: null };
}
