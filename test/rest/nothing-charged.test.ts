/** A sale of which nothing was charged counts in no report (docs/rules/reports.md#reports). */
import { expect, it } from 'vitest';
import { PortalVisitor } from '../portal/people.ts';
import { must, program, refer, sell } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';

const service = useService();
const account = useAccount(service);

it('a sale of nothing counts in no report, and counts once it is corrected', async () => {
  const friends = await program(account, { days_until_commissions_are_due: 0 });
  const { affiliate } = friends;
  const portal = await PortalVisitor.enter(service, account, affiliate.email);
  const reports = async () => {
    const { overview, analytics, affiliates, sales } = account.client;
    const [daily, top, counts, timeline, steps, list, own] = await Promise.all([
      overview.daily.query({}),
      overview.topAffiliates.query({ currency: 'USD' }),
      analytics.get.query({}),
      affiliates.timeline.query({ id: affiliate.id }),
      overview.firstSteps.query({}),
      sales.list.query({}),
      portal.query<Outputs['portal']['listConversions']>('portal.listConversions'),
    ]);
    return {
      daily: daily.days.at(-1)!.currencies.reduce((sum, { sales: number }) => sum + number, 0),
      top: top.affiliates.map(({ sales: number }) => number),
      analytics: counts.data[0]!.sales,
      first: timeline.entries.filter(({ kind }) => kind === 'first_sale').length,
      step: steps.sale,
      listed: list.data.length,
      own: own.data.length,
    };
  };
  const none = { daily: 0, top: [], analytics: 0, first: 0, step: false, own: 0 };
  const { id: referral_id } = await refer(account, friends);
  service.clock.advance(1, 'seconds');
  const of = { referral_id, customer_email: 'eve@buyer.example' };
  const { sale } = await sell(account, { ...of, amount_cents: 0 });
  expect(await reports()).toEqual({ ...none, listed: 1 });

  await account.api.patch(`/sales/${sale.id}`, { amount_cents: 5_000, dry_run: false });
  const one = { daily: 1, top: [1], analytics: 1, first: 1, step: true, listed: 1, own: 1 };
  expect(await reports()).toEqual(one);
  await must(account, '/track/refunds', { external_id: sale.external_id, refund_id: 'all', amount_cents: 5_000 });
  expect(await reports()).toEqual(one);

  const other = await sell(account, of);
  expect(await reports()).toEqual({ ...one, daily: 2, top: [2], analytics: 2, listed: 2, own: 2 });
  await account.api.patch(`/sales/${other.sale.id}`, { amount_cents: 0, dry_run: false });
  expect(await reports()).toEqual({ ...one, listed: 2 });
});
