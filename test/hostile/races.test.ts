/** Contradictory requests are sent concurrently. Some are refused, none fails, and the amounts are correct. */
import { describe, expect, it } from 'vitest';
import { announcedPaid, discrepancies, payee, payoutOf } from '../payouts/program.ts';
import { type Reply, send } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
import { type Outputs, credentials } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';

const service = useService();
const account = useAccount(service, 'file');

const statuses = (replies: Reply[]) => replies.map(({ status }) => status).toSorted((a, b) => a - b);

describe('one refund id reported for two sales', () => {
  it('is accepted for only one sale', async () => {
    for (let round = 0; round < (THOROUGH ? 5 : 3); round += 1) {
      // The sales belong to different affiliates, because changes to the same affiliate run one after the other anyway.
      const referrals = await Promise.all([0, 1].map(async () => refer(account, await program(account))));
      const sales = await Promise.all(referrals.map(({ id: referral_id }) => sell(account, { referral_id })));
      const refund_id = unique('refund');
      const replies = await Promise.all(
        sales.map(({ sale }) =>
          account.api.post('/track/refunds', { external_id: sale.external_id, refund_id, amount_cents: 100 }),
        ),
      );
      expect(statuses(replies)).toEqual([201, 422]);
    }
  });
});

it('a refund of a sale that is being assigned waits for the affiliate before it locks the commission', async () => {
  const friends = await program(account);
  const { affiliate } = friends;
  const referral_id = (await refer(account, friends)).id;
  const { sale } = await sell(account, { promo_code: 'NOBODYS' });
  await using locks = await Locks.open(service.databaseUrl, account.id);
  const before = await locks.affiliate(affiliate.id);
  await before.held;
  const assigning = send<{ result: { data: Outputs['sales']['assign'] } }>(`${service.url}/trpc/sales.assign`, 'POST', {
    body: { id: sale.id, referral_id, dry_run: false },
    headers: credentials(account.id, account.apiKey),
  });
  await locks.areWaiting(1);
  const report = { external_id: sale.external_id, refund_id: unique('re'), amount_cents: 5_000 };
  const refunding = account.api.post<Outputs['tracking']['recordRefund']>('/track/refunds', report);
  await locks.areWaiting(2);
  const after = await locks.affiliate(affiliate.id);
  await locks.areWaiting(3);
  await before.release();
  const [assigned] = await Promise.all([assigning, after.held]);
  // PostgreSQL may give the row to the refund before `after`, although `after` has waited longer. Then the refund has ended.
  await Promise.any([refunding, locks.areWaiting(1)]);
  expect(await locks.isFree('commission', assigned.body.result.data.commission.id)).toBe(true);
  await after.release();
  expect(await refunding).toMatchObject({ status: 201, body: { commission: { amount_cents: 500 } } });
  expect(await discrepancies(account)).toEqual([]);
});

describe('customers who become known under several names concurrently', () => {
  it('never make a sale fail, and never share an email address or provider id', async () => {
    for (let round = 0; round < (THOROUGH ? 6 : 4); round += 1) {
      const [a, b] = [unique('a'), unique('b')].map((name) => `${name}@example.com`) as [string, string];
      const ids = [unique('cus'), unique('cus')] as const;
      if (round % 2 === 1) for (const customer_email of [a, b]) await sell(account, { customer_email });
      const sale = (clues: object) =>
        account.api.post('/track/sales', { external_id: unique('raced'), amount_cents: 100, currency: 'USD', ...clues });
      const replies = await Promise.all(
        [a, b].flatMap((customer_email) =>
          ids.flatMap((psp_customer_id) => [
            sale({ customer_email, psp_customer_id }),
            sale({ psp_customer_id }),
            sale({ customer_email: customer_email.toUpperCase() }),
          ]),
        ),
      );
      expect(new Set(statuses(replies))).toEqual(new Set([201]));
      const customers = await service.services.database.kysely
        .selectFrom('customer')
        .select(['email', 'psp_customer_id'])
        .where((where) => where.or([where('psp_customer_id', 'in', ids), where(where.fn('lower', ['email']), 'in', [a, b])]))
        .execute();
      for (const name of ['email', 'psp_customer_id'] as const) {
        const known = customers.map((customer) => customer[name]?.toLowerCase()).filter((value) => value !== undefined);
        expect(new Set(known).size).toBe(known.length);
      }
    }
  });

  it('are each bound to exactly one of the referrals that claim them', async () => {
    const friends = await program(account);
    const referrals = await Promise.all(Array.from({ length: 10 }, () => refer(account, friends)));
    const email = `${unique('lead')}@example.com`;
    const replies = await Promise.all(
      referrals.map(({ id }) => account.api.post('/track/leads', { referral_id: id, email, name: unique('Name') })),
    );
    expect(new Set(statuses(replies))).toEqual(new Set([200]));
    const { data } = (await account.api.get<{ data: object[] }>('/referrals', { email })).body;
    expect(data).toHaveLength(1);
  });
});

