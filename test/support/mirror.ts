import { deepEqual, ok } from 'node:assert/strict';
import { appRouter, createCallerFactory, EVENT_CATALOG, type EventType, type Services } from '@affiliate/core';
import { sql } from 'kysely';

const createCaller = createCallerFactory(appRouter);
type Caller = ReturnType<typeof createCaller>;
type Fields = Record<string, unknown>;
interface Row {
  id: string;
  [field: string]: unknown;
}

/** The kinds of records that events mirror completely. */
const KINDS = [
  'campaign',
  'reward_rule',
  'tier',
  'affiliate',
  'link',
  'promo_code',
  'referral',
  'customer',
  'sale',
  'commission',
  'payout',
] as const;
type Kind = (typeof KINDS)[number];

/** The records of an account as a program knows them that only reads events, in their sequence. */
class Mirror {
  readonly records = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as Record<Kind, Map<string, Row>>;

  apply({ type, data }: { type: EventType; data: Record<string, unknown> }): void {
    const kind = type.split('.')[0] as Kind;
    if (!KINDS.includes(kind)) return;
    const record = data as Row;
    if (type === 'customer.merged' || type === 'payout.merged') {
      this.records[kind].delete(record.id);
      return;
    }
    this.records[kind].set(record.id, record);
  }
}

/**
 * Fails unless a mirror that is fed by the events of an account alone equals the lists of the account. Reads in pages, and compares one record at a
 * time, because the report of a difference between long lists takes gigabytes.
 */
export async function assertMirrored(services: Services, accountId: string): Promise<void> {
  const api = callerOf(services, accountId);
  const { records } = await mirrorOf(api);
  const now = services.clock.now().toISOString();
  for (const payout of records.payout.values()) endHold(payout, records.affiliate.get(String(payout['affiliate_id'])), now);
  const lists = listsOf(api);
  const listed = await kindsWithRows(services, accountId);
  for (const kind of KINDS) {
    const fields = Object.keys(EVENT_CATALOG[`${kind}.updated`].shape).filter((field) => !field.startsWith('sale_customer_'));
    const shown = (row: Row) => Object.fromEntries(fields.map((field) => [field, row[field]]));
    const unlisted = new Map(records[kind]);
    for (const list of listed.has(kind) ? lists[kind] : [])
      for await (const row of rowsOf((page) => list({ ...page, include_total: false }))) {
        const mirrored = unlisted.get(row.id);
        ok(mirrored, `${accountId}: no event told of ${kind} ${row.id}, or it is listed twice`);
        deepEqual(shown(mirrored), shown(row), `${kind} ${row.id} of ${accountId}`);
        unlisted.delete(row.id);
      }
    for (const row of unlisted.values())
      ok(kind === 'referral' && isPurgeable(row), `${accountId}: ${kind} ${row.id}, of which events told, is not listed`);
  }
}

/** The records of an account as a program knows them that reads only what has changed since its last look, by cursor. */
export class CursorMirror {
  readonly #records = new Map<string, Row>();
  readonly #accountId: string;
  readonly #services: Services;
  #since = '2000-01-01T00:00:00.000Z';

  constructor(services: Services, accountId: string) {
    this.#services = services;
    this.#accountId = accountId;
  }

