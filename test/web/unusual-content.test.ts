import { beforeAll, describe, expect, it } from 'vitest';
import { must, program, refer, sell, unique } from '../support/program.ts';
import { useAccount } from '../support/suite.ts';
import { sample } from '../support/thorough.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();
const account = useAccount(service, 'file');

beforeAll(async () => {
  await using owner = await Visitor.ownerAt('/settings/account', browser, service, account);
  await owner.page.getByRole('textbox', { name: 'Name' }).fill(`${'Rindfleischetikettierungsüberwachung'.repeat(3)} 🛍️`);
  await owner.button('Save').click();
  await owner.page.getByRole('banner').getByText('überwachung').waitFor();
});

const ownerAt = (path: string) => Visitor.ownerAt(path, browser, service, account);

/**
 * Script that returns by how many pixels the page is wider than the window, with the element that extends furthest. Returns an empty array
 * if the page fits. Tabs may extend further, because their row scrolls.
 */
const OVERFLOW = `(() => {
  const width = document.documentElement.clientWidth;
  const furthest = [...document.querySelectorAll('main *, [role=dialog] *, header *')]
    .filter((element) => !element.closest('caption, thead, main nav > *') && element.getClientRects().length > 0)
    .map((element) => ({ right: element.getBoundingClientRect().right, html: element.outerHTML.slice(0, 200) }))
    .reduce((one, other) => (other.right > one.right ? other : one), { right: 0, html: '' });
  return furthest.right > width + 1 ? [Math.round(furthest.right - width) + ' px: ' + furthest.html] : [];
})()`;

describe('records with long texts and texts in other scripts', () => {
  const word = 'x'.repeat(60);
  let affiliateId: string;
  beforeAll(async () => {
    const friends = await program(
      account,
      { name: `${word}${word}`, url: `https://shop.example.com/${word}${word}` },
      { email: `${word}@${'y'.repeat(60)}.example.com`, first_name: `${word}${'z'.repeat(39)}`, last_name: 'שלום עולם مرحبا' },
    );
    affiliateId = friends.affiliate.id;
    await program(account, {}, { first_name: '👩‍👩‍👧‍👦'.repeat(8) });
    const referral = await refer(account, friends);
    // An amount of twelve digits.
    await sell(account, { referral_id: referral.id, amount_cents: 9_999_999_999_00, customer_email: `${word}@example.com` });
    await must(account, '/commissions', {
      affiliate_id: affiliateId,
      amount_cents: 9_999_999_999_00,
      currency: 'USD',
      note: word.repeat(3),
    });
  });

  it('fit into windows of 1280 and 390 pixels', async () => {
    await using owner = await ownerAt(`/settings/profile`);
    await owner.heading('Profile');
    const overflow: string[] = [];
    const look = async (view: string, turn = 0) => {
      for (const width of sample([390, 1280], 2, turn)) {
        await owner.page.setViewportSize({ width, height: 900 });
        await owner.settled();
        overflow.push(...(await owner.page.evaluate<string[]>(OVERFLOW)).map((wide) => `${view}, ${width} px: ${wide}`));
      }
    };
    const pages = ['/affiliates', '/', '/campaigns', '/commissions', '/payouts', '/settings/members', '/settings/account'];
    for (const [turn, path] of [...pages, `/affiliates/${affiliateId}`].entries()) {
      await owner.turnTo(path);
      await look(path, turn);
    }
    await owner.page.setViewportSize({ width: 1280, height: 900 });
    await owner.button('More').click();
    await owner.button(/^Archive: .*z/).click();
    await look('dialog');
    expect(overflow).toEqual([]);
  });
});

describe('a list', () => {
  it('updates its search box on Back and Forward, and explains a URL past its last page', async () => {
    await program(account, {}, { email: `${unique('grace')}@example.com` });
    await using owner = await ownerAt('/affiliates?search=grace');
    const box = owner.page.getByRole('searchbox');
    await box.fill('nobody at all');
    await owner.page.keyboard.press('Enter');
    await owner.page.getByRole('heading', { name: 'No matching affiliates' }).waitFor();
    await owner.page.goBack();
    await owner.page.getByRole('row', { name: /grace/ }).waitFor();
    expect(await box.inputValue()).toBe('grace');
    await owner.turnTo('/campaigns?page=9999');
    await owner.page.getByRole('heading', { name: 'past the end' }).waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.button('Go to the last page').click();
    await owner.page.getByRole('table', { name: 'Campaigns' }).waitFor();
  });
});

describe('an action', () => {
  it('is not offered if it cannot succeed', async () => {
    const own = await service.createAccount();
    await using owner = await Visitor.ownerAt('/payouts', browser, service, own);
    await owner.button('Create run').click();
    await owner.page.getByText('No payouts are eligible.').waitFor();
    expect(await owner.dialog().getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await owner.button('Cancel').click();
    await owner.turnTo('/settings/members');
    await owner.page.getByRole('row', { name: own.ownerEmail }).waitFor();
    expect(await owner.button(/^Remove/).count()).toBe(0);
    expect(await owner.page.getByRole('combobox', { name: /^Role of/ }).count()).toBe(0);
  });

  it('that ends earning requires a confirmation', async () => {
    const { affiliate } = await program(account, {}, { first_name: 'Grace' });
    await using owner = await ownerAt(`/affiliates/${affiliate.id}`);
    const stateOf = async () => (await account.api.get<{ state: string }>(`/affiliates/${affiliate.id}`)).body.state;
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('rejected');
    expect(await owner.faults()).toEqual([]);
    await owner.button('Cancel').click();
    expect(await stateOf()).toBe('active');
    expect(await owner.page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('active');
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('rejected');
    await owner.dialog().getByRole('button', { name: 'Reject' }).click();
    await owner.page.getByText('State of Grace changed to Rejected.').waitFor();
    expect(await stateOf()).toBe('rejected');
  });

  it('is refused while offline, and is not repeated later', async () => {
    const { affiliate } = await program(account, {}, { first_name: 'Ida' });
    await using owner = await ownerAt(`/affiliates/${affiliate.id}`);
    await owner.heading('Ida');
    await owner.page.context().setOffline(true);
    await owner.page.getByRole('status').getByText('You are offline').waitFor();
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('pending');
    await owner.page.getByText('You are offline. Connect').waitFor();
    expect(await owner.page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('active');
    const asked = owner.page.waitForResponse((response) => response.url().includes('affiliates.get'));
    await owner.page.context().setOffline(false);
    // Once the connection is back, the page refetches its data.
    await asked;
    expect((await account.api.get<{ state: string }>(`/affiliates/${affiliate.id}`)).body.state).toBe('active');
    expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  });
});
