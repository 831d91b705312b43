import type { WriteCtx } from '../../platform/call/context.ts';
import type { Fetch } from '../../platform/operations/ask-json.ts';
import { credentialsIn } from '../port/credentials.ts';
import { JsonApi } from '../port/json-api.ts';
import type { CompletionScope, ConnectionSettings, Delivery, ProviderMode, Source, Trust } from '../port/port.ts';
import type { Seen } from '../port/seen.ts';
import { verifyBodySignature } from '../port/standard-webhooks.ts';
import { EVENT_TYPES, readMessage, type WooCommerceEvent } from './read.ts';
import { orderSeen, WOOCOMMERCE } from './tell.ts';
import { WooCommerceAccess } from './woocommerce-access.ts';

const FIELDS = ['store_url', 'consumer_key', 'consumer_secret'] as const;
const KEY = /^c[ks]_[0-9A-Za-z]{16,100}$/;
/** Shops often share a small server. */
const PER_MINUTE = 120;
/** The unsigned body that WooCommerce sends when a webhook is created. It expects a 200. */
const PING = /^webhook_id=\d{1,12}$/;

/** Finding the account needs no mode and no time. */
const NO_SCOPE = { mode: 'live', now: () => new Date(0) } as const;

interface Options {
  /** Another server for the requests to all shops. */
  base?: string | undefined;
  timeoutMs: number;
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

  open(credentials: string, settings: ConnectionSettings, scope: CompletionScope): Promise<WooCommerceAccess> {
    return Promise.resolve(this.#access(credentials, settings, scope));
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

  read(body: string, _settings: ConnectionSettings, mode: ProviderMode): WooCommerceEvent {
    return readMessage(body, mode);
  }

  withoutPayer(event: WooCommerceEvent): WooCommerceEvent {
    const { read } = event;
    const billing = { email: null, first_name: null, last_name: null };
    const whole = read && { ...read.whole, order: { ...read.whole.order, billing } };
    return { ...event, listed: null, read: read && { ...read, whole: whole! } };
  }

  tell(_ctx: WriteCtx, connectionId: string, { mode, read }: WooCommerceEvent): Promise<Seen[]> {
    return Promise.resolve(read === null ? [] : orderSeen({ connectionId, mode, readAt: read.at }, read.whole));
  }
}

/** Returns the address of a shop without a slash at its end; null if the text is none. Keys are not sent without encryption. */
function addressOf(text: string): string | null {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') return null;
  return `https://${url.host}${url.pathname}`.replace(/\/+$/, '');
}
