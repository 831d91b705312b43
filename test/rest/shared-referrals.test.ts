import { describe, expect, it } from 'vitest';
import { type Fields, send } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { credentials } from '../support/service.ts';
import { useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();

describe('a referral that was detached from its first customer', () => {
  /**
   * Returns a referral of `phone` that has lost its customer. The customer became a lead through this referral, but a later sale was attributed to
   * their older referral of `laptop`.
   */
  async function freed() {
    const laptop = await program(desk.account, { days_before_referrals_expire: 10 });
    const phone = await program(desk.account);
    const earlier = await refer(desk.account, laptop);
    desk.service.clock.advance(1, 'minutes');
    const referral = await refer(desk.account, phone);
    desk.service.clock.advance(1, 'minutes');
    await must(desk.account, '/track/leads', { referral_id: referral.id, email: 'first@example.com' }, 200);
    await sell(desk.account, { referral_id: earlier.id, customer_email: 'first@example.com', amount_cents: 0 });
    expect((await desk.account.api.get(`/referrals/${referral.id}`)).body).toMatchObject({ customer_id: null });
    return { laptop, phone, referral };
  }

  it('is continued by a new referral for a second customer, and the sales of both customers earn', async () => {
    const { laptop, phone, referral } = await freed();
    const second = await sell(desk.account, { referral_id: referral.id, customer_email: 'second@example.com' });
    expect(second.commission).toMatchObject({ affiliate_id: phone.affiliate.id });
    expect(second.commission!.referral_id).not.toBe(referral.id);
    const first = await sell(desk.account, { customer_email: 'first@example.com' });
    expect(first.commission).toMatchObject({ affiliate_id: laptop.affiliate.id });
  });

  it('is not given to a second customer by a lead or by a change of the referral', async () => {
    const { referral } = await freed();
    await must(desk.account, '/track/leads', { referral_id: referral.id, email: 'second@example.com' }, 200);
    const change = await desk.account.api.patch(`/referrals/${referral.id}`, { customer_email: 'second@example.com' });
    expect(change).toMatchObject({ status: 422, body: { details: [{ path: 'customer_email', code: 'taken' }] } });
    const { body } = await desk.account.api.get<{ data: unknown[] }>('/referrals');
    expect(body.data).toHaveLength(2);
  });
});

describe('a referral that is continued for a second customer', () => {
  async function named(more: Fields = {}) {
    const friends = await program(desk.account);
    const referral = await refer(desk.account, friends, more);
    desk.service.clock.advance(1, 'minutes');
    await sell(desk.account, { referral_id: referral.id, customer_email: 'first@example.com' });
    desk.service.clock.advance(1, 'minutes');
    return { friends, referral };
  }
  const sellToSecond = (referral: { id: string }, more: Fields = {}) =>
    sell(desk.account, { referral_id: referral.id, customer_email: 'second@example.com', ...more });

  it('does not earn from charges of a time during which it was deactivated', async () => {
    const { referral } = await named();
    await desk.account.api.delete(`/referrals/${referral.id}`);
    desk.service.clock.advance(1, 'minutes');
    const charged_at = desk.service.clock.instant();
    desk.service.clock.advance(1, 'minutes');
    expect((await desk.account.api.patch(`/referrals/${referral.id}`, { deactivated_at: null })).status).toBe(200);
    desk.service.clock.advance(1, 'minutes');
    expect(await sellToSecond(referral, { charged_at })).toMatchObject({ commission: null, reason: 'referral_deactivated' });
    expect((await sellToSecond(referral)).commission).toMatchObject({ amount_cents: 1_000 });
  });

  it('does not earn for the second customer if it was deactivated before, until the continuing referral is activated', async () => {
    const { referral } = await named();
    await desk.account.api.delete(`/referrals/${referral.id}`);
    desk.service.clock.advance(1, 'minutes');
    const refused = await sellToSecond(referral);
    expect(refused).toMatchObject({ commission: null, reason: 'referral_deactivated' });
    const again = await sellToSecond(referral);
    expect(again).toMatchObject({ commission: null, reason: 'referral_deactivated' });
    const continuing = again.sale.referral_id!;
    expect(continuing).not.toBe(referral.id);
    await desk.account.api.patch(`/referrals/${continuing}`, { deactivated_at: null });
    desk.service.clock.advance(1, 'minutes');
    const { commission } = await sell(desk.account, { customer_email: 'second@example.com' });
    expect(commission).toMatchObject({ referral_id: continuing });
  });

  it('cannot be assigned a sale of the second customer by hand if it was deactivated before', async () => {
    const { friends, referral } = await named();
    await desk.account.api.delete(`/referrals/${referral.id}`);
    desk.service.clock.advance(1, 'minutes');
    const { sale } = await sell(desk.account, { customer_email: 'second@example.com' });
    const headers = credentials(desk.account.id, desk.account.apiKey);
    const assign = (to: Fields) =>
      send(`${desk.service.url}/trpc/sales.assign`, 'POST', { body: { id: sale.id, ...to, dry_run: false }, headers });
    expect(await assign({ referral_id: referral.id })).toMatchObject({
      status: 422,
      body: { error: { data: { details: [{ code: 'referral_deactivated' }] } } },
    });
    expect((await assign({ affiliate_id: friends.affiliate.id })).status).toBe(200);
  });

  it('earns for charges before its deactivation, however late they are reported', async () => {
    const { friends, referral } = await named();
    const charged_at = desk.service.clock.instant();
    desk.service.clock.advance(1, 'minutes');
    await desk.account.api.delete(`/referrals/${referral.id}`);
    desk.service.clock.advance(1, 'minutes');
    const { commission } = await sellToSecond(referral, { charged_at });
    expect(commission).toMatchObject({ affiliate_id: friends.affiliate.id });
  });

  it('ends for the second customer when it ends for the first customer', async () => {
    const expires_at = new Date(desk.service.clock.now().getTime() + 3 * 86_400_000).toISOString();
    const { friends, referral } = await named({ expires_at });
    const { commission } = await sellToSecond(referral);
    expect((await desk.account.api.get(`/referrals/${commission!.referral_id}`)).body).toMatchObject({ expires_at });
    desk.service.clock.advance(4, 'days');
    const third = await sell(desk.account, { referral_id: referral.id, customer_email: 'third@example.com' });
    expect(third).toMatchObject({ commission: null, reason: 'referral_expired' });
    // The second customer still earns commissions, because they converted before the referral expired.
    expect((await sellToSecond(referral)).commission).toMatchObject({ affiliate_id: friends.affiliate.id });
  });

  it('has an extended window for the second customer too', async () => {
    const expires_at = new Date(desk.service.clock.now().getTime() + 300 * 86_400_000).toISOString();
    const { friends, referral } = await named({ expires_at });
    desk.service.clock.advance(200, 'days');
    const { commission } = await sellToSecond(referral);
    expect(commission).toMatchObject({ affiliate_id: friends.affiliate.id });
  });

  it('earns for a second customer who is named weeks later, within the window', async () => {
    const { friends, referral } = await named();
    desk.service.clock.advance(40, 'days');
    const { commission } = await sellToSecond(referral);
    expect(commission).toMatchObject({ affiliate_id: friends.affiliate.id });
  });
});

it('an unbound referral that several customers name concurrently is bound to one customer and continued for the others', async () => {
  const friends = await program(desk.account);
  const referral = await refer(desk.account, friends);
  const names = ['first', 'second', 'third', 'fourth'];
  const sales = await Promise.all(
    names.map((name) => sell(desk.account, { referral_id: referral.id, customer_email: `${name}@example.com` })),
  );
  expect(sales.map(({ commission }) => commission?.affiliate_id)).toEqual(names.map(() => friends.affiliate.id));
  expect(new Set(sales.map(({ commission }) => commission?.referral_id)).size).toBe(names.length);
});

it('a sale that precedes the visit earns when the merchant names a referral of another customer for it', async () => {
  const friends = await program(desk.account);
  const charged_at = desk.service.clock.instant();
  desk.service.clock.advance(1, 'minutes');
  const referral = await refer(desk.account, friends);
  await sell(desk.account, { referral_id: referral.id, customer_email: 'first@example.com' });
  const second = await sell(desk.account, { referral_id: referral.id, customer_email: 'second@example.com', charged_at });
  expect(second).toMatchObject({ reason: null, commission: { affiliate_id: friends.affiliate.id } });
  desk.service.clock.advance(1, 'minutes');
  await sell(desk.account, { customer_email: 'second@example.com' });
  expect((await desk.commissions()).map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);
});

it('a referral is bound to the customer who named it first, even if another customer names it while that sale is being recorded', async () => {
  const laptop = await program(desk.account, { days_before_referrals_expire: 10 });
  const phone = await program(desk.account);
  const earlier = await refer(desk.account, laptop);
  desk.service.clock.advance(1, 'minutes');
  const referral = await refer(desk.account, phone);
  desk.service.clock.advance(1, 'minutes');
  await sell(desk.account, { referral_id: earlier.id, customer_email: 'first@example.com', amount_cents: 0 });
  const names = (name: string) =>
    sell(desk.account, { referral_id: referral.id, customer_email: `${name}@example.com`, amount_cents: 0 });
  await using locks = await Locks.open(desk.service.databaseUrl, desk.account.id);
  // Each sale waits for the affiliate's lock, before or after it stores its claim.
  const affiliate = await locks.affiliate(phone.affiliate.id);
  await affiliate.held;
  const sales = [names('first')];
  await locks.areWaiting(1);
  sales.push(names('second'));
  await locks.areWaiting(2);
  await affiliate.release();
  await Promise.all(sales);
  desk.service.clock.advance(11, 'days');
  const first = await sell(desk.account, { customer_email: 'first@example.com' });
  expect(first.commission).toMatchObject({ referral_id: referral.id, affiliate_id: phone.affiliate.id });
  const second = await sell(desk.account, { customer_email: 'second@example.com' });
  expect(second.commission).toMatchObject({ affiliate_id: phone.affiliate.id });
  expect(second.commission!.referral_id).not.toBe(referral.id);
});
