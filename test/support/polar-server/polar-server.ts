/** A double of Polar's API on loopback. Its objects have the published types (test/sources/polar.test.ts). The sandbox is below `/sandbox`. */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, DoubleServer } from '../double-server.ts';
import type { PolarDispute, PolarOrder, PolarProduct, PolarRefund } from './objects.ts';

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
  readonly products: PolarProduct[] = [];
  readonly endpoints: Endpoint[] = [];

  constructor(number: number, isSandbox: boolean) {
    this.token = `polar_oat_${number}`;
    this.id = `org_${number}`;
    this.isSandbox = isSandbox;
  }
}

export class PolarServer extends DoubleServer {
  readonly organizations: PolarOrganization[] = [];

  addOrganization(isSandbox = false): PolarOrganization {
    const organization = new PolarOrganization(this.organizations.length + 1, isSandbox);
    this.organizations.push(organization);
    return organization;
  }

  protected answer({ pathname, searchParams }: URL, { method, headers }: IncomingMessage, body: Record<string, unknown>): Answer {
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
      case 'GET products':
        return listed(of.products);
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
