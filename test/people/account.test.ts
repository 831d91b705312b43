import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { type Person, newMember, ownerOf } from '../support/people.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';

type Session = Outputs['account']['update'];

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
});

const update = (by: Person, changes: Record<string, unknown>) =>
  by.browser.mutate<Session>('account.update', { account_id: account.id, ...changes });

async function stored(): Promise<Record<string, unknown>> {
  const db = service.services.database.kysely;
  return db.selectFrom('account').select(['name', 'currency']).where('id', '=', account.id).executeTakeFirstOrThrow();
}

it('is renamed and gets another default currency, by owners and admins', async () => {
  const owner = await ownerOf(service, account);
  const { status, body } = await update(owner, { name: 'Northwind Tea', currency: 'eur', time_zone: 'Europe/Berlin' });
  expect(status).toBe(200);
  const { accounts } = body.result!.data;
  expect(accounts).toEqual([
    {
      id: account.id,
      name: 'Northwind Tea',
      currency: 'EUR',
      role: 'owner',
      time_zone: 'Europe/Berlin',
      mail_language: 'en',
      code_before_link: false,
      is_example: false,
      second_factor_required_from: null,
      lacks_second_factor: false,
      deletion_scheduled_at: null,
    },
  ]);
  const terms = { name: 'Fixed', url: 'https://shop.example.com', reward_type: 'fixed', commission_amount_cents: 500 };
  expect((await account.api.post('/campaigns', terms)).body).toMatchObject({ commission_amount_currency: 'EUR' });

  const admin = await newMember(service, account, 'admin');
  expect((await update(admin, { name: 'Northwind' })).status).toBe(200);
  expect(await stored()).toEqual({ name: 'Northwind', currency: 'EUR' });
});

it('cannot be changed by others, who cannot tell whether it exists', async () => {
  const before = await stored();
  const member = await newMember(service, account, 'member');
  const stranger = await newMember(service, await service.createAccount(), 'owner');
  const refusals = [await update(member, { name: 'Mine' }), await update(stranger, { name: 'Mine' })];
  refusals.push(await stranger.browser.mutate<Session>('account.update', { account_id: 'acct_nobody', name: 'Mine' }));
  for (const { status, body } of refusals)
    expect({ status, error: body.error }).toEqual({ status: 403, error: refusals[0]!.body.error });
  const withKey = await send(`${service.url}/trpc/account.update`, 'POST', {
    headers: account.api.headers,
    body: { account_id: account.id, name: 'Mine' },
  });
  expect(withKey.status).toBe(401);
  expect(await stored()).toEqual(before);
});

it.each([
  ['name', { name: '  ' }],
  ['currency', { currency: 'XXY' }],
  ['time_zone', { time_zone: 'CET' }],
  ['time_zone', { time_zone: 'Europe/Nowhere' }],
])('refuses a bad %s', async (path, changes) => {
  const before = await stored();
  const { status, body } = await update(await ownerOf(service, account), changes);
  expect({ status, data: body.error?.data }).toMatchObject({ status: 422, data: { details: [{ path }] } });
  expect(await stored()).toEqual(before);
});
