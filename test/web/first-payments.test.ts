/**
 * The first hour of paying, in the browser: services are connected, three affiliates are paid in three ways by two persons, one payment waits to be accepted,
 * one fails for a wrong IBAN and is sent again, and one comes back a week later. Pages, portal and books agree on every number.
 */
import { advancePayoutAttempts, createPayoutMethods } from '@affiliate/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BankMerchant, IBANS } from '../payouts/bank/merchant.ts';
import { entry, inFile, statement, statusOf } from '../payouts/bank/reports.ts';
import { discrepancies, payee, type Payee } from '../payouts/program.ts';
import { codeOf, turnOn } from '../people/second-factor.ts';
import { mailedToken } from '../portal/people.ts';
import type { Fields } from '../support/http.ts';
import { PayPalServer } from '../support/paypal-server/paypal-server.ts';
import { newMember } from '../support/people.ts';
import { unique } from '../support/program.ts';
import { answered } from '../support/rest.ts';
import { StripeTransfersServer } from '../support/stripe-transfers-server/stripe-transfers-server.ts';
import { WiseServer } from '../support/wise-server/wise-server.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();
const [paypal, wise, stripe] = [new PayPalServer(), new WiseServer(), new StripeTransfersServer()];

beforeAll(async () => {
  await Promise.all([paypal, wise, stripe].map(async (double) => double.start()));
  for (const double of [paypal, wise, stripe]) double.now = () => service.clock.now();
  const apiBases = { paypal: paypal.url, wise: wise.url, stripe: stripe.url };
  service.services.payoutMethods = createPayoutMethods({ apiBases, publicKeys: { wise: wise.publicKey }, timeoutMs: 2_000 });
});
afterAll(() => Promise.all([paypal, wise, stripe].map((double) => double.stop())));

/** Opens a page of the portal as an affiliate. */
async function affiliateAt(path: string, email: string): Promise<Visitor> {
  const visitor = await Visitor.arrive(browser, service.url);
  const { request } = visitor.page;
  const headers = { Origin: service.url };
  await request.post(`${service.url}/auth/request-sign-in-link`, { data: { email }, headers });
  const token = await mailedToken(service, email, /sign-in link/);
  expect((await request.post(`${service.url}/auth/sign-in/link`, { data: { token }, headers })).ok()).toBe(true);
  await visitor.open(path);
  return visitor;
}

