/**
 * Reads a program at PartnerStack by version 2 of its REST API: lists with `limit` and `starting_after`, a public and a secret key as basic credentials, and
 * times in milliseconds. The links of a partner are a list of their own.
 */
import { z } from 'zod';
import type { ImportKind, SourceRecord } from '../port/import-kind.ts';
import { SourceFailure } from '../port/import-kind.ts';
import { customerIds, partsOfKey, readElement, readJson, recordOf, saleOf } from '../port/read-answers.ts';

const LIMIT = 100;

/** The lists in the order of reading: a record refers to earlier ones. Scheduled rewards are in a list of their own. */
const LISTS = ['groups', 'partnerships', 'customers', 'rewards', 'scheduled'] as const;
type List = (typeof LISTS)[number];

const PATH_OF: Readonly<Record<List, string>> = {
  groups: 'groups?',
  partnerships: 'partnerships?include_archived=true&',
  customers: 'customers?',
  rewards: 'rewards?',
  scheduled: 'rewards?status=scheduled&',
};

const Cursor = z.object({
  /** Keys of the partnerships on the last page whose links are read first. */
  linksOf: z.array(z.string()),
  /** The page that is read when there are none. */
  list: z.enum(LISTS),
  after: z.string().nullable(),
});

const Page = z.object({
  data: z.object({ has_more: z.boolean().nullish(), items: z.array(z.record(z.string(), z.unknown())) }),
});

const nullable = z.string().nullish();
/** Milliseconds since 1970. */
const moment = z
  .int()
  .min(0)
  .max(8.64e15)
  .transform((at) => new Date(at).toISOString());
const time = moment.nullish().transform((at) => at ?? null);

const Group = z.object({ key: z.string(), slug: z.string(), name: z.string(), created_at: time });

const Partnership = z.object({
  key: z.string(),
  email: z.string(),
  first_name: nullable,
  last_name: nullable,
  approved_status: nullable,
  is_archived: z.boolean().nullish(),
  group: z.object({ slug: z.string() }).nullish(),
  created_at: time,
});

const Link = z.object({ key: z.string(), url: z.string(), dest: nullable, created_at: time });

const Customer = z.object({
  key: z.string(),
  partnership_key: nullable,
  provider_key: nullable,
  customer_key: nullable,
  email: nullable,
  name: nullable,
  test: z.boolean().nullish(),
  created_at: time,
});

const Reward = z.object({
  key: z.string(),
  amount: z.int(),
  currency: z.string(),
  reward_status: z.string(),
  partnership: z.object({ key: nullable, email: nullable }),
  customer: z.object({ key: nullable, external_key: nullable, email: nullable }).nullish(),
  transaction: z.object({ amount: z.int(), currency: z.string() }).nullish(),
  created_at: moment,
  updated_at: time,
});

/** The groups, partners, links, customers and rewards of a program at PartnerStack. What partners earn, codes, and payouts are not in the API. */
export const PARTNER_STACK: ImportKind = {
  // PartnerStack enforces a limit and does not publish it.
  pauseMs: 200,

  async read({ credentials }, at, apiBase) {
    const cursor = at === null ? { linksOf: [], list: LISTS[0], after: null } : Cursor.parse(at);
    const authorization = `Basic ${Buffer.from(partsOfKey(credentials).join(':')).toString('base64')}`;
    const get = (path: string) => readJson(`${apiBase}/${path}`, { authorization });
    const [partner, ...linksOf] = cursor.linksOf;
    if (partner !== undefined) {
      const { items } = pageIn(await get(`links/partnership/${encodeURIComponent(partner)}`).catch(withoutLinks), 'links');
      const records = items.flatMap((element) => readElement('link', element, () => [linkIn(Link.parse(element), partner)]));
      return { records, next: { ...cursor, linksOf } };
    }
    const { list, after } = cursor;
    const from = after === null ? '' : `&starting_after=${encodeURIComponent(after)}`;
    const { items, has_more } = pageIn(await get(`${PATH_OF[list]}limit=${LIMIT}${from}`), list);
    const last = items.at(-1)?.['key'];
    if (has_more && typeof last !== 'string') throw new SourceFailure('not_understood', { detail: list });
    const following = LISTS[LISTS.indexOf(list) + 1];
    const next = has_more ? { list, after: last } : following ? { list: following, after: null } : null;
    const keys = items.flatMap(({ key }) => (list === 'partnerships' && typeof key === 'string' ? [key] : []));
    return {
      records: items.flatMap((element) => readElement(KIND_OF[list], element, RECORDS_OF[list])),
      next: next && { ...next, linksOf: keys },
    };
  },
};

