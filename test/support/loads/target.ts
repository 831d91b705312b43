import { issueApiKey, type Services } from '@affiliate/core';
import type { Client } from 'pg';
import { request } from 'undici';
import { seedOpenPayouts, seedProgram } from '../../../bench/support/dataset.ts';
import type { Target } from './loads.ts';

const FILE_BYTES = 5 * 1024 * 1024;
/** Commissions in the statement that the loads request: the most that a PDF lists. */
const STATEMENT_LINES = 2_000;

/** Creates the busy account, whose program has `affiliates` affiliates with an eligible payout each. */
export async function seedBusyAccount(client: Client, affiliates: number, secretKey?: string): Promise<string> {
  const account = await seedProgram(client, {
    affiliates,
    commissions: affiliates * 2,
    ...(secretKey !== undefined && { secretKey }),
  });
  await client.query(
    `insert into sale (id, account_id, referral_id, affiliate_id, charge_amount_cents, tax_amount_cents, refund_amount_cents, currency, charged_at, created_at, updated_at)
     select 'sale_line_' || i, account_id, id, affiliate_id, 10000, 0, 0, 'USD', created_at, created_at, created_at
     from referral, generate_series(1, ${STATEMENT_LINES - 2}) i where id = 'ref_1'`,
  );
  await client.query(
    `insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points, due_at, created_at, updated_at)
     select 'com_line_' || i, account_id, campaign_id, affiliate_id, id, 'sale_line_' || i, 'sale', 'pending', 1000, 'USD', 1000, created_at, created_at, created_at
     from referral, generate_series(1, ${STATEMENT_LINES - 2}) i where id = 'ref_1'`,
  );
  await seedOpenPayouts(client);
  return account;
}

/** Gives records of a table as much metadata as a record may have: fifty pairs, 27 KB. */
export async function fillMetadata(client: Client, table: string, most = 1_000_000): Promise<void> {
  await client.query(
    `update ${table} set metadata = (
       select jsonb_object_agg(rpad(i::text, 40, 'k'), rpad(md5(i::text), 500, 'v')) from generate_series(1, 50) i)
     where id in (select id from ${table} order by id limit ${most})`,
  );
}

/** Creates as many reward rules as a campaign may have, each almost as large as a rule may be. */
async function createLargeRules(call: (method: 'POST', path: string, body: object) => Promise<unknown>, campaignId: string) {
  for (let rule = 0; rule < 15; rule += 1) {
    const products = Array.from({ length: 60 }, (_, i) => `prod_${rule}_${i}_`.padEnd(240, 'x'));
    await call('POST', '/api/v1/reward_rules', {
      campaign_id: campaignId,
      name: `Products ${rule}`,
      when: { products },
      pay: { percent: 10 + rule },
    });
  }
}

/** Creates the records that the loads use, over HTTP. */
export async function prepareTarget(
  services: Services,
  { url, accountId, ownerEmail }: { url: string; accountId: string; ownerEmail: string },
): Promise<Target> {
  const { api_key } = await issueApiKey(services, { accountId, name: 'Loads', permissions: { all: true } });
  const headers = { 'x-api-key': api_key, 'x-account-id': accountId };
  const call = async <Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> => {
    const reply = await request(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (reply.statusCode >= 300) throw new Error(`${method} ${path} got ${reply.statusCode}: ${await reply.body.text()}`);
    return (await reply.body.json()) as Body;
  };
  const content = Buffer.alloc(FILE_BYTES, '0123456789abcdef\n').toString('base64');
  const { id } = await call<{ id: string }>('POST', '/api/v1/assets', { name: 'text.txt', content });
  const { download_url } = await call<{ download_url: string }>('GET', `/api/v1/assets/${id}`);
  const link = await call<{ url: string }>('POST', '/api/v1/affiliates/aff_1/portal_link');
  const token = new URLSearchParams(new URL(link.url).hash.slice(1)).get('token')!;
  const entered = await call<{ result: { data: { token: string } } }>('POST', '/trpc/portal.enter', { token });
  const payouts = await call<{ data: { id: string }[] }>('GET', '/api/v1/payouts?affiliate_id=aff_1');
  const named = encodeURIComponent(JSON.stringify({ id: payouts.data[0]!.id, format: 'pdf' }));
  const { body: statementBody } = await request(`${url}/trpc/portal.getStatement?input=${named}`, {
    headers: { 'x-portal-token': entered.result.data.token },
  });
  const statement = (await statementBody.json()) as { result: { data: { download_url: string } } };
  // The export claims a part of the payouts; the others stay eligible.
  const eligible = await call<{ data: { id: string; affiliate_id: string }[] }>('GET', '/api/v1/payouts?eligible=true');
  const half = eligible.data.filter(({ affiliate_id }) => affiliate_id !== 'aff_1').slice(0, eligible.data.length / 2);
  const made = await call<{ id: string }>('POST', '/api/v1/payout_exports', {
    payout_ids: half.map(({ id: payoutId }) => payoutId),
    export_format: 'csv',
  });
  const campaigns = await call<{ data: { id: string }[] }>('GET', '/api/v1/campaigns');
  const campaignId = campaigns.data[0]!.id;
  await createLargeRules(call, campaignId);
  return {
    url,
    headers,
    campaignId,
    statementPath: new URL(statement.result.data.download_url).pathname,
    filePath: new URL(download_url).pathname,
    exportId: made.id,
    referralId: 'ref_2',
    ownerEmail,
  };
}
