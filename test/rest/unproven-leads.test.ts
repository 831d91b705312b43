/** A lead from a page is unproven until another fact names the same referral (docs/rules/intake.md#leads). */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { must, program, type Program, refer, sell, unique } from '../support/program.ts';
import { type Commission, useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();
let ada: Program;
let referral: { id: string };
let customer_email: string;

const later = () => desk.service.clock.advance(1, 'minutes');

beforeEach(async () => {
  ada = await program(desk.account, { days_until_commissions_are_due: 0 });
  referral = await refer(desk.account, ada);
  customer_email = `${unique('x')}@buyer.example`;
  later();
});

const FLAGGED = { state: 'due', review_status: 'suspicious', review_reason: 'unproven_lead', payout_id: null };
const RELEASED = { state: 'due', review_status: null, review_reason: null, payout_id: expect.any(String) };

/** Reports a lead as a page does: without credentials. */
async function lead(email = customer_email): Promise<void> {
  const reply = await fetch(`${desk.service.url}/track/leads`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ referral_id: referral.id, email }),
  });
  expect(reply.ok).toBe(true);
  later();
}

/** Reports a sale of the customer. Returns the id of its commission. */
async function buy(more: Fields = {}): Promise<string> {
  const { commission } = await sell(desk.account, { customer_email, ...more });
  later();
  return commission!.id;
}

const get = async (id: string) => (await desk.account.api.get<Commission>(`/commissions/${id}`)).body;

const PROOFS: [name: string, prove: () => Promise<unknown>][] = [
  ['a sale that names the referral', () => sell(desk.account, { customer_email, referral_id: referral.id, amount_cents: 0 })],
  [
    'the merchant, who names the customer of the referral',
    () => desk.account.api.patch(`/referrals/${referral.id}`, { customer_email }),
  ],
];

describe('a commission that only a lead earned', () => {
  it('is flagged and in no payout until a person approves it', async () => {
    await lead();
    const id = await buy();
    expect(await get(id)).toMatchObject(FLAGGED);
    expect(await desk.payouts()).toEqual([]);
    await must(desk.account, `/commissions/${id}/review`, { review_action: 'approve' }, 200);
    expect(await get(id)).toMatchObject({ review_status: 'approved', payout_id: expect.any(String) });
  });

  it.each(PROOFS)('is released by %s', async (_, prove) => {
    await lead();
    const id = await buy();
    expect(await get(id)).toMatchObject(FLAGGED);
    await prove();
    expect(await get(id)).toMatchObject(RELEASED);
    expect(await get(await buy())).toMatchObject(RELEASED);
  });

  it.each(PROOFS)('is not flagged after %s, even if another lead follows', async (_, prove) => {
    await lead();
    await prove();
    later();
    await lead();
    expect(await get(await buy())).toMatchObject(RELEASED);
  });

  it.each(PROOFS)('is released by %s, also if leads of two customers who are one named it', async (_, prove) => {
    const second = `${unique('x')}@buyer.example`;
    const external_customer_id = unique('own');
    await lead();
    await lead(second);
    const ids = [await buy({ external_customer_id }), await buy({ external_customer_id, customer_email: second })];
    for (const id of ids) expect(await get(id)).toMatchObject(FLAGGED);
    await prove();
    for (const id of ids) expect(await get(id)).toMatchObject(RELEASED);
  });

  it('is not released by a sale that names another referral', async () => {
    await lead();
    const id = await buy();
    const other = await refer(desk.account, ada);
    later();
    await buy({ referral_id: other.id });
    expect(await get(id)).toMatchObject(FLAGGED);
  });

  it('stays flagged after a proof if a person has flagged it, too', async () => {
    await lead();
    const id = await buy();
    await must(desk.account, `/commissions/${id}/review`, { review_action: 'suspicious' }, 200);
    await buy({ referral_id: referral.id });
    expect(await get(id)).toMatchObject({ review_status: 'suspicious', review_reason: null, payout_id: null });
  });
});

it('a customer whom the merchant named keeps unflagged commissions when somebody sends a lead', async () => {
  await desk.account.api.patch(`/referrals/${referral.id}`, { customer_email });
  later();
  await lead();
  expect(await get(await buy())).toMatchObject(RELEASED);
});
