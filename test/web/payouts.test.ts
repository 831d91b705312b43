import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Payee, payee, payoutOf } from '../payouts/program.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import { newMember } from '../support/people.ts';
import { program, refer, sell } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';
import { usePages } from './service.ts';
import { LOOKS, Visitor } from './visitor.ts';

const { service, browser } = usePages();
let account: TestAccount;

beforeEach(async () => {
  account = await service.createAccount();
});

const ownerAt = (path: string) => Visitor.ownerAt(path, browser, service, account);

/** Creates a payee with this name and a payout of 10% of `amount_cents`. */
function named(first_name: string, amount_cents: number, more: Parameters<typeof payee>[1] = {}): Promise<Payee> {
  return payee(account, { amount_cents, ...more, person: { first_name, ...more.person } });
}

describe('the payout list', () => {
  it('shows eligible payouts, and the reasons why others are not eligible', async () => {
    await named('Ada', 10_000);
    await named('Bob', 20_000, { terms: { minimum_payout_cents: 100_000 } });
    const eve = await named('Eve', 30_000, { currency: 'JPY' });
    const sue = await named('Sue', 40_000);
    const { commissions } = await account.client.payouts.get.query({ id: sue.payout.id, expand: ['commissions'] });
    await account.client.commissions.review.mutate({ id: commissions![0]!.id, review_action: 'suspicious' });
    await account.api.patch(`/affiliates/${eve.payout.affiliate_id}`, { state: 'suspicious' });
    await using owner = await ownerAt('/payouts');
    await owner.page.getByRole('row', { name: /Ada.*US\$10\.00.*Due/ }).waitFor();
    await owner.page.getByRole('row', { name: /Bob.*US\$20\.00.*Pending.*Below the campaign’s minimum/ }).waitFor();
    await owner.page.getByRole('row', { name: /Eve.*JP¥3,000.*Pending.*On hold/ }).waitFor();
    const flagged = owner.page.getByRole('row', { name: /Sue.*US\$0\.00.*Under review: 1 commission, US\$40\.00/ });
    expect(await flagged.textContent()).not.toContain('clawbacks');
    expect(await owner.page.getByRole('checkbox', { name: /^Select US\$/ }).count()).toBe(1);
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('paid');
    await owner.page.getByText('No payouts match these filters.').waitFor();
  });

  it('marks a payout as paid with a reference, even before it is eligible', async () => {
    const { payout } = await named('Bob', 20_000, { terms: { minimum_payout_cents: 100_000 } });
    await named('Ada', 10_000);
    await using owner = await ownerAt('/payouts');
    await owner.page.getByRole('checkbox', { name: 'Select US$10.00 to Ada' }).check();
    await owner.page.getByText('1 payout selected, US$10.00').waitFor();
    await owner.button('Mark as paid: US$10.00 to Ada').click();
    await owner.dialog().getByRole('button', { name: 'Mark as paid' }).click();
    await owner.page.getByText('1 payout selected').waitFor({ state: 'detached' });

    await owner.button('Mark as paid: US$20.00 to Bob').click();
    await owner.dialog().getByText('Below the campaign’s minimum').waitFor();
    await owner.page.getByLabel('Payment reference').fill('Wire 7');
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Mark as paid' }).click();
    await owner.page.getByRole('row', { name: /Bob.*Paid.*Wire 7/ }).waitFor();
    expect(await owner.button(/^Mark as paid/).count()).toBe(0);
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid', payment_reference: 'Wire 7' });
  });

  it('marks a paid payout as returned, with a reason', async () => {
    const { payout } = await named('Ada', 10_000);
    await account.api.post(`/payouts/${payout.id}/pay`);
    await using owner = await ownerAt('/payouts');
    await owner.button('Mark as returned: US$10.00 to Ada').click();
    await owner.dialog().getByLabel('Reason').fill('Account closed');
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Mark as returned' }).click();
    await owner.page.getByRole('row', { name: /Ada.*Returned.*Account closed/ }).waitFor();
    await owner.page.getByRole('row', { name: /Ada.*Due/ }).waitFor();
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'returned', return_reason: 'Account closed' });
  });
});

