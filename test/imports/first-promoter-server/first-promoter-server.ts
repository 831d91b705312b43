import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Element, ToolServer } from '../tool-server.ts';

const LISTS = ['rewards', 'campaigns', 'promoters', 'promo_codes', 'referrals', 'commissions', 'payouts'] as const;
/** Lists that are answered whole. */
const WITHOUT_PAGES: ReadonlySet<string> = new Set(['rewards', 'campaigns', 'promo_codes']);

/**
 * A double of version 2 of FirstPromoter's REST API, from its OpenAPI documents: lists with `page` and `per_page` (20, at most 100), an API key as bearer
 * token, and the header `ACCOUNT-ID`. Promoters are an object with `data`, the others arrays. Rewards, campaigns and promo codes have no
 * pages. Commissions are filtered by the payout that pays them.
 */
export class FirstPromoterServer extends ToolServer {
  readonly key = randomUUID();
  readonly credentials = `${this.key}:acc_123456`;
  readonly rewards: Element[] = [];
  readonly campaigns: Element[] = [];
  readonly promoters: Element[] = [];
  readonly referrals: Element[] = [];
  readonly commissions: Element[] = [];
  readonly promo_codes: Element[] = [];
  readonly payouts: Element[] = [];
  /** Ids of payouts by the commissions that they pay, which only a filter tells. */
  readonly #paidBy = new Map<unknown, number>();
  #lastId = 7_000;

  addCampaign(fields: Element = {}, ...schemas: Element[]): Element {
    const reward = {
      id: this.#newId(),
      name: 'Share',
      is_promoter_reward: true,
      promoter_reward_type: 'sale',
      schemas: schemas.length > 0 ? schemas : [{ unit: 'cash', amount: 25, flat_amount: false, rules: [] }],
    };
    this.rewards.push(reward);
    const campaign = {
      id: this.#newId(),
      name: `Friends ${this.campaigns.length + 1}`,
      color: '#00ff00',
      landing_url: 'https://shop.example.com',
      visitor_cookie_life: 45,
      ref_token_param: 'fpr',
      is_private: false,
      is_default: this.campaigns.length === 0,
      rewards_for_promoters: [
        {
          apply_on: 'all',
          product_ids: [],
          reward_id: reward.id,
          reward: { name: 'Share', promoter_reward_type: 'sale', hide_reward: false, tier_level: null, coupon: null },
          products: [],
        },
      ],
      rewards_for_referrals: [],
      ...fields,
    };
    this.campaigns.push(campaign);
    return campaign;
  }

  addPromoter(memberships: { of: Element; state?: string; token?: string | null }[], fields: Element = {}): Element {
    const number = this.promoters.length + 1;
    const id = this.#newId();
    const promoter = {
      id,
      email: `promoter.${number}@example.com`,
      name: `Promoter No. ${number}`,
      cust_id: null,
      profile: { id, first_name: 'Promoter', last_name: `No. ${number}`, website: null, country: 'DE' },
      joined_at: '2023-02-03T04:05:06.000Z',
      archived_at: null,
      promoter_campaigns: memberships.map(({ of, state = 'accepted', token = `promoter-${number}-${String(of['id'])}` }) => ({
        id: this.#newId(),
        campaign_id: of['id'],
        promoter_id: id,
        state,
        created_at: '2023-02-03T04:05:07.000Z',
        campaign: { id: of['id'], name: of['name'], color: null },
        coupon: null,
        ref_token: token,
        ref_link: token === null ? null : `https://shop.example.com/?fpr=${encodeURIComponent(token)}`,
      })),
      balances: { cash: 0, credits: null },
      ...fields,
    };
    this.promoters.push(promoter);
    return promoter;
  }

  addReferral(promoter: Element, campaign: Element, fields: Element = {}): Element {
    const number = this.referrals.length + 1;
    const referral = {
      id: this.#newId(),
      email: `customer.${number}@shop.example`,
      uid: number % 2 === 0 ? `cus_fp${number}` : `user-${number}`,
      state: 'active',
      metadata: {},
      created_at: '2023-03-04T05:06:07.000Z',
      customer_since: '2023-03-06T05:06:07.000Z',
      first_name: 'Customer',
      last_name: `No. ${number}`,
      is_expired: false,
      promoter_campaign: {
        id: this.#newId(),
        campaign_id: campaign['id'],
        promoter_id: promoter['id'],
        created_at: '2023-02-03T04:05:07.000Z',
        promoter: { id: promoter['id'], email: promoter['email'], name: promoter['name'] },
        campaign: { id: campaign['id'], name: campaign['name'] },
      },
      ...fields,
    };
    this.referrals.push(referral);
    return referral;
  }

