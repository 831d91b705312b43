import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import { type Program, program, refer, sell } from '../support/program.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { startServiceWithPages } from './service.ts';
import { Visitor } from './visitor.ts';

let service: TestService;
let browser: Chromium;
let account: TestAccount;

beforeAll(async () => {
  [service, browser] = await Promise.all([startServiceWithPages(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});
beforeEach(async () => {
  account = await service.createAccount();
});

const ownerAt = (path: string) => Visitor.ownerAt(path, browser, service, account);

describe('the overview', () => {
  it('shows the first steps for a new account', async () => {
    await using owner = await ownerAt('/');
    await owner.page.getByText('No payouts owed').waitFor();
    await owner.page.getByRole('link', { name: 'Add your first affiliate' }).click();
    await owner.heading('Affiliates');
    await owner.page.getByRole('heading', { name: 'No affiliates yet' }).waitFor();
    expect(await owner.faults()).toEqual([]);
  });

  it('shows figures of the selected range and currency as charts and as a table', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    await fetch(`${service.url}/t/${friends.link.token}?account_id=${account.id}`, { redirect: 'manual' });
    const referral_id = (await refer(account, friends)).id;
    await sell(account, { referral_id, amount_cents: 123_450 });
    await sell(account, { referral_id, amount_cents: 98_765, currency: 'JPY' });
    await sell(account, { referral_id, amount_cents: 1_234_567, currency: 'KWD' });
    await sell(account, { referral_id, amount_cents: 5_000, charged_at: daysAgo(20) });

    await using owner = await ownerAt('/?days=7');
    const total = (label: string) => owner.page.locator('dt', { hasText: label }).locator('+ dd');
    await total('Sales').getByText('US$1,234.50').waitFor();
    expect(await total('Clicks').textContent()).toBe('1');
    expect(await total('Conversions').textContent()).toBe('1');
    expect(await total('Commissions').textContent()).toBe('US$123.45');
    await owner.page
      .getByRole('img', { name: /^Per day .*sales of US\$1,234\.50/ })
      .locator('svg')
      .first()
      .waitFor();
    const due = owner.page.getByRole('region', { name: 'Payouts owed' });
    for (const amount of ['US$128.45', 'JP¥9,877', 'KWD 123.457']) await due.getByText(amount).waitFor();
    const top = owner.page.getByRole('region', { name: 'Top affiliates' });
    await top.getByRole('row', { name: /Ada.*1.*US\$1,234\.50.*US\$123\.45/ }).waitFor();

    await owner.page.getByText('Revenue: show as table').click();
    const table = owner.page.getByRole('table', { name: 'Revenue' });
    await table.waitFor();
    expect(await table.locator('tbody tr').count()).toBe(7);
    await table.getByRole('row', { name: /US\$1,234\.50 US\$123\.45 US\$0\.00/ }).waitFor();
    expect(await owner.faults()).toEqual([]);

    await owner.page.getByRole('combobox', { name: 'Range' }).selectOption('Last 30 days');
    await total('Sales').getByText('US$1,284.50').waitFor();
    await owner.page.getByRole('combobox', { name: 'Currency' }).selectOption('JPY');
    await total('Sales').getByText('JP¥98,765').waitFor();
    await owner.page.getByRole('combobox', { name: 'Currency' }).selectOption('KWD');
    await total('Sales').getByText('KWD 1,234.567').waitFor();
  });

  it('accepts a custom range, and shows the service’s error for an invalid one', async () => {
    const friends = await program(account);
    await sell(account, { referral_id: (await refer(account, friends)).id, amount_cents: 5_000, charged_at: daysAgo(0) });
    await using owner = await ownerAt('/');
    await owner.page.getByRole('combobox', { name: 'Range' }).selectOption('Custom range…');
    await owner.page.getByRole('textbox', { name: 'From', exact: true }).fill(daysAgo(400).slice(0, 10));
    await owner.page.getByRole('alert').getByText('At most 366 days').first().waitFor();
    await owner.page.getByRole('textbox', { name: 'From', exact: true }).fill(daysAgo(100).slice(0, 10));
    await owner.page.getByRole('img', { name: /^Per week .*sales of US\$50\.00/ }).waitFor();
    await owner.page.getByRole('row', { name: /Ada.*US\$50\.00/ }).waitFor();
    expect(await owner.page.getByRole('alert').count()).toBe(0);
    expect(await owner.faults()).toEqual([]);
  });
});

function daysAgo(days: number): string {
  return new Date(service.clock.now().getTime() - days * 86_400_000).toISOString();
}

describe('campaigns', () => {
  const campaigns = async () => (await account.api.get<{ data: unknown[] }>('/campaigns')).body.data;

  it('can be added, edited and archived, with amounts entered as decimals', async () => {
    await using owner = await ownerAt('/campaigns');
    await owner.page.getByRole('heading', { name: 'No campaigns yet' }).waitFor();
    await owner.button('Add campaign').first().click();
    await owner.page.getByRole('textbox', { name: 'Name' }).fill('Friends');
    await owner.page.getByRole('textbox', { name: 'Landing page' }).fill('not a site');
    await owner.page.getByLabel('Fixed amount').check();
    await owner.page.getByRole('textbox', { name: 'Amount', exact: true }).fill('12.345');
    await owner.page.getByRole('textbox', { name: 'Minimum payout' }).fill('1000');
    await owner.page.getByRole('combobox', { name: 'Minimum payout currency' }).selectOption('JPY');
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Add' }).click();
    await owner.page.getByText('Enter an amount in USD, e.g. 12.50.').waitFor();
    await owner.page.getByRole('textbox', { name: 'Amount', exact: true }).fill('12,5');
    await owner.dialog().getByRole('button', { name: 'Add' }).click();
    await owner.page.locator('input[aria-invalid="true"]:focus').waitFor();
    expect(await owner.page.getByRole('textbox', { name: 'Landing page' }).getAttribute('aria-invalid')).toBe('true');
    expect(await owner.dialog().getByRole('alert').count()).toBe(0);
    expect(await campaigns()).toEqual([]);
    await owner.page.getByRole('textbox', { name: 'Landing page' }).fill('https://shop.example.com');
    await owner.dialog().getByRole('button', { name: 'Add' }).click();
    await owner.page.getByRole('row', { name: /Friends.*US\$12\.50.*30 days.*JP¥1,000/ }).waitFor();
    expect(await campaigns()).toMatchObject([
      { reward_type: 'fixed', commission_amount_cents: 1_250, minimum_payout_cents: 1_000, minimum_payout_currency: 'JPY' },
    ]);

    await owner.button('Edit: Friends').click();
    expect(await owner.page.getByRole('textbox', { name: 'Amount', exact: true }).inputValue()).toBe('12.50');
    await owner.page.getByLabel('Percentage').check();
    await owner.page.getByRole('textbox', { name: 'Percent of sale' }).fill('7.5');
    await owner.page.getByLabel('Default campaign').check();
    await owner.button('Save').click();
    await owner.page.getByRole('row', { name: /Friends.*Default.*7\.5%/ }).waitFor();
    expect(await campaigns()).toMatchObject([{ commission_percent: 7.5, commission_amount_cents: null, default: true }]);

    await owner.button('Archive: Friends').click();
    await owner.dialog().getByRole('button', { name: 'Archive' }).click();
    await owner.page.getByRole('heading', { name: 'No campaigns yet' }).waitFor();
    expect(await campaigns()).toEqual([]);

    await owner.page.getByLabel('Show').selectOption('Archived');
    await owner.button('Restore: Friends').click();
    await owner.page.getByText('Friends is restored.').waitFor();
    await owner.page.getByLabel('Show').selectOption('Not archived');
    await owner.page.getByRole('row', { name: /Friends.*7\.5%/ }).waitFor();
    expect(await campaigns()).toMatchObject([{ name: 'Friends', default: false }]);
  });
});

describe('lists', () => {
  it('keep order, filters and columns in the address, are downloaded, lead to records, and are searched by keyboard', async () => {
    const friends = await program(
      account,
      { days_until_commissions_are_due: 0 },
      { email: 'zoe@example.com', last_name: 'Zweig' },
    );
    await program(account, {}, { email: 'adam@example.com', first_name: 'Adam' });
    const referral_id = (await refer(account, friends)).id;
    for (const amount_cents of [1_000, 3_000])
      await sell(account, {
        referral_id,
        amount_cents,
        external_id: `order-of-${amount_cents}`,
        customer_email: 'max@example.com',
      });
    await using owner = await ownerAt('/affiliates');
    const { page } = owner;
    const rows = page.getByRole('table', { name: 'Affiliates' }).locator('tbody tr');
    await rows.nth(1).waitFor();
    await page.getByRole('button', { name: 'Affiliate', exact: true }).click();
    await page
      .getByRole('columnheader', { name: 'Affiliate', exact: true })
      .and(page.locator('[aria-sort="descending"]'))
      .waitFor();
    await rows.first().getByText('zoe@example.com').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByText('2 selected').waitFor();
    await owner.button('Set state…').click();
    await owner.dialog().getByRole('combobox', { name: 'State' }).selectOption('Disabled');
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed: 2 records.').waitFor();
    await rows.nth(1).getByText('Disabled').waitFor();

    await owner.turnTo('/commissions');
    await owner.heading('Commissions');
    await owner.button('More filters').click();
    await page.getByRole('textbox', { name: 'Amount from' }).fill('2.50');
    await page.getByRole('textbox', { name: 'Amount from' }).press('Enter');
    await page.getByRole('row', { name: /US\$1\.00/ }).waitFor({ state: 'detached' });
    await owner.button('View').click();
    await page.getByRole('checkbox', { name: 'Campaign' }).check();
    await page.getByRole('columnheader', { name: 'Campaign' }).waitFor();
    expect(await owner.faults()).toEqual([]);
    await page.reload();
    await page.getByRole('row', { name: /Friends of the shop/ }).waitFor();
    expect(await page.getByRole('table', { name: 'Commissions' }).locator('tbody tr').count()).toBe(1);
    const [download] = await Promise.all([page.waitForEvent('download'), owner.button('Download CSV').click()]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/,300,USD,.*zoe@example\.com/);

    await page.getByRole('link', { name: 'US$3.00' }).click();
    await owner.heading('Commission');
    await page
      .getByRole('table', { name: 'Timeline' })
      .getByRole('row', { name: /Sale.*US\$30\.00.*Reported by your server/ })
      .waitFor();
    expect(await owner.faults()).toEqual([]);
    await page.getByRole('link', { name: 'max@example.com' }).click();
    await owner.heading('max@example.com');
    await page.getByRole('table', { name: 'Sales' }).getByRole('link', { name: 'order-of-1000' }).click();
    await owner.heading('Sale order-of-1000');
    await page
      .getByRole('link', { name: /^Referral/ })
      .first()
      .click();
    await owner.heading('Referral');
    expect(await owner.faults()).toEqual([]);

    await page.keyboard.press('Control+k');
    await owner.dialog().getByRole('searchbox').fill('zoe');
    await owner.dialog().getByText('1 result').waitFor();
    expect(await owner.faults()).toEqual([]);
    await page.keyboard.press('Enter');
    await owner.heading('Ada Zweig');
    await page.keyboard.press('?');
    await owner.dialog().getByRole('table', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await owner.faults()).toEqual([]);
    await page.keyboard.press('Escape');
    await owner.dialog().waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await owner.heading('Payouts');
  });
});

describe('affiliates', () => {
  it('can be added, given a link, searched for, and moved to another state', async () => {
    await program(account, { default: true }, { email: 'ada@example.com' });
    await using owner = await ownerAt('/affiliates');
    await owner.button('Add affiliate').click();
    await owner.page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('ADA@example.com');
    await owner.page.getByLabel('First name').fill('Grace');
    expect(await owner.faults()).toEqual([]);
    await owner.button('Add').last().click();
    await owner.dialog().getByText('Another affiliate has this e-mail address.').waitFor();
    await owner.page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('grace@example.com');
    await owner.page.getByLabel('Approve immediately').uncheck();
    await owner.button('Add').last().click();

    await owner.heading('Grace');
    await owner.page.getByText('No PayPal or Wise e-mail yet').waitFor();
    await owner.button('Add link').click();
    await owner.page.getByLabel('Link code').fill('amazing-grace');
    expect(await owner.faults()).toEqual([]);
    await owner.button('Add').last().click();
    await owner.page.getByRole('row', { name: /amazing-grace/ }).waitFor();
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('active');
    await owner.page.getByText('State of Grace changed to Active.').waitFor();
    await owner.button('Edit').click();
    await owner.page.getByLabel('PayPal e-mail').fill('grace@pay.example');
    await owner.button('Save').click();
    await owner.page.getByText('Paid to grace@pay.example (PayPal)').waitFor();
    expect(await owner.faults()).toEqual([]);
    const { body } = await account.api.get<{ data: unknown[] }>('/affiliates', { email: 'grace@example.com', state: 'active' });
    expect(body.data).toMatchObject([{ first_name: 'Grace', last_name: null, walleta_email: 'grace@pay.example' }]);

    await owner.page.getByRole('link', { name: 'Affiliates' }).click();
    const rows = owner.page.getByRole('table', { name: 'Affiliates' }).locator('tbody tr');
    await rows.nth(1).waitFor();
    await owner.page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('grac');
    await owner.page.keyboard.press('Enter');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.first().textContent()).toContain('grace@example.com');
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('rejected');
    await owner.page.getByRole('heading', { name: 'No matching affiliates' }).waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.page.getByRole('link', { name: 'Show all' }).click();
    await rows.nth(1).waitFor();
  });

  it('of another account are not found', async () => {
    const { affiliate } = await program(await service.createAccount());
    await using owner = await ownerAt(`/affiliates/${affiliate.id}`);
    await owner.page.getByRole('heading', { name: 'Nothing was found at this address' }).waitFor();
    expect(await owner.button('Try again').count()).toBe(0);
    expect(await owner.content()).not.toContain(affiliate.email);
    expect(await owner.faults()).toEqual([]);
  });
});

describe('commissions', () => {
  let friends: Program;
  const earn = async (amount_cents: number) => {
    const { commission } = await sell(account, { referral_id: (await refer(account, friends)).id, amount_cents });
    return commission!.id;
  };
  const commission = async (id: string) => (await account.api.get(`/commissions/${id}`)).body;
  beforeEach(async () => {
    friends = await program(account, { days_until_commissions_are_due: 0 });
  });

  it('can be flagged in the list, and are reviewed on the page “Needs review”', async () => {
    const [small, middle, large] = [await earn(10_000), await earn(20_000), await earn(30_000)];
    await using owner = await ownerAt('/commissions');
    for (const amount of ['US$10.00', 'US$20.00']) {
      await owner.button(`Flag: ${amount} for Ada`).click();
      await owner.button(`Approve: ${amount} for Ada`).waitFor();
    }
    await owner.page.getByRole('link', { name: 'Needs review' }).click();
    await owner.heading('Needs review');
    const rows = owner.page.getByRole('table', { name: 'Commissions to review' }).locator('tbody tr');
    await rows.nth(1).waitFor();
    expect(await owner.faults()).toEqual([]);

    await owner.button('Approve: US$10.00 for Ada').click();
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1);
    expect(await commission(small)).toMatchObject({ review_status: 'approved', payout_id: expect.any(String) });
    // Keyboard users continue in the list, not at the top of the page.
    expect(await owner.page.locator(':focus').getAttribute('aria-label')).toBe('Commissions to review');

    await owner.button('Void: US$20.00 for Ada').click();
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByLabel('Reason').fill('Test order');
    await owner.dialog().getByLabel('Also stop this customer').check();
    await owner.dialog().getByRole('button', { name: 'Void' }).click();
    await owner.page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    const voided = await commission(middle);
    expect(voided).toMatchObject({ state: 'voided', void_reason: 'Test order' });
    const { body: referral } = await account.api.get(`/referrals/${String(voided['referral_id'])}`);
    expect(referral).toMatchObject({ deactivated_at: expect.any(String) });
    expect(await commission(large)).toMatchObject({ state: 'due', review_status: null });
  });

  it('that were paid in the meantime cannot be reviewed, and the service’s error is shown', async () => {
    const id = await earn(10_000);
    await account.api.post(`/commissions/${id}/review`, { review_action: 'suspicious' });
    await using owner = await ownerAt('/commissions/review');
    await owner.button('Approve: US$10.00 for Ada').waitFor();
    await account.api.patch(`/commissions/${id}`, { paid_at: service.clock.instant() });
    const refused = await account.api.post<{ error: string }>(`/commissions/${id}/review`, { review_action: 'approve' });
    await owner.button('Approve: US$10.00 for Ada').click();
    await owner.page.getByText(refused.body.error).waitFor();
    expect(await commission(id)).toMatchObject({ state: 'paid', review_status: 'suspicious' });
  });

  it('can be filtered by state and affiliate, with shareable URLs', async () => {
    await earn(10_000);
    const { commission: other } = await sell(account, {
      referral_id: (await refer(account, await program(account, {}, { first_name: 'Bob' }))).id,
    });
    await using owner = await ownerAt(`/affiliates/${friends.affiliate.id}`);
    await owner.page.getByRole('main').getByRole('link', { name: 'Commissions' }).click();
    await owner.heading('Commissions');
    await owner.page.getByText('Affiliate: Ada').waitFor();
    const rows = owner.page.getByRole('table', { name: 'Commissions' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    await owner.button('All affiliates').click();
    await rows.nth(1).waitFor();
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('pending');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.first().textContent()).toContain('Bob');
    expect(new URL(owner.page.url()).search).toBe('?state=pending');
    expect(other).toMatchObject({ state: 'pending' });
  });
});

describe('the layout', () => {
  it('supports reviewing a commission with the keyboard alone', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    const { commission } = await sell(account, { referral_id: (await refer(account, friends)).id });
    await account.api.post(`/commissions/${commission!.id}/review`, { review_action: 'suspicious' });
    await using owner = await ownerAt('/');
    const { keyboard } = owner.page;
    const focused = () =>
      owner.page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
    /** Presses Tab until the named element has the focus. Fails for focus traps and unreachable elements. */
    const tabTo = async (name: string) => {
      for (let stops = 0; stops < 40; stops += 1) {
        await keyboard.press('Tab');
        if ((await focused()) === name) return;
      }
      throw new Error(`${name} cannot be reached`);
    };
    await owner.page.getByRole('link', { name: '1 flagged commission' }).waitFor();
    await tabTo('Skip to content');
    await keyboard.press('Enter');
    await tabTo('1 flagged commission');
    await keyboard.press('Enter');
    await owner.heading('Needs review');
    await owner.button('Void: US$10.00 for Ada').waitFor();
    await tabTo('Void: US$10.00 for Ada');
    await keyboard.press('Enter');
    await owner.dialog().waitFor();
    await keyboard.press('Escape');
    await owner.dialog().waitFor({ state: 'detached' });
    expect(await focused()).toBe('Void: US$10.00 for Ada');
    await keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Approve: US$10.00 for Ada');
    await keyboard.press('Enter');
    await owner.page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    const { body } = await account.api.get(`/commissions/${commission!.id}`);
    expect(body).toMatchObject({ review_status: 'approved' });
  });

  it('shows no animations to users who prefer reduced motion', async () => {
    await using owner = await ownerAt('/affiliates');
    await owner.page.getByRole('heading', { name: 'No affiliates yet' }).waitFor();
    const { page } = owner;
    await page.evaluate(`window.moved = [];
      for (const type of ['transitionrun', 'animationstart'])
        addEventListener(type, ({ target, propertyName }) => moved.push(type + ' of ' + (propertyName ?? '') + ': ' + target.className));`);
    /** Animations and transitions that have started within two frames. */
    const moved = () =>
      page.evaluate<string[]>(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(moved)))))',
      );
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await moved()).toEqual([]);
    await owner.button('Menu').click();
    expect(await moved()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await moved()).toEqual([]);
  });

  it('stays usable when one page crashes, which shows an error', async () => {
    await using owner = await ownerAt('/affiliates');
    await owner.heading('Affiliates');
    // A response that this version of the service never sends.
    const nonsense = (url: string) =>
      url
        .split('?')[0]!
        .split(',')
        .map(() => ({ result: { data: { days: 1 } } }));
    await owner.page.route(/overview\.daily/, (route) => route.fulfill({ json: nonsense(route.request().url()) }));
    await owner.page.getByRole('link', { name: 'Overview' }).click();
    await owner.page.getByRole('alert').waitFor();
    expect(await owner.page.getByRole('alert').textContent()).toContain('Something went wrong');
    await owner.page.getByRole('link', { name: 'Affiliates' }).click();
    await owner.page.getByRole('heading', { name: 'No affiliates yet' }).waitFor();
  });
});
