import type { WriteCtx } from '../../platform/call/context.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { allOf, changesIn, OVERLAP_MS } from '../port/changes.ts';
import { type ApiOptions, credentialsIn, JsonApi, parseAnswer } from '../port/json-api.ts';
import { accountInAddress, addressFor } from '../port/own-endpoints.ts';
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
import { onReason, PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import type { Seen } from '../port/seen.ts';
import { verifyBodySignature } from '../port/standard-webhooks.ts';
import {
  Answer,
  ChangedOrders,
  EVENT_TYPES,
  type Order,
  OrderAnswer,
  orderSeen,
  type PageInfo,
  polledEvent,
  readMessage,
  Shop,
  SHOPIFY,
  type ShopifyEvent,
  Subscribed,
  Subscriptions,
  Token,
  TOPICS,
} from './tell.ts';

/** Queries of Shopify's GraphQL Admin API, in the version of `API_VERSION`. */
const API_VERSION = '2026-07';

const MONEY = '{ shopMoney { amount currencyCode } presentmentMoney { amount currencyCode } }';
const TAXES = `taxLines { priceSet ${MONEY} }`;
const VISIT = '{ landingPage referralCode utmParameters { source campaign } }';

/** Lines are read up to this number. Few orders have more. */
const LINES = 100;
const REFUNDS = 50;

const ORDER = `query ($id: ID!) {
  order(id: $id) {
    legacyResourceId
    test
    sourceName
    processedAt
    displayFinancialStatus
    taxesIncluded
    email
    customer { legacyResourceId displayName }
    customAttributes { key value }
    discountCodes
    customerJourneySummary { ready lastVisit ${VISIT} }
    totalPriceSet ${MONEY}
    totalReceivedSet ${MONEY}
    lineItems(first: ${LINES}) {
      nodes {
        id
        title
        quantity
        isGiftCard
        product { legacyResourceId }
        variant { legacyResourceId }
        originalTotalSet ${MONEY}
        discountAllocations { allocatedAmountSet ${MONEY} }
        ${TAXES}
      }
    }
    shippingLines(first: ${LINES}) { nodes { discountedPriceSet ${MONEY} ${TAXES} } }
    refunds(first: ${REFUNDS}) {
      legacyResourceId
      createdAt
      refundLineItems(first: ${LINES}) {
        nodes { lineItem { id isGiftCard product { legacyResourceId } } subtotalSet ${MONEY} totalTaxSet ${MONEY} }
      }
      refundShippingLines(first: ${LINES}) { nodes { subtotalAmountSet ${MONEY} taxAmountSet ${MONEY} } }
      transactions(first: ${LINES}) { nodes { kind status amountSet ${MONEY} } }
    }
    disputes { id initiatedAs status }
  }
}`;

const CHANGED_ORDERS = `query ($query: String!, $after: String) {
  orders(first: 250, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes { id updatedAt test }
    pageInfo { hasNextPage endCursor }
  }
}`;

const SHOP = '{ shop { name myshopifyDomain currencyCode } orders(first: 1) { nodes { id } } }';

const SUBSCRIPTIONS = `query ($after: String) {
  webhookSubscriptions(first: 100, after: $after) {
    nodes { id topic uri }
    pageInfo { hasNextPage endCursor }
  }
}`;

const SUBSCRIBE = `mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) {
    webhookSubscription { id }
    userErrors { message }
  }
}`;

const UNSUBSCRIBE = `mutation ($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { message } }
}`;

const FIELDS = ['shop', 'client_id', 'client_secret'] as const;
const SHOP_NAME = /^(?:https:\/\/)?([a-z0-9][a-z0-9-]{0,60})(?:\.myshopify\.com)?\/?$/i;
const ID = /^[0-9A-Za-z]{16,64}$/;
const SECRET = /^[0-9A-Za-z_]{16,100}$/;
/** An order costs about 60 of the 6,000 points that the smallest plan has in a minute. */
const PER_MINUTE = 90;
/** Share of a token's life after which a new one is asked for. */
const USABLE = 0.9;

/** Shopify. Every event leads to its order, which is read as a whole, so that the order of events does not matter. */
export class ShopifySource implements Source<ShopifyEvent> {
  readonly kind = SHOPIFY;
  readonly name = 'Shopify';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = "fetch('/cart/update.js', { …, body: JSON.stringify({ attributes: { referral: referralId } }) })";
  readonly statesMode = true;
  readonly fields = [
    { name: 'shop', isSecret: false, placeholder: 'my-shop.myshopify.com' },
    { name: 'client_id', isSecret: false, placeholder: '…' },
    { name: 'client_secret', isSecret: true, placeholder: 'shpss_…' },
  ];
  readonly choices = [
    { name: 'shipping', options: ['exclude', 'count'] },
    { name: 'point_of_sale', options: ['exclude', 'count'] },
    { name: 'draft_orders', options: ['count', 'exclude'] },
    { name: 'currency', options: ['shop', 'buyer'] },
  ];
  readonly createsEndpoint = true;
  readonly givesUpSoon = true;
  readonly read = readMessage;
  readonly #options: ApiOptions;
  /** Tokens by their credentials, each with the time of its end by `performance.now`. */
  readonly #tokens = new Map<string, { token: string; until: number }>();

  /** @param options.base another server for the requests, at whose path `/<shop>` each shop is reached */
  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** Orders state whether they are tests. */
  async connect(credentials: string) {
    const { shop, client_id, client_secret } = credentialsIn(credentials, FIELDS);
    if (!SHOP_NAME.test(shop) || !ID.test(client_id) || !SECRET.test(client_secret)) return null;
    return { mode: null, account: await this.#access(credentials, {}, 'live').account() };
  }

  open(credentials: string, settings: ConnectionSettings, { mode }: CompletionScope): ShopifyAccess {
    return this.#access(credentials, settings, mode);
  }

  #access(credentials: string, settings: ConnectionSettings, mode: ProviderMode): ShopifyAccess {
    const { shop, client_secret: secret } = credentialsIn(credentials, FIELDS);
    const name = SHOP_NAME.exec(shop)?.[1]?.toLowerCase() ?? '';
    const { base: server, timeoutMs } = this.#options;
    const base = server === undefined ? `https://${name}.myshopify.com` : `${server}/${name}`;
    const api = new JsonApi({ base, headers: {}, timeoutMs, perMinute: PER_MINUTE });
    const token = (isRefused: boolean) => {
      if (isRefused) this.#tokens.delete(credentials);
      return this.#token(credentials, api);
    };
    return new ShopifyAccess({ api, token, settings, secret, mode });
  }

  /** Returns a token of the app, which lives for a day. */
  async #token(credentials: string, api: JsonApi): Promise<string> {
    const known = this.#tokens.get(credentials);
    if (known && known.until > performance.now()) return known.token;
    const { client_id, client_secret } = credentialsIn(credentials, FIELDS);
    const asked = { grant_type: 'client_credentials', client_id, client_secret };
    const { access_token: token, expires_in } = parseAnswer(Token, await api.send('POST', '/admin/oauth/access_token', asked));
    this.#tokens.set(credentials, { token, until: performance.now() + expires_in * USABLE * 1_000 });
    return token;
  }

  /** The shop and the topic are in headers, which nobody signs: the order is read at the shop of the connection. */
  verify(delivery: Delivery, secrets: readonly string[]): Promise<Trust> {
    return verifyBodySignature(delivery, { name: 'x-shopify-hmac-sha256', encoding: 'base64' }, secrets);
  }

  tell(_ctx: WriteCtx, connectionId: string, { read }: ShopifyEvent): Seen[] {
    return read === null ? [] : orderSeen({ connectionId, settings: read.settings, readAt: read.at }, read.order);
  }
}

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
class ShopifyAccess implements SourceAccess<ShopifyEvent> {
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

  since(at: Date, from?: string): AsyncIterable<Changes<ShopifyEvent>> {
    const query = `updated_at:>='${plusMilliseconds(toInstant(at), -OVERLAP_MS)}'`;
    const changed = async (after: string | null) => {
      const { orders } = parseAnswer(ChangedOrders, await this.#ask(CHANGED_ORDERS, { query, after }));
      return { items: orders.nodes.map(polledEvent), page: after ?? '', next: nextOf(orders.pageInfo) };
    };
    return changesIn([changed], from);
  }

  /** Shopify deletes a subscription whose deliveries fail. */
  ensureEndpoint(uri: string): Promise<boolean> {
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

  #send(body: object): Promise<unknown> {
    const { api, token } = this.#opened;
    const send = async (isRefused: boolean) =>
      api.send('POST', `/admin/api/${API_VERSION}/graphql.json`, body, { 'X-Shopify-Access-Token': await token(isRefused) });
    return send(false).catch(onReason(['authentication'], () => send(true)));
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
