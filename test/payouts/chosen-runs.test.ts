import { expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { useAccount, useService } from '../support/suite.ts';
import { executeRun, openPayout, payee, payoutOf, planRun } from './program.ts';

const service = useService();
const account = useAccount(service);

const payoutOfPayee = async () => openPayout(account, (await payee(account)).program.affiliate.id);

it('a run of given payouts pays these and no others, once, however often it is repeated', async () => {
  const [first, second, third] = [await payoutOfPayee(), await payoutOfPayee(), await payoutOfPayee()];
  const input = { payout_ids: [first.id, third.id, first.id], idempotency_key: 'chosen' };
  const run = await planRun(account, input);
  expect(run.items.map(({ payout_id }) => payout_id).toSorted()).toEqual([first.id, third.id].toSorted());
  await executeRun(account, run.id);
  const states = await Promise.all([first, second, third].map(async ({ id }) => (await payoutOf(account, id)).state));
  expect(states).toEqual(['paid', 'due', 'paid']);
  expect((await planRun(account, input, 200)).id).toBe(run.id);
  const other = await account.api.post<ErrorBody>('/payout_runs', { ...input, payout_ids: [second.id] });
  expect(other).toMatchObject({ status: 422, body: { details: [{ path: 'idempotency_key' }] } });
});

it('a run of payouts that are unknown, foreign or not eligible is refused, and claims nothing', async () => {
  const [open, paid] = [await payoutOfPayee(), await payoutOfPayee()];
  await account.api.post(`/payouts/${paid.id}/pay`, {});
  const other = await service.createAccount();
  const foreign = await openPayout(other, (await payee(other)).program.affiliate.id);
  const { status, body } = await account.api.post<ErrorBody>('/payout_runs', {
    payout_ids: [open.id, paid.id, foreign.id, 'payout_x'],
  });
  expect([status, body.details!.map(({ path, code }) => [path, code])]).toEqual([
    422,
    [
      ['payout_ids.1', 'not_eligible'],
      ['payout_ids.2', 'not_found'],
      ['payout_ids.3', 'not_found'],
    ],
  ]);
  expect((await payoutOf(account, open.id)).state).toBe('due');
  expect((await account.api.post('/payout_runs', { payout_ids: null })).status).toBe(422);
});
