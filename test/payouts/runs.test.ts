import { advancePayoutBatches } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { interruptAfter } from '../support/interrupt.ts';
import { sell } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import {
  type PayoutRun,
  announcedPaid,
  discrepancies,
  executeRun,
  itemOf,
  openPayout,
  payee,
  payoutOf,
  planRun,
} from './program.ts';

const service = useService();
const account = useAccount(service);

const noneToReport = async () => expect(await discrepancies(account)).toEqual([]);

const plan = (input: Record<string, unknown> = {}, status = 201) => planRun(account, input, status);
const execute = (id: string, input?: Record<string, unknown>) => executeRun(account, id, input);

describe('creating a run', () => {
  it('plans and claims every eligible payout', async () => {
    const [first, second] = [await payee(account), await payee(account, { amount_cents: 7_000, currency: 'EUR' })];
    const small = await payee(account, { terms: { minimum_payout_cents: 5_000 } });
    service.clock.advance(1, 'minutes');
    const body = await plan();
    expect(body).toEqual({
      id: expect.stringMatching(/^prun_[0-9a-hjkmnp-tv-z]{26}$/),
      state: 'planned',
      livemode: true,
      idempotency_key: body.id,
      affiliate_ids: null,
      payment_reference: null,
      items_total: 2,
      items_done: 0,
      totals: [
        expect.objectContaining({ currency: 'EUR', items_count: 1, amount_cents: 700, planned_cents: 700, paid_cents: 0 }),
        expect.objectContaining({ currency: 'USD', items_count: 1, amount_cents: 1_000, planned_cents: 1_000, paid_cents: 0 }),
      ],
      issues: [],
      items: [first, second].map(({ payout }) => ({
        payout_id: payout.id,
        affiliate_id: payout.affiliate_id,
        state: 'planned',
        amount_cents: payout.amount_cents,
        currency: payout.currency,
        commissions_count: 1,
        issue: null,
      })),
      executed_at: null,
      completed_at: null,
      canceled_at: null,
      created_at: service.clock.instant(),
      updated_at: service.clock.instant(),
    });
    expect((await payoutOf(account, first.payout.id)).state).toBe('processing');
    expect((await payoutOf(account, small.payout.id)).state).toBe('pending');
    expect((await account.api.post(`/payouts/${first.payout.id}/pay`)).status).toBe(422);
    expect((await account.api.post('/payout_exports', { payout_ids: [first.payout.id] })).status).toBe(422);
    expect((await plan()).items_total).toBe(0);
    await noneToReport();
  });

  it('can be limited to affiliates', async () => {
    const [wanted, other] = [await payee(account), await payee(account)];
    const run = await plan({ affiliate_ids: [wanted.program.affiliate.id] });
    expect(run.items.map(({ payout_id }) => payout_id)).toEqual([wanted.payout.id]);
    expect(run.affiliate_ids).toEqual([wanted.program.affiliate.id]);
    expect((await payoutOf(account, other.payout.id)).state).toBe('due');
  });

  it('refuses unknown affiliates and affiliates of another account', async () => {
    const { program } = await payee(account);
    const foreign = await payee(await service.createAccount());
    const affiliate_ids = [program.affiliate.id, foreign.program.affiliate.id, 'nonsense'];
    const { status, body } = await account.api.post<ErrorBody>('/payout_runs', { affiliate_ids });
    expect(status).toBe(422);
    expect(body.details!.map(({ path }) => path)).toEqual(['affiliate_ids.1', 'affiliate_ids.2']);
  });

  it('creates one run per idempotency_key', async () => {
    await payee(account);
    const first = await plan({ idempotency_key: 'november' });
    expect(await plan({ idempotency_key: 'november' }, 200)).toEqual(first);
    const executed = await execute(first.id);
    expect(await plan({ idempotency_key: 'november' }, 200)).toEqual(executed);
    for (const other of [
      { execute_now: true },
      { payment_reference: 'x' },
      { affiliate_ids: [executed.items[0]!.affiliate_id] },
    ]) {
      const { status, body } = await account.api.post<ErrorBody>('/payout_runs', { idempotency_key: 'november', ...other });
      expect({ status, body }).toMatchObject({
        status: 422,
        body: { details: [{ path: 'idempotency_key', code: 'idempotency_key_reused' }] },
      });
    }
    const elsewhere = await service.createAccount();
    expect((await elsewhere.api.post('/payout_runs', { idempotency_key: 'november' })).status).toBe(201);
  });

  it('creates one run per idempotency_key for concurrent requests', async () => {
    const payees = [await payee(account), await payee(account)];
    const ask = () => account.api.post<PayoutRun>('/payout_runs', { idempotency_key: 'now', execute_now: true });
    const replies = await Promise.all(Array.from({ length: 8 }, ask));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    for (const { body } of replies) expect(body).toMatchObject({ state: 'completed', items_done: 2 });
    expect(await announcedPaid(service, account.id)).toEqual(new Map(payees.map(({ payout }) => [payout.id, 1])));
  });

  it('replays the response under an Idempotency-Key', async () => {
    await payee(account);
    const key = { 'Idempotency-Key': 'abc' };
    const first = await account.api.post<PayoutRun>('/payout_runs', {}, key);
    await execute(first.body.id);
    const second = await account.api.post<PayoutRun>('/payout_runs', {}, key);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    expect((await account.api.post('/payout_runs', { execute_now: true }, key)).status).toBe(422);
  });

  it('continues the run that an interrupted request with the same Idempotency-Key began', async () => {
    const { payout } = await payee(account);
    const ask = () => account.api.post<PayoutRun>('/payout_runs', { execute_now: true }, { 'Idempotency-Key': 'interrupted' });
    await interruptAfter(service.services, 1, async () => expect((await ask()).status).toBe(500));
    const begun = await account.client.payoutRuns.list.query({});
    expect(begun.data).toMatchObject([{ state: 'executing', items_done: 0 }]);

    const resumed = await ask();
    expect(resumed).toMatchObject({ status: 201, body: { id: begun.data[0]?.id, state: 'completed', items_done: 1 } });
    expect(resumed.headers.has('Idempotent-Replayed')).toBe(false);
    expect((await ask()).headers.get('Idempotent-Replayed')).toBe('true');
    expect((await account.client.payoutRuns.list.query({})).data).toHaveLength(1);
    expect(await announcedPaid(service, account.id)).toEqual(new Map([[payout.id, 1]]));
  });

  it('creates one run for concurrent requests with one Idempotency-Key', async () => {
    await payee(account);
    const ask = () => account.api.post<PayoutRun | ErrorBody>('/payout_runs', {}, { 'Idempotency-Key': 'xyz' });
    const replies = await Promise.all([ask(), ask(), ask()]);
    const ids = replies.flatMap(({ body }) => ('id' in body ? body.id : []));
    expect(new Set(ids).size).toBe(1);
    for (const { status } of replies) expect([201, 409]).toContain(status);
  });

  it.each([
    ['idempotency_key', { idempotency_key: '' }],
    ['execute_now', { execute_now: 'yes' }],
    ['affiliate_ids', { affiliate_ids: [] }],
    ['payment_reference', { payment_reference: '  ' }],
    ['payout_ids', { payout_ids: [] }],
  ])('refuses a bad %s', async (path, input) => {
    const { status, body } = await account.api.post<ErrorBody>('/payout_runs', input);
    expect(status).toBe(422);
    expect(body.details!.map((detail) => detail.path)).toContain(path);
  });
});