describe('the page of a payout', () => {
  it('opens with its amount, its state, how the amount came about, and what is in the way', async () => {
    const { payout } = await named('Bob', 20_000, { terms: { minimum_payout_cents: 100_000 } });
    await using owner = await ownerAt(`/payouts/${payout.id}`);
    const why = owner.page.getByRole('region', { name: 'Why this amount' });
    await why.getByText('US$20.00', { exact: true }).waitFor();
    await why.getByText('Pending', { exact: true }).waitFor();
    await why.getByText(/^1 commission for a sale: US\$20\.00\./).waitFor();
    await why.getByText('Below the campaign’s minimum payout.').waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.putOn(LOOKS[3]);
    expect(await owner.overflow()).toEqual([]);

    const { payout: claimed } = await named('Ada', 10_000);
    await account.client.payoutExports.create.mutate({ export_format: 'walleta' });
    await owner.turnTo(`/payouts/${claimed.id}`);
    await why.getByText('Processing', { exact: true }).waitFor();
    await why.getByText('Not sent yet.').waitFor();
    await owner.page.getByText('PayPal', { exact: true }).waitFor();
  });

  it('shows its history, and to admins the events about it', async () => {
    const { payout } = await named('Ada', 10_000);
    await account.api.post(`/payouts/${payout.id}/pay`);
    await using owner = await ownerAt(`/payouts/${payout.id}`);
    await owner.page.getByRole('table', { name: 'Timeline' }).getByText('Payout paid').waitFor();
    await owner.page.getByRole('navigation', { name: 'Pages of the payout' }).getByRole('link', { name: 'Events' }).click();
    const events = owner.page.getByRole('table', { name: 'Events' });
    const paid = events.getByRole('row', { name: /payout\.paid/ });
    await paid.getByText('Show').click();
    await paid.getByText('"state": "paid"').waitFor();
    await events.getByRole('row', { name: /payout\.created/ }).waitFor();
    expect(await owner.page.getByText('US$10.00 to Ada').count()).toBe(1);
    expect(await owner.faults()).toEqual([]);
    await owner.putOn(LOOKS[3]);
    expect(await owner.overflow()).toEqual([]);

    const member = await newMember(service, account, 'member');
    await using visitor = await Visitor.arrive(browser, service.url);
    await visitor.enter(`/payouts/${payout.id}`, member);
    await visitor.page.getByRole('table', { name: 'Timeline' }).getByText('Payout paid').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Events' }).count()).toBe(0);
  });
});

describe('the events of a record', () => {
  it('are on the pages of an affiliate, a sale and a commission, with the state of each delivery', async () => {
    await using receiver = await HookReceiver.start();
    const { id: endpoint_id } = await account.client.webhookEndpoints.create.mutate({
      name: 'Order system',
      url: receiver.url,
      event_types: ['sale.recorded', 'commission.created'],
    });
    const friends = await program(account, {}, { first_name: 'Ada' });
    const { sale } = await sell(account, { referral_id: (await refer(account, friends)).id });
    await expect
      .poll(async () => (await account.client.webhookDeliveries.list.query({ endpoint_id, status: 'succeeded' })).data.length)
      .toBe(2);
    const { data } = await account.client.commissions.list.query({ affiliate_id: friends.affiliate.id });
    await using owner = await ownerAt(`/customers/sales/${sale.id}`);
    const events = owner.page.getByRole('table', { name: 'Events' });
    await owner.page.getByRole('navigation', { name: 'Pages of the sale' }).getByRole('link', { name: 'Events' }).click();
    const created = events.getByRole('row', { name: /sale\.recorded.*Order system.*Succeeded/ });
    await created.waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.putOn(LOOKS[3]);
    expect(await owner.overflow()).toEqual([]);
    await created.getByRole('link', { name: 'Order system' }).click();
    await owner.heading('Delivery of sale.recorded');

    await owner.turnTo(`/commissions/${data[0]!.id}`);
    await owner.page.getByRole('navigation', { name: 'Pages of the commission' }).getByRole('link', { name: 'Events' }).click();
    await events.getByRole('row', { name: /commission\.created.*Order system.*Succeeded/ }).waitFor();
    await owner.turnTo(`/affiliates/${friends.affiliate.id}`);
    await owner.page.getByRole('navigation', { name: 'Pages of the affiliate' }).getByRole('link', { name: 'Events' }).click();
    await events.getByRole('row', { name: /affiliate\.created.*Not sent/ }).waitFor();
  });
});

