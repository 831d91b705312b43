import type { Client } from 'pg';
import type { Request } from './load.ts';

/** A kind of work that is measured, with its request to each server. */
export interface Row {
  key: string;
  name: string;
  service: () => Request;
  /** Request to the limit server. */
  limit: () => Request;
  isWrite?: true;
  /** Fields of the service's reply that the limit server leaves out on purpose. */
  limitOmits?: string[];
  connections?: number;
}

/** Identifies the client as a browser. Otherwise the service would take the clicks for those of a bot and not count them. */
const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

/** Returns the rows of the table. Writes use all affiliates in turn, so that they rarely wait for each other's locks. */
export async function rowsOf(
  client: Client,
  { account_id, api_key, commissions }: { account_id: string; api_key: string; commissions: number },
): Promise<Row[]> {
  const headers = { 'x-api-key': api_key, 'x-account-id': account_id };
  const ids = async (sql: string) => (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id);
  const read = await ids('select id from commission order by random() limit 1000');
  const referrals = await ids('select id from referral where customer_id is null order by random() limit 10000');
  const tokens = await ids('select token as id from link order by random() limit 10000');
  const [since] = await ids(
    `select wire_time(updated_at) as id from commission where state = 'paid' order by updated_at desc offset ${commissions / 10 - 1} limit 1`,
  );
  let created = 0;
  const get = (path: string) => () => ({ method: 'GET', path, headers }) as const;
  const post = (path: string, body: () => object) => () =>
    ({
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body()),
    }) as const;
  const both = (request: () => Request) => ({ service: request, limit: request });
  const list = `/api/v1/commissions?state=paid&updated_since=${since}`;
  return [
    { key: 'read', name: 'read one commission, expanded', ...both(eachOf(read, (id) => get(`/api/v1/commissions/${id}`)())) },
    { key: 'list', name: 'list 25 by state and `updated_since`', ...both(get(list)) },
    {
      key: 'list-uncounted',
      name: 'the same, limit without count',
      service: get(list),
      limit: get(`${list}&count=false`),
      limitOmits: ['pagination'],
    },
    {
      key: 'list-expanded',
      name: 'list 25 with `expand=campaign,sale`, limit without count',
      ...both(get(`${list}&expand=campaign,sale`)),
      limitOmits: ['pagination'],
    },
    {
      key: 'create',
      name: 'create affiliate (two events)',
      ...both(
        post('/api/v1/affiliates', () => ({ email: `bench-${(created += 1)}@new.example.com`, campaign_id: 'camp_bench' })),
      ),
      isWrite: true,
    },
    {
      key: 'sale',
      name: '`POST /track/sales` (two events)',
      ...both(
        eachOf(referrals, (referral_id) =>
          post('/track/sales', () => ({
            external_id: `bench-${(created += 1)}`,
            referral_id,
            amount_cents: 10_000,
            currency: 'USD',
          }))(),
        ),
      ),
      isWrite: true,
    },
    {
      key: 'click',
      name: 'click `GET /t/<token>`',
      ...both(eachOf(tokens, (token) => ({ method: 'GET', path: `/t/${token}?account_id=${account_id}`, headers: BROWSER }))),
      isWrite: true,
    },
    {
      key: 'eligible',
      name: '`GET /payouts?eligible=true`, all',
      ...both(get('/api/v1/payouts?eligible=true')),
      connections: 2,
    },
  ];
}

const COMPARED = 3;

/**
 * Returns a function that returns a request for each record in turn. The first requests are all for the first record, so that the replies of
 * the servers can be compared.
 */
function eachOf(values: string[], make: (value: string) => Request): () => Request {
  let drawn = 0;
  return () => make(values[Math.max(0, (drawn += 1) - COMPARED) % values.length]!);
}
