import { expect, it } from 'vitest';
import { program, refer, sell, unique } from '../../support/program.ts';
import { LOOKS } from '../visitor.ts';
import type { Shop } from './shop.ts';

export function overview(shop: Shop): void {
  it('shows the first steps for a new account', async () => {
    await using owner = await shop.ownerAt('/');
    await owner.page.getByText('No payouts owed').waitFor();
    for (const [figure, text] of [
      ['Sales by affiliates', 'No sales by affiliates in these days'],
      ['Clicks', 'No clicks in these days'],
      ['Conversions', 'No visitors have become customers'],
    ] as const) {
      await owner.page.getByRole('combobox', { name: 'Figure' }).selectOption(figure);
      await owner.page.getByText(text).waitFor();
    }
    expect(await owner.page.getByRole('img', { name: /^Per/ }).count()).toBe(0);
    await owner.page.getByRole('listitem').getByRole('link', { name: 'Add your first affiliate' }).click();
    await owner.heading('Affiliates');
    await owner.page.getByRole('heading', { name: 'No affiliates yet' }).waitFor();
    expect(await owner.faults()).toEqual([]);
  });

  it('shows figures of the selected range and currency as charts and as a table', async () => {
    const friends = await program(shop.account, { days_until_commissions_are_due: 0 });
    await fetch(`${shop.service.url}/t/${friends.link.token}?account_id=${shop.account.id}`, { redirect: 'manual' });
    const referral_id = (await refer(shop.account, friends)).id;
    await sell(shop.account, { referral_id, amount_cents: 123_450 });
    await sell(shop.account, { referral_id, amount_cents: 98_765, currency: 'JPY' });
    await sell(shop.account, { referral_id, amount_cents: 1_234_567, currency: 'KWD' });
    // Of another customer, because a referral converts at its first charge, whenever the charge is reported.
    const earlier = await refer(shop.account, friends);
    await sell(shop.account, { referral_id: earlier.id, amount_cents: 5_000, charged_at: shop.daysAgo(20) });

    await using owner = await shop.ownerAt('/?days=7');
    const total = (label: string) => owner.page.locator('dt', { hasText: label }).locator('+ dd');
    await total('Sales').getByText('US$1,234.50').waitFor();
    expect(await total('Clicks').textContent()).toBe('1');
    expect(await total('Conversions').textContent()).toBe('1');
    expect(await total('Commissions').textContent()).toBe('US$123.45');
    await owner.page
      .getByRole('img', { name: /^Per day .*sales by affiliates of US\$1,234\.50/ })
      .locator('svg')
      .first()
      .waitFor();
    const due = owner.page.getByRole('region', { name: 'Payouts owed' });
    for (const amount of ['US$128.45', 'JP¥9,877', 'KWD 123.457']) await due.getByText(amount).waitFor();
    // The currency of the account comes first.
    expect(await due.locator('dl').first().getAttribute('aria-label')).toBe('USD');
    const top = owner.page.getByRole('region', { name: 'Top affiliates' });
    await top.getByRole('row', { name: /Ada.*1.*US\$1,234\.50.*US\$123\.45/ }).waitFor();

    await owner.page.getByText('Sales by affiliates: show as table').click();
    const table = owner.page.getByRole('table', { name: 'Figures by day' });
    await table.waitFor();
    expect(await table.locator('tbody tr').count()).toBe(7);
    // Sales, commissions, conversions, clicks, referrals and payouts.
    await table.getByRole('row', { name: /US\$1,234\.50 US\$123\.45 1 1 \d US\$0\.00/ }).waitFor();
    expect(await owner.faults()).toEqual([]);

    await owner.page.getByRole('combobox', { name: 'Range' }).selectOption('Last 30 days');
    await total('Sales').getByText('US$1,284.50').waitFor();
    // Nothing was sold in the 30 days before, so there is no change in percent.
    expect(await owner.page.getByText(/on the previous period/).count()).toBe(0);
    await owner.page.getByRole('combobox', { name: 'Currency' }).selectOption('JPY');
    await total('Sales').getByText('JP¥98,765').waitFor();
    await owner.page.getByRole('combobox', { name: 'Currency' }).selectOption('KWD');
    await total('Sales').getByText('KWD 1,234.567').waitFor();
  });

  it('shows debts and what is blocked, with the reasons, each as a sum of its own, and who sells more than before', async () => {
    const terms = { days_until_commissions_are_due: 0 };
    const [ada, bob] = [
      await program(shop.account, terms),
      await program(shop.account, { ...terms, minimum_payout_cents: 5_000 }, { first_name: 'Bob' }),
    ];
    const { commission } = await sell(shop.account, { referral_id: (await refer(shop.account, ada)).id, amount_cents: 40_000 });
    const [payout] = (await shop.account.client.payouts.list.query({ affiliate_id: ada.affiliate.id })).data;
    await shop.account.client.payouts.pay.mutate({ id: payout!.id });
    await shop.account.client.commissions.void.mutate({ id: commission!.id });
    const [earlier, now] = [await refer(shop.account, bob), await refer(shop.account, bob)];
    await sell(shop.account, { referral_id: earlier.id, amount_cents: 10_000, charged_at: shop.daysAgo(10) });
    await sell(shop.account, { referral_id: now.id, amount_cents: 15_000 });
    // Nobody brought this one.
    await sell(shop.account, { amount_cents: 70_000, customer_email: 'nobody@example.com' });

    await using owner = await shop.ownerAt('/?days=7');
    const owed = owner.page.getByRole('region', { name: 'Payouts owed' });
    await owed.getByRole('link', { name: 'Pending payouts: US$25.00' }).waitFor();
    await owed.getByText('Below minimum (1)').waitFor();
    const top = owner.page.getByRole('region', { name: 'Top affiliates' });
    await top.getByRole('row', { name: /Bob.*US\$150\.00.*\+50%.*US\$15\.00/ }).waitFor();
    await top.getByRole('row', { name: /Ada.*US\$400\.00.*New/ }).waitFor();
    await owner.page.locator('dt', { hasText: 'Sales by affiliates' }).locator('+ dd').getByText('US$550.00').waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.putOn(LOOKS[3]);
    expect(await owner.overflow()).toEqual([]);
    await owed.getByRole('link', { name: 'Owed by affiliates: -US$40.00' }).click();
    await owner.page.getByRole('row', { name: /Ada.*-US\$40\.00/ }).waitFor();
    expect(await owner.page.getByRole('row', { name: /Bob/ }).count()).toBe(0);
  });

  it('names people and acts in the latest events, the list of commissions and the audit log, with links', async () => {
    const friends = await program(shop.account, { days_until_commissions_are_due: 0 });
    const name = unique('Grace');
    await shop.account.api.patch(`/affiliates/${friends.affiliate.id}`, { first_name: name, last_name: 'Hopper' });
    await using owner = await shop.ownerAt(`/affiliates/${friends.affiliate.id}`);
    await owner.button('More').click();
    await owner.button('Add commission').click();
    await owner.dialog().getByLabel('Amount').fill('10');
    await owner.dialog().getByLabel('Note').fill('Talk');
    await owner.dialog().getByRole('button', { name: 'Add' }).click();
    await owner.page.getByText(`Commission added: US$10.00 for ${name} Hopper`).waitFor();
    await owner.turnTo('/');
    const activity = owner.page.getByRole('table', { name: 'Recent activity' });
    const due = activity.getByRole('row', { name: new RegExp(`Commission due.*${name} Hopper.*US\\$10.00`) });
    await due.getByRole('link', { name: `${name} Hopper` }).waitFor();
    await owner.turnTo('/commissions');
    await owner.page.getByRole('row', { name: new RegExp(`${name} Hopper.*By hand: Talk`) }).waitFor();
    await owner.turnTo('/settings/audit-log');
    const entry = owner.page.getByRole('row', { name: /Added a commission by hand/ }).first();
    await entry.getByRole('link', { name: `${name} Hopper`, exact: true }).click();
    await owner.heading(`${name} Hopper`);
    expect(await owner.faults()).toEqual([]);
  });

  it('accepts a custom range, and shows the service’s error for an invalid range', async () => {
    const friends = await program(shop.account);
    await sell(shop.account, {
      referral_id: (await refer(shop.account, friends)).id,
      amount_cents: 5_000,
      charged_at: shop.daysAgo(0),
    });
    await using owner = await shop.ownerAt('/');
    await owner.page.getByRole('combobox', { name: 'Range' }).selectOption('Custom range…');
    await owner.page.getByRole('textbox', { name: 'From', exact: true }).fill(shop.daysAgo(400).slice(0, 10));
    await owner.page.getByRole('alert').getByText('At most 366 days').first().waitFor();
    await owner.page.getByRole('textbox', { name: 'From', exact: true }).fill(shop.daysAgo(100).slice(0, 10));
    await owner.page.getByRole('img', { name: /^Per week .*sales by affiliates of US\$50\.00/ }).waitFor();
    await owner.page.getByRole('row', { name: /Ada.*US\$50\.00/ }).waitFor();
    expect(await owner.page.getByRole('alert').count()).toBe(0);
    expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  });
}
