import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Element, ToolServer } from '../tool-server.ts';

const LISTS = ['partners', 'links', 'customers'] as const;
const PROGRAM = 'prg_YRsbPDAKhWfdqJbFACheh';

/**
 * A double of version 1 of Tolt's REST API, from its documentation: lists of one program with `limit` (10, at most 100), `order` and `starting_after`, an API
 * key as bearer token, and customers in `data.data`.
 */
export class ToltServer extends ToolServer {
  readonly key = `tlt_live_${randomUUID()}`;
  readonly credentials = `${this.key}:${PROGRAM}`;
  readonly partners: Element[] = [];
  readonly links: Element[] = [];
  readonly customers: Element[] = [];

  addPartner(group: Element | null, { value, ...fields }: Element = {}): Element {
    const number = this.partners.length + 1;
    const isPaidByPaypal = number % 2 === 0;
    const partner = {
      id: `part_${number}`,
      first_name: 'Partner',
      last_name: `No. ${number}`,
      email: `partner.${number}@example.com`,
      company_name: null,
      program_id: PROGRAM,
      group_id: group?.['id'] ?? null,
      group,
      payout_method: isPaidByPaypal ? 'paypal' : 'none',
      payout_details: isPaidByPaypal ? { email: `pay.${number}@example.com` } : {},
      country_code: 'US',
      created_at: '2025-01-13T10:06:11.251Z',
      status: 'active',
      ...fields,
    };
    this.partners.push(partner);
    this.links.push({
      id: `lnk_${number}`,
      param: 'ref',
      value: value ?? `partner_${number}`,
      partner_id: partner.id,
      created_at: '2025-01-14T14:30:00.000Z',
      program_id: PROGRAM,
    });
    return partner;
  }

  addCustomer(partner: Element, fields: Element = {}): Element {
    const number = this.customers.length + 1;
    const customer = {
      id: `cust_${number}`,
      email: `customer.${number}@shop.example`,
      partner_id: partner['id'],
      name: `Customer ${number}`,
      customer_id: number % 2 === 0 ? `cus_tolt${number}` : `user-${number}`,
      created_at: '2025-01-15T14:30:00.000Z',
      updated_at: '2025-01-15T14:30:00.000Z',
      status: 'active',
      program_id: PROGRAM,
      ...fields,
    };
    this.customers.push(customer);
    return customer;
  }

  protected list({ pathname, searchParams }: URL, { headers }: IncomingMessage): [number, object] {
    if (headers.authorization !== `Bearer ${this.key}`)
      return [401, { success: false, error: { message: 'Invalid API key provided', type: 'authentication_error' } }];
    const list = LISTS.find((name) => pathname === `/${name}`);
    if (list === undefined || searchParams.get('program_id') !== PROGRAM)
      return [404, { success: false, error: { message: 'Not found' } }];
    const all = searchParams.get('order') === 'asc' ? this[list] : this[list].toReversed();
    const limit = Math.min(Number(searchParams.get('limit') ?? 10), 100);
    const from = all.findIndex(({ id }) => id === searchParams.get('starting_after')) + 1;
    const isExpanded = searchParams.getAll('expand[]').includes('group');
    const data = all.slice(from, from + limit).map(({ group, ...each }) => ({ ...each, ...(isExpanded && { group }) }));
    return [
      200,
      {
        success: true,
        has_more: from + limit < all.length,
        total_count: all.length,
        data: list === 'customers' ? { data } : data,
      },
    ];
  }
}
