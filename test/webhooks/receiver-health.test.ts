import { expect, it } from 'vitest';
import { accept, answer } from '../support/hook-receiver.ts';
import { onServer } from '../support/postgres.ts';
import { type Subscription, useWebhookMerchant } from './service.ts';

const { service, merchant } = useWebhookMerchant();

const endpointOf = ({ endpoint }: Subscription) => merchant.call().webhookEndpoints.get({ id: endpoint.id });

async function attemptOne({ receiver }: Subscription): Promise<void> {
  await merchant.createAffiliate();
  await receiver.first(receiver.received.length + 1);
  await service.worker.sweepNow();
}

it('an endpoint is deactivated at once when its receiver answers 410, and shows the reason', async () => {
  await using subscription = await merchant.subscribe(answer(410));
  await attemptOne(subscription);
  expect(await endpointOf(subscription)).toMatchObject({
    active: false,
    disabled_reason: 'gone',
    disabled_at: service.clock.instant(),
  });
  await service.mailbox.take(merchant.ownerEmail, /Webhook endpoint switched off/);
  const [delivery] = await merchant.deliveries(subscription.endpoint.id);
  expect(delivery).toMatchObject({ status: 'pending', error_code: 'http_410' });
  service.clock.advance(1, 'hours');
  await merchant.createAffiliate();
  await service.worker.sweepNow();
  expect(subscription.receiver.received).toHaveLength(1);

  subscription.receiver.reply = accept;
  const activated = await merchant.call().webhookEndpoints.update({ id: subscription.endpoint.id, active: true });
  expect(activated).toMatchObject({ active: true, disabled_reason: null, disabled_at: null, failing_since: null });
  await subscription.receiver.first(2);
  await service.worker.sweepNow();
  const [resumed] = await merchant.deliveries(subscription.endpoint.id);
  expect(resumed).toMatchObject({ id: delivery!.id, status: 'succeeded' });
});

it('an endpoint is deactivated after five days without a success', async () => {
  await using subscription = await merchant.subscribe(answer(500));
  const failingSince = service.clock.instant();
  await attemptOne(subscription);
  for (let day = 1; day < 5; day += 1) {
    service.clock.advance(1, 'days');
    await service.worker.sweepNow();
    expect(await endpointOf(subscription)).toMatchObject({ active: true, failing_since: failingSince, disabled_reason: null });
  }
  service.clock.advance(1, 'days');
  await service.worker.sweepNow();
  expect(await endpointOf(subscription)).toMatchObject({
    active: false,
    disabled_reason: 'failing',
    disabled_at: service.clock.instant(),
  });
});

it('every success restarts the five days', async () => {
  await using subscription = await merchant.subscribe(answer(500));
  await attemptOne(subscription);
  service.clock.advance(4, 'days');
  subscription.receiver.reply = accept;
  await service.worker.sweepNow();
  expect(await endpointOf(subscription)).toMatchObject({ failing_since: null, last_success_at: service.clock.instant() });
  service.clock.advance(4, 'days');
  subscription.receiver.reply = answer(500);
  await attemptOne(subscription);
  expect(await endpointOf(subscription)).toMatchObject({ active: true, failing_since: service.clock.instant() });
});

it('a failed test does not count as a failure of the endpoint, and a test that succeeds ends a period of failures', async () => {
  await using subscription = await merchant.subscribe(answer(500));
  const { id } = subscription.endpoint;
  const test = async () => {
    await merchant.call().webhookEndpoints.sendTest({ id });
    await subscription.receiver.first(subscription.receiver.received.length + 1);
    await service.worker.sweepNow();
  };
  await test();
  expect(await endpointOf(subscription)).toMatchObject({ active: true, failing_since: null });
  subscription.receiver.reply = answer(410);
  await test();
  expect(await endpointOf(subscription)).toMatchObject({ active: true, failing_since: null, disabled_reason: null });

  subscription.receiver.reply = answer(500);
  await attemptOne(subscription);
  expect(await endpointOf(subscription)).toMatchObject({ failing_since: service.clock.instant() });
  subscription.receiver.reply = accept;
  await test();
  expect(await endpointOf(subscription)).toMatchObject({ failing_since: null });
});

it('an attempt that cannot be recorded holds up the record of no other, of its endpoint or of another one', async () => {
  await using stuck = await merchant.subscribe();
  await using other = await merchant.subscribe();
  await onServer(
    service.databaseUrl,
    `create function fail_attempt() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail_attempt before update on webhook_delivery for each row
     when (new.endpoint_id = '${stuck.endpoint.id}') execute function fail_attempt()`,
  );
  for (let hook = 0; hook < 3; hook += 1) await merchant.createAffiliate();
  await other.receiver.first(3);
  await service.worker.sweepNow();
  const statuses = async ({ endpoint }: Subscription) => (await merchant.deliveries(endpoint.id)).map(({ status }) => status);
  expect(await statuses(other)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(await statuses(stuck)).toEqual(['pending', 'pending', 'pending']);
  await onServer(service.databaseUrl, 'drop function fail_attempt cascade');
  await service.worker.sweepNow();
  expect(await statuses(stuck)).toEqual(['succeeded', 'succeeded', 'succeeded']);
});
