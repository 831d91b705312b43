/**
 * A double of Rewardful's REST API, from its documentation (developers.rewardful.com/rest-api; there is no schema to check against): lists with `page` and
 * `limit` up to 100, newest first, Basic authentication with the secret and no password, objects with `expand[]`, and 45 requests in 30 seconds.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer, Trouble } from '../../support/double-server.ts';
import { type Element, ToolServer } from '../tool-server.ts';

export interface Campaign {
  id: string;
  name: string;
  [field: string]: unknown;
}

interface Link {
  id: string;
  url: string;
  token: string;
}

export interface Affiliate {
  id: string;
  email: string;
  state: string;
  campaign: Campaign;
  links: Link[];
  [field: string]: unknown;
}

export interface Referral {
  id: string;
  affiliate: Affiliate;
  [field: string]: unknown;
}

export interface Commission {
  id: string;
  amount: number;
  currency: string;
  state: string;
  sale: { affiliate: { id: string }; [field: string]: unknown };
  [field: string]: unknown;
}

interface Payout {
  id: string;
  commissions: Commission[];
  [field: string]: unknown;
}

const LISTS = ['campaigns', 'affiliates', 'referrals', 'affiliate_coupons', 'commissions', 'payouts'] as const;

export class RewardfulServer extends ToolServer {
  secret = `sk_${randomUUID()}`;
  readonly campaigns: Campaign[] = [];
  readonly affiliates: Affiliate[] = [];
  readonly referrals: Referral[] = [];
  readonly affiliate_coupons: Element[] = [];
  readonly commissions: Commission[] = [];
  readonly payouts: Payout[] = [];

  override get url(): string {
    return `${super.url}/v1`;
  }

  addCampaign(terms: Partial<Campaign> = {}): Campaign {
    const campaign = {
      id: randomUUID(),
      created_at: '2023-01-02T03:04:05.000Z',
      updated_at: '2024-01-02T03:04:05.000Z',
      name: `Friends ${this.campaigns.length + 1}`,
      url: 'https://shop.example.com',
      private: false,
      private_tokens: false,
      reward_type: 'percent',
      commission_percent: 30.0,
      commission_amount_cents: null,
      commission_amount_currency: null,
      minimum_payout_cents: 5000,
      minimum_payout_currency: 'USD',
      max_commission_period_months: 12,
      max_commissions: null,
      days_before_referrals_expire: 45,
      days_until_commissions_are_due: 15,
      affiliate_dashboard_text: '',
      custom_reward_description: '',
      welcome_text: '',
      customers_visible_to_affiliates: false,
      sale_description_visible_to_affiliates: true,
      parameter_type: 'query',
      stripe_coupon_id: null,
      default: this.campaigns.length === 0,
      ...terms,
    };
    this.campaigns.push(campaign);
    return campaign;
  }

  addAffiliate(campaign: Campaign, { token, ...fields }: Partial<Affiliate> & { token?: string } = {}): Affiliate {
    const number = this.affiliates.length + 1;
    const via = token ?? `partner-${number}`;
    const affiliate = {
      id: randomUUID(),
      created_at: '2023-02-03T04:05:06.000Z',
      updated_at: '2024-02-03T04:05:06.000Z',
      state: 'active',
      first_name: 'Partner',
      last_name: `No. ${number}`,
      email: `partner.${number}@example.com`,
      paypal_email: number % 2 === 0 ? `pay.${number}@example.com` : null,
      wise_email: null,
      confirmed_at: '2023-02-03T04:06:06.000Z',
      stripe_customer_id: null,
      stripe_account_id: null,
      visitors: 12,
      leads: 1,
      conversions: 1,
      campaign,
      links: [
        { id: randomUUID(), url: `https://shop.example.com/?via=${via}`, token: via, visitors: 12, leads: 1, conversions: 1 },
      ],
      ...fields,
    };
    this.affiliates.push(affiliate);
    return affiliate;
  }

  addReferral(affiliate: Affiliate, fields: Partial<Referral> = {}): Referral {
    const number = this.referrals.length + 1;
    const referral = {
      id: randomUUID(),
      link: affiliate.links[0],
      customer: {
        id: `cus_rw${number}`,
        platform: 'stripe',
        name: `Customer ${number}`,
        email: `customer.${number}@shop.example`,
      },
      visits: 2,
      stripe_account_id: 'acct_rw',
      stripe_customer_id: `cus_rw${number}`,
      conversion_state: 'conversion',
      deactivated_at: null,
      expires_at: '2023-05-05T00:00:00.000Z',
      created_at: '2023-03-04T05:06:07.000Z',
      updated_at: '2024-03-04T05:06:07.000Z',
      became_lead_at: '2023-03-05T05:06:07.000Z',
      became_conversion_at: '2023-03-06T05:06:07.000Z',
      affiliate,
      ...fields,
    };
    this.referrals.push(referral);
    return referral;
  }

  addCoupon(affiliate: Affiliate, fields: Element = {}): Element {
    const number = this.affiliate_coupons.length + 1;
    const coupon = {
      id: randomUUID(),
      token: `CODE${number}`,
      external_id: `promo_rw${number}`,
      affiliate_id: affiliate.id,
      archived: false,
      archived_at: null,
      leads: 0,
      conversions: 0,
      created_at: '2023-02-03T04:05:06.000Z',
      ...fields,
    };
    this.affiliate_coupons.push(coupon);
    return coupon;
  }

  /** Adds a commission of 30 % of what is left of a charge of 100.00 after its refunds. */
  addCommission(
    { affiliate, ...referral }: Referral,
    { sale: ofSale = {}, ...fields }: Partial<Omit<Commission, 'sale'>> & { sale?: Record<string, unknown> } = {},
  ): Commission {
    const number = this.commissions.length + 1;
    const sale = {
      id: randomUUID(),
      currency: 'USD',
      charged_at: '2024-05-06T07:08:09.000Z',
      invoiced_at: '2024-05-06T07:08:09.000Z',
      created_at: '2024-05-06T07:08:10.000Z',
      updated_at: '2024-05-06T07:08:10.000Z',
      stripe_account_id: 'acct_rw',
      stripe_charge_id: `ch_rw${number}`,
      charge_amount_cents: 10_000,
      refund_amount_cents: 0,
      tax_amount_cents: 0,
      referral,
      affiliate: { id: affiliate.id, email: affiliate.email, state: affiliate.state },
      ...ofSale,
    };
    const left = sale.charge_amount_cents - sale.refund_amount_cents;
    const commission = {
      id: randomUUID(),
      created_at: '2024-05-06T07:08:11.000Z',
      updated_at: '2024-05-06T07:08:11.000Z',
      amount: Math.round(left * 0.3),
      currency: sale.currency,
      state: 'due',
      due_at: '2024-06-05T07:08:09.000Z',
      paid_at: null,
      voided_at: null,
      campaign: { id: affiliate.campaign.id, name: affiliate.campaign.name },
      sale,
      ...fields,
    };
    this.commissions.push(commission);
    return commission;
  }

  /** Adds a payout of commissions of one affiliate and currency. A paid one pays them. */
  addPayout(commissions: Commission[], fields: Record<string, unknown> = {}): Payout {
    const paid_at = fields['state'] === undefined ? '2024-07-01T00:00:00.000Z' : null;
    if (paid_at !== null) for (const each of commissions) Object.assign(each, { state: 'paid', paid_at });
    const payout = {
      id: randomUUID(),
      created_at: '2024-06-30T00:00:00.000Z',
      updated_at: '2024-07-01T00:00:00.000Z',
      currency: commissions[0]!.currency,
      amount: commissions.reduce((sum, { amount }) => sum + amount, 0),
      state: 'paid',
      paid_at,
      affiliate: commissions[0]!.sale.affiliate,
      commissions,
      ...fields,
    };
    this.payouts.push(payout);
    return payout;
  }

  protected list({ pathname, searchParams }: URL, { headers }: IncomingMessage): Answer {
    if (headers.authorization !== `Basic ${Buffer.from(`${this.secret}:`).toString('base64')}`)
      return [401, { error: 'Invalid API Secret.' }];
    const name = LISTS.find((each) => pathname === `/v1/${each}`);
    return name ? [200, this.#page(name, searchParams)] : [404, { error: 'Not found.' }];
  }

  #page(list: (typeof LISTS)[number], query: URLSearchParams): object {
    const [page, limit] = [Number(query.get('page') ?? 1), Math.min(Number(query.get('limit') ?? 25), 100)];
    const expanded = query.getAll('expand[]');
    const all = this[list].toReversed();
    const data = all.slice((page - 1) * limit, page * limit).map((each) => withoutUnexpanded(list, each, expanded));
    const total_pages = Math.max(Math.ceil(all.length / limit), 1);
    return {
      pagination: {
        previous_page: page > 1 ? page - 1 : null,
        current_page: page,
        next_page: page < total_pages ? page + 1 : null,
        count: data.length,
        limit,
        total_pages,
        total_count: all.length,
      },
      data,
    };
  }
}

/** The objects that a list has only when they are expanded. */
const EXPANDABLE: Readonly<Record<string, readonly string[]>> = {
  affiliates: ['campaign', 'links'],
  referrals: ['affiliate'],
  commissions: ['sale', 'campaign'],
  payouts: ['affiliate', 'commissions'],
};

function withoutUnexpanded(list: string, record: object, expanded: readonly string[]): object {
  const hidden = (EXPANDABLE[list] ?? []).filter((name) => !expanded.includes(name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.includes(name)));
}

export const tooMany: Trouble = (response) => void response.writeHead(429, { 'retry-after': '7' }).end('{}');
export const maintenance: Trouble = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Maintenance</title>');
export const cut: Trouble = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"pagination":');
  setImmediate(() => response.destroy());
};
export const forbidden: Trouble = (response) => void response.writeHead(403).end('{"error":"Upgrade your plan."}');
export const moved: Trouble = (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
