/** A double of PayPal's Payouts API on loopback. Its objects have the published types (test/payouts/rails/paypal.test.ts). The sandbox is below `/sandbox`. */
import { createHmac, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, DoubleServer } from '../double-server.ts';
import type { DoubleAccount, Fate, Made, RailDouble, SignedNotice, Stage } from '../rail-double.ts';
import { batch, fault, type ItemState, type PayoutRequest, type PayPalBatch, type PayPalItem, payPalId } from './objects.ts';

interface Endpoint {
  id: string;
  url: string;
  event_types: { name: string }[];
}

const STATES: Readonly<Record<Stage, PayPalItem['transaction_status']>> = {
  pending: 'PENDING',
  unclaimed: 'UNCLAIMED',
  arrived: 'SUCCESS',
  failed: 'FAILED',
  returned: 'REFUNDED',
  'unheard of': 'EATEN_BY_A_DOG',
};
const STAGES = new Map<string, Stage>([
  ...Object.entries(STATES).map(([stage, state]): [string, Stage] => [state, stage as Stage]),
  ['ONHOLD', 'pending'],
  ['BLOCKED', 'failed'],
  ['RETURNED', 'returned'],
  ['REVERSED', 'returned'],
]);

/** An app of a merchant's PayPal account. */
export class PayPalApp implements DoubleAccount {
  readonly client_id: string;
  client_secret: string;
  readonly isSandbox: boolean;
  readonly tokens = new Set<string>();
  readonly batches: PayPalBatch[] = [];
  /** Batches by the merchant's id, each with the time for which PayPal knows the id. */
  readonly known = new Map<string, { batch: PayPalBatch; until: number }>();
  readonly endpoints: Endpoint[] = [];
  readonly waiting: { request: PayoutRequest; since: number }[] = [];
  /** Requests that were refused for their content. The same request is valid or not, however often it comes. */
  readonly invalid = new Map<string, Answer>();
  /** Requests to pay, as they came. */
  readonly bodies: string[] = [];
  fates: Fate[] = [];
  balance: Map<string, number> | null = null;
  readonly #server: PayPalServer;

  constructor(server: PayPalServer, number: number, isSandbox: boolean) {
    this.#server = server;
    this.client_id = `app-${number}`;
    this.client_secret = `secret-of-${number}`;
    this.isSandbox = isSandbox;
  }

  get credentials() {
    return { client_id: this.client_id, client_secret: this.client_secret };
  }

  get posts(): string[] {
    return this.bodies.map((body) => (JSON.parse(body) as PayoutRequest).sender_batch_header.sender_batch_id);
  }

  get items(): PayPalItem[] {
    return this.batches.flatMap(({ items }) => items);
  }

  get made(): Made[] {
    return this.batches.flatMap(({ items, isProcessed }) =>
      items.map(({ payout_item_id, payout_item, transaction_status }) => ({
        key: payout_item.sender_item_id!,
        cents: centsOf(payout_item.amount.value),
        currency: payout_item.amount.currency,
        stage: STAGES.get(transaction_status)!,
        isNew: !isProcessed,
        id: payout_item_id,
      })),
    );
  }

  itemOf(key: string): PayPalItem {
    return this.items.find(({ payout_item }) => payout_item.sender_item_id === key)!;
  }

  process(stage: Stage = 'arrived'): void {
    this.#server.process(this, STATES[stage] as ItemState);
  }

  turn(key: string, stage: Stage, reason?: string): void {
    const item = this.itemOf(key);
    // What nobody has claimed comes back in another way than what somebody has sent back.
    const state = stage === 'returned' && item.transaction_status === 'UNCLAIMED' ? 'RETURNED' : STATES[stage];
    this.#server.turn(item, state, reason === undefined ? undefined : ['', reason]);
  }

  misstate(key: string, cents: number): void {
    const { payout_item } = this.itemOf(key);
    payout_item.amount = { ...payout_item.amount, value: (cents / 100).toFixed(2) };
  }

  arrive(): void {
    this.#server.arrive(this);
  }

  notice(key: string): SignedNotice {
    return this.#server.notice(this, key);
  }
}

const DAY_MS = 86_400_000;
/** PayPal's fee: 2 %, at most 1.00. */
const feeOf = (cents: number) => Math.min(Math.round(cents / 50), 100);
const centsOf = (value: string) => Math.round(Number(value) * 100);

export class PayPalServer extends DoubleServer implements RailDouble {
  readonly apps: PayPalApp[] = [];
  /** The current time, of which PayPal's times are made. */
  now: () => Date = () => new Date();

  addAccount(isSandbox = false): PayPalApp {
    const app = new PayPalApp(this, this.apps.length + 1, isSandbox);
    this.apps.push(app);
    return app;
  }

