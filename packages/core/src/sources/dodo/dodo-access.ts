import type { z } from 'zod';
import { toInstant } from '../../platform/time/instant.ts';
import type { Endpoints, ProviderEndpoint } from '../port/capabilities.ts';
import { allOf, changesIn } from '../port/changes.ts';
import { type JsonApi, parseAnswer } from '../port/json-api.ts';
import type { Changes, CompletionScope, ProviderAccount, ProviderMode, SourceAccess } from '../port/port.ts';
import { PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import { Brands, Endpoint, EndpointPage, LISTED, Payment, Secret } from './objects.ts';
import { type DodoEvent, EVENT_TYPES, polledEvent } from './read.ts';

const PER_PAGE = 100;
/** Days after which an entry of a list no longer changes. Lists have no filter by the time of a change. */
const OPEN_DAYS = { '/payments': 7, '/refunds': 60, '/disputes': 120 } as const;
const DAY_MS = 24 * 60 * 60_000;
const DESCRIPTION = /^Affiliate program \((acct_[\w-]+)\)$/;

/** Access to a business at Dodo. */
export class DodoAccess implements SourceAccess<DodoEvent> {
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
      const description = `Affiliate program (${createdFor})`;
      const { id } = parseAnswer(
        Endpoint,
        await this.#api.send('POST', '/webhooks', { url, description, filter_types: EVENT_TYPES }),
      );
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

  look(event: DodoEvent): Promise<DodoEvent> {
    return Promise.resolve(event);
  }

  since(at: Date, place?: string): AsyncIterable<Changes<DodoEvent>> {
    const lists = (['/payments', '/refunds', '/disputes'] as const).map((path) => (number: string | null) => {
      return this.#page(path, toInstant(new Date(at.getTime() - OPEN_DAYS[path] * DAY_MS)), Number(number ?? 0));
    });
    return changesIn(lists, place);
  }

  async ensureEndpoint(id: string): Promise<boolean> {
    const path = `/webhooks/${encodeURIComponent(id)}`;
    const { isEnabled, eventTypes } = endpointOf(parseAnswer(Endpoint, await this.#api.get(path)));
    if (isEnabled && EVENT_TYPES.every((type) => eventTypes.includes(type) || eventTypes.includes('*'))) return false;
    await this.#api.send('PATCH', path, { disabled: false, filter_types: [...new Set([...eventTypes, ...EVENT_TYPES])] });
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
  const createdFor = DESCRIPTION.exec(description ?? '')?.[1] ?? null;
  const eventTypes = filter_types && filter_types.length > 0 ? filter_types : ['*'];
  return { id, url, createdFor, isEnabled: disabled !== true, eventTypes, apiVersion: null };
}
