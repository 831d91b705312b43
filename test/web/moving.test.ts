import { afterAll, beforeAll, expect, it } from 'vitest';
import { FirstPromoterServer } from '../imports/first-promoter-server/first-promoter-server.ts';
import { Mover } from '../imports/moving.ts';
import { RewardfulServer } from '../imports/rewardful-server/rewardful-server.ts';
import { must } from '../support/program.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages({ writesRows: true });
let double: RewardfulServer;
let promoters: FirstPromoterServer;

beforeAll(async () => {
  double = await new RewardfulServer().start();
  promoters = await new FirstPromoterServer().start();
  service.services.imports = { apiBases: { rewardful: double.url, first_promoter: promoters.url } };
});
afterAll(() => Promise.all([double.stop(), promoters.stop()]));

it('an owner pastes a key, sees what would be made and what cannot, imports it, and undoes it', async () => {
  const account = await service.createAccount();
  const campaign = double.addCampaign();
  for (let i = 0; i < 3; i += 1) double.addReferral(double.addAffiliate(campaign));
  double.addAffiliate(campaign, { email: 'nobody' });
  await using owner = await Visitor.ownerAt('/settings/members', browser, service, account);
  await owner.page.getByRole('link', { name: 'Move in' }).click();
  await owner.heading('Move in');
  await owner.button('Start an import').first().click();
  await owner.page.getByLabel('API key').fill(double.secret);
  expect(await owner.faults()).toEqual([]);
  await owner.button('Check what would be imported').click();

  await owner.heading('Import from Rewardful');
  await owner.page.getByText('Ready', { exact: true }).waitFor();
  await owner.page.getByText('email: invalid_format').waitFor();
  const download = owner.page.waitForEvent('download');
  await owner.button('Download CSV').click();
  expect((await download).suggestedFilename()).toBe('problems.csv');
  await owner.page.getByRole('row', { name: /^Affiliates 3 0 0 0 1/ }).waitFor();
  expect((await account.api.get<{ data: unknown[] }>('/affiliates')).body.data).toEqual([]);
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  await owner.button('Import: Rewardful').click();
  await owner.page.getByText('Nobody gets an email').waitFor();
  await owner.dialog().getByRole('button', { name: 'Import', exact: true }).click();
  await owner.page.getByText('Done', { exact: true }).waitFor();
  await owner.page.getByRole('row', { name: /^Customers 3 3 0 0 0/ }).waitFor();
  expect((await account.api.get<{ data: unknown[] }>('/affiliates')).body.data).toHaveLength(3);
  expect(await owner.content()).not.toContain(double.secret);
  const id = new URL(owner.page.url()).pathname.split('/').at(-1)!;

  // The former tool decides until the switch, which reads it once more.
  await owner.open('/settings/imports');
  await owner.button('Begin a shadow: Move in').click();
  await owner.page.getByLabel('Compare payments from before').selectOption('Of the last 12 months');
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Begin a shadow', exact: true }).click();
  await owner.page.getByText('Your former tool decides what sales earn, and pays.').waitFor();
  await owner.button('Switch to this service: Shadow').waitFor();
  const begun = (await account.api.get<{ since: string }>('/api/settings/v1/shadow')).body;
  expect(Date.now() - Date.parse(begun.since)).toBeGreaterThan(360 * 86_400_000);
  expect(await owner.faults()).toEqual([]);
  await new Mover(service, account).run(id, { credentials: double.secret });
  double.addReferral(double.addAffiliate(campaign));
  await owner.button('Switch to this service: Shadow').click();
  await owner.dialog().getByRole('button', { name: 'Switch to this service', exact: true }).click();
  await owner.page.getByText('The switch is made').waitFor();
  await new Mover(service, account).advance();
  await owner.button('Begin a shadow: Move in').waitFor();
  expect((await account.api.get<{ data: unknown[] }>('/affiliates')).body.data).toHaveLength(4);

  await owner.open(`/settings/imports/${id}`);
  await owner.button('Undo: Rewardful').click();
  await owner.dialog().getByRole('button', { name: 'Undo', exact: true }).click();
  await owner.page.getByText('Undone', { exact: true }).waitFor();
  expect((await account.api.get<{ data: unknown[] }>('/affiliates')).body.data).toEqual([]);
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('an owner drops files of affiliates and customers', async () => {
  const account = await service.createAccount();
  await must(account, '/campaigns', {
    name: 'Friends',
    url: 'https://shop.example.com/',
    reward_type: 'percent',
    commission_percent: 10,
    default: true,
  });
  await using owner = await Visitor.ownerAt('/settings/imports', browser, service, account);
  await owner.button('Start an import').first().click();
  await owner.page.getByLabel('CSV files').check();
  const choose = (name: string, text: string) =>
    owner.page
      .getByLabel('Add file')
      .last()
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose('partners.csv', 'email,token\nada@example.com,ada');
  await owner.page.getByText('partners.csv: Affiliates').waitFor();
  await owner.page.getByLabel('Records in the file').selectOption('Customers');
  await choose('buyers.csv', 'affiliate,email\nada,ben@shop.example');
  await owner.page.getByText('buyers.csv: Customers').waitFor();
  await owner.button('Check what would be imported').click();
  await owner.heading('Import from CSV files');
  await owner.page.getByText('Ready', { exact: true }).waitFor();
  await owner.page.getByRole('row', { name: /^Customers 1 0 0 0 0/ }).waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('an owner pastes a key and the id of the account that it is for', async () => {
  const account = await service.createAccount();
  promoters.addPromoter([{ of: promoters.addCampaign() }]);
  await using owner = await Visitor.ownerAt('/settings/imports', browser, service, account);
  await owner.button('Start an import').first().click();
  await owner.page.getByLabel('Tolt').check();
  await owner.page.getByLabel('Program ID').waitFor();
  await owner.page.getByLabel('FirstPromoter').check();
  await owner.page.getByLabel('API key').fill(promoters.key);
  await owner.page.getByLabel('Account ID').fill('acc_123456');
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  await owner.button('Check what would be imported').click();
  await owner.heading('Import from FirstPromoter');
  await owner.page.getByText('Ready', { exact: true }).waitFor();
  await owner.page.getByRole('row', { name: /^Affiliates 1 0 0 0 0/ }).waitFor();
});

it.each(['en', 'de'] as const)(
  'an owner sees what the former tool paid beside what the rules give here, and why (%s)',
  async (language) => {
    const account = await service.createAccount();
    const tool = await new RewardfulServer().start();
    service.services.imports = { apiBases: { rewardful: tool.url } };
    const campaign = tool.addCampaign({ max_commissions: 5 });
    const referral = tool.addReferral(tool.addAffiliate(campaign, { first_name: 'Ada', last_name: 'King' }));
    const on = (month: number, fields: object = {}) => ({
      charged_at: new Date(Date.UTC(2024, 3 + month, 3)).toISOString(),
      ...fields,
    });
    const taxed = { charge_amount_cents: 11_900, tax_amount_cents: 1_900 };
    tool.addCommission(referral, { sale: on(1) });
    tool.addCommission(referral, { amount: 3_570, sale: on(1, taxed) });
    tool.addCommission(referral, { amount: 3_570, sale: on(2, taxed) });
    tool.addCommission(referral, { amount: 3_000, sale: on(2, { refund_amount_cents: 5_000 }) });
    tool.addCommission(referral, { sale: on(3, { stripe_charge_id: 'ch_twice' }) });
    tool.addCommission(referral, { sale: on(3, { stripe_charge_id: 'ch_twice' }) });
    tool.addCommission(referral, { sale: on(4) });
    const mover = new Mover(service, account);
    await mover.run((await mover.read({ source: 'rewardful', credentials: tool.secret })).id);
    const says = (en: string, de: string) => (language === 'en' ? en : de);
    await using owner = await Visitor.arrive(browser, service.url, { locale: says('en-US', 'de-DE') });
    await owner.enter('/settings/imports', { email: account.ownerEmail, password: account.ownerPassword });
    await owner.page
      .getByRole('link', { name: says('Compare with the former tool', 'Mit dem bisherigen Werkzeug vergleichen') })
      .click();
    await owner.heading(says('Comparison', 'Vergleich'));
    const row = (...cells: string[]) =>
      owner.page
        .getByRole('row', { name: new RegExp(cells.join('.*')) })
        .first()
        .waitFor();
    const money = (cents: number) => (cents / 100).toFixed(2).replace('.', says(String.raw`\.`, ','));
    await row(money(3_000), 'Ada King', money(3_000), 'Ada King', says('Equal', 'Gleich'));
    await row(money(3_570), money(3_000), says('pays for tax, too', 'zahlt auch auf die Steuer'));
    // Why the amounts differ, the largest difference first.
    await row(says('A further commission', 'Eine weitere Provision'), '1', money(3_000), money(0));
    await row(
      says('pays for tax, too', 'zahlt auch auf die Steuer'),
      '2',
      says(String.raw`71\.40`, '71,40'),
      money(6_000),
      money(1_140),
    );
    await row(says('refunded or lost in a dispute', 'Erstattetes und Zurückgebuchtes'), '1', money(3_000), money(1_500));
    await row('^Ada King', '2024-05', money(6_570), money(6_000), money(570));
    expect(await owner.faults({ isCheckedElsewhere: language === 'de' })).toEqual([]);
    await owner.picture(`comparison-${language}`);
    await owner.page.getByLabel(says('Only differences', 'Nur Unterschiede')).check();
    await owner.page.getByText(says('Equal', 'Gleich'), { exact: true }).last().waitFor();
    await tool.stop();
  },
);
