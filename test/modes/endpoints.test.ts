import { describe, expect, it } from 'vitest';
import { HookReceiver } from '../support/hook-receiver.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { inMode } from './accounts.ts';

const service = useService({ worker: {} });
const account = useAccount(service);

describe('a webhook endpoint', () => {
  it('of a mode gets the events about records of this mode, and one without a mode gets both', async () => {
    const [live, test, both] = await Promise.all([HookReceiver.start(), HookReceiver.start(), HookReceiver.start()]);
    await using _receivers = {
      [Symbol.asyncDispose]: async () => {
        for (const each of [live, test, both]) await each[Symbol.asyncDispose]();
      },
    };
    for (const [receiver, livemode] of [
      [live, true],
      [test, false],
      [both, null],
    ] as const)
      await must(account, '/api/settings/v1/webhook_endpoints', {
        name: 'Shop',
        url: receiver.url,
        event_types: ['commission.created'],
        livemode,
      });
    const { id: referral_id } = await refer(account, await program(account));
    await account.client.site.recordTestSale.mutate({ mark: 'test-0123456789', referral_id });
    await sell(account, { referral_id });
    await both.first(2);
    await Promise.all([live.first(1), test.first(1)]);
    await service.worker!.sweepNow();
    const modesAt = ({ received }: HookReceiver) => received.map(({ body }) => (body.data as { livemode: boolean }).livemode);
    expect([modesAt(live), modesAt(test), modesAt(both)]).toEqual([[true], [false], expect.arrayContaining([true, false])]);
  });

  it('of the test account gets its events, and those of the live account get none of them', async () => {
    const ofTest = await inMode(service, account, false);
    await using live = await HookReceiver.start();
    await using test = await HookReceiver.start();
    for (const [of, receiver] of [
      [account, live],
      [ofTest, test],
    ] as const)
      await must(of, '/api/settings/v1/webhook_endpoints', { name: 'Shop', url: receiver.url, event_types: ['*'] });
    await program(ofTest);
    const [hook] = await test.first(1);
    expect(hook!.body.data).toMatchObject({ livemode: false });
    await service.worker!.sweepNow();
    expect(live.received).toEqual([]);
  });
});
