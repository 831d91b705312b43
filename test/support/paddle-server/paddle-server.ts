/** A double of Paddle's API on loopback. Its objects have the published types (test/sources/paddle-double.test.ts). */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaddleAdjustment, PaddleCustomer, PaddleDiscount, PaddleTransaction } from './objects.ts';

/** An account at Paddle. */
export class PaddleAccount {
  readonly key: string;
  readonly transactions = new Map<string, PaddleTransaction>();
  readonly adjustments = new Map<string, PaddleAdjustment>();
  readonly customers = new Map<string, PaddleCustomer>();
  readonly discounts = new Map<string, PaddleDiscount>();
  readonly settings = new Map<
    string,
    { id: string; destination: string; endpoint_secret_key: string; [field: string]: unknown }
  >();

  /** True if Paddle creates no further destination. */
  refusesSettings = false;

  constructor(key: string) {
    this.key = key;
  }

  /** Returns a transaction with the records that it refers to, as the API includes them. */
  whole({ ...transaction }: PaddleTransaction) {
    const adjustments = [...this.adjustments.values()].filter(({ transaction_id }) => transaction_id === transaction.id);
    return {
      ...transaction,
      customer: this.customers.get(transaction.customer_id ?? '') ?? null,
      discount: this.discounts.get(transaction.discount_id ?? '') ?? null,
      adjustments,
    };
  }
}

/** A fault of the next requests. */
interface Fault {
  status: number;
  times: number;
  headers?: Record<string, string>;
}

export class PaddleServer {
  readonly accounts = new Map<string, PaddleAccount>();
  /** Paths of the requests, with their queries. */
  readonly requests: string[] = [];
  fault: Fault | null = null;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<PaddleServer> {
    const server = createServer();
    const double = new PaddleServer(server);
    server.on('request', (request, response) => {
      void double.#respond(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  addAccount(mode: 'live' | 'sdbx' = 'live'): PaddleAccount {
    const number = String(this.accounts.size + 1).padStart(26, '0');
    const account = new PaddleAccount(`pdl_${mode}_apikey_${number}_secret_AQO`);
    this.accounts.set(account.key, account);
    return account;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, headers = {} } = await this.#answer(request);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body?: unknown; headers?: Record<string, string> }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '', this.url);
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    if (this.fault !== null && this.fault.times > 0) {
      this.fault.times -= 1;
      return { status: this.fault.status, body: refusal('fault'), headers: this.fault.headers ?? {} };
    }
    const account = this.accounts.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (!account) return { status: 401, body: refusal('authentication_malformed') };
    const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>) : {};
    const [, list = '', id] = url.pathname.split('/');
    return this.#serve(account, `${request.method} ${list}${id ? '/id' : ''}`, { id: id ?? '', query: url.searchParams, body });
  }

  #serve(
    account: PaddleAccount,
    operation: string,
    { id, query, body }: { id: string; query: URLSearchParams; body: Record<string, unknown> },
  ): { status: number; body?: unknown } {
    const includes = query.get('include') !== null;
    switch (operation) {
      case 'GET transactions': {
        const from = query.get('updated_at[GTE]') ?? '';
        const order = query.get('order_by')?.startsWith('updated_at') ? ('updated_at' as const) : ('id' as const);
        const found = [...account.transactions.values()]
          .filter(({ updated_at }) => updated_at >= from)
          .toSorted((a, b) => (`${a[order]} ${a.id}` < `${b[order]} ${b.id}` ? -1 : 1));
        return this.#page(found, query, 30, (each) => (includes ? account.whole(each) : each));
      }
      case 'GET transactions/id': {
        const found = account.transactions.get(id);
        if (!found) return { status: 404, body: refusal('entity_not_found') };
        return { status: 200, body: { data: includes ? account.whole(found) : found, meta: { request_id: 'r' } } };
      }
      case 'GET adjustments': {
        const found = [...account.adjustments.values()].toSorted((a, b) => (a.id > b.id ? -1 : 1));
        return this.#page(found, query, 50, (each) => each);
      }
      case 'GET notification-settings':
        return this.#page([...account.settings.values()], query, 200, (each) => each);
      case 'POST notification-settings': {
        if (account.refusesSettings) return { status: 400, body: refusal('notification_maximum_active_settings_reached') };
        const number = account.settings.size + 1;
        const types = body['subscribed_events'] as string[];
        const setting = {
          ...(body as { destination: string }),
          id: `ntfset_${number}`,
          active: true,
          include_sensitive_fields: false,
          subscribed_events: types.map((name) => ({
            name,
            description: name,
            group: name.split('.')[0]!,
            available_versions: [1],
          })),
          endpoint_secret_key: `pdl_ntfset_${number}_${account.key}`,
        };
        account.settings.set(setting.id, setting);
        return { status: 201, body: { data: setting, meta: { request_id: 'r' } } };
      }
      case 'GET notification-settings/id':
      case 'PATCH notification-settings/id': {
        const setting = account.settings.get(id);
        if (!setting) return { status: 404, body: refusal('entity_not_found') };
        const { subscribed_events: types, ...more } = body;
        Object.assign(setting, more, types && { subscribed_events: (types as string[]).map((name) => ({ name })) });
        return { status: 200, body: { data: setting, meta: { request_id: 'r' } } };
      }
      case 'DELETE notification-settings/id':
        return account.settings.delete(id) ? { status: 204 } : { status: 404, body: refusal('entity_not_found') };
      default:
        return { status: 404, body: refusal('not_found') };
    }
  }

  #page<Item extends { id: string }>(all: readonly Item[], query: URLSearchParams, most: number, show: (item: Item) => unknown) {
    const size = Math.min(Number(query.get('per_page') ?? most), most);
    const after = query.get('after');
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const page = all.slice(start, start + size);
    const next = `https://api.paddle.com/list?after=${page.at(-1)?.id ?? ''}`;
    const pagination = { per_page: size, next, has_more: start + size < all.length, estimated_total: all.length };
    return { status: 200, body: { data: page.map(show), meta: { request_id: 'r', pagination } } };
  }
}

function refusal(code: string) {
  return {
    error: { type: 'request_error', code, detail: `Refused: ${code}`, documentation_url: 'https://developer.paddle.com' },
  };
}

/** Returns the header of a delivery. Each secret signs it. */
export function paddleSignature(body: string, secrets: readonly string[], at: Date): string {
  const ts = Math.floor(at.getTime() / 1_000);
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${ts}:${body}`).digest('hex'));
  return [`ts=${ts}`, ...signatures.map((hex) => `h1=${hex}`)].join(';');
}
