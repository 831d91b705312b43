/** Sales whose paid commission facts contradict, on the pages (docs/rules/attribution.md#review-of-sales). */
import { beforeEach, expect, it } from 'vitest';
import { discrepancies } from '../payouts/program.ts';
import { MEMBER_PASSWORD, newMember } from '../support/people.ts';
import { program, refer, sell, unique } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();
let account: TestAccount;
let order: string;
let saleId: string;
let ada: string;

// Bob was paid for a customer whom Ada had sent before.
beforeEach(async () => {
  account = await service.createAccount();
  const [ofAda, ofBob] = [await program(account), await program(account, {}, { first_name: 'Bob' })];
  const [first, second] = [await refer(account, ofAda), await refer(account, ofBob)];
  ada = ofAda.affiliate.email;
  const customer_email = `${unique('x')}@buyer.example`;
  service.clock.advance(1, 'minutes');
  const earlier = service.clock.instant();
  service.clock.advance(1, 'minutes');
  order = unique('order');
  const { sale, commission } = await sell(account, { external_id: order, referral_id: second.id, customer_email });
  saleId = sale.id;
  await account.api.patch(`/commissions/${commission!.id}`, { paid_at: service.clock.instant() });
  await sell(account, { referral_id: first.id, customer_email, charged_at: earlier });
});

const contradiction = () =>
  `The sale has earned US$10.00, which are paid at least in part. By the facts that are known now, ${ada} would earn from the sale.`;

it('the page “Needs review” lists a sale whose payment facts contradict, and has the payment stand', async () => {
  await using owner = await Visitor.ownerAt('/', browser, service, account);
  await owner.page.getByRole('link', { name: '1 sale to review' }).click();
  const sales = owner.page.getByRole('table', { name: 'Sales to review' });
  await sales.getByRole('row', { name: new RegExp(`${order} .*Bob .*${ada} would earn`) }).waitFor();
  expect(await owner.faults({ contrast: true })).toEqual([]);
  await owner.page.setViewportSize({ width: 390, height: 844 });
  expect(await owner.overflow()).toEqual([]);
  await owner.button(`Keep the payment for ${order}`).click();
  await owner.page.getByText(`The payment for ${order} stands.`).waitFor();
  await sales.waitFor({ state: 'detached' });
  expect(await discrepancies(account)).toEqual([]);
  const { data } = await account.client.auditLog.list.query({});
  expect(data[0]).toMatchObject({ tool: 'sales', action: 'review', arguments: { id: saleId, review_action: 'keep' } });
});

it('the page of the sale takes the payment back, and then decides again who earns', async () => {
  await using owner = await Visitor.ownerAt(`/customers/sales/${saleId}`, browser, service, account);
  await owner.page.getByText(contradiction()).waitFor();
  expect(await owner.button(/^Decide again/).count()).toBe(0);
  expect(await owner.faults({ contrast: true })).toEqual([]);
  await owner.button(`Take back the commission for ${order}`).click();
  await owner.dialog().getByRole('button', { name: 'Void', exact: true }).click();
  await owner.page.getByText('The commission of US$10.00 was taken back. The sale can be decided again.').waitFor();
  await owner.button(`Decide again about ${order}`).click();
  await owner.dialog().getByRole('button', { name: 'Decide again' }).click();
  await owner.page.getByText('The affiliate earns US$10.00.').waitFor();
  await owner.page.getByText('was taken back').waitFor({ state: 'detached' });
  expect((await account.client.sales.get.query({ id: saleId })).affiliate).toMatchObject({ email: ada });
  expect(await discrepancies(account)).toEqual([]);
});

it('a sale that has changed since the page loaded is refused, in the language of the page', async () => {
  await using owner = await Visitor.arrive(browser, service.url, { locale: 'de-DE', width: 390, height: 844 });
  await owner.enter(`/customers/sales/${saleId}`, { email: account.ownerEmail, password: account.ownerPassword });
  await owner.page.getByText(`Nach heutigem Stand würde ${ada} am Verkauf verdienen.`).waitFor();
  expect(await owner.overflow()).toEqual([]);
  service.clock.advance(1, 'seconds');
  await account.api.patch(`/sales/${saleId}`, { amount_cents: 9_000 });
  await owner.button(`Zahlung für ${order} bestehen lassen`).click();
  await owner.page.getByText('Der Verkauf hat sich inzwischen geändert.').waitFor();
  expect(await discrepancies(account)).toHaveLength(1);
});

it('members see the contradiction without buttons', async () => {
  const { email } = await newMember(service, account, 'member');
  await using member = await Visitor.arrive(browser, service.url);
  await member.enter(`/customers/sales/${saleId}`, { email, password: MEMBER_PASSWORD });
  await member.page.getByText(contradiction()).waitFor();
  expect(await member.button(/^Keep the payment|^Take back/).count()).toBe(0);
  expect(await member.faults({ isCheckedElsewhere: true })).toEqual([]);
});
