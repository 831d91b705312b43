/** A double of Dodo's API on loopback. Its objects have the published types (test/sources/dodo.test.ts). Test mode is below `/test`. */
import type { IncomingMessage } from 'node:http';
import { type Answer, DoubleServer } from '../double-server.ts';
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

export class DodoServer extends DoubleServer {
  readonly businesses: DodoBusiness[] = [];

  addBusiness(isTest = false): DodoBusiness {
    const business = new DodoBusiness(this.businesses.length + 1, isTest);
    this.businesses.push(business);
    return business;
  }

  protected answer({ pathname, searchParams }: URL, { method, headers }: IncomingMessage, body: Record<string, unknown>): Answer {
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
