import { beforeAll, describe, expect, it } from 'vitest';
import { program, refer, sell } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');
let api: TestAccount['api'];
beforeAll(async () => {
  ({ api } = account);
  const started = await program(
    account,
    { days_until_commissions_are_due: 0, default: true },
    { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
  );
  const { id: referral_id } = await refer(account, started);
  for (const order of ['order-1', 'order-2'])
    await sell(account, { referral_id, external_id: order, customer_email: 'grace@example.com', customer_name: 'Grace Hopper' });
  await api.post('/affiliates', { email: 'grace.murray@example.com', first_name: 'Grace', last_name: 'Murray' });
  await api.post('/affiliates', { email: 'edith@example.com' });
});

describe('expand', () => {
  it('goes two levels deep, and includes the record between', async () => {
    const { body } = await api.get<Outputs['commissions']['list']>('/commissions', 'expand=sale.customer');
    expect(body.data).toHaveLength(2);
    for (const { sale, sale_id, campaign } of body.data) {
      expect(sale).toMatchObject({ id: sale_id, customer: { email: 'grace@example.com' } });
      expect(campaign).toBeUndefined();
    }
    const [{ id } = { id: '' }] = body.data;
    const one = await api.get<Outputs['commissions']['get']>(`/commissions/${id}`, 'expand=sale.customer');
    expect(one.body).toMatchObject({ sale: { customer: { name: 'Grace Hopper' } }, campaign: { id: one.body.campaign_id } });
    const plain = await api.get<Outputs['commissions']['get']>(`/commissions/${id}`);
    expect(plain.body.sale).not.toHaveProperty('customer');
  });

  it('goes through lists, and through single records that are null', async () => {
    const payouts = await api.get<Outputs['payouts']['list']>(
      '/payouts',
      'expand=commissions.sale,commissions.campaign,affiliate.campaign',
    );
    const [payout] = payouts.body.data;
    expect(payout!.commissions).toHaveLength(2);
    for (const { sale, sale_id, campaign, campaign_id } of payout!.commissions!) {
      expect(sale).toMatchObject({ id: sale_id });
      expect(campaign).toMatchObject({ id: campaign_id });
    }
    expect(payout!.affiliate!.campaign).toMatchObject({ id: payout!.affiliate!.campaign_id });
    const { affiliate_id } = payout!;
    await api.post('/commissions', { affiliate_id, amount_cents: 100, currency: 'USD', note: 'Bonus' });
    const { body } = await api.get<Outputs['commissions']['list']>('/commissions', 'expand=sale.customer,campaign');
    expect(body.data.map(({ sale }) => sale?.customer?.email ?? null)).toEqual([null, 'grace@example.com', 'grace@example.com']);
    expect(body.data.every(({ campaign }) => campaign !== undefined)).toBe(true);
  });

  it('refuses other names', async () => {
    for (const name of ['sale.nothing', 'campaign.sale', 'sale.customer.affiliate', 'sale.'])
      expect((await api.get('/commissions', `expand=${name}`)).status).toBe(422);
  });
});

describe('q', () => {
  const found = async (path: string, q: string, field: string) => {
    const { body } = await api.get<{ data: Record<string, unknown>[] }>(path, { q });
    return body.data.map((record) => record[field]);
  };

  it.each([
    ['ada', ['ada@example.com']],
    ['ADA LOVE', ['ada@example.com']],
    ['lovelace', ['ada@example.com']],
    ['grace', ['grace.murray@example.com']],
    ['edith@example.com', ['edith@example.com']],
    ['velace', []],
    ['%a', []],
  ])('finds affiliates by the beginning of an address or a name: %s', async (q, emails) => {
    expect(await found('/affiliates', q, 'email')).toEqual(emails);
  });

  it.each([['grace@ex'], ['Grace H'], ['GRACE@EXAMPLE.COM']])('finds customers: %s', async (q) => {
    expect(await found('/customers', q, 'email')).toEqual(['grace@example.com']);
    expect(await found('/customers', `x${q}`, 'email')).toEqual([]);
  });

  it.each([
    ['order-2', ['order-2']],
    ['grace@example.com', ['order-2', 'order-1']],
    ['order', []],
  ])('finds sales by a whole ID or customer: %s', async (q, orders) => {
    expect(await found('/sales', q, 'external_id')).toEqual(orders);
  });

  it('works together with other filters, and refuses a single letter', async () => {
    const { body } = await api.get<{ data: unknown[]; pagination: { total_count: number } }>(
      '/affiliates',
      'q=grace&state=pending',
    );
    expect([body.data, body.pagination.total_count]).toEqual([[], 0]);
    expect((await api.get('/affiliates', 'q=a')).status).toBe(422);
  });

  it('finds nothing in other accounts', async () => {
    const stranger = await service.createAccount();
    for (const [path, q] of [
      ['/affiliates', 'ada'],
      ['/customers', 'grace'],
      ['/sales', 'order-1'],
    ] as const)
      expect((await stranger.api.get<{ data: unknown[] }>(path, { q })).body.data).toEqual([]);
  });
});
