import { expect, it } from 'vitest';
import { inMode } from '../modes/accounts.ts';
import { must, program } from '../support/program.ts';
import { useAccount } from '../support/suite.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();
const account = useAccount(service, 'file');

it('an owner looks at test mode behind a banner, moves its clock, deletes its data, and comes back', async () => {
  await program(account, {}, { email: 'live@partner.example' });
  const test = await inMode(service, account, false);
  await program(test, {}, { email: 'test@partner.example' });
  await using owner = await Visitor.ownerAt('/affiliates', browser, service, account);
  await owner.page.getByText('live@partner.example').waitFor();

  await owner.button('Test mode').click();
  await owner.page.getByText('These pages show test records').waitFor();
  await owner.page.getByRole('link', { name: 'Affiliates', exact: true }).click();
  await owner.page.getByText('test@partner.example').waitFor();
  expect(await owner.page.getByText('live@partner.example').count()).toBe(0);
  expect(await owner.faults()).toEqual([]);

  await owner.button('Move it 30 days forward').click();
  await expect.poll(async () => (await test.client.testMode.clock.query()).ahead_seconds).toBe(30 * 86_400);
  const { now } = await test.client.testMode.clock.query();
  const day = new Date(Date.parse(now) + 60 * 86_400_000).toISOString().slice(0, 10);
  await owner.page.getByLabel('Day of the test clock').fill(day);
  await owner.button('Move it to this day').click();
  await expect.poll(async () => (await test.client.testMode.clock.query()).now.slice(0, 10)).toBe(day);
  // The ranges of the pages end on the day of the test clock.
  await owner.turnTo('/?days=7');
  await owner.page.getByRole('combobox', { name: 'Figure' }).waitFor();
  await owner.page.getByRole('combobox', { name: 'Range' }).selectOption('Custom range…');
  expect(await owner.page.getByRole('textbox', { name: 'To', exact: true }).inputValue()).toBe(day);
  await owner.turnTo('/affiliates');

  await owner.button('Delete all test data').click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Delete all test data' }).click();
  await expect.poll(async () => (await test.client.affiliates.list.query({})).data).toEqual([]);

  await owner.page.getByText('These pages show test records').waitFor();
  await owner.button('Back to live mode').click();
  await owner.button('Test mode').waitFor();
  await owner.page.getByRole('link', { name: 'Affiliates', exact: true }).click();
  await owner.page.getByText('live@partner.example').waitFor();
});

it('test mode starts with a copy of the campaigns, and an owner copies later ones after a look at them', async () => {
  const merchant = await service.createAccount();
  const { campaign } = await program(merchant, { name: 'Friends', default: true });
  const rule = {
    campaign_id: campaign.id,
    event: 'sale',
    name: 'Add-on',
    when: { products: ['prod_addon'] },
    pay: { nothing: true },
  };
  await must(merchant, '/reward_rules', rule);
  await using owner = await Visitor.ownerAt('/', browser, service, merchant);
  await owner.button('Test mode').click();
  await owner.page.getByText('These pages show test records').waitFor();
  await owner.page.getByRole('link', { name: 'Campaigns', exact: true }).click();
  await owner.page.getByRole('link', { name: 'Friends', exact: true }).click();
  await owner.heading('Friends');

  await must(merchant, '/campaigns', {
    name: 'Partners',
    url: 'https://shop.example.com/',
    reward_type: 'percent',
    commission_percent: 20,
  });
  await must(merchant, '/reward_rules', {
    ...rule,
    campaign_id: (await merchant.client.campaigns.list.query({ slug: 'partners' })).data[0]!.id,
  });
  await owner.button('Copy campaigns from live mode').click();
  await owner.dialog().getByText('Friends: Test mode already has this campaign. It stays as it is.').waitFor();
  await owner
    .dialog()
    .getByText('Partners: 1 rule. It names prod_addon. Your payment provider’s test mode needs the same ids.')
    .waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Copy', exact: true }).click();
  await owner.page.getByText('1 campaign copied.').waitFor();
  const test = await inMode(service, merchant, false);
  expect((await test.client.campaigns.list.query({})).data.map(({ slug }) => slug)).toEqual(['partners', 'friends']);
  // A second look finds nothing to copy.
  await owner.button('Copy campaigns from live mode').click();
  await owner.dialog().getByText('Partners: Test mode already has this campaign. It stays as it is.').waitFor();
  expect(await owner.dialog().getByRole('button', { name: 'Copy', exact: true }).isDisabled()).toBe(true);
});

