/**
 * Reads a program at FirstPromoter by version 2 of its REST API: `page` and `per_page` up to 100, 400 requests in a minute, an API key as bearer token, and
 * the id of the account in a header of its own.
 */
import { z } from 'zod';
import { paymentNames } from '../../ledger/sales/wire-names.ts';
import type { ImportKind, SourceRecord } from '../port/import-kind.ts';
import { SourceFailure } from '../port/import-kind.ts';
import { customerIds, partsOfKey, readElement, readJson, recordOf, saleOf, withScheme } from '../port/read-answers.ts';

const LIMIT = 100;
/** The parameter of links unless the campaign has another one. */
const PARAMETER = 'fpr';
/** Parameters that every campaign here reads. */
const ALWAYS_READ = new Set(['via', 'referral']);

/** The lists in the order of reading: a record refers to earlier ones. */
const LISTS = ['rewards', 'campaigns', 'promoters', 'promo_codes', 'referrals', 'commissions', 'payouts'] as const;
type List = (typeof LISTS)[number];

const Cursor = z.object({
  list: z.enum(LISTS),
  page: z.int(),
  /** Id of the first element of the page before, as JSON. */
  first: z.string().nullable(),
  /** The commissions of rewards that are a percentage of every sale, by the id of the reward. */
  percents: z.record(z.string(), z.number()),
});
type Cursor = z.infer<typeof Cursor>;

const elements = z.array(z.record(z.string(), z.unknown()));
/** Some lists are arrays, others have their elements in `data`. */
const Page = z.union([elements, z.object({ data: elements }).transform(({ data }) => data)]);

const id = z.int();
const nullable = z.string().nullish();

const Reward = z.object({
  id,
  schemas: z.array(
    z.object({ unit: z.string(), amount: z.number(), flat_amount: z.boolean(), rules: z.array(z.unknown()).nullish() }),
  ),
});

const Campaign = z.object({
  id,
  name: z.string(),
  landing_url: nullable,
  visitor_cookie_life: z.int().nullish(),
  ref_token_param: nullable,
  is_private: z.boolean().nullish(),
  rewards_for_promoters: z
    .array(
      z.object({
        apply_on: nullable,
        reward_id: id,
        reward: z.object({ promoter_reward_type: nullable }).nullish(),
      }),
    )
    .nullish(),
});

const Promoter = z.object({
  id,
  email: z.string(),
  name: nullable,
  profile: z.object({ first_name: nullable, last_name: nullable }).nullish(),
  joined_at: nullable,
  archived_at: nullable,
  promoter_campaigns: z
    .array(
      z.object({
        id,
        campaign_id: id,
        state: nullable,
        ref_token: nullable,
        ref_link: nullable,
        created_at: nullable,
      }),
    )
    .nullish(),
});

const Referral = z.object({
  id,
  email: nullable,
  uid: nullable,
  state: nullable,
  first_name: nullable,
  last_name: nullable,
  is_expired: z.boolean().nullish(),
  created_at: nullable,
  customer_since: nullable,
  promoter_campaign: z.object({ campaign_id: id, promoter_id: id }).nullish(),
});

const Commission = z.object({
  id,
  status: z.string(),
  is_paid: z.boolean().nullish(),
  unit: z.string().nullish(),
  commission_type: nullable,
  amount: z.int(),
  sale_amount: z.int().nullish(),
  original_sale_amount: z.int().nullish(),
  original_sale_currency: nullable,
  event_id: nullable,
  fraud_check: nullable,
  created_at: z.string(),
  status_updated_at: nullable,
  referral: z.object({ id }).nullish(),
  promoter_campaign: z.object({
    campaign_id: id.nullish(),
    promoter_id: id.nullish(),
    campaign: z.object({ id }).nullish(),
    promoter: z.object({ id }).nullish(),
  }),
});

const PromoCode = z.object({ id, code: z.string(), ext_id: nullable, promoter_campaign_id: id, archived_at: nullable });

const Payout = z.object({
  id,
  status: z.string(),
  unit: nullable,
  amount: z.number(),
  paid_at: nullable,
  created_at: z.string(),
  promoter: z.object({ id }),
  /** Ids of the commissions, which are a list of their own. */
  commissions: z.array(id),
});

