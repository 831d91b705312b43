/** A poller asks for all changes since its last poll. Therefore a change that a poll did not see must not get a time before that poll. */
import { expect, it } from 'vitest';
import { payee } from '../payouts/program.ts';
import { Locks } from '../support/locks.ts';
import { type Program, program, refer, sell } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');

/** Starts `change` while the affiliate is locked, then unlocks it. Returns the outcome, and a time at which the change was still waiting. */
async function whileLocked<T>(affiliateId: string, change: () => Promise<T>): Promise<[outcome: T, polledAt: string]> {
  await using locks = await Locks.open(service.databaseUrl, account.id);
  const affiliate = await locks.affiliate(affiliateId);
  await affiliate.held;
  const outcome = change();
  await locks.areWaiting(1);
  service.clock.advance(1, 'minutes');
  const polledAt = service.clock.instant();
  await affiliate.release();
  service.clock.advance(1, 'minutes');
  return [await outcome, polledAt];
}

/** Returns the ids that a poller finds. */
async function changedSince(path: string, updated_since: string): Promise<string[]> {
  const { body } = await account.api.get<{ data: { id: string }[] }>(path, { updated_since });
  return body.data.map(({ id }) => id);
}

const CHANGES: [name: string, path: string, change: (started: Program) => Promise<() => Promise<string>>][] = [
  [
    'an affiliate',
    '/affiliates',
    async ({ affiliate }) =>
      async () => {
        await account.api.patch(`/affiliates/${affiliate.id}`, { first_name: 'Augusta' });
        return affiliate.id;
      },
  ],
  [
    'the commission of a sale',
    '/commissions',
    async (started) => {
      const { id: referral_id } = await refer(account, started);
      return async () => (await sell(account, { referral_id })).commission!.id;
    },
  ],
];

it.each(CHANGES)('%s that waited for a lock is found by the next poll', async (_name, path, prepare) => {
  const started = await program(account);
  const change = await prepare(started);
  const [id, polledAt] = await whileLocked(started.affiliate.id, change);
  expect(await changedSince(path, polledAt)).toContain(id);
});

it('a paid payout that waited for a lock is found by the next poll, with its commissions', async () => {
  const { program: started, payout } = await payee(account);
  const [reply, polledAt] = await whileLocked(started.affiliate.id, () => account.api.post(`/payouts/${payout.id}/pay`));
  expect(reply.status).toBe(200);
  expect(await changedSince('/payouts', polledAt)).toContain(payout.id);
  expect(await changedSince('/commissions', polledAt)).not.toEqual([]);
});

it('the time of a change never runs backwards', async () => {
  const { affiliate } = await program(account);
  const now = service.clock.instant();
  service.clock.set(new Date(Date.parse(now) - 3_600_000).toISOString());
  await account.api.patch(`/affiliates/${affiliate.id}`, { first_name: 'Augusta' });
  service.clock.set(now);
  const { body } = await account.api.get(`/affiliates/${affiliate.id}`);
  expect(body).toMatchObject({ first_name: 'Augusta', updated_at: affiliate.updated_at });
});
