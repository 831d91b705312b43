import { RETAINED_TABLES, purgeExpiredVisitors, purgeRows } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Program, program, refer, sell, unique } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';

type Referral = Outputs['referrals']['get'];

const service = useService();
let account: TestAccount;
let ada: Program;

beforeEach(async () => {
  // Removes the visitors of earlier tests, who have expired by now. Otherwise the purges of the next test would also remove and count them, because a
  // purge covers all accounts.
  await purge();
  account = await service.createAccount();
  ada = await program(account, { days_before_referrals_expire: 10 });
});

const purge = () => purgeExpiredVisitors(service.services);
const kept = async () => (await account.api.get<{ data: Referral[] }>('/referrals')).body.data.map(({ id }) => id).toSorted();

async function statistics(from: string) {
  const link = (await account.api.get<Outputs['links']['get']>(`/links/${ada.link.id}`)).body;
  const affiliate = await account.api.get<Outputs['affiliates']['get']>(`/affiliates/${ada.affiliate.id}`, {
    expand: 'commission_stats',
  });
  const day = from.slice(0, 10);
  const { days } = await account.client.overview.daily.query({ from: day, to: day });
  const { visitors, leads, conversions } = affiliate.body.commission_stats!;
  return {
    link: { visitors: link.visitors, leads: link.leads, conversions: link.conversions },
    affiliate: { visitors, leads, conversions },
    day: days.map(({ referrals }) => referrals),
  };
}

describe('referrals of visitors without an email address', () => {
  it('are deleted 30 days after their expiry, and remain in the statistics', async () => {
    const start = service.clock.instant();
    await refer(account, ada);
    await refer(account, ada);
    await account.api.post('/referrals', { affiliate_id: ada.affiliate.id, campaign_id: ada.campaign.id });
    const lead = await refer(account, ada, { conversion_state: 'lead' });
    const bought = await refer(account, ada);
    await sell(account, { referral_id: bought.id });
    const before = await statistics(start);
    expect(before).toEqual({
      link: { visitors: 4, leads: 2, conversions: 1 },
      affiliate: { visitors: 5, leads: 2, conversions: 1 },
      day: [5],
    });
    service.clock.advance(40, 'days');
    expect(await purge()).toBe(0);
    service.clock.advance(1, 'seconds');
    expect(await purge()).toBe(3);
    expect(await kept()).toEqual([lead.id, bought.id].toSorted());
    expect(await statistics(start)).toEqual(before);

    await refer(account, ada);
    service.clock.advance(41, 'days');
    expect(await purge()).toBe(1);
    expect((await statistics(start)).link).toEqual({ visitors: 5, leads: 2, conversions: 1 });
  });

  it('are kept while a customer, a sale or a claim refers to them, or if they do not expire', async () => {
    const early = await refer(account, ada);
    const charged_at = new Date(service.clock.now().getTime() - 86_400_000).toISOString();
    const unearned = await sell(account, { referral_id: early.id, charged_at, amount_cents: 0 });
    expect(unearned.commission).toBeNull();
    const bound = await refer(account, ada);
    await account.api.patch(`/referrals/${bound.id}`, { customer_email: `${unique('grace')}@example.com` });
    await account.api.patch(`/referrals/${bound.id}`, { conversion_state: 'visitor' });
    service.clock.advance(100, 'days');
    expect(await purge()).toBe(0);
    expect(await kept()).toEqual([early.id, bound.id].toSorted());
  });

  it('do not cause a later sale that names them to fail', async () => {
    const visitor = await refer(account, ada);
    service.clock.advance(41, 'days');
    await purge();
    const { commission, reason } = await sell(account, { referral_id: visitor.id });
    expect({ commission, reason }).toEqual({ commission: null, reason: 'no_referral' });
    const unknown = { external_id: unique('order'), amount_cents: 100, currency: 'USD' };
    for (const referral_id of ['ref_nobody', visitor.id.replace(/.$/, '!'), visitor.id.replace('ref_', 'sale_')])
      expect((await account.api.post('/track/sales', { ...unknown, referral_id })).status).toBe(422);
    const fresh = await refer(account, ada);
    const made = `${fresh.id.slice(0, -1)}${fresh.id.endsWith('0') ? '1' : '0'}`;
    expect((await account.api.post('/track/sales', { ...unknown, referral_id: made })).status).toBe(422);
  });
});

