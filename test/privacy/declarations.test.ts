import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { must, program, refer, sell } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';

const service = useService();
const account = useAccount(service);
let client: Client;

beforeAll(async () => {
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

/** Columns with an address or a name, or that refer to a person or to what a person did. */
const OF_PEOPLE =
  '^(email|name|first_name|last_name|identifier|recipient|address|client_address|ip_address)$|_(email|name|address)$|(^|_)(affiliate|customer|user|referral|sale)_ids?$';

/** Returns the tables that have such a column and are not declared. */
async function undeclared(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct relname::text as name from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped
       and attname ~ $1 order by 1`,
    [OF_PEOPLE],
  );
  return rows.map(({ name }) => name).filter((name) => !(name in service.services.database.people));
}

it('every table with an address, a name or a reference to a person declares whose it is', async () => {
  expect(await undeclared()).toEqual([]);
  for (const column of ['email text', 'customer_id text', 'receiver_name text', 'affiliate_ids text[]']) {
    await client.query(`create table stray (${column})`);
    expect(await undeclared()).toEqual(['stray']);
    await client.query('drop table stray');
  }
});

it('every declared table exists, and every export has all sections', async () => {
  const { affiliate } = await program(account, {}, { email: 'ada@partner.example', walleta_email: 'ada@pay.example' });
  await must(account, '/tiers', { campaign_id: affiliate.campaign_id, name: 'Gold', metric: 'sales', from: 10 });
  const { id: referral_id } = await refer(account, await program(account));
  await sell(account, { referral_id, customer_email: 'bob@example.com' });
  const customer = (await account.api.get<{ data: { id: string }[] }>('/customers')).body.data[0]!.id;
  const sections = async (path: string) => {
    const { status, body } = await account.api.get<{ records: Record<string, unknown[]> }>(`${path}/personal_data`);
    expect(status).toBe(200);
    return body.records;
  };
  const declared = Object.values(service.services.database.people);
  const names = (kind: 'affiliate' | 'customer') =>
    declared.flatMap((table) => (typeof table !== 'string' && table[kind]?.export) || []).toSorted();
  const ofAffiliate = await sections(`/affiliates/${affiliate.id}`);
  expect(Object.keys(ofAffiliate).toSorted()).toEqual(names('affiliate'));
  expect(names('affiliate')).toEqual(expect.arrayContaining(['changes_of_address', 'coupons', 'tiers']));
  expect(ofAffiliate).toMatchObject({ affiliate: [{ email: 'ada@partner.example' }], links: [{}] });
  expect(ofAffiliate['payout_methods']).toMatchObject([{ kind: 'paypal', address: { email: 'ada@pay.example' } }]);
  expect(JSON.stringify(ofAffiliate)).not.toMatch(/_hash"/);
  const ofCustomer = await sections(`/customers/${customer}`);
  expect(Object.keys(ofCustomer).toSorted()).toEqual(names('customer'));
  expect(ofCustomer).toMatchObject({
    customer: [{ email: 'bob@example.com' }],
    referrals: [{}],
    sales: [{}],
    identities: [{}],
    claims: [{}],
  });
  // Runs every condition and every erasure.
  for (const path of [`/customers/${customer}`, `/affiliates/${affiliate.id}`])
    expect((await account.api.post(`${path}/erase`)).status).toBe(200);
});

it('the changes of an address, a coupon and a tier are in the export of an affiliate', async () => {
  const { affiliate } = await program(account, {}, { email: 'grace@partner.example' });
  const { id: tier_id } = await must<{ id: string }>(account, '/tiers', {
    campaign_id: affiliate.campaign_id,
    name: 'Gold',
    metric: 'sales',
    from: 10,
  });
  const { kysely } = service.services.database;
  const since = service.clock.instant();
  const row = {
    affiliate_id: affiliate.id,
    tier_id,
    since,
    until: null,
    account_id: account.id,
    campaign_id: affiliate.campaign_id,
  };
  await kysely.insertInto('affiliate_tier').values(row).execute();
  const change = { former_email: 'grace@partner.example', new_email: 'new@partner.example' };
  await kysely
    .insertInto('email_change')
    .values({
      ...change,
      affiliate_id: affiliate.id,
      account_id: account.id,
      former_token_hash: 'a',
      new_token_hash: 'b',
      expires_at: since,
      user_id: null,
    })
    .execute();
  const { body } = await account.api.get<{ records: Record<string, unknown[]> }>(`/affiliates/${affiliate.id}/personal_data`);
  expect(body.records).toMatchObject({ tiers: [{ tier_id }], changes_of_address: [change] });
});
