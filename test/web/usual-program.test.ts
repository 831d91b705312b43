import { type Client, createClient } from '@affiliate/client';
import { createSetupToken, issueApiKey, sweepDueCommissions } from '@affiliate/core';
import { expect, it } from 'vitest';
import { program } from '../support/program.ts';
import { countClicks } from './count-clicks.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();

/** Returns a client of the only account of the service. */
async function clientOfMerchant(): Promise<Client> {
  const account = await service.services.database.kysely.selectFrom('account').select('id').executeTakeFirstOrThrow();
  const { api_key } = await issueApiKey(service.services, { accountId: account.id, name: 'Test', permissions: { all: true } });
  return createClient({ url: service.url, apiKey: api_key, accountId: account.id, retries: 0 });
}

/** Makes an affiliate who sells something. Returns the affiliate's id. */
async function sellFor(client: Client, first_name: string, amount_cents: number): Promise<string> {
  const email = `${first_name.toLowerCase()}@partner.example`;
  const { id } = await client.affiliates.create.mutate({ email, first_name, walleta_email: email });
  const { campaign_id } = await client.affiliates.get.query({ id });
  const link = await client.links.create.mutate({ affiliate_id: id, campaign_id, url: 'https://shop.example/' });
  const referral = await client.referrals.create.mutate({ link_id: link.id });
  const lines = [
    { product: 'pro', amount_cents },
    { product: 'addon', amount_cents: 10_000 },
  ];
  await client.tracking.recordSale.mutate({
    external_id: `order of ${first_name}`,
    amount_cents: amount_cents + 10_000,
    currency: 'USD',
    referral_id: referral.id,
    lines,
  });
  return id;
}

