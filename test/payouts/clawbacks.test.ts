import { beforeEach, describe, expect, it } from 'vitest';
import { must, program, type Program, refer, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { DUE_AT_ONCE, type Payee, type PayoutExport, discrepancies, openPayout, payee } from './program.ts';

type Commission = Outputs['commissions']['get'];

const service = useService();
const account = useAccount(service);
let partner: Payee;
let commission: Commission;

beforeEach(async () => {
  partner = await payee(account, { amount_cents: 10_000 });
  commission = (await commissions()).at(-1)!;
});

async function commissions(): Promise<Commission[]> {
  const { body } = await account.api.get<Outputs['commissions']['list']>('/commissions', { expand: 'sale' });
  return body.data;
}

async function refund(amount_cents: number): Promise<void> {
  const external_id = (await commissions()).at(-1)!.sale!.external_id;
  await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents });
}

/** Returns the amount that is still owed to the affiliate, all of which is in the open payout. */
async function outstanding(): Promise<number> {
  expect(await discrepancies(account)).toEqual([]);
  return (await openPayout(account, partner.program.affiliate.id)).amount_cents;
}

/** Claims the payout, refunds half of the sale and releases the claim. The commission and its adjustment are then in the same open payout. */
async function refundWhileClaimed(): Promise<void> {
  const { body } = await account.api.post<PayoutExport>('/payout_exports', {});
  await refund(5_000);
  await account.api.delete(`/payout_exports/${body.id}`);
  expect(await outstanding()).toBe(500);
}

describe('a commission that was adjusted while claimed, and released', () => {
  it('follows later refunds to the cent', async () => {
    await refundWhileClaimed();
    await refund(2_500);
    expect(await outstanding()).toBe(250);
    await refund(2_500);
    expect(await outstanding()).toBe(0);
  });

  it('leaves nothing when it is voided', async () => {
    await refundWhileClaimed();
    await account.api.delete(`/commissions/${commission.id}`);
    expect(await outstanding()).toBe(0);
  });

  it('is owed in full after its adjustment is voided, until the next refund', async () => {
    await refundWhileClaimed();
    const adjustment = (await commissions()).find(({ kind }) => kind === 'adjustment')!;
    await account.api.delete(`/commissions/${adjustment.id}`);
    expect(await outstanding()).toBe(1_000);
    await refund(2_500);
    expect(await outstanding()).toBe(250);
  });
});

describe('a commission that was paid by hand, adjusted, and reverted to unpaid', () => {
  it('follows later refunds to the cent', async () => {
    await account.api.patch(`/commissions/${commission.id}`, { paid_at: service.clock.instant() });
    await refund(5_000);
    expect(await outstanding()).toBe(-500);
    await account.api.patch(`/commissions/${commission.id}`, { paid_at: null });
    expect(await outstanding()).toBe(500);
    await refund(2_500);
    expect(await outstanding()).toBe(250);
  });
});

describe('an adjustment that was paid out, and voided', () => {
  it('is reversed, and deducted again after the next refund', async () => {
    await account.api.post(`/payouts/${partner.payout.id}/pay`);
    await refund(5_000);
    const adjustment = (await commissions())[0]!;
    await account.api.patch(`/commissions/${adjustment.id}`, { paid_at: service.clock.instant() });
    expect(await outstanding()).toBe(0);
    await account.api.delete(`/commissions/${adjustment.id}`);
    expect(await outstanding()).toBe(500);
    await account.api.delete(`/commissions/${(await commissions())[0]!.id}`);
    expect(await outstanding()).toBe(0);
    await refund(2_500);
    expect(await outstanding()).toBe(-250);
  });

  it('cannot be paid as a payout, because the amount of a payout must be positive', async () => {
    await account.api.post(`/payouts/${partner.payout.id}/pay`);
    await refund(5_000);
    const owed = await openPayout(account, partner.program.affiliate.id);
    expect(await account.api.post(`/payouts/${owed.id}/pay`)).toMatchObject({
      status: 422,
      body: { details: [{ path: 'id', code: 'not_positive' }] },
    });
    expect(await outstanding()).toBe(-500);
  });
});