describe('the history of a record', () => {
  it('is the part of the audit log that concerns it', async () => {
    const { payout, program: terms } = await named('Ada', 10_000);
    await using owner = await ownerAt(`/payouts/${payout.id}`);
    await owner.button(/^Mark as paid/).click();
    await owner.dialog().getByRole('button', { name: 'Mark as paid' }).click();
    await owner.page.getByText('Paid', { exact: true }).first().waitFor();
    await owner.page.getByRole('navigation', { name: 'Pages of the payout' }).getByRole('link', { name: 'History' }).click();
    await owner.heading('Audit log');
    const log = owner.page.getByRole('table', { name: 'Audit log' });
    await log.getByRole('link', { name: /^Ada.*US\$10\.00/ }).waitFor();
    expect(await log.getByRole('row').count()).toBe(2);
    expect(await owner.faults()).toEqual([]);
    await owner.putOn(LOOKS[3]);
    expect(await owner.overflow()).toEqual([]);
    await owner.button('Show all entries').click();
    await expect.poll(() => log.getByRole('row').count()).toBeGreaterThan(2);
    await owner.turnTo(`/campaigns/${terms.campaign.id}`);
    await owner.page.getByRole('navigation', { name: 'Pages of the campaign' }).getByRole('link', { name: 'History' }).click();
    await log.getByRole('row', { name: 'Added a campaign' }).getByRole('link', { name: terms.campaign.name }).waitFor();
  });
});

describe('a commission by hand', () => {
  it('is added on the page of the affiliate, and shown with its note', async () => {
    const { payout } = await named('Ada', 10_000);
    await using owner = await ownerAt(`/affiliates/${payout.affiliate_id}`);
    await owner.button('More').click();
    await owner.button('Add commission').click();
    await owner.page.getByLabel('Amount').fill('nothing');
    await owner.page.getByLabel('Note').fill('Paid twice in October');
    await owner.dialog().getByRole('button', { name: 'Add' }).click();
    await owner.page.getByText('Enter an amount in USD, e.g. 12.50.').waitFor();
    await owner.page.getByLabel('Amount').fill('-2.50');
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Add' }).click();
    await owner.dialog().waitFor({ state: 'detached' });
    expect(await payoutOf(account, payout.id)).toMatchObject({ amount_cents: 750, commissions_count: 2 });
    await owner.page.goto(`${service.url}/commissions`);
    await owner.page.getByText('By hand: Paid twice in October').waitFor();
  });
});

