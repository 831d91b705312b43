/** The month's end in the browser: payments through PayPal's double are prepared, approved by another person, sent, watched and repaired. */
import { advancePayoutAttempts, createPayoutMethods } from '@affiliate/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Payee, payee } from '../payouts/program.ts';
import { type PayPalApp, PayPalServer } from '../support/paypal-server/paypal-server.ts';
import { newMember, ownerOf } from '../support/people.ts';
import type { TestAccount } from '../support/service.ts';
import { usePages } from './service.ts';
import { LOOKS, Visitor } from './visitor.ts';

const { service, browser } = usePages();
let paypal: PayPalServer;
let account: TestAccount;
let app: PayPalApp;

beforeAll(async () => {
  paypal = await new PayPalServer().start();
  paypal.now = () => service.clock.now();
  service.services.payoutMethods = createPayoutMethods({ apiBases: { paypal: paypal.url }, timeoutMs: 2_000 });
});
afterAll(() => paypal.stop());
beforeEach(async () => {
  account = await service.createAccount();
  app = paypal.addAccount();
});

const ownerAt = (path: string) => Visitor.ownerAt(path, browser, service, account);
const named = (first_name: string, amount_cents: number, walleta_email: string | null): Promise<Payee> =>
  payee(account, { amount_cents, person: { first_name, walleta_email, walletb_email: null } });
const advance = () => advancePayoutAttempts(service.services);
/** Waits until the answers about this many payments are recorded: later ones would be asked about later, too. */
const answered = (count: number) =>
  expect
    .poll(async () => {
      const { body } = await account.api.get<{ data: { provider_batch_id: string | null }[] }>('/payout_attempts', {
        state: 'sent',
      });
      return body.data.filter(({ provider_batch_id }) => provider_batch_id !== null);
    })
    .toHaveLength(count);

async function connect(): Promise<void> {
  const { status } = await account.api.send('POST', '/api/settings/v1/payout_rails', {
    body: { kind: 'paypal', credentials: app.credentials },
  });
  expect(status).toBe(201);
}

