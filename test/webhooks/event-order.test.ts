import { afterAll, beforeAll, expect, it } from 'vitest';
import { must, program, refer, sell, unique } from '../support/program.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startService();
  account = await service.createAccount();
});
afterAll(() => service.stop());

/** Returns the account's events after this one, sorted by id. */
const eventsAfter = (id: string) =>
  service.services.database.kysely
    .selectFrom('event')
    .select(['id', 'type', 'subject_id', 'body'])
    .where('account_id', '=', account.id)
    .where('id', '>', id)
    .orderBy('id')
    .execute();

it('a consumer that reads events in the order of their ids misses no event of concurrent changes', async () => {
  const programs = await Promise.all([0, 1, 2, 3].map(() => program(account)));
  const referrals = await Promise.all(programs.map((each) => refer(account, each)));
  const state = { writing: true };
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; i < 10; i += 1) {
      if (writer % 2 === 0)
        await must(account, '/affiliates', { email: `${unique('eve')}@example.com`, campaign_id: programs[0]!.campaign.id });
      else await sell(account, { referral_id: referrals[writer % 4]!.id });
    }
  });
  const done = Promise.all(writers).finally(() => (state.writing = false));
  const seen: string[] = [];
  do {
    for (const { id } of await eventsAfter(seen.at(-1) ?? '')) seen.push(id);
  } while (state.writing);
  await done;
  const all = (await eventsAfter('')).map(({ id }) => id);
  for (const { id } of await eventsAfter(seen.at(-1) ?? '')) seen.push(id);
  expect(seen).toEqual(all);
  // Each affiliate has two events (created, approved), and each sale one or two.
  expect(all.length).toBeGreaterThan(8 * 10);
});

it('events of one change keep their order', async () => {
  const before = (await eventsAfter('')).at(-1)!.id;
  const { affiliate } = await program(account);
  const own = (await eventsAfter(before)).filter(({ subject_id }) => subject_id === affiliate.id);
  expect(own.map(({ type }) => type)).toEqual(['affiliate.created', 'affiliate.approved']);
  for (const { id, body } of own) expect(JSON.parse(body)).toMatchObject({ id });
});
