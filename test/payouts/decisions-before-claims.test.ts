/** Runs and exports right after a correction, before a worker has decided again (docs/rules/payouts.md#decisions-before-claims). */
import { settleDueDecisions } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { rule } from '../rewards/program.ts';
import { must, type Program, program, refer, sell, unique } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { createExport, discrepancies, DUE_AT_ONCE, openPayout, planRun } from './program.ts';

type Commission = Outputs['commissions']['get'];

// No worker: what is queued stays queued until something decides it.
const service = useService();
const account = useAccount(service);
const person = { walleta_email: 'x@pay.example' };
const later = () => service.clock.advance(1, 'minutes');

const commissions = async () => (await account.api.get<{ data: Commission[] }>('/commissions', { limit: 100 })).body.data;

/** The ways in which payouts are claimed, each returning the cents that the affiliates get. */
const CLAIMS: [name: string, claim: () => Promise<Map<string, number>>][] = [
  [
    'a run',
    async () => {
      const { items } = await planRun(account, { execute_now: true });
      return new Map(items.map(({ affiliate_id, amount_cents }) => [affiliate_id, amount_cents]));
    },
  ],
  [
    'an export',
    async () => {
      const { id } = await createExport(account, {});
      expect((await account.api.post(`/payout_exports/${id}/payment`)).status).toBe(200);
      const { data } = (await account.api.get<{ data: Outputs['payouts']['list']['data'] }>('/payouts', { state: 'paid' })).body;
      // The latest payouts are listed first.
      return new Map(data.toReversed().map(({ affiliate_id, amount_cents }) => [affiliate_id, amount_cents]));
    },
  ],
];

describe.each(CLAIMS)('%s', (_, claim) => {
  let ada: Program;
  let bob: Program;
  beforeEach(async () => {
    ada = await program(account, DUE_AT_ONCE, person);
    bob = await program(account, DUE_AT_ONCE, person);
  });

  it('pays a returned sale to the affiliate who earns by the facts that arrived after the first payment', async () => {
    const [ofAda, ofBob] = [await refer(account, ada), await refer(account, bob)];
    const customer = { customer_email: `${unique('x')}@buyer.example`, external_customer_id: unique('x') };
    later();
    const earlier = service.clock.instant();
    later();
    await sell(account, { referral_id: ofBob.id, ...customer });
    const { id } = await openPayout(account, bob.affiliate.id);
    await must(account, `/payouts/${id}/pay`, {}, 200);
    await sell(account, { referral_id: ofAda.id, ...customer, charged_at: earlier });
    await must(account, `/payouts/${id}/return`, { reason: 'account_closed' }, 200);
    expect([...(await claim())]).toEqual([[ada.affiliate.id, 2_000]]);
    expect(await discrepancies(account)).toEqual([]);
    await assertNoContradictions(service.databaseUrl);
  });

  it('pays a reconsidered reward as it is right, together with the clawback', async () => {
    const pay = { fixed: { amount_cents: 700, currency: 'USD' } };
    await rule(account, ada.campaign, { event: 'milestone', milestone: { metric: 'revenue', every: 10_000 }, pay });
    const external_id = unique('order');
    await sell(account, { referral_id: (await refer(account, ada)).id, external_id, amount_cents: 35_000 });
    await settleDueDecisions(service.services);
    const { id } = await openPayout(account, ada.affiliate.id);
    await must(account, `/payouts/${id}/pay`, {}, 200);
    await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 10_000 });
    await settleDueDecisions(service.services);
    await sell(account, { referral_id: (await refer(account, bob)).id, amount_cents: 10_000 });
    await must(account, '/commissions', { affiliate_id: ada.affiliate.id, amount_cents: 5_000, currency: 'USD', note: 'Bonus' });
    const reward = (await commissions()).find(({ kind }) => kind === 'milestone')!;
    await must(account, `/commissions/${reward.id}/review`, { review_action: 'reconsider' }, 200);
    const paid = await claim();
    // The refund of the sale takes back 1,000, and the milestone was reached once less.
    expect(paid.get(ada.affiliate.id)).toBe(5_000 - 1_000 - 2_100 + 1_400);
    expect(paid.get(bob.affiliate.id)).toBe(1_000);
    await assertNoContradictions(service.databaseUrl);
  });
});