  /** Processes all batches: their items get a state. */
  process(app: PayPalApp, state: ItemState = 'SUCCESS'): void {
    for (const each of app.batches) {
      if (each.isProcessed) continue;
      each.isProcessed = true;
      const cents = each.items.reduce((sum, { payout_item }) => sum + centsOf(payout_item.amount.value), 0);
      const { currency } = each.header.amount;
      const needed = cents + feeOf(cents);
      const there = app.balance?.get(currency) ?? 0;
      if (app.balance !== null && there < needed) {
        // A denied batch names no items.
        Object.assign(each, { items: [] });
        each.header.batch_status = 'DENIED';
        each.header.errors = fault('INSUFFICIENT_FUNDS', 'Sender does not have sufficient funds.');
        continue;
      }
      app.balance?.set(currency, there - needed);
      each.header.batch_status = 'SUCCESS';
      for (const one of each.items) this.turn(one, state);
    }
  }

  /** Sets the state of an item, as PayPal decides it. */
  turn(item: PayPalItem, state: PayPalItem['transaction_status'], reason?: [name: string, message: string]): void {
    item.transaction_status = state;
    item.time_processed = this.now().toISOString();
    item.payout_item_fee = {
      ...item.payout_item_fee,
      value: (feeOf(centsOf(item.payout_item.amount.value)) / 100).toFixed(2),
    };
    item.payout_item.recipient_name = state === 'UNCLAIMED' ? undefined : { given_name: 'Ada', surname: 'King' };
    item.errors = reason && fault(...reason);
  }

  /** Carries out the requests that were cut off on their way within the last day. No request travels longer. */
  arrive(app: PayPalApp): void {
    for (const { request, since } of app.waiting.splice(0)) if (since > this.now().getTime() - DAY_MS) this.#create(app, request);
  }

  /** Returns a notice about a payment, with the headers of its signature. */
  notice(app: PayPalApp, key: string, type = 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED') {
    const item = app.itemOf(key);
    const { payout_batch_id } = item;
    const of = {
      resource_type: 'payouts_item',
      event_version: '1.0',
      create_time: this.now().toISOString(),
      summary: 'A payment.',
    };
    const event = {
      id: `WH-${payPalId()}`,
      event_type: type,
      ...of,
      resource: { ...item, payout_batch_id, sender_batch_id: key },
    };
    return this.sign(app, JSON.stringify(event, null, 2));
  }

  sign(app: PayPalApp, body: string, certificate = 'https://api.paypal.com/v1/notifications/certs/CERT-1') {
    const [id, time] = [randomUUID(), this.now().toISOString()];
    const headers = {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': certificate,
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': this.#signature(id, time, app.endpoints[0]?.id ?? '', body),
    };
    return { body, headers };
  }

