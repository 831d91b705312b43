import type { Stripe } from 'stripe';
import type {
  EventReading,
  EventVerification,
  PaymentProvider,
  PaymentProviderGateway,
  ProviderMode,
  ProviderOptions,
} from '../port/port.ts';
import type { ProviderEvent } from '../port/provider-event.ts';
import { InvalidPspEventError, MalformedPspEventError } from '../port/psp-error.ts';
import { parseApiBase, type ApiBase } from './api-base.ts';
import { completeEvent } from './assembly/complete-event.ts';
import { tell } from './assembly/tell.ts';
import { HANDLED_EVENT_TYPES, missingTypes, readProviderEvent, UNNEEDED_REASONS } from './read-event.ts';

/** Matches secret (`sk_`) and restricted (`rk_`) keys. The rest of a key is opaque. */
const SECRET_KEY = /^[sr]k_(live|test)_[A-Za-z0-9_]+$/;

/** Maximum age of a delivery's timestamp in seconds, as in the provider's own libraries. */
const TIMESTAMP_TOLERANCE = 300;

export interface StripeGatewayOptions {
  /** Another server for the SDK's requests, such as a proxy. Default: Stripe. */
  apiBase?: string | undefined;
  /** Time-out of calls to the provider, in milliseconds. */
  timeoutMs?: number | undefined;
}

/**
 * Access to Stripe accounts. Holds no key, because every connection has its own. The SDK is loaded on first use, because it is large and
 * most processes never call the provider.
 */
export class StripeGateway implements PaymentProviderGateway {
  readonly handledEventTypes = HANDLED_EVENT_TYPES;
  readonly missingTypes = missingTypes;
  readonly complete = completeEvent;
  readonly tell = tell;
  readonly unneededReasons = UNNEEDED_REASONS;
  readonly #apiBase: ApiBase | undefined;
  readonly #timeoutMs: number;

  constructor({ apiBase, timeoutMs = 10_000 }: StripeGatewayOptions = {}) {
    this.#apiBase = apiBase ? parseApiBase(apiBase) : undefined;
    this.#timeoutMs = timeoutMs;
  }

  modeOf(secretKey: string): ProviderMode | null {
    const mode = SECRET_KEY.exec(secretKey)?.[1];
    return mode === 'live' || mode === 'test' ? mode : null;
  }

  async open(
    secretKey: string,
    { customerIdKey, connectedAccountId }: ProviderOptions = { customerIdKey: null, connectedAccountId: null },
  ): Promise<PaymentProvider> {
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
    return new StripeProvider(connect, { deadlineMs: 2 * this.#timeoutMs, customerIdKey });
  }

  async readEvent(
    rawBody: Uint8Array,
    header: (name: string) => string | undefined,
    { secrets, now, customerIdKey }: EventVerification,
  ): Promise<ProviderEvent> {
    const { Stripe } = await import('stripe');
    if (!secrets.some((secret) => isSignedBy(Stripe, rawBody, header('stripe-signature'), secret, now))) {
      throw new InvalidPspEventError('The signature does not match any valid signing secret, or its timestamp is too old');
    }
    try {
      return readProviderEvent(JSON.parse(new TextDecoder().decode(rawBody)), { customerIdKey });
    } catch {
      throw new MalformedPspEventError('The body is not an event of the payment provider');
    }
  }

  rereadEvent(payload: string, reading: EventReading): ProviderEvent {
    return readProviderEvent(JSON.parse(payload), reading);
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
