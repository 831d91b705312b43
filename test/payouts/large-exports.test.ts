import { advancePayoutBatches } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { interruptAfter } from '../support/interrupt.ts';
import { useService, useAccount } from '../support/suite.ts';
import { plantPayouts } from './many-payouts.ts';
import { type Payout, type PayoutExport, announcedPaid, createExport, discrepancies } from './program.ts';

/** More payouts than the request pays before it responds: four steps of 500. */
const MANY = 2_300;

let statements = 0;
const service = useService({
  writesRows: true,
  onStatement: ({ text }) => {
    // Keys are looked up and the log of requests is written once a second, whatever the requests do.
    if (!text.includes('from "api_key"') && !text.includes('insert into api_request ')) statements += 1;
  },
});
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

it.each([3, 400])('takes fractions that PayPal cannot pay out of %i payouts in four statements', async (affiliates) => {
  const exportOf = async (currency: string) => {
    await plantPayouts(service, account, { affiliates, amount_cents: 123_450, currency });
    const before = statements;
    const made = await createExport(account, { export_format: 'walleta' });
    return { sent: statements - before, totals: made.totals };
  };
  const [whole, parts] = [await exportOf('USD'), await exportOf('HUF')];
  expect(parts.totals).toEqual([{ currency: 'HUF', payouts_count: affiliates, amount_cents: affiliates * 123_400 }]);
  const { data } = (await account.api.get<{ data: Payout[] }>('/payouts', { currency: 'HUF', state: 'due', limit: 100 })).body;
  expect(data.map(({ amount_cents }) => amount_cents)).toEqual(Array(Math.min(affiliates, 100)).fill(50));
  expect(await discrepancies(account)).toEqual([]);
  expect(parts.sent - whole.sent).toBe(4);
});