/** The campaigns, promoters, links, codes, referrals, commissions and payouts of an account at FirstPromoter. Its amounts have no currency there. */
export const FIRST_PROMOTER: ImportKind = {
  // 400 requests in a minute.
  pauseMs: 200,

  async read({ credentials, currency }, at, apiBase) {
    const cursor: Cursor = at === null ? { list: LISTS[0], page: 1, first: null, percents: {} } : Cursor.parse(at);
    const { list, page } = cursor;
    const [key, account] = partsOfKey(credentials);
    const elements = async (path: string) => {
      const answer = await readJson(`${apiBase}/${path}`, { authorization: `Bearer ${key}`, 'account-id': account });
      const { success, data } = Page.safeParse(answer);
      if (!success) throw new SourceFailure('not_understood', { detail: list });
      return data;
    };
    const data = await elements(`${list}?page=${page}&per_page=${list === 'payouts' ? 1 : LIMIT}`);
    const first = data[0] === undefined ? null : JSON.stringify(data[0]['id'] ?? data[0]);
    // Answers do not tell the number of pages, and a list without pages answers every page with all elements.
    const isOver = data.length === 0 || (page > 1 && first === cursor.first);
    if (isOver) {
      const following = LISTS[LISTS.indexOf(list) + 1];
      return { records: [], next: following === undefined ? null : { ...cursor, list: following, page: 1, first: null } };
    }
    const complete = list === 'payouts' ? await withCommissions(data, elements) : data;
    const percents = list === 'rewards' ? { ...cursor.percents, ...percentsIn(data) } : cursor.percents;
    return {
      records: list === 'rewards' ? [] : complete.flatMap((element) => recordsIn(list, element, { percents, currency })),
      next: { list, page: page + 1, first, percents },
      ...(list === 'rewards' && { id: first ?? '' }),
    };
  },
};

type Elements = z.infer<typeof elements>;

/** Adds the ids of its commissions to each payout. */
async function withCommissions(payouts: Elements, read: (path: string) => Promise<Elements>): Promise<Elements> {
  const complete: Elements = [];
  for (const payout of payouts) {
    const ids = new Set<unknown>();
    const of = encodeURIComponent(String(payout['id']));
    for (let page = 1, known = -1; known < ids.size; page += 1) {
      known = ids.size;
      for (const commission of await read(`commissions?page=${page}&per_page=${LIMIT}&filters[payout_id]=${of}`))
        ids.add(commission['id']);
    }
    complete.push({ ...payout, commissions: [...ids] });
  }
  return complete;
}

/** Returns the commissions of the rewards that are a percentage of every sale. */
function percentsIn(rewards: Elements): Record<string, number> {
  return Object.fromEntries(
    rewards.flatMap((element) => {
      const [schema, ...others] = Reward.safeParse(element).data?.schemas ?? [];
      const isPlain = schema?.unit === 'cash' && !schema.flat_amount && (schema.rules ?? []).length === 0 && others.length === 0;
      return isPlain ? [[String(element['id']), schema.amount]] : [];
    }),
  );
}

const KIND_OF = {
  campaigns: 'campaign',
  promoters: 'affiliate',
  promo_codes: 'code',
  referrals: 'customer',
  commissions: 'commission',
  payouts: 'payout',
} as const;

function recordsIn(
  list: Exclude<List, 'rewards'>,
  element: Record<string, unknown>,
  { percents, currency }: { percents: Readonly<Record<string, number>>; currency: string | null },
): SourceRecord[] {
  return readElement(KIND_OF[list], element, () => {
    if (list === 'campaigns') return [campaignIn(Campaign.parse(element), percents)];
    if (list === 'commissions') return [commissionIn(Commission.parse(element), currency)];
    if (list === 'promo_codes') return [codeIn(PromoCode.parse(element))];
    if (list === 'payouts') return payoutIn(Payout.parse(element));
    return list === 'promoters' ? affiliateIn(Promoter.parse(element)) : [customerIn(Referral.parse(element))];
  });
}

/** An amount per sale has no currency there, and so is not taken: the campaign is then one of the account. */
function campaignIn(campaign: z.infer<typeof Campaign>, percents: Readonly<Record<string, number>>): SourceRecord {
  const { name, landing_url, ref_token_param, visitor_cookie_life, is_private, rewards_for_promoters } = campaign;
  const [sale, ...others] = (rewards_for_promoters ?? []).filter(
    ({ reward }) => (reward?.promoter_reward_type ?? 'sale') === 'sale',
  );
  const percent = sale?.apply_on === 'all' && others.length === 0 ? percents[sale.reward_id] : undefined;
  return {
    kind: 'campaign',
    id: String(campaign.id),
    data: {
      external_id: String(campaign.id),
      name,
      url: landing_url ? withScheme(landing_url) : null,
      params: [ref_token_param || PARAMETER].filter((parameter) => !ALWAYS_READ.has(parameter)),
      ...(percent === undefined ? { reward_type: null } : { reward_type: 'percent', commission_percent: percent }),
      ...(visitor_cookie_life && { days_before_referrals_expire: visitor_cookie_life }),
      ...(typeof is_private === 'boolean' && { private: is_private }),
      created_at: null,
    },
  };
}

const STATE_OF: Readonly<Record<string, string>> = {
  accepted: 'active',
  pending: 'pending',
  not_set: 'pending',
  rejected: 'rejected',
  blocked: 'disabled',
  inactive: 'disabled',
};

function stateOf(state: string | null | undefined): string {
  return STATE_OF[state ?? 'not_set'] ?? state!;
}

