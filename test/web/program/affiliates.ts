import { expect, it } from 'vitest';
import { PortalVisitor } from '../../portal/people.ts';
import { program } from '../../support/program.ts';
import { LOOKS } from '../visitor.ts';
import type { Shop } from './shop.ts';

export function affiliates(shop: Shop): void {
  it('have their tabs in one row on a phone, in which the current tab is in view', async () => {
    const { affiliate } = await program(shop.account);
    await using owner = await shop.ownerAt(`/affiliates/${affiliate.id}`);
    const row = owner.page.getByRole('navigation', { name: 'Pages of the affiliate' });
    const tabs = row.getByRole('link');
    await tabs.nth(3).waitFor();
    await owner.putOn(LOOKS[3]);
    const boxes = await Promise.all((await tabs.all()).map((tab) => tab.boundingBox()));
    expect(boxes).toHaveLength(6);
    expect(new Set(boxes.map((box) => box!.y)).size).toBe(1);
    expect(await owner.overflow()).toEqual([]);
    expect(await owner.faults()).toEqual([]);

    // What somebody has earned comes before acts on the record.
    expect((await owner.page.getByRole('heading', { level: 2 }).allTextContents()).slice(0, 2)).toEqual([
      'Earnings',
      'Not paid yet',
    ]);

    // The figures come first.
    const earned = owner.page.locator('dt', { hasText: /^Earned$/ }).locator('+ dd');
    expect(await earned.textContent()).toBe('–');

    // So narrow that the second tab does not fit.
    await owner.page.setViewportSize({ width: 180, height: 844 });
    await tabs.nth(1).press('Enter');
    await owner.page.locator('[aria-current=page]', { hasText: 'Promo codes' }).waitFor();
    const endOf = async (part: typeof row) => {
      const { x, width } = (await part.boundingBox())!;
      return Math.round(x + width);
    };
    await expect.poll(async () => (await endOf(tabs.nth(1))) - (await endOf(row))).toBeLessThanOrEqual(0);
    expect(await endOf(tabs.nth(0))).toBeLessThan(await endOf(row));
    // An account without a payment provider sees what to do first.
    await owner.page.getByRole('link', { name: 'Connect Stripe' }).click();
    await owner.heading('Payment providers');
  });

  it('can be added, given a link, searched for, and moved to another state', async () => {
    await program(shop.account, { default: true }, { email: 'ada@example.com' });
    await using owner = await shop.ownerAt('/affiliates');
    await owner.button('Add affiliate').click();
    await owner.page.getByRole('textbox', { name: 'Email', exact: true }).fill('ADA@example.com');
    await owner.page.getByLabel('First name').fill('Grace');
    expect(await owner.faults()).toEqual([]);
    await owner.button('Add').last().click();
    await owner.dialog().getByText('Another affiliate has this email address.').waitFor();
    await owner.page.getByRole('textbox', { name: 'Email', exact: true }).fill('grace@example.com');
    await owner.page.getByLabel('Approve immediately').uncheck();
    // What was typed is not lost by one key.
    await owner.page.keyboard.press('Escape');
    await owner.dialog().getByText('What you have entered is not saved.').waitFor();
    expect(await owner.page.getByRole('textbox', { name: 'Email', exact: true }).inputValue()).toBe('grace@example.com');
    await owner.button('Add').last().click();

    await owner.heading('Grace');
    await owner.page.getByText('No PayPal or Wise email yet').waitFor();
    await owner.button('Add link').click();
    await owner.page.getByLabel('Link code').fill('amazing-grace');
    expect(await owner.faults()).toEqual([]);
    await owner.button('Add').last().click();
    await owner.page.getByRole('row', { name: /amazing-grace/ }).waitFor();
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('active');
    await owner.page.getByText('State of Grace changed to Active.').waitFor();
    await owner.button('Edit').click();
    await owner.page.getByLabel('PayPal email').fill('grace@pay.example');
    await owner.button('Save').click();
    await owner.page.getByText('Paid to grace@pay.example (PayPal)').waitFor();
    expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
    const { body } = await shop.account.api.get<{ data: unknown[] }>('/affiliates', {
      email: 'grace@example.com',
      state: 'active',
    });
    expect(body.data).toMatchObject([{ first_name: 'Grace', last_name: null, walleta_email: 'grace@pay.example' }]);

    await owner.page.getByRole('link', { name: 'Affiliates' }).click();
    const rows = owner.page.getByRole('table', { name: 'Affiliates' }).locator('tbody tr');
    await rows.nth(1).waitFor();
    await owner.page.getByRole('searchbox', { name: 'Name or email' }).fill('grac');
    await owner.page.keyboard.press('Enter');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.first().textContent()).toContain('grace@example.com');
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('rejected');
    await owner.page.getByRole('heading', { name: 'No matching affiliates' }).waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.page.getByRole('link', { name: 'Show all' }).click();
    await rows.nth(1).waitFor();
  });

  it('who never signed in are invited together', async () => {
    const [ada, bob] = [await program(shop.account), await program(shop.account, {}, { first_name: 'Bob' })];
    await PortalVisitor.enter(shop.service, shop.account, ada.affiliate.email);
    await using owner = await shop.ownerAt('/affiliates');
    const rows = owner.page.getByRole('table', { name: 'Affiliates' }).locator('tbody tr');
    await rows.nth(1).waitFor();
    await owner.button('More filters').click();
    await owner.page.getByRole('combobox', { name: 'Portal' }).selectOption('Never signed in');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.first().textContent()).toContain(bob.affiliate.email);
    await owner.page.getByLabel('Select all on this page').check();
    await owner.page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Invite by email' }).click();
    await owner.page.getByText('Changed: 1 record.').waitFor();
    expect(await owner.faults()).toEqual([]);
    const { data } = await shop.account.client.invitations.list.query({});
    expect(data).toMatchObject([{ kind: 'affiliate', email: bob.affiliate.email, status: 'pending' }]);
  });

  it('of another account are not found', async () => {
    const { affiliate } = await program(await shop.service.createAccount());
    await using owner = await shop.ownerAt(`/affiliates/${affiliate.id}`);
    await owner.page.getByRole('heading', { name: 'Nothing was found at this address' }).waitFor();
    expect(await owner.button('Try again').count()).toBe(0);
    expect(await owner.content()).not.toContain(affiliate.email);
    expect(await owner.faults()).toEqual([]);
  });
}
