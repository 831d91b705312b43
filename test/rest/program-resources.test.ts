/** Resources of `/api/v1` beside those of the first specification. */
import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');
const ada = useProgram(account, { days_until_commissions_are_due: 0 }, 'file');

const get = <Body = Record<string, unknown>>(path: string) => account.api.get<Body>(path);
const list = async (path: string) => (await get<{ data: Record<string, unknown>[] }>(path)).body.data;

describe('applications', () => {
  it('are listed with their answers until they are decided, with a note', async () => {
    const { id } = await must<{ id: string }>(account, '/affiliates', {
      email: 'grace@partner.example',
      campaign_id: ada.campaign.id,
      state: 'pending',
    });
    expect(await list('/applications')).toEqual([expect.objectContaining({ affiliate_id: id, answers: [], state: 'pending' })]);
    expect((await get(`/applications/${id}`)).body).toMatchObject({ email: 'grace@partner.example', note: null });
    const decided = { affiliate_ids: [id], decision: 'approve', note: 'Welcome!' };
    expect((await account.api.post('/applications/decide', decided)).body).toEqual({ decided: [id], skipped: [] });
    expect(await list('/applications')).toEqual([]);
    expect((await get(`/applications/${ada.affiliate.id}`)).status).toBe(404);
  });
});

describe('leads', () => {
  it('are reported from a server, listed, and proven', async () => {
    const { id } = await refer(account, ada);
    const lead = await account.api.post('/leads', { referral_id: id, email: 'lead@buyer.example' });
    expect(lead).toMatchObject({ status: 201, body: { id, conversion_state: 'lead', customer_id: expect.any(String) } });
    expect(await list('/leads?email=lead@buyer.example')).toEqual([expect.objectContaining({ id })]);
    const { commission } = await sell(account, { customer_email: 'lead@buyer.example' });
    expect((await get(`/commissions/${commission!.id}`)).body).toMatchObject({ review_status: null });
    expect(await list('/leads')).toEqual([]);
    expect((await account.api.post('/leads', { referral_id: id, email: 'lead@buyer.example' })).body).toMatchObject({
      conversion_state: 'conversion',
    });
    const unknown = await account.api.post<ErrorBody>('/leads', { referral_id: 'ref_unknown', email: 'x@buyer.example' });
    expect(unknown).toMatchObject({ status: 422, body: { details: [{ path: 'referral_id', code: 'not_found' }] } });
  });
});

it('a lead from a page is taken in a campaign with reward rules', async () => {
  await must(account, '/reward_rules', {
    campaign_id: ada.campaign.id,
    name: 'Pro',
    when: { products: ['pro'] },
    pay: { percent: 20 },
  });
  const { id } = await refer(account, ada);
  const lead = await account.api.post('/track/leads', { referral_id: id, email: 'page@buyer.example' });
  expect(lead).toMatchObject({ status: 200, body: { conversion_state: 'lead' } });
});

describe('customers', () => {
  it('are merged into the named customer, who then has all identities and sales', async () => {
    const [first, second] = [unique('first'), unique('second')].map((name) => `${name}@buyer.example`) as [string, string];
    const { id: referral_id } = await refer(account, ada);
    await sell(account, { referral_id, customer_email: first });
    await sell(account, { customer_email: second });
    const idOf = async (email: string) => (await list(`/customers?search=${email}`))[0]!['id'] as string;
    const [older, newer] = [await idOf(first), await idOf(second)];
    expect(await list(`/sales?customer_id=${newer}`)).toMatchObject([{ affiliate_id: null }]);
    const merged = await account.api.post(`/customers/${newer}/merge`, { customer_id: older });
    expect(merged).toMatchObject({ status: 200, body: { id: newer, affiliate_id: ada.affiliate.id } });
    expect((await list(`/customers/${newer}/identities`)).map(({ value }) => value)).toEqual([first, second]);
    expect((await get(`/customers/${older}`)).status).toBe(404);
    expect(await list(`/sales?customer_id=${newer}&attributed=true`)).toHaveLength(2);
    for (const customer_id of [newer, older])
      expect((await account.api.post(`/customers/${newer}/merge`, { customer_id })).status).toBe(422);
  });
});

describe('refunds', () => {
  it('are listed by sale, with each refund', async () => {
    const { id: referral_id } = await refer(account, ada);
    const { sale } = await sell(account, { referral_id });
    const external_id = sale.external_id!;
    expect((await get(`/refunds/${sale.id}`)).body).toMatchObject({ refund_amount_cents: 0, refunds: [] });
    for (const amount_cents of [1_000, 500])
      await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents });
    const refunded = {
      sale_id: sale.id,
      external_id,
      refund_amount_cents: 1_500,
      refunds: [-1_000, -500].map((amount_cents) => ({ kind: 'refund', source: 'report', amount_cents, at: expect.any(String) })),
    };
    expect(await list('/refunds')).toEqual([expect.objectContaining(refunded)]);
    expect(await list(`/refunds?affiliate_id=${ada.affiliate.id}`)).toHaveLength(1);
    expect(await list('/refunds?customer_id=cust_unknown')).toEqual([]);
    expect((await get(`/refunds/external:${external_id}`)).body).toMatchObject(refunded);
    expect((await get('/refunds/sale_unknown')).status).toBe(404);
  });
});

