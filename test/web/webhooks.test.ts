import { expect, it } from 'vitest';
import { HookReceiver, answer, accept, verifySignature } from '../support/hook-receiver.ts';
import { program, refer, sell } from '../support/program.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();

it('the webhooks page lets the owner set up an endpoint, test it, and retry deliveries that its receiver refused', async () => {
  const account = await service.createAccount();
  await using receiver = await HookReceiver.start();
  await using owner = await Visitor.ownerAt('/settings/members', browser, service, account);
  await owner.page.getByRole('link', { name: 'Webhooks' }).click();
  await owner.heading('Webhooks');
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  await owner.button('Add endpoint').first().click();
  await owner.page.getByLabel('Name').fill('Order system');
  await owner.page.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.1/hooks');
  await owner.button('Add').last().click();
  await owner.dialog().getByText('Must have at least 1 item.').waitFor();
  await owner.page.getByLabel('commission.created').check();
  await owner.button('Add').last().click();
  await owner.dialog().getByText('has a private address').waitFor();
  await owner.page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
  expect(await owner.faults()).toEqual([]);
  await owner.button('Add').last().click();

  const secret = await owner.page.getByTestId('secret').textContent();
  expect(secret).toMatch(/^whsec_/);
  expect(await owner.faults()).toEqual([]);
  await owner.button('Done').click();
  await owner.page.getByRole('row', { name: /Order system/ }).waitFor();
  expect(await owner.content()).not.toContain(secret!.slice(6));

  await owner.button('Send test: Order system').click();
  await owner.heading('Delivery of commission.created');
  await owner.page.getByText('Attempt 1: succeeded (HTTP 200)').waitFor();
  const [hook] = await receiver.first(1);
  verifySignature(secret!, hook!);
  expect(await owner.page.getByLabel('Request headers').textContent()).toContain(`hook-id: ${hook!.hookId}`);
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);

  receiver.reply = answer(503, { 'x-reason': 'deploying' }, 'come back later');
  await owner.button('Retry').click();
  await owner.page.getByText('Attempt 2: Answered with HTTP 503').waitFor();
  expect(await owner.page.getByLabel('Response body of attempt 2').textContent()).toBe('come back later');

  receiver.reply = accept;
  await owner.page.getByRole('link', { name: 'this endpoint' }).click();
  await owner.heading('Order system');
  await owner.page.getByText('Answered with HTTP 503').waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  await owner.button('Retry: commission.created').click();
  await owner.page.getByText('HTTP 200').waitFor();
  expect(receiver.received).toHaveLength(3);
  expect(await owner.content()).not.toContain(secret!.slice(6));
});

it('an endpoint that fails says since when and why, and the owner sends by hand what it missed', async () => {
  const account = await service.createAccount();
  await using receiver = await HookReceiver.start();
  await account.client.webhookEndpoints.create.mutate({
    name: 'Order system',
    url: receiver.url,
    event_types: ['affiliate.approved'],
  });
  receiver.reply = answer(500);
  await using owner = await Visitor.ownerAt('/settings/webhooks', browser, service, account);
  const row = owner.page.getByRole('row', { name: /Order system/ });

  // A failed test says nothing about the events.
  await owner.button('Send test: Order system').click();
  await owner.page.getByText('Attempt 1: Answered with HTTP 500').waitFor();
  await owner.open('/settings/webhooks');
  await row.getByText('Active').waitFor();

  const { campaign } = await program(account);
  const failingSince = async () => (await account.client.webhookEndpoints.list.query({})).data[0]!.failing_since;
  await expect.poll(failingSince, { timeout: 10_000 }).not.toBeNull();
  await owner.open('/settings/webhooks');
  await row.getByText('Failing', { exact: true }).waitFor();
  await row.getByText(/^Failing since /).waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.page.getByRole('link', { name: 'Order system' }).click();
  await owner.heading('Order system');
  await owner.page.getByText('Answered with HTTP 500').first().waitFor();

  receiver.reply = accept;
  const before = receiver.received.length;
  await owner.button('More').click();
  await owner.page.getByText('Replay events since…').click();
  await owner.dialog().getByLabel('Events since').fill('2020-01-01T00:00');
  await owner.dialog().getByRole('button', { name: 'Replay' }).click();
  await owner.page
    .getByText(/1 delivery/)
    .first()
    .waitFor();
  await expect.poll(() => receiver.received.length).toBe(before + 1);
  expect(receiver.received.at(-1)!.body.data).toMatchObject({ campaign_id: campaign.id });
  await owner.open('/settings/webhooks');
  await row.getByText('Active').waitFor();
  expect(await row.getByText(/Failing/).count()).toBe(0);

  await owner.page.getByRole('link', { name: 'Order system' }).click();
  await owner.button('More').click();
  await owner.button('Rotate secret: Order system').click();
  await owner.dialog().getByRole('button', { name: 'Rotate secret' }).click();
  expect(await owner.page.getByTestId('secret').textContent()).toMatch(/^whsec_/);
  await owner.button('Done').click();
  await owner.button('More').click();
  await owner.button('Delete: Order system').click();
  await owner.dialog().getByRole('button', { name: 'Delete' }).click();
  await owner.page.getByText('No endpoints yet').waitFor();
});

it('the delivery log shows the mode of each event, and can be filtered by mode', async () => {
  const account = await service.createAccount();
  await using receiver = await HookReceiver.start();
  await account.client.webhookEndpoints.create.mutate({
    name: 'Order system',
    url: receiver.url,
    event_types: ['commission.created'],
  });
  const { id: referral_id } = await refer(account, await program(account));
  await account.client.site.recordTestSale.mutate({ mark: 'test-0123456789', referral_id });
  await sell(account, { referral_id });
  await receiver.first(2);
  await using owner = await Visitor.ownerAt('/settings/webhooks/deliveries', browser, service, account);
  const rows = owner.page.getByRole('row', { name: /commission\.created/ });
  const ofTestMode = rows.filter({ hasText: 'Stripe’s test mode' });
  await ofTestMode.waitFor();
  expect(await rows.count()).toBe(2);
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  const mode = owner.page.getByLabel('Mode', { exact: true });
  await mode.selectOption('Live');
  await ofTestMode.waitFor({ state: 'detached' });
  await rows.waitFor();
  await mode.selectOption('Stripe’s test mode');
  await ofTestMode.waitFor();
  expect(await rows.count()).toBe(1);
  await rows.getByRole('link').click();
  await owner.page.getByText('Mode: Stripe’s test mode').waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});
