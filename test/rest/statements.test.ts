import { recordAttempts } from '@affiliate/core';
import type { SentStatement } from '@affiliate/postgres';
import { Client } from 'pg';
import { beforeAll, expect, it } from 'vitest';
import type { Reply } from '../support/http.ts';
import { refer, sell, unique } from '../support/program.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

const service = useService({ onStatement: count });
const account = useAccount(service, 'file');
const friends = useProgram(account, {}, 'file');
let referral: { id: string };
let commission: { id: string };
const texts: string[] = [];
/** Number of times that requests waited for PostgreSQL. Statements that are sent together count once. */
let roundTrips = 0;

beforeAll(async () => {
  referral = await refer(account, friends);
  const sold = await sell(account, { referral_id: referral.id });
  commission = sold.commission!;
});

let logWrites = 0;

/** Does not count look-ups of keys and writes of the API log, which happen once a second. Their number depends on the time, not on the requests. */
function count({ text, opensBatch }: SentStatement): void {
  if (text.includes('insert into api_request ')) logWrites += 1;
  if (text.includes('from "api_key"') || text.includes('insert into api_request ')) return;
  texts.push(text);
  if (opensBatch) roundTrips += 1;
}

/**
 * Largest number of statements that a request may send, including `begin` and `commit`. If a change makes a request send fewer statements, lower its
 * number.
 */
const BOUNDS: [work: string, bound: number, send: () => Promise<Reply>][] = [
  ['GET /commissions/{id}', 1, () => account.api.get(`/commissions/${commission.id}`)],
  ['GET /commissions', 1, () => account.api.get('/commissions')],
  [
    'GET /commissions?expand=campaign,sale',
    1,
    () => account.api.get('/commissions', { expand: 'campaign,sale', state: 'pending' }),
  ],
  ['GET /referrals?expand=customer,affiliate', 1, () => account.api.get('/referrals', { expand: 'customer,affiliate' })],
  ['GET /payouts?expand=affiliate', 1, () => account.api.get('/payouts', { expand: 'affiliate' })],
  ['GET /payouts?eligible=true', 1, () => account.api.get('/payouts', { eligible: 'true' })],
  ['GET /affiliates', 1, () => account.api.get('/affiliates')],
  [
    'POST /affiliates',
    6,
    () => account.api.post('/affiliates', { email: `${unique('ada')}@example.com`, campaign_id: friends.campaign.id }),
  ],
  [
    'POST /track/sales with a referral',
    7,
    () => {
      // After the sale that converted the referral.
      service.clock.advance(1, 'seconds');
      return account.api.post('/track/sales', {
        external_id: unique('order'),
        referral_id: referral.id,
        amount_cents: 10_000,
        currency: 'USD',
      });
    },
  ],
  ['GET /t/{token}', 1, () => account.api.get(`/t/${friends.link.token}`, { account_id: account.id })],
];

it.each(BOUNDS)('%s takes at most %i statements', async (_work, bound, send) => {
  expect((await send()).status).toBeLessThan(400);
  texts.length = 0;
  expect((await send()).status).toBeLessThan(400);
  expect(texts.length > bound ? texts : []).toEqual([]);
});

it.each([
  ['POST /affiliates', 2],
  ['POST /track/sales with a referral', 2],
])('%s waits for PostgreSQL at most %i times', async (work, bound) => {
  const send = BOUNDS.find(([name]) => name === work)![2];
  expect((await send()).status).toBe(201);
  roundTrips = 0;
  expect((await send()).status).toBe(201);
  expect(roundTrips).toBeLessThanOrEqual(bound);
});

it('the API log is written once a second, however many requests are answered meanwhile', async () => {
  logWrites = 0;
  const start = performance.now();
  let reads = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (; performance.now() - start < 2_500; reads += 1) await account.api.get(`/commissions/${commission.id}`);
    }),
  );
  expect(logWrites).toBeGreaterThan(0);
  // The first write may gather since before the start, and a write has at most 1,000 requests.
  expect(logWrites).toBeLessThanOrEqual(2 + (performance.now() - start) / 1_000 + reads / 1_000);
});

it('a sale of a returning customer takes no more statements than a first sale', async () => {
  const ofCustomer = await refer(account, friends);
  const customer_email = `${unique('grace')}@example.com`;
  const counted = async (sale: object) => {
    texts.length = 0;
    await sell(account, { customer_email, ...sale });
    return texts.length;
  };
  const first = await counted({ referral_id: ofCustomer.id });
  const second = await counted({});
  for (let sale = 3; sale < 10; sale += 1) await counted({});
  expect(await counted({})).toBeLessThanOrEqual(second);
  expect(second).toBeLessThanOrEqual(18);
  expect(first).toBeLessThanOrEqual(24);
});

it('outcomes of deliveries are recorded with index look-ups, even if the statement was planned for an empty table', async () => {
  const delivery = {
    id: 'dlv_1',
    event_type: 'sale',
    is_test: false,
    trigger: 'schedule',
    attempts: 0,
    schedule_step: 0,
    retry_requested_at: null,
  } as const;
  const answered = { response_status: 200, response_headers: {}, response_excerpt: '', error_code: null };
  const at = service.clock.instant();
  const outcome = { delivery: { ...delivery, body: '{}' }, started_at: at, duration_ms: 1, request_headers: {}, ...answered };
  await recordAttempts(service.services, [
    { endpoint: { id: 'whe_1', failing_since: null, last_success_at: at }, outcomes: [outcome] },
  ] as Parameters<typeof recordAttempts>[1]);
  const [settings, recording] = ['set local enable', 'insert into webhook_attempt'].map((part) =>
    texts.findLast((text) => text.includes(part)),
  );

  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query('begin; set local plan_cache_mode = force_generic_plan');
    await client.query(settings!);
    await client.query(`prepare recording as ${recording!}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute recording('[]', now(), now())`);
    const scans = rows.map((row) => row['QUERY PLAN']).filter((line) => / on webhook_delivery .*cost/.test(line));
    expect(scans.filter((line) => line.includes('Index'))).toHaveLength(2);
    expect(scans.filter((line) => line.includes('Seq Scan'))).toEqual([]);
  } finally {
    await client.end();
  }
});