describe('a payout export', () => {
  it('includes the selected payouts, is downloaded, and is marked as paid', async () => {
    const [ada, bob] = [await named('Ada', 10_000), await named('Bob', 20_000)];
    const left = await named('Eve', 30_000, { person: { walletb_email: null } });
    await using owner = await ownerAt('/payouts');
    for (const subject of ['US$10.00 to Ada', 'US$20.00 to Bob', 'US$30.00 to Eve'])
      await owner.page.getByRole('checkbox', { name: `Select ${subject}` }).check();
    await owner.button('Export').click();
    await owner.dialog().getByText('3 payouts, US$60.00').waitFor();
    await owner.page.getByLabel('Wise').check();
    await owner.dialog().getByText('Pays 2 of 3 payouts').waitFor();
    await owner.dialog().getByText('Eve has no Wise address').waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Export' }).click();

    await owner.heading('Payout exports');
    await owner.page.getByRole('row', { name: /Processing.*Wise.*2.*US\$30\.00/ }).waitFor();
    await owner.button('Rows: 2 payouts').click();
    const rows = owner.dialog().getByRole('table', { name: 'Rows: 2 payouts' });
    await rows.getByRole('row', { name: /Ada.*US\$10\.00.*Prepared/ }).waitFor();
    await rows.getByRole('row', { name: /Bob.*US\$20\.00/ }).waitFor();
    await owner
      .dialog()
      .getByText(/^Before you pay, you can take rows out of the file/)
      .waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.putOn(LOOKS[3]);
    expect(await owner.overflow()).toEqual([]);
    await owner.putOn(LOOKS[0]);
    await owner.page.keyboard.press('Escape');
    await owner.button('Download: export of 2 payouts').click();
    expect(await owner.faults()).toEqual([]);
    const [download] = await Promise.all([
      owner.page.waitForEvent('download'),
      owner.dialog().getByRole('button', { name: 'Download' }).click(),
    ]);
    const { data } = await account.client.payoutExports.list.query({});
    const file = await account.client.payoutExports.get.query({ id: data[0]!.id });
    expect(download.suggestedFilename()).toBe(file.filename);
    expect(await readFile(await download.path(), 'utf8')).toBe(file.content);
    expect(file.content.split('\n').filter(Boolean)).toHaveLength(3);

    await owner.button('Mark as paid: 2 payouts').click();
    await owner.page.getByLabel('Payment reference').fill('Batch 12');
    await owner.dialog().getByRole('button', { name: 'Mark as paid' }).click();
    await owner.page.getByRole('row', { name: /Paid.*Batch 12/ }).waitFor();
    for (const { payout } of [ada, bob]) expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid' });
    expect(await payoutOf(account, left.payout.id)).toMatchObject({ state: 'due' });
  });

  it('lets a payout be taken out before it is paid', async () => {
    const [ada, bob] = [await named('Ada', 10_000), await named('Bob', 20_000)];
    const { id } = await account.client.payoutExports.create.mutate({});
    await using owner = await ownerAt('/payouts/exports');
    await owner.button('Rows: 2 payouts').click();
    await owner.button('Take out: Bob, US$20.00').click();
    const asked = owner.page.getByRole('dialog', { name: /^Take out/ });
    await asked.getByText('If the bank has the former file already', { exact: false }).waitFor();
    expect(await owner.faults()).toEqual([]);
    await asked.getByRole('button', { name: 'Take out' }).click();
    const rows = owner.page.getByRole('table', { name: 'Rows: 1 payout' });
    await rows.getByRole('row', { name: /Bob.*Withdrawn.*Taken out of the export/ }).waitFor();
    // The last payout cannot be taken out: the export is deleted instead.
    expect(await rows.getByRole('button').count()).toBe(0);
    expect(await payoutOf(account, bob.payout.id)).toMatchObject({ state: 'due' });
    expect(await payoutOf(account, ada.payout.id)).toMatchObject({ state: 'processing' });
    expect(await account.client.payoutExports.get.query({ id })).toMatchObject({ payouts_count: 1 });
  });

  it('that has changed is marked as paid only if the money was sent already', async () => {
    const { payout, program } = await named('Ada', 10_000);
    await account.client.payoutExports.create.mutate({});
    await account.api.patch(`/affiliates/${program.affiliate.id}`, { state: 'disabled' });
    await using owner = await ownerAt('/payouts/exports');
    await owner.button('Mark as paid: 1 payout').click();
    await owner.dialog().getByRole('button', { name: 'Mark as paid' }).click();
    expect(await owner.dialog().getByRole('alert').textContent()).toContain(`…${payout.id.slice(-6)}`);
    expect(await owner.faults()).toEqual([]);
    await owner.page.getByLabel('I have already sent this money').check();
    await owner.dialog().getByRole('button', { name: 'Mark as paid' }).click();
    await owner.page.getByRole('row', { name: /Paid/ }).waitFor();
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid' });
  });

  it.runIf(THOROUGH)('releases its payouts when it is deleted', async () => {
    const { payout } = await named('Ada', 10_000);
    await account.client.payoutExports.create.mutate({});
    await using owner = await ownerAt('/payouts/exports');
    await owner.button('Delete: export of 1 payout').click();
    await owner.dialog().getByRole('button', { name: 'Delete' }).click();
    await owner.page.getByRole('heading', { name: 'No exports yet' }).waitFor();
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'due' });
  });
});

