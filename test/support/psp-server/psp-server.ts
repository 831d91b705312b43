import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Stripe } from 'stripe';
import { ApiError, noAccess, unauthorized } from './api-error.ts';
import { checkoutPage, deliverToEndpoints, payCheckout } from './checkout-page.ts';
import { Faults, type Fault } from './faults.ts';
import { parseForm } from './form.ts';
import { IdempotencyRecords, type Answer } from './idempotency.ts';
import { newId } from './objects/ids.ts';
import { assertPermitted } from './permissions.ts';
import { ProviderRecords } from './provider-records.ts';
import { route } from './routes.ts';

/** A request that the server has received. Tests count and inspect these requests. */
export interface ReceivedRequest {
  method: string;
  path: string;
  apiVersion: string;
  idempotencyKey: string | undefined;
  headers: IncomingMessage['headers'];
}

/** An account at the provider, with its key and records. */
export interface TestAccount {
  secretKey: string;
  records: ProviderRecords;
}

/** An HTTP server with the part of the provider's API that the service uses. It stores records and fails on demand. */
export class PspServer implements AsyncDisposable {
  readonly url: string;
  readonly faults = new Faults();
  readonly requests: ReceivedRequest[] = [];
  /** Address of the service. If it is set, payments of checkouts send their events there. */
  deliversTo: string | null = null;
  readonly #accounts = new Map<string, ProviderRecords>();
  readonly #restricted = new Map<string, ReadonlySet<string>>();
  readonly #connected = new Map<string, ProviderRecords>();
  readonly #idempotency = new Map<ProviderRecords, IdempotencyRecords>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  static async start(): Promise<PspServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PspServer(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  addAccount(mode: 'live' | 'test' = 'test', fields: Partial<Stripe.Account> = {}): TestAccount {
    const secretKey = `sk_${mode}_${newId('k').slice(2)}`;
    const records = new ProviderRecords(mode === 'live', fields);
    this.#accounts.set(secretKey, records);
    return { secretKey, records };
  }

  /** Creates a restricted key of an account, with permissions such as `rak_invoice_read`. Returns the key. */
  restrictKey({ records }: TestAccount, permissions: readonly string[]): string {
    const secretKey = `rk_${records.livemode ? 'live' : 'test'}_${newId('k').slice(2)}`;
    this.#accounts.set(secretKey, records);
    this.#restricted.set(secretKey, new Set(permissions));
    return secretKey;
  }

  /** Connects another account to the platform whose key `platform` has. Returns the account. */
  connectAccount(platform: TestAccount): Stripe.Account {
    const records = new ProviderRecords(platform.records.livemode);
    this.#connected.set(`${platform.secretKey} ${records.account.id}`, records);
    return records.account;
  }

  revokeKey(secretKey: string): void {
    this.#accounts.delete(secretKey);
  }

  /** Returns the received requests with this method and a matching path. */
  received(method: string, path: RegExp): ReceivedRequest[] {
    return this.requests.filter((request) => request.method === method && path.test(request.path));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    const body = await text(request);
    const [, sessionId] = /^\/pay\/(\w+)$/.exec(url.pathname) ?? [];
    if (sessionId !== undefined) return this.#showCheckout(method, sessionId, response);
    this.requests.push({
      method,
      path: url.pathname,
      apiVersion: header(request, 'stripe-version') ?? '',
      idempotencyKey: header(request, 'idempotency-key'),
      headers: request.headers,
    });

    const met = this.faults.take(method, url.pathname);
    const answer = this.#perform(request, method, url, body, met?.fault);
    if (met) {
      met.meet();
      if (typeof met.fault.kind === 'string') return misbehave(met.fault.kind, response);
    }
    respond(response, answer);
  }

  /** Shows a checkout to a customer, or pays it. */
  async #showCheckout(method: string, sessionId: string, response: ServerResponse): Promise<void> {
    const all = [...new Set([...this.#accounts.values(), ...this.#connected.values()])];
    const records = all.find(({ checkoutSessions }) => checkoutSessions.some(({ id }) => id === sessionId));
    const session = records?.checkoutSessions.find(({ id }) => id === sessionId);
    if (!records || !session) return void response.writeHead(404).end();
    if (method === 'POST' && session.status === 'open') {
      const events = payCheckout(session);
      if (this.deliversTo !== null) await deliverToEndpoints(records, this.deliversTo, events);
    }
    response.writeHead(200, { 'content-type': 'text/html' }).end(checkoutPage(session));
  }

  /** Executes or replays a request. A fault decides whether the request takes effect and which response its key stores. */
  #perform(
    request: IncomingMessage,
    method: string,
    url: URL,
    body: string,
    fault: Fault | undefined,
  ): Answer & { replayed?: true } {
    const key = header(request, 'idempotency-key');
    const remembered = method === 'POST' && key ? key : undefined;
    const secretKey = secretKeyOf(request) ?? '';
    const own = this.#accounts.get(secretKey);
    if (!own) return refusal(unauthorized(secretKey));
    const accountId = header(request, 'stripe-account');
    const records = accountId === undefined ? own : this.#connected.get(`${secretKey} ${accountId}`);
    if (!records) return refusal(noAccess(secretKey, accountId!));
    const granted = this.#restricted.get(secretKey);
    const permitted = attempt(() => {
      const expand = [...url.searchParams].flatMap(([field, value]) => (field.startsWith('expand') ? [value] : []));
      const asked = { method, path: url.pathname, expand, secretKey, accountId: records.account.id };
      if (granted) assertPermitted(asked, granted);
      return { status: 200, body: {} };
    });
    if (permitted.status !== 200) return permitted;
    const idempotency = this.#idempotencyOf(records);
    try {
      const earlier = remembered && idempotency.begin(remembered, `${method} ${url.pathname} ${body}`);
      if (earlier) return { ...earlier, replayed: true };
    } catch (error) {
      return refusal(error);
    }

    const done =
      fault?.effect === 'none'
        ? undefined
        : attempt(() => ({
            status: 200,
            body: route({
              method,
              path: url.pathname,
              params: parseForm(method === 'POST' ? body : url.search.slice(1)),
              apiVersion: header(request, 'stripe-version') ?? '',
              records,
              origin: this.url,
            }),
          }));
    const answer = typeof fault?.kind === 'number' ? serverFault(fault.kind) : (done ?? serverFault(500));
    if (remembered) {
      const kept = typeof fault?.kind === 'number' ? (fault.remembered ? answer : done) : done;
      if (kept) idempotency.finish(remembered, kept);
      else idempotency.forget(remembered);
    }
    return answer;
  }

  #idempotencyOf(records: ProviderRecords): IdempotencyRecords {
    const known = this.#idempotency.get(records) ?? new IdempotencyRecords();
    this.#idempotency.set(records, known);
    return known;
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function secretKeyOf(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/.exec(header(request, 'authorization') ?? '')?.[1];
}

function attempt(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    return refusal(error);
  }
}

function refusal(error: unknown): Answer {
  if (error instanceof ApiError) return { status: error.status, body: error.toJSON() };
  throw error;
}

function serverFault(status: number): Answer {
  const error = new ApiError(status, { type: 'api_error', message: 'An error occurred on our end.' });
  return { status, body: error.toJSON() };
}

function respond(response: ServerResponse, answer: Answer & { replayed?: true }): void {
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'request-id': newId('req'),
    ...(answer.replayed && { 'idempotent-replayed': 'true' }),
    ...(answer.status >= 500 && { 'stripe-should-retry': 'false' }),
  });
  response.end(JSON.stringify(answer.body));
}

function misbehave(kind: 'timeout' | 'drip' | 'reset' | 'garbage', response: ServerResponse): void {
  // For a time-out nothing is done, so that the caller waits until it gives up.
  if (kind === 'reset') response.socket?.resetAndDestroy();
  if (kind === 'garbage') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>proxy</html>');
  if (kind === 'drip') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  }
}
