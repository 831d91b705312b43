import { purgeDeletedAccounts, rollUpClicks, writeApiLog } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction, systemContext } from '../../packages/core/src/platform/call/transaction.ts';
import { dayIn } from '../../packages/core/src/platform/mail/in-language.ts';
import { AccountRows, seededMerchant } from '../contract/seed.ts';
import { usePspService } from '../psp/service.ts';
import { line, rule, sellLines, shop } from '../rewards/program.ts';
import { areWaiting } from '../support/locks.ts';
import { type Person, newMember, ownerOf } from '../support/people.ts';
import { program } from '../support/program.ts';
import type { Outputs, TestAccount } from '../support/service.ts';

type Session = Outputs['account']['delete'];
const DAY = 24 * 60 * 60 * 1000;

const service = usePspService();
let rows: AccountRows;
/** A connection that is never in a transaction. In a transaction, `pg_stat_activity` would keep returning the sessions that its first query saw. */
let observer: Client;

beforeAll(async () => {
  rows = await AccountRows.open(service);
  observer = new Client({ connectionString: service.databaseUrl });
  await observer.connect();
});
afterAll(async () => {
  await observer.end();
  await rows.close();
});

const scheduledFor = ({ accounts }: Session, { id }: TestAccount) =>
  accounts.find((account) => account.id === id)!.deletion_scheduled_at;

function ask(by: Person, path: 'account.delete' | 'account.restore', input: Record<string, unknown>) {
  return by.browser.mutate<Session>(path, input);
}

it('an account is deleted completely seven days after its owner requested it, and other accounts are unchanged', async () => {
  const merchant = await seededMerchant(service);
  const neighbour = await seededMerchant(service);
  const owner = await ownerOf(service, merchant);
  const before = await rows.of(neighbour.id);
  expect((await rows.of(merchant.id)).length).toBeGreaterThan(50);

  const { status, body } = await ask(owner, 'account.delete', { account_id: merchant.id, name: 'Test account' });
  expect(status).toBe(200);
  const at = scheduledFor(body.result!.data, merchant)!;
  expect(Date.parse(at) - service.clock.now().getTime()).toBe(7 * DAY);
  expect((await service.mailbox.take(merchant.ownerEmail, /will be deleted/)).text).toContain(dayIn('en', at, 'UTC'));

  // A second request neither extends nor shortens the period.
  pass(1 * DAY);
  const again = await ask(owner, 'account.delete', { account_id: merchant.id, name: 'Test account' });
  expect(scheduledFor(again.body.result!.data, merchant)).toBe(at);

  pass(6 * DAY - 1);
  expect(await purgeDeletedAccounts(service.services)).toBe(0);
  expect((await merchant.api.get('/affiliates')).status).toBe(200);

  pass(1);
  expect((await ask(owner, 'account.restore', { account_id: merchant.id })).status).toBe(422);
  expect(await purgeDeletedAccounts(service.services)).toBe(1);
  expect(await rows.of(merchant.id)).toEqual([]);
  expect(await rows.of(neighbour.id)).toEqual(before);
  expect((await owner.browser.mutate('account.restore', { account_id: merchant.id })).status).toBe(401);
});

it('the lines of sales and commissions are deleted with their account', async () => {
  const [leaving, staying] = [await service.createAccount(), await service.createAccount()];
  for (const account of [leaving, staying]) {
    const friends = await shop(account);
    await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 20 } });
    await sellLines(account, friends, [line('pro', 4_000), line('mug', 1_000)]);
  }
  const linesOf = async ({ id }: TestAccount) => {
    const lines = 'select account_id from sale_line union all select account_id from commission_line';
    return (await observer.query(`select from (${lines}) line where account_id = $1`, [id])).rowCount;
  };
  expect([await linesOf(leaving), await linesOf(staying)]).toEqual([4, 4]);
  await ask(await ownerOf(service, leaving), 'account.delete', { account_id: leaving.id, name: 'Test account' });
  pass(7 * DAY);
  expect(await purgeDeletedAccounts(service.services)).toBe(1);
  expect([await linesOf(leaving), await linesOf(staying)]).toEqual([0, 4]);
});

it('the deletion leaves no event that was written concurrently', async () => {
  const account = await service.createAccount();
  await program(account);
  const owner = await ownerOf(service, account);
  await ask(owner, 'account.delete', { account_id: account.id, name: 'Test account' });
  pass(7 * DAY);
  const ctx = systemContext(service.services, account.id, 'test');
  let purge: Promise<number> | undefined;
  await inTransaction(ctx, async (change) => {
    const event = { account_id: account.id, type: 'affiliate.created', subject_id: 'aff_1', data: {} };
    await service.services.database.announcer.write(change.db, change.now, [event], { kind: 'system', id: 'system' });
    purge = purgeDeletedAccounts(service.services);
    await areWaiting(observer, 1);
  });
  const removed = await purge!;
  // If the new event made the first purge skip the account, the next purge deletes it.
  expect(removed + (await purgeDeletedAccounts(service.services))).toBe(1);
  expect(await rows.of(account.id)).toEqual([]);
});

it('the deletion leaves no entry of the API log that was written concurrently', async () => {
  const account = await service.createAccount();
  await program(account);
  await writeApiLog(service.services);
  await account.api.get('/affiliates');
  await ask(await ownerOf(service, account), 'account.delete', { account_id: account.id, name: 'Test account' });
  pass(7 * DAY);
  // The trigger stops the writer when it has found the account and its row is not yet visible.
  await observer.query(`
    create function wait_for_test() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(7); return new; end $$;
    create trigger wait_for_test before insert on api_request for each row execute function wait_for_test();
    select pg_advisory_lock(7)`);
  try {
    const written = writeApiLog(service.services);
    await areWaiting(observer, 1);
    const purged = purgeDeletedAccounts(service.services);
    await areWaiting(observer, 2);
    await observer.query('select pg_advisory_unlock(7)');
    expect(await purged).toBe(1);
    await written;
  } finally {
    await observer.query(
      'select pg_advisory_unlock_all(); drop trigger wait_for_test on api_request; drop function wait_for_test',
    );
  }
  expect(await rows.of(account.id)).toEqual([]);
});