describe('payouts', () => {
  it('list their items', async () => {
    const { id: referral_id } = await refer(account, ada);
    const { commission } = await sell(account, { referral_id });
    const { payout_id } = (await get<{ payout_id: string }>(`/commissions/${commission!.id}`)).body;
    const { body } = await get<{ data: { id: string }[]; pagination: { total_count: number } }>(`/payouts/${payout_id}/items`);
    expect(body.data).toContainEqual(expect.objectContaining({ id: commission!.id, payout_id }));
    expect(body.pagination.total_count).toBe(body.data.length);
    expect((await get('/payouts/payout_unknown/items')).status).toBe(404);
  });

  it('of a run show their progress at the address that the execution names', async () => {
    const run = await must<{ id: string }>(account, '/payout_runs', {});
    const started = await account.api.put(`/payout_runs/${run.id}/execute`, {});
    expect(started.status).toBe(202);
    expect(started.headers.get('retry-after')).toBe('2');
    const location = started.headers.get('location')!;
    expect((await account.api.send('GET', location)).body).toMatchObject({ id: run.id });
    const { body } = await get<{ entries: unknown[] }>(`/payout_runs/${run.id}/timeline`);
    expect(body.entries).toContainEqual(expect.objectContaining({ kind: 'payout_claimed' }));
    expect((await account.api.put(`/payout_runs/${run.id}/execute`, { async: false })).headers.get('location')).toBeNull();
  });
});

describe('a campaign', () => {
  it('has a timeline of its referrals and commissions', async () => {
    const { body } = await get<{ entries: { kind: string }[] }>(`/campaigns/${ada.campaign.id}/timeline`);
    expect(body.entries.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['referral_created', 'sale', 'commission_created']),
    );
    expect((await get('/campaigns/camp_unknown/timeline')).status).toBe(404);
  });
});

describe('a link', () => {
  it('has a timeline of its referrals and sales', async () => {
    const link = await must<{ id: string }>(account, '/links', {
      affiliate_id: ada.affiliate.id,
      campaign_id: ada.campaign.id,
      url: 'https://shop.example.com/',
    });
    const referral = await must<{ id: string }>(account, '/referrals', { link_id: link.id });
    await sell(account, { referral_id: referral.id });
    const { body } = await get<{ entries: { kind: string }[] }>(`/links/${link.id}/timeline`);
    expect(body.entries.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['referral_created', 'sale', 'commission_created']),
    );
  });
});

describe('a list as CSV', () => {
  it('is one file with all records, whatever their number', async () => {
    const { id: referral_id } = await refer(account, ada);
    const sales = Array.from({ length: 1_050 }, () => ({
      referral_id,
      external_id: unique('csv'),
      amount_cents: 100,
      currency: 'USD',
    }));
    for (let at = 0; at < sales.length; at += 30)
      await Promise.all(sales.slice(at, at + 30).map((sale) => must(account, '/track/sales', sale)));
    const { text, headers } = await get(`/sales.csv?referral_id=${referral_id}&sort=created_at`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename=sales.csv');
    const [header, ...lines] = text.trimEnd().split('\r\n');
    expect(header).toMatch(/^id,external_id,/);
    expect(new Set(lines.map((line) => line.split(',')[1]))).toEqual(new Set(sales.map(({ external_id }) => external_id)));
    expect(lines).toHaveLength(sales.length);
  }, 60_000);

  it.each(['affiliates', 'commissions', 'customers', 'payouts', 'referrals', 'sales'])('exists of %s', async (name) => {
    const { status, text } = await get(`/${name}.csv?created_until=2020-01-01T00:00:00Z`);
    expect(status).toBe(200);
    expect(text).toMatch(/^id,.*\r\n$/);
    expect((await get(`/${name}.csv?after=x`)).status).toBe(422);
    expect((await get(`/${name}.csv?page=1`)).status).toBe(422);
  });
});

describe('reward rules and tiers', () => {
  it.each([
    ['/reward_rules', { pay: { percent: 20 } }],
    ['/tiers', { metric: 'sales', from: 10 }],
  ])('are mirrored by cursor in the order of their changes: %s', async (path, fields) => {
    const { id: campaign_id } = await must<{ id: string }>(account, '/campaigns', {
      name: unique('mirrored'),
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 10,
    });
    const ids: string[] = [];
    for (const name of ['Silver', 'Gold', 'Platinum']) {
      ids.push((await must<{ id: string }>(account, path, { ...fields, campaign_id, name })).id);
      service.clock.advance(1, 'seconds');
    }
    expect((await account.api.patch(`${path}/${ids[0]}`, { name: 'Bronze' })).status).toBe(200);

    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = new URLSearchParams({
        campaign_id,
        sort: 'updated_at',
        limit: '1',
        ...(cursor && { starting_after: cursor }),
      });
      const { body } = await get<{ data: { id: string }[]; pagination: { next_cursor: string | null } }>(
        `${path}?${query.toString()}`,
      );
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual([ids[1], ids[2], ids[0]]);
  });
});
