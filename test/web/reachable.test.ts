import { beforeAll, expect, it } from 'vitest';
import { rule } from '../rewards/program.ts';
import { must, sell } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { sample } from '../support/thorough.ts';
import { turnTo } from './portal/portal.ts';
import { announced, listen, spoken, tabTo, unreachable } from './screen-reader.ts';
import { usePages } from './service.ts';
import { LOOKS, Visitor } from './visitor.ts';

/** The window of a phone of 320 pixels, and a window of 1280 x 1024 pixels that is enlarged to 400 %. */
const SMALL = { width: 320, height: 640 };
const ENLARGED = { width: 320, height: 256 };

const { service, browser } = usePages();
let account: TestAccount;

/** A program with everything that is optional. */
beforeAll(async () => {
  account = await service.createAccount();
  const campaign = await must<{ id: string }>(account, '/campaigns', {
    name: 'Friends of the shop',
    url: 'https://shop.example.com/',
    reward_type: 'percent',
    commission_percent: 10,
    days_until_commissions_are_due: 0,
    minimum_payout_cents: 1_000,
    welcome_text: 'Welcome to our friends!',
    affiliate_dashboard_text: 'Write about tea.',
    default: true,
  });
  await rule(account, campaign, { name: 'Second product', when: { products: ['pro'] }, pay: { percent: 30 } });
  await account.client.portalSettings.update.mutate({
    slug: 'reach',
    approval: 'automatic',
    terms: 'Be kind.',
    support_email: 'help@shop.example.com',
    brand_name: 'Northwind Tea',
    brand_color: '#ffd000',
    questions: [
      { label: 'Where do you write?', kind: 'choice', required: true, choices: ['Blog', 'Video'] },
      { label: 'Why tea?', kind: 'text', required: false, choices: [] },
    ],
  });
});

async function mailedPath(email: string, subject: RegExp): Promise<string> {
  const { text } = await service.mailbox.take(email, subject);
  const { pathname, hash } = new URL(/http\S+/.exec(text)![0]);
  return pathname + hash;
}

/** Reports a sale of 200.00 USD to a customer who has followed a link. */
async function sellThrough(token: string): Promise<void> {
  const { data: links } = await account.client.links.list.query({});
  const { id } = await must<{ id: string }>(account, '/referrals', { link_id: links.find((link) => link.token === token)!.id });
  await sell(account, { referral_id: id, amount_cents: 20_000, customer_email: `karen@${token}.example` });
}

/** Returns the accessible name of the element that has the focus, and its role or tag. */
function focused({ page }: Visitor): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { activeElement: element } = document;
    const name = element.getAttribute('aria-label')
      ?? document.getElementById(element.getAttribute('aria-labelledby'))?.textContent ?? element.textContent.slice(0, 40);
    return element.tagName.toLowerCase() + ': ' + name;
  })()`);
}

/** Returns those of the expected lines that a screen reader does not say in this order. Each stands for a line that begins with it. */
function unsaid(lines: string[], expected: string[]): string[] {
  let from = 0;
  return expected.filter((line) => {
    const at = lines.findIndex((each, index) => index >= from && each.startsWith(line));
    if (at >= 0) from = at + 1;
    return at < 0;
  });
}

/** Checks that the open page can be used by everybody: in a small window and an enlarged one, in both schemes, in the colors of the system. */
async function expectReachable(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const former = page.viewportSize()!;
  for (const size of [SMALL, ENLARGED, LOOKS[1].size]) {
    await visitor.putOn({ size, colorScheme: 'dark' });
    expect([size.width, size.height, ...(await visitor.overflow()), ...(await unreachable(page))]).toEqual([
      size.width,
      size.height,
    ]);
  }
  expect(await visitor.faults({ contrast: true })).toEqual([]);
  await page.emulateMedia({ forcedColors: 'active' });
  // In the colors of the system, the current page must differ from the others by more than its weight.
  const backgrounds = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll('nav a')].filter((link) => link.checkVisibility())
    .map((link) => (link.ariaCurrent ? 'current ' : 'other ') + getComputedStyle(link).backgroundColor)`);
  const current = backgrounds.filter((each) => each.startsWith('current')).map((each) => each.replace('current', 'other'));
  expect(backgrounds.filter((each) => current.includes(each))).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
  expect(await page.evaluate<number>('document.getAnimations().length')).toBe(0);
  await visitor.putOn({ size: former, colorScheme: 'light' });
  expect(await unreachable(page)).toEqual([]);
}

