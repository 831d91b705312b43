/** A double of the REST API of WooCommerce shops on loopback. Its objects have the published properties (test/sources/woocommerce.test.ts). */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, DoubleServer } from '../double-server.ts';
import { gmt, type WooOrder, type WooRefund } from './objects.ts';

interface Webhook {
  id: number;
  name: string;
  topic: string;
  status: string;
  delivery_url: string;
  secret: string;
}

/** A shop on a server of its merchant, known by its key. */
export class WooShop {
  readonly key: string;
  readonly secret: string;
  readonly url: string;
  currency = 'USD';
  readonly orders: WooOrder[] = [];
  readonly refunds = new Map<number, WooRefund[]>();
  readonly webhooks: Webhook[] = [];

  constructor(number: number) {
    this.key = `ck_${String(number).padStart(40, '0')}`;
    this.secret = `cs_${String(number).padStart(40, '0')}`;
    this.url = `https://shop-${number}.example.com`;
  }
}

const NOT_FOUND: Answer = [
  404,
  { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.', data: { status: 404 } },
];

export class WooCommerceServer extends DoubleServer {
  readonly shops: WooShop[] = [];

  addShop(): WooShop {
    const shop = new WooShop(this.shops.length + 1);
    this.shops.push(shop);
    return shop;
  }

  protected answer({ pathname, searchParams }: URL, { method, headers }: IncomingMessage, body: Record<string, unknown>): Answer {
    const given = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    const shop = this.shops.find(({ key, secret }) => given === `${key}:${secret}`);
    if (!shop) return [401, { code: 'woocommerce_rest_cannot_view', message: 'Sorry, you cannot list resources.' }];
    if (pathname === '/wp-json/') return [200, { name: 'Shop', description: '', url: shop.url }];
    const [list = '', id, part] = pathname.replace('/wp-json/wc/v3/', '').split('/');
    const webhook = shop.webhooks.find((each) => String(each.id) === id);
    switch (`${method} ${list}${id === undefined ? '' : '/id'}${part === undefined ? '' : `/${part}`}`) {
      case 'GET orders':
        return [200, pageOf(ordersOf(shop, searchParams), searchParams)];
      case 'GET orders/id': {
        const found = shop.orders.find((each) => String(each.id) === id);
        return found ? [200, found] : NOT_FOUND;
      }
      case 'GET orders/id/refunds':
        return [200, pageOf((shop.refunds.get(Number(id)) ?? []).toReversed(), searchParams)];
      case 'GET data/id/current':
        return [200, { code: shop.currency, name: '', symbol: '' }];
      case 'GET webhooks':
        return [200, pageOf(shop.webhooks.map(shownOf), searchParams)];
      case 'POST webhooks': {
        const made = { ...(body as unknown as Webhook), id: shop.webhooks.length + 1, status: 'active' };
        shop.webhooks.push(made);
        return [201, shownOf(made)];
      }
      case 'GET webhooks/id':
        return webhook ? [200, shownOf(webhook)] : NOT_FOUND;
      case 'PATCH webhooks/id':
        return webhook ? [200, shownOf(Object.assign(webhook, body))] : NOT_FOUND;
      case 'DELETE webhooks/id':
        if (searchParams.get('force') !== 'true') return [501, { code: 'woocommerce_rest_trash_not_supported' }];
        shop.webhooks.splice(shop.webhooks.indexOf(webhook!), 1);
        return [200, {}];
      default:
        return [404, { code: 'rest_no_route', message: 'No route was found matching the URL and request method.' }];
    }
  }
}

/** Returns orders by the time of their change, as the parameters ask. */
function ordersOf({ orders }: WooShop, query: URLSearchParams): WooOrder[] {
  const after = query.get('modified_after');
  if (after === null) return orders.toReversed();
  const found = orders.filter(({ date_modified_gmt: at }) => at > gmt(after));
  return found.toSorted((a, b) => (a.date_modified_gmt < b.date_modified_gmt ? -1 : 1));
}

function pageOf(all: readonly unknown[], query: URLSearchParams): unknown[] {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 10)];
  return all.slice((page - 1) * size, page * size);
}

/** Returns a webhook as the API shows it, without its secret. */
export function shownOf({ secret: _, ...webhook }: Webhook) {
  const [resource = '', event = ''] = webhook.topic.split('.');
  const at = '2026-01-01T00:00:00';
  const times = { date_created: at, date_created_gmt: at, date_modified: at, date_modified_gmt: at };
  return { ...webhook, resource, event, hooks: [], ...times };
}

/** Signs a body as WooCommerce does. */
export function wooSignature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}