  /** Reads the changes since the last call, as docs/mirroring.md says. */
  async copy(): Promise<void> {
    const next = new Date(this.#services.clock.now().getTime() - 60_000).toISOString();
    const changed = { sort: 'updated_at', updated_since: this.#since, include_total: false };
    for (const list of Object.values(listsOf(callerOf(this.#services, this.#accountId))).flat())
      for await (const row of rowsByCursor((page) => list({ ...changed, ...page }))) this.#records.set(row.id, row);
    this.#since = next;
  }

  /** Fails unless every listed record is in the mirror as it is listed. Returns their number. Records that were merged stay in the mirror. */
  async assertEqual(): Promise<number> {
    let listed = 0;
    for (const list of Object.values(listsOf(callerOf(this.#services, this.#accountId))).flat())
      for await (const row of rowsOf(list)) {
        const mirrored = this.#records.get(row.id);
        ok(mirrored, `${row.id} of ${this.#accountId} was not read by cursor`);
        deepEqual(ownFields(mirrored), ownFields(row), `${row.id} of ${this.#accountId}, by cursor`);
        listed += 1;
      }
    return listed;
  }
}

/** Fields that follow from other records and from the clock: whether an open payout can be paid, and the payout of a commission after a merge. */
const COMPUTED = ['eligible', 'ineligible_reasons', 'payout_id'];

/** Returns a row without what `updated_at` does not tell of (docs/mirroring.md): the records in it, and whether a payout can be paid now. */
function ownFields(row: Row): Fields {
  const isOwn = ([name, value]: [string, unknown]) =>
    !COMPUTED.includes(name) && !(typeof value === 'object' && value !== null && 'id' in value);
  const own = Object.fromEntries(Object.entries(row).filter(isOwn));
  return 'eligible' in row && row['state'] === 'due' ? { ...own, state: 'pending' } : own;
}

function callerOf(services: Services, accountId: string): Caller {
  return createCaller({
    services,
    requestId: 'mirror',
    principal: { kind: 'system', account_id: accountId },
    surface: 'v1',
    reply: {},
  });
}

function listsOf(api: Caller): Record<Kind, List[]> {
  return {
    campaign: [(page) => api.campaigns.list(page), (page) => api.campaigns.list({ ...page, archived: true })],
    reward_rule: [(page) => api.rewardRules.list(page), (page) => api.rewardRules.list({ ...page, ended: true })],
    tier: [(page) => api.tiers.list(page), (page) => api.tiers.list({ ...page, ended: true })],
    link: [(page) => api.links.list(page), (page) => api.links.list({ ...page, archived: true })],
    promo_code: [(page) => api.promoCodes.listAll(page)],
    affiliate: [(page) => api.affiliates.list(page), (page) => api.affiliates.list({ ...page, archived: true })],
    referral: [(page) => api.referrals.list(page)],
    customer: [(page) => api.customers.list(page)],
    sale: [(page) => api.sales.list(page)],
    commission: [(page) => api.commissions.list(page)],
    payout: [(page) => api.payouts.list(page)],
  };
}

/** Visitors who never came back are deleted without an event (docs/rules/platform.md#retention). */
function isPurgeable({ conversion_state }: Row): boolean {
  return conversion_state === 'visitor';
}

/** A hold of payouts ends by itself, at the time that the affiliate shows. */
function endHold(payout: Row, affiliate: Row | undefined, now: string): void {
  const reasons = payout['ineligible_reasons'] as string[];
  const until = affiliate?.['payouts_held_until'] as string | null | undefined;
  if (!reasons.includes('details_changed') || (until != null && until > now)) return;
  const left = reasons.filter((reason) => reason !== 'details_changed');
  Object.assign(payout, { ineligible_reasons: left }, left.length === 0 && { eligible: true, state: 'due' });
}

async function mirrorOf(api: Caller): Promise<Mirror> {
  const mirror = new Mirror();
  const limit = 100;
  for (let after_sequence = 0; ;) {
    const { data } = await api.events.list({ after_sequence, limit });
    for (const event of data) mirror.apply(event);
    if (data.length < limit) return mirror;
    after_sequence = data.at(-1)!.sequence;
  }
}

/** Kinds of which an account has rows. Lists of the others are empty, and would take most of the time. */
async function kindsWithRows({ database }: Services, accountId: string): Promise<Set<Kind>> {
  const found = KINDS.map(
    (kind) => sql`select ${sql.lit(kind)} as kind where exists (select from ${sql.table(kind)} where account_id = ${accountId})`,
  );
  const { rows } = await sql<{ kind: Kind }>`${sql.join(found, sql` union all `)}`.execute(database.kysely);
  return new Set(rows.map(({ kind }) => kind));
}

type List = (page: {
  include_total?: boolean;
  page?: number;
  starting_after?: string;
  limit: number;
}) => Promise<{ data: object[]; pagination?: { next_page: number | null; next_cursor: string | null } | undefined }>;

async function* rowsByCursor(list: List): AsyncGenerator<Row> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, pagination } = await list({ ...(cursor === '' ? {} : { starting_after: cursor }), limit: 100 });
    yield* data as Row[];
    cursor = pagination?.next_cursor ?? null;
  }
}

async function* rowsOf(list: List): AsyncGenerator<Row> {
  for (let page: number | null = 1; page !== null;) {
    const { data, pagination } = await list({ page, limit: 100 });
    yield* data as Row[];
    page = pagination?.next_page ?? null;
  }
}
