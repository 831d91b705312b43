import { advancePayoutBatches } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { interruptAfter } from '../support/interrupt.ts';
import { useService, useAccount } from '../support/suite.ts';
import { plantPayouts } from './many-payouts.ts';
import { type PayoutExport, announcedPaid, discrepancies } from './program.ts';

/** More payouts than the request pays before it responds: four steps of 500. */
const MANY = 2_300;

const service = useService({ writesRows: true });
const account = useAccount(service);
// Thousands of emails would take longer than the payments.
beforeEach(() => account.client.portalSettings.update.mutate({ program_emails: 'signed_in' }));

async function exported(): Promise<PayoutExport> {
  const { status, body } = await account.api.post<PayoutExport>('/payout_exports', {});
  expect(status).toBe(201);
  return body;
}

function pay(id: string, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  return account.api.post<PayoutExport>(`/payout_exports/${id}/payment`, { payment_reference: 'batch 7' }, headers);
}

async function shown(id: string): Promise<PayoutExport> {
  const { data } = (await account.api.get<{ data: PayoutExport[] }>('/payout_exports')).body;
  return data.find((each) => each.id === id)!;
}

async function expectPaidOnce(id: string, payouts: number): Promise<void> {
  expect(await shown(id)).toMatchObject({ state: 'paid', paid_count: payouts, paid_at: expect.any(String) });
  const announced = await announcedPaid(service, account.id);
  expect(announced.size).toBe(payouts);
  expect([...announced.values()].every((times) => times === 1)).toBe(true);
  expect(await discrepancies(account)).toEqual([]);
}

describe('a large export', () => {
  it('is reported as paying, and completed by a worker', async () => {
    await plantPayouts(service, account, { affiliates: MANY });
    const { id } = await exported();
    const key = 'large';
    const first = await pay(id, key);
    expect(first).toMatchObject({
      status: 200,
      body: { state: 'paying', paid_count: 2_000, payouts_count: MANY, paid_at: null },
    });
    const replay = await pay(id, key);
    expect(replay).toMatchObject({ status: 200, body: first.body });
    expect(replay.headers.get('Idempotent-Replayed')).toBe('true');
    expect((await pay(id)).status).toBe(422);
    expect((await account.api.delete(`/payout_exports/${id}`)).status).toBe(422);
    expect(await discrepancies(account)).toEqual([]);
    service.clock.advance(16, 'minutes');
    expect(await discrepancies(account)).toMatchObject([{ code: 'export_stuck', payout_export_id: id }]);
    await Promise.all([advancePayoutBatches(service.services), advancePayoutBatches(service.services)]);
    await expectPaidOnce(id, MANY);
    expect((await pay(id, key)).body).toEqual(first.body);
  });

  it('is continued by a repeated request or a worker after a crash at any step', async () => {
    await plantPayouts(service, account, { affiliates: MANY });
    const { id } = await exported();
    await interruptAfter(service.services, 0, async () => expect((await pay(id, 'crash')).status).toBe(500));
    expect(await shown(id)).toMatchObject({ state: 'processing', paid_count: 0 });
    await interruptAfter(service.services, 2, async () => expect((await pay(id, 'crash')).status).toBe(500));
    expect(await shown(id)).toMatchObject({ state: 'paying', paid_count: 1_000 });
    await interruptAfter(service.services, 1, () => expect(advancePayoutBatches(service.services)).rejects.toThrow(id));
    expect(await shown(id)).toMatchObject({ state: 'paying', paid_count: 1_500 });
    expect((await pay(id, 'crash')).body).toMatchObject({ state: 'paid', paid_count: MANY, payment_reference: 'batch 7' });
    await expectPaidOnce(id, MANY);
  });

  it('limits the number of commissions that are paid in one step', async () => {
    await plantPayouts(service, account, { affiliates: 4, commissions: 3_400 });
    const { id } = await exported();
    // A step covers three of these payouts.
    await interruptAfter(service.services, 1, async () => expect((await pay(id)).status).toBe(500));
    expect(await shown(id)).toMatchObject({ state: 'paying', paid_count: 3 });
    await advancePayoutBatches(service.services);
    expect(await shown(id)).toMatchObject({ state: 'paid', paid_count: 4 });
    expect(new Set((await announcedPaid(service, account.id)).values())).toEqual(new Set([1]));
  });
});

it('an export of one step is paid in one transaction', async () => {
  await plantPayouts(service, account, { affiliates: 500 });
  const { id } = await exported();
  expect((await pay(id)).body).toMatchObject({ state: 'paid', paid_count: 500 });
  await expectPaidOnce(id, 500);
});
