import { expect, it } from 'vitest';
import { must, program, refer, sell } from '../../support/program.ts';
import { countClicks } from '../count-clicks.ts';
import type { Shop } from './shop.ts';

export function campaigns(shop: Shop): void {
  const campaigns = async () => (await shop.account.api.get<{ data: unknown[] }>('/campaigns')).body.data;

  it('can be added, edited and archived, with amounts entered as decimals', async () => {
    await using owner = await shop.ownerAt('/campaigns');
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

  it('have a page with their terms, what happened, and tabs', async () => {
    const made = await program(shop.account, { name: 'Friends', minimum_payout_cents: 5_000, max_commissions: 3 });
    const { id: referral_id } = await refer(shop.account, made);
    await sell(shop.account, { referral_id });
    await using owner = await shop.ownerAt('/campaigns');
    await owner.page.getByRole('link', { name: 'Friends', exact: true }).click();
    await owner.heading('Friends');
    const fact = (name: string) => owner.page.locator('dt', { hasText: name }).locator('+ dd');
    expect(await fact('Minimum payout').textContent()).toBe('US$50.00');
    expect(await fact('Maximum commissions per referral').textContent()).toBe('3');
    const timeline = owner.page.getByRole('table', { name: 'Timeline' });
    await timeline.getByRole('link', { name: 'Sale', exact: true }).waitFor();
    expect(await owner.faults()).toEqual([]);

    const tabs = owner.page.getByRole('navigation', { name: 'Pages of the campaign' });
    await tabs.getByRole('link', { name: 'Rewards' }).click();
    await owner.heading('Rewards: Friends');
    await tabs.getByRole('link', { name: 'Affiliates' }).click();
    await owner.heading('Affiliates');
    await owner.page.getByRole('row', { name: new RegExp(made.affiliate.email) }).waitFor();
    expect(await owner.page.getByLabel('Campaign').inputValue()).toBe(made.campaign.id);
    await owner.page.goBack();
    await tabs.getByRole('link', { name: 'Summary' }).click();
    await owner.heading('Friends');
    await owner.button('More').click();
    await owner.button('Archive: Friends').click();
    await owner.dialog().getByRole('button', { name: 'Archive' }).click();
    await fact('Archived').waitFor();
    expect(await owner.button('Edit').count()).toBe(0);
    await owner.button('More').click();
    await owner.button('Restore: Friends').click();
    await owner.button('Edit').waitFor();
    expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  });

  it('have rules that are written as sentences, ordered by the keyboard, tried out and ended', async () => {
    const made = await program(shop.account, { name: 'Rules' });
    const { campaign } = made;
    await using owner = await shop.ownerAt(`/campaigns/${campaign.id}/rewards`);
    const dialog = owner.dialog();
    const add = async (sentence: string) => {
      await dialog.getByText(sentence).waitFor();
      expect(await owner.faults()).toEqual([]);
      await dialog.getByRole('button', { name: 'Add rule' }).click();
      await owner.page.getByRole('row', { name: sentence }).waitFor();
    };
    const condition = async (name: string) => {
      await dialog.getByLabel('Condition', { exact: true }).selectOption(name);
      await dialog.getByRole('button', { name: 'Add condition' }).click();
    };
    await using counter = await countClicks(owner);
    await owner.page.reload();
    await owner.page.getByRole('heading', { name: 'No rules yet' }).waitFor();
    await owner.button('Add a tier').click();
    await dialog.getByRole('textbox', { name: 'Name of the tier' }).fill('Gold');
    await dialog.getByRole('textbox', { name: 'From this number on' }).fill('5');
    expect(await owner.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Add a tier' }).click();
    await owner.page.getByRole('row', { name: 'Gold Customers who paid: 5, in the month before the sale' }).waitFor();
    await owner.button('Add a rule').first().click();
    await condition('Products');
    await dialog.getByText('Enter what the rule pays, and complete or remove its conditions.').waitFor();
    await dialog.getByRole('textbox', { name: 'Only for the products' }).fill('pro');
    await add('20% for pro.');
    await owner.button('Add a rule').click();
    await dialog.getByLabel('Pays', { exact: true }).selectOption('Nothing');
    await condition('Products');
    await dialog.getByRole('textbox', { name: 'Only for the products' }).fill('addon, gift');
    await add('Nothing for addon and gift.');
    await owner.page.getByRole('row').nth(1).filter({ hasText: 'Nothing for addon and gift.' }).waitFor();
    await owner.button('Add a rule').click();
    await dialog.getByRole('textbox', { name: 'Share' }).fill('25');
    await condition('Tiers');
    await dialog.getByLabel('Gold').check();
    await add('25% from tier Gold.');
    await owner.button('Add a rule').click();
    await dialog.getByLabel('Pays for').selectOption('A goal');
    await dialog.getByRole('textbox', { name: 'Amount in USD' }).fill('50');
    await add('US$50.00 for every 10 customers.');
    // Eleven fields and selects are filled as well. At five seconds each, a merchant needs about two minutes.
    process.stdout.write(`a tier and four rules: ${counter.clicks} clicks\n`);
    expect(counter.clicks).toBeGreaterThan(10);
    expect(counter.clicks).toBeLessThanOrEqual(20);
    const listed = async () =>
      (await shop.account.api.get<{ data: { pay: object }[] }>('/reward_rules', { campaign_id: campaign.id })).body.data.map(
        ({ pay }) => pay,
      );
    const more = owner.button('More: 25% from tier Gold.');
    await more.press('Enter');
    expect(await owner.faults()).toEqual([]);
    await owner.button('Up: 25% from tier Gold.').press('Enter');
    await owner.page.getByRole('row').nth(2).filter({ has: more }).waitFor();
    // The menu has the focus again, so the next key opens it.
    await owner.page.keyboard.press('Enter');
    await owner.button('Up: 25% from tier Gold.').press('Enter');
    await owner.page.getByRole('row').nth(1).filter({ has: more }).waitFor();
    await more.press('Enter');
    await owner.button('Down: 25% from tier Gold.').waitFor();
    expect(await owner.button('Up: 25% from tier Gold.').count()).toBe(0);
    await owner.page.keyboard.press('Escape');
    await owner.button('Down: 25% from tier Gold.').waitFor({ state: 'hidden' });
    await owner.page.getByText('No sale of the last 30 days would have earned anything.').waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.button('Save the order').press('Enter');
    await expect
      .poll(listed)
      .toEqual([
        { percent: 25 },
        { nothing: true },
        { percent: 20 },
        { fixed: { amount_cents: 5_000, currency: 'USD', per: 'sale' } },
      ]);
    await owner.page.getByRole('textbox', { name: 'Product ID' }).fill('pro');
    await owner.button('Calculate').click();
    await owner.page.getByText('Would earn US$20.00: 20% for pro.').waitFor();
    for (const month of [1, 2, 12, 13])
      await owner.page.getByRole('row', { name: `${month} US$20.00 20% for pro.`, exact: true }).waitFor();
    // A month, a number and a customer of their own.
    const bounded = { campaign_id: campaign.id, event: 'sale', pay: { percent: 3 }, position: 0 };
    const inThird = { age_months: { from: 2, to: 3 }, sale_number: { from: 5, to: 5 }, customer: 'new' };
    const third = (await shop.account.api.post<{ id: string }>('/reward_rules', { ...bounded, name: 'Third', when: inThird }))
      .body;
    await owner.page.getByLabel('Month of the customer').fill('3');
    await owner.page.getByLabel('Number of the sale').fill('5');
    await owner.page.getByLabel('Customer', { exact: true }).selectOption('New');
    await owner.button('Calculate').click();
    await owner.page.getByText('Would earn US$3.00: Third').waitFor();
    await owner.page.getByRole('row', { name: '3 US$20.00 20% for pro.', exact: true }).waitFor();
    await owner.page.getByLabel('Customer', { exact: true }).selectOption('Returning');
    await owner.button('Calculate').click();
    await owner.page.getByText('Would earn US$20.00: 20% for pro.').waitFor();
    expect(await owner.faults()).toEqual([]);
    await shop.account.api.delete(`/reward_rules/${third.id}`);
    await shop.account.api.patch(`/campaigns/${campaign.id}`, { max_commission_period_months: 24 });
    await owner.page.reload();
    await owner.page.getByLabel('Month of the customer').fill('25');
    await owner.button('Calculate').click();
    await owner.page.getByRole('status').getByText('The campaign pays no more for the customer.').waitFor();
    const { id: referral_id } = await refer(shop.account, made);
    const lines = [
      { product: 'pro', name: 'Pro', amount_cents: 6_000 },
      { product: 'gift', name: 'Gift', amount_cents: 4_000 },
    ];
    await sell(shop.account, { referral_id, lines });
    await owner.page.reload();
    const past = owner.page.getByLabel('Sale', { exact: true });
    await past.selectOption({ index: 1 });
    expect(await past.locator('option').nth(1).textContent()).toMatch(/US\$100\.00, Pro, Gift$/);
    await owner.button('Calculate').click();
    await owner.page.getByText('Would earn US$12.00 in all').waitFor();
    await owner.page.getByText('gift. Would earn US$0.00: Nothing for addon and gift.').waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.button('More: 20% for pro.').press('Enter');
    await owner.button('End: 20% for pro.').press('Enter');
    await dialog.getByText('The sales of the last 30 days would have cost US$6.00 instead of US$12.00.').waitFor();
    expect(await owner.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'End' }).click();
    await expect.poll(async () => (await listed()).length).toBe(3);
  });

  it('have rules that are edited, with a maximum and a period, and rules of one affiliate', async () => {
    const made = await program(shop.account, { name: 'Edited' });
    const { campaign, affiliate } = made;
    const { id: referral_id } = await refer(shop.account, made);
    await sell(shop.account, { referral_id, lines: [{ product: 'pro', amount_cents: 10_000 }] });
    await must(shop.account, '/reward_rules', {
      campaign_id: campaign.id,
      name: 'Launch',
      when: { products: ['pro'], codes: ['ADA', 'a, b'] },
      pay: { fixed: { amount_cents: 1_250, currency: 'EUR' } },
    });
    await using owner = await shop.ownerAt(`/campaigns/${campaign.id}/rewards`);
    const dialog = owner.dialog();
    const stored = async () =>
      (await shop.account.api.get<{ data: { version: number }[] }>('/reward_rules', { campaign_id: campaign.id })).body.data;
    const condition = async (name: string) => {
      await dialog.getByLabel('Condition', { exact: true }).selectOption(name);
      await dialog.getByRole('button', { name: 'Add condition' }).click();
    };
    const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
    await owner.button('Edit: €12.50 for pro with the code ADA and a, b.').click();
    expect(await field('Amount in EUR').inputValue()).toBe('12.50');
    expect(await field('Only with the codes').inputValue()).toBe('ADA, "a, b"');
    const save = dialog.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Remove: Codes' }).press('Enter');
    await dialog.getByLabel('Pays', { exact: true }).selectOption('A share of the sale');
    await field('Share').fill('30');
    await condition('Maximum');
    await field('At most, in USD').fill('5');
    await condition('Period');
    await dialog.getByLabel('Until').fill('2999-06-15T12:00');
    await dialog.getByText('30% for pro until 15 June 2999, at most US$5.00 for each affiliate in a month.').waitFor();
    await dialog.getByText('would have cost US$5.00 instead of').waitFor();
    expect(await owner.faults()).toEqual([]);
    await save.click();
    await owner.page.getByRole('row', { name: '30% for pro until 15 June 2999, at most US$5.00' }).waitFor();
    expect(await stored()).toMatchObject([
      {
        name: 'Launch',
        version: 2,
        when: { products: ['pro'] },
        pay: { percent: 30 },
        cap: { amount_cents: 500, currency: 'USD', per: 'affiliate', window: 'month' },
        from: null,
        until: expect.stringMatching(/^2999-06-15T/),
      },
    ]);
    expect((await stored())[0]).not.toHaveProperty('when.codes');

    await owner.button('Add a rule').click();
    await dialog.getByLabel('The rule is for').selectOption('One affiliate');
    await field('Find an affiliate').fill(affiliate.email);
    await dialog.getByRole('radio').check();
    for (const [row, name, text] of [
      ['Countries', 'Only for customers in the countries', 'de, at'],
      ['Amount of the sale', 'From, in USD', '50'],
      ['Months since the first sale', 'Before month', '12'],
    ] as const) {
      await condition(row);
      await field(name).fill(text);
    }
    await dialog
      .getByText('20% for customers in Germany and Austria in the first 12 months of a customer for orders of US$50.00 or more.')
      .waitFor();
    expect(await owner.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    const own = owner.page.getByRole('row').filter({ hasText: 'for customers in Germany' });
    expect(await own.getByRole('link').getAttribute('href')).toBe(`/affiliates/${affiliate.id}`);
    expect(await stored()).toMatchObject([
      {
        affiliate_id: affiliate.id,
        when: { countries: ['DE', 'AT'], amount: { from: 5_000, currency: 'USD' }, age_months: { to: 12 } },
      },
      { name: 'Launch' },
    ]);

    await owner.button('Add a rule').click();
    await dialog.getByLabel('The rule is for').selectOption('One link');
    await field('Find an affiliate').fill(affiliate.email);
    await dialog.getByRole('radio').check();
    await dialog.getByLabel('Link', { exact: true }).selectOption(made.link.id);
    expect(await owner.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await owner.page
      .getByRole('row')
      .filter({ hasText: `for the link ${made.link.token} of` })
      .waitFor();
    expect(await owner.faults()).toEqual([]);
    expect((await stored())[0]).toMatchObject({ link_id: made.link.id, affiliate_id: null, when: {} });
  });

  it('have rules in a currency of their own, and say that a maximum in another one does not count', async () => {
    const { campaign } = await program(shop.account, { name: 'Currencies' });
    await using owner = await shop.ownerAt(`/campaigns/${campaign.id}/rewards`);
    const dialog = owner.dialog();
    const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
    await owner.button('Add a rule').first().click();
    await dialog.getByLabel('Pays', { exact: true }).selectOption('A fixed amount');
    await dialog.getByLabel('Currency of the amount').selectOption('EUR');
    await field('Amount in EUR').fill('12');
    await dialog.getByLabel('Condition', { exact: true }).selectOption('Maximum');
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    await dialog.getByLabel('Currency of the maximum').selectOption('GBP');
    await field('At most, in GBP').fill('5');
    expect(await owner.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await owner.button('Calculate').click();
    await owner.page.getByText('Would earn €12.00: €12.00').waitFor();
    await owner.page.getByText('The maximum of the rule is in another currency and does not count.').waitFor();
    expect(await owner.faults()).toEqual([]);
  });

  it('have a rate for one affiliate that is planned on the affiliate’s page', async () => {
    const { campaign, affiliate } = await program(shop.account, { name: 'December' });
    await using owner = await shop.ownerAt(`/affiliates/${affiliate.id}`);
    const dialog = owner.dialog();
    await owner.page.getByText('The affiliate earns by the rules of the campaign.', { exact: false }).waitFor();
    await owner.button('Add a rate').click();
    await dialog.getByRole('textbox', { name: 'Share' }).fill('30');
    await dialog.getByLabel('From', { exact: true }).fill('2998-12-01T00:00');
    await dialog.getByLabel('Until').fill('2999-01-01T00:00');
    expect(await owner.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await owner.page.getByText('30% from 1 December 2998', { exact: false }).waitFor();
    expect(await owner.faults()).toEqual([]);
    const { body } = await shop.account.api.get<{ data: object[] }>('/reward_rules', { affiliate_id: affiliate.id });
    expect(body.data).toMatchObject([
      { campaign_id: campaign.id, link_id: null, pay: { percent: 30 }, from: expect.any(String), until: expect.any(String) },
    ]);
  });
}
