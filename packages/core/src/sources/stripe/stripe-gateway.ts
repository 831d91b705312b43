import type { Stripe } from 'stripe';
import type { ConnectionSettings, Delivery, ProviderAccount, ProviderMode, Source, Trust } from '../port/port.ts';
import { InvalidPspEventError, MalformedPspEventError } from '../port/psp-error.ts';
import { tell } from './assembly/tell.ts';
import { HANDLED_EVENT_TYPES, readProviderEvent, UNNEEDED_REASONS, withoutCustomer } from './read-event.ts';
import type { StripeProvider } from './stripe-provider.ts';
import { STRIPE } from './values/names.ts';
import type { ProviderEvent } from './values/provider-event.ts';

/** Matches secret (`sk_`) and restricted (`rk_`) keys. The rest of a key is opaque. */
const SECRET_KEY = /^[sr]k_(live|test)_[A-Za-z0-9_]+$/;

/** Maximum age of a delivery's timestamp in seconds, as in the provider's own libraries. */
const TIMESTAMP_TOLERANCE = 300;

/**
 * Access to Stripe accounts. Holds no key, because every connection has its own. The SDK is loaded on first use, because it is large and
 * most processes never call the provider.
 */
export class StripeGateway implements Source<ProviderEvent> {
  readonly kind = STRIPE;
  readonly name = 'Stripe';
  readonly fields = [{ name: 'secret_key', isSecret: true, placeholder: 'rk_live_…' }];
  readonly choices = [{ name: 'shipping', options: ['exclude', 'count'] }];
  readonly eventTypes = HANDLED_EVENT_TYPES;
  readonly initialSettings = { connected_account_id: null, customer_id_key: 'customer_id' };
  readonly tell = tell;
  readonly withoutPayer = withoutCustomer;
  readonly unneededReasons = UNNEEDED_REASONS;
  readonly #apiBase: ApiBase | undefined;
  readonly #timeoutMs: number;

  constructor({ apiBase, timeoutMs = 10_000 }: { apiBase?: string | undefined; timeoutMs?: number | undefined } = {}) {
    this.#apiBase = apiBase ? parseApiBase(apiBase) : undefined;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns the mode of a secret key, or null if the text is not a secret key. */
  modeOf(secretKey: string): ProviderMode | null {
    const mode = SECRET_KEY.exec(secretKey)?.[1];
    return mode === 'live' || mode === 'test' ? mode : null;
  }

  async connect(secretKey: string): Promise<{ mode: ProviderMode; account: ProviderAccount } | null> {
    const mode = this.modeOf(secretKey);
    return mode && { mode, account: await (await this.open(secretKey)).account() };
  }

  async open(secretKey: string, settings: ConnectionSettings = {}): Promise<StripeProvider> {
    const connectedAccountId = settings['connected_account_id'] ?? null;
    const [{ Stripe }, { StripeProvider }] = await Promise.all([import('stripe'), import('./stripe-provider.ts')]);
    const connect = () =>
      new Stripe(secretKey, {
        ...this.#apiBase,
        ...(connectedAccountId !== null && { stripeAccount: connectedAccountId }),
        timeout: this.#timeoutMs,
        // The SDK must not repeat writes: the operation repeats a write, after it has looked up the outcome of the first attempt. Despite
        // this setting, the SDK repeats a request once if the connection was closed during the request. That is harmless, because every
        // creation has an idempotency key.
        maxNetworkRetries: 0,
        telemetry: false,
      });
    return new StripeProvider(connect, {
      deadlineMs: 2 * this.#timeoutMs,
      settings,
      livemode: this.modeOf(secretKey) === 'live',
    });
  }

  async verify({ rawBody, header }: Delivery, secrets: readonly string[], now: Date): Promise<Trust> {
    const { Stripe } = await import('stripe');
    if (!secrets.some((secret) => isSignedBy(Stripe, rawBody, header('stripe-signature'), secret, now))) {
      throw new InvalidPspEventError('The signature does not match any valid signing secret, or its timestamp is too old');
    }
    return 'full';
  }

  read(body: string, _mode: ProviderMode, settings: ConnectionSettings): ProviderEvent {
    try {
      return readProviderEvent(JSON.parse(body), settings);
    } catch {
      throw new MalformedPspEventError('The body is not an event of the payment provider');
    }
  }
}

function isSignedBy(
  { webhooks, errors }: typeof Stripe,
  rawBody: Uint8Array,
  header: string | undefined,
  secret: string,
  now: Date,
): boolean {
  try {
    return (
      webhooks.signature?.verifyHeader(rawBody, header ?? '', secret, TIMESTAMP_TOLERANCE, undefined, now.getTime()) === true
    );
  } catch (error) {
    if (error instanceof errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

/** Address to which the SDK sends its requests. */
interface ApiBase {
  protocol: 'http' | 'https';
  host: string;
  port: number;
}

/** Parses an address such as `http://127.0.0.1:12111`. Throws with a one-line message when the SDK cannot use it. */
export function parseApiBase(address: string): ApiBase {
  const url = URL.canParse(address) ? new URL(address) : null;
  const protocol = url?.protocol === 'http:' ? 'http' : url?.protocol === 'https:' ? 'https' : null;
  if (!url || !protocol) throw new Error('must be an http:// or https:// address');
  // The SDK builds every path itself, so a prefix or credentials would be dropped silently.
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    throw new Error('must be a bare address: scheme, host and port');
  }
  return {
    protocol,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port ? Number(url.port) : protocol === 'https' ? 443 : 80,
  };
}
