import { createMember } from '@affiliate/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, newMember, ownerOf } from '../support/people.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';

type Page = Outputs['members']['list'];

let service: TestService;
let account: TestAccount;
let owner: Person;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
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

it('lists members with their role, to admins', async () => {
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

it('finds no member of another account', async () => {
  const stranger = await newMember(service, await service.createAccount(), 'member');
  expect((await setRole(owner, stranger.id, 'admin')).status).toBe(404);
  expect((await remove(owner, stranger.id)).status).toBe(404);
});

it('changes a person’s permissions at once', async () => {
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

  it('are not made by a key, whatever its permissions', async () => {
    const member = await newMember(service, account, 'member');
    const reply = await account.api.send('POST', '/trpc/members.updateRole', { body: { user_id: member.id, role: 'owner' } });
    expect(reply.status).toBe(403);
    const promoted = await account.api.send('POST', '/trpc/members.updateRole', { body: { user_id: member.id, role: 'admin' } });
    expect(promoted.status).toBe(200);
  });

  it('remain: the last one cannot be removed or demoted', async () => {
    expect(await setRole(owner, owner.id, 'admin')).toMatchObject({
      status: 422,
      body: { error: { data: { code: 'VALIDATION_ERROR' } } },
    });
    expect((await remove(owner, owner.id)).status).toBe(422);
    expect((await setRole(owner, owner.id, 'owner')).status).toBe(200);
    expect(await roles()).toEqual({ [owner.id]: 'owner' });
  });

  it('remain after commands of the operator', async () => {
    const demote = () =>
      createMember(service.services, { accountId: account.id, email: owner.email, password: 'x', role: 'member' });
    await expect(demote()).rejects.toThrow(/needs at least one owner/);
    await newMember(service, account, 'owner');
    await demote();
    expect((await roles())[owner.id]).toBe('member');
  });

  it('remain when all of them demote each other concurrently', async () => {
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

  it('remain when two step down concurrently', async () => {
    const second = await newMember(service, account, 'owner');
    for (let round = 0; round < 5; round += 1) {
      const replies = await Promise.all([setRole(owner, owner.id, 'member'), setRole(second, second.id, 'member')]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
      const [demoted, other] = replies[0].status === 200 ? [owner, second] : [second, owner];
      expect((await setRole(other, demoted.id, 'owner')).status).toBe(200);
    }
  });
});
