import { beforeEach, expect, it } from 'vitest';
import { type Program, program, refer, sell } from '../../support/program.ts';
import type { Shop } from './shop.ts';

export function commissions(shop: Shop): void {
  let friends: Program;
  const earn = async (amount_cents: number) => {
    const { commission } = await sell(shop.account, { referral_id: (await refer(shop.account, friends)).id, amount_cents });
    return commission!.id;
  };
  const commission = async (id: string) => (await shop.account.api.get(`/commissions/${id}`)).body;
  beforeEach(async () => {
    friends = await program(shop.account, { days_until_commissions_are_due: 0 });
  });

  it('can be flagged in the list, and are reviewed on the page “Needs review”', async () => {
    const [small, middle, large] = [await earn(10_000), await earn(20_000), await earn(30_000)];
    await using owner = await shop.ownerAt('/commissions');
    for (const amount of ['US$10.00', 'US$20.00']) {
      await owner.button(`Flag: ${amount} for Ada`).click();
      await owner.button(`Approve: ${amount} for Ada`).waitFor();
    }
    await owner.page.getByRole('link', { name: 'Needs review' }).click();
    await owner.heading('Needs review');
    const rows = owner.page.getByRole('table', { name: 'Commissions to review' }).locator('tbody tr');
    await rows.nth(1).waitFor();
    expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);

    await owner.button('Approve: US$10.00 for Ada').click();
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1);
    expect(await commission(small)).toMatchObject({ review_status: 'approved', payout_id: expect.any(String) });
    // The focus moves to the list, so that keyboard users do not have to start at the top of the page.
    expect(await owner.page.locator(':focus').getAttribute('aria-label')).toBe('Commissions to review');

    await owner.button('Void: US$20.00 for Ada').click();
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByLabel('Reason').fill('Test order');
    await owner.dialog().getByLabel('Also stop this customer').check();
    await owner.dialog().getByRole('button', { name: 'Void' }).click();
    await owner.page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    const voided = await commission(middle);
    expect(voided).toMatchObject({ state: 'voided', void_reason: 'Test order' });
    const { body: referral } = await shop.account.api.get(`/referrals/${String(voided['referral_id'])}`);
    expect(referral).toMatchObject({ deactivated_at: expect.any(String) });
    expect(await commission(large)).toMatchObject({ state: 'due', review_status: null });
  });

  it('that are flagged are named as the reason on the list, the payout, the affiliate and the overview', async () => {
    const id = await earn(30_000);
    await shop.account.api.post(`/commissions/${id}/review`, { review_action: 'suspicious' });
    const reason = 'Under review: 1 commission, US$30.00.';
    await using owner = await shop.ownerAt(`/affiliates/${friends.affiliate.id}`);
    const unpaid = owner.page.getByRole('table', { name: 'Not paid yet' });
    await unpaid.getByText(reason).waitFor();
    expect(await owner.faults()).toEqual([]);
    await unpaid.getByRole('link', { name: 'US$0.00' }).click();
    await owner.heading('Payout');
    await owner.page.getByText(reason).waitFor();
    await owner.turnTo(`/payouts?affiliate_id=${friends.affiliate.id}`);
    await owner.page.getByRole('row', { name: /Under review: 1 commission, US\$30\.00/ }).waitFor();
    await owner.turnTo('/');
    const owed = owner.page.getByRole('region', { name: 'Payouts owed' });
    await owed.getByRole('link', { name: /^Under review: US\$30\.00/ }).click();
    await owner.heading('Needs review');
  });

  it('of a refunded sale are voided with the reason in words, and the sale reads as refunded', async () => {
    const { sale } = await sell(shop.account, { referral_id: (await refer(shop.account, friends)).id, amount_cents: 30_000 });
    const refund = { external_id: sale.external_id!, refund_id: 'all', amount_cents: 30_000 };
    await shop.account.api.post('/track/refunds', refund);
    await using owner = await shop.ownerAt('/commissions');
    await owner.page.getByRole('row', { name: /Ada.*Voided.*Refunded/ }).waitFor();
    await owner.turnTo('/customers/sales');
    await owner.page.getByRole('row', { name: /US\$300\.00.*Refunded.*US\$0\.00/ }).waitFor();
    expect(await owner.faults()).toEqual([]);
  });

  it('that were paid since the page loaded cannot be reviewed, and the service’s error is shown', async () => {
    const id = await earn(10_000);
    await shop.account.api.post(`/commissions/${id}/review`, { review_action: 'suspicious' });
    await using owner = await shop.ownerAt('/commissions/review');
    await owner.button('Approve: US$10.00 for Ada').waitFor();
    await shop.account.api.patch(`/commissions/${id}`, { paid_at: shop.service.clock.instant() });
    await owner.button('Approve: US$10.00 for Ada').click();
    await owner.page.getByText('Review action: A paid commission cannot be reviewed.').waitFor();
    expect(await commission(id)).toMatchObject({ state: 'paid', review_status: 'suspicious' });
  });

  it('can be filtered by state and affiliate, with shareable URLs', async () => {
    await earn(10_000);
    const { commission: other } = await sell(shop.account, {
      referral_id: (await refer(shop.account, await program(shop.account, {}, { first_name: 'Bob' }))).id,
    });
    await using owner = await shop.ownerAt(`/affiliates/${friends.affiliate.id}`);
    await owner.page.getByRole('main').getByRole('link', { name: 'Commissions' }).click();
    await owner.heading('Commissions');
    await owner.page.getByText('Affiliate: Ada').waitFor();
    const rows = owner.page.getByRole('table', { name: 'Commissions' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    await owner.button('All affiliates').click();
    await rows.nth(1).waitFor();
    await owner.page.getByRole('combobox', { name: 'State' }).selectOption('pending');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.first().textContent()).toContain('Bob');
    expect(new URL(owner.page.url()).search).toBe('?state=pending');
    expect(other).toMatchObject({ state: 'pending' });
  });
}