describe('records about the payment provider', () => {
  it('are deleted after 90 days if they are operations or payments without a charge', async () => {
    const db = service.services.database.kysely;
    const old = service.clock.instant();
    const kept = {
      account_id: account.id,
      connection_id: 'conn_stripe',
      livemode: true,
      pieces: '[]',
      version: 1,
      created_at: old,
      updated_at: old,
    };
    await db
      .insertInto('payment_pieces')
      .values([
        { ...kept, names: ['charge:ch_abandoned'], charged: false },
        { ...kept, names: ['charge:ch_sold'], charged: true },
      ])
      .execute();
    const operation = (id: string, state: 'pending' | 'failed') => ({
      id,
      account_id: account.id,
      caller_id: 'key_test',
      idempotency_key: id,
      fingerprint: 'f',
      kind: 'create',
      subject: `code:${id}`,
      state,
      attempt: 1,
      leased_until: null,
      response_status: null,
      response_body: null,
      created_at: old,
      updated_at: old,
    });
    await db
      .insertInto('operation')
      .values([operation('op_failed', 'failed'), operation('op_left', 'pending')])
      .execute();
    service.clock.advance(90 * 86_400 - 1, 'seconds');
    expect([await purgeRows(service.services, 'payment_pieces'), await purgeRows(service.services, 'operation')]).toEqual([0, 0]);
    service.clock.advance(2, 'seconds');
    expect([await purgeRows(service.services, 'payment_pieces'), await purgeRows(service.services, 'operation')]).toEqual([1, 2]);
    const left = await db.selectFrom('payment_pieces').select('names').where('account_id', '=', account.id).execute();
    expect(left).toEqual([{ names: ['charge:ch_sold'] }]);
  });
});