describe('concurrent requests to pay, claim, run, void, refund and mark paid', () => {
  type Page<Item> = { data: Item[] };
  type Commission = Outputs['commissions']['list']['data'][number];

  it('never pay anything twice and never lose a cent', async () => {
    for (let round = 0; round < (THOROUGH ? 8 : 4); round += 1) {
      const { program: started, referral_id, payout } = await payee(account);
      const affiliate_id = started.affiliate.id;
      const more = await Promise.all([1, 2, 3].map(() => sell(account, { referral_id, amount_cents: 10_000 })));
      const { api } = account;
      const exported = async () => {
        const made = await api.post<{ id: string }>('/payout_exports', { payout_ids: [payout.id] });
        if (made.status !== 201) return [made as Reply];
        const end =
          round % 2 === 0 ? api.post(`/payout_exports/${made.body.id}/payment`) : api.delete(`/payout_exports/${made.body.id}`);
        return [made as Reply, await end];
      };
      const replies = await Promise.all([
        api.post(`/payouts/${payout.id}/pay`),
        exported(),
        api.post('/payout_runs', { affiliate_ids: [affiliate_id], execute_now: true }),
        api.post('/payout_runs', { affiliate_ids: [affiliate_id] }),
        api.delete(`/commissions/${more[0]!.commission!.id}`),
        api.post('/track/refunds', { external_id: more[1]!.sale.external_id, refund_id: unique('re'), amount_cents: 5_000 }),
        api.patch(`/commissions/${more[2]!.commission!.id}`, { paid_at: service.clock.instant() }),
        api.post(`/commissions/${more[1]!.commission!.id}/review`, { review_action: 'suspicious' }),
        sell(account, { referral_id }).then(() => []),
        api.post(`/payouts/${payout.id}/pay`),
      ]);
      expect(replies.flat().filter(({ status }) => status >= 500)).toEqual([]);

      // In every outcome, each payout equals the sum of its commissions and was announced as paid at most once.
      const { data: payouts } = (await api.get<Page<Outputs['payouts']['get']>>('/payouts', { affiliate_id })).body;
      for (const { id } of payouts) {
        const { body } = await api.get<Outputs['payouts']['get'] & { commissions: Commission[] }>(`/payouts/${id}`, {
          expand: 'commissions',
        });
        expect(body.amount_cents).toBe(body.commissions.reduce((sum, { amount_cents }) => sum + amount_cents, 0));
      }
      const announced = await announcedPaid(service, account.id);
      for (const { id, state } of payouts) expect([id, announced.get(id) ?? 0]).toEqual([id, state === 'paid' ? 1 : 0]);
      expect((await payoutOf(account, payout.id)).id).toBe(payout.id);
    }
    expect(await discrepancies(account)).toEqual([]);
  });
});

it('concurrent requests create only one link with a token', async () => {
  const { affiliate, campaign } = await program(account);
  const link = { affiliate_id: affiliate.id, campaign_id: campaign.id, url: 'https://shop.example.com', token: unique('Token') };
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      account.api.post('/links', { ...link, token: i % 2 ? link.token : link.token.toUpperCase() }),
    ),
  );
  expect(statuses(replies)).toEqual([201, 422, 422, 422, 422, 422]);
});

it('an affiliate can be archived while it is being paid', async () => {
  const { program: started, payout } = await payee(account);
  const replies = await Promise.all([
    account.api.delete(`/affiliates/${started.affiliate.id}`),
    account.api.post(`/payouts/${payout.id}/pay`),
    account.api.patch(`/affiliates/${started.affiliate.id}`, { state: 'disabled' }),
    account.api.delete(`/campaigns/${started.campaign.id}`),
    must(account, '/affiliates', { email: `${unique('new')}@example.com`, campaign_id: started.campaign.id }).then(
      () => ({ status: 201 }) as Reply,
      () => ({ status: 422 }) as Reply,
    ),
  ]);
  expect(statuses(replies).filter((status) => status >= 500)).toEqual([]);
});