describe('a payout run', () => {
  it('is created, reviewed and executed with visible progress, and its failed payouts are retried', async () => {
    const ada = await named('Ada', 10_000);
    const bob = await named('Bob', 20_000, { person: { walleta_email: null, walletb_email: null } });
    const eve = await named('Eve', 30_000);
    await named('Zoe', 40_000);
    await using owner = await ownerAt('/payouts');
    await owner.button('Create run').click();
    await owner.dialog().getByText('4 payouts, US$100.00').waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Create' }).click();
    await owner.heading('Payout run');
    await owner.page.getByText('0 of 4 done').waitFor();
    await owner.button('Exclude: Zoe').click();
    await owner.dialog().getByRole('button', { name: 'Exclude' }).click();
    await owner.page.getByText('1 of 4 done').waitFor();
    expect(await owner.faults()).toEqual([]);

    await account.api.patch(`/affiliates/${eve.payout.affiliate_id}`, { state: 'disabled' });
    // Locks the affiliate Ada, so that the worker starts the run but must wait.
    await using busy = await hold(ada.payout.affiliate_id);
    await owner.button('Mark run as paid').click();
    await owner.page.getByLabel('Payment reference').fill('November');
    await owner.dialog().getByRole('button', { name: 'Mark as paid' }).click();
    const progress = owner.page.getByRole('progressbar', { name: 'Run progress' });
    await owner.page.getByRole('status').getByText('Executing').waitFor();
    expect(await progress.getAttribute('aria-valuenow')).toBe('25');
    await busy.release();
    await owner.page.getByText('4 of 4 done').waitFor();
    await owner.page.getByRole('status').getByText('Partially completed').waitFor();
    expect(await progress.getAttribute('aria-valuenow')).toBe('100');
    await owner.page.getByRole('row', { name: /Eve.*Failed.*The affiliate is not active/ }).waitFor();
    await owner.page.getByRole('row', { name: /Ada.*Paid/ }).waitFor();
    expect(await payoutOf(account, ada.payout.id)).toMatchObject({ state: 'paid', payment_reference: 'November' });
    expect(await payoutOf(account, eve.payout.id)).toMatchObject({
      state: 'pending',
      ineligible_reasons: ['affiliate_inactive'],
    });
    expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);

    const details = owner.page.getByRole('row', { name: /Bob.*Failed/ }).getByRole('link', { name: 'Enter payout details' });
    expect(await details.getAttribute('href')).toBe(`/affiliates/${bob.payout.affiliate_id}`);
    await account.api.patch(`/affiliates/${bob.payout.affiliate_id}`, { walleta_email: 'bob@paypal.example' });
    await owner.button('Retry: Missing payout details').click();
    await owner.dialog().getByRole('button', { name: 'Retry' }).click();
    await owner.page.getByRole('row', { name: /Bob.*Paid/ }).waitFor();
    await account.api.patch(`/affiliates/${eve.payout.affiliate_id}`, { state: 'active' });
    await owner.button('Retry: Affiliate inactive').click();
    await owner.dialog().getByRole('button', { name: 'Retry' }).click();
    await owner.page.getByRole('status').getByText('Completed', { exact: true }).waitFor();
    await owner.page.getByRole('row', { name: /Eve.*Paid/ }).waitFor();
    for (const { payout } of [bob, eve]) expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid' });
    expect(await owner.button('Cancel run').count()).toBe(0);
  });

  it.runIf(THOROUGH)('releases its payouts when it is canceled', async () => {
    const { payout } = await named('Ada', 10_000);
    await account.client.payoutRuns.create.mutate({});
    await using owner = await ownerAt('/payouts/runs');
    await owner.page
      .getByRole('row', { name: /Planned.*0 of 1.*US\$10\.00/ })
      .getByRole('link')
      .click();
    await owner.button('Cancel run').click();
    await owner.dialog().getByRole('button', { name: 'Cancel run' }).click();
    await owner.page.getByRole('status').getByText('Canceled').waitFor();
    expect(await owner.button('Mark run as paid').count()).toBe(0);
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'due' });
  });
});

/** Holds the lock that every change of an affiliate's money takes (docs/rules/ledger.md#commissions). */
async function hold(affiliateId: string): Promise<{ release: () => Promise<void>; [Symbol.asyncDispose]: () => Promise<void> }> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from affiliate where id = $1 for no key update', [affiliateId]);
  let open = true;
  const release = async () => {
    if (!open) return;
    open = false;
    await client.end();
  };
  return { release, [Symbol.asyncDispose]: release };
}
