import { createAccount, purgeDeletedAccounts, testAccountOf } from '@affiliate/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Browser } from '../support/browser.ts';
import { NEW_PROGRAM } from '../support/new-program.ts';
import { type Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';

const EXAMPLE = {
  name: 'Demo shop',
  currency: 'USD',
  isExample: true,
  ownerEmail: 'owner@demo.example',
  ownerPassword: 'the demo password',
};

const service = useService();
let owner: Browser;
let exampleId: string;

const db = () => service.services.database.kysely;
const accounts = () => db().selectFrom('account').select(['name']).orderBy('name').execute();

async function signedIn(email: string, password: string): Promise<Browser> {
  const browser = new Browser(service.url, service.services.publicUrl);
  expect(await browser.signIn(email, password)).toMatchObject({ status: 200 });
  return browser;
}

const remove = (browser: Browser, account_id = exampleId) => browser.mutate('account.removeExample', { account_id });

async function startProgram(changes: Partial<typeof NEW_PROGRAM> = {}) {
  const { token } = (await owner.mutate<{ token: string }>('setup.startOwnProgram', {})).body.result!.data;
  const visitor = new Browser(service.url, service.services.publicUrl);
  return visitor.mutate<{ account_id: string }>('setup.complete', { token, ...NEW_PROGRAM, ...changes });
}

beforeEach(async () => {
  await db().deleteFrom('account').execute();
  await db().deleteFrom('auth_user').execute();
  exampleId = (await createAccount(service.services, EXAMPLE)).account_id;
  owner = await signedIn(EXAMPLE.ownerEmail, EXAMPLE.ownerPassword);
});

describe('a program started from the example', () => {
  it('sets up an installation without accounts, only once, and its owner also owns the example', async () => {
    expect((await owner.query('setup.isNeeded', {})).body.result?.data).toEqual({ is_needed: false });
    const done = await startProgram();
    expect(done).toMatchObject({ status: 200 });
    const grace = await signedIn(NEW_PROGRAM.owner_email, NEW_PROGRAM.owner_password);
    expect((await grace.query('session.get', {})).body.result?.data).toMatchObject({
      accounts: [
        { id: exampleId, role: 'owner', is_example: true },
        { id: done.body.result!.data.account_id, role: 'owner', is_example: false, time_zone: 'UTC' },
      ],
    });
    expect(await owner.mutate('setup.startOwnProgram', {})).toMatchObject({ status: 409 });
  });

  it('shows its owner the test mode of the example once, and keeps the example while the only other program is being deleted', async () => {
    const inTestMode = { 'X-Account-Id': testAccountOf(exampleId) };
    expect(await owner.query('campaigns.list', {}, inTestMode)).toMatchObject({ status: 200 });
    const { account_id } = (await startProgram()).body.result!.data;
    const grace = await signedIn(NEW_PROGRAM.owner_email, NEW_PROGRAM.owner_password);
    const idsOf = async () =>
      (await grace.query<Outputs['session']['get']>('session.get', {})).body.result!.data.accounts.map(({ id }) => id).toSorted();
    expect(await idsOf()).toEqual([account_id, exampleId, testAccountOf(exampleId)].toSorted());
    expect(await grace.query('campaigns.list', {}, { 'X-Account-Id': testAccountOf(account_id) })).toMatchObject({ status: 200 });
    expect(await grace.mutate('account.delete', { account_id, name: NEW_PROGRAM.program_name })).toMatchObject({ status: 200 });
    expect(await remove(grace)).toMatchObject({ status: 422 });
  });

  it('can be started only by an owner of the example, and not for a person from the example', async () => {
    const other = await createAccount(service.services, { ...EXAMPLE, isExample: false, ownerEmail: 'other@example.com' });
    const stranger = await signedIn('other@example.com', EXAMPLE.ownerPassword);
    expect(await stranger.mutate('setup.startOwnProgram', {})).toMatchObject({ status: 403 });
    await db().deleteFrom('account').where('id', '=', other.account_id).execute();
    const refused = await startProgram({ owner_email: 'Owner@demo.example' });
    expect({ status: refused.status, data: refused.body.error?.data }).toMatchObject({
      status: 422,
      data: { details: [{ path: 'owner_email', code: 'taken' }] },
    });
    expect(await accounts()).toEqual([{ name: 'Demo shop' }]);
  });
});

describe('another program', () => {
  const create = (browser: Browser, name = 'Second shop') =>
    browser.mutate<{ account_id: string }>('account.create', { name, currency: 'EUR', time_zone: 'Europe/Berlin' });

  it('is created by any owner, who owns it and can leave only a program with another owner', async () => {
    await startProgram();
    const { account_id } = (await create(owner)).body.result!.data;
    const inside = { 'X-Account-Id': account_id };
    expect((await owner.query('session.get', {})).body.result?.data).toMatchObject({
      accounts: [
        { id: exampleId, is_example: true },
        { id: account_id, name: 'Second shop', role: 'owner', currency: 'EUR', time_zone: 'Europe/Berlin', is_example: false },
      ],
    });
    expect((await owner.query('apiKeys.list', {}, inside)).body.result?.data).toMatchObject({ data: [] });
    expect(await owner.mutate('account.leave', { account_id })).toMatchObject({ status: 422 });
    const { data } = (await owner.query<Outputs['auditLog']['browse']>('auditLog.browse', {}, inside)).body.result!.data;
    expect(data).toMatchObject([{ tool: 'account', action: 'create' }]);

    const grace = await signedIn(NEW_PROGRAM.owner_email, NEW_PROGRAM.owner_password);
    const me = await db()
      .selectFrom('auth_user')
      .select('id')
      .where('email', '=', NEW_PROGRAM.owner_email)
      .executeTakeFirstOrThrow();
    const at = service.clock.instant();
    await db()
      .insertInto('membership')
      .values({ account_id, user_id: me.id, role: 'member', created_at: at, updated_at: at })
      .execute();
    expect(await grace.mutate('account.leave', { account_id })).toMatchObject({ status: 200 });
    expect(await grace.query('campaigns.list', {}, inside)).toMatchObject({ status: 403 });
  });

  it('is refused to people who own none', async () => {
    await startProgram();
    await db().updateTable('membership').set({ role: 'admin' }).where('account_id', '=', exampleId).execute();
    expect(await create(owner)).toMatchObject({ status: 403 });
  });
});

describe('removing the example', () => {
  it('is refused without another program, for other accounts, and for people who do not own the example', async () => {
    expect(await remove(owner)).toMatchObject({ status: 422 });
    const { account_id } = (await startProgram()).body.result!.data;
    const grace = await signedIn(NEW_PROGRAM.owner_email, NEW_PROGRAM.owner_password);
    expect(await remove(grace, account_id)).toMatchObject({ status: 422 });
    expect(await remove(owner, account_id)).toMatchObject({ status: 403 });
    await db().updateTable('membership').set({ role: 'admin' }).where('account_id', '=', exampleId).execute();
    expect(await remove(grace)).toMatchObject({ status: 403 });
    expect(await accounts()).toEqual([{ name: 'Demo shop' }, { name: 'My shop' }]);
  });

  it('takes effect immediately, ends the sessions of its people, and is logged in the remaining program', async () => {
    await startProgram();
    const grace = await signedIn(NEW_PROGRAM.owner_email, NEW_PROGRAM.owner_password);
    expect((await Promise.all([remove(grace), remove(grace)])).map(({ status }) => status)).toContain(200);
    expect(await accounts()).toEqual([{ name: 'My shop' }]);
    expect(await owner.query('session.get', {})).toMatchObject({ status: 401 });
    expect(await db().selectFrom('auth_user').select('email').execute()).toEqual([{ email: NEW_PROGRAM.owner_email }]);
    expect((await grace.query('session.get', {})).body.result?.data).toMatchObject({ accounts: [{ name: 'My shop' }] });
    const entries = await db()
      .selectFrom('audit_log')
      .select(['tool', 'action', 'arguments', 'caller_kind'])
      .where('tool', '<>', 'sign_in')
      .execute();
    expect(entries).toEqual([
      {
        tool: 'account',
        action: 'remove_example',
        arguments: { account_id: exampleId, name: 'Demo shop' },
        caller_kind: 'session',
      },
    ]);
  });

  it('is completed by the purge if the process dies, and nobody has access until then', async () => {
    await startProgram();
    const grace = await signedIn(NEW_PROGRAM.owner_email, NEW_PROGRAM.owner_password);
    // The transaction that ends all access commits. The later statements that delete the records fail, as if the process had died.
    const { kysely } = service.services.database;
    const broken = vi.spyOn(kysely, 'deleteFrom').mockImplementation(() => {
      throw new Error('the process died');
    });
    expect(await remove(grace)).toMatchObject({ status: 200 });
    broken.mockRestore();
    expect(await accounts()).toEqual([{ name: 'Demo shop' }, { name: 'My shop' }]);
    expect(await owner.query('session.get', {})).toMatchObject({ status: 401 });
    expect(await remove(grace)).toMatchObject({ status: 403 });
    expect(await purgeDeletedAccounts(service.services)).toBe(1);
    expect(await accounts()).toEqual([{ name: 'My shop' }]);
  });
});