it('a person joins, makes a first link and gets a statement by keyboard alone, in a window enlarged to 400 %', async () => {
  await using ada = await Visitor.arrive(browser, service.url, { ...ENLARGED, isFresh: true });
  const { page } = ada;
  const { keyboard } = page;
  await listen(page);
  await ada.open('/join/reach/friends-of-the-shop');
  await ada.heading('Join Northwind Tea');
  await tabTo(page, 'textbox', 'First name');
  await keyboard.type('Ada');
  await tabTo(page, 'textbox', 'Email (required)');
  await keyboard.type('ada@partner.example');
  await tabTo(page, 'combobox', 'Where do you write? (required)');
  await keyboard.press('ArrowDown');
  await tabTo(page, 'button', 'Apply');
  service.clock.advance(5, 'seconds');
  await keyboard.press('Enter');
  await page.getByText('Read and accept the terms.').waitFor();
  // The focus is at the field with the error.
  await keyboard.press('Space');
  await tabTo(page, 'button', 'Apply');
  await keyboard.press('Enter');
  await ada.heading('Confirm your address');
  expect(await focused(ada)).toBe('section: Confirm your address');

  await ada.open(await mailedPath('ada@partner.example', /Confirm your application/));
  await tabTo(page, 'button', 'Confirm');
  await keyboard.press('Enter');
  await ada.heading('Welcome, Ada');
  await tabTo(page, 'link', 'Links');
  await keyboard.press('Enter');
  await ada.heading('Links');
  expect(await focused(ada)).toMatch(/^main: /);
  await tabTo(page, 'textbox', 'Link code');
  await keyboard.type('tea-time');
  await tabTo(page, 'button', 'Create link');
  await keyboard.press('Enter');
  await page.getByText('Link created: tea-time').waitFor();
  expect(await focused(ada)).toBe('button: Create link');
  expect(await announced(page)).toContain('Link created: tea-time');

  // Without the permission, the text is shown selected. With it, the copy is announced.
  await page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: () => Promise.reject(new Error()) } })`,
  );
  await tabTo(page, 'button', 'Copy link: tea-time');
  await keyboard.press('Enter');
  await ada.dialog().getByText('This browser does not let the page copy').waitFor();
  await expect.poll(() => page.evaluate<string>('getSelection().toString()')).toContain('/tea-time');
  expect(await ada.faults({ contrast: true })).toEqual([]);
  await keyboard.press('Escape');
  await ada.dialog().waitFor({ state: 'detached' });
  await expect.poll(() => focused(ada)).toBe('button: Copy link: tea-time');
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.resolve() } })`);
  await keyboard.press('Enter');
  await expect.poll(() => announced(page)).toContain('Copied link: tea-time');

  await sellThrough('tea-time');
  const { data: payouts } = await account.client.payouts.list.query({});
  await must(account, `/payouts/${payouts[0]!.id}/pay`, {}, 200);
  await tabTo(page, 'link', 'Payouts');
  await keyboard.press('Enter');
  await ada.heading('Payouts');
  await tabTo(page, 'button', /^PDF: statement of US\$20\.00/);
  const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
  await expect.poll(() => focused(ada)).toMatch(/^button: PDF/);

  await tabTo(page, 'link', 'Profile');
  await keyboard.press('Enter');
  await ada.heading('Profile');
  await tabTo(page, 'textbox', 'Last name');
  await keyboard.type('Lovelace');
  await tabTo(page, 'button', 'Save');
  await keyboard.press('Enter');
  await expect.poll(() => announced(page)).toContain('Saved.');
  expect(await focused(ada)).toBe('button: Save');
});

