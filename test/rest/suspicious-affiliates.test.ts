/** A suspicious affiliate earns, but what it earns is held (docs/rules/ledger.md#review). */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { program, type Program, refer, sell, unique } from '../support/program.ts';
import { type Commission, useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();
let ada: Program;
beforeEach(async () => {
  ada = await program(desk.account, { days_until_commissions_are_due: 0 });
});

const FLAGGED = { state: 'due', review_status: 'suspicious', review_reason: 'suspicious_affiliate', payout_id: null };
const RELEASED = { state: 'due', review_status: null, review_reason: null, payout_id: expect.any(String) };

const later = () => desk.service.clock.advance(1, 'minutes');

async function become(state: string): Promise<void> {
  later();
  expect((await desk.account.api.patch(`/affiliates/${ada.affiliate.id}`, { state })).status).toBe(200);
  later();
}

async function buy(more: Fields = {}) {
  const referral = await refer(desk.account, ada);
  later();
  return sell(desk.account, { referral_id: referral.id, ...more });
}

async function idOf(bought: ReturnType<typeof buy>): Promise<string> {
  return (await bought).commission!.id;
}

const get = async (id: string) => (await desk.account.api.get<Commission>(`/commissions/${id}`)).body;
const review = (id: string, review_action: string) => desk.account.api.post(`/commissions/${id}/review`, { review_action });

describe('a sale of a suspicious affiliate', () => {
  it('earns a commission that is flagged and in no payout, until the affiliate is active again', async () => {
    const before = await idOf(buy());
    await become('suspicious');
    const held = await idOf(buy());
    expect(await get(held)).toMatchObject(FLAGGED);
    expect(await get(before)).toMatchObject(RELEASED);
    expect((await desk.payouts()).map(({ amount_cents }) => amount_cents)).toEqual([1_000]);
    await become('active');
    expect(await get(held)).toMatchObject(RELEASED);
    expect(await desk.payouts()).toMatchObject([{ amount_cents: 2_000, commissions_count: 2, eligible: true }]);
    expect(await get(await idOf(buy()))).toMatchObject(RELEASED);
  });

  it('stays flagged while the affiliate is disabled', async () => {
    await become('suspicious');
    const held = await idOf(buy());
    await become('disabled');
    expect(await get(held)).toMatchObject(FLAGGED);
    expect(await buy()).toMatchObject({ commission: null, reason: 'affiliate_inactive' });
    await become('active');
    expect(await get(held)).toMatchObject(RELEASED);
  });

  it('joins a payout when a person approves the commission', async () => {
    await become('suspicious');
    const held = await idOf(buy());
    await review(held, 'approve');
    expect(await get(held)).toMatchObject({ review_status: 'approved', payout_id: expect.any(String) });
    expect(await desk.payouts()).toMatchObject([{ eligible: false, ineligible_reasons: ['on_hold'] }]);
  });

  it('is decided by the state at the charge, whenever the sale is reported', async () => {
    const referral = await refer(desk.account, ada);
    later();
    const charged_at = desk.service.clock.instant();
    await become('suspicious');
    const early = await idOf(sell(desk.account, { referral_id: referral.id, charged_at }));
    expect(await get(early)).toMatchObject(RELEASED);
    const during = desk.service.clock.instant();
    await become('disabled');
    const late = await idOf(sell(desk.account, { referral_id: referral.id, charged_at: during }));
    expect(await get(late)).toMatchObject(FLAGGED);
    await become('active');
    const cleared = await idOf(sell(desk.account, { referral_id: referral.id, charged_at: during }));
    expect(await get(cleared)).toMatchObject(RELEASED);
  });
});

describe('when the affiliate is active again, a commission', () => {
  it.each(['approve', 'suspicious', 'deactivate'])('that a person has reviewed (%s) does not change', async (action) => {
    await become('suspicious');
    const held = await idOf(buy());
    await review(held, action);
    const { state, review_status, payout_id } = await get(held);
    await become('active');
    expect(await get(held)).toMatchObject({ state, review_status, payout_id });
  });

  it('is not flagged again by a later fact', async () => {
    const customer_email = `${unique('x')}@buyer.example`;
    await become('suspicious');
    const held = await idOf(buy({ customer_email }));
    await become('active');
    await sell(desk.account, { customer_email });
    expect(await get(held)).toMatchObject(RELEASED);
  });

  it('stays flagged for another reason', async () => {
    await become('suspicious');
    const own = await idOf(buy({ customer_email: ada.affiliate.email }));
    const customer_email = `${unique('ada')}@buyer.example`;
    const learned = await idOf(buy({ customer_email }));
    expect(await get(own)).toMatchObject({ review_reason: 'self_referral' });
    expect(await get(learned)).toMatchObject(FLAGGED);
    await desk.account.api.patch(`/affiliates/${ada.affiliate.id}`, { walleta_email: customer_email });
    await become('active');
    for (const id of [own, learned])
      expect(await get(id)).toMatchObject({ review_status: 'suspicious', review_reason: 'self_referral', payout_id: null });
  });
});

it.each(['disabled', 'rejected', 'pending'])('a %s affiliate earns nothing', async (state) => {
  await become(state);
  expect(await buy()).toMatchObject({ commission: null, reason: 'affiliate_inactive' });
});
