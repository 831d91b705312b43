import type { WriteCtx } from '../../platform/call/context.ts';
import { credentialsIn } from '../port/credentials.ts';
import { JsonApi, parseAnswer } from '../port/json-api.ts';
import type { CompletionScope, ConnectionSettings, Delivery, ProviderMode, Source, Trust } from '../port/port.ts';
import { PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import type { Seen } from '../port/seen.ts';
import { verifyBodySignature } from '../port/standard-webhooks.ts';
import { keepCustomData } from './keep-custom-data.ts';
import { LemonSqueezyAccess } from './lemon-squeezy-access.ts';
import { User } from './objects.ts';
import { EVENT_TYPES, type LemonSqueezyEvent, readMessage } from './read.ts';
import { LEMON_SQUEEZY, paymentsSeen } from './tell.ts';

const KEY = /^[A-Za-z0-9_.-]{20,4000}$/;
const STORE_ID = /^#?(\d{1,12})$/;
const HOST = 'https://api.lemonsqueezy.com';
const MEDIA_TYPE = 'application/vnd.api+json';
/** Lemon Squeezy accepts 300 requests in a minute. */
const PER_MINUTE = 240;

const FIELDS = ['api_key', 'store_id'] as const;

/** Lemon Squeezy. Every event leads to its order or invoice, which is read as a whole, so that the order of events does not matter. */
export class LemonSqueezySource implements Source<LemonSqueezyEvent> {
  readonly kind = LEMON_SQUEEZY;
  readonly name = 'Lemon Squeezy';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = 'createCheckout(…, { checkoutData: { custom: { referral: referralId } } })';
  readonly fields = [
    { name: 'api_key', isSecret: true, placeholder: 'eyJ0…' },
    { name: 'store_id', isSecret: false, placeholder: '12345' },
  ];
  readonly createsEndpoint = true;
  readonly givesUpSoon = true;
  readonly #base: string;
  readonly #timeoutMs: number;

  /** @param of.base another server for the requests */
  constructor({ base = HOST, timeoutMs }: { base?: string | undefined; timeoutMs: number }) {
    this.#base = base;
    this.#timeoutMs = timeoutMs;
  }

  /** A key is for all stores of a person. */
  async connect(credentials: string) {
    const { api_key, store_id } = credentialsIn(credentials, FIELDS);
    if (!KEY.test(api_key) || !STORE_ID.test(store_id)) return null;
    const { meta } = parseAnswer(User, await this.#api(api_key).get('/v1/users/me'));
    const mode = meta?.test_mode === true ? ('test' as const) : ('live' as const);
    try {
      return { mode, account: await this.#access(credentials, mode).account() };
    } catch (error) {
      if (!(error instanceof PspError && error.reason === 'not_found')) throw error;
      throw new PspError({ reason: 'rejected', said: SOURCE_REASONS.key_without_store });
    }
  }

  open(credentials: string, _settings: ConnectionSettings, { mode }: CompletionScope): Promise<LemonSqueezyAccess> {
    return Promise.resolve(this.#access(credentials, mode));
  }

  #access(credentials: string, mode: ProviderMode): LemonSqueezyAccess {
    const { api_key, store_id } = credentialsIn(credentials, FIELDS);
    return new LemonSqueezyAccess(this.#api(api_key), store_id.replace('#', ''), mode);
  }

  #api(key: string): JsonApi {
    const headers = { Authorization: `Bearer ${key}`, Accept: MEDIA_TYPE, 'Content-Type': MEDIA_TYPE };
    return new JsonApi({ base: this.#base, headers, timeoutMs: this.#timeoutMs, perMinute: PER_MINUTE });
  }

  verify(delivery: Delivery, secrets: readonly string[]): Promise<Trust> {
    return verifyBodySignature(delivery, { name: 'x-signature', encoding: 'hex' }, secrets);
  }

  read(body: string, _settings: ConnectionSettings, mode: ProviderMode): LemonSqueezyEvent {
    return readMessage(body, mode);
  }

  withoutPayer(event: LemonSqueezyEvent): LemonSqueezyEvent {
    const { read, custom } = event;
    const erased = { user_email: null, user_name: null };
    if (read === null) return { ...event, custom: { ...custom, externalId: null } };
    const { order, invoices } = read.payment;
    const payment = {
      ...read.payment,
      order: order && { ...order, ...erased },
      invoices: invoices.map((invoice) => ({ ...invoice, ...erased })),
    };
    return { ...event, custom: { ...custom, externalId: null }, read: { ...read, payment } };
  }

  async tell(ctx: WriteCtx, connectionId: string, event: LemonSqueezyEvent): Promise<Seen[]> {
    const { mode, read } = event;
    if (read === null) return [];
    return paymentsSeen({ connectionId, mode, readAt: read.at }, read.payment, await keepCustomData(ctx, connectionId, event));
  }
}
