/** Reads a program at Rewardful by its REST API: `page` and `limit` up to 100, 45 requests in 30 seconds, the secret of the account as the user of Basic. */
import { z } from 'zod';
import { paymentNames } from '../../ledger/sales/wire-names.ts';
import type { ImportKind, SourceRecord } from '../port/import-kind.ts';
import { SourceFailure } from '../port/import-kind.ts';
import { readElement, readJson, recordOf, withoutParameter, withScheme } from '../port/read-answers.ts';

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
    const { id, paypal_email, wise_email, campaign, links, state, ...affiliate } = Affiliate.parse(element);
    const data = {
      ...affiliate,
      state: state ?? 'active',
      campaign: campaign?.id,
      payout_emails: { paypal: paypal_email || null, wise: wise_email || null },
    };
    const ofLinks = (links ?? []).map((link) => {
      // The address there ends with the parameter and the token.
      const url = link.url ? withoutParameter(withScheme(link.url), 'via') : null;
      const created_at = link.created_at ?? affiliate.created_at;
      return recordOf('link', link.id, { affiliate: id, token: link.token, url, created_at });
    });
    return [recordOf('affiliate', id, data), ...ofLinks];
  },

  referrals(element) {
    const { id, affiliate, link, customer, stripe_customer_id, conversion_state, ...times } = Referral.parse(element);
    const converted = conversion_state === 'conversion' ? (times.became_conversion_at ?? times.created_at ?? null) : null;
    const data = {
      affiliate: affiliate?.id ?? link?.token ?? '-',
      token: link?.token,
      psp_customer_id: stripe_customer_id || null,
      email: customer?.email || null,
      name: customer?.name || null,
      created_at: times.created_at,
      converted_at: converted,
      expires_at: converted === null ? times.expires_at : null,
    };
    return [recordOf('customer', id, data)];
  },

  affiliate_coupons(element) {
    const { id, token: code, external_id, affiliate_id: affiliate, archived, created_at } = Coupon.parse(element);
    const data = { affiliate, code, psp_promotion_code_id: external_id ?? '', is_active: archived !== true, created_at };
    return [recordOf('code', id, data)];
  },

  commissions(element) {
    const { id, amount, sale, campaign, ...commission } = Commission.parse(element);
    const data = {
      ...commission,
      affiliate: sale?.affiliate?.id,
      campaign: campaign?.id,
      customer: sale?.referral?.id,
      amount_cents: amount,
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
    };
    return [recordOf('commission', id, data)];
  },

  payouts(element) {
    const { id, amount, state, affiliate, commissions, ...payout } = Payout.parse(element);
    const data = {
      ...payout,
      affiliate: affiliate.id,
      state: state === 'pending' || state === 'due' ? 'open' : state,
      amount_cents: amount,
      commissions: commissions.map((commission) => commission.id),
    };
    return [recordOf('payout', id, data)];
  },
};