/** Claims the partner's payout by an export, lets `change` happen, and then marks the export paid. */
async function payAfter(change: () => Promise<unknown>): Promise<void> {
  const claim = await must<PayoutExport>(account, '/payout_exports', {});
  await change();
  await must(account, `/payout_exports/${claim.id}/payment`, { already_sent: true }, 200);
}

describe('a voided commission', () => {
  it('stays with its adjustment in a released payout, whatever field is changed', async () => {
    const { body } = await account.api.post<PayoutExport>('/payout_exports', {});
    await account.api.delete(`/commissions/${commission.id}`);
    await account.api.delete(`/payout_exports/${body.id}`);
    expect(await outstanding()).toBe(0);
    expect((await account.api.patch(`/commissions/${commission.id}`, { due_at: '2030-01-01T00:00:00Z' })).status).toBe(200);
    expect(await outstanding()).toBe(0);
  });

  it('that was paid by hand is clawed back, and keeps the time of its payment', async () => {
    const paid_at = service.clock.instant();
    await account.api.patch(`/commissions/${commission.id}`, { paid_at });
    await account.api.delete(`/commissions/${commission.id}`);
    expect((await account.api.get<Commission>(`/commissions/${commission.id}`)).body).toMatchObject({ state: 'voided', paid_at });
    expect(await outstanding()).toBe(-1_000);
  });
});

describe('a paid commission that a report replaced, before the payment, by another commission of the same affiliate', () => {
  /**
   * Creates a commission that is replaced after its payout was claimed, and then paid. A customer clicks the affiliate's link in one campaign
   * (`first`), and later, on another device, the affiliate's link in another campaign (`second`). A sale earns a commission for `second`, which is
   * claimed. Then a report names `first`, so that the commission is replaced. Returns the replaced commission.
   */
  async function replaced(): Promise<Commission> {
    const customer_email = `${unique('buyer')}@example.com`;
    const { campaign } = await program(account, DUE_AT_ONCE);
    const link = await must<Program['link']>(account, '/links', {
      affiliate_id: partner.program.affiliate.id,
      campaign_id: campaign.id,
      url: 'https://shop.example.com/other',
    });
    const first = await refer(account, { ...partner.program, campaign, link });
    service.clock.advance(1, 'minutes');
    const second = await refer(account, partner.program);
    service.clock.advance(1, 'minutes');
    const { commission: old } = await sell(account, { referral_id: second.id, customer_email, amount_cents: 20_000 });
    await payAfter(() => sell(account, { referral_id: first.id, customer_email, amount_cents: 0 }));
    expect((await commissions()).map(({ amount_cents }) => amount_cents)).toEqual([2_000, -2_000, 2_000, 1_000]);
    expect(await outstanding()).toBe(0);
    return (await account.api.get<Commission>(`/commissions/${old!.id}`)).body;
  }

  it('is not clawed back when it is voided, because the replacement has already deducted it', async () => {
    const old = await replaced();
    expect(old.state).toBe('paid');
    await account.api.delete(`/commissions/${old.id}`);
    expect(await outstanding()).toBe(0);
  });

  it('does not reduce its replacement when it is voided after its payout was returned', async () => {
    const old = await replaced();
    await must(account, `/payouts/${partner.payout.id}/return`, { reason: 'account closed' }, 200);
    expect(await outstanding()).toBe(3_000);
    await account.api.delete(`/commissions/${old.id}`);
    expect(await outstanding()).toBe(3_000);
  });
});