it('the first payments are right to the cent on every page, for merchant and affiliates', { timeout: 180_000 }, async () => {
  const account = await service.createAccount();
  const [app, profile, bank] = [paypal.addAccount(), wise.addAccount(), new BankMerchant(account)];
  const emailOf = (name: string) => `${unique(name)}@partner.example`;
  const [adasEmail, bobsEmail, caisEmail] = [emailOf('ada'), emailOf('bob'), emailOf('cai')];
  const advance = () => advancePayoutAttempts(service.services);
  const attemptOf = async ({ payout }: Payee) =>
    (await account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: payout.id })).body.data[0]!;

  await using owner = await Visitor.ownerAt('/settings/payout-methods', browser, service, account);
  const connect = async (name: string, values: Record<string, string>) => {
    await owner.button('Connect an account').click();
    const dialog = owner.dialog();
    await dialog.getByRole('combobox', { name: 'Service' }).or(dialog.getByLabel('Service')).first().click();
    await owner.page.getByRole('option', { name }).click();
    for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await connect('PayPal', { 'Client ID': app.client_id, 'Client secret': app.client_secret });
  await connect('Wise', { 'API token': profile.token });
  await connect('SEPA', { 'Account holder': 'Example GmbH', IBAN: IBANS.merchant });
  await owner.page.getByLabel('Who bears the fee: Bank account').waitFor();
  await owner.page.getByLabel('Who bears the fee: PayPal').selectOption('The affiliate');
  await owner.page.getByLabel('Fee of a payment (USD)').fill('0.50');
  await owner.button('Save').first().click();
  await owner.page.getByText('Settings of the methods saved.').waitFor();
  await owner.page.getByLabel('A second person approves').selectOption('Always');
  await owner.button('Save').last().click();
  await owner.page.getByText('Rules saved.').waitFor();
  expect(await owner.faults()).toEqual([]);

  const ada = await payee(account, {
    person: { first_name: 'Ada', email: adasEmail, walleta_email: 'ada@pay.example', walletb_email: null },
  });
  const bob = await bank.payee(
    { account_holder: 'Bob Ray', iban: IBANS.france },
    { amount_cents: 20_000, person: { first_name: 'Bob', email: bobsEmail } },
  );
  const cai = await payee(account, {
    currency: 'EUR',
    amount_cents: 30_000,
    person: { first_name: 'Cai', last_name: 'Lee', email: caisEmail, walleta_email: null, walletb_email: 'cai@pay.example' },
  });

  // A second person signs in with a second factor.
  const admin = await newMember(service, account, 'admin');
  const factor = await turnOn(admin);
  await using second = await Visitor.arrive(browser, service.url);
  await second.open('/sign-in');
  await second.page.getByLabel('Email').fill(admin.email);
  await second.page.getByLabel('Password', { exact: true }).fill(admin.password);
  await second.button('Sign in').click();
  await second.heading('Enter your code');
  await second.page.getByLabel('Code', { exact: true }).fill(codeOf(factor));
  await second.button('Continue').click();
  await second.page.getByRole('navigation', { name: 'Pages' }).waitFor();

  const pay = async (method: string, preview: readonly string[], sum: string) => {
    await owner.turnTo('/payouts');
    await owner.button('Prepare payments').click();
    await owner.dialog().getByRole('combobox', { name: 'Method' }).or(owner.dialog().getByLabel('Method')).first().click();
    // Nothing is sent through the account at the bank.
    expect(await owner.page.getByRole('option', { name: 'SEPA' }).count()).toBe(0);
    await owner.page.getByRole('option', { name: method }).click();
    for (const text of preview) await owner.dialog().getByText(text).waitFor();
    await owner.dialog().getByRole('button', { name: 'Prepare' }).click();
    await owner.page.getByText('Somebody else has to approve these payments').waitFor();
    await second.turnTo(new URL(owner.page.url()).pathname);
    await second.button(`Approve: ${sum}`).click();
    await second.dialog().getByRole('button', { name: 'Approve' }).click();
    await second.button(`Send: ${sum}`).click();
    await second.dialog().getByRole('button', { name: 'Send' }).click();
    await second.dialog().waitFor({ state: 'detached' });
    return new URL(owner.page.url()).pathname;
  };
  const byPayPal = await pay('PayPal', ['1 payout, US$10.00', 'Fees that affiliates bear: US$0.50.'], 'US$10.00');
  await expect.poll(async () => (await attemptOf(ada))['provider_batch_id']).not.toBeNull();
  app.process('unclaimed');
  const byWise = await pay('Wise', ['1 payout, €30.00'], '€30.00');
  await expect.poll(async () => (await attemptOf(cai))['provider_item_id']).not.toBeNull();
  profile.process('arrived');

  /** Exports the bank's file, which another person approves and downloads. Returns the payment as the bank tells of it. */
  const exportToBank = async () => {
    await owner.turnTo('/payouts');
    await owner.page
      .getByRole('button', { name: /Export/ })
      .first()
      .click();
    await owner.dialog().getByLabel('Bank transfer (SEPA)').check();
    await owner.dialog().getByRole('button', { name: 'Export' }).click();
    await owner.page.waitForURL(/\/payouts\/exports/);
    await owner.page.getByText('Somebody else has to approve').first().waitFor();
    expect(await owner.button(/^Download/).count()).toBe(0);
    await second.open('/payouts/exports');
    await second.button('Approve: €20.00').click();
    await second.dialog().getByRole('button', { name: 'Approve' }).click();
    await second
      .button(/^Download/)
      .first()
      .waitFor();
    const { id } = await attemptOf(bob);
    return { id: inFile(id), cents: 2_000 };
  };
  const upload = async (report: string, result: string) => {
    const chosen = owner.page.waitForEvent('filechooser');
    await owner.button('Upload bank report').first().click();
    await (await chosen).setFiles({ name: 'report.xml', mimeType: 'application/xml', buffer: Buffer.from(report) });
    await owner.dialog().getByText(result).waitFor();
    await owner.page.keyboard.press('Escape');
  };
  const refused = await exportToBank();
  const { batch_id } = await attemptOf(bob);
  await upload(statusOf(inFile(batch_id), {}, [{ ...refused, code: 'AC01' }]), 'Rejected, open again: 1 payout');

  service.clock.advance(61, 'minutes');
  await advance();
  await second.turnTo(byPayPal);
  await second.page.getByRole('row', { name: /Ada.*US\$10\.00.*US\$9\.50 after a fee of US\$0\.50.*Unclaimed/ }).waitFor();
  expect(await second.faults()).toEqual([]);
  await second.turnTo(byWise);
  await second.page.getByRole('row', { name: /Cai Lee.*€30\.00.*Arrived.*€0\.50/ }).waitFor();
  expect(app.made).toMatchObject([{ cents: 950 }]);
  expect(profile.made).toMatchObject([{ cents: 3_000 }]);

  await using bobsPortal = await affiliateAt('/portal/payout-details', bobsEmail);
  await bobsPortal.page.getByRole('button', { name: /^Change: Bank account/ }).click();
  await bobsPortal.dialog().getByLabel('Account holder').fill('Bob Ray');
  await bobsPortal.dialog().getByLabel('IBAN').fill(IBANS.germany);
  await bobsPortal.dialog().getByRole('button', { name: 'Save' }).click();
  await bobsPortal.page.getByText('DE…6199', { exact: true }).waitFor();
  // Payouts wait after a change of the details.
  service.clock.advance(4, 'days');
  const booked = await exportToBank();
  await upload(statement(entry([booked])), 'Marked as paid: 1 payout');

  // A week later, PayPal’s payment was accepted, and Wise has the money back.
  service.clock.advance(7, 'days');
  app.turn(String((await attemptOf(ada))['id']), 'arrived');
  profile.turn(String((await attemptOf(cai))['id']), 'returned');
  await advance();
  expect((await account.api.get(`/payouts/${ada.payout.id}`)).body).toMatchObject({ state: 'paid', amount_cents: 1_000 });

  await owner.turnTo('/payouts/payments');
  await owner.page.getByRole('row', { name: /PayPal.*Paid.*1.*US\$10\.00.*US\$10\.00/ }).waitFor();
  await owner.page.getByRole('row', { name: /Wise.*€30\.00.*€0\.00/ }).waitFor();
  await owner.turnTo('/payouts');
  await owner.page.getByRole('row', { name: /Ada.*US\$10\.00.*Paid/ }).waitFor();
  await owner.page.getByRole('row', { name: /Bob.*€20\.00.*Paid/ }).waitFor();
  await owner.page.getByRole('row', { name: /Cai.*€30\.00.*Returned/ }).waitFor();
  await owner.page.getByRole('row', { name: /Cai.*€30\.00.*Due/ }).waitFor();
  expect(await owner.faults()).toEqual([]);

  const portalRows: [string, RegExp[]][] = [
    [adasEmail, [/Paid.*by PayPal to a…@pay\.example.*A fee of US\$0\.50.*US\$9\.50 arrive.*US\$10\.00/]],
    [bobsEmail, [/Paid.*by bank transfer to DE…6199.*€20\.00/]],
    [caisEmail, [/Returned.*€30\.00/, /Due.*€30\.00 can be paid with the next payment.*€30\.00/]],
  ];
  for (const [email, rows] of portalRows) {
    await using portal = await affiliateAt('/portal/payouts', email);
    for (const name of rows) await portal.page.getByRole('row', { name }).waitFor();
    expect(await portal.faults()).toEqual([]);
  }

  const books = await account.client.payoutRuns.reconcile.query({});
  expect(books).toMatchObject({
    discrepancies: [],
    totals: [
      { currency: 'EUR', paid_cents: 2_000, paid_by_export_cents: 2_000, paid_by_service_cents: 0, returned_cents: 3_000 },
      { currency: 'USD', paid_cents: 1_000, paid_by_service_cents: 1_000, returned_cents: 0 },
    ],
    fees: [
      { currency: 'EUR', fee_cents: 50, affiliate_fee_cents: 0 },
      { currency: 'USD', fee_cents: 19, affiliate_fee_cents: 50 },
    ],
  });
  expect(await discrepancies(account)).toEqual([]);
});

it('an affiliate opens an account at Stripe from the payout details', async () => {
  const account = await service.createAccount();
  const { credentials } = stripe.addAccount();
  answered(201, await account.api.send('POST', '/api/settings/v1/payout_rails', { body: { kind: 'stripe', credentials } }));
  const email = `${unique('dee')}@partner.example`;
  await payee(account, { person: { first_name: 'Dee', email, walleta_email: null, walletb_email: null } });
  await using dee = await affiliateAt('/portal/payout-details', email);
  await dee.page.getByRole('button', { name: /^Enter at the service: Stripe account/ }).click();
  await dee.dialog().getByLabel('Country, if it is another one than that of the program, e.g. DE').fill('DE');
  expect(await dee.faults()).toEqual([]);
  await dee.dialog().getByRole('button', { name: 'Make a link' }).click();
  await dee
    .dialog()
    .getByRole('link', { name: /stripe/ })
    .waitFor();
  await dee.page.keyboard.press('Escape');
  const { accounts } = stripe.platforms.at(-1)!;
  await dee.page.getByText(`…${accounts[0]!.id.slice(-4)}`, { exact: true }).waitFor();
  expect(accounts).toMatchObject([{ form: { country: 'DE', email } }]);
});
