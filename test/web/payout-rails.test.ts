import { createPayoutMethods, loadScreeningList, screenAffiliates } from '@affiliate/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { payee } from '../payouts/program.ts';
import { unList } from '../payouts/screening-lists.ts';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import { type PayPalApp, PayPalServer } from '../support/paypal-server/paypal-server.ts';
import type { TestService } from '../support/service.ts';
import { startServiceWithPages } from './service.ts';
import { Visitor } from './visitor.ts';

let service: TestService;
let browser: Chromium;
let paypal: PayPalServer;
let app: PayPalApp;

beforeAll(async () => {
  [service, browser, paypal] = await Promise.all([startServiceWithPages(), launchChromium(), new PayPalServer().start()]);
  service.services.payoutMethods = createPayoutMethods({ apiBases: { paypal: paypal.url } });
  app = paypal.addAccount();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await paypal.stop();
});

it('an owner connects PayPal with one paste, pauses it, sets who approves, and stops all payments', async () => {
  const account = await service.createAccount();
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.enter('/settings/payout-methods', { email: account.ownerEmail, password: account.ownerPassword });
  await owner.page.getByText('No service is connected. You pay by files or by hand.').waitFor();
  await owner.button('Connect an account').click();
  const dialog = owner.dialog();
  await dialog.getByLabel('Client ID').fill(app.client_id);
  await dialog.getByLabel('Client secret').fill('wrong');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await dialog
    .getByText(/PayPal/)
    .first()
    .waitFor();
  expect(await owner.faults()).toEqual([]);
  await dialog.getByLabel('Client secret').fill(app.client_secret);
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await owner.page.getByText(`Account ${app.client_id}`).waitFor();
  await owner.page.getByLabel('Pause: PayPal').check();
  await owner.button('Save').first().click();
  await owner.page.getByText('Settings of the methods saved.').waitFor();
  await owner.page.getByLabel('A second person approves').selectOption('Above an amount');
  await owner.page.getByLabel('Amount without approval in 24 hours (USD)').fill('500');
  await owner.page.getByLabel('First payments need approval').check();
  await owner.page.getByLabel('Send payments only at some hours').check();
  await owner.page.getByLabel('From').selectOption('22:00');
  await owner.page.getByLabel('Until').selectOption('06:00');
  await owner.button('Save').last().click();
  await owner.page.getByText('Rules saved.').waitFor();
  await owner.page.getByRole('button', { name: /^Stop all payments/ }).click();
  await owner.dialog().getByRole('button', { name: 'Stop all payments' }).click();
  await owner.page.getByText(/^All payments are stopped since/).waitFor();
  expect(await owner.faults()).toEqual([]);
  const stored = await service.services.database.kysely
    .selectFrom('account')
    .select(['payout_approval', 'payouts_stopped_at', 'payout_terms'])
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow();
  expect(stored).toMatchObject({
    payout_approval: {
      second_person: 'above',
      above: [{ currency: 'USD', amount_cents: 50_000 }],
      daily_limits: null,
      new_methods: true,
      allowed_hours: { from: 22, until: 6 },
    },
  });
  expect(stored.payouts_stopped_at).not.toBeNull();
  expect(stored.payout_terms.filter(({ paused }) => paused).map(({ method }) => method)).toEqual(['paypal']);
});

it('an owner has affiliates compared with lists, sees a hit, and releases it', async () => {
  const account = await service.createAccount();
  const ada = await payee(account, { person: { first_name: 'Wladimir', last_name: 'Putin' } });
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.enter('/settings/payout-methods', { email: account.ownerEmail, password: account.ownerPassword });
  const compare = owner.page.getByLabel('Compare affiliates with lists before they are paid');
  await owner.page.getByText('No list is loaded.').waitFor();
  expect(await compare.isDisabled()).toBe(true);
  await loadScreeningList(service.services, unList(['Vladimir PUTIN']));
  await owner.open('/settings/payout-methods');
  await compare.check();
  await owner.page.getByText('Setting saved.').waitFor();
  expect(await owner.faults()).toEqual([]);
  await screenAffiliates(service.services);

  await owner.open(`/payouts/${ada.payout.id}`);
  await owner.page.getByText('The page of the affiliate says more.').first().waitFor();
  await owner.open(`/affiliates/${ada.program.affiliate.id}`);
  await owner.page.getByText('Not paid: the name is like one on a list').waitFor();
  await owner.page.getByText('QDi.001').waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.button('Release the hit').click();
  await owner.dialog().getByLabel('Why it is somebody else').fill('Born in another year.');
  await owner.dialog().getByRole('button', { name: 'Release the hit' }).click();
  await owner.page.getByText('Hit released.').waitFor();
  await owner.page.getByText(/^Released .*Born in another year./).waitFor();
  expect((await account.api.get(`/payouts/${ada.payout.id}`)).body).toMatchObject({ eligible: true });
});
