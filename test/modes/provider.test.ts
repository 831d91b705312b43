import { describe, expect, it } from 'vitest';
import { usePspService } from '../psp/service.ts';
import { must, program, refer } from '../support/program.ts';
import { charge, checkoutSession, customer, sendEvent, wireEvent } from '../support/psp-server/index.ts';
import type { Outputs } from '../support/service.ts';
import { inMode } from './accounts.ts';

const service = usePspService();

describe('the payment provider in test mode', () => {
  it('is connected by a key of its own test mode only', async () => {
    const test = await inMode(service, await service.createAccount(), false);
    const connect = (mode: 'live' | 'test') =>
      test.client.pspConnection.connect.mutate({
        secret_key: service.psp.addAccount(mode).secretKey,
        webhook_secret: 'whsec_of_test_mode',
      });
    await expect(connect('live')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await connect('test')).toMatchObject({ connected: true, livemode: false });
  });

  it('reports sales that earn commissions of test mode, which are paid like live ones', async () => {
    const account = await service.createAccount();
    const test = await inMode(service, account, false);
    const secret = 'whsec_of_test_mode';
    const { secretKey } = service.psp.addAccount('test');
    await test.client.pspConnection.connect.mutate({ secret_key: secretKey, webhook_secret: secret });
    const started = await program(test, { days_until_commissions_are_due: 0 });
    const { id: referral_id } = await refer(test, started);
    const buyer = customer();
    const timestamp = Math.floor(service.clock.now().getTime() / 1_000);
    for (const event of [
      wireEvent('checkout.session.completed', checkoutSession({ client_reference_id: referral_id, customer: buyer.id })),
      wireEvent('charge.succeeded', charge({ customer: buyer.id })),
    ]) {
      const { status } = await sendEvent(`${service.url}/psp/webhooks/${test.id}`, event, { secret, timestamp });
      expect(status).toBe(200);
    }
    await test.client.testMode.advanceClock.mutate({ days: 2 });
    const [commission] = (await test.client.commissions.list.query({})).data;
    expect(commission).toMatchObject({ livemode: false, state: 'due', affiliate_id: started.affiliate.id });
    expect((await test.client.sales.list.query({ livemode: false })).data).toHaveLength(1);
    const [payout] = (await test.api.get<Outputs['payouts']['list']>('/payouts', { eligible: true })).body.data;
    expect(payout).toMatchObject({ livemode: false, eligible: true });
    await must(test, `/payouts/${payout!.id}/pay`, {}, 200);
    expect((await account.client.commissions.list.query({})).data).toEqual([]);
  });
});