describe('executing a run', () => {
  it('pays every item once, with its commissions', async () => {
    const payees = [await payee(account), await payee(account, { currency: 'EUR' })];
    const { id } = await plan();
    service.clock.advance(1, 'hours');
    const at = service.clock.instant();
    const run = await execute(id, { async: false, payment_reference: 'wire 9' });
    expect(run).toMatchObject({
      state: 'completed',
      items_total: 2,
      items_done: 2,
      payment_reference: 'wire 9',
      executed_at: at,
      completed_at: at,
      issues: [],
      totals: [
        { currency: 'EUR', paid_cents: 1_000, planned_cents: 0 },
        { currency: 'USD', paid_cents: 1_000, planned_cents: 0 },
      ],
    });
    for (const { payout } of payees) {
      expect(itemOf(run, payout.id)).toMatchObject({ state: 'paid', issue: null });
      const { body } = await account.api.get<typeof payout>(`/payouts/${payout.id}`, { expand: 'commissions' });
      expect(body).toMatchObject({
        state: 'paid',
        paid_at: at,
        payment_reference: 'wire 9',
        commissions: [{ state: 'paid', paid_at: at }],
      });
    }
    service.clock.advance(1, 'hours');
    expect(await execute(id, { async: false, payment_reference: 'another' })).toEqual(run);
    expect(await announcedPaid(service, account.id)).toEqual(new Map(payees.map(({ payout }) => [payout.id, 1])));
    await noneToReport();
  });

  it('happens at once with execute_now', async () => {
    const { payout } = await payee(account);
    const run = await plan({ execute_now: true, payment_reference: 'wire 10' });
    expect(run).toMatchObject({ state: 'completed', items_done: 1, payment_reference: 'wire 10' });
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid', payment_reference: 'wire 10' });
  });

  it('is done by default by a worker, which reports its progress', async () => {
    const { payout } = await payee(account);
    const { id } = await plan();
    const accepted = await execute(id, {});
    expect(accepted).toMatchObject({ state: 'executing', items_done: 0, completed_at: null });
    expect((await payoutOf(account, payout.id)).state).toBe('processing');
    await advancePayoutBatches(service.services);
    expect((await payoutOf(account, payout.id)).state).toBe('paid');
    expect(await execute(id, {})).toMatchObject({ state: 'completed', items_done: 1 });
    const lines = service.log.lines.filter(({ fields }) => fields['payout_run_id'] === id);
    expect(lines.at(-1)).toMatchObject({ message: 'payout run advanced', fields: { items_done: 1, items_total: 1 } });
  });

  it('completes an empty run at once', async () => {
    const { id } = await plan();
    expect(await execute(id)).toMatchObject({ state: 'completed', items_total: 0, items_done: 0 });
  });

  it('leaves new commissions for the next payout', async () => {
    const { payout, program, referral_id } = await payee(account);
    const { id } = await plan();
    await sell(account, { referral_id, amount_cents: 2_000 });
    await execute(id);
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid', amount_cents: 1_000 });
    expect(await openPayout(account, program.affiliate.id)).toMatchObject({ amount_cents: 200 });
    await noneToReport();
  });

  it('is refused for an unknown run, and for bad input', async () => {
    const { id } = await plan();
    expect((await account.api.put('/payout_runs/nonsense/execute', {})).status).toBe(404);
    const other = await service.createAccount();
    expect((await other.api.put(`/payout_runs/${id}/execute`, {})).status).toBe(404);
    expect((await account.api.put(`/payout_runs/${id}/execute`, { async: 'no' })).status).toBe(422);
    expect((await account.api.put(`/payout_runs/${id}/execute`, { payment_reference: '' })).status).toBe(422);
  });
});

describe('permissions', () => {
  it('of runs determine who may read and write runs', async () => {
    const { id } = await plan();
    const reader = await account.apiWith({ 'v1.payout_runs.read': true, 'v1.payouts.write': true });
    const writer = await account.apiWith({ 'v1.payout_runs.write': true });
    const statuses = async (api: typeof reader) => [
      (await api.get('/payout_runs/reconcile')).status,
      (await api.post('/payout_runs', {})).status,
      (await api.put(`/payout_runs/${id}/execute`, {})).status,
      (await api.put(`/payout_runs/${id}/remediate`, { remediation_action: 'cancel' })).status,
    ];
    expect(await statuses(reader)).toEqual([200, 403, 403, 403]);
    expect(await statuses(writer)).toEqual([403, 201, 202, 200]);
  });
});
