/** Reads a program at Rewardful by its REST API: `page` and `limit` up to 100, 45 requests in 30 seconds, the secret of the account as the user of Basic. */
import { z } from 'zod';
import { paymentNames } from '../../ledger/sales/wire-names.ts';
import type { ImportKind, SourceRecord } from '../port/import-kind.ts';
import { SourceFailure } from '../port/import-kind.ts';
import { readElement, withoutParameter, withScheme } from '../port/read-element.ts';
import { readJson } from '../port/read-json.ts';

const LIMIT = 100;

/** The lists in the order of reading: a record refers to earlier ones. */
const LISTS = ['campaigns', 'affiliates', 'referrals', 'affiliate_coupons', 'commissions', 'payouts'] as const;
type List = (typeof LISTS)[number];

/** The objects that the elements of a list contain only on request. */
const EXPANDED: Readonly<Record<List, readonly string[]>> = {
  campaigns: [],
  affiliates: ['campaign', 'links'],
  referrals: ['affiliate'],
  affiliate_coupons: [],
  commissions: ['sale', 'campaign'],
  payouts: ['affiliate', 'commissions'],
};

const Cursor = z.object({ list: z.enum(LISTS), page: z.int() });

const Page = z.object({
  pagination: z.object({ next_page: z.int().nullable(), total_count: z.int().optional() }),
  data: z.array(z.record(z.string(), z.unknown())),
});

const nullable = z.string().nullish();
const time = z.string().nullish();

const Campaign = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  private: z.boolean().nullish(),
  private_tokens: z.boolean().nullish(),
  reward_type: z.string().nullish(),
  commission_percent: z.number().nullish(),
  commission_amount_cents: z.int().nullish(),
  commission_amount_currency: nullable,
  minimum_payout_cents: z.int().nullish(),
  minimum_payout_currency: nullable,
  max_commission_period_months: z.int().nullish(),
  max_commissions: z.int().nullish(),
  days_before_referrals_expire: z.int().nullish(),
  days_until_commissions_are_due: z.int().nullish(),
  affiliate_dashboard_text: nullable,
  custom_reward_description: nullable,
  welcome_text: nullable,
  customers_visible_to_affiliates: z.boolean().nullish(),
  sale_description_visible_to_affiliates: z.boolean().nullish(),
  parameter_type: z.enum(['query', 'hash']).nullish(),
  created_at: time,
});

const Affiliate = z.object({
  id: z.string(),
  email: z.string(),
  first_name: nullable,
  last_name: nullable,
  state: nullable,
  paypal_email: nullable,
  wise_email: nullable,
  campaign: z.object({ id: z.string() }).nullish(),
  links: z.array(z.object({ id: z.string(), url: nullable, token: z.string(), created_at: time })).nullish(),
  created_at: time,
});

const Referral = z.object({
  id: z.string(),
  conversion_state: nullable,
  affiliate: z.object({ id: z.string() }).nullish(),
  link: z.object({ token: z.string() }).nullish(),
  customer: z.object({ name: nullable, email: nullable }).nullish(),
  stripe_customer_id: nullable,
  created_at: time,
  became_conversion_at: time,
  expires_at: time,
});

const Coupon = z.object({
  id: z.string(),
  token: z.string(),
  external_id: nullable,
  affiliate_id: z.string(),
  archived: z.boolean().nullish(),
  created_at: time,
});

const named = z.object({ id: z.string() });

const Commission = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  state: z.string(),
  due_at: time,
  paid_at: time,
  voided_at: time,
  created_at: z.string(),
  campaign: named.nullish(),
  sale: z
    .object({
      currency: z.string(),
      charged_at: time,
      created_at: time,
      stripe_charge_id: nullable,
      charge_amount_cents: z.int(),
      tax_amount_cents: z.int().nullish(),
      refund_amount_cents: z.int().nullish(),
      referral: named.nullish(),
      affiliate: named.nullish(),
    })
    .nullish(),
});

const Payout = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  state: z.string(),
  paid_at: time,
  created_at: z.string(),
  affiliate: named,
  commissions: z.array(named),
});

/** The campaigns, affiliates, links, customers, codes, commissions and payouts of an account at Rewardful. */
export const REWARDFUL: ImportKind = {
  // 45 requests in 30 seconds.
  pauseMs: 700,

  async read({ credentials }, at, apiBase) {
    const { list, page } = at === null ? { list: LISTS[0], page: 1 } : Cursor.parse(at);
    const expand = EXPANDED[list].map((name) => `&expand[]=${name}`).join('');
    const url = `${apiBase}/${list}?page=${page}&limit=${LIMIT}${expand}`;
    const authorization = `Basic ${Buffer.from(`${credentials}:`).toString('base64')}`;
    const { success, data: answer } = Page.safeParse(await readJson(url, { authorization }));
    if (!success) throw new SourceFailure('not_understood', { detail: list });
    const { pagination, data } = answer;
    const following = LISTS[LISTS.indexOf(list) + 1];
    return {
      records: data.flatMap((element) => readElement(KIND_OF[list], element, RECORDS_OF[list])),
      next:
        pagination.next_page !== null ? { list, page: pagination.next_page } : following ? { list: following, page: 1 } : null,
      ...(page === 1 && pagination.total_count !== undefined && { expected: pagination.total_count }),
    };
  },
};

