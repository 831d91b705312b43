import { expect, it } from 'vitest';
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

  it('of another account are not found', async () => {
    const { affiliate } = await program(await shop.service.createAccount());
    await using owner = await shop.ownerAt(`/affiliates/${affiliate.id}`);
    await owner.page.getByRole('heading', { name: 'Nothing was found at this address' }).waitFor();
    expect(await owner.button('Try again').count()).toBe(0);
    expect(await owner.content()).not.toContain(affiliate.email);
    expect(await owner.faults()).toEqual([]);
  });
}
