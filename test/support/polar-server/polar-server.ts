/** A double of Polar's API on loopback. Its objects have the published types (test/sources/polar.test.ts). The sandbox is below `/sandbox`. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PolarDispute, PolarOrder, PolarRefund } from './objects.ts';

interface Endpoint {
  id: string;
  url: string;
  name: string;
  secret: string;
  events: string[];
  enabled: boolean;
  [field: string]: unknown;
}

/** An organization at Polar. */
export class PolarOrganization {
  readonly token: string;
  readonly id: string;
  readonly isSandbox: boolean;
  readonly orders: PolarOrder[] = [];
  readonly refunds: PolarRefund[] = [];
  readonly disputes: PolarDispute[] = [];
  readonly endpoints: Endpoint[] = [];

  constructor(number: number, isSandbox: boolean) {
    this.token = `polar_oat_${number}`;
    this.id = `org_${number}`;
    this.isSandbox = isSandbox;
  }
}

type Answer = [status: number, body?: unknown];

export class PolarServer {
  readonly organizations: PolarOrganization[] = [];
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<PolarServer> {
    const server = createServer();
    const double = new PolarServer(server);
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

  addOrganization(isSandbox = false): PolarOrganization {
    const organization = new PolarOrganization(this.organizations.length + 1, isSandbox);
    this.organizations.push(organization);
    return organization;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>) : {};
    const [status, answer] = this.#answer(request, body);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(answer === undefined ? '' : JSON.stringify(answer));
  }

  #answer({ method, url = '', headers }: IncomingMessage, body: Record<string, unknown>): Answer {
    this.requests.push(`${method} ${url}`);
    const { pathname, searchParams } = new URL(url, this.url);
    const isSandbox = pathname.startsWith('/sandbox/');
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    const of = this.organizations.find((each) => each.token === token && each.isSandbox === isSandbox);
    if (!of) return [401, { error: 'Unauthorized', detail: 'The token is not known.' }];
    const [, list = '', ...path] = pathname.replace('/sandbox', '').split('/').slice(1);
    const id = path.find((part) => part !== '' && part !== 'endpoints') ?? '';
    const orderId = searchParams.get('order_id');
    const listed = (all: { created_at: string; order_id?: string }[]): Answer => {
      const found = all.filter((each) => orderId === null || each.order_id === orderId).toReversed();
      const [page, limit] = [Number(searchParams.get('page') ?? 1), Math.min(100, Number(searchParams.get('limit') ?? 10))];
      const items = found.slice((page - 1) * limit, page * limit);
      return [200, { items, pagination: { total_count: found.length, max_page: Math.max(1, Math.ceil(found.length / limit)) } }];
    };
    switch (`${method} ${list}${id === '' ? '' : '/id'}`) {
      case 'GET organizations':
        return [200, { items: [{ id: of.id, name: 'Shop', slug: 'shop' }], pagination: { total_count: 1, max_page: 1 } }];
      case 'GET orders':
        return listed(of.orders);
      case 'GET orders/id': {
        const found = of.orders.find((each) => each.id === id);
        return found ? [200, found] : [404, { error: 'ResourceNotFound' }];
      }
      case 'GET refunds':
        return listed(of.refunds);
      case 'GET disputes':
        return listed(of.disputes);
      case 'GET webhooks':
        return [200, { items: of.endpoints, pagination: { total_count: of.endpoints.length, max_page: 1 } }];
      case 'POST webhooks': {
        const secret = `whsec_${Buffer.from(`secret of ${of.id} ${of.endpoints.length}`.padEnd(24)).toString('base64')}`;
        const endpoint = {
          ...(body as unknown as Endpoint),
          id: `we_${of.endpoints.length + 1}`,
          secret,
          enabled: true,
          api_version: '2026-04',
        };
        of.endpoints.push(endpoint);
        return [201, endpoint];
      }
      case 'GET webhooks/id':
      case 'PATCH webhooks/id': {
        const endpoint = of.endpoints.find((each) => each.id === id);
        return endpoint ? [200, Object.assign(endpoint, body)] : [404, { error: 'ResourceNotFound' }];
      }
      case 'DELETE webhooks/id':
        of.endpoints.splice(
          of.endpoints.findIndex((each) => each.id === id),
          1,
        );
        return [204];
      default:
        return [404, { error: 'NotFound' }];
    }
  }
}

/** Returns the headers of a delivery. By default it is signed as Polar signs: with the text of the secret. */
export function polarHeaders(body: string, id: string, at: Date, key: string | Uint8Array): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