it('a screen reader reads all that is needed to join, to make a first link and to get a statement, with everything optional switched on', async () => {
  await using grace = await Visitor.arrive(browser, service.url, { ...LOOKS[0].size, isFresh: true });
  const { page } = grace;
  await grace.open('/join/reach/friends-of-the-shop');
  await grace.heading('Join Northwind Tea');
  expect(
    unsaid(await spoken(page), [
      'region: Join Northwind Tea',
      'heading: Join Northwind Tea, level 1',
      '10% of every sale to a customer you refer, unless a special reward applies.',
      'list: Special rewards',
      '30% for pro.',
      'form: Apply',
      'textbox: First name',
      'textbox: Email (required), required',
      'combobox: Where do you write? (required), “Choose an answer”, collapsed',
      'checkbox: I have read the terms and accept them. (required), not checked',
      'button: Apply',
      'link: help@shop.example.com',
    ]),
  ).toEqual([]);
  await expectReachable(grace);
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Email').fill('grace@partner.example');
  await page.getByLabel('Where do you write?').selectOption('Blog');
  await grace.button('Apply').click();
  await page.getByText('Read and accept the terms.').waitFor();
  expect(
    unsaid(await spoken(page), [
      'checkbox: I have read the terms and accept them. (required), invalid, focused, not checked, Read and accept the terms.',
    ]),
  ).toEqual([]);
  await page.getByLabel('I have read the terms').check();
  service.clock.advance(5, 'seconds');
  await grace.button('Apply').click();
  await grace.heading('Confirm your address');
  await grace.open(await mailedPath('grace@partner.example', /Confirm your application/));
  await grace.button('Confirm').click();
  await grace.heading('Welcome, Grace');
  expect(
    unsaid(await spoken(page), [
      'link: Skip to content',
      'navigation: Pages',
      'heading: Welcome, Grace, level 1',
      '10% of every sale to a customer you refer, unless a special reward applies.',
      'region: Special rewards',
      '30% for pro.',
      'region: Your links',
      'button: Copy link: grace',
      'term: Clicks',
      'region: Earnings',
      'region: From the merchant',
      'Write about tea.',
      'Questions? Write to',
      'link: help@shop.example.com',
    ]),
  ).toEqual([]);
  await expectReachable(grace);

  await turnTo(grace, 'Links');
  await page.getByLabel('Link code').fill('first-link');
  await grace.button('Create link').click();
  await page.getByText('Link created: first-link').waitFor();
  await grace.button('QR code: first-link').click();
  expect(
    unsaid(await spoken(page), [
      'heading: Links, level 1',
      'region: New link',
      'form: New link',
      'textbox: Page to share, Any page of the merchant’s site',
      'button: Create link',
      'status: ',
      'Link created: first-link',
      'table: Links',
      'columnheader: Link',
      'rowheader: http://localhost/t/reach/first-link leads to https://shop.example.com/',
      'cell: 0',
      'button: Copy link: first-link',
      'button: QR code: first-link, focused, expanded',
      'image: QR code of first-link',
    ]),
  ).toEqual([]);
  await expectReachable(grace);

  await sellThrough('first-link');
  const { data: affiliates } = await account.client.affiliates.list.query({ email: 'grace@partner.example' });
  const { data: payouts } = await account.client.payouts.list.query({ affiliate_id: affiliates[0]!.id });
  await turnTo(grace, 'Payouts');
  expect(unsaid(await spoken(page), ['table: Payouts', 'cell: US$20.00', 'button: PDF: statement of US$20.00'])).toEqual([]);
  await must(account, `/payouts/${payouts[0]!.id}/pay`, {}, 200);
  await page.reload();
  await grace.heading('Payouts');
  await page.getByText('Paid').first().waitFor();
  expect(unsaid(await spoken(page), ['table: Payouts', 'Paid', 'cell: US$20.00'])).toEqual([]);
  await expectReachable(grace);
  // The ordinary run checks every other page, because each takes half a second.
  for (const name of sample(['Figures', 'Conversions', 'Commissions', 'Materials', 'Payout details', 'Profile'], 2, 0)) {
    await turnTo(grace, name);
    await expectReachable(grace);
  }
});