describe('expired data', () => {
  const ROWS = 1_001;
  let db: Client;
  beforeAll(async () => {
    db = new Client({ connectionString: service.databaseUrl });
    await db.connect();
  });
  afterAll(() => db.end());

  /** SQL: values of columns that take only certain values, by column or by table and column. */
  const VALUES: Readonly<Record<string, string>> = {
    kind: `'link'`,
    reason: `'complaint'`,
    mail: `'commission_digest'`,
    trigger: `'schedule'`,
    'operation.state': `'failed'`,
    'psp_event.state': `'processed'`,
    'psp_event.processed_at': `'2000-01-01'`,
    'payment_pieces.names': 'array[n::text]',
    'payment_pieces.version': 'n',
    'payment_pieces.charged': 'false',
  };

  /** Adds rows that expired long ago. */
  async function plant(table: string, age: string, rows: number): Promise<void> {
    const ofTable = Object.keys(VALUES).map((name) => name.replace(`${table}.`, ''));
    const { rows: columns } = await db.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
       where table_name = $1 and table_schema = 'public' and is_generated = 'NEVER' and is_identity = 'NO'
         and (is_nullable = 'NO' or column_name = $2 or column_name = any ($3)) and column_default is null`,
      [table, age, ofTable],
    );
    const value = ({ name, type }: { name: string; type: string }) => {
      const certain = VALUES[`${table}.${name}`] ?? VALUES[name];
      if (certain !== undefined) return certain;
      if (type.startsWith('timestamp')) return `'2000-01-01'`;
      if (type.endsWith('int') || ['integer', 'boolean', 'real'].includes(type)) return `'1'`;
      return type === 'jsonb' ? `'[]'` : 'n::text';
    };
    // Inserts without foreign-key checks, because a purge does not depend on foreign keys.
    await db.query(
      `set session_replication_role = replica;
       insert into ${table} (${columns.map(({ name }) => name).join()}) select ${columns.map(value).join()} from generate_series(1, ${rows}) n`,
    );
  }

  /** Makes the database refuse to delete rows. */
  async function failToDelete(table: string, condition: string): Promise<void> {
    await db.query(
      `set session_replication_role = origin;
       create function fail_purge() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger fail_purge before delete on ${table} for each row when (${condition}) execute function fail_purge()`,
    );
  }

  it.each([
    ['auth_session', 'expires_at'],
    ['auth_verification', 'expires_at'],
    ['password_reset_request', 'expires_at'],
    ['sign_in_link', 'expires_at'],
    ['auth_attempt', 'window_ends_at'],
    ['oauth_access_token', 'expires_at'],
    ['oauth_refresh_token', 'expires_at'],
    ['oauth_client', 'created_at'],
    ['portal_access', 'expires_at'],
    ['application', 'expires_at'],
    ['email_change', 'expires_at'],
  ] as const)('is deleted from %s in batches, found by its age', async (table, age) => {
    await purgeRows(service.services, table);
    await plant(table, age, ROWS);
    const left = async () => (await db.query(`select from ${table} where ${age} < '2001-01-01'`)).rowCount;
    await purgeRows(service.services, table, () => true);
    expect(await left()).toBe(1);
    await purgeRows(service.services, table);
    expect(await left()).toBe(0);
    const { rowCount } = await db.query(
      `select from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
       where indrelid = $1::regclass and attname = $2 and indpred is null`,
      [table, age],
    );
    expect(rowCount).toBe(1);
  });

  const KEYS: readonly (readonly [(typeof RETAINED_TABLES)[number], key: string, age: string])[] = [
    ['portal_access', 'id', 'expires_at'],
    ['auth_session', 'id', 'expires_at'],
    ['auth_verification', 'id', 'expires_at'],
    ['auth_attempt', 'key', 'window_ends_at'],
    ['password_reset_request', 'id', 'expires_at'],
    ['oauth_client', 'id', 'created_at'],
    ['idempotency_key', 'key', 'created_at'],
    ['blocked_recipient', 'recipient', 'expires_at'],
    ['unblocked_recipient', 'recipient', 'expires_at'],
    ['sign_in_link', 'token_hash', 'expires_at'],
    ['oauth_access_token', 'id', 'expires_at'],
    ['oauth_refresh_token', 'id', 'expires_at'],
    ['audit_log', 'id', 'id'],
    ['api_request', 'id', 'id'],
    ['event', 'id', 'id'],
    ['webhook_attempt', 'id', 'started_at'],
    ['psp_event', 'psp_event_id', 'received_at'],
    ['payment_pieces', 'version::text', 'updated_at'],
    ['operation', 'id', 'updated_at'],
    ['previewed_call', 'id', 'expires_at'],
    ['rail_notice', 'notice_id', 'received_at'],
    ['application', 'id', 'expires_at'],
    ['email_change', 'affiliate_id', 'expires_at'],
    ['affiliate_notice', 'affiliate_id', 'created_at'],
    ['lead_network', 'referral_id', 'expires_at'],
    ['posted_mail', 'id', 'posted_at'],
    ['outgoing_mail', 'id', 'expires_at'],
    ['logged_mail', 'id', 'expires_at'],
  ];

  it('is tried below for every table', () => {
    expect(KEYS.map(([table]) => table).toSorted()).toEqual(RETAINED_TABLES.toSorted());
  });

  it.each(KEYS)('is deleted from %s although a row cannot be deleted', async (table, key, age) => {
    await purgeRows(service.services, table);
    await plant(table, age, 7);
    await failToDelete(table, `old.${key} = '4'`);
    await expect(purgeRows(service.services, table)).rejects.toThrow('broken');
    const planted = `select ${key} as key from ${table} where ${age === 'id' ? `id < 'a'` : `${age} < '2001-01-01'`}`;
    expect((await db.query(planted)).rows).toEqual([{ key: '4' }]);
    await db.query('drop function fail_purge cascade');
    expect(await purgeRows(service.services, table)).toBe(1);
  });

  it('of a visitor is deleted and counted although another one cannot be deleted', async () => {
    const start = service.clock.instant();
    const [, broken] = [await refer(account, ada), await refer(account, ada), await refer(account, ada)];
    await failToDelete('referral', `old.id = '${broken.id}'`);
    service.clock.advance(41, 'days');
    await expect(purge()).rejects.toThrow('broken');
    const visits = await account.api.get<{ data: Referral[] }>('/referrals');
    expect(visits.body.data.map(({ id }) => id)).toEqual([broken.id]);
    expect((await statistics(start)).link.visitors).toBe(3);
    await db.query('drop function fail_purge cascade');
    expect(await purge()).toBe(1);
    expect((await statistics(start)).link.visitors).toBe(3);
  });
});
