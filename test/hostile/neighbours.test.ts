/** One account puts as much load on the service as it can. The other accounts must not notice. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { type Program, program, refer, unique } from '../support/program.ts';
import { type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';

const service = useService();
let busy: TestAccount;
let other: TestAccount;
let started: Program;
let referral: string;

beforeAll(async () => {
  [busy, other] = await Promise.all([service.createAccount(), service.createAccount()]);
  await program(other);
});
beforeEach(async () => {
  started = await program(busy);
  ({ id: referral } = await refer(busy, started));
});

const sell = () =>
  busy.api.post('/track/sales', { external_id: unique('burst'), referral_id: referral, amount_cents: 100, currency: 'USD' });
const read = () => other.api.get('/affiliates', { limit: 5 });
const write = () =>
  other.api.post('/campaigns', {
    name: unique('C'),
    url: 'https://x.example.com',
    reward_type: 'percent',
    commission_percent: 1,
  });

describe('200 concurrent sales of one affiliate', () => {
  it('do not delay reads and writes of another account', async () => {
    let sold = 0;
    const begun = Promise.withResolvers<void>();
    const burst = Array.from({ length: 200 }, async () => {
      const { status } = await sell();
      sold += 1;
      if (sold === 5) begun.resolve();
      return status;
    });
    // The other account's requests arrive when the sales of the burst are already waiting.
    await begun.promise;
    const soldBefore = sold;
    const { status: readStatus } = await read();
    const soldAfterRead = sold - soldBefore;
    const { status: writeStatus } = await write();
    const soldAfterWrite = sold - soldBefore - soldAfterRead;
    expect([readStatus, writeStatus]).toEqual([200, 201]);
    expect(soldAfterRead).toBeLessThan(50);
    expect(soldAfterWrite).toBeLessThan(80);
    expect(new Set(await Promise.all(burst))).toEqual(new Set([201]));
  });
});

describe('while an affiliate is locked elsewhere', () => {
  it('other accounts can read and write, the process stays ready, and the waiting sales are recorded afterwards', async () => {
    await using locks = await Locks.open(service.databaseUrl, busy.id);
    const affiliate = await locks.affiliate(started.affiliate.id);
    await affiliate.held;
    let sold = 0;
    const waiting = Array.from({ length: 30 }, async () => {
      const reply = await sell();
      sold += 1;
      return reply.status;
    });
    // Every sale that was given a connection waits for the lock.
    await expect.poll(() => locks.countWaiting()).toBeGreaterThanOrEqual(3);
    const replies = await Promise.all([read(), write(), read(), write(), send(`${service.url}/readyz`, 'GET')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 200, 201, 200]);
    expect(sold).toBe(0);
    await affiliate.release();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([201]));
  });
});
