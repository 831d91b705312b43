import { beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { must, program, refer, sell } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { inMode } from './accounts.ts';

const service = useService();
const merchant = useAccount(service, 'file');
let live: TestAccount;
/** Ids of records of the payment provider's test mode in the live account. */
let hidden: Record<'sale' | 'commission' | 'payout' | 'run' | 'released', string>;
/** Ids of live records to which test records are related. */
let shared: Record<'referral' | 'link' | 'campaign' | 'affiliate', string>;
const MARK = 'test-0123456789';

beforeAll(async () => {
  live = await inMode(service, merchant, true);
  const { affiliate, campaign, link } = await program(
    merchant,
    { days_until_commissions_are_due: 0 },
    { walleta_email: 'ada@pay.example' },
  );
  const { id: referral_id } = await refer(merchant, { affiliate, campaign, link });
  await merchant.client.site.recordTestSale.mutate({ mark: MARK, referral_id });
  await sell(merchant, { referral_id });
  await must(merchant, '/track/refunds', { external_id: MARK, refund_id: 'test refund', amount_cents: 1 });
  const idOf = async (path: string) =>
    (await merchant.api.get<{ data: { id: string }[] }>(path, { livemode: false })).body.data[0]!.id;
  const { id: released } = await must<{ id: string }>(merchant, '/payout_exports', { livemode: false });
  await merchant.api.delete(`/payout_exports/${released}`);
  const { id: run } = await must<{ id: string }>(merchant, '/payout_runs', { livemode: false, idempotency_key: 'test' });
  hidden = { sale: await idOf('/sales'), commission: await idOf('/commissions'), payout: await idOf('/payouts'), run, released };
  shared = { referral: referral_id, link: link.id, campaign: campaign.id, affiliate: affiliate.id };
});

describe('a key of live mode', () => {
  it('reads nothing about records of the payment provider’s test mode', async () => {
    const { sale, commission, payout, run, released } = hidden;
    const paths = [
      `/refunds/${sale}`,
      `/sales/${sale}/timeline`,
      `/commissions/${commission}/timeline`,
      `/payouts/${payout}/timeline`,
      `/payouts/${payout}/items`,
      ...['', '/timeline', '/items'].map((part) => `/payout_runs/${run}${part}`),
      ...['', '/timeline'].map((part) => `/payout_exports/${released}${part}`),
    ];
    for (const path of paths) {
      expect([path, (await merchant.api.get(path)).status]).toEqual([path, 200]);
      expect([path, (await live.api.get(path)).status]).toEqual([path, 404]);
    }
  });

  it('reads shared records and lists without them', async () => {
    const { referral, link, campaign, affiliate } = shared;
    const paths = [
      `/referrals/${referral}/timeline`,
      `/links/${link}/timeline`,
      `/campaigns/${campaign}/timeline`,
      `/affiliates/${affiliate}/timeline`,
      '/refunds',
      '/sales',
      '/commissions',
      '/payouts',
      '/payout_runs',
      '/payout_exports',
      '/events',
      '/sales.csv',
      '/payout_runs/reconcile',
      '/overview',
    ];
    for (const path of paths) {
      const { status, text } = await live.api.get(path);
      expect([path, status, Object.values(hidden).filter((id) => text.includes(id))]).toEqual([path, 200, []]);
    }
    const found = (of: TestAccount, q: string) => of.client.search.find.query({ q });
    for (const q of [hidden.sale, hidden.commission, hidden.payout, hidden.run, MARK]) {
      expect([q, (await found(merchant, q)).data.length]).toEqual([q, 1]);
      expect([q, (await found(live, q)).data]).toEqual([q, []]);
    }
  });

  it('changes none of them', async () => {
    const { sale, commission, payout, run, released } = hidden;
    const writes: [number, string, string, Fields][] = [
      [404, 'POST', `/commissions/${commission}/review`, { review_action: 'approve' }],
      [404, 'DELETE', `/commissions/${commission}`, {}],
      [404, 'PATCH', `/sales/${sale}`, { amount_cents: 5 }],
      [404, 'POST', `/sales/${sale}/assign`, { affiliate_id: shared.affiliate, dry_run: false }],
      [404, 'POST', `/sales/${sale}/reconsider`, {}],
      [404, 'POST', `/payouts/${payout}/pay`, {}],
      [404, 'PUT', `/payout_runs/${run}/execute`, {}],
      [404, 'PUT', `/payout_runs/${run}/remediate`, { remediation_action: 'cancel' }],
      [404, 'POST', `/payout_exports/${released}/payment`, {}],
      [422, 'POST', '/payout_exports', { payout_ids: [payout] }],
      [422, 'POST', '/track/refunds', { external_id: MARK, refund_id: 'another', amount_cents: 1 }],
      [422, 'POST', '/track/sales', { external_id: MARK, referral_id: shared.referral, amount_cents: 1, currency: 'USD' }],
    ];
    for (const [status, method, path, body] of writes)
      expect([path, (await live.api.send(method, path, { body })).status]).toEqual([path, status]);
  });
});