it('a merchant gets from the first start to the usual program, to the reason of an amount, and through the end of the month', async () => {
  await using owner = await Visitor.arrive(browser, service.url);
  await using counter = await countClicks(owner);
  const { page } = owner;
  const dialog = owner.dialog();
  const submit = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const menu = (name: string) =>
    page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name, exact: true }).click();

  await owner.open(`/setup#token=${await createSetupToken(service.services)}`);
  await page.getByLabel('Program name').fill('Northwind Tea');
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await owner.button('Create the program').click();
  await page.getByRole('link', { name: 'Create a campaign' }).click();
  await owner.button('Add campaign').first().click();
  await dialog.getByLabel('Name').fill('Friends');
  await dialog.getByLabel('Landing page').fill('shop.example');
  await dialog.getByLabel('Percent of sale').fill('30');
  await submit('Add');
  await page.getByRole('link', { name: 'Rewards: Friends' }).click();
  await owner.button('Set up the usual rewards').click();
  await dialog.getByText('The base reward of the campaign is 30%.').waitFor();
  await dialog.getByLabel('Share after these months').fill('10');
  await dialog.getByLabel('IDs of these products').fill('addon');
  await dialog.getByLabel('Bonus in USD').fill('50');
  await dialog.getByLabel('Share of the tier').fill('35');
  const sentences = [
    'Nothing for addon.',
    '10% after the first 12 months of a customer.',
    '35% in the first 12 months of a customer from tier Gold.',
    'US$50.00 for every 10 customers.',
  ];
  expect(await dialog.getByRole('listitem').allTextContents()).toEqual(sentences);
  expect(await owner.faults()).toEqual([]);
  await submit('Add the rules');
  for (const name of sentences) await page.getByRole('row', { name }).waitFor();
  const setUp = { clicks: counter.clicks, fields: counter.fields };

  const client = await clientOfMerchant();
  const [campaign] = (await client.campaigns.list.query({})).data;
  const { data: tiers } = await client.tiers.list.query({ campaign_id: campaign!.id });
  expect(tiers).toMatchObject([{ name: 'Gold', metric: 'customers', window: 'month', from: 10 }]);
  const earned = async (product: string, month: number, tier_ids: string[] = []) => {
    const lines = [{ product, amount_cents: 10_000 }];
    const { amount_cents } = await client.rewardRules.preview.mutate({
      id: campaign!.id,
      currency: 'USD',
      lines,
      age_months: month - 1,
      sale_number: month,
      tier_ids,
    });
    return amount_cents;
  };
  const gold = [tiers[0]!.id];
  expect([await earned('pro', 12), await earned('pro', 13)]).toEqual([3_000, 1_000]);
  expect([await earned('pro', 12, gold), await earned('pro', 13, gold)]).toEqual([3_500, 1_000]);
  expect([await earned('addon', 1), await earned('addon', 13, gold)]).toEqual([0, 0]);
  expect((await client.rewardRules.warnings.query({ id: campaign!.id })).data).toEqual([]);

  // Nobody is promised 30 % of every sale.
  const base = '30% of every sale to a customer you refer, unless a special reward applies.';
  await using affiliate = await Visitor.arrive(browser, service.url, { width: 390, height: 844 });
  await affiliate.open('/join/northwind-tea/friends');
  await affiliate.page.getByText(base, { exact: true }).waitFor();
  expect(await affiliate.page.getByRole('list', { name: 'Special rewards' }).getByRole('listitem').allTextContents()).toEqual(
    sentences,
  );
  expect(await affiliate.faults()).toEqual([]);
  const preview = affiliate.page.locator('meta[property="og:description"]');
  expect(await preview.getAttribute('content')).toBe([base, ...sentences].join(' '));

  const [ada, bob] = [await sellFor(client, 'Ada', 1_400), await sellFor(client, 'Bob', 2_000)];
  await menu('Commissions');
  let before = counter.clicks;
  await page.getByRole('link', { name: 'US$4.20' }).click();
  await page.getByRole('heading', { name: 'Why this amount' }).waitFor();
  await page
    .getByText(/30% of US\$14\.00.*US\$4\.20/)
    .first()
    .waitFor();
  const why = counter.clicks - before;

  await using affiliatesCounter = await countClicks(affiliate);
  const { url } = await client.affiliates.createPortalLink.mutate({ id: ada });
  await affiliate.open(new URL(url).pathname + new URL(url).hash);
  await affiliate.heading('Welcome, Ada');
  await affiliate.page.getByText(base, { exact: true }).waitFor();
  expect(await affiliate.page.getByRole('region', { name: 'Special rewards' }).getByText(/\.$/).allTextContents()).toEqual(
    sentences,
  );
  await affiliate.page.getByRole('navigation').getByRole('link', { name: 'Commissions' }).click();
  await affiliate.page.getByRole('row', { name: /30% of US\$14\.00.*US\$4\.20/ }).waitFor();

  service.clock.advance(31, 'days');
  await sweepDueCommissions(service.services);
  await owner.enter('/', { email: 'grace@example.com', password: 'correct horse battery' });
  before = counter.clicks;
  await menu('Payouts');
  await owner.button('Export').click();
  await dialog.getByLabel('PayPal').check();
  await submit('Export');
  await owner.button('Download: export of 2 payouts').click();
  await Promise.all([page.waitForEvent('download'), submit('Download')]);
  await owner.button('Mark as paid: 2 payouts').click();
  await dialog.getByLabel('Bob, US$6.00').check();
  await dialog.getByLabel('Reason of the refusal').fill('Account closed');
  expect(await owner.faults()).toEqual([]);
  await submit('Mark as paid');
  await page.getByRole('row', { name: /Paid.*PayPal/ }).waitFor();
  const monthEnd = counter.clicks - before;
  const stateOf = async (affiliate_id: string) =>
    (await client.payouts.list.query({ affiliate_id })).data.map(({ state }) => state);
  expect([await stateOf(ada), await stateOf(bob)]).toEqual([['paid'], ['due']]);
  const [attempt] = (await client.payoutAttempts.list.query({ affiliate_id: bob })).data;
  expect(attempt).toMatchObject({ state: 'failed', reason: 'Account closed' });

  const counts = { 'right program': setUp, 'why 4.20': [why, affiliatesCounter.clicks], 'end of the month': monthEnd };
  process.stdout.write(`usual program: ${JSON.stringify(counts)}\n`);
  expect(setUp.clicks).toBeLessThanOrEqual(20);
  expect(setUp.fields).toBeLessThanOrEqual(12);
  expect([why, affiliatesCounter.clicks]).toEqual([1, 1]);
  expect(monthEnd).toBeLessThanOrEqual(10);
  // A counter that counts nothing would pass, too.
  expect([setUp.clicks, setUp.fields, monthEnd].every((count) => count > 5)).toBe(true);
});

it('the usual rewards are created once, also if the connection fails in between', async () => {
  const account = await service.createAccount();
  const { campaign } = await program(account);
  await using owner = await Visitor.ownerAt(`/campaigns/${campaign.id}/rewards`, browser, service, account);
  await owner.button('Set up the usual rewards').click();
  const dialog = owner.dialog();
  await dialog.getByLabel('Share after these months').fill('5');
  await dialog.getByLabel('Share of the tier').fill('20');
  await owner.page.route('**/trpc/rewardRules.create*', (route) =>
    route.request().postData()!.includes('"percent":20') ? route.abort() : route.continue(),
  );
  const submit = () => dialog.getByRole('button', { name: 'Add the rules' }).click();
  await submit();
  await dialog.getByRole('alert').waitFor();
  await owner.page.unroute('**/trpc/rewardRules.create*');
  await submit();
  await dialog.waitFor({ state: 'detached' });
  const { data } = await account.client.rewardRules.list.query({ campaign_id: campaign.id });
  expect(data.map(({ pay }) => pay)).toEqual([{ percent: 5 }, { percent: 20 }]);
  expect((await account.client.tiers.list.query({ campaign_id: campaign.id })).data).toHaveLength(1);
});
