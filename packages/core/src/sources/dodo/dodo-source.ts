import type { z } from 'zod';
import type { WriteCtx } from '../../platform/call/context.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { allOf, changesIn } from '../port/changes.ts';
import { accountOfEitherMode, type ApiOptions, JsonApi, parseAnswer } from '../port/json-api.ts';
import { accountInName, nameFor, withMissing } from '../port/own-endpoints.ts';
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
import { SOURCE_REASONS } from '../port/reasons.ts';
import type { Seen } from '../port/seen.ts';
import { secretKeyOf, verifyStandardWebhook } from '../port/standard-webhooks.ts';
import {
  Brands,
  DODO,
  type DodoEvent,
  Endpoint,
  EndpointPage,
  EVENT_TYPES,
  LISTED,
  Payment,
  paymentSeen,
  polledEvent,
  readMessage,
  Secret,
} from './tell.ts';

const KEY = /^[A-Za-z0-9_.-]{20,200}$/;
const HOSTS = { live: 'https://live.dodopayments.com', test: 'https://test.dodopayments.com' };
/** Dodo does not publish its limit. */
const PER_MINUTE = 200;
const PER_PAGE = 100;
/** Days after which an entry of a list no longer changes. Lists have no filter by the time of a change. */
const OPEN_DAYS = { '/payments': 7, '/refunds': 60, '/disputes': 120 } as const;

/** Dodo Payments. Every event leads to its payment, which is read with its refunds and disputes, so that the order of events does not matter. */
export class DodoSource implements Source<DodoEvent> {
  readonly kind = DODO;
  readonly name = 'Dodo Payments';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = 'dodo.checkoutSessions.create({ …, metadata: { referral: referralId } })';
  readonly fields = [{ name: 'api_key', isSecret: true, placeholder: '…' }];
  readonly createsEndpoint = true;
  readonly read = readMessage;
  readonly #options: ApiOptions;

  /** @param options.base another server for live requests. Test mode is then reached at its path `/test` */
  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** A key does not name its mode: test mode is asked if live mode does not know the key. */
  connect(key: string) {
    return KEY.test(key) ? accountOfEitherMode((mode) => this.#access(key, mode)) : Promise.resolve(null);
  }

  open(key: string, _settings: ConnectionSettings, { mode }: CompletionScope): DodoAccess {
    return this.#access(key, mode);
  }

  #access(key: string, mode: ProviderMode): DodoAccess {
    const { base, timeoutMs } = this.#options;
    const hosts = base === undefined ? HOSTS : { live: base, test: `${base}/test` };
    const headers = { Authorization: `Bearer ${key}` };
    return new DodoAccess(new JsonApi({ base: hosts[mode], headers, timeoutMs, perMinute: PER_MINUTE }), mode);
  }

  verify(delivery: Delivery, secrets: readonly string[], now: Date): Promise<Trust> {
    return verifyStandardWebhook(delivery, { v1: secrets.flatMap((secret) => secretKeyOf(secret) ?? []) }, now);
  }

  isSigningSecret(text: string): boolean {
    return secretKeyOf(text) !== null;
  }

  tell(_ctx: WriteCtx, connectionId: string, { mode, read }: DodoEvent): Seen[] {
    return read === null ? [] : paymentSeen(connectionId, mode, read.payment, read.at);
  }
}

/** Access to a business at Dodo. */
class DodoAccess implements SourceAccess<DodoEvent> {
  readonly #api: JsonApi;
  readonly #mode: ProviderMode;
  readonly endpoints: Endpoints = {
    allEndpoints: async () => {
      const all = await allOf(async (place) => {
        const query = { limit: PER_PAGE, iterator: place ?? undefined };
        const { data: items, done, iterator } = parseAnswer(EndpointPage, await this.#api.get('/webhooks', query));
        return { items, page: place ?? '', next: done ? null : (iterator ?? null) };
      });
      return all.map(endpointOf);
    },
    createEndpoint: async ({ url, createdFor }) => {
      const asked = { url, description: nameFor(createdFor), filter_types: EVENT_TYPES };
      const { id } = parseAnswer(Endpoint, await this.#api.send('POST', '/webhooks', asked));
      const { secret } = parseAnswer(Secret, await this.#api.get(`/webhooks/${encodeURIComponent(id)}/secret`));
      return { id, secret };
    },
    deleteEndpoint: async (id) => {
      await this.#api.send('DELETE', `/webhooks/${encodeURIComponent(id)}`);
    },
  };

  constructor(api: JsonApi, mode: ProviderMode) {
    this.#api = api;
    this.#mode = mode;
  }

  async account(): Promise<ProviderAccount> {
    const [brand] = parseAnswer(Brands, await this.#api.get('/brands')).items;
    if (!brand) throw new PspError({ reason: 'permission', said: SOURCE_REASONS.key_without_business });
    return { id: brand.business_id, name: brand.name, country: null, defaultCurrency: null };
  }

  /** Reads the payment of an event, with its refunds and disputes. */
  async complete({ now }: CompletionScope, event: DodoEvent): Promise<DodoEvent> {
    const { paymentId } = event;
    if (paymentId === null) return event;
    const at = toInstant(now());
    const payment = parseAnswer(Payment, await this.#api.get(`/payments/${encodeURIComponent(paymentId)}`));
    const { customer_id: id, email } = payment.customer;
    return { ...event, read: { payment, at }, payer: { id, externalId: null, email, formerEmail: null } };
  }

  since(at: Date, place?: string): AsyncIterable<Changes<DodoEvent>> {
    const lists = (['/payments', '/refunds', '/disputes'] as const).map((path) => (number: string | null) => {
      return this.#page(path, plusDays(toInstant(at), -OPEN_DAYS[path]), Number(number ?? 0));
    });
    return changesIn(lists, place);
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `/webhooks/${encodeURIComponent(id)}`;
    const { isEnabled, eventTypes } = endpointOf(parseAnswer(Endpoint, await this.#api.get(path)));
    const missing = withMissing(eventTypes, EVENT_TYPES);
    if (isEnabled && (missing === null || eventTypes.includes('*'))) return false;
    await this.#api.send('PATCH', path, { disabled: false, filter_types: missing ?? eventTypes });
    return true;
  }

  async #page(path: keyof typeof LISTED, from: string, number: number) {
    const query = { created_at_gte: from, page_number: number, page_size: PER_PAGE };
    const { items: found = [] } = (await this.#api.get(path, query)) as { items?: unknown[] };
    const listed = found.map((each) => parseAnswer(LISTED[path], each));
    const items = listed.map(({ id, payment_id, status, created_at }) =>
      polledEvent(payment_id, `${id} ${status ?? ''}`, created_at, this.#mode),
    );
    return { items, page: listed[0]?.id ?? '', next: found.length < PER_PAGE ? null : String(number + 1) };
  }
}

function endpointOf({ id, url, description, disabled, filter_types }: z.infer<typeof Endpoint>): ProviderEndpoint {
  const eventTypes = filter_types && filter_types.length > 0 ? filter_types : ['*'];
  return { id, url, createdFor: accountInName(description), isEnabled: disabled !== true, eventTypes, apiVersion: null };
}