describe('a commission of a sale that was later attributed to another referral of the same affiliate and campaign', () => {
  /**
   * Attributes a sale to the later of two visits, applies `change` to its commission, and then reports the earlier visit. Expects the commissions to
   * move to the earlier referral without any change of the amount owed.
   */
  async function moved(change: (old: Commission, sale: { external_id: string | null }) => Promise<unknown>) {
    const customer_email = `${unique('buyer')}@example.com`;
    const first = await refer(account, partner.program);
    service.clock.advance(1, 'minutes');
    const second = await refer(account, partner.program);
    service.clock.advance(1, 'minutes');
    const { commission: old, sale } = await sell(account, { referral_id: second.id, customer_email, amount_cents: 20_000 });
    await change((await account.api.get<Commission>(`/commissions/${old!.id}`)).body, sale);
    const before = await outstanding();
    const ids = (await commissions()).map(({ id }) => id);
    await sell(account, { referral_id: first.id, customer_email, amount_cents: 0 });
    expect(await outstanding()).toBe(before);
    const after = (await commissions()).filter(({ sale_id }) => sale_id === sale.id);
    expect(after.map(({ referral_id }) => referral_id)).toEqual(after.map(() => first.id));
    expect((await commissions()).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    return { sale, commission: after.find(({ id }) => id === old!.id)! };
  }

  it('moves to that referral unchanged when it is paid, together with its adjustments', async () => {
    const { commission: paid, sale } = await moved(async (_old, { external_id }) => {
      await account.api.post(`/payouts/${partner.payout.id}/pay`);
      await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 5_000 });
    });
    expect(paid).toMatchObject({ state: 'paid', amount_cents: 2_000 });
    expect(await outstanding()).toBe(-500);
    const { external_id } = sale;
    await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 15_000 });
    expect(await outstanding()).toBe(-2_000);
  });

  it('stays voided when the merchant has voided it', async () => {
    const { commission: voided } = await moved(({ id }) => account.api.delete(`/commissions/${id}`));
    expect(voided.state).toBe('voided');
  });
});

describe('a paid commission of a sale that was attributed to another affiliate before the payment', () => {
  it('is clawed back when it is voided, even if the merchant had voided its first clawback', async () => {
    const customer_email = `${unique('buyer')}@example.com`;
    const first = await refer(account, await program(account));
    service.clock.advance(1, 'minutes');
    const second = await refer(account, partner.program);
    service.clock.advance(1, 'minutes');
    const { commission: old } = await sell(account, { referral_id: second.id, customer_email });
    await payAfter(() => sell(account, { referral_id: first.id, customer_email, amount_cents: 0 }));
    expect(await outstanding()).toBe(-1_000);
    await account.api.delete(`/commissions/${(await commissions()).find(({ kind }) => kind === 'adjustment')!.id}`);
    await account.api.delete(`/commissions/${old!.id}`);
    expect(await outstanding()).toBe(-1_000);
  });
});

describe('commission_stats of an affiliate', () => {
  it('subtracts a clawback once, because a paid commission that was voided still counts as paid', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    const referral = await refer(account, friends);
    const first = await sell(account, { referral_id: referral.id, amount_cents: 10_000 });
    await sell(account, { referral_id: referral.id, amount_cents: 20_000 });
    const stats = async () => {
      const { body } = await account.api.get<Outputs['affiliates']['list']>('/affiliates', {
        email: friends.affiliate.email,
        expand: 'commission_stats',
      });
      const [affiliate] = body.data;
      const { pending_cents, due_cents, paid_cents, voided_cents } = affiliate!.commission_stats!.currencies[0]!;
      return { pending_cents, due_cents, paid_cents, voided_cents };
    };
    const payoutId = first.commission!.payout_id!;
    await must(account, '/payout_exports', { payout_ids: [payoutId] });
    await account.api.delete(`/commissions/${first.commission!.id}`);
    expect(await stats()).toEqual({ pending_cents: 0, due_cents: 2_000, paid_cents: 0, voided_cents: 0 });
    const { body } = await account.api.get<{ data: { id: string }[] }>('/payout_exports');
    await must(account, `/payout_exports/${body.data[0]!.id}/payment`, { already_sent: true }, 200);
    expect(await stats()).toEqual({ pending_cents: 0, due_cents: -1_000, paid_cents: 3_000, voided_cents: 0 });
  });
});
