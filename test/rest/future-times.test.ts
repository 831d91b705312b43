import { describe, expect, it } from 'vitest';
import { inMode } from '../modes/accounts.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';

const service = useService();
const account = useAccount(service);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const inFuture = (milliseconds: number) => new Date(Date.parse(service.clock.instant()) + milliseconds).toISOString();
const refused = (path: string) => ({
  status: 422,
  body: {
    code: 'VALIDATION_ERROR',
    details: [{ path, code: 'too_big', message: 'Must not be in the future.' }],
  },
});

/** Makes a referral with a commission, and returns the ways to report a fact about them with a time. */
async function reports(of: TestAccount) {
  const referral = await refer(of, await program(of));
  const { commission } = await sell(of, { referral_id: referral.id });
  return {
    charged_at: (at: string) =>
      of.api.post('/track/sales', {
        external_id: unique('order'),
        referral_id: referral.id,
        amount_cents: 5_000,
        currency: 'USD',
        charged_at: at,
      }),
    paid_at: (at: string) => of.api.patch(`/commissions/${commission!.id}`, { paid_at: at }),
    deactivated_at: (at: string) => of.api.patch(`/referrals/${referral.id}`, { deactivated_at: at }),
  };
}

describe('the time of a reported fact', () => {
  it('may be five minutes ahead, because the clock of the caller may be fast', async () => {
    for (const [path, report] of Object.entries(await reports(account)))
      expect([path, (await report(inFuture(5 * MINUTE))).status]).toEqual([path, path === 'charged_at' ? 201 : 200]);
  });

  it('is refused if it is later, and the report has no effect', async () => {
    const { id } = await refer(account, await program(account));
    for (const [path, report] of Object.entries(await reports(account)))
      expect(await report(inFuture(5 * MINUTE + 1))).toMatchObject(refused(path));
    const external_id = unique('order');
    const sale = { external_id, referral_id: id, amount_cents: 5_000, currency: 'USD' };
    expect(await account.api.post('/track/sales', { ...sale, charged_at: inFuture(DAY) })).toMatchObject(refused('charged_at'));
    expect((await account.api.get<{ data: unknown[] }>('/sales', { external_id })).body.data).toEqual([]);
    expect((await account.api.post('/track/sales', { ...sale, charged_at: inFuture(0) })).status).toBe(201);
  });

  it('is compared with the test clock in test mode', async () => {
    const test = await inMode(service, account, false);
    await must(test, '/api/settings/v1/test_clock/advance', { days: 10 }, 200);
    for (const [path, report] of Object.entries(await reports(test))) {
      expect(await report(inFuture(11 * DAY))).toMatchObject(refused(path));
      expect([path, (await report(inFuture(10 * DAY))).status]).toEqual([path, path === 'charged_at' ? 201 : 200]);
    }
    for (const [path, report] of Object.entries(await reports(account)))
      expect(await report(inFuture(10 * DAY))).toMatchObject(refused(path));
  });
});