function pageIn(answer: object, list: string): z.infer<typeof Page>['data'] {
  const { success, data } = Page.safeParse(answer);
  if (!success) throw new SourceFailure('not_understood', { detail: list });
  return data.data;
}

/** A partner who was deleted meanwhile, or who has no links, is answered with an error. */
function withoutLinks(error: unknown): object {
  if (error instanceof SourceFailure && error.failure === 'not_understood' && error.retryAfter === null)
    return { data: { items: [] } };
  throw error;
}

const KIND_OF = {
  groups: 'campaign',
  partnerships: 'affiliate',
  customers: 'customer',
  rewards: 'commission',
  scheduled: 'commission',
} as const;

const STATE_OF: ReadonlyMap<string, string> = new Map([
  ['approved', 'active'],
  ['declined', 'rejected'],
]);

/** Rewards on hold wait for a person. */
const STATE_OF_REWARD: ReadonlyMap<string, string> = new Map([
  ['hold', 'pending'],
  ['scheduled', 'pending'],
  ['approved', 'due'],
  ['declined', 'voided'],
]);

const RECORDS_OF: Readonly<Record<List, (element: Record<string, unknown>) => SourceRecord[]>> = {
  groups(element) {
    const { key, slug, name, created_at } = Group.parse(element);
    // Partners name their group by its slug. What they earn is not in the API.
    return [{ kind: 'campaign', id: slug, data: { external_id: key, name, url: null, reward_type: null, created_at } }];
  },

  partnerships(element) {
    const { key, email, first_name, last_name, approved_status, is_archived, group, created_at } = Partnership.parse(element);
    const status = approved_status || 'approved';
    const data = {
      email,
      first_name: first_name || null,
      last_name: last_name || null,
      state: is_archived ? 'disabled' : (STATE_OF.get(status) ?? status),
      campaign: group?.slug,
      created_at,
    };
    return [recordOf('affiliate', key, data)];
  },

  customers(element) {
    const { key, partnership_key, provider_key, customer_key, email, name, test, created_at } = Customer.parse(element);
    const { psp_customer_id, external_customer_id } = customerIds(provider_key);
    const own = customerIds(customer_key);
    const names = {
      psp_customer_id: psp_customer_id ?? own.psp_customer_id,
      external_customer_id: own.external_customer_id ?? external_customer_id,
      email: email || null,
    };
    const data = {
      affiliate: partnership_key || '-',
      // Nobody earns by a test.
      ...(!test && names),
      name: name?.startsWith('cus_') ? null : name || null,
      created_at,
    };
    return [recordOf('customer', key, data)];
  },

  rewards: rewardIn,
  scheduled: rewardIn,
};

function linkIn({ key, url, dest, created_at }: z.infer<typeof Link>, affiliate: string): SourceRecord {
  const token = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  return recordOf('link', key, { affiliate, token, url: dest || null, created_at });
}

function rewardIn(element: Record<string, unknown>): SourceRecord[] {
  const { key, amount, currency, reward_status, created_at, updated_at, ...reward } = Reward.parse(element);
  const { partnership, customer, transaction } = reward;
  const state = STATE_OF_REWARD.get(reward_status) ?? reward_status;
  const data = {
    affiliate: partnership.key || partnership.email || null,
    customer: customer?.key || customer?.external_key || customer?.email || null,
    state,
    flagged: reward_status === 'hold',
    amount_cents: amount,
    currency,
    paid_at: state === 'paid' ? updated_at : null,
    voided_at: state === 'voided' ? updated_at : null,
    // A transaction does not name the payment at the provider.
    sale: transaction && saleOf({ names: [], name_of_group: null }, transaction.amount, transaction.currency, created_at),
    created_at,
  };
  return [recordOf('commission', key, data)];
}
