import { findLostEvents } from '@affiliate/core';
import type { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type PspTestService, startPspService } from '../psp/service.ts';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { charge, coupon, price, sendEvent, wireEvent } from '../support/psp-server/index.ts';
import { THOROUGH } from '../support/thorough.ts';
import { withPages } from './service.ts';
import { Visitor } from './visitor.ts';

let service: PspTestService;
let browser: Chromium;

beforeAll(async () => {
  [service, browser] = await Promise.all([withPages(startPspService), launchChromium()]);
});
afterEach(() => service.psp.faults.liftAll());
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it('an owner picks products for a reward rule by name, and drags the rule to another place', async () => {
  const account = await service.createAccount();
  const merchant = service.psp.addAccount();
  merchant.records.products.push({ id: 'prod_1', object: 'product', name: 'Pro' } as Stripe.Product);
  merchant.records.prices.push(
    price('prod_1', 'month', { id: 'price_month', unit_amount: 4_900 }),
    price('prod_1', 'year', { id: 'price_year', nickname: 'Yearly plan', unit_amount: 49_000 }),
  );
  await account.client.pspConnection.connect.mutate({ secret_key: merchant.secretKey, webhook_secret: 'whsec_rules' });
  const { campaign } = await program(account);
  await must(account, '/reward_rules', {
    campaign_id: campaign.id,
    name: 'Codes',
    when: { codes: ['ADA'] },
    pay: { percent: 30 },
  });
  await must(account, '/reward_rules', {
    campaign_id: campaign.id,
    name: 'Gone',
    when: { products: ['prod_9'] },
    pay: { percent: 5 },
  });
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.enter(`/campaigns/${campaign.id}/rewards`, { email: account.ownerEmail, password: account.ownerPassword });
  await owner.page.getByText('Never applies: your payment provider does not have its products.').waitFor();
  await owner.button('Add a rule').click();
  const dialog = owner.dialog();
  const condition = async (name: string) => {
    await dialog.getByLabel('Condition', { exact: true }).selectOption(name);
    await dialog.getByRole('button', { name: 'Add condition' }).click();
  };
  await condition('Products');
  await dialog.getByLabel('Pro', { exact: true }).check();
  await condition('Prices');
  await dialog.getByLabel('Yearly plan, US$490.00, yearly').check();
  await dialog.getByText('20% for Pro for certain prices.').waitFor();
  expect(await owner.faults()).toEqual([]);
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  const row = (name: string) => owner.page.getByRole('row', { name });
  await row('20% for Pro').dragTo(row('30% with the code ADA.'));
  await owner.button('Save the order').click();
  await expect
    .poll(async () => {
      const { body } = await account.api.get<{ data: { when: object }[] }>('/reward_rules', { campaign_id: campaign.id });
      return body.data.map(({ when }) => when);
    })
    .toEqual([{ products: ['prod_1'], prices: ['price_year'] }, { codes: ['ADA'] }, { products: ['prod_9'] }]);
});

