import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import { must, sell } from '../support/program.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { sample } from '../support/thorough.ts';
import { startMerchantSite } from './embedded-portal.ts';
import { startServiceWithPages } from './service.ts';
import { LOOKS, Visitor } from './visitor.ts';

/** An image of one pixel. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const PHONE = { width: 390, height: 844 };

let service: TestService;
let browser: Chromium;
let account: TestAccount;

beforeAll(async () => {
  [service, browser] = await Promise.all([startServiceWithPages(), launchChromium()]);
  account = await service.createAccount();
  await must(account, '/campaigns', {
    name: 'Friends of the shop',
    url: 'https://shop.example.com/',
    reward_type: 'percent',
    commission_percent: 10,
    days_until_commissions_are_due: 0,
    minimum_payout_cents: 2_000,
    welcome_text: 'Welcome to our friends!',
    default: true,
  });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Path of the link in an e-mail. */
async function mailedPath(email: string, subject: RegExp): Promise<string> {
  const { text } = await service.mailbox.take(email, subject);
  const { pathname, hash } = new URL(/http\S+/.exec(text)![0]);
  return pathname + hash;
}

/** Collects the requests of the page to the service from now on, without those for files and images. */
function requestsOf({ page }: Visitor): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (['document', 'fetch', 'xhr'].includes(request.resourceType()))
      requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return requests;
}

let turn = 0;
/**
 * Checks the page that is open: accessibility on a large screen and on a phone, each in the dark too, and that it fits. The ordinary run checks
 * accessibility in one of these looks, and that of the next page in another.
 */
async function isFine(visitor: Visitor): Promise<void> {
  turn += 1;
  for (const look of sample(LOOKS, LOOKS.length, turn)) {
    await visitor.putOn(look);
    expect(await visitor.faults({ contrast: true })).toEqual([]);
  }
  await visitor.putOn({ size: PHONE, colorScheme: 'light' });
  expect(await visitor.overflow()).toEqual([]);
}