  /** Adds a commission of 25 % of a payment of 80.00. Amounts have no currency. */
  addCommission({ id, promoter_campaign }: Element, fields: Element = {}): Element {
    const commission = {
      id: this.#newId(),
      status: 'approved',
      metadata: {},
      is_self_referral: false,
      commission_type: 'sale',
      sale_amount: 8_000,
      amount: 2_000,
      is_paid: false,
      is_split: false,
      created_at: '2023-05-04T05:06:07.000Z',
      status_updated_at: '2023-06-04T05:06:07.000Z',
      original_sale_amount: 8_000,
      original_sale_currency: 'usd',
      event_id: `ch_fp${this.commissions.length + 1}`,
      tier: 1,
      unit: 'cash',
      fraud_check: 'no_suspicion',
      referral: id === undefined ? null : { id },
      promoter_campaign,
      ...fields,
    };
    this.commissions.push(commission);
    return commission;
  }

  /** Adds a code of a promoter, for the first campaign in which the promoter is. */
  addCode(promoter: Element, fields: Element = {}): Element {
    const [membership] = promoter['promoter_campaigns'] as [Element];
    const number = this.promo_codes.length + 1;
    const code = {
      id: this.#newId(),
      code: `CODE${number}`,
      reward: { id: 1, name: 'Share' },
      ext_id: `promo_fp${number}`,
      description: null,
      company_id: 1,
      promoter_campaign_id: membership['id'],
      metadata: {},
      details: {},
      archived_at: null,
      ...fields,
    };
    this.promo_codes.push(code);
    return code;
  }

  /** Adds a payout of commissions of one promoter. A completed one pays them. */
  addPayout(commissions: readonly Element[], fields: Element = {}): Element {
    const { promoter } = commissions[0]!['promoter_campaign'] as { promoter: Element };
    const payout = {
      id: this.#newId(),
      status: 'completed',
      amount: commissions.reduce((sum, { amount }) => sum + Number(amount), 0),
      payments_batch_id: null,
      tax_rate: 0,
      unit: 'cash',
      period_start: '2023-05-01T00:00:00.000Z',
      period_end: '2023-06-01T00:00:00.000Z',
      paid_at: '2023-07-01T00:00:00.000Z',
      processing_started_at: null,
      failed_at: null,
      error: null,
      created_at: '2023-06-30T00:00:00.000Z',
      payout_method: { id: 1, method: 'paypal' },
      promoter,
      campaign: { id: 1, name: 'Friends', color: null },
      ...fields,
    };
    this.payouts.push(payout);
    for (const commission of commissions) {
      this.#paidBy.set(commission['id'], payout.id);
      if (payout.status === 'completed') commission['is_paid'] = true;
    }
    return payout;
  }

  protected list({ pathname, searchParams }: URL, { headers }: IncomingMessage): [number, object] {
    if (headers.authorization !== `Bearer ${this.key}` || headers['account-id'] !== 'acc_123456')
      return [401, { message: 'Unauthorized' }];
    const list = LISTS.find((name) => pathname === `/${name}`);
    if (list === undefined) return [404, { message: 'Not found' }];
    if (WITHOUT_PAGES.has(list)) return [200, this[list]];
    const [page, size] = [Number(searchParams.get('page') ?? 1), Math.min(Number(searchParams.get('per_page') ?? 20), 100)];
    const payout = list === 'commissions' ? searchParams.get('filters[payout_id]') : null;
    const all = this[list].filter((each) => payout === null || String(this.#paidBy.get(each['id'])) === payout);
    const elements = all.slice((page - 1) * size, page * size);
    return [200, list === 'promoters' ? { data: elements, meta: { pending_count: 0 } } : elements];
  }

  #newId(): number {
    return (this.#lastId += 1);
  }
}
