/** A double of Paddle's API on loopback. Its objects have the published types (test/sources/paddle-double.test.ts). */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, DoubleServer } from '../double-server.ts';
import {
  type PaddleAdjustment,
  type PaddleCustomer,
  type PaddleDiscount,
  type PaddlePrice,
  type PaddleTransaction,
  product,
} from './objects.ts';

/** An account at Paddle. */
export class PaddleAccount {
  key: string;
  readonly transactions = new Map<string, PaddleTransaction>();
  readonly adjustments = new Map<string, PaddleAdjustment>();
  readonly customers = new Map<string, PaddleCustomer>();
  readonly discounts = new Map<string, PaddleDiscount>();
  readonly prices: PaddlePrice[] = [];
  /** The part of the catalog that the key may read. */
  mayRead: 'prices and products' | 'prices' | 'nothing' = 'prices and products';
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

export class PaddleServer extends DoubleServer {
  readonly accounts = new Map<string, PaddleAccount>();

  addAccount(mode: 'live' | 'sdbx' = 'live'): PaddleAccount {
    const number = String(this.accounts.size + 1).padStart(26, '0');
    const account = new PaddleAccount(`pdl_${mode}_apikey_${number}_secret_AQO`);
    this.accounts.set(account.key, account);
    return account;
  }

  /** Gives an account a new key. The former one is refused from now on. */
  renewKey(account: PaddleAccount): string {
    this.accounts.delete(account.key);
    account.key = account.key.replace(/apikey_\d/, 'apikey_9');
    this.accounts.set(account.key, account);
    return account.key;
  }

  protected answer(url: URL, { method, headers }: IncomingMessage, body: Record<string, unknown>): Answer {
    const account = this.accounts.get((headers.authorization ?? '').replace('Bearer ', ''));
    if (!account) return [401, refusal('authentication_malformed')];
    const [, list = '', id] = url.pathname.split('/');
    return this.#serve(account, `${method} ${list}${id ? '/id' : ''}`, { id: id ?? '', query: url.searchParams, body });
  }

  #serve(
    account: PaddleAccount,
    operation: string,
    { id, query, body }: { id: string; query: URLSearchParams; body: Record<string, unknown> },
  ): Answer {
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
        if (!found) return [404, refusal('entity_not_found')];
        return [200, { data: includes ? account.whole(found) : found, meta: { request_id: 'r' } }];
      }
      case 'GET adjustments': {
        const found = [...account.adjustments.values()].toSorted((a, b) => (a.id > b.id ? -1 : 1));
        return this.#page(found, query, 50, (each) => each);
      }
      case 'GET prices': {
        if (account.mayRead === 'nothing' || (includes && account.mayRead === 'prices')) return [403, refusal('forbidden')];
        const listed = account.prices.filter(({ status }) => query.get('status')?.split(',').includes(status));
        const whole = (each: PaddlePrice) => ({
          ...each,
          product: product(each.product_id.replace('pro_', ''), each.created_at),
        });
        return this.#page(listed.toReversed(), query, 200, (each) => (includes ? whole(each) : each));
      }
      case 'GET notification-settings':
        return this.#page([...account.settings.values()], query, 200, (each) => each);
      case 'POST notification-settings': {
        if (account.refusesSettings) return [400, refusal('notification_maximum_active_settings_reached')];
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
        return [201, { data: setting, meta: { request_id: 'r' } }];
      }
      case 'GET notification-settings/id':
      case 'PATCH notification-settings/id': {
        const setting = account.settings.get(id);
        if (!setting) return [404, refusal('entity_not_found')];
        const { subscribed_events: types, ...more } = body;
        Object.assign(setting, more, types && { subscribed_events: (types as string[]).map((name) => ({ name })) });
        return [200, { data: setting, meta: { request_id: 'r' } }];
      }
      case 'DELETE notification-settings/id':
        return account.settings.delete(id) ? [204] : [404, refusal('entity_not_found')];
      default:
        return [404, refusal('not_found')];
    }
  }

  #page<Item extends { id: string }>(
    all: readonly Item[],
    query: URLSearchParams,
    most: number,
    show: (item: Item) => unknown,
  ): Answer {
    const size = Math.min(Number(query.get('per_page') ?? most), most);
    const after = query.get('after');
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const page = all.slice(start, start + size);
    const next = `https://api.paddle.com/list?after=${page.at(-1)?.id ?? ''}`;
    const pagination = { per_page: size, next, has_more: start + size < all.length, estimated_total: all.length };
    return [200, { data: page.map(show), meta: { request_id: 'r', pagination } }];
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