const KIND_OF = {
  campaigns: 'campaign',
  affiliates: 'affiliate',
  referrals: 'customer',
  affiliate_coupons: 'code',
  commissions: 'commission',
  payouts: 'payout',
} as const;

/** The records in an element of each list. Their ids there become the merchant’s own ids, by which checkouts that began before the move name referrals. */
const RECORDS_OF: Readonly<Record<List, (element: unknown) => SourceRecord[]>> = {
  campaigns(element) {
    const { id, reward_type, url, commission_percent, ...campaign } = Campaign.parse(element);
    const isPercent = reward_type === 'percent';
    const terms = {
      ...campaign,
      external_id: id,
      url: withScheme(url),
      reward_type: isPercent ? 'percent' : 'fixed',
      ...(isPercent && { commission_percent, commission_amount_cents: undefined, commission_amount_currency: undefined }),
    };
    // A term that is not set there has the default here.
    const known = Object.entries(terms).filter(
      ([name, value]) => name === 'created_at' || (value !== null && value !== undefined),
    );
    return [{ kind: 'campaign', id, data: { ...Object.fromEntries(known), created_at: campaign.created_at ?? null } }];
  },

  affiliates(element) {
    const { id, email, first_name, last_name, state, paypal_email, wise_email, campaign, links, created_at } =
      Affiliate.parse(element);
    const affiliate: SourceRecord = {
      kind: 'affiliate',
      id,
      data: {
        external_id: id,
        email,
        first_name: first_name ?? null,
        last_name: last_name ?? null,
        state: state ?? 'active',
        campaign: campaign?.id ?? null,
        payout_emails: { paypal: paypal_email || null, wise: wise_email || null },
        created_at: created_at ?? null,
      },
    };
    const ofLinks = (links ?? []).map((link): SourceRecord => ({
      kind: 'link',
      id: link.id,
      data: {
        external_id: link.id,
        affiliate: id,
        campaign: null,
        token: link.token,
        // The address there ends with the parameter and the token.
        url: link.url ? withoutParameter(withScheme(link.url), 'via') : null,
        created_at: link.created_at ?? created_at ?? null,
      },
    }));
    return [affiliate, ...ofLinks];
  },

  referrals(element) {
    const { id, affiliate, link, customer, stripe_customer_id, conversion_state, ...times } = Referral.parse(element);
    const converted = conversion_state === 'conversion' ? (times.became_conversion_at ?? times.created_at ?? null) : null;
    return [
      {
        kind: 'customer',
        id,
        data: {
          external_id: id,
          affiliate: affiliate?.id ?? link?.token ?? '-',
          campaign: null,
          token: link?.token ?? null,
          psp_customer_id: stripe_customer_id || null,
          external_customer_id: null,
          email: customer?.email || null,
          name: customer?.name || null,
          created_at: times.created_at ?? null,
          converted_at: converted,
          expires_at: converted === null ? (times.expires_at ?? null) : null,
        },
      },
    ];
  },

  affiliate_coupons(element) {
    const { id, token, external_id, affiliate_id, archived, created_at } = Coupon.parse(element);
    const data = {
      affiliate: affiliate_id,
      link: null,
      code: token,
      psp_promotion_code_id: external_id ?? '',
      is_active: archived !== true,
      created_at: created_at ?? null,
    };
    return [{ kind: 'code', id, data }];
  },

  commissions(element) {
    const { id, amount, sale, campaign, ...commission } = Commission.parse(element);
    return [
      {
        kind: 'commission',
        id,
        data: {
          external_id: id,
          affiliate: sale?.affiliate?.id ?? null,
          campaign: campaign?.id ?? null,
          customer: sale?.referral?.id ?? null,
          state: commission.state,
          is_money: true,
          flagged: false,
          amount_cents: amount,
          currency: commission.currency,
          due_at: commission.due_at ?? null,
          paid_at: commission.paid_at ?? null,
          voided_at: commission.voided_at ?? null,
          sale: sale
            ? {
                ...paymentNames(sale.stripe_charge_id),
                charge_amount_cents: sale.charge_amount_cents,
                tax_amount_cents: sale.tax_amount_cents ?? 0,
                refund_amount_cents: sale.refund_amount_cents ?? 0,
                currency: sale.currency,
                charged_at: sale.charged_at ?? sale.created_at ?? commission.created_at,
              }
            : null,
          payout: null,
          created_at: commission.created_at,
        },
      },
    ];
  },

  payouts(element) {
    const { id, amount, currency, state, paid_at, created_at, affiliate, commissions } = Payout.parse(element);
    return [
      {
        kind: 'payout',
        id,
        data: {
          external_id: id,
          affiliate: affiliate.id,
          state: state === 'pending' || state === 'due' ? 'open' : state,
          amount_cents: amount,
          currency,
          paid_at: paid_at ?? null,
          reference: null,
          commissions: commissions.map((commission) => commission.id),
          created_at,
        },
      },
    ];
  },
};