it('an owner connects Stripe, and assigns a payment', async () => {
  const account = await service.createAccount();
  const merchant = service.psp.addAccount();
  const { affiliate } = await program(account, { psp_coupon_id: 'SPRING' });
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.enter(`/affiliates/${affiliate.id}`, { email: account.ownerEmail, password: account.ownerPassword });
  await owner.button('Create coupon').click();
  await owner.page.getByRole('textbox', { name: 'Code' }).fill('ADA20');
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Create' }).click();
  expect(await owner.dialog().getByRole('alert').textContent()).toMatch(/connect/i);
  await owner.button('Cancel').click();

  await owner.page.getByRole('link', { name: 'Settings' }).click();
  await owner.page.getByRole('link', { name: 'Payment providers' }).click();
  await owner.page.getByLabel(/^Secret key/).fill('sk_test_wrong');
  await owner.button('Connect').click();
  await owner.page.locator('[data-path="secret_key"]:focus').waitFor();
  await owner.page.getByLabel(/^Secret key/).fill(merchant.secretKey);
  await owner.button('Connect').click();
  await owner.page.getByText('Test mode', { exact: true }).waitFor();
  await owner.page.getByText('The webhook endpoint in Stripe works.').waitFor();
  const [endpoint] = merchant.records.webhookEndpoints;
  const secret = merchant.records.endpointSecrets.get(endpoint!.id)!;
  expect(await owner.content()).not.toContain(merchant.secretKey);
  expect(await owner.content()).not.toContain(secret);
  expect(await owner.faults()).toEqual([]);

  await owner.page.getByText('No event was received in the last 90 days.').waitFor();
  await owner.page.getByText('There was no payment in the last 7 days.').waitFor();
  const paid = charge({ amount: 10_000 });
  await sendEvent(`${service.url}/psp/webhooks/${account.id}`, wireEvent('charge.succeeded', paid), { secret });
  await owner.page.reload();
  await owner.page.getByText('Last event received').waitFor();
  await owner.page.getByRole('row', { name: /^charge\.succeeded .*(now|ago|second|minute)/ }).waitFor();
  await owner.page.getByRole('row', { name: 'invoice.paid Never' }).waitFor();
  await owner.page.getByText('Neither the payment nor its customer names a referral in the metadata.').waitFor();
  await owner.page.getByText('stripe.paymentIntents.create({ …, metadata: { referral: referralId } })').waitFor();
  await owner.button(`Assign ${paid.id}`).click();
  await owner.page.getByRole('textbox', { name: 'Affiliate or referral' }).fill(affiliate.email);
  await owner.page.getByRole('radio', { name: affiliate.email }).check();
  await owner.page.getByText(/^Earns .*10\.00/).waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Assign' }).click();
  await owner.page.getByText('Every payment of the last 7 days has an affiliate.').waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('an owner is shown what is wrong with the connection, repairs the endpoint, and changes the settings', async () => {
  const account = await service.createAccount();
  const merchant = service.psp.addAccount();
  const permissions = ['account', 'webhook_write', 'invoice_read', 'subscription_read', 'event_read'];
  const secret_key = service.psp.restrictKey(merchant, [
    ...permissions.map((name) => `rak_${name}`),
    'rak_accounts_kyc_basic_read',
  ]);
  await account.client.pspConnection.connect.mutate({ secret_key });
  const [endpoint] = merchant.records.webhookEndpoints;
  endpoint!.status = 'disabled';
  const before = service.clock.instant();
  service.clock.advance(8, 'days');
  await refer(account, await program(account));
  const created = Math.floor(service.clock.now().getTime() / 1_000);
  await sendEvent(
    `${service.url}/psp/webhooks/${account.id}`,
    wireEvent('charge.succeeded', charge({ amount: 5_000, created }), { created }),
    { secret: merchant.records.endpointSecrets.get(endpoint!.id)!, timestamp: created },
  );
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.enter('/settings/payment-provider', { email: account.ownerEmail, password: account.ownerPassword });
  await owner.page.getByText('The webhook endpoint is disabled in Stripe.').waitFor();
  await owner.page.getByText('Promotion Codes (write): for promo codes').waitFor();
  await owner.page.getByText('No payment of the last 7 days came from an affiliate, although').waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.button('Repair').click();
  await owner.page.getByText('The webhook endpoint in Stripe works.').waitFor();
  expect(merchant.records.webhookEndpoints).toMatchObject([{ status: 'enabled' }]);
  await owner.button('Connection settings').click();
  await owner.page.getByRole('textbox', { name: 'Metadata key of your customer ID' }).fill('user_id');
  await owner.page.getByLabel('Invoices paid outside Stripe').selectOption('exclude');
  const writeBack = owner.page.getByRole('switch', { name: /^Write affiliate, campaign and commission/ });
  await writeBack.click();
  await owner.button('Save').click();
  await owner.page.getByText('The key lacks permissions: Customers (write), Invoices (write).').waitFor();
  expect(await owner.faults()).toEqual([]);
  await writeBack.click();
  await owner.button('Save').click();
  await expect
    .poll(() => account.client.pspConnection.get.query())
    .toMatchObject({ customer_id_key: 'user_id', outside_payments: 'exclude' });
  service.clock.set(before);
});

it('an owner gets from nothing to connected with one field and one click, and sees events arrive', async () => {
  const account = await service.createAccount();
  const merchant = service.psp.addAccount();
  const permissions = ['accounts_kyc_basic_read', 'webhook_write', 'invoice_read', 'subscription_read', 'event_read'];
  const key = service.psp.restrictKey(merchant, [
    ...permissions.map((name) => `rak_${name}`),
    'rak_coupon_read',
    'rak_promotion_code_write',
  ]);
  // With a clock of its own, so that the test need not wait for the page to ask again.
  await using owner = await Visitor.arrive(browser, service.url, { isFresh: true });
  await owner.page.clock.install();
  await owner.enter('/settings/payment-provider', { email: account.ownerEmail, password: account.ownerPassword });
  await owner.button('Connect').waitFor();
  expect(await owner.page.locator('main form input').count()).toBe(1);
  await owner.page.getByLabel(/^Secret key/).fill(key);
  await owner.button('Connect').click();
  await owner.page.getByText('The webhook endpoint in Stripe works.').waitFor();
  expect(await account.client.pspConnection.endpoint.query()).toMatchObject({ problem: null, missing_permissions: [] });
  const [endpoint] = merchant.records.webhookEndpoints;
  const secret = merchant.records.endpointSecrets.get(endpoint!.id)!;
  const address = `${service.url}/psp/webhooks/${account.id}`;
  await sendEvent(address, wireEvent('charge.succeeded', charge({ amount: 5_000 })), { secret });
  await sendEvent(address, wireEvent('charge.succeeded', { ...charge(), captured: false }), { secret });
  await owner.page.clock.fastForward('00:10');
  await owner.page.getByRole('row', { name: /^charge\.succeeded (?!Never|\d)/ }).waitFor();
  await owner.page.getByText('Last event received').waitFor();
  await owner.page.getByRole('row', { name: /The charge is only authorized/ }).waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('the reasons why events of Stripe had no effect read in the language of the page', async () => {
  const account = await service.createAccount();
  const merchant = service.psp.addAccount();
  const secret = 'whsec_reasons';
  await account.client.pspConnection.connect.mutate({ secret_key: merchant.secretKey, webhook_secret: secret });
  const address = `${service.url}/psp/webhooks/${account.id}`;
  for (const event of [
    wireEvent('charge.succeeded', { ...charge(), captured: false }),
    { ...wireEvent('charge.succeeded', charge()), account: 'acct_1Other' } as ReturnType<typeof wireEvent>,
    wireEvent('charge.succeeded', { id: 'ch_1' }),
  ])
    await sendEvent(address, event, { secret });
  await using owner = await Visitor.arrive(browser, service.url, { locale: 'de-DE', isFresh: true });
  await owner.enter('/settings/payment-provider', { email: account.ownerEmail, password: account.ownerPassword });
  const reasons = owner.page.getByRole('table', { name: 'Ereignisse ohne Wirkung' });
  const row = (name: RegExp) => reasons.getByRole('row', { name });
  await row(/^Die Zahlung ist nur reserviert\. .*charge\.succeeded 1 /).waitFor();
  await row(/^Das Ereignis gehört zum verbundenen Konto acct_1Other\./).waitFor();
  await row(/^Diese Felder fehlen oder sind ungültig: .*currency/).waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('an owner connects a server that signs facts beside the first provider, and sees its secret once', async () => {
  const account = await service.createAccount();
  await using owner = await Visitor.ownerAt('/settings/payment-provider', browser, service, account);
  await owner.button('Add a payment provider').click();
  await owner.dialog().getByLabel('API key').fill('not a key');
  await owner.dialog().getByRole('button', { name: 'Connect' }).click();
  await owner.dialog().getByText('This is not a key of the payment provider.').waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('combobox', { name: 'Payment provider' }).click();
  await owner.page.getByRole('option', { name: 'Signed facts' }).click();
  await owner.dialog().getByRole('button', { name: 'Connect' }).click();
  expect(await owner.page.getByTestId('secret').textContent()).toMatch(/^whsec_/);
  await owner.button('Done').click();
  const [connection] = (await account.client.connections.list.query({})).data;
  await owner.page.getByText(connection!.webhook_url).waitFor();
  await owner.page.getByText('No event so far.').waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('an owner is shown why a further connection cannot be asked, why its events had no effect, and which of its payments have no affiliate', async () => {
  const account = await service.createAccount();
  const further = service.psp.addAccount();
  const connect = (credentials: string) =>
    account.client.connections.create.mutate({ source: 'stripe', credentials, webhook_secret: 'whsec_further' });
  const first = await connect(service.psp.addAccount().secretKey);
  const { id } = await connect(further.secretKey);
  const paid = [charge({ amount: 10_000 }), charge({ amount: 20_000 })] as const;
  await sendEvent(`${service.url}/sources/${first.id}/events`, wireEvent('charge.succeeded', paid[0]), {
    secret: 'whsec_further',
  });
  await sendEvent(`${service.url}/sources/${id}/events`, wireEvent('charge.succeeded', paid[1]), { secret: 'whsec_further' });
  const stranger = { ...wireEvent('charge.succeeded', charge()), account: 'acct_1Other' } as ReturnType<typeof wireEvent>;
  await sendEvent(`${service.url}/sources/${id}/events`, stranger, { secret: 'whsec_further' });
  service.psp.revokeKey(further.secretKey);
  const before = service.clock.instant();
  service.clock.advance(50, 'minutes');
  await findLostEvents(service.services);
  // The double signs with the time of the machine.
  service.clock.set(before);
  await using owner = await Visitor.ownerAt('/settings/payment-provider', browser, service, account);
  await owner.page.getByText('1 event has had no effect so far.').waitFor();
  await owner.page.getByRole('alert').getByText('The payment provider does not accept the secret key').waitFor();
  await owner.page.getByText(/^1 × The event belongs to .*acct_1Other/).waitFor();
  const unattributed = owner.page.getByRole('table', { name: /^Payments of the last 7 days by .* without an affiliate$/ });
  await unattributed.getByRole('row', { name: paid[1].id }).waitFor();
  expect(await unattributed.getByRole('row').count()).toBe(2);
  await owner.button('Enter a new key').last().click();
  await owner
    .dialog()
    .getByLabel('Secret key')
    .fill(service.psp.restrictKey(further, ['rak_accounts_kyc_basic_read']));
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Save' }).click();
  await owner.dialog().waitFor({ state: 'hidden' });
  await owner.page.getByText('The payment provider does not accept the secret key').waitFor({ state: 'hidden' });
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('an owner makes a test purchase, and follows it up to the commission', async () => {
  const account = await service.createAccount();
  const merchant = service.psp.addAccount();
  await account.client.pspConnection.connect.mutate({ secret_key: merchant.secretKey });
  service.psp.deliversTo = service.url;
  await using owner = await Visitor.ownerAt('/settings/payment-provider', browser, service, account);
  await owner.button('Make a test purchase').click();
  await owner.page.getByRole('alert').getByText('No link can earn.').waitFor();
  await program(account);
  await owner.button('Make a test purchase').click();
  await owner.page.getByText('Waiting for the checkout').waitFor();
  expect(await owner.faults()).toEqual([]);
  const opened = owner.page.waitForEvent('popup');
  await owner.page.getByRole('link', { name: 'Open the checkout' }).click();
  const checkout = await opened;
  await checkout.getByRole('button', { name: 'Pay' }).click();
  await checkout.getByText('Payment received').waitFor();
  await checkout.close();
  await owner.page.getByText('The checkout is complete').waitFor();
  await owner.page.getByText('The payment has arrived').waitFor();
  await owner.page.getByText('The affiliate has earned a test commission').waitFor();
  await owner.page.getByRole('link', { name: /^\D*10\.00$/ }).waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('an owner has a sale decided again that was refused while its affiliate was disabled', async () => {
  const account = await service.createAccount();
  const friends = await program(account);
  const referral = await refer(account, friends);
  const setState = (state: string) => account.api.patch(`/affiliates/${friends.affiliate.id}`, { state });
  await setState('disabled');
  const { sale } = await sell(account, { referral_id: referral.id, customer_email: 'x@buyer.example' });
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.enter(`/customers/sales/${sale.id}`, { email: account.ownerEmail, password: account.ownerPassword });
  const decideAgain = owner.page.getByRole('button', { name: 'Decide again about' });
  await decideAgain.click();
  await owner.page.getByText('The sale would still earn nothing. The affiliate was not active.').waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.button('Cancel').click();
  service.clock.advance(1, 'seconds');
  await setState('active');
  await owner.page.reload();
  await decideAgain.click();
  await owner.page.getByText(/^Earns .*10\.00/).waitFor();
  await owner.dialog().getByRole('button', { name: 'Decide again' }).click();
  await owner.page.getByText(/^The affiliate earns .*10\.00/).waitFor();
  await decideAgain.waitFor({ state: 'detached' });
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('an owner corrects the amounts of a reported sale, after a preview of the commission', async () => {
  const account = await service.createAccount();
  const friends = await program(account, { days_until_commissions_are_due: 0 });
  const referral = await refer(account, friends);
  const { sale, commission } = await sell(account, { referral_id: referral.id, customer_email: 'grown@buyer.example' });
  await using owner = await Visitor.ownerAt(`/customers/sales/${sale.id}`, browser, service, account);
  const open = owner.page.getByRole('button', { name: `Correct ${sale.external_id}` });
  const confirm = owner.dialog().getByRole('button', { name: 'Correct' });
  const amount = owner.page.getByRole('textbox', { name: 'Amount in USD, with tax' });
  await open.click();
  expect(await confirm.isDisabled()).toBe(true);
  await amount.fill('12,5x');
  await owner.page.getByText('Enter an amount in USD, e.g. 100.00.').waitFor();
  await amount.fill('150.00');
  await owner.page.getByText(/^The commission becomes .*15\.00/).waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.page.getByRole('textbox', { name: 'Tax within it, in USD' }).fill('160');
  await owner.dialog().getByRole('alert').waitFor();
  await owner.page.getByRole('textbox', { name: 'Tax within it, in USD' }).fill('10');
  await owner.page.getByText(/^The commission becomes .*14\.00/).waitFor();
  expect(await account.client.commissions.get.query({ id: commission!.id })).toMatchObject({ amount_cents: 1_000 });
  await confirm.click();
  await owner.page.getByText(`The sale ${sale.external_id} was corrected.`).waitFor();
  expect(await account.client.commissions.get.query({ id: commission!.id })).toMatchObject({ amount_cents: 1_400 });
  await account.api.patch(`/commissions/${commission!.id}`, { paid_at: service.clock.instant() });
  await open.click();
  await amount.fill('160');
  await owner.page.getByText(/^The commission of .*14\.00 is claimed or paid and stays\. An adjustment of .*1\.00/).waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

// Thorough runs only: promo-codes.test.ts and affiliate-coupon.test.ts in test/psp cover this over the API in the ordinary run.
it.runIf(THOROUGH)('an owner assigns a promo code, then creates, deactivates and syncs an affiliate’s coupon', async () => {
  const account = await service.createAccount();
  const merchant = service.psp.addAccount();
  await account.client.pspConnection.connect.mutate({ secret_key: merchant.secretKey, webhook_secret: 'whsec_of_the_endpoint' });
  merchant.records.coupons.push(coupon({ id: 'SPRING' }));
  const { affiliate } = await program(account, { psp_coupon_id: 'SPRING' });
  await using owner = await Visitor.ownerAt(`/affiliates/${affiliate.id}/promo-codes`, browser, service, account);
  await owner.page.getByRole('heading', { name: 'No promo codes yet' }).waitFor();
  service.psp.faults.plant({ method: 'POST', path: /^\/v1\/promotion_codes$/, kind: 500, effect: 'applied', times: 1 });
  await owner.button('Assign a code').click();
  await owner.page.getByLabel('Create a new code in Stripe').check();
  await owner.page.getByRole('textbox', { name: 'Code' }).fill('ADA10');
  await owner.page.getByText('Sales with ADA10 will be attributed to Ada.').waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Assign' }).click();
  await owner.dialog().getByRole('alert').waitFor();
  await owner.button('Cancel').click();
  await owner.page.reload();
  await owner.button('Finish: ADA10').click();
  await owner.page.getByRole('row', { name: /ADA10.*Active/ }).waitFor();
  await owner.button('Stop: ADA10').click();
  await owner.dialog().getByRole('button', { name: 'Stop' }).click();
  await owner.page.getByRole('row', { name: /ADA10.*Stopped/ }).waitFor();
  expect(await owner.faults()).toEqual([]);

  await owner.open(`/affiliates/${affiliate.id}`);
  await owner.button('Create coupon').click();
  await owner.page.getByRole('textbox', { name: 'Code' }).fill('ADA20');
  await owner.dialog().getByRole('button', { name: 'Create' }).click();
  const coupons = owner.page.getByRole('region', { name: 'Coupon' });
  await coupons.getByText('ADA20').waitFor();
  const atProvider = () =>
    merchant.records.promotionCodes.filter(({ code }) => code === 'ADA20').map(({ code, active }) => [code, active]);
  expect(atProvider()).toEqual([['ADA20', true]]);
  expect(await owner.faults()).toEqual([]);

  await coupons.getByLabel('Active in Stripe').click();
  await coupons.getByRole('switch', { name: 'Active in Stripe', checked: false }).waitFor();
  expect(atProvider()).toEqual([['ADA20', false]]);
  merchant.records.promotionCodes.find(({ code }) => code === 'ADA20')!.active = true;
  await coupons.getByRole('button', { name: 'Sync' }).click();
  await coupons.getByRole('switch', { name: 'Active in Stripe', checked: true }).waitFor();
});
