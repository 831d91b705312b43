/** A double of Lemon Squeezy's API on loopback. Its objects have the published types (test/sources/lemon-squeezy.test.ts). */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, DoubleServer } from '../double-server.ts';
import type { LemonInvoice, LemonOrder, LemonRedemption, LemonSubscription, Resource } from './objects.ts';
import { orderItem } from './objects.ts';

interface WebhookAttributes {
  url: string;
  events: string[];
  secret?: string;
  test_mode: boolean;
}

/** A store at Lemon Squeezy, with a key of its person. */
export class LemonStore {
  readonly key: string;
  readonly id: number;
  readonly isTest: boolean;
  readonly orders: LemonOrder[] = [];
  readonly subscriptions: LemonSubscription[] = [];
  readonly invoices: LemonInvoice[] = [];
  readonly redemptions: LemonRedemption[] = [];
  readonly webhooks: Resource<WebhookAttributes>[] = [];

  constructor(id: number, key: string, isTest: boolean) {
    this.id = id;
    this.key = key;
    this.isTest = isTest;
  }
}

const NOT_FOUND: Answer = [
  404,
  { errors: [{ status: '404', title: 'Not Found', detail: 'The requested resource does not exist.' }] },
];

export class LemonSqueezyServer extends DoubleServer {
  readonly stores: LemonStore[] = [];
  protected override readonly mediaType = 'application/vnd.api+json';

  /** Adds a store. Stores with the same key belong to one person. */
  addStore(isTest = false, key = `key_of_person_${String(this.stores.length).padStart(8, '0')}`): LemonStore {
    const store = new LemonStore(100 + this.stores.length, key, isTest);
    this.stores.push(store);
    return store;
  }

  protected answer(
    { pathname, searchParams }: URL,
    { method = '', headers }: IncomingMessage,
    body: Record<string, unknown>,
  ): Answer {
    const key = (headers.authorization ?? '').replace('Bearer ', '');
    const own = this.stores.filter((each) => each.key === key);
    if (own.length === 0) return [401, { errors: [{ status: '401', title: 'Unauthorized', detail: 'Unauthenticated.' }] }];
    if (headers.accept !== this.mediaType) return [406];
    const [kind = '', id] = pathname.split('/').slice(2);
    if (kind === 'users') return [200, { meta: { test_mode: own[0]!.isTest }, data: { type: 'users', id: '1', attributes: {} } }];
    if (kind === 'webhooks' && method !== 'GET')
      return this.#writeWebhook(method, id, body['data'] as Resource<WebhookAttributes>, own);
    if (id === undefined) return listed(kind, own, searchParams);
    const found = own.flatMap((store) => inStore(store, kind)).find((each) => each.id === id);
    if (!found) return NOT_FOUND;
    const include = (searchParams.get('include') ?? '').split(',');
    return [200, { data: found, included: own.flatMap((store) => included(store, found, include)) }];
  }

  #writeWebhook(method: string, id: string | undefined, sent: Resource<WebhookAttributes>, own: LemonStore[]): Answer {
    if (method === 'POST') {
      const { relationships } = sent as unknown as { relationships: { store: { data: { id: string } } } };
      const store = own.find((each) => String(each.id) === relationships.store.data.id)!;
      const { secret = '' } = sent.attributes;
      if (secret.length < 6 || secret.length > 40) return [422, { errors: [{ detail: 'The secret is not valid.' }] }];
      const made = { ...sent, id: String(store.id * 100 + store.webhooks.length) };
      store.webhooks.push(made);
      const { secret: _, ...attributes } = made.attributes;
      return [201, { data: { ...made, attributes } }];
    }
    const store = own.find(({ webhooks }) => webhooks.some((each) => each.id === id));
    const webhook = store?.webhooks.find((each) => each.id === id);
    if (!store || !webhook) return NOT_FOUND;
    if (method === 'PATCH') return [200, { data: Object.assign(webhook.attributes, sent.attributes) && webhook }];
    store.webhooks.splice(store.webhooks.indexOf(webhook), 1);
    return [204];
  }
}

function inStore(store: LemonStore, kind: string): Resource<object>[] {
  switch (kind) {
    case 'stores':
      return [{ type: 'stores', id: String(store.id), attributes: { name: 'Shop', country: 'US', currency: 'USD' } }];
    case 'orders':
      return store.orders;
    case 'subscription-invoices':
      return store.invoices;
    case 'webhooks':
      return store.webhooks;
    default:
      return [];
  }
}

/** Returns a page of a list, newest first. */
function listed(kind: string, own: readonly LemonStore[], query: URLSearchParams): Answer {
  const [number, size] = [Number(query.get('page[number]')), Number(query.get('page[size]'))];
  const subscriptionId = query.get('filter[subscription_id]');
  const all = own
    .filter(({ id }) => String(id) === query.get('filter[store_id]'))
    .flatMap((store) => inStore(store, kind))
    .filter(
      ({ attributes }) =>
        subscriptionId === null || String((attributes as { subscription_id: number }).subscription_id) === subscriptionId,
    )
    .toReversed();
  return [
    200,
    { data: all.slice((number - 1) * size, number * size), meta: { page: { currentPage: number, total: all.length } } },
  ];
}

/** Returns the objects that belong to another one. */
function included(store: LemonStore, { type, id, attributes }: Resource<object>, include: readonly string[]): Resource<object>[] {
  const of = (kind: string, found: Resource<object>[]) => (include.includes(kind) ? found : []);
  if (type === 'orders') {
    const isOfOrder = (each: Resource<{ order_id: number }>) => String(each.attributes.order_id) === id;
    return [
      ...of('order-items', store.orders.map(orderItem).filter(isOfOrder)),
      ...of('subscriptions', store.subscriptions.filter(isOfOrder)),
      ...of('discount-redemptions', store.redemptions.filter(isOfOrder)),
    ];
  }
  const { subscription_id } = attributes as { subscription_id?: number };
  return of(
    'subscription',
    store.subscriptions.filter((each) => each.id === String(subscription_id)),
  );
}

/** Signs a body as Lemon Squeezy does. */
export function lemonSignature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