/** Bytes of scripts and style sheets that the open page has loaded, compressed. */
async function transferred(visitor: Visitor): Promise<number> {
  return visitor.page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
      .reduce((total, { encodedBodySize }) => total + encodedBodySize, 0)`,
  );
}

it('the life of an affiliate on a phone: invitation, link, click, sale, payout, statement', async () => {
  const { data: campaigns } = await account.client.campaigns.list.query({});
  await must(account, '/invitations', { kind: 'affiliate', email: 'ada@partner.example', campaign_id: campaigns[0]!.id });

  await using ada = await Visitor.arrive(browser, service.url, PHONE);
  await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // The first click opens the mailed link, the second accepts, the third copies.
  await ada.open(await mailedPath('ada@partner.example', /Become an affiliate/));
  await ada.button('Accept').click();
  await ada.heading(/^Welcome/);
  expect(await transferred(ada)).toBeLessThan(150_000);
  await isFine(ada);
  await ada.button(/^Copy link/).click();
  await ada.button(/^Copied link/).waitFor();
  const link = await ada.page.evaluate<string>('navigator.clipboard.readText()');

  const click = await fetch(link.replace(/^https?:\/\/[^/]+/, service.url), {
    redirect: 'manual',
    headers: {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36',
    },
  });
  const referral_id = new URL(click.headers.get('location')!).searchParams.get('referral')!;
  await sell(account, { referral_id, amount_cents: 12_300, customer_email: 'karen@customer.example' });
  await ada.page.reload();
  await ada.page.getByText('Payouts start at').waitFor();
  await isFine(ada);
  await ada.picture('portal');

  await ada.page.getByRole('link', { name: 'Links', exact: true }).click();
  await ada.heading('Links');
  await ada.page.getByLabel('Link code').fill('tea-time');
  await ada.button('Create link').click();
  await ada.page.getByText('/t/tea-time').waitFor();
  await ada.button('QR code: tea-time').click();
  await ada.page.getByRole('img', { name: 'QR code of tea-time' }).waitFor();
  await isFine(ada);
  await ada.picture('portal-links');

  await sell(account, { referral_id, amount_cents: 20_000, customer_email: 'karen@customer.example' });
  const { data: payouts } = await account.client.payouts.list.query({});
  await must(account, `/payouts/${payouts[0]!.id}/pay`, {}, 200);
  for (const [page, shown] of [
    ['Conversions', 'k•••@•••'],
    ['Commissions', 'Sale to k•••@•••, Friends of the shop'],
    ['Payouts', 'Paid'],
  ] as const) {
    await ada.page.getByRole('link', { name: page, exact: true }).click();
    await ada.heading(page);
    await ada.page.getByText(shown).first().waitFor();
    await isFine(ada);
  }
  await ada.picture('portal-payouts');
  for (const format of ['CSV', 'PDF']) {
    const [download] = await Promise.all([
      ada.page.waitForEvent('download'),
      ada.button(new RegExp(`^${format}: statement`)).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`statement-${payouts[0]!.id}.${format.toLowerCase()}`);
  }

  await ada.page.getByRole('link', { name: 'Payout details' }).click();
  await ada.heading('Payout details');
  await ada.page.getByLabel('PayPal e-mail').fill('ada@pay.example');
  await ada.button('Save').click();
  await ada.page.getByText('Saved.').waitFor();
  await isFine(ada);
  await ada.page.getByRole('link', { name: 'Profile' }).click();
  await ada.heading('Profile');
  await ada.page.getByLabel('New e-mail address').fill('ada@new.example');
  await ada.button('Change e-mail address').click();
  await ada.page.getByText('The change to ada@new.example waits').waitFor();
  await isFine(ada);
  await ada.open(await mailedPath('ada@new.example', /Confirm your new e-mail address/));
  await ada.heading('Change e-mail address');
  await isFine(ada);
  await ada.button('Agree').click();
  await ada.page.getByText('still waits for the other address').waitFor();
});

it('somebody applies on a phone, the merchant approves, and looks at the portal', async () => {
  await account.client.join.updateSettings.mutate({ slug: 'tea', terms: 'Be kind.', support_email: 'help@shop.example.com' });
  await using owner = await Visitor.ownerAt('/settings/portal', browser, service, account);
  await owner.button('Add question').click();
  await owner.page.getByLabel('Question 1').fill('Where do you write?');
  await owner.page.getByLabel('Answer', { exact: true }).selectOption('A choice');
  await owner.page.getByLabel('Choices, one per line').fill('Blog\nVideo');
  await owner.page.locator('section', { hasText: 'Sign-up and portal' }).getByRole('button', { name: 'Save' }).click();
  await owner.page.getByText('Settings saved.').waitFor();
  const branding = owner.page.locator('section', { hasText: 'Branding' });
  await branding.getByLabel('Upload logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO });
  await owner.page.getByText('Logo saved.').waitFor();
  await branding.getByLabel('Name for affiliates').fill('Northwind Tea');
  await branding.getByLabel('Colour of buttons').fill('#ffd000');
  await branding.getByRole('button', { name: 'Save' }).click();
  await owner.page.getByText('Branding saved.').waitFor();
  await owner.page.getByLabel('Add file').setInputFiles({ name: 'banner.png', mimeType: 'image/png', buffer: LOGO });
  await owner.page.getByText('File added: banner.png').waitFor();
  await using grace = await Visitor.arrive(browser, service.url, PHONE);
  await grace.open('/join/tea/friends-of-the-shop');
  await grace.heading('Join Northwind Tea');
  await isFine(grace);
  await grace.picture('portal-join');
  await grace.page.getByLabel('E-mail').fill('grace@partner.example');
  await grace.page.getByLabel('Where do you write?').selectOption('Blog');
  await grace.page.getByText('Terms of the program').click();
  await grace.page.getByText('Be kind.').waitFor();
  await grace.page.getByLabel('I have read the terms').check();
  service.clock.advance(5, 'seconds');
  await grace.button('Apply').click();
  await grace.heading('Confirm your address');
  await grace.open(await mailedPath('grace@partner.example', /Confirm your application/));
  await grace.heading('Your application');
  await isFine(grace);
  await grace.button('Confirm').click();
  await grace.heading('Application received');
  await isFine(grace);

  await owner.open('/affiliates');
  await owner.page.getByRole('link', { name: 'Applications' }).click();
  await owner.page.getByText('Where do you write? Blog').waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.page.getByLabel('Choose grace@partner.example').check();
  await owner.page.getByLabel('Note to the applicants').fill('Nice blog!');
  await owner.button('Approve').click();
  await owner.page.getByText('1 application approved.').waitFor();
  expect((await service.mailbox.take('grace@partner.example', /Welcome to the affiliate program/)).text).toContain('Nice blog!');
  await account.client.join.updateSettings.mutate({ terms: 'Be kind and honest.' });
  await grace.page.reload();
  await grace.heading('Welcome');
  await grace.page.getByText('Read and accept the terms').waitFor();
  await isFine(grace);
  await grace.button('Accept').click();
  await grace.page.getByText('Read and accept the terms').waitFor({ state: 'detached' });
  await grace.button(/^Copy link/).waitFor();
  await isFine(grace);
  await grace.page.getByRole('link', { name: 'Materials', exact: true }).click();
  await grace.heading('Materials');
  await isFine(grace);
  const [banner] = await Promise.all([grace.page.waitForEvent('download'), grace.button('Download: banner.png').click()]);
  expect(readFileSync(await banner.path())).toEqual(LOGO);

  const { data } = await account.client.affiliates.list.query({ email: 'grace@partner.example' });
  await owner.open(`/affiliates/${data[0]!.id}`);
  await owner.page.getByText('Your note: Nice blog!').waitFor();
  const [tab] = await Promise.all([owner.page.context().waitForEvent('page'), owner.button('View portal as affiliate').click()]);
  await tab.getByText('You are looking at the portal of an affiliate').waitFor();
  expect(new URL(tab.url()).pathname).toMatch(/^\/portal/);
});

it('a sign-in link leads an affiliate of two programs into the portal, where they switch', async () => {
  const other = await service.createAccount();
  const campaign = await must<{ id: string }>(other, '/campaigns', {
    name: 'Second',
    url: 'https://second.example/',
    reward_type: 'fixed',
    commission_amount_cents: 500,
  });
  await must(other, '/affiliates', { email: 'linus@partner.example', campaign_id: campaign.id });
  await must(account, '/affiliates', { email: 'linus@partner.example' });
  await service.services.database.kysely.updateTable('account').set({ name: 'Second shop' }).where('id', '=', other.id).execute();

  await using linus = await Visitor.arrive(browser, service.url, PHONE);
  await linus.open('/portal');
  await linus.heading('Sign in');
  await linus.page.getByLabel('E-mail').fill('linus@partner.example');
  await linus.button('E-mail me a sign-in link').click();
  await linus.page.getByRole('status').waitFor();
  const path = await mailedPath('linus@partner.example', /sign-in link/);
  await linus.open(path);
  await linus.page.getByText('This link signs you in once.').waitFor();
  expect(await linus.faults()).toEqual([]);
  const requests = requestsOf(linus);
  await linus.button('Sign in').click();
  await linus.heading(/^Welcome/);
  await linus.page.getByText('Visitors').waitFor();
  await linus.settled();
  // Each request after the other costs a phone far away 150 ms and more.
  expect(requests.splice(0)).toEqual(['POST /auth/sign-in/link']);
  await linus.page.reload();
  await linus.page.getByText('Visitors').waitFor();
  await linus.settled();
  expect(requests).toEqual(['GET /portal', 'GET /trpc/portal.start']);
  await linus.page.getByLabel('Program').selectOption({ label: 'Second shop' });
  await linus.page.getByText('US$5.00 for every sale').waitFor();

  await using late = await Visitor.arrive(browser, service.url, PHONE);
  await late.open(path);
  await late.button('Sign in').click();
  await late.page.getByText('expired or was used already').waitFor();
  await late.page.getByRole('link', { name: 'Request a new link' }).waitFor();
});

it('a merchant shows the portal in a page of their own, as high as its content; another site cannot', async () => {
  const { token } = await account.client.affiliates.createEmbedTokenByEmail.mutate({ email: 'embedded@partner.example' });
  const loader = `<script src="${service.url}/embed.js" data-account="${account.id}" data-token="${token}" data-theme="dark"></script>`;
  await using shop = await startMerchantSite(() => loader);
  await using other = await startMerchantSite(() => loader);
  await account.client.join.updateSettings.mutate({ embed_origins: [shop.origin], terms: 'Be kind to visitors.' });
  await using visitor = await Visitor.arrive(browser, service.url, PHONE);
  await visitor.page.goto(shop.origin);
  const portal = visitor.page.frameLocator('iframe');
  await portal.getByRole('heading', { name: /^Welcome/ }).waitFor();
  await portal.getByRole('button', { name: 'Accept' }).click();
  await portal.getByRole('button', { name: /^Copy link/ }).waitFor();
  expect(await portal.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  const fits = () => visitor.page.evaluate<boolean>(`document.querySelector('iframe').style.height !== '600px'`);
  await expect.poll(fits).toBe(true);
  await visitor.picture('portal-embed');
  expect(await portal.locator('html').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2);

  await visitor.page.goto(other.origin);
  await visitor.page.locator('iframe').waitFor();
  await expect
    .poll(() => visitor.page.frames().map((frame) => frame.url()))
    .toContainEqual(expect.stringContaining('chrome-error:'));
});

it('under the merchant’s own host name, a mailed link opens the portal, and nobody signs in', async () => {
  const host = 'partners.localhost';
  await must(account, '/affiliates', { email: 'hedy@partner.example' });
  const at = service.clock.instant();
  await service.services.database.kysely
    .insertInto('portal_host')
    .values({
      account_id: account.id,
      host,
      verified_at: at,
      failure: null,
      failing_since: null,
      check_at: '2999-01-01T00:00:00.000Z',
      created_at: at,
    })
    .execute();
  service.clock.advance(5, 'seconds');
  await using hedy = await Visitor.arrive(browser, service.url.replace('127.0.0.1', host), PHONE);
  await hedy.open('/');
  await hedy.heading('Affiliate portal');
  await isFine(hedy);
  await hedy.page.getByLabel('E-mail').fill('hedy@partner.example');
  await hedy.button('Send link').click();
  await hedy.page.getByText('an e-mail with a link is on its way').waitFor();
  await hedy.open(await mailedPath('hedy@partner.example', /Your link to the affiliate portal/));
  const requests = requestsOf(hedy);
  await hedy.button('Open your portal').click();
  await hedy.heading(/^Welcome|^Read/);
  await hedy.settled();
  // Before, the page may still ask for the brand.
  expect(requests.slice(requests.indexOf('POST /trpc/portal.enter'))).toEqual([
    'POST /trpc/portal.enter',
    'GET /trpc/portal.self,portal.home',
  ]);
  expect(await hedy.page.context().cookies()).toEqual([]);
  await hedy.page.getByRole('link', { name: 'Profile' }).click();
  await hedy.heading('Profile');
  const { data } = await account.client.affiliates.list.query({ email: 'hedy@partner.example' });
  await account.client.affiliates.update.mutate({ id: data[0]!.id, state: 'pending' });
  await hedy.open('/portal');
  await hedy.page.getByText('has not been approved yet').waitFor();
  await hedy.button('Close the portal').click();
  await hedy.page.getByLabel('E-mail').waitFor();
});