describe('payments', () => {
  it('say first that a service must be connected', async () => {
    await named('Ada', 10_000, 'ada@pay.example');
    await using owner = await ownerAt('/payouts');
    await owner.button('Prepare payments').click();
    await owner.dialog().getByText('No service that pays is connected').waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('link', { name: 'Payout methods' }).click();
    await owner.heading('Payout methods');
  });

  it('are prepared, approved by another person, sent, repaired and watched until the money is there', async () => {
    await connect();
    const payout_approval = { second_person: 'always', above: [], daily_limits: null };
    const person = await ownerOf(service, account);
    const changed = await person.browser.mutate('account.update', { account_id: account.id, payout_approval });
    expect(changed.status).toBe(200);
    const [ada, bob] = [await named('Ada', 10_000, 'ada@pay.example'), await named('Bob', 20_000, 'bob@pay.example')];
    await named('Cai', 30_000, null);
    const admin = await newMember(service, account, 'admin');

    await using owner = await ownerAt('/payouts');
    await owner.button('Prepare payments').click();
    await owner.dialog().getByText('2 payouts, US$30.00').waitFor();
    await owner.dialog().getByText('1 payout is left out, and stays due:').waitFor();
    await owner.dialog().getByText('Cai: No address for this method').waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Prepare' }).click();
    await owner.page.getByText('Somebody else has to approve these payments').waitFor();
    expect(await owner.button(/^(Send|Approve)/).count()).toBe(0);
    expect(await owner.faults()).toEqual([]);
    const path = new URL(owner.page.url()).pathname;

    await using second = await Visitor.arrive(browser, service.url);
    await second.enter(path, admin);
    await second.button('Approve: US$30.00').click();
    await second.dialog().getByRole('button', { name: 'Approve' }).click();
    await second.page.getByText('Somebody else approved these payments').waitFor();
    await second.button('Send: US$30.00').click();
    await second.dialog().getByText('US$30.00 is sent to 2 affiliates by PayPal').waitFor();
    await second.dialog().getByRole('button', { name: 'Send' }).click();
    await answered(2);

    paypal.process(app, 'PENDING');
    const itemOf = (email: string) => app.items.find(({ payout_item }) => payout_item.receiver === email)!;
    paypal.turn(itemOf('ada@pay.example'), 'UNCLAIMED');
    paypal.turn(itemOf('bob@pay.example'), 'FAILED', ['RECEIVER_UNREGISTERED', 'Receiver is unregistered.']);
    service.clock.advance(6, 'minutes');
    await advance();
    await second.page.getByRole('row', { name: /Ada.*US\$10\.00.*Unclaimed.*Comes back.*US\$0\.20/ }).waitFor();
    await second.page.getByRole('row', { name: /Bob.*US\$20\.00.*Failed.*At PayPal: RECEIVER_UNREGISTERED/ }).waitFor();
    expect(await second.faults()).toEqual([]);
    await second.putOn(LOOKS[3]);
    expect(await second.overflow()).toEqual([]);

    await second.button('Call back: Ada, US$10.00').click();
    await second.dialog().getByRole('button', { name: 'Call back' }).click();
    await second.page.getByRole('row', { name: /Ada.*Returned/ }).waitFor();
    // The new address was not approved, so it takes a new approval.
    await account.api.patch(`/affiliates/${bob.payout.affiliate_id}`, { walleta_email: 'bob@new.example' });
    service.clock.advance(8, 'days');
    await second.button('Retry: Bob, US$20.00').click();
    await second.dialog().getByRole('button', { name: 'Retry' }).click();
    await second.dialog().getByRole('alert').waitFor();
    await owner.turnTo('/payouts');
    await owner.button('Prepare payments').click();
    await owner.dialog().getByText('2 payouts, US$30.00').waitFor();
    await owner.dialog().getByRole('button', { name: 'Prepare' }).click();
    await owner.page.getByText('Somebody else has to approve these payments').waitFor();
    await second.turnTo(new URL(owner.page.url()).pathname);
    await second.button('Approve: US$30.00').click();
    await second.dialog().getByRole('button', { name: 'Approve' }).click();
    await second.button('Send: US$30.00').click();
    await second.dialog().getByRole('button', { name: 'Send' }).click();
    await answered(2);
    paypal.process(app);
    service.clock.advance(6, 'minutes');
    await advance();
    await second.page.getByRole('row', { name: /Bob.*US\$20\.00.*Arrived/ }).waitFor();
    expect(itemOf('bob@new.example').transaction_status).toBe('SUCCESS');

    await owner.turnTo('/payouts/payments');
    await owner.page.getByRole('row', { name: /PayPal.*Paid.*2.*US\$30\.00.*US\$30\.00/ }).waitFor();
    expect(await owner.faults()).toEqual([]);
    const state = async ({ payout: { id } }: Payee) => (await account.api.get(`/payouts/${id}`)).body['state'];
    expect([await state(ada), await state(bob)]).toEqual(['paid', 'paid']);
  });

  it('without an answer are decided by a person', async () => {
    await connect();
    const ada = await named('Ada', 10_000, 'ada@pay.example');
    app.fates = Array.from({ length: 1_000 }, () => 'lose the request' as const);
    const { body } = await account.api.post('/payout_batches', { method: 'paypal' });
    await account.api.post(`/payout_batches/${String(body['id'])}/send`);
    await expect.poll(() => app.posts.length).toBeGreaterThan(0);
    for (let day = 0; day < 32; day += 1) {
      service.clock.advance(1, 'days');
      await advance();
    }
    await using owner = await ownerAt(`/payouts/payments/${String(body['id'])}`);
    await owner.page.getByRole('row', { name: /Ada.*No answer.*A person has to decide.*First sent/ }).waitFor();
    await owner.page.getByRole('link', { name: 'Show them' }).click();
    await owner.page.getByRole('row', { name: /Ada.*No answer/ }).waitFor();
    await owner.page.getByLabel('State').selectOption('Arrived');
    await owner.page.getByText('No payment has this state.').waitFor();
    await owner.page.getByLabel('State').selectOption('All states');
    await owner.button('Decide: Ada, US$10.00').click();
    const [key] = app.posts;
    for (const fact of [key!, 'US$10.00', 'If you cannot find out, wait']) await owner.dialog().getByText(fact).last().waitFor();
    await owner.dialog().getByLabel('It was not made').check();
    await owner.dialog().getByLabel('How you know').fill('PayPal’s activity has no such payment.');
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Decide' }).click();
    await owner.page.getByRole('row', { name: /Ada.*Failed.*PayPal’s activity has no such payment/ }).waitFor();
    expect((await account.api.get(`/payouts/${ada.payout.id}`)).body['state']).toBe('due');
  });

  it('say why they wait when the service refuses to pay, and why some were withdrawn', async () => {
    await connect();
    const [ada, bob] = [await named('Ada', 10_000, 'ada@pay.example'), await named('Bob', 20_000, 'bob@pay.example')];
    app.fates = [{ status: 403, name: 'AUTHORIZATION_ERROR' }];
    const { body } = await account.api.post('/payout_batches', { method: 'paypal' });
    await account.api.post(`/payout_batches/${String(body['id'])}/send`);
    await expect.poll(() => app.posts.length).toBe(1);
    const shown = async () => (await account.api.get(`/payout_batches/${String(body['id'])}`)).body['waits_for'];
    await expect.poll(shown).toBe('rail_stopped');
    await using owner = await ownerAt(`/payouts/payments/${String(body['id'])}`);
    await owner.page
      .getByText('because the service has refused to pay from your account')
      .getByRole('link', { name: 'Payout methods' })
      .waitFor();
    expect(await owner.faults()).toEqual([]);
    const { data } = (await account.api.get<{ data: { affiliate_id: string }[] }>('/payout_attempts', { state: 'prepared' }))
      .body;
    const waiting = data[0]!.affiliate_id === ada.payout.affiliate_id ? ada : bob;
    await account.api.patch(`/affiliates/${waiting.payout.affiliate_id}`, { walleta_email: 'new@pay.example' });
    await owner.page.getByRole('row', { name: /Withdrawn.*Payout details changed/ }).waitFor();
  });
});
