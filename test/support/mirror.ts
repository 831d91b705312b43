import { deepEqual } from 'node:assert/strict';
import { appRouter, createCallerFactory, EVENT_CATALOG, type EventType, type Services } from '@affiliate/core';

const createCaller = createCallerFactory(appRouter);
type Caller = ReturnType<typeof createCaller>;
type Event = Awaited<ReturnType<Caller['events']['list']>>['data'][number];
interface Row {
  id: string;
  [field: string]: unknown;
}

/** The kinds of records that events mirror completely. */
const KINDS = ['affiliate', 'referral', 'customer', 'sale', 'commission', 'payout'] as const;
type Kind = (typeof KINDS)[number];

/** The records of an account as a program knows them that only reads events, in their sequence. */
export class Mirror {
  readonly records: Record<Kind, Map<string, Row>> = {
    affiliate: new Map(),
    referral: new Map(),
    customer: new Map(),
    sale: new Map(),
    commission: new Map(),
    payout: new Map(),
  };

  apply({ type, data }: { type: EventType; data: Record<string, unknown> }): void {
    const kind = type.split('.')[0] as Kind;
    if (!KINDS.includes(kind)) return;
    const record = data as Row;
    if (type === 'customer.merged' || type === 'payout.merged') {
      this.records[kind].delete(record.id);
      return;
    }
    this.records[kind].set(record.id, record);
    if (type === 'payout.paid') this.#pay(record);
  }

  /** `payout.paid` also tells of the payment of all its commissions (docs/webhooks.md). */
  #pay({ commission_ids, paid_at, updated_at }: Row): void {
    for (const id of commission_ids as string[]) {
      const commission = this.records.commission.get(id)!;
      if (commission['state'] !== 'voided') Object.assign(commission, { state: 'paid', paid_at, updated_at });
    }
  }
}

/** Fails unless a mirror that is fed by the events of an account alone equals the lists of the account. */
export async function assertMirrored(services: Services, accountId: string): Promise<void> {
  const api = createCaller({
    services,
    requestId: 'mirror',
    principal: { kind: 'system', account_id: accountId },
    surface: 'v1',
    reply: {},
  });
  const mirror = new Mirror();
  for (const event of await eventsOf(api)) mirror.apply({ type: event.type, data: event.data });
  const listed: Record<Kind, Row[]> = {
    affiliate: [
      ...(await all((page) => api.affiliates.list(page))),
      ...(await all((page) => api.affiliates.list({ ...page, archived: true }))),
    ],
    referral: await all((page) => api.referrals.list(page)),
    customer: await all((page) => api.customers.list(page)),
    sale: await all((page) => api.sales.list(page)),
    commission: await all((page) => api.commissions.list(page)),
    payout: await all((page) => api.payouts.list(page)),
  };
  const now = services.clock.now().toISOString();
  for (const kind of KINDS) {
    const shown = Object.keys(EVENT_CATALOG[KIND_EVENTS[kind]].shape).filter((field) => !field.startsWith('sale_customer_'));
    const of = (rows: Iterable<Row>) =>
      [...rows]
        .map((row) => Object.fromEntries(shown.map((field) => [field, row[field]])))
        .toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
    const mirrored = [...mirror.records[kind].values()].filter((row) => kind !== 'referral' || !isPurged(row, listed.referral));
    if (kind === 'payout')
      for (const payout of mirrored) endHold(payout, mirror.records.affiliate.get(String(payout['affiliate_id'])), now);
    deepEqual(of(mirrored), of(listed[kind]), `${kind}s of ${accountId}`);
  }
}

const KIND_EVENTS = {
  affiliate: 'affiliate.updated',
  referral: 'referral.updated',
  customer: 'customer.updated',
  sale: 'sale.updated',
  commission: 'commission.updated',
  payout: 'payout.updated',
} as const satisfies Record<Kind, EventType>;

/** Visitors who never came back are deleted without an event (docs/rules/platform.md#retention). */
function isPurged({ id, conversion_state }: Row, listed: readonly Row[]): boolean {
  return conversion_state === 'visitor' && !listed.some((row) => row.id === id);
}

/** A hold of payouts ends by itself, at the time that the affiliate shows. */
function endHold(payout: Row, affiliate: Row | undefined, now: string): void {
  const reasons = payout['ineligible_reasons'] as string[];
  const until = affiliate?.['payouts_held_until'] as string | null | undefined;
  if (!reasons.includes('details_changed') || (until != null && until > now)) return;
  const left = reasons.filter((reason) => reason !== 'details_changed');
  Object.assign(payout, { ineligible_reasons: left }, left.length === 0 && { eligible: true, state: 'due' });
}

async function eventsOf(api: Caller): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const { data } = await api.events.list({ after_sequence: events.at(-1)?.sequence ?? 0, limit: 100 });
    if (data.length === 0) return events;
    events.push(...data);
  }
}

async function all(
  list: (page: {
    page: number;
    limit: number;
  }) => Promise<{ data: object[]; pagination?: { next_page: number | null } | undefined }>,
) {
  const rows: Row[] = [];
  for (let page: number | null = 1; page !== null;) {
    const { data, pagination } = await list({ page, limit: 100 });
    rows.push(...(data as Row[]));
    page = pagination?.next_page ?? null;
  }
  return rows;
}
