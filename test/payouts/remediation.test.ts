import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { sell } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { type Payee, type PayoutRun, announcedPaid, discrepancies, itemOf, payee, payoutOf, planRun } from './program.ts';

const service = useService();
const account = useAccount(service);

const run = (input?: Record<string, unknown>) => planRun(account, input);

async function remediate(id: string, input: Record<string, unknown>): Promise<PayoutRun> {
  const { status, body } = await account.api.put<PayoutRun>(`/payout_runs/${id}/remediate`, input);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

async function refused(id: string, input: Record<string, unknown>): Promise<NonNullable<ErrorBody['details']>> {
  const { status, body } = await account.api.put<ErrorBody>(`/payout_runs/${id}/remediate`, input);
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
  return body.details!;
}

const withoutWallet = { person: { walleta_email: null, walletb_email: null } };

function give(payee: Payee, change: Record<string, unknown>) {
  return account.api.patch(`/affiliates/${payee.program.affiliate.id}`, change);
}

/** Creates a run with one paid item, one without payout details, and one whose affiliate is disabled. */
async function troubledRun(): Promise<{ id: string; paid: Payee; poor: Payee; disabled: Payee }> {
  const [paid, poor, disabled] = [await payee(account), await payee(account, withoutWallet), await payee(account)];
  const { id } = await run();
  // Within one second, a change comes before a charge.
  service.clock.advance(1, 'seconds');
  await give(disabled, { state: 'disabled' });
  const { body } = await account.api.put<PayoutRun>(`/payout_runs/${id}/execute`, { async: false });
  expect(body).toMatchObject({ state: 'partially_completed', items_done: 3 });
  return { id, paid, poor, disabled };
}

describe('an Idempotency-Key of a typed client or an assistant', () => {
  const ask = async (id: string, action: 'execute' | 'remediate', input: Record<string, unknown>) => {
    const path = `/trpc/payoutRuns.${action}`;
    const reply = await account.api.post<{ result?: { data: PayoutRun } }>(path, { id, ...input }, { 'Idempotency-Key': 'once' });
    return { status: reply.status, run: reply.body.result?.data };
  };

  it('remediates the rest of a run once, and replays the response', async () => {
    const [kept, dropped] = [await payee(account), await payee(account)];
    const { id } = await run();
    const exclude = { remediation_action: 'exclude', payout_ids: [dropped.payout.id] };
    const first = await ask(id, 'remediate', exclude);
    expect(first).toMatchObject({ status: 200, run: { items_done: 1 } });
    await account.api.put(`/payout_runs/${id}/execute`, { async: false });
    expect(await ask(id, 'remediate', exclude)).toEqual(first);
    expect(await payoutOf(account, kept.payout.id)).toMatchObject({ state: 'paid' });
    expect(await ask(id, 'remediate', { remediation_action: 'retry' })).toMatchObject({ status: 422 });
    expect(await ask(id, 'execute', { async: false })).toMatchObject({ status: 422 });
  });

  it('executes a run once for any number of concurrent requests', async () => {
    const { payout } = await payee(account);
    const { id } = await run();
    const replies = await Promise.all(Array.from({ length: 4 }, () => ask(id, 'execute', { async: false })));
    for (const { status } of replies) expect([200, 409]).toContain(status);
    expect(await ask(id, 'execute', { async: false })).toMatchObject({ status: 200, run: { state: 'completed' } });
    expect(await announcedPaid(service, account.id)).toEqual(new Map([[payout.id, 1]]));
  });
});

describe('retrying a run', () => {
  it('pays items that pass the check now, and leaves the others', async () => {
    const { id, paid, poor, disabled } = await troubledRun();
    await give(poor, { walletb_email: 'new@pay.example' });
    const after = await remediate(id, { remediation_action: 'retry' });
    expect(after).toMatchObject({
      state: 'partially_completed',
      items_total: 3,
      items_done: 3,
      issues: [{ code: 'affiliate_inactive', items_count: 1 }],
    });
    expect(itemOf(after, poor.payout.id)).toMatchObject({ state: 'paid', issue: null });
    expect((await payoutOf(account, poor.payout.id)).state).toBe('paid');

    await give(disabled, { state: 'active' });
    const done = await remediate(id, { remediation_action: 'retry' });
    expect(done).toMatchObject({ state: 'completed', issues: [], totals: [{ paid_cents: 3_000, failed_cents: 0 }] });
    expect(await remediate(id, { remediation_action: 'retry' })).toEqual(done);
    const payouts = [paid, poor, disabled].map(({ payout }) => [payout.id, 1] as const);
    expect(await announcedPaid(service, account.id)).toEqual(new Map(payouts));
    expect(await discrepancies(account)).toEqual([]);
  });

  it('pays the current amount of the payout', async () => {
    const { id, poor } = await troubledRun();
    await sell(account, { referral_id: poor.referral_id, amount_cents: 5_000 });
    await give(poor, { walleta_email: 'new@pay.example' });
    const after = await remediate(id, { remediation_action: 'retry', payout_ids: [poor.payout.id] });
    expect(itemOf(after, poor.payout.id)).toMatchObject({ state: 'paid', amount_cents: 1_500, commissions_count: 2 });
    expect(await payoutOf(account, poor.payout.id)).toMatchObject({ state: 'paid', amount_cents: 1_500 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('can be narrowed by issue and by payout', async () => {
    const { id, poor, disabled } = await troubledRun();
    await give(poor, { walletb_email: 'new@pay.example' });
    await give(disabled, { state: 'active' });
    const first = await remediate(id, { remediation_action: 'retry', issue_code: 'affiliate_inactive' });
    expect([itemOf(first, poor.payout.id).state, itemOf(first, disabled.payout.id).state]).toEqual(['failed', 'paid']);
    const second = await remediate(id, { remediation_action: 'retry', payout_ids: [poor.payout.id] });
    expect(second.state).toBe('completed');
  });

  it('drops items that were paid or claimed elsewhere since', async () => {
    const { id, poor, disabled } = await troubledRun();
    await account.api.post(`/payouts/${poor.payout.id}/pay`);
    await give(disabled, { state: 'active' });
    await account.api.post('/payout_exports', { payout_ids: [disabled.payout.id] });
    const after = await remediate(id, { remediation_action: 'retry' });
    expect(after.state).toBe('completed');
    expect([itemOf(after, poor.payout.id).state, itemOf(after, disabled.payout.id).state]).toEqual(['excluded', 'excluded']);
    expect((await payoutOf(account, disabled.payout.id)).state).toBe('processing');
    expect([...(await announcedPaid(service, account.id)).values()]).toEqual([1, 1]);
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('excluding items from a run', () => {
  it('drops failed items, and completes the run with the last item', async () => {
    const { id, poor } = await troubledRun();
    const first = await remediate(id, { remediation_action: 'exclude', issue_code: 'missing_payout_details' });
    expect(first).toMatchObject({ state: 'partially_completed', items_done: 3 });
    expect(itemOf(first, poor.payout.id)).toMatchObject({ state: 'excluded', issue: null });
    const second = await remediate(id, { remediation_action: 'exclude' });
    expect(second).toMatchObject({ state: 'completed', issues: [], totals: [{ paid_cents: 1_000, excluded_cents: 2_000 }] });
    expect((await payoutOf(account, poor.payout.id)).state).toBe('due');
  });

  it('drops the given planned items before the run is executed', async () => {
    const [kept, dropped] = [await payee(account), await payee(account)];
    const { id } = await run();
    const planned = await remediate(id, { remediation_action: 'exclude', payout_ids: [dropped.payout.id] });
    expect(planned).toMatchObject({ state: 'planned', items_total: 2, items_done: 1 });
    expect((await payoutOf(account, dropped.payout.id)).state).toBe('due');
    const { body } = await account.api.put<PayoutRun>(`/payout_runs/${id}/execute`, { async: false });
    expect(body).toMatchObject({ state: 'completed', items_done: 2, totals: [{ paid_cents: 1_000, excluded_cents: 1_000 }] });
    expect((await payoutOf(account, kept.payout.id)).state).toBe('paid');
    expect((await payoutOf(account, dropped.payout.id)).state).toBe('due');
  });
});

describe('canceling a run', () => {
  it('releases a planned run', async () => {
    const payees = [await payee(account), await payee(account)];
    const { id } = await run();
    service.clock.advance(1, 'minutes');
    const canceled = await remediate(id, { remediation_action: 'cancel' });
    expect(canceled).toMatchObject({
      state: 'canceled',
      canceled_at: service.clock.instant(),
      items_done: 2,
      totals: [{ canceled_cents: 2_000, planned_cents: 0 }],
    });
    for (const { payout } of payees) expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'due', eligible: true });
    expect(await remediate(id, { remediation_action: 'cancel' })).toEqual(canceled);
    expect((await account.api.put(`/payout_runs/${id}/execute`, { async: false })).status).toBe(422);
    expect((await run()).items_total).toBe(2);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('stops a run that is executing', async () => {
    const { payout } = await payee(account);
    const { id } = await run();
    await account.api.put(`/payout_runs/${id}/execute`, {});
    expect(await remediate(id, { remediation_action: 'cancel' })).toMatchObject({ state: 'canceled' });
    expect((await payoutOf(account, payout.id)).state).toBe('due');
  });

  it('keeps paid items and the issues', async () => {
    const { id, paid } = await troubledRun();
    expect(await remediate(id, { remediation_action: 'cancel' })).toMatchObject({
      state: 'canceled',
      issues: [{ items_count: 1 }, { items_count: 1 }],
    });
    expect((await payoutOf(account, paid.payout.id)).state).toBe('paid');
  });
});

describe('the remediation of a run', () => {
  it('is refused for a run in the wrong state', async () => {
    await payee(account);
    const planned = await run();
    expect(await refused(planned.id, { remediation_action: 'retry' })).toMatchObject([
      { path: 'remediation_action', code: 'invalid_state' },
    ]);
    await account.api.put(`/payout_runs/${planned.id}/execute`, {});
    for (const remediation_action of ['retry', 'exclude'])
      expect(await refused(planned.id, { remediation_action })).toMatchObject([{ code: 'invalid_state' }]);
    await account.api.put(`/payout_runs/${planned.id}/execute`, { async: false });
    expect(await refused(planned.id, { remediation_action: 'cancel' })).toMatchObject([{ code: 'invalid_state' }]);
  });

  it('is refused for payouts that the action does not apply to', async () => {
    const { id, paid, poor } = await troubledRun();
    const stranger = await payee(account);
    for (const remediation_action of ['retry', 'exclude']) {
      const payout_ids = [poor, paid, stranger].map(({ payout }) => payout.id);
      const details = await refused(id, { remediation_action, payout_ids });
      expect(details.map(({ path, code }) => [path, code])).toEqual([
        ['payout_ids.1', 'not_applicable'],
        ['payout_ids.2', 'not_applicable'],
      ]);
    }
    expect(
      await refused(id, { remediation_action: 'cancel', payout_ids: [poor.payout.id], issue_code: 'not_positive' }),
    ).toMatchObject([{ path: 'issue_code' }, { path: 'payout_ids' }]);
  });

  it.each([
    ['remediation_action', {}],
    ['remediation_action', { remediation_action: 'forget' }],
    ['issue_code', { remediation_action: 'retry', issue_code: 'bad_luck' }],
    ['payout_ids', { remediation_action: 'retry', payout_ids: [] }],
    ['force', { remediation_action: 'retry', force: true }],
  ])('is refused with a bad %s', async (path, input) => {
    const { id } = await run();
    expect((await refused(id, input)).map((detail) => detail.path)).toContain(path);
  });

  it('is refused for another account', async () => {
    const { id } = await run();
    const other = await service.createAccount();
    expect((await other.api.put(`/payout_runs/${id}/remediate`, { remediation_action: 'cancel' })).status).toBe(404);
    expect((await account.api.put('/payout_runs/nonsense/remediate', { remediation_action: 'cancel' })).status).toBe(404);
  });
});