/** A promoter is in the first campaign that has accepted them. A link of a campaign in which the promoter has another state would earn here, and is left out. */
function affiliateIn(promoter: z.infer<typeof Promoter>): SourceRecord[] {
  const { email, name, profile, joined_at, archived_at } = promoter;
  const memberships = promoter.promoter_campaigns ?? [];
  const main = memberships.find(({ state }) => state === 'accepted') ?? memberships[0];
  const state = stateOf(main?.state);
  const id = String(promoter.id);
  const affiliate = recordOf('affiliate', id, {
    email,
    first_name: profile?.first_name || name || null,
    last_name: profile?.last_name || null,
    state: archived_at ? 'disabled' : state,
    campaign: main && String(main.campaign_id),
    created_at: joined_at,
  });
  const ofLinks = memberships
    .filter((membership) => membership.ref_token && stateOf(membership.state) === state)
    .map(({ id: link, campaign_id, ref_token: token, ref_link, created_at }) => {
      const url = ref_link ? withoutToken(withScheme(ref_link), token!) : null;
      const campaign = String(campaign_id);
      return recordOf('link', String(link), { affiliate: id, campaign, token, url, created_at: created_at ?? joined_at });
    });
  return [affiliate, ...ofLinks];
}

/** A referral that was moved to another promoter stays in the list, with its address marked. It has no names here, so that it claims no customer. */
function customerIn(referral: z.infer<typeof Referral>): SourceRecord {
  const { email, uid, state, is_expired, customer_since, created_at, promoter_campaign: membership } = referral;
  const isLost = state === 'moved' || state === 'denied' || (is_expired === true && !customer_since);
  const names = [referral.first_name, referral.last_name].filter(Boolean).join(' ');
  return recordOf('customer', String(referral.id), {
    affiliate: membership ? String(membership.promoter_id) : '-',
    campaign: membership && String(membership.campaign_id),
    ...customerIds(isLost ? null : uid),
    email: isLost ? null : email?.replace(/ \(moved\)$/, '') || null,
    name: names || null,
    created_at,
    converted_at: customer_since || null,
  });
}

const STATE_OF_COMMISSION: ReadonlyMap<string, string> = new Map([
  ['approved', 'due'],
  ['denied', 'voided'],
]);

/** Returns the record of a commission. Its sale has the amount and the currency of the payment, if FirstPromoter states both. */
function commissionIn(commission: z.infer<typeof Commission>, currency: string | null): SourceRecord {
  const { status, is_paid, unit, fraud_check, amount, created_at, status_updated_at, referral, event_id } = commission;
  const { campaign_id, promoter_id, campaign, promoter } = commission.promoter_campaign;
  const own = { amount: commission.original_sale_amount, currency: commission.original_sale_currency || null };
  const sale = own.amount != null && own.currency !== null ? own : { amount: commission.sale_amount, currency };
  const idOf = (value: number | null | undefined) => (value == null ? null : String(value));
  return recordOf('commission', String(commission.id), {
    affiliate: idOf(promoter_id ?? promoter?.id),
    campaign: idOf(campaign_id ?? campaign?.id),
    customer: idOf(referral?.id),
    state: is_paid === true ? 'paid' : (STATE_OF_COMMISSION.get(status) ?? status),
    is_money: (unit ?? 'cash') === 'cash',
    flagged: fraud_check != null && fraud_check !== 'no_suspicion',
    amount_cents: amount,
    paid_at: is_paid === true ? status_updated_at : null,
    voided_at: status === 'denied' ? status_updated_at : null,
    sale:
      commission.commission_type === 'custom' || sale.amount == null || sale.currency === null
        ? null
        : saleOf(paymentNames(event_id), sale.amount, sale.currency, created_at),
    created_at,
  });
}

/** A code belongs to the promoter whose link of a campaign it is named with. Without an id at the payment provider, it is known by its text. */
function codeIn({ id: own, code, ext_id, promoter_campaign_id, archived_at }: z.infer<typeof PromoCode>): SourceRecord {
  const data = { affiliate: null, link: String(promoter_campaign_id), code, psp_promotion_code_id: ext_id || null };
  return recordOf('code', String(own), { ...data, is_active: !archived_at });
}

const STATE_OF_PAYOUT: ReadonlyMap<string, string> = new Map([
  ['completed', 'paid'],
  ['processing', 'processing'],
]);

/** Payouts of points and the like have no commissions here. */
function payoutIn(payout: z.infer<typeof Payout>): SourceRecord[] {
  const { status, unit, amount, paid_at, created_at, promoter, commissions } = payout;
  if ((unit ?? 'cash') !== 'cash') return [];
  const data = {
    affiliate: String(promoter.id),
    state: STATE_OF_PAYOUT.get(status) ?? 'open',
    amount_cents: amount,
    paid_at,
    commissions: commissions.map(String),
    created_at,
  };
  return [recordOf('payout', String(payout.id), data)];
}

/** Returns the address of a link without the parameter that has the token. */
function withoutToken(text: string, token: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  for (const name of new Set(url.searchParams.keys())) url.searchParams.delete(name, token);
  return url.href;
}