it('an owner creates a key of test mode', async () => {
  await using owner = await Visitor.ownerAt('/settings/api-keys', browser, service, account);
  await owner.button('Create API key').click();
  await owner.page.getByLabel('Name').fill('Test of the shop');
  await owner.page.getByLabel('Mode', { exact: true }).selectOption('Test');
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await owner.page.getByRole('dialog').getByText('API key “Test of the shop”').waitFor();
  const { data } = await account.client.apiKeys.list.query({});
  expect(data.find(({ name }) => name === 'Test of the shop')).toMatchObject({ livemode: false });
});

it('an owner sees and sets the mode of a webhook endpoint, and endpoints of test mode are added in test mode', async () => {
  const merchant = await service.createAccount();
  const test = await inMode(service, merchant, false);
  await using owner = await Visitor.ownerAt('/settings/webhooks', browser, service, merchant);
  const add = async (name: string, mode?: string) => {
    await owner.button('Add endpoint').first().click();
    await owner.page.getByLabel('Name').fill(name);
    await owner.page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:1024/hooks');
    if (mode !== undefined) await owner.dialog().getByLabel('Mode', { exact: true }).selectOption(mode);
    await owner.page.getByLabel('commission.created').check();
    await owner.button('Add').last().click();
    await owner.page.getByTestId('secret').waitFor();
    await owner.button('Done').click();
  };
  const rowOf = (name: string) => owner.page.getByRole('row', { name: new RegExp(name) });
  const modesOf = async ({ client }: typeof test) =>
    Object.fromEntries((await client.webhookEndpoints.list.query({})).data.map(({ name, livemode }) => [name, livemode]));

  await add('Both');
  await add('Accounting', 'Live');
  await rowOf('Accounting').getByRole('cell', { name: 'Live', exact: true }).waitFor();
  await rowOf('Both').getByRole('cell', { name: 'Live, with Stripe’s test mode' }).waitFor();
  expect(await modesOf(merchant)).toEqual({ Both: null, Accounting: true });
  expect(await owner.faults()).toEqual([]);

  await owner.page.getByRole('link', { name: 'Accounting' }).click();
  await owner.page.getByText('Mode: Live').waitFor();
  await owner.button('Edit').click();
  await owner.dialog().getByLabel('Mode', { exact: true }).selectOption('Stripe’s test mode');
  expect(await owner.faults()).toEqual([]);
  await owner.button('Save').click();
  await owner.page.getByText('Mode: Stripe’s test mode').waitFor();
  expect(await modesOf(merchant)).toEqual({ Both: null, Accounting: false });

  await owner.button('Test mode').click();
  await owner.page.getByText('These pages show test records').waitFor();
  await owner.page.goto(`${service.url}/settings/webhooks`);
  await owner.heading('Webhooks');
  await owner.button('Add endpoint').first().click();
  expect(await owner.dialog().getByLabel('Mode', { exact: true }).count()).toBe(0);
  await owner.page.keyboard.press('Escape');
  await add('Of test mode');
  await rowOf('Of test mode').getByRole('cell', { name: 'Test', exact: true }).waitFor();
  expect(await modesOf(test)).toEqual({ 'Of test mode': false });
  expect(await modesOf(merchant)).toEqual({ Both: null, Accounting: false });
});
