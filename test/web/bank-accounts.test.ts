import { afterAll, beforeAll, expect, it } from 'vitest';
import { payee } from '../payouts/program.ts';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import type { TestService } from '../support/service.ts';
import { startServiceWithPages } from './service.ts';
import { Visitor } from './visitor.ts';

let service: TestService;
let browser: Chromium;

beforeAll(async () => {
  [service, browser] = await Promise.all([startServiceWithPages(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it('an owner connects a bank account, corrects the IBAN of an affiliate as it is typed, and exports a file for the bank', async () => {
  const account = await service.createAccount();
  const { program } = await payee(account, { currency: 'EUR', person: { walleta_email: null, walletb_email: null } });
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.enter('/settings/payout-methods', { email: account.ownerEmail, password: account.ownerPassword });
  await owner.button('Connect an account').click();
  const connect = owner.dialog();
  await connect.getByRole('combobox', { name: 'Service' }).or(connect.getByLabel('Service')).first().click();
  await owner.page.getByRole('option', { name: 'SEPA' }).click();
  await connect.getByLabel('Account holder').fill('Example GmbH');
  await connect.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01');
  await connect.getByRole('button', { name: 'Connect' }).click();
  await connect
    .getByText(/typing error/)
    .first()
    .waitFor();
  await connect.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await connect.getByRole('button', { name: 'Connect' }).click();
  await owner.page.getByText('Account DE…3000').waitFor();
  expect(await owner.faults()).toEqual([]);

  await owner.open(`/affiliates/${program.affiliate.id}`);
  await owner.page.getByRole('button', { name: /^Enter: Bank account/ }).click();
  const details = owner.dialog();
  await details.getByLabel('Account holder').fill('Ada Lovelace');
  await details.getByLabel('IBAN').fill('DE75 5121 0800 1245 1261 98');
  await details.getByLabel('BIC').focus();
  await details.getByText('There is a typing error in this IBAN.').waitFor();
  expect(await owner.faults()).toEqual([]);
  await details.getByLabel('IBAN').fill('DE75 5121 0800 1245 1261 99');
  await details.getByRole('button', { name: 'Save' }).click();
  await owner.page.getByText('DE…6199', { exact: true }).waitFor();
  expect(await owner.faults()).toEqual([]);

  await owner.open('/payouts');
  await owner.page
    .getByRole('button', { name: /Export/ })
    .first()
    .click();
  await owner.dialog().getByLabel('Bank transfer (SEPA)').check();
  await owner.dialog().getByRole('button', { name: 'Export' }).click();
  await owner.page.waitForURL(/\/payouts\/exports/);
  const batches = await service.services.database.kysely
    .selectFrom('payout_batch')
    .select(['method', 'payouts_count', 'sealed_payer'])
    .where('account_id', '=', account.id)
    .execute();
  expect(batches).toMatchObject([{ method: 'bank_sepa', payouts_count: 1, sealed_payer: expect.any(String) as string }]);
});
