import { foldCommissionCounts } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { program, refer, sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Page = Outputs['commissions']['list'];

const STATES = ['pending', 'due', 'paid', 'voided'];
const START = Date.parse('2026-03-01T00:00:00.000Z');
const HOUR = 3_600_000;
const HOURS = 6 * 24;

const service = useService({ writesRows: true });
const account = useAccount(service, 'file');
let commission: { id: string };
const clients: Client[] = [];

beforeAll(async () => {
  const friends = await program(account);
  const referral = await refer(account, friends);
  const sold = await sell(account, { referral_id: referral.id });
  commission = sold.commission!;
  for (let i = 0; i < 4; i += 1) clients.push(await connect());
});
afterAll(async () => {
  for (const client of clients) await client.end();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: service.databaseUrl, lock_timeout: 1_000 });
  await client.connect();
  return client;
}

/** Returns a generator of random integers. A failed run can be repeated with its seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Draws an instant that is on the hour or a millisecond before it. Draws midnight often, because a day begins then. */
const instant = (draw: (below: number) => number) =>
  new Date(START + (draw(3) === 0 ? draw(HOURS / 24) * 24 : draw(HOURS)) * HOUR - (draw(4) === 0 ? 1 : 0)).toISOString();

/** SQL that sets the state and the columns that depend on the state. */
const SET_STATE = `state = $1, paid_at = case $1 when 'paid' then updated_at end, voided_at = case $1 when 'voided' then updated_at end,
  void_reason = case $1 when 'voided' then 'test' end`;

/** SQL that copies a commission with the given ids, states and times. */
const COPY = `insert into commission select copy.*
  from commission source, jsonb_to_recordset($2) made(id text, state text, livemode boolean, at timestamptz),
  lateral jsonb_populate_record(source, jsonb_build_object(
    'id', made.id, 'kind', 'manual', 'sale_id', null, 'referral_id', null, 'note', 'copy', 'created_by', 'test',
    'state', made.state, 'livemode', made.livemode, 'updated_at', made.at, 'paid_at', case made.state when 'paid' then made.at end,
    'voided_at', case made.state when 'voided' then made.at end, 'void_reason', case made.state when 'voided' then 'test' end)) copy where source.id = $1`;

async function change(client: Client, draw: (below: number) => number, label: string): Promise<void> {
  const made = Array.from({ length: 1 + draw(4) }, (_, i) => ({
    id: `com_${label}_${i}`,
    state: STATES[draw(4)],
    livemode: draw(4) > 0,
    at: instant(draw),
  }));
  // Each client changes only its own rows. The clients compete only for the counts.
  const own = `starts_with(id, 'com_${label.split('_')[0]}_')`;
  const some = `(select id from commission where ${own} order by md5(id || '${label}') limit ${1 + draw(5)})`;
  const steps = [
    () => client.query(COPY, [commission.id, JSON.stringify(made)]),
    () =>
      client.query(`update commission set ${SET_STATE}, updated_at = greatest(updated_at, $2) where id in ${some}`, [
        STATES[draw(4)],
        instant(draw),
      ]),
    () => client.query(`update commission set note = 'other' where id in ${some}`),
    () => client.query(`delete from commission where id in ${some}`),
  ];
  await client.query('begin');
  await steps[draw(3) === 0 ? draw(4) : 0]!();
  await steps[1 + draw(3)]!();
  await client.query(draw(5) === 0 ? 'rollback' : 'commit');
}

