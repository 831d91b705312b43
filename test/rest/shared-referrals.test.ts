import { describe, expect, it } from 'vitest';
import { must, program, refer, sell } from '../support/program.ts';
import { useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();

describe('a referral of which its first customer was freed', () => {
  /** The first customer left the address on the phone, and began a trial on the laptop, by an earlier visit of another affiliate. */
  async function freed() {
    const laptop = await program(desk.account);
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

  it('is continued by a new one for a second customer, and the sales of both earn', async () => {
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

  it('does not take the first customer over when it has converted for another one', async () => {
    const { laptop, phone, referral } = await freed();
    const other = await refer(desk.account, phone);
    const { sale } = await sell(desk.account, { referral_id: other.id, customer_email: 'second@example.com' });
    // A former version bound the freed referral to the second customer.
    const { kysely } = desk.service.services.database;
    const bind = (id: string, customer_id: string | null) =>
      kysely.updateTable('referral').set({ customer_id }).where('id', '=', id).execute();
    await bind(other.id, null);
    await bind(referral.id, sale.customer_id);
    await kysely.updateTable('sale').set({ referral_id: referral.id }).where('id', '=', sale.id).execute();
    const converted = { conversion_state: 'conversion' as const, converted_at: sale.charged_at };
    await kysely.updateTable('referral').set(converted).where('id', '=', referral.id).execute();
    desk.service.clock.advance(1, 'minutes');
    const first = await sell(desk.account, { customer_email: 'first@example.com' });
    expect(first.commission).toMatchObject({ affiliate_id: laptop.affiliate.id });
  });
});

it('a free referral that several customers name at once belongs to one, and is continued for the others', async () => {
  const friends = await program(desk.account);
  const referral = await refer(desk.account, friends);
  const names = ['first', 'second', 'third', 'fourth'];
  const sales = await Promise.all(
    names.map((name) => sell(desk.account, { referral_id: referral.id, customer_email: `${name}@example.com` })),
  );
  expect(sales.map(({ commission }) => commission?.affiliate_id)).toEqual(names.map(() => friends.affiliate.id));
  expect(new Set(sales.map(({ commission }) => commission?.referral_id)).size).toBe(names.length);
});
