/**
 * Reads a program at Dub by its REST API: lists as arrays of at most 100 elements, without a total, a secret key of the workspace as bearer token, and at
 * least 60 requests in a minute.
 */
import { z } from 'zod';
import { paymentNames } from '../../ledger/sales/wire-names.ts';
import type { ImportKind, SourceRecord } from '../port/import-kind.ts';
import { SourceFailure } from '../port/import-kind.ts';
import { readElement, readJson, recordOf, saleOf, withoutParameter } from '../port/read-answers.ts';

const MAX_PAGE = 100;

/** The lists in the order of reading: a record refers to earlier ones. */
const LISTS = ['partners', 'customers', 'commissions', 'payouts'] as const;
type List = (typeof LISTS)[number];

/** The commissions of each payout are read with it, so payouts come one by one. */
const SIZE_OF: Readonly<Record<List, number>> = { partners: MAX_PAGE, customers: MAX_PAGE, commissions: MAX_PAGE, payouts: 1 };

/** The whole list in an order that stays while it grows. */
const QUERY_OF: Readonly<Record<List, string>> = {
  partners: 'sortBy=createdAt&sortOrder=asc',
  customers: 'sortBy=createdAt&sortOrder=asc&includeExpandedFields=true',
  commissions: 'sortBy=createdAt&sortOrder=asc&interval=all',
  payouts: 'sortBy=initiatedAt&sortOrder=asc',
};

const Cursor = z.object({ list: z.enum(LISTS), page: z.int() });
const Elements = z.array(z.record(z.string(), z.unknown()));

const nullable = z.string().nullish();
const named = z.object({ id: z.string() });

const Partner = z.object({
  id: z.string(),
  name: nullable,
  email: z.string(),
  status: z.string(),
  paypalEmail: nullable,
  createdAt: nullable,
  links: z.array(z.object({ id: z.string(), key: z.string(), url: nullable })).nullish(),
});

const Customer = z.object({
  id: z.string(),
  externalId: nullable,
  stripeCustomerId: nullable,
  name: nullable,
  email: nullable,
  createdAt: nullable,
  firstSaleAt: nullable,
  link: z.object({ key: z.string() }).nullish(),
  partner: named.nullish(),
});

const Commission = z.object({
  id: z.string(),
  type: z.string(),
  amount: z.int(),
  earnings: z.int(),
  currency: z.string(),
  status: z.string(),
  invoiceId: nullable,
  createdAt: z.string(),
  updatedAt: nullable,
  paidAt: nullable,
  partner: named,
  customer: named.nullish(),
});

const Payout = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  createdAt: z.string(),
  paidAt: nullable,
  traceId: nullable,
  partner: named,
});

/** The partners, links, customers, commissions and payouts of a program at Dub. Groups, their rewards, and codes are not in the API. */
export const DUB: ImportKind = {
  // 60 requests in a minute.
  pauseMs: 1_000,

  async read({ credentials }, at, apiBase) {
    const { list, page } = at === null ? { list: LISTS[0], page: 1 } : Cursor.parse(at);
    const elements = async (path: string) => {
      const answer = await readJson(`${apiBase}/${path}`, { authorization: `Bearer ${credentials}` });
      const { success, data } = Elements.safeParse(answer);
      if (!success) throw new SourceFailure('not_understood', { detail: list });
      return data;
    };
    const found = await elements(`${list}?page=${page}&pageSize=${SIZE_OF[list]}&${QUERY_OF[list]}`);
    const following = LISTS[LISTS.indexOf(list) + 1];
    const next = found.length === SIZE_OF[list] ? { list, page: page + 1 } : following ? { list: following, page: 1 } : null;
    const complete = list === 'payouts' ? await withCommissions(found, elements) : found;
    return { records: complete.flatMap((element) => readElement(KIND_OF[list], element, RECORDS_OF[list])), next };
  },
};

type Elements = z.infer<typeof Elements>;

