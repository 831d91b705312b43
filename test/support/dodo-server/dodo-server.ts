/** A double of Dodo's API on loopback. Its objects have the published types (test/sources/dodo.test.ts). Test mode is below `/test`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DodoPayment } from './objects.ts';

interface Endpoint {
  id: string;
  secret: string;
  url: string;
  description: string;
  filter_types: string[];
  disabled: boolean;
}

/** A business at Dodo. */
export class DodoBusiness {
  readonly key: string;
  readonly id: string;
  readonly isTest: boolean;
  readonly payments: DodoPayment[] = [];
  readonly endpoints: Endpoint[] = [];

  constructor(number: number, isTest: boolean) {
    this.key = `key_of_business_${String(number).padStart(8, '0')}`;
    this.id = `bus_${number}`;
    this.isTest = isTest;
  }
}

type Answer = [status: number, body?: unknown];

export class DodoServer {
  readonly businesses: DodoBusiness[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<DodoServer> {
    const server = createServer();
    const double = new DodoServer(server);
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

  addBusiness(isTest = false): DodoBusiness {
    const business = new DodoBusiness(this.businesses.length + 1, isTest);
    this.businesses.push(business);
    return business;
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
    const { pathname, searchParams } = new URL(url, this.url);
    const isTest = pathname.startsWith('/test/');
    const key = (headers.authorization ?? '').replace('Bearer ', '');
    const of = this.businesses.find((each) => each.key === key && each.isTest === isTest);
    if (!of) return [401, { code: 'UNAUTHORIZED', message: 'The key is not known.' }];
    const [list = '', id = '', part = ''] = pathname.replace('/test', '').split('/').slice(1);
    const listed = (all: { created_at: string }[]): Answer => {
      const from = searchParams.get('created_at_gte') ?? '';
      const [page, size] = [Number(searchParams.get('page_number')), Number(searchParams.get('page_size'))];
      const found = all.filter(({ created_at }) => created_at >= from);
      return [200, { items: found.slice(page * size, (page + 1) * size) }];
    };
    const endpoint = of.endpoints.find((each) => each.id === id);
    switch (`${method} ${list}${id && '/id'}${part && `/${part}`}`) {
      case 'GET brands':
        return [200, { items: [{ business_id: of.id, brand_id: 'brand_1', name: 'Shop' }] }];
      case 'GET payments':
        return listed(of.payments);
      case 'GET refunds':
        return listed(of.payments.flatMap(({ refunds }) => refunds));
      case 'GET disputes':
        return listed(of.payments.flatMap(({ disputes }) => disputes));
      case 'GET payments/id': {
        const found = of.payments.find(({ payment_id }) => payment_id === id);
        return found ? [200, found] : [404, { code: 'NOT_FOUND', message: 'No payment.' }];
      }
      case 'GET webhooks':
        return [200, { data: of.endpoints, iterator: null, done: true }];
      case 'POST webhooks': {
        const secret = `whsec_${Buffer.from(`secret of ${of.id} ${of.endpoints.length}`.padEnd(24)).toString('base64')}`;
        const made = { ...(body as unknown as Endpoint), id: `ep_${of.endpoints.length + 1}`, secret, disabled: false };
        of.endpoints.push(made);
        return [200, made];
      }
      case 'GET webhooks/id/secret':
        return endpoint ? [200, { secret: endpoint.secret }] : [404];
      case 'GET webhooks/id':
      case 'PATCH webhooks/id':
        return endpoint ? [200, Object.assign(endpoint, body)] : [404];
      case 'DELETE webhooks/id':
        of.endpoints.splice(of.endpoints.indexOf(endpoint!), 1);
        return [204];
      default:
        return [404, { code: 'NOT_FOUND', message: 'No such path.' }];
    }
  }
}
