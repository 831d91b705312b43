/**
 * Reads a program at Tolt by version 1 of its REST API: lists with `limit` up to 100 and `starting_after`, 25 requests in a second, an API key as bearer
 * token, and the id of the program in every request.
 */
import { z } from 'zod';
import { paymentNames } from '../../ledger/sales/wire-names.ts';
import type { ImportKind, SourceRecord } from '../port/import-kind.ts';
import { SourceFailure } from '../port/import-kind.ts';
import { customerIds, partsOfKey, readElement, readJson, recordOf, saleOf } from '../port/read-answers.ts';

const LIMIT = 100;

/** The lists in the order of reading: a record refers to earlier ones. */
const LISTS = ['partners', 'links', 'promotion-codes', 'customers', 'commissions'] as const;

/** The objects that the elements of a list contain only on request. */
const EXPANDED: Readonly<Record<(typeof LISTS)[number], readonly string[]>> = {
  partners: ['group'],
  links: [],
  'promotion-codes': [],
  customers: [],
  commissions: ['partner', 'program'],
};

const Cursor = z.object({ list: z.enum(LISTS), after: z.string().nullable() });

const elements = z.array(z.record(z.string(), z.unknown()));
const Page = z.object({
  has_more: z.boolean().nullish(),
  total_count: z.int().nullish(),
  /** Customers are one level deeper than the others. */
  data: z.union([elements, z.object({ data: elements }).transform(({ data }) => data)]),
});

const nullable = z.string().nullish();

const Partner = z.object({
  id: z.string(),
  email: z.string(),
  first_name: nullable,
  last_name: nullable,
  status: nullable,
  payout_method: nullable,
  payout_details: z.object({ email: nullable }).nullish().catch(null),
  group: z.object({ id: z.string(), name: z.string(), created_at: nullable }).nullish(),
  created_at: nullable,
});

const Link = z.object({ id: z.string(), value: z.string(), partner_id: z.string(), created_at: nullable });

const PromotionCode = z.object({ id: z.string(), code: z.string(), partner_id: nullable, created_at: nullable });

const Customer = z.object({
  id: z.string(),
  partner_id: nullable,
  customer_id: nullable,
  email: nullable,
  name: nullable,
  status: nullable,
  active_at: nullable,
  created_at: nullable,
});

/** Amounts are cents, as numbers or as texts. */
const amount = z.union([z.int(), z.stringFormat('cents', /^-?\d{1,12}$/).transform(Number)]);

const Commission = z.object({
  id: z.string(),
  amount,
  revenue: amount.nullish(),
  status: z.string(),
  currency: nullable,
  partner_id: nullable,
  partner: z.object({ id: z.string() }).nullish(),
  program: z.object({ currency_code: nullable }).nullish(),
  customer_id: nullable,
  charge_id: nullable,
  scheduled_approval_date: nullable,
  created_at: z.string(),
  updated_at: nullable,
});

/** The groups, partners, links, codes, customers and commissions of a program at Tolt. Payouts are not in the API. */
export const TOLT: ImportKind = {
  // 25 requests in a second.
  pauseMs: 100,

  async read({ credentials }, at, apiBase) {
    const { list, after } = at === null ? { list: LISTS[0], after: null } : Cursor.parse(at);
    const [key, program] = partsOfKey(credentials);
    const query = new URLSearchParams({ program_id: program, order: 'asc', limit: String(LIMIT) });
    for (const name of EXPANDED[list]) query.append('expand[]', name);
    if (after !== null) query.append('starting_after', after);
    const url = `${apiBase}/${list}?${query.toString()}`;
    const { success, data: page } = Page.safeParse(await readJson(url, { authorization: `Bearer ${key}` }));
    const last = page?.data.at(-1)?.['id'];
    if (!success || (page.has_more && typeof last !== 'string')) throw new SourceFailure('not_understood', { detail: list });
    const following = LISTS[LISTS.indexOf(list) + 1];
    return {
      records: page.data.flatMap((element) => readElement(KIND_OF[list], element, RECORDS_OF[list])),
      next: page.has_more ? { list, after: last } : following ? { list: following, after: null } : null,
      ...(after === null && typeof page.total_count === 'number' && { expected: page.total_count }),
    };
  },
};

const KIND_OF = {
  partners: 'affiliate',
  links: 'link',
  'promotion-codes': 'code',
  customers: 'customer',
  commissions: 'commission',
} as const;

const STATE_OF: Readonly<Record<string, string>> = {
  approved: 'active',
  suspended: 'disabled',
  declined: 'rejected',
};

const STATE_OF_COMMISSION: ReadonlyMap<string, string> = new Map([
  ['approved', 'due'],
  ['rejected', 'voided'],
  ['refunded', 'voided'],
]);

const RECORDS_OF: Readonly<Record<(typeof LISTS)[number], (element: Record<string, unknown>) => SourceRecord[]>> = {
  partners(element) {
    const { group, status, payout_method, payout_details, ...partner } = Partner.parse(element);
    const emailOf = (method: string) => (payout_method === method && payout_details?.email) || null;
    const affiliate = recordOf('affiliate', partner.id, {
      email: partner.email,
      first_name: partner.first_name || null,
      last_name: partner.last_name || null,
      state: STATE_OF[status ?? 'approved'] ?? status,
      campaign: group?.id,
      payout_emails: { paypal: emailOf('paypal'), wise: emailOf('wise') },
      created_at: partner.created_at,
    });
    if (!group) return [affiliate];
    // The API does not tell the commission of a group.
    const { id, name, created_at = null } = group;
    const campaign = { external_id: id, name, url: null, reward_type: null, created_at };
    return [{ kind: 'campaign', id, data: campaign }, affiliate];
  },

  links(element) {
    const { id, value: token, partner_id: affiliate, created_at } = Link.parse(element);
    return [recordOf('link', id, { affiliate, token, created_at })];
  },

  'promotion-codes'(element) {
    const { id, code, partner_id, created_at } = PromotionCode.parse(element);
    // The API does not tell the id of the code at the payment provider.
    return [recordOf('code', id, { affiliate: partner_id || '-', code, created_at })];
  },

  customers(element) {
    const { id, partner_id, customer_id, email, name, status, active_at, created_at } = Customer.parse(element);
    // The address may be any text by which the merchant identifies the customer.
    const address = email?.includes('@') ? email : null;
    const data = {
      affiliate: partner_id ?? '-',
      ...customerIds(customer_id || (address === null ? email : null)),
      email: address,
      name: name?.startsWith('cus_') ? null : name || null,
      created_at,
      converted_at: active_at || (status === 'active' ? created_at : null) || null,
    };
    return [recordOf('customer', id, data)];
  },

  commissions(element) {
    const { id, revenue, status, created_at, updated_at, ...commission } = Commission.parse(element);
    const state = STATE_OF_COMMISSION.get(status) ?? status;
    const currency = commission.currency || commission.program?.currency_code || null;
    const data = {
      affiliate: commission.partner_id ?? commission.partner?.id,
      customer: commission.customer_id,
      state,
      amount_cents: commission.amount,
      currency,
      due_at: state === 'pending' ? commission.scheduled_approval_date || null : null,
      paid_at: state === 'paid' ? updated_at : null,
      voided_at: state === 'voided' ? updated_at : null,
      sale:
        revenue == null || currency === null ? null : saleOf(paymentNames(commission.charge_id), revenue, currency, created_at),
      created_at,
    };
    return [recordOf('commission', id, data)];
  },
};
