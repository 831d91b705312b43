import { type Mail, createMember, writeMemberDigests } from '@affiliate/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { type Person, newMember, ownerOf, signedIn } from '../support/people.ts';
import { onServer } from '../support/postgres.ts';
import { type Program, program, refer, sell } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Page = Outputs['members']['list'];

const service = useService();
const account = useAccount(service);
let owner: Person;

beforeEach(async () => {
  owner = await ownerOf(service, account);
});

const setRole = (by: Person, user_id: string, role: string) => by.browser.mutate('members.updateRole', { user_id, role });
const remove = (by: Person, user_id: string) => by.browser.mutate('members.remove', { user_id });

async function roles(): Promise<Record<string, string>> {
  const rows = await service.services.database.kysely
    .selectFrom('membership')
    .select(['user_id', 'role'])
    .where('account_id', '=', account.id)
    .execute();
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
}

it('members are listed with their roles for admins', async () => {
  const admin = await newMember(service, account, 'admin');
  const { body } = await admin.browser.query<Page>('members.list', {});
  expect(body.result!.data.pagination.total_count).toBe(2);
  expect(body.result!.data.data).toContainEqual({
    user_id: admin.id,
    email: admin.email,
    name: expect.any(String),
    role: 'admin',
    has_second_factor: false,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const member = await newMember(service, account, 'member');
  expect((await member.browser.query('members.list', {})).status).toBe(403);
});

it('members of another account are not found', async () => {
  const stranger = await newMember(service, await service.createAccount(), 'member');
  expect((await setRole(owner, stranger.id, 'admin')).status).toBe(404);
  expect((await remove(owner, stranger.id)).status).toBe(404);
});

it('a change of role takes effect at once', async () => {
  const member = await newMember(service, account, 'member');
  const list = () => member.browser.send('GET', '/api/v1/api_keys');
  expect((await list()).status).toBe(403);
  expect((await setRole(owner, member.id, 'admin')).status).toBe(200);
  expect((await list()).status).toBe(200);
  expect((await remove(owner, member.id)).status).toBe(200);
  expect((await list()).status).toBe(403);
});

describe('owners', () => {
  it('are made, demoted and removed only by owners', async () => {
    const admin = await newMember(service, account, 'admin');
    const second = await newMember(service, account, 'owner');
    expect((await setRole(admin, admin.id, 'owner')).status).toBe(403);
    expect((await setRole(admin, second.id, 'member')).status).toBe(403);
    expect((await remove(admin, second.id)).status).toBe(403);
    expect((await setRole(second, admin.id, 'owner')).status).toBe(200);
    expect((await setRole(admin, second.id, 'member')).status).toBe(200);
    expect(await roles()).toEqual({ [owner.id]: 'owner', [admin.id]: 'owner', [second.id]: 'member' });
  });

  it('cannot be made by a key, whatever its permissions', async () => {
    const member = await newMember(service, account, 'member');
    const reply = await account.api.send('POST', '/trpc/members.updateRole', { body: { user_id: member.id, role: 'owner' } });
    expect(reply.status).toBe(403);
    const promoted = await account.api.send('POST', '/trpc/members.updateRole', { body: { user_id: member.id, role: 'admin' } });
    expect(promoted.status).toBe(200);
  });

  it('are never missing, because the last owner cannot be removed or demoted', async () => {
    expect(await setRole(owner, owner.id, 'admin')).toMatchObject({
      status: 422,
      body: { error: { data: { code: 'VALIDATION_ERROR' } } },
    });
    expect((await remove(owner, owner.id)).status).toBe(422);
    expect((await setRole(owner, owner.id, 'owner')).status).toBe(200);
    expect(await roles()).toEqual({ [owner.id]: 'owner' });
  });

  it('are never missing after commands of the operator', async () => {
    const demote = () =>
      createMember(service.services, { accountId: account.id, email: owner.email, password: 'x', role: 'member' });
    await expect(demote()).rejects.toThrow(/needs at least one owner/);
    await newMember(service, account, 'owner');
    await demote();
    expect((await roles())[owner.id]).toBe('member');
  });

  it('are never missing when all owners demote each other concurrently', async () => {
    for (let round = 0; round < 3; round += 1) {
      const others = await Promise.all(Array.from({ length: 3 }, () => newMember(service, account, 'owner')));
      const all = [owner, ...others];
      const replies = await Promise.all(
        all.map((person, i) => {
          const next = all[(i + 1) % all.length]!;
          return i % 2 === 0 ? setRole(person, next.id, 'member') : remove(person, next.id);
        }),
      );
      expect(replies.every(({ status }) => status < 500)).toBe(true);
      const left = Object.values(await roles()).filter((role) => role === 'owner');
      expect(left.length).toBeGreaterThanOrEqual(1);
      await service.services.database.kysely
        .updateTable('membership')
        .set({ role: 'owner' })
        .where('account_id', '=', account.id)
        .execute();
      const at = service.clock.instant();
      await service.services.database.kysely
        .insertInto('membership')
        .values({ account_id: account.id, user_id: owner.id, role: 'owner', created_at: at, updated_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });

  it('are never missing when two owners step down concurrently', async () => {
    const second = await newMember(service, account, 'owner');
    for (let round = 0; round < 5; round += 1) {
      const replies = await Promise.all([setRole(owner, owner.id, 'member'), setRole(second, second.id, 'member')]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
      const [demoted, other] = replies[0].status === 200 ? [owner, second] : [second, owner];
      expect((await setRole(other, demoted.id, 'owner')).status).toBe(200);
    }
  });
});

describe('members', () => {
  const NEVER = () => false;
  let shop: TestAccount;
  let owner: Browser;
  let seller: Program;

  beforeAll(async () => {
    shop = await service.createAccount();
    owner = await signedIn(service, shop.ownerEmail, shop.ownerPassword);
    seller = await program(shop, { days_until_commissions_are_due: 0 }, { walleta_email: 'seller@example.com' });
  });

  const choose = (mails: string[]) => owner.mutate('profile.chooseMails', { account_id: shop.id, mails });
  /** Writes digests in three processes at once. Returns the emails that the owner has received, oldest first. */
  async function told(): Promise<Mail[]> {
    await Promise.all([1, 2, 3].map(() => writeMemberDigests(service.services, NEVER)));
    await sendAllMail(service.services);
    return service.mailbox.takeAll(shop.ownerEmail, /./);
  }
  const subjects = async () => (await told()).map(({ subject }) => subject);

  async function apply(name: string, to = shop, { campaign } = seller): Promise<void> {
    const { id } = await to.client.affiliates.create.mutate({
      email: `${name}@applicant.example`,
      campaign_id: campaign.id,
      state: 'pending',
    });
    const applied_at = service.clock.instant();
    const row = { affiliate_id: id, account_id: to.id, answers: '[]', note: null, applied_at, decided_at: null };
    await service.services.database.kysely.insertInto('affiliate_application').values(row).execute();
  }

  it('get one email about new applications and failing endpoints, at most once an hour', async () => {
    await apply('one');
    await apply('two');
    expect(await subjects()).toEqual([]);
    service.clock.advance(3, 'minutes');
    expect(await subjects()).toEqual(['2 new applications (Test account)']);
    await apply('three');
    service.clock.advance(30, 'minutes');
    expect(await subjects()).toEqual([]);
    service.clock.advance(31, 'minutes');
    expect(await subjects()).toEqual(['1 new application (Test account)']);
    service.clock.advance(2, 'hours');
    expect(await subjects()).toEqual([]);

    const { id } = await shop.client.webhookEndpoints.create.mutate({
      name: 'Orders',
      url: 'http://127.0.0.1/hook',
      event_types: ['payout.paid'],
    });
    const failing_since = service.clock.instant();
    await service.services.database.kysely.updateTable('webhook_endpoint').set({ failing_since }).where('id', '=', id).execute();
    service.clock.advance(58, 'minutes');
    expect(await subjects()).toEqual([]);
    service.clock.advance(5, 'minutes');
    expect(await subjects()).toEqual(['1 webhook endpoint is failing (Test account)']);
    service.clock.advance(2, 'hours');
    expect(await subjects()).toEqual([]);
  });

  it('get the emails that they choose: payouts due on Mondays, flagged commissions, finished runs', async () => {
    const { body } = await owner.query<Outputs['profile']['mails']>('profile.mails', { account_id: shop.id });
    expect(body.result!.data.mails).toEqual([
      'applications',
      'failing_endpoints',
      'finished_runs',
      'changed_payout_details',
      'troubled_payments',
      'troubled_connections',
    ]);
    expect((await owner.mutate('profile.chooseMails', { account_id: account.id, mails: [] })).status).toBe(403);
    const { id: referral_id } = await refer(shop, seller);
    await choose(['payouts_due', 'finished_runs']);
    const untilMonday = () => {
      do service.clock.advance(1, 'hours');
      while (service.clock.now().getUTCDay() !== 1 || service.clock.now().getUTCHours() !== 8);
    };
    untilMonday();
    service.clock.advance(3, 'minutes');
    expect(await subjects()).toEqual([]);
    service.clock.advance(1, 'days');
    await sell(shop, { referral_id });
    service.clock.advance(1, 'hours');
    // The payout has been due since Tuesday, but the next email is sent on Monday.
    expect(await subjects()).toEqual([]);
    untilMonday();
    service.clock.advance(3, 'minutes');
    expect(await subjects()).toEqual(['1 payout is due (Test account)']);
    service.clock.advance(1, 'days');
    expect(await subjects()).toEqual([]);

    const run = { execute_now: true, idempotency_key: 'monday' };
    for (let time = 0; time < 2; time += 1) await shop.client.payoutRuns.create.mutate(run);
    const [finished, ...more] = await told();
    expect(more).toEqual([]);
    await shop.client.payoutRuns.create.mutate({ execute_now: true, livemode: false });
    expect(await subjects()).toEqual([]);
    expect([finished!.subject, /(\d of \d) payouts are paid/.exec(finished!.text)?.[1]]).toEqual([
      'Payout run completed (Test account)',
      '1 of 1',
    ]);

    await choose(['flagged_commissions']);
    await sell(shop, { referral_id, customer_email: seller.affiliate.email });
    service.clock.advance(3, 'minutes');
    expect(await subjects()).toEqual(['1 commission needs a review (Test account)']);
    await apply('four');
    service.clock.advance(3, 'minutes');
    expect(await subjects()).toEqual([]);
  });

  it('get their emails even if the emails of another account fail and are retried', async () => {
    const db = service.services.database.kysely;
    await choose(['failing_endpoints']);
    await db
      .updateTable('webhook_endpoint')
      .set({ failing_since: service.clock.instant() })
      .where('account_id', '=', shop.id)
      .execute();
    await apply('six', account, await program(account));
    service.clock.advance(65, 'minutes');
    await db.updateTable('account').set({ time_zone: 'Atlantis/Centre' }).where('id', '=', account.id).execute();
    await onServer(
      service.databaseUrl,
      `create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger fail before insert on member_mail_progress for each row when (new.account_id = '${account.id}') execute function fail()`,
    );
    await expect(writeMemberDigests(service.services, NEVER)).rejects.toThrow('broken');
    await onServer(service.databaseUrl, 'drop function fail cascade');
    await sendAllMail(service.services);
    const taken = ({ ownerEmail }: TestAccount) => service.mailbox.takeAll(ownerEmail, /./).map(({ subject }) => subject);
    expect([taken(account), taken(shop)]).toEqual([[], ['1 webhook endpoint is failing (Test account)']]);
    expect(await writeMemberDigests(service.services, NEVER)).toBe(1);
    await sendAllMail(service.services);
    expect([taken(account), taken(shop)]).toEqual([['1 new application (Test account)'], []]);
  });

  it('unsubscribe from a kind of email with one click, and get no emails after they leave', async () => {
    await choose(['applications', 'payouts_due']);
    await apply('five');
    service.clock.advance(2, 'hours');
    const [mail] = await told();
    const { pathname, search } = new URL(mail!.unsubscribeUrl!);
    const click = () =>
      fetch(service.url + pathname + search, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    expect((await click()).status).toBe(200);
    const { body } = await owner.query<Outputs['profile']['mails']>('profile.mails', { account_id: shop.id });
    expect(body.result!.data.mails).toEqual(['payouts_due']);
    const token = new URLSearchParams(search).get('token')!;
    const asked = { account_name: 'Test account', is_member: true };
    const stranger = new Browser(service.url, service.services.publicUrl);
    expect((await stranger.query('portal.getEmailChoice', { token })).body.result).toEqual({
      data: { ...asked, gets_emails: false },
    });
    for (let time = 0; time < 2; time += 1) {
      const { body: again } = await stranger.mutate('portal.chooseEmails', { token, gets_emails: true });
      expect(again.result).toEqual({ data: { ...asked, gets_emails: true } });
    }
    const { body: both } = await owner.query<Outputs['profile']['mails']>('profile.mails', { account_id: shop.id });
    expect(both.result!.data.mails).toEqual(['applications', 'payouts_due']);
    await service.services.database.kysely.deleteFrom('membership').where('account_id', '=', shop.id).execute();
    expect((await click()).status).toBe(404);
  });
});
