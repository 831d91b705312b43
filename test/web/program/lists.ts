import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { program, refer, sell } from '../../support/program.ts';
import { THOROUGH } from '../../support/thorough.ts';
import type { Shop } from './shop.ts';

export function lists(shop: Shop): void {
  it('keep order, filters and columns in the URL, can be downloaded, link to records, and can be searched by keyboard', async () => {
    const friends = await program(
      shop.account,
      { days_until_commissions_are_due: 0 },
      { email: 'zoe@example.com', last_name: 'Zweig' },
    );
    await program(shop.account, {}, { email: 'adam@example.com', first_name: 'Adam' });
    const referral_id = (await refer(shop.account, friends)).id;
    for (const amount_cents of [1_000, 3_000])
      await sell(shop.account, {
        referral_id,
        amount_cents,
        external_id: `order-of-${amount_cents}`,
        customer_email: 'max@example.com',
      });
    await using owner = await shop.ownerAt('/affiliates');
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
    await page.getByRole('button', { name: 'Commission', exact: true }).click();
    await page
      .getByRole('columnheader', { name: 'Commission', exact: true })
      .and(page.locator('[aria-sort="descending"]'))
      .waitFor();
    await page.getByRole('table', { name: 'Commissions' }).locator('tbody tr').first().getByText('US$3.00').waitFor();
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
    const [payout] = (await shop.account.client.payouts.list.query({})).data;
    await shop.account.client.payouts.pay.mutate({ id: payout!.id, payment_reference: 'SEPA 2026-114' });
    await page.keyboard.press('Control+k');
    await owner.dialog().getByRole('searchbox').fill('SEPA 2026-114');
    await owner.dialog().getByText('Payout, Ada Zweig').waitFor();
    await page.keyboard.press('Escape');
    await owner.dialog().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await owner.dialog().getByRole('searchbox').fill('deliver');
    // A page is found by what it is for, too.
    await owner.dialog().getByRole('link', { name: 'Webhooks' }).waitFor();
    await page.keyboard.press('Enter');
    await owner.heading('Webhooks');
    await page.keyboard.press('?');
    await owner.dialog().getByRole('table', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await owner.faults()).toEqual([]);
    await page.keyboard.press('Escape');
    await owner.dialog().waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await owner.heading('Payouts');
  });

  it('show a record beside the list, which its row, the arrow keys, Back and the address move', async () => {
    const friends = await program(shop.account, { days_until_commissions_are_due: 0 }, { email: 'zoe@example.com' });
    const referral_id = (await refer(shop.account, friends)).id;
    for (const amount_cents of [1_000, 2_000, 3_000]) {
      await sell(shop.account, { referral_id, amount_cents });
      shop.service.clock.advance(1, 'minutes');
    }
    await using owner = await shop.ownerAt('/commissions');
    const { page } = owner;
    const rows = page.getByRole('table', { name: 'Commissions' }).locator('tbody tr');
    const panel = page.getByRole('region', { name: 'Quick look' });
    const looksAt = (amount: string) => panel.getByText(`${amount} for`).waitFor();
    await rows.nth(2).waitFor();
    await rows.nth(1).getByText('US$20.00').click();
    await looksAt('US$2.00');
    await panel.getByText('2 of 3').waitFor();
    // The list stays, with the columns for which there is space.
    expect(await rows.nth(1).getAttribute('aria-current')).toBe('true');
    expect(await page.getByRole('columnheader', { name: 'Charged', exact: true }).count()).toBe(0);
    expect(await owner.faults({ contrast: true })).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await looksAt('US$1.00');
    await page.keyboard.press('ArrowDown');
    await panel.getByRole('button', { name: 'Previous record' }).click();
    await panel.getByRole('button', { name: 'Previous record' }).click();
    await looksAt('US$3.00');
    await page.reload();
    await looksAt('US$3.00');
    // An act of the record, and the dialog that it opens. Escape in the dialog leaves the panel open.
    await panel.getByRole('button', { name: 'Void' }).click();
    await owner.dialog().waitFor();
    await page.keyboard.press('Escape');
    await owner.dialog().waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Flag' }).click();
    await panel.getByRole('button', { name: 'Approve' }).waitFor();
    await rows.first().getByText('Flagged').waitFor();
    // The records before it in the list are no steps of the history.
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');

    const look = (row: number) => rows.nth(row).getByRole('button', { name: /^Quick look .*US\$/ });
    await look(2).press('Enter');
    await looksAt('US$1.00');
    await page.keyboard.press('ArrowUp');
    await looksAt('US$2.00');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('id')).toBe(await look(1).getAttribute('id'));
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/commissions');
    // Links of a row still open pages.
    await page.getByRole('link', { name: 'US$2.00' }).click();
    await owner.heading(/^Commission$/);
    await page.goBack();

    await owner.putOn({ size: { width: 390, height: 844 }, colorScheme: 'dark' });
    await rows.nth(1).getByText('US$20.00').click();
    const sheet = owner.dialog().and(page.getByLabel('Quick look'));
    await sheet.getByText('US$2.00 for').waitFor();
    expect([...(await owner.overflow()), ...(await owner.faults({ contrast: true }))]).toEqual([]);
    await sheet.getByRole('link', { name: 'Open page' }).click();
    await sheet.waitFor({ state: 'detached' });
    await owner.heading(/^Commission$/);
  });

  it('have a picture and one act while they are empty, and lead back from filters that match nothing', async () => {
    await using owner = await shop.ownerAt('/commissions');
    const { page } = owner;
    await page.getByRole('link', { name: 'Set up tracking' }).waitFor();
    expect(await owner.faults({ contrast: true })).toEqual([]);
    await owner.turnTo('/customers/sales?attributed=yes');
    await owner.heading('Sales');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByRole('link', { name: 'Set up tracking' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('show 20 rows in a window of 1080 pixels', async () => {
    const friends = await program(shop.account, { days_until_commissions_are_due: 0 });
    const { id: referral_id } = await refer(shop.account, friends);
    for (let row = 0; row < 20; row += 1) {
      await shop.account.client.affiliates.create.mutate({
        campaign_id: friends.campaign.id,
        email: `person-${row}@partner.example`,
        first_name: 'Grace',
      });
      await sell(shop.account, { referral_id, amount_cents: 1_000 + row });
    }
    await using owner = await shop.ownerAt('/affiliates');
    await owner.putOn({ size: { width: 1920, height: 1080 }, colorScheme: 'light' });
    for (const [path, name] of [
      ['/affiliates', 'Affiliates'],
      ['/commissions', 'Commissions'],
    ] as const) {
      if (path !== '/affiliates') await owner.turnTo(path);
      const row = owner.page.getByRole('table', { name }).locator('tbody tr').nth(19);
      await row.waitFor();
      const { y, height } = (await row.boundingBox())!;
      expect({ path, end: Math.round(y + height) }).toMatchObject({ path, end: expect.toSatisfy((end: number) => end <= 1080) });
    }
  });

  // Thorough runs only: in the ordinary run, test/rest/lists.test.ts tests that the service refuses to sort by amounts in several currencies.
  it.runIf(THOROUGH)('cannot be sorted by amounts in several currencies', async () => {
    await using owner = await shop.ownerAt('/payouts');
    const { page } = owner;
    await owner.heading('Payouts');
    const first = await program(shop.account, { days_until_commissions_are_due: 0 });
    await sell(shop.account, { referral_id: (await refer(shop.account, first)).id, amount_cents: 3_000 });
    const later = await program(shop.account, { days_until_commissions_are_due: 0 });
    await sell(shop.account, { referral_id: (await refer(shop.account, later)).id, amount_cents: 2_000, currency: 'EUR' });
    await owner.turnTo('/commissions?sort=-amount_cents');
    await page.getByRole('heading', { name: 'Not sorted by amount' }).waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.button('Only USD').click();
    await page.getByRole('row', { name: /US\$3\.00/ }).waitFor();
    // Sorts by a different column, so that the page requests the list again.
    await owner.turnTo('/payouts?sort=created_at');
    await page.getByRole('row', { name: /€2\.00/ }).waitFor();
    await page.getByRole('button', { name: 'Amount', exact: true }).press('Enter');
    await page.getByText('Filter by a currency to sort by amount.').waitFor();
    expect(new URL(page.url()).search).toBe('?sort=created_at');
  });
}
