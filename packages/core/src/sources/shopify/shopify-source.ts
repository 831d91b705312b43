import type { WriteCtx } from '../../platform/call/context.ts';
import { credentialsIn } from '../port/credentials.ts';
import { JsonApi, parseAnswer } from '../port/json-api.ts';
import type { CompletionScope, ConnectionSettings, Delivery, ProviderMode, Source, Trust } from '../port/port.ts';
import type { Seen } from '../port/seen.ts';
import { verifyBodySignature } from '../port/standard-webhooks.ts';
import { Token } from './objects.ts';
import { EVENT_TYPES, readMessage, type ShopifyEvent } from './read.ts';
import { ShopifyAccess } from './shopify-access.ts';
import { orderSeen, SHOPIFY } from './tell.ts';

const FIELDS = ['shop', 'client_id', 'client_secret'] as const;
const SHOP = /^(?:https:\/\/)?([a-z0-9][a-z0-9-]{0,60})(?:\.myshopify\.com)?\/?$/i;
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
  readonly #base: string | undefined;
  readonly #timeoutMs: number;
  /** Tokens by their credentials, each with the time of its end by `performance.now`. */
  readonly #tokens = new Map<string, { token: string; until: number }>();

  /** @param of.base another server for the requests, at whose path `/<shop>` each shop is reached */
  constructor({ base, timeoutMs }: { base?: string | undefined; timeoutMs: number }) {
    this.#base = base;
    this.#timeoutMs = timeoutMs;
  }

  /** Orders state whether they are tests. */
  async connect(credentials: string) {
    const { shop, client_id, client_secret } = credentialsIn(credentials, FIELDS);
    if (!SHOP.test(shop) || !ID.test(client_id) || !SECRET.test(client_secret)) return null;
    return { mode: null, account: await this.#access(credentials, {}, 'live').account() };
  }

  open(credentials: string, settings: ConnectionSettings, { mode }: CompletionScope): Promise<ShopifyAccess> {
    return Promise.resolve(this.#access(credentials, settings, mode));
  }

  #access(credentials: string, settings: ConnectionSettings, mode: ProviderMode): ShopifyAccess {
    const { shop, client_secret: secret } = credentialsIn(credentials, FIELDS);
    const name = SHOP.exec(shop)?.[1]?.toLowerCase() ?? '';
    const base = this.#base === undefined ? `https://${name}.myshopify.com` : `${this.#base}/${name}`;
    const api = new JsonApi({ base, headers: {}, timeoutMs: this.#timeoutMs, perMinute: PER_MINUTE });
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

  read(body: string, _settings: ConnectionSettings, mode: ProviderMode): ShopifyEvent {
    return readMessage(body, mode);
  }

  withoutPayer(event: ShopifyEvent): ShopifyEvent {
    const { read } = event;
    if (read === null) return event;
    const { order } = read;
    const customer = order.customer ? { ...order.customer, displayName: null } : null;
    return { ...event, read: { ...read, order: { ...order, email: null, customer } } };
  }

  tell(_ctx: WriteCtx, connectionId: string, { read }: ShopifyEvent): Promise<Seen[]> {
    return Promise.resolve(
      read === null ? [] : orderSeen({ connectionId, settings: read.settings, readAt: read.at }, read.order),
    );
  }
}
