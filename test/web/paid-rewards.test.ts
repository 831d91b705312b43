/** Paid rewards that a person has decided again on the page of the commission (docs/rules/rewards.md#paid-rewards). */
import { beforeEach, expect, it } from 'vitest';
import { discrepancies } from '../payouts/program.ts';
import { type Commission, rule } from '../rewards/program.ts';
import { MEMBER_PASSWORD, newMember } from '../support/people.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();
const settle = () => service.worker!.sweepNow();
let account: TestAccount;
let order: string;
let paid: Commission;

const milestones = async () => {
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
  return body.data.filter(({ kind }) => kind === 'milestone');
};
const refund = async () => {
  await must(account, '/track/refunds', { external_id: order, refund_id: unique('refund'), amount_cents: 10_000 });
  await settle();
};

// A milestone that was reached three times, and is paid.
beforeEach(async () => {
  account = await service.createAccount();
  const friends = await program(account, { days_until_commissions_are_due: 0 });
  const pay = { fixed: { amount_cents: 700, currency: 'USD' } };
  await rule(account, friends.campaign, { event: 'milestone', milestone: { metric: 'revenue', every: 10_000 }, pay });
  order = unique('order');
  await sell(account, { referral_id: (await refer(account, friends)).id, external_id: order, amount_cents: 35_000 });
  await settle();
  const [reward] = await milestones();
  const { body } = await account.api.patch<Commission>(`/commissions/${reward!.id}`, { paid_at: service.clock.instant() });
  paid = body;
});

it('the page of a paid reward that facts contradict says what is right now, and has the reward decided again', async () => {
  await using owner = await Visitor.ownerAt(`/commissions/${paid.id}`, browser, service, account);
  expect(paid).toMatchObject({ state: 'paid', amount_cents: 2_100 });
  const again = owner.button('Decide again: US$21.00 for Ada');
  await owner.heading('Commission');
  await owner.page.getByText('Paid', { exact: true }).first().waitFor();
  expect(await again.count()).toBe(0);

  await refund();
  await owner.open(`/commissions/${paid.id}`);
  await again.waitFor();
  await owner.page.getByText('By the facts that are known now, it would be US$14.00.').waitFor();
  expect(await owner.faults({ contrast: true })).toEqual([]);
  await owner.page.setViewportSize({ width: 390, height: 844 });
  expect(await owner.overflow()).toEqual([]);
  await again.click();
  await owner.dialog().getByText('The US$21.00 that was paid is taken back from the affiliate’s next payout.').waitFor();
  expect(await owner.faults({ contrast: true })).toEqual([]);
  expect(await owner.overflow()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Cancel' }).click();
  expect(await milestones()).toMatchObject([{ state: 'paid' }]);

  await again.click();
  await owner.dialog().getByRole('button', { name: 'Decide again' }).click();
  await owner.page.getByText('Being decided again: US$21.00 for Ada').waitFor();
  await again.waitFor({ state: 'detached' });
  await owner.page.getByRole('definition').getByText('Reconsidered').waitFor();
  await settle();
  const rewards = await milestones();
  expect(rewards.find(({ id }) => id === paid.id)).toMatchObject({ state: 'voided', void_reason: 'reconsidered' });
  expect(rewards.find(({ state }) => state === 'due')).toMatchObject({ amount_cents: 1_400 });
  expect(await discrepancies(account)).toEqual([]);
});

it('a reward that was decided again since the page loaded is refused, in the language of the page', async () => {
  await refund();
  await using owner = await Visitor.arrive(browser, service.url, { locale: 'de-DE', width: 390, height: 844 });
  await owner.enter(`/commissions/${paid.id}`, { email: account.ownerEmail, password: account.ownerPassword });
  await owner.page.getByText(/^Nach heutigem Stand wären es 14,00\s\$\.$/).waitFor();
  await owner.button(/^Neu entscheiden: 21,00\s\$ für Ada/).click();
  await owner.dialog().getByText('von der nächsten Auszahlung des Partners abgezogen').waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  expect(await owner.overflow()).toEqual([]);
  await must(account, `/commissions/${paid.id}/review`, { review_action: 'reconsider' }, 200);
  await owner.dialog().getByRole('button', { name: 'Neu entscheiden' }).click();
  await owner
    .dialog()
    .getByText('Nur ein gezahlter Bonus oder eine gezahlte Prämie für einen Interessenten oder Meilenstein')
    .waitFor();
});

it('the page “Needs review” lists the paid rewards that facts contradict, and has them decided again', async () => {
  await using owner = await Visitor.ownerAt('/commissions/review', browser, service, account);
  await owner.page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
  const rewards = owner.page.getByRole('table', { name: 'Paid rewards that would be different now' });
  expect(await rewards.count()).toBe(0);
  await refund();
  await owner.open('/commissions/review');
  await rewards.getByRole('row', { name: /Ada .*US\$21\.00 .*it would be US\$14\.00/ }).waitFor();
  expect(await owner.faults({ contrast: true })).toEqual([]);
  await owner.page.setViewportSize({ width: 390, height: 844 });
  expect(await owner.overflow()).toEqual([]);
  await owner.button('Decide again: US$21.00 for Ada').click();
  await owner.dialog().getByRole('button', { name: 'Decide again' }).click();
  await rewards.waitFor({ state: 'detached' });
  await owner.page.getByText('Being decided again: US$21.00 for Ada').waitFor();
  expect((await account.client.commissions.get.query({ id: paid.id })).state).toBe('voided');
});

it('the page “Needs review” has a paid reward stand', async () => {
  await refund();
  await using owner = await Visitor.ownerAt('/', browser, service, account);
  await owner.page.getByRole('link', { name: '1 paid reward that would be different now' }).click();
  const rewards = owner.page.getByRole('table', { name: 'Paid rewards that would be different now' });
  await owner.button('Keep: US$21.00 for Ada').click();
  await owner.page.getByText('Stands: US$21.00 for Ada').waitFor();
  await rewards.waitFor({ state: 'detached' });
  expect(await milestones()).toMatchObject([{ state: 'paid' }]);
  expect(await discrepancies(account)).toEqual([]);
});

it('members see what would be right now, without the button', async () => {
  await refund();
  const { email } = await newMember(service, account, 'member');
  await using member = await Visitor.arrive(browser, service.url);
  await member.enter(`/commissions/${paid.id}`, { email, password: MEMBER_PASSWORD });
  await member.page.getByText('By the facts that are known now, it would be US$14.00.').waitFor();
  expect(await member.button(/^Decide again/).count()).toBe(0);
  expect(await member.faults({ isCheckedElsewhere: true })).toEqual([]);
});