/** Adds the ids of its commissions to each payout. */
async function withCommissions(payouts: Elements, elements: (path: string) => Promise<Elements>): Promise<Elements> {
  const complete: Elements = [];
  for (const payout of payouts) {
    const ids = new Set<unknown>();
    for (let page = 1; ; page += 1) {
      const of = encodeURIComponent(String(payout['id']));
      const part = await elements(`commissions?payoutId=${of}&page=${page}&pageSize=${MAX_PAGE}&${QUERY_OF.commissions}`);
      if (part.length > 0 && part.every(({ id }) => ids.has(id)))
        throw new SourceFailure('goes_round', { detail: 'commissions' });
      for (const { id } of part) ids.add(id);
      if (part.length < MAX_PAGE) break;
    }
    complete.push({ ...payout, commissions: [...ids] });
  }
  return complete;
}

const KIND_OF = { partners: 'affiliate', customers: 'customer', commissions: 'commission', payouts: 'payout' } as const;

const STATE_OF: ReadonlyMap<string, string> = new Map([
  ['approved', 'active'],
  ['invited', 'pending'],
  ['declined', 'rejected'],
  ['deactivated', 'disabled'],
  ['banned', 'disabled'],
  ['archived', 'disabled'],
]);

/** `processed`: part of a payout that is not paid yet. */
const STATE_OF_COMMISSION: ReadonlyMap<string, string> = new Map([
  ['processed', 'due'],
  ['hold', 'pending'],
  ['fraud', 'pending'],
  ['refunded', 'voided'],
  ['duplicate', 'voided'],
  ['canceled', 'voided'],
]);
const FLAGGED: ReadonlySet<string> = new Set(['hold', 'fraud']);

const STATE_OF_PAYOUT: ReadonlyMap<string, string> = new Map([
  ['completed', 'paid'],
  ['sent', 'paid'],
  ['processing', 'processing'],
]);

const RECORDS_OF: Readonly<Record<List, (element: Record<string, unknown>) => SourceRecord[]>> = {
  partners(element) {
    const { id, name, email, status, paypalEmail, createdAt: created_at, links } = Partner.parse(element);
    const words = (name ?? '').trim().split(/\s+/);
    const affiliate = recordOf('affiliate', id, {
      email,
      first_name: words[0] || null,
      last_name: words.slice(1).join(' ') || null,
      state: STATE_OF.get(status) ?? status,
      payout_emails: { paypal: paypalEmail || null, wise: null },
      created_at,
    });
    const ofLinks = (links ?? []).map((link) => {
      const url = link.url ? withoutParameter(link.url, 'via') : null;
      return recordOf('link', link.id, { affiliate: id, token: link.key, url, created_at });
    });
    return [affiliate, ...ofLinks];
  },

  customers(element) {
    const { id, externalId, stripeCustomerId, name, email, createdAt, firstSaleAt, link, partner } = Customer.parse(element);
    // Customers of links that are not a partner’s belong to nobody.
    if (!partner) return [];
    const data = {
      affiliate: partner.id,
      token: link?.key,
      psp_customer_id: stripeCustomerId || null,
      external_customer_id: externalId && externalId !== stripeCustomerId ? externalId : null,
      email: email || null,
      name: name || null,
      created_at: createdAt,
      converted_at: firstSaleAt,
    };
    return [recordOf('customer', id, data)];
  },

  commissions(element) {
    const { id, type, amount, earnings, currency, status, invoiceId, createdAt, updatedAt, paidAt, partner, customer } =
      Commission.parse(element);
    const state = STATE_OF_COMMISSION.get(status) ?? status;
    const data = {
      affiliate: partner.id,
      customer: customer?.id,
      state,
      flagged: FLAGGED.has(status),
      amount_cents: earnings,
      currency,
      paid_at: state === 'paid' ? (paidAt ?? updatedAt) : null,
      voided_at: state === 'voided' ? updatedAt : null,
      sale: type === 'sale' ? saleOf(paymentNames(invoiceId), amount, currency, createdAt) : null,
      created_at: createdAt,
    };
    return [recordOf('commission', id, data)];
  },

  payouts(element) {
    const { id, amount, currency, status, createdAt, paidAt, traceId, partner } = Payout.parse(element);
    const data = {
      affiliate: partner.id,
      state: STATE_OF_PAYOUT.get(status) ?? 'open',
      amount_cents: amount,
      currency,
      paid_at: paidAt,
      reference: traceId || null,
      commissions: z.array(z.string()).parse(element['commissions']),
      created_at: createdAt,
    };
    return [recordOf('payout', id, data)];
  },
};