  #signature(...parts: string[]): string {
    return createHmac('sha256', 'the key of PayPal').update(parts.join('|')).digest('base64');
  }

  protected answer({ pathname }: URL, { method, headers }: IncomingMessage, _: object, text: string): Answer | null {
    const isSandbox = pathname.startsWith('/sandbox/');
    const path = isSandbox ? pathname.slice('/sandbox'.length) : pathname;
    const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ');
    const apps = this.apps.filter((app) => app.isSandbox === isSandbox);
    if (path === '/v1/oauth2/token') {
      const basic = Buffer.from(credentials, 'base64').toString();
      const app = apps.find(({ client_id, client_secret }) => basic === `${client_id}:${client_secret}`);
      if (!app || text !== 'grant_type=client_credentials')
        return [401, { error: 'invalid_client', error_description: 'Client Authentication failed' }];
      const token = `A21AA${randomUUID()}`;
      app.tokens.add(token);
      return [200, { access_token: token, token_type: 'Bearer', app_id: 'APP-1', expires_in: 32_400, scope: '' }];
    }
    const app = apps.find(({ tokens }) => scheme === 'Bearer' && tokens.has(credentials));
    if (!app) return [401, fault('AUTHENTICATION_FAILURE', 'Authentication failed due to invalid authentication credentials.')];
    return this.#route(app, `${method} ${path}`, text);
  }

  #route(app: PayPalApp, route: string, body: string): Answer | null {
    const [, id = '', action = ''] = /^\w+ \/v1\/\w+\/[\w-]+(?:\/([^/]+))?(?:\/(\w+))?$/.exec(route) ?? [];
    if (route === 'POST /v1/payments/payouts') return this.#pay(app, body);
    if (route.startsWith('GET /v1/payments/payouts/')) return this.#readBatch(app, id);
    if (route.includes(' /v1/payments/payouts-item/')) return this.#item(app, id, action);
    if (route === 'GET /v1/notifications/webhooks') return [200, { webhooks: app.endpoints }];
    if (route === 'POST /v1/notifications/webhooks') return this.#addEndpoint(app, JSON.parse(body) as Endpoint);
    if (route.startsWith('DELETE /v1/notifications/webhooks/')) {
      app.endpoints.splice(0, app.endpoints.length, ...app.endpoints.filter((endpoint) => endpoint.id !== id));
      return [204];
    }
    if (route === 'POST /v1/notifications/verify-webhook-signature') return this.#verify(body);
    return [404, fault('RESOURCE_NOT_FOUND', 'The specified resource does not exist.')];
  }

  #pay(app: PayPalApp, body: string): Answer | null {
    const isRepeated = app.bodies.includes(body);
    app.bodies.push(body);
    const request = JSON.parse(body) as PayoutRequest;
    const fate = app.fates.shift() ?? 'accept';
    if (fate === 'lose the request') return null;
    if (fate === 'html') return [403, '<html>Please wait</html>', { 'Content-Type': 'text/html' }];
    if (fate === 'straggle') {
      app.waiting.push({ request, since: this.now().getTime() });
      return null;
    }
    const refused = app.invalid.get(body);
    if (refused) return refused;
    const isOfContent = typeof fate === 'object' && fate.name === 'VALIDATION_ERROR';
    if (typeof fate === 'object' && !(isRepeated && isOfContent)) {
      const answer: Answer = [fate.status, fault(fate.name, fate.message ?? `Refused: ${fate.name}.`)];
      if (isOfContent) app.invalid.set(body, answer);
      return answer;
    }
    const answer = this.#create(app, request);
    return fate === 'lose the answer' ? null : answer;
  }

  #create(app: PayPalApp, request: PayoutRequest): Answer {
    const key = request.sender_batch_header.sender_batch_id;
    const now = this.now().getTime();
    const former = app.known.get(key);
    if (former && former.until > now) {
      const href = `https://api-m.paypal.com/v1/payments/payouts/${former.batch.header.payout_batch_id}`;
      const message = `A batch with the sender_batch_id ${key} already exists.`;
      return [400, { ...fault('USER_BUSINESS_ERROR', message), links: [{ href, rel: 'self', method: 'GET' }] }];
    }
    const made = batch(request, this.now().toISOString());
    app.batches.push(made);
    app.known.set(key, { batch: made, until: now + 30 * DAY_MS });
    const { payout_batch_id, batch_status, sender_batch_header } = made.header;
    const links = [{ href: `https://api-m.paypal.com/v1/payments/payouts/${payout_batch_id}`, rel: 'self', method: 'GET' }];
    return [201, { batch_header: { payout_batch_id, batch_status, sender_batch_header }, links }];
  }

  #readBatch(app: PayPalApp, id: string): Answer {
    const found = app.batches.find(({ header }) => header.payout_batch_id === id);
    if (!found) return [404, fault('RESOURCE_NOT_FOUND', 'The specified resource does not exist.')];
    // Until PayPal has looked at the batch, the list is empty.
    const items = found.isProcessed ? found.items : [];
    return [200, { total_items: items.length, total_pages: 1, batch_header: found.header, items, links: [] }];
  }

  #item(app: PayPalApp, id: string, action: string): Answer {
    const item = app.items.find(({ payout_item_id }) => payout_item_id === id);
    if (!item) return [404, fault('RESOURCE_NOT_FOUND', 'The specified resource does not exist.')];
    if (action === 'cancel') {
      if (item.transaction_status !== 'UNCLAIMED') return [400, fault('ITEM_INCORRECT_STATUS', 'The item is not unclaimed.')];
      this.turn(item, 'RETURNED');
    }
    return [200, item];
  }

  #addEndpoint(app: PayPalApp, { url, event_types }: Endpoint): Answer {
    if (!url.startsWith('https://')) return [400, fault('VALIDATION_ERROR', 'Not a valid webhook URL.')];
    if (app.endpoints.some((endpoint) => endpoint.url === url))
      return [400, fault('WEBHOOK_URL_ALREADY_EXISTS', 'Webhook URL already exists.')];
    const endpoint = { id: `WEBHOOK-${payPalId()}`, url, event_types };
    app.endpoints.push(endpoint);
    return [201, endpoint];
  }

  #verify(body: string): Answer {
    const { transmission_id, transmission_time, webhook_id, transmission_sig } = JSON.parse(body) as Record<string, string>;
    const [, source = ''] = /"webhook_event":([\s\S]*)\}$/.exec(body) ?? [];
    const expected = this.#signature(transmission_id!, transmission_time!, webhook_id!, source);
    return [200, { verification_status: expected === transmission_sig ? 'SUCCESS' : 'FAILURE' }];
  }
}
