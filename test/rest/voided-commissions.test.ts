import { describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
import { useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();

/**
 * Referrals of several visits, and a sale to a customer. Naming a referral makes its visit known: the earliest known visit decides who earns
 * from the sale, so that the sale moves as visits become known.
 */
async function moving(terms: Fields = {}) {
  const [first, second] = [await program(desk.account, terms), await program(desk.account, terms)];
  const visits: Record<string, string> = {};
  for (const [name, of] of [
    ['first, earliest', first],
    ['second, early', second],
    ['first, early', first],
    ['second, late', second],
    ['first, late', first],
  ] as const) {
    visits[name] = (await refer(desk.account, of)).id;
    desk.service.clock.advance(1, 'minutes');
  }
  const customer_email = `${unique('x')}@buyer.example`;
  const name = (visit: string) => sell(desk.account, { referral_id: visits[visit], customer_email, amount_cents: 0 });
  const { commission } = await sell(desk.account, { referral_id: visits['first, late'], customer_email });
  /** Returns the commissions of the sale by affiliate: state and amount, oldest first. */
  const standing = async () =>
    (await desk.commissions())
      .toReversed()
      .map(({ affiliate_id, state, amount_cents }) =>
        [affiliate_id === first.affiliate.id ? 'first' : 'second', state, amount_cents].join(' '),
      );
  const credited = async (affiliateId: string) =>
    (await desk.commissions(`affiliate_id=${affiliateId}`))
      .filter(({ state }) => state !== 'voided')
      .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const deactivate = (visit: string) =>
    desk.account.api.patch(`/referrals/${visits[visit]}`, { deactivated_at: '2020-01-01T00:00:00Z' });
  return { first, second, name, commission: commission!, customer_email, visits, standing, credited, deactivate };
}

describe('a commission that the merchant voided', () => {
  const REASONS = [undefined, 'Test order', 'reattributed', 'refunded'];

  it.each(REASONS)('does not come back when the sale moves to another affiliate and back (reason %s)', async (void_reason) => {
    const { name, commission, standing } = await moving();
    await must(desk.account, `/commissions/${commission.id}/review`, { review_action: 'approve' }, 200);
    await desk.account.api.delete(`/commissions/${commission.id}`, { ...(void_reason !== undefined && { void_reason }) });
    await name('second, early');
    expect(await standing()).toEqual(['first voided 1000', 'second pending 1000']);
    await name('first, earliest');
    expect(await standing()).toEqual(['first voided 1000', 'second voided 1000']);
  });

  it.each(REASONS)('does not come back with the same referral (reason %s)', async (void_reason) => {
    const { name, commission, standing, deactivate } = await moving();
    await desk.account.api.delete(`/commissions/${commission.id}`, { ...(void_reason !== undefined && { void_reason }) });
    await name('second, late');
    expect(await standing()).toEqual(['first voided 1000', 'second pending 1000']);
    await deactivate('second, late');
    await name('first, late');
    expect((await standing()).filter((text) => text.startsWith('first'))).toEqual(['first voided 1000']);
  });

  it('does not come back in any order of voiding and moving, as often as the sale moves', async () => {
    const { first, second, name, commission, standing, credited } = await moving();
    await name('second, late');
    const others = (await desk.commissions()).filter(({ state }) => state === 'pending');
    await desk.account.api.delete(`/commissions/${others[0]!.id}`);
    await name('first, early');
    const back = (await desk.commissions()).filter(({ state }) => state === 'pending');
    expect(back).toMatchObject([{ affiliate_id: first.affiliate.id }]);
    await desk.account.api.delete(`/commissions/${back[0]!.id}`);
    await name('second, early');
    await name('first, earliest');
    expect((await standing()).every((text) => text.includes('voided'))).toBe(true);
    expect(await credited(first.affiliate.id)).toBe(0);
    expect(await credited(second.affiliate.id)).toBe(0);
    expect(commission.affiliate_id).toBe(first.affiliate.id);
  });

  it('does not come back after it was paid and voided', async () => {
    const { name, commission, standing, first, credited } = await moving({ days_until_commissions_are_due: 0 });
    await must(desk.account, `/payouts/${(await desk.payouts())[0]!.id}/pay`, {}, 200);
    await desk.account.api.delete(`/commissions/${commission.id}`);
    await name('second, early');
    await name('first, earliest');
    expect((await standing()).filter((text) => text.startsWith('first'))).toEqual(['first voided 1000', 'first due -1000']);
    expect(await credited(first.affiliate.id)).toBe(-1_000);
  });

  it('does not take a place under the limit of the referral to which the sale moves back', async () => {
    const { name, commission, visits, customer_email, standing } = await moving({ max_commissions: 1 });
    await desk.account.api.delete(`/commissions/${commission.id}`);
    await name('second, early');
    await name('first, earliest');
    desk.service.clock.advance(1, 'minutes');
    const next = await sell(desk.account, { referral_id: visits['first, earliest'], customer_email, amount_cents: 5_000 });
    expect(next.commission).toMatchObject({ amount_cents: 500 });
    expect(await standing()).toEqual(['first voided 1000', 'second voided 1000', 'first pending 500']);
  });

  it('is not confused with a commission that only moved: that one comes back', async () => {
    const { name, standing } = await moving();
    await name('second, early');
    await name('first, earliest');
    expect(await standing()).toEqual(['first voided 1000', 'second voided 1000', 'first pending 1000']);
  });
});
