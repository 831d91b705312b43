import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { must, program, refer, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');

/** Reads the account's events after a sequence number, as a mirror does. */
const eventsAfter = async (sequence: number) => {
  const { body } = await account.api.get<Outputs['events']['list']>('/events', `after_sequence=${sequence}&limit=100`);
  return body.data;
};

/** Reads on until there is no later event. Returns the sequence numbers. */
const readOn = async (seen: number[]) => {
  for (let more = await eventsAfter(seen.at(-1) ?? 0); more.length > 0; more = await eventsAfter(seen.at(-1)!))
    seen.push(...more.map(({ sequence }) => sequence));
  return seen;
};

it('a consumer that reads events in the order of their sequence misses no event of concurrent changes', async () => {
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
  const seen: number[] = [];
  while (state.writing) await readOn(seen);
  await done;
  await readOn(seen);
  const { rows } = await sql<{ sequence: number; id: string; body: string }>`
    select sequence, id, body from event where account_id = ${account.id} order by id`.execute(service.services.database.kysely);
  expect(seen).toEqual(rows.map(({ sequence }) => sequence));
  expect(seen).toEqual(Array.from({ length: rows.length }, (_, i) => i + 1));
  for (const { sequence, body } of rows) expect(JSON.parse(body)).toMatchObject({ sequence });
  // Each affiliate has two events (created, approved), and each sale one or two.
  expect(seen.length).toBeGreaterThan(8 * 10);
});

it('events of one change keep their order', async () => {
  const before = (await readOn([])).at(-1)!;
  const { affiliate } = await program(account);
  const own = (await eventsAfter(before)).filter(({ subject_id }) => subject_id === affiliate.id);
  expect(own.map(({ type }) => type)).toEqual(['affiliate.created', 'affiliate.approved']);
});
