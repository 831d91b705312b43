import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createAccount, sweepDueCommissions } from '@affiliate/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import type { TestService } from '../support/service.ts';
import { countClicks } from './count-clicks.ts';
import { startServiceWithPages } from './service.ts';
import { Visitor } from './visitor.ts';

const run = promisify(execFile);

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const EXAMPLE = { email: 'owner@demo.example', password: 'the demo password' };

let service: TestService;
let browser: Chromium;

beforeAll(async () => {
  [service, browser] = await Promise.all([startServiceWithPages(), launchChromium()]);
  // The state after a clone and the first start: the example, and its owner.
  const names = { name: 'Demo shop', currency: 'USD', isExample: true };
  await createAccount(service.services, { ...names, ownerEmail: EXAMPLE.email, ownerPassword: EXAMPLE.password });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Returns the path of the link in an email. */
async function mailedPath(email: string, subject: RegExp): Promise<string> {
  const { text } = await service.mailbox.take(email, subject);
  const { pathname, hash } = new URL(/http\S+/.exec(text)![0]);
  return pathname + hash;
}

it('a newcomer comes from the first start to a paid affiliate with few clicks', async () => {
  await using owner = await Visitor.arrive(browser, service.url);
  await using counter = await countClicks(owner);
  const { page } = owner;
  const used: Record<string, number> = {};
  let before = 0;
  const done = (part: string) => {
    used[part] = counter.clicks - before;
    before = counter.clicks;
  };
  const menu = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  const step = (name: string) => page.getByRole('listitem').filter({ hasText: `${name}: done` });
  const submit = (name: string) => owner.dialog().getByRole('button', { name, exact: true }).click();

  await owner.enter('/', EXAMPLE);
  await owner.button('Start your own program').click();
  await page.getByLabel('Program name').fill('Northwind Tea');
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await owner.button('Create the program').click();
  await page.getByText('0 of 7 done').waitFor();
  done('own program');

  await page.getByRole('link', { name: 'Create a campaign' }).click();
  await owner.button('Add campaign').first().click();
  await owner.dialog().getByLabel('Name').fill('Friends');
  await owner.dialog().getByLabel('Landing page').fill('shop.example');
  await owner.dialog().getByLabel('Percent of sale').fill('10');
  expect(await owner.dialog().getByLabel('Default campaign').isChecked()).toBe(true);
  await submit('Add');
  await owner.button('Edit: Friends').waitFor();
  done('campaign');

  await menu('Overview');
  await step('Create a campaign').waitFor();
  before = counter.clicks;
  await page.getByRole('link', { name: 'Add your first affiliate' }).click();
  await owner.button('Add affiliate').first().click();
  await owner
    .dialog()
    .getByRole('textbox', { name: /^Email/ })
    .fill('ada@partner.example');
  expect(await owner.dialog().getByLabel('Campaign').locator('option').allTextContents()).toEqual(['Friends']);
  await submit('Add');
  await owner.heading('ada@partner.example');
  done('first affiliate');

  await owner.button('Add link').click();
  await owner.dialog().getByLabel('Link code').fill('ada');
  await submit('Add');
  await owner.button('Copy link: ada').waitFor();
  done('link');

  // The affiliate signs in with an emailed link, without a password, and copies the short link.
  await using ada = await Visitor.arrive(browser, service.url, { width: 390, height: 844 });
  await using adasCounter = await countClicks(ada);
  await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await ada.open('/sign-in?to=portal');
  await ada.page.getByLabel('Email').fill('ada@partner.example');
  await ada.button('Email me a sign-in link').click();
  await ada.open(await mailedPath('ada@partner.example', /Your sign-in link/));
  await ada.button('Sign in').click();
  await ada.heading(/^Welcome/);
  await ada.button(/^Copy link/).click();
  await ada.button(/^Copied link/).waitFor();
  const link = await ada.page.evaluate<string>('navigator.clipboard.readText()');
  expect(new URL(link).pathname).toBe('/t/northwind-tea/ada');
  expect(link).not.toContain('acct_');
  expect(adasCounter.clicks).toBeLessThanOrEqual(3);

  // A customer follows the link and buys, and the merchant's server reports the sale with a fresh key.
  const visit = await fetch(`${service.url}${new URL(link).pathname}`, {
    redirect: 'manual',
    headers: { 'User-Agent': BROWSER },
  });
  const referral_id = new URL(visit.headers.get('location')!).searchParams.get('referral')!;
  await owner.turnTo('/settings/tracking');
  await page.getByText('Waiting for the first sale…').waitFor();
  await owner.button('Put a new key into the code').click();
  await owner.button('The new key is in the code').waitFor();
  expect(await owner.faults()).toEqual([]);
  const code = (await page.getByLabel('Code that reports a sale', { exact: true }).textContent())!;
  expect(await run('bash', ['-c', code.replace('ref_…', referral_id)])).toMatchObject({
    stdout: expect.stringContaining('order-1001'),
  });
  await page.getByText('The first sale has arrived.').waitFor();

  await owner.turnTo('/campaigns');
  before = counter.clicks;
  await menu('Overview');
  const steps = page.locator('details:not([open])', { hasText: 'All steps' });
  // Not by a click, because the clicks of a newcomer are counted.
  await steps.evaluate((list) => list.setAttribute('open', ''));
  await step('See your first sale').waitFor();
  await menu('Commissions');
  await owner.heading('Commissions');
  await page.getByRole('row', { name: /ada@partner\.example.*US\$11\.90/ }).waitFor();
  done('first sale seen');

  service.clock.advance(31, 'days');
  await sweepDueCommissions(service.services);
  await owner.enter('/', { email: 'grace@example.com', password: 'correct horse battery' });
  before = counter.clicks;
  await menu('Payouts');
  await owner.button('Mark as paid: US$11.90 to ada@partner.example').click();
  await submit('Mark as paid');
  await page.getByText('Marked as paid: US$11.90 to ada@partner.example').waitFor();
  done('paid');
  await ada.page.reload();
  await ada.page.getByText('US$11.90').first().waitFor();

  process.stdout.write(`newcomer: ${JSON.stringify(used)} clicks, affiliate ${adasCounter.clicks}\n`);
  expect(used).toEqual({ 'own program': 2, campaign: 3, 'first affiliate': 3, link: 2, 'first sale seen': 2, paid: 3 });
});
