import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Element, ToolServer } from '../tool-server.ts';

const LISTS = ['groups', 'partnerships', 'customers', 'rewards'] as const;

const JOINED = Date.parse('2025-01-13T10:06:11.251Z');

/**
 * A double of version 2 of PartnerStack's REST API, from its documentation: `data` with `items` and `has_more`, newest first, `limit` (10, at most 250)
 * and `starting_after` with a key, basic credentials, and times in milliseconds. Scheduled rewards are listed on request only, links by partner.
 */
export class PartnerStackServer extends ToolServer {
  readonly key = `pk_${randomUUID().replaceAll('-', '')}`;
  readonly secret = `sk_${randomUUID().replaceAll('-', '')}`;
  readonly credentials = `${this.key}:${this.secret}`;
  readonly groups: Element[] = [];
  readonly partnerships: Element[] = [];
  readonly links = new Map<string, Element[]>();
  readonly customers: Element[] = [];
  readonly rewards: Element[] = [];

  addGroup(name: string): Element {
    const number = this.groups.length + 1;
    const group = {
      key: `grup_${number}`,
      name,
      slug: name.toLowerCase().replaceAll(' ', ''),
      default: number === 1,
      archived: false,
      created_at: JOINED,
      updated_at: JOINED,
    };
    this.groups.push(group);
    return group;
  }

  addPartner(group: Element | null, { url, ...fields }: Element = {}): Element {
    const number = this.partnerships.length + 1;
    const partner = {
      key: `part_${number}`,
      partner_key: `partner${number}`,
      email: `partner.${number}@example.com`,
      first_name: 'Partner',
      last_name: `No. ${number}`,
      approved_status: 'approved',
      is_archived: false,
      address: { country: 'US' },
      stats: { CUSTOMER_COUNT: 1 },
      group: group && { key: group['key'], name: group['name'], slug: group['slug'] },
      created_at: JOINED + number * 1_000,
      updated_at: JOINED + number * 1_000,
      ...fields,
    };
    this.partnerships.push(partner);
    const link = {
      key: `link_${number}`,
      url: url ?? `https://shop.partnerlinks.io/partner-${number}`,
      dest: 'https://shop.example.com/start',
      created_at: JOINED,
      updated_at: JOINED,
    };
    this.links.set(partner.key, [link]);
    return partner;
  }

  addCustomer(partner: Element, fields: Element = {}): Element {
    const number = this.customers.length + 1;
    const customer = {
      key: `cust_${number}`,
      customer_key: `user-${number}`,
      provider_key: `cus_ps${number}`,
      email: `customer.${number}@shop.example`,
      name: `Customer ${number}`,
      test: false,
      partnership_key: partner['key'],
      partner_key: partner['partner_key'],
      created_at: JOINED,
      updated_at: JOINED,
      ...fields,
    };
    this.customers.push(customer);
    return customer;
  }

  addReward(partner: Element, customer: Element | null, fields: Element = {}): Element {
    const number = this.rewards.length + 1;
    const reward = {
      key: `rwrd_${number}`,
      amount: 1_999,
      currency: 'USD',
      description: '20% of every payment',
      reward_status: 'approved',
      decline_reason: null,
      invoice_key: null,
      customer: customer && { email: customer['email'], external_key: customer['customer_key'] },
      transaction: customer && { key: `tran_${number}`, amount: 9_999, currency: 'USD' },
      partnership: { key: partner['key'], email: partner['email'] },
      created_at: Date.parse('2025-02-15T14:30:00Z'),
      updated_at: Date.parse('2025-03-15T14:30:00Z'),
      ...fields,
    };
    this.rewards.push(reward);
    return reward;
  }

  protected list({ pathname, searchParams }: URL, { headers }: IncomingMessage): [number, object] {
    const basic = `Basic ${Buffer.from(this.credentials).toString('base64')}`;
    if (headers.authorization !== basic) return [401, { message: 'Unauthorized', status: 401 }];
    const [, partner] = /^\/links\/partnership\/([^/]+)$/.exec(pathname) ?? [];
    if (partner !== undefined) {
      const items = this.links.get(decodeURIComponent(partner));
      return items ? this.#page(items, false) : [404, { message: 'Partnership not found', status: 404 }];
    }
    const list = LISTS.find((name) => pathname === `/${name}`);
    if (list === undefined) return [404, { message: 'Not found', status: 404 }];
    const status = searchParams.get('status');
    const all = this[list]
      .filter(({ reward_status: of }) => (status === null ? of !== 'scheduled' : of === status))
      .filter(({ is_archived }) => is_archived !== true || searchParams.get('include_archived') === 'true')
      .toReversed();
    const limit = Math.min(Number(searchParams.get('limit') ?? 10), 250);
    const from = all.findIndex(({ key }) => key === searchParams.get('starting_after')) + 1;
    return this.#page(all.slice(from, from + limit), from + limit < all.length);
  }

  #page(items: Element[], has_more: boolean): [number, object] {
    return [200, { data: { has_more, items }, message: 'Page returned successfully', status: 200 }];
  }
}