it('the deletion of the row of an account leaves no events', async () => {
  await observer.query(`
    insert into account (id, name, slug, currency, created_at, updated_at) values ('acct_former', 'Former', 'former', 'USD', now(), now());
    insert into event (id, account_id, sequence, type, subject_id, body, is_test, occurred_at)
    values (new_id('evt', now()), 'acct_former', 1, 'affiliate.created', 'aff_1', '{}', false, now());
    delete from account where id = 'acct_former'`);
  expect(await rows.of('acct_former')).toEqual([]);
});

it('the deletion leaves no click that arrives during the deletion', async () => {
  const account = await service.createAccount();
  await program(account);
  await ask(await ownerOf(service, account), 'account.delete', { account_id: account.id, name: 'Test account' });
  pass(7 * DAY);
  // The trigger records a visit between two batches of the removal. API keys are deleted before links, so the link still exists then.
  await observer.query(`
    create function visit_meanwhile() returns trigger language plpgsql as $$ begin ${clickOn(`link where account_id = '${account.id}'`)}; return null; end $$;
    create trigger visit_meanwhile after delete on api_key for each row when (old.account_id = '${account.id}') execute function visit_meanwhile()`);
  try {
    expect(await purgeDeletedAccounts(service.services)).toBe(1);
  } finally {
    await observer.query('drop trigger visit_meanwhile on api_key; drop function visit_meanwhile');
  }
  expect(await rows.of(account.id)).toEqual([]);
});

it('a click written during the deletion does not stop the roll-up of other accounts’ clicks', async () => {
  const account = await service.createAccount();
  await program(account);
  await rollUpClicks(service.services);
  await observer.query(clickOn(`link where account_id = '${account.id}'`));
  await observer.query(
    clickOn(`(values ('acct_removed', 'link_1', 'aff_1', 'camp_1')) link (account_id, id, affiliate_id, campaign_id)`),
  );
  pass(DAY);
  expect(await rollUpClicks(service.services)).toBeGreaterThan(20);
  const { rows: counted } = await observer.query(
    `select sum(clicks)::int as clicks from click_rollup where dimension = 'all' and account_id = $1`,
    [account.id],
  );
  expect(counted).toEqual([{ clicks: 1 }]);
});

it('the deletion keeps users who are members or affiliates of another account', async () => {
  const leaving = await service.createAccount();
  const staying = await service.createAccount();
  const person = await newMember(service, staying, 'admin');
  const affiliate = await newMember(service, leaving, 'admin');
  await program(staying, {}, { email: affiliate.email.toUpperCase() });
  await service.services.database.kysely
    .insertInto('membership')
    .values({ account_id: leaving.id, user_id: person.id, role: 'member', created_at: now(), updated_at: now() })
    .execute();
  await ask(await ownerOf(service, leaving), 'account.delete', { account_id: leaving.id, name: 'Test account' });
  pass(7 * DAY);
  await purgeDeletedAccounts(service.services);
  expect((await person.browser.signIn(person.email, person.password)).status).toBe(200);
  expect((await affiliate.browser.signIn(affiliate.email, affiliate.password)).status).toBe(200);
});

it('an account is kept when an owner restores it in time', async () => {
  const account = await service.createAccount();
  const owner = await ownerOf(service, account);
  await ask(owner, 'account.delete', { account_id: account.id, name: 'Test account' });
  const { status, body } = await ask(owner, 'account.restore', { account_id: account.id });
  expect({ status, at: scheduledFor(body.result!.data, account) }).toEqual({ status: 200, at: null });
  pass(8 * DAY);
  await purgeDeletedAccounts(service.services);
  expect((await account.api.get('/affiliates')).status).toBe(200);
});

it('an account is deleted only by an owner who types its name', async () => {
  const account = await service.createAccount();
  const owner = await ownerOf(service, account);
  const admin = await newMember(service, account, 'admin');
  const stranger = await ownerOf(service, await service.createAccount());
  const input = { account_id: account.id, name: 'Test account' };
  expect((await ask(admin, 'account.delete', input)).status).toBe(403);
  expect((await ask(stranger, 'account.delete', input)).status).toBe(403);
  expect((await ask(admin, 'account.restore', { account_id: account.id })).status).toBe(403);
  const refused = await ask(owner, 'account.delete', { ...input, name: 'test account' });
  expect({ status: refused.status, data: refused.body.error?.data }).toMatchObject({
    status: 422,
    data: { details: [{ path: 'name', code: 'mismatch' }] },
  });
  const row = await service.services.database.kysely
    .selectFrom('account')
    .select('deletion_scheduled_at')
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow();
  expect(row.deletion_scheduled_at).toBeNull();
});

/** Returns SQL that records a click on each of these links. */
function clickOn(links: string): string {
  return `insert into click (day, at, account_id, link_id, affiliate_id, campaign_id, is_unique, visitor_key)
    select '${now().slice(0, 10)}', '${now()}', account_id, link.id, affiliate_id, campaign_id, true, '\\x00' from ${links}`;
}

function pass(ms: number): void {
  service.clock.set(new Date(service.clock.now().getTime() + ms).toISOString());
}

const now = () => service.clock.now().toISOString();
