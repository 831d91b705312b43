import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Element, ToolServer } from '../tool-server.ts';

const LISTS = ['partners', 'customers', 'commissions', 'payouts'] as const;
const MAX_SIZE = 100;

/** A double of Dub's REST API. Its elements have the published types (test/imports/dub.test.ts). Lists are arrays without a total. */
export class DubServer extends ToolServer {
  readonly key = `dub_${randomUUID().replaceAll('-', '')}`;
  readonly partners: Element[] = [];
  readonly customers: Element[] = [];
  readonly commissions: Element[] = [];
  readonly payouts: Element[] = [];
  /** Ids of commissions by the payout that pays them, which only a filter tells. */
  readonly #paidBy = new Map<unknown, unknown>();

  addPartner(fields: Element = {}): Element {
    const number = this.partners.length + 1;
    const partner = {
      id: `pn_${number}`,
      name: `Partner No. ${number}`,
      username: null,
      email: `partner.${number}@example.com`,
      image: null,
      country: 'US',
      companyName: null,
      networkStatus: 'draft',
      defaultPayoutMethod: 'paypal',
      paypalEmail: `pay.${number}@example.com`,
      stripeConnectId: null,
      payoutsEnabledAt: null,
      identityVerifiedAt: null,
      programId: 'prog_1',
      groupId: 'grp_1',
      partnerId: `pn_${number}`,
      tenantId: null,
      createdAt: this.#time(number),
      status: 'approved',
      links: [this.#link(`link_${number}`, `partner-${number}`)],
      totalCommissions: 0,
      totalClicks: 0,
      totalLeads: 0,
      totalConversions: 0,
      totalSales: 0,
      totalSaleAmount: 0,
      netRevenue: 0,
      ...fields,
    };
    this.partners.push(partner);
    return partner;
  }

  addCustomer(partner: Element | null, fields: Element = {}): Element {
    const number = this.customers.length + 1;
    const link = (partner?.['links'] as Element[] | null | undefined)?.[0];
    const customer = {
      id: `cus_dub_${number}`,
      externalId: `user-${number}`,
      name: `Customer ${number}`,
      email: `customer.${number}@shop.example`,
      avatar: null,
      stripeCustomerId: `cus_stripe${number}`,
      country: 'US',
      sales: 1,
      saleAmount: 10_000,
      createdAt: this.#time(number),
      firstSaleAt: '2025-02-01T00:00:00.000Z',
      subscriptionCanceledAt: null,
      link: link === undefined ? null : { ...link, programId: 'prog_1' },
      programId: 'prog_1',
      partner: partner && { id: partner['id'], name: partner['name'], email: partner['email'], image: null },
      discount: null,
      ...fields,
    };
    this.customers.push(customer);
    return customer;
  }

  addCommission(partner: Element, customer: Element | null, fields: Element = {}): Element {
    const number = this.commissions.length + 1;
    const commission = {
      id: `cm_${number}`,
      type: customer === null ? 'custom' : 'sale',
      amount: customer === null ? 0 : 10_000,
      earnings: 3_000,
      currency: 'usd',
      status: 'pending',
      invoiceId: customer === null ? null : `in_dub${number}`,
      description: null,
      quantity: 1,
      userId: null,
      metadata: null,
      createdAt: '2025-02-15T14:30:00.000Z',
      updatedAt: '2025-03-15T14:30:00.000Z',
      paidAt: null,
      partner: {
        id: partner['id'],
        name: partner['name'],
        email: partner['email'],
        image: null,
        payoutsEnabledAt: null,
        country: 'US',
      },
      customer,
      ...fields,
    };
    this.commissions.push(commission);
    return commission;
  }

  /** Adds a payout of commissions, which are paid with it. */
  addPayout(partner: Element, commissions: readonly Element[], fields: Element = {}): Element {
    const payout = {
      id: `po_${this.payouts.length + 1}`,
      invoiceId: null,
      amount: commissions.reduce((sum, { earnings }) => sum + Number(earnings), 0),
      currency: 'usd',
      status: 'completed',
      description: null,
      periodStart: null,
      periodEnd: null,
      createdAt: '2025-04-01T00:00:00.000Z',
      initiatedAt: '2025-04-01T00:00:00.000Z',
      paidAt: '2025-04-02T00:00:00.000Z',
      failureReason: null,
      mode: 'internal',
      method: 'paypal',
      traceId: 'PP-1',
      partner: {
        id: partner['id'],
        name: partner['name'],
        email: partner['email'],
        image: null,
        defaultPayoutMethod: 'paypal',
        payoutsEnabledAt: null,
        country: 'US',
        tenantId: null,
      },
      ...fields,
    };
    this.payouts.push(payout);
    for (const commission of commissions) this.#paidBy.set(commission['id'], payout.id);
    if (payout.status === 'completed')
      for (const commission of commissions) Object.assign(commission, { status: 'paid', paidAt: payout.paidAt });
    return payout;
  }

  #time(number: number): string {
    return new Date(Date.parse('2025-01-01T00:00:00Z') + number * 60_000).toISOString();
  }

  #link(id: string, key: string): Element {
    const url = `https://shop.example.com/?via=${key}`;
    const counts = { clicks: 0, leads: 0, conversions: 0, sales: 0, saleAmount: 0 };
    return { id, domain: 'refer.example.com', key, shortLink: `https://refer.example.com/${key}`, url, ...counts };
  }

  protected list({ pathname, searchParams }: URL, { headers }: IncomingMessage): [number, object] {
    const refusal = (code: string, message: string) => ({ error: { code, message, doc_url: 'https://dub.co/docs' } });
    if (headers.authorization !== `Bearer ${this.key}`) return [401, refusal('unauthorized', 'Unauthorized: Invalid API key.')];
    const list = LISTS.find((name) => pathname === `/${name}`);
    if (list === undefined) return [404, refusal('not_found', 'Not found.')];
    const size = Number(searchParams.get('pageSize') ?? MAX_SIZE);
    if (size > MAX_SIZE) return [422, refusal('unprocessable_entity', 'Max page size is 100.')];
    const payoutId = searchParams.get('payoutId');
    const all = this[list].filter(({ id }) => payoutId === null || this.#paidBy.get(id) === payoutId);
    const sorted = searchParams.get('sortOrder') === 'asc' ? all : all.toReversed();
    const from = (Number(searchParams.get('page') ?? 1) - 1) * size;
    const shown = sorted.slice(from, from + size);
    if (list !== 'customers' || searchParams.get('includeExpandedFields') === 'true') return [200, shown];
    return [200, shown.map(({ link: _, partner: __, discount: ___, programId: ____, ...plain }) => plain)];
  }
}
