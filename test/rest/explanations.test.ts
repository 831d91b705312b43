import { beforeAll, describe, expect, it } from 'vitest';
import { program, type Program, refer, sell, unique } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';

const service = useService();
let shop: TestAccount;
let ada: Program;
let bob: Program;

beforeAll(async () => {
  shop = await service.createAccount();
  ada = await program(shop);
  bob = await program(shop, { max_commissions: 1 });
});

type Decision = NonNullable<Outputs['sales']['get']['decision']>;

async function decisionOf(id: string): Promise<Decision> {
  const { status, body } = await shop.api.get<Outputs['sales']['get']>(`/sales/${id}`, { expand: 'decision' });
  expect(status).toBe(200);
  return body.decision!;
}

describe('the decision about a sale', () => {
  it('names the claims in their order, the rule that chose, and the terms', async () => {
    const [first, second] = [await refer(shop, ada), await refer(shop, bob)];
    const customer_email = `${unique('grace')}@example.com`;
    const { sale } = await sell(shop, { referral_id: first.id, customer_email });
    service.clock.advance(1, 'minutes');
    const { sale: later } = await sell(shop, { referral_id: second.id, customer_email });
    expect(await decisionOf(sale.id)).toMatchObject({
      rule: 'first_claim',
      explanation: `The sale belongs to the affiliate ${ada.affiliate.id}. It is the earliest claim that was live at the time of the charge.`,
      affiliate_id: ada.affiliate.id,
      no_commission_reason: null,
      claims: [
        { affiliate_id: ada.affiliate.id, referral_id: first.id, kind: 'link', status: 'won', proven: true },
        { affiliate_id: bob.affiliate.id, referral_id: second.id, status: 'made_after_charge' },
      ],
      terms: { commission_percent: 10, max_commissions: null, in_effect_at: sale.charged_at },
      flags: [],
      contested: null,
    });
    expect(await decisionOf(later.id)).toMatchObject({
      rule: 'converted',
      claims: [{ status: 'won' }, { status: 'another_claim_won' }],
    });
  });

  it('gives the reason why a sale earns nothing', async () => {
    const referral = await refer(shop, bob);
    const customer_email = `${unique('grace')}@example.com`;
    await sell(shop, { referral_id: referral.id, customer_email });
    const { sale } = await sell(shop, { customer_email });
    expect(await decisionOf(sale.id)).toMatchObject({
      no_commission_reason: 'max_commissions_reached',
      terms: { max_commissions: 1 },
      explanation: expect.stringContaining('It earns nothing: the campaign’s number of commissions per referral was reached.'),
    });
    const organic = await sell(shop, { customer_email: `${unique('grace')}@example.com` });
    expect(await decisionOf(organic.sale.id)).toMatchObject({
      rule: 'none',
      claims: [],
      affiliate_id: null,
      terms: null,
      no_commission_reason: 'no_referral',
    });
  });

  it('explains a sale whose customer is unknown, and its flags', async () => {
    const suspect = await program(shop);
    const referral = await refer(shop, suspect);
    const changed = await shop.api.patch(`/affiliates/${suspect.affiliate.id}`, { state: 'suspicious' });
    expect(changed.status).toBe(200);
    const { sale } = await sell(shop, { referral_id: referral.id });
    expect(await decisionOf(sale.id)).toMatchObject({
      claims: [{ referral_id: referral.id, status: 'won' }],
      flags: [{ reason: 'suspicious_affiliate', explanation: 'The affiliate was suspicious at the time of the charge.' }],
    });
  });

  it('is not in the answer unless it was asked for', async () => {
    const { sale } = await sell(shop, { customer_email: `${unique('grace')}@example.com` });
    const { body } = await shop.api.get<object>(`/sales/${sale.id}`);
    expect(body).not.toHaveProperty('decision');
  });
});
