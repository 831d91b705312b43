import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { program } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';

/** More records than a search looks up by their ids, and more affiliates than those through whose ids the payouts of a campaign are found. */
const MANY = 5_100;
/** Few enough records for both. */
const FEW = 20;

const service = useService({ writesRows: true });
const account = useAccount(service, 'file');
let campaigns: string[];

beforeAll(async () => {
  campaigns = [];
  for (let i = 0; i < 2; i += 1) campaigns.push((await program(account)).campaign.id);
  const { kysely } = service.services.database;
  const people = sql`
    select i, case when i <= ${FEW} then 'Few' else 'Many' end as first_name
    from generate_series(1, ${MANY + FEW}) i`;
  await sql`
    insert into affiliate (id, account_id, campaign_id, email, first_name, last_name, state, created_at, updated_at)
    select new_id('aff', now()), ${account.id}, case when i <= ${FEW} then ${campaigns[0]} else ${campaigns[1]} end, lower(first_name) || i || '@example.com',
      first_name, 'Person', 'active', now(), now() from (${people}) people`.execute(kysely);
  await sql`
    insert into customer (id, account_id, email, name, first_name, created_at, updated_at)
    select new_id('cust', now()), ${account.id}, lower(first_name) || i || '@example.com', first_name || ' Person', first_name, now(), now()
    from (${people}) people`.execute(kysely);
  await sql`
    insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, paid_at, created_at, updated_at)
    select new_id('payout', now()), account_id, id, 'USD', 'paid', 100, 1, now(), now(), now() from affiliate where last_name = 'Person'`.execute(
    kysely,
  );
});

describe('a list of many records', () => {
  const listed = async (path: string, query: Record<string, string>) => {
    const { status, body } = await account.api.get<{
      data: Record<string, unknown>[];
      pagination: { total_count: number; next_cursor: string | null };
    }>(path, query);
    expect(status).toBe(200);
    return body;
  };

  it.each(['affiliates', 'customers'])('is searched for frequent and for rare texts: %s', async (kind) => {
    for (const [q, total] of [
      ['Many', MANY],
      ['few pers', FEW],
      ['many4711@', 1],
    ] as const) {
      const { data, pagination } = await listed(`/${kind}`, { q, limit: '100' });
      expect(pagination.total_count).toBe(total);
      expect(data.length).toBe(Math.min(total, 100));
      const word = q.slice(0, 3).toLowerCase();
      expect(data.every(({ email }) => String(email).startsWith(word))).toBe(true);
    }
    const { pagination } = await listed(`/${kind}`, { q: 'Many', limit: '100' });
    const next = await listed(`/${kind}`, { q: 'Many', limit: '100', starting_after: pagination.next_cursor! });
    expect([next.data.length, next.pagination.total_count]).toEqual([100, MANY]);
  });

  it('has the payouts of campaigns with many and with few affiliates', async () => {
    const totals = campaigns.map(async (campaign_id) => (await listed('/payouts', { campaign_id })).pagination.total_count);
    expect(await Promise.all(totals)).toEqual([FEW, MANY]);
    expect((await listed('/payouts', { campaign_id: 'camp_unknown' })).pagination.total_count).toBe(0);
  });
});
