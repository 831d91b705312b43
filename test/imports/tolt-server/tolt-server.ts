import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Element, ToolServer } from '../tool-server.ts';

const LISTS = ['partners', 'links', 'promotion-codes', 'customers', 'commissions'] as const;
const PROGRAM = 'prg_YRsbPDAKhWfdqJbFACheh';

const EXPANDABLE = new Set(['group', 'partner', 'program']);

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
  readonly commissions: Element[] = [];
  readonly 'promotion-codes': Element[] = [];

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

  addCode(partner: Element, fields: Element = {}): Element {
    const number = this['promotion-codes'].length + 1;
    const code = {
      id: `prc_${number}`,
      code: `CODE${number}`,
      type: 'percentage',
      value: 20,
      partner_id: partner['id'],
      created_at: '2025-01-15T14:30:00.000Z',
      updated_at: '2025-01-15T14:30:00.000Z',
      program_id: PROGRAM,
      ...fields,
    };
    this['promotion-codes'].push(code);
    return code;
  }

  /** Adds a commission. Its amounts are texts, and only its program has a currency. */
  addCommission(customer: Element, fields: Element = {}): Element {
    const number = this.commissions.length + 1;
    const commission = {
      id: `comm_${number}`,
      amount: '1999',
      revenue: '9999',
      charge_id: `ch_tolt${number}`,
      transaction_id: `txn_${number}`,
      charge_status: null,
      source: 'stripe',
      status: 'approved',
      currency: null,
      customer_id: customer['id'],
      program_id: PROGRAM,
      payout_id: null,
      scheduled_approval_date: null,
      created_at: '2025-02-15T14:30:00.000Z',
      updated_at: '2025-03-15T14:30:00.000Z',
      partner: { id: customer['partner_id'] },
      program: { id: PROGRAM, currency_code: 'EUR' },
      ...fields,
    };
    this.commissions.push(commission);
    return commission;
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
    const expanded = searchParams.getAll('expand[]');
    const data = all
      .slice(from, from + limit)
      .map((each) =>
        Object.fromEntries(Object.entries(each).filter(([name]) => !EXPANDABLE.has(name) || expanded.includes(name))),
      );
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