/** Lists commissions with random filters. Returns the filters whose total differs from count(*). */
async function wrongTotals(draw: (below: number) => number): Promise<object[]> {
  const wrong: object[] = [];
  for (let i = 0; i < 12; i += 1) {
    const filters = {
      ...(draw(2) === 0 ? {} : { state: STATES.filter((_, at) => at === 0 || draw(2) === 0).join() }),
      ...(draw(3) > 0 ? {} : { livemode: String(draw(2) === 0) }),
      ...(draw(3) === 0 ? {} : { updated_since: instant(draw) }),
      ...(draw(2) === 0 ? {} : { updated_until: instant(draw) }),
    };
    const { rows } = await clients[0]!.query<{ count: number }>(
      `select count(*)::int from commission where account_id = $1 and ($2::text is null or state = any (string_to_array($2, ',')))
         and ($3::boolean is null or livemode = $3) and ($4::timestamptz is null or updated_at >= $4) and ($5::timestamptz is null or updated_at <= $5)`,
      [account.id, filters.state, filters.livemode, filters.updated_since, filters.updated_until],
    );
    const page = await account.api.get<Page>('/commissions', { ...filters, limit: 1 });
    const expected = rows[0]!.count;
    // A page beyond the last has no row that could carry the total.
    const second = await account.api.get<Page>('/commissions', { ...filters, limit: 1, page: expected + 2 });
    const totals = [page.body.pagination.total_count, second.body.pagination.total_count];
    if (totals.some((total) => total !== expected)) wrong.push({ filters, totals, expected });
  }
  return wrong;
}

it('totals equal count(*) after random histories of four writers, whether or not changes are summed up', async () => {
  const draw = numbers(Number(process.env['SEED'] ?? 14));
  for (let round = 0; round < 4; round += 1) {
    const work = clients.map(async (client, writer) => {
      const own = numbers(draw(1_000_000));
      for (let step = 0; step < 8; step += 1) await change(client, own, `${writer}_${round}_${step}`);
    });
    if (round % 2 === 1) await foldCommissionCounts(service.services);
    await Promise.all(work);
    if (round % 3 === 1) await foldCommissionCounts(service.services);
    expect(await wrongTotals(draw)).toEqual([]);
  }
});

it('changes are summed up to one row per day, state and mode', async () => {
  await foldCommissionCounts(service.services);
  const { rows } = await clients[0]!.query<{ changes: number; different: number }>(`select
    (select count(*)::int from commission_count_change) as changes,
    (select count(*)::int from (select account_id, state, livemode, day, n from commission_count where n <> 0
      except select account_id, state, livemode, (updated_at at time zone 'UTC')::date, count(*) from commission group by 1, 2, 3, 4) other) as different`);
  expect(rows).toEqual([{ changes: 0, different: 0 }]);
});

it('transactions that change the same number do not wait for each other', async () => {
  const [one, other] = clients as [Client, Client];
  await one.query('begin');
  await one.query(`update commission set ${SET_STATE} where id = $2`, ['due', commission.id]);
  // The connection has a lock time-out of one second, so the insert fails if it has to wait.
  const made = [{ id: 'com_other', state: 'due', livemode: true, at: new Date(START).toISOString() }];
  expect(await other.query(COPY, [commission.id, JSON.stringify(made)])).toMatchObject({ rowCount: 1 });
  await foldCommissionCounts(service.services);
  await one.query('rollback');
});

it('changes of other accounts are summed up although those of one account cannot be', async () => {
  await foldCommissionCounts(service.services);
  const [client] = clients as [Client];
  const other = await service.createAccount();
  for (const each of [account, other]) await sell(each, { referral_id: (await refer(each, await program(each))).id });
  await client.query(
    `create function fail_fold() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail_fold before insert on commission_count for each row when (new.account_id = '${account.id}') execute function fail_fold()`,
  );
  const waiting = async () => {
    const { rows } = await client.query<{ account_id: string }>('select distinct account_id from commission_count_change');
    return rows.map(({ account_id }) => account_id);
  };
  expect((await waiting()).toSorted()).toEqual([account.id, other.id].toSorted());
  await expect(foldCommissionCounts(service.services)).rejects.toThrow('broken');
  expect(await waiting()).toEqual([account.id]);
  await client.query('drop function fail_fold cascade');
  await foldCommissionCounts(service.services);
  expect(await waiting()).toEqual([]);
});
