import { migrate, openDatabase } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, createTestDatabase } from '../support/postgres.ts';
import { program, refer, sell } from '../support/program.ts';
import { startService } from '../support/service.ts';

let postgres: TestDatabase;
let holder: Client;
/** A connection that is never in a transaction. In a transaction, `pg_stat_activity` would keep returning the sessions that its first query saw. */
let observer: Client;

beforeAll(async () => {
  postgres = await createTestDatabase();
  holder = new Client({ connectionString: postgres.url });
  await holder.connect();
  observer = new Client({ connectionString: postgres.url });
  await observer.connect();
});
afterAll(async () => {
  await holder.end();
  await observer.end();
  await postgres.drop();
});

/** Reverts the latest migrations of tables in use, so that they can be applied again. */
async function revert(): Promise<void> {
  await holder.query(`
    drop index sale_customer, link_campaign, payout_updated, account_deletion;
    alter table account drop column deletion_scheduled_at;
    delete from schema_migration where name in ('20261122000000_account_deletion', '20261122010000_missing_indexes')`);
}

it('concurrent migrations wait briefly for a table in use, retry, and build each index once', async () => {
  await revert();
  // An interrupted build of an index leaves an invalid index.
  await holder.query(`create index link_campaign on link (campaign_id);
    update pg_index set indisvalid = false where indexrelid = 'link_campaign'::regclass`);
  await holder.query('begin; lock table account in access share mode');
  const processes = await Promise.all([openDatabase({ url: postgres.url }), openDatabase({ url: postgres.url })]);
  try {
    const applied = Promise.all(processes.map((database) => migrate(database)));
    const blocked = `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table account%'`;
    await expect
      .poll(async () => (await observer.query<{ waiting: number }>(blocked)).rows[0]!.waiting, { timeout: 10_000 })
      .toBe(1);
    // After its timeout, the migration gives up its place in the lock queue. Readers behind it therefore wait no longer than this timeout.
    const reader = new Client({ connectionString: postgres.url, statement_timeout: 10_000 });
    await reader.connect();
    await reader.query('select count(*) from account');
    await reader.end();
    await holder.query('commit');
    const names = (await applied).flat();
    expect(names.toSorted()).toEqual(['20261122000000_account_deletion', '20261122010000_missing_indexes']);
  } finally {
    await Promise.all(processes.map((database) => database.close()));
  }
  const { rows } = await holder.query<{ name: string }>(
    `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indisvalid and relname in ('sale_affiliate', 'link_campaign', 'payout_updated') order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(['link_campaign', 'payout_updated', 'sale_affiliate']);
});

it('the migration that drops the foreign key of events does not block a sale that is being recorded', async () => {
  const service = await startService();
  const [affiliates, locks] = [new Client(service.databaseUrl), new Client(service.databaseUrl)];
  const database = await openDatabase({ url: service.databaseUrl });
  try {
    await Promise.all([affiliates.connect(), locks.connect()]);
    const migration = '20261123110301_cheaper_events';
    await locks.query(`
      drop trigger account_deletes_events on account;
      drop function delete_events_of_account;
      alter table event add constraint event_account_id_fkey foreign key (account_id) references account on delete cascade;
      delete from schema_migration where name = '${migration}'`);
    const account = await service.createAccount();
    const friends = await program(account);
    const referral = await refer(account, friends);
    const waiting = async () => (await locks.query<Waiting>(WAITING)).rows;
    await affiliates.query('begin');
    await affiliates.query('select from affiliate where id = $1 for no key update', [friends.affiliate.id]);
    const progress = { isRecorded: false, isHeldUp: false };
    const sale = sell(account, { referral_id: referral.id, customer_email: 'buyer@example.com' }).then(
      () => (progress.isRecorded = true),
    );
    await expect.poll(waiting, { interval: 10 }).toHaveLength(1);
    const [selling] = (await waiting()) as [Waiting];
    expect([selling.relations.includes('account'), selling.relations.includes('event')]).toEqual([true, false]);
    const applied = migrate(database);
    await expect.poll(waiting, { interval: 10 }).toHaveLength(2);
    await affiliates.query('commit');
    while (!progress.isRecorded && !progress.isHeldUp)
      progress.isHeldUp = (await waiting()).some(
        ({ is_behind_migration, relations }) => is_behind_migration && relations.includes('account'),
      );
    expect(progress.isHeldUp).toBe(false);
    await sale;
    expect(await applied).toEqual([migration]);
  } finally {
    await Promise.all([affiliates.end(), locks.end(), database.close()]);
    await service.stop();
  }
});

/** A session that waits for a lock. */
interface Waiting {
  /** True if the session waits for another waiting session, and not for the session that holds the affiliate's lock. */
  is_behind_migration: boolean;
  /** The relations on which the session holds locks. */
  relations: string[];
}

const WAITING = `
  with waiting as (
    select pid, pg_blocking_pids(pid) as blocked_by from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  )
  select blocked_by && array(select pid from waiting) as is_behind_migration, array(
    select relation::regclass::text from pg_locks where pg_locks.pid = waiting.pid and locktype = 'relation' and granted
  ) as relations
  from waiting`;
