import { deepEqual } from 'node:assert/strict';

/** A record as the service sends it. */
export type Row = Record<string, unknown> & { id: string };

interface List {
  data: Row[];
  pagination: { next_cursor: string | null };
}

/** Kinds of records that both mirrors hold, with the path of the list. */
const MIRRORED = {
  affiliate: '/api/v1/affiliates',
  referral: '/api/v1/referrals',
  customer: '/api/v1/customers',
  sale: '/api/v1/sales',
  commission: '/api/v1/commissions',
  payout: '/api/v1/payouts',
} as const;
type Kind = keyof typeof MIRRORED;
const KINDS = Object.keys(MIRRORED) as Kind[];

/** Roots that the contracts describe. The shop knows no others. */
const ROOTS = /^\/(?:api\/v1|api\/settings\/v1|track|t)\//;

/** A shop that knows the address of the service, an API key and the two contracts, and nothing else of the service. */
export class Shop {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  /** Number of requests that the shop has sent. */
  requests = 0;

  constructor({ url, accountId, key }: { url: string; accountId: string; key: string }) {
    this.#url = url;
    this.#headers = { Authorization: `Bearer ${key}`, 'X-Account-Id': accountId };
  }

  async send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    if (!ROOTS.test(path)) throw new Error(`${path} is in neither contract.`);
    this.requests += 1;
    return fetch(`${this.#url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...this.#headers, ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request that must succeed, and returns its body. */
  async call<Body = Row>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Body> {
    const response = await this.send(method, path, body, headers);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as Body;
  }

  get = <Body = Row>(path: string): Promise<Body> => this.call<Body>('GET', path);
  post = <Body = Row>(path: string, body: object = {}, headers?: Record<string, string>): Promise<Body> =>
    this.call<Body>('POST', path, body, headers);

  /** Reads a list from its start to its end, by cursor. */
  async *all(path: string, query: Record<string, string> = {}): AsyncGenerator<Row> {
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = new URLSearchParams({
        limit: '3',
        include_total: 'false',
        ...query,
        ...(cursor && { starting_after: cursor }),
      });
      const { data, pagination }: List = await this.get<List>(`${path}?${page.toString()}`);
      yield* data;
      cursor = pagination.next_cursor;
    }
  }
}

type Mirror = Record<Kind, Map<string, Row>>;

const empty = (): Mirror => Object.fromEntries(KINDS.map((kind) => [kind, new Map<string, Row>()])) as Mirror;

/** Reads all lists by cursor in the order of changes, as a program would that starts today. */
export async function mirrorByCursor(shop: Shop): Promise<Mirror> {
  const mirror = empty();
  for (const kind of KINDS)
    for await (const row of shop.all(MIRRORED[kind], { sort: 'updated_at' })) mirror[kind].set(row.id, row);
  for await (const row of shop.all(MIRRORED.affiliate, { sort: 'updated_at', archived: 'true' }))
    mirror.affiliate.set(row.id, row);
  return mirror;
}

/** An event as the service sends it. */
export interface ShopEvent {
  id: string;
  type: string;
  sequence: number;
  data: Row;
}

/** Returns the records as a program knows them that only gets events. Events may come in any order and more than once. */
export function mirrorByEvents(events: readonly ShopEvent[]): Mirror {
  const mirror = empty();
  const inOrder = [...new Map(events.map((event) => [event.sequence, event])).values()].toSorted(
    (a, b) => a.sequence - b.sequence,
  );
  for (const { type, data } of inOrder) {
    const [kind = '', what] = type.split('.');
    if (!KINDS.includes(kind as Kind)) continue;
    const records = mirror[kind as Kind];
    if (what === 'merged') records.delete(data.id);
    else records.set(data.id, data);
    if (type !== 'payout.paid') continue;
    // A paid payout also tells of the payment of its commissions (docs/webhooks.md).
    for (const id of data['commission_ids'] as string[]) {
      const commission = mirror.commission.get(id)!;
      if (commission['state'] !== 'voided')
        Object.assign(commission, { state: 'paid', paid_at: data['paid_at'], updated_at: data['updated_at'] });
    }
  }
  return mirror;
}

/** Fails unless both mirrors have the same records, with the same values in every field that events have. */
export function assertSame(byEvents: Mirror, byCursor: Mirror): void {
  for (const kind of KINDS) {
    deepEqual([...byEvents[kind].keys()].toSorted(), [...byCursor[kind].keys()].toSorted(), kind);
    for (const [id, listed] of byCursor[kind]) {
      const told = byEvents[kind].get(id)!;
      const fields = Object.keys(told).filter((field) => field in listed);
      const shown = (row: Row) => Object.fromEntries(fields.map((field) => [field, row[field]]));
      deepEqual(shown(told), shown(listed), `${kind} ${id}`);
    }
  }
}
