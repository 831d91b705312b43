import { beforeAll, describe, expect, it } from 'vitest';
import { openPayout, payee } from '../payouts/program.ts';
import type { ErrorBody, Fields } from '../support/http.ts';
import { type Program, must, refer, sell, unique } from '../support/program.ts';
import { type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

interface Labeled {
  id: string;
  external_id: string | null;
  metadata: Record<string, string>;
}

const service = useService();
const account = useAccount(service, 'file');
let started: Program;
/** Ids of a record of each kind, by the name of its list. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  const paid = await payee(account);
  started = paid.program;
  const referral = await refer(account, started);
  const { sale, commission } = await sell(account, {
    referral_id: referral.id,
    customer_email: `${unique('grace')}@example.com`,
  });
  Object.assign(ids, {
    affiliates: started.affiliate.id,
    campaigns: started.campaign.id,
    links: started.link.id,
    referrals: referral.id,
    customers: sale.customer_id,
    sales: sale.id,
    commissions: commission!.id,
    payouts: (await openPayout(account, started.affiliate.id)).id,
  });
});

const KINDS = ['affiliates', 'campaigns', 'links', 'referrals', 'customers', 'sales', 'commissions', 'payouts'] as const;
const patch = (kind: string, id: string, body: Fields) => account.api.patch<Labeled & ErrorBody>(`/${kind}/${id}`, body);
const list = async (kind: string, query: string | Record<string, string>, from: TestAccount = account) =>
  (await from.api.get<{ data: Labeled[] }>(`/${kind}`, query)).body.data.map(({ id }) => id);

describe.each(KINDS)('the data of the merchant on %s', (kind) => {
  it('is kept pair by pair, shown, and found by all given pairs', async () => {
    const id = ids[kind]!;
    expect((await account.api.get<Labeled>(`/${kind}/${id}`)).body.metadata).toEqual({});
    expect(await patch(kind, id, { metadata: { tier: 'gold', [kind]: 'a=b, "c"' } })).toMatchObject({ status: 200 });
    expect(await patch(kind, id, { metadata: { tier: 'silver', region: 'eu', gone: null } })).toMatchObject({
      status: 200,
      body: { metadata: { tier: 'silver', region: 'eu', [kind]: 'a=b, "c"' } },
    });
    const { body } = await patch(kind, id, { metadata: { region: null } });
    expect(body.metadata).toEqual({ tier: 'silver', [kind]: 'a=b, "c"' });
    expect((await account.api.get<Labeled>(`/${kind}/${id}`)).body.metadata).toEqual(body.metadata);

    expect(await list(kind, { 'metadata[tier]': 'silver' })).toEqual([id]);
    expect(await list(kind, { 'metadata[tier]': 'silver', [`metadata[${kind}]`]: 'a=b, "c"' })).toEqual([id]);
    expect(await list(kind, { 'metadata[tier]': 'silver', [`metadata[${kind}]`]: 'a=b' })).toEqual([]);
    expect(await list(kind, { 'metadata[tier]': 'gold' })).toEqual([]);
    const other = await service.createAccount();
    expect(await list(kind, { 'metadata[tier]': 'silver' }, other)).toEqual([]);
  });

  it('names the record in paths, and is found by the list', async () => {
    const id = ids[kind]!;
    // The id of a sale comes from its report.
    if (kind !== 'sales') await patch(kind, id, { external_id: `${kind}:17 ä` });
    const externalId = (await account.api.get<Labeled>(`/${kind}/${id}`)).body.external_id!;
    const path = `/${kind}/external:${encodeURIComponent(externalId)}`;
    expect(await account.api.get(path)).toMatchObject({ status: 200, body: { id, external_id: externalId } });
    expect(await list(kind, { external_id: externalId })).toEqual([id]);
    expect(await account.api.patch(path, { metadata: { by: 'path' } })).toMatchObject({ status: 200, body: { id } });
    expect(await account.api.get(`/${kind}/external:unknown`)).toMatchObject({ status: 404 });
    const other = await service.createAccount();
    expect(await other.api.get(path)).toMatchObject({ status: 404 });
  });

  it.each([
    ['a key of 41 characters', { metadata: { ['k'.repeat(41)]: 'v' } }],
    ['a value of 501 characters', { metadata: { k: 'v'.repeat(501) } }],
    ['an empty key', { metadata: { '': 'v' } }],
    ['51 pairs', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) }],
    ['a number', { metadata: { k: 1 } }],
    ['a list', { metadata: ['k'] }],
  ])('refuses %s', async (_, body) => {
    const before = (await account.api.get(`/${kind}/${ids[kind]!}`)).body;
    expect(await patch(kind, ids[kind]!, body)).toMatchObject({ status: 422 });
    expect((await account.api.get(`/${kind}/${ids[kind]!}`)).body).toEqual(before);
  });
});

describe('metadata', () => {
  it('of a record never has more than 50 pairs', async () => {
    const pairs = (name: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, 'v']));
    const { id } = await must<Labeled>(account, '/affiliates', {
      email: `${unique('ada')}@example.com`,
      campaign_id: started.campaign.id,
      metadata: pairs('a', 50),
    });
    const { status, body } = await patch('affiliates', id, { metadata: { one: 'more' } });
    expect({ status, path: body.details?.[0]?.path }).toEqual({ status: 422, path: 'metadata' });
    expect(await patch('affiliates', id, { metadata: { one: 'more', a0: null } })).toMatchObject({ status: 200 });
  });

  it('of a reported sale is stored with the sale, and shown in its commission', async () => {
    const { id } = await refer(account, started);
    const { commission } = await sell(account, { referral_id: id, metadata: { cart: '4711' } });
    const { body } = await account.api.get<{ sale: Labeled }>(`/commissions/${commission!.id}`);
    expect(body.sale.metadata).toEqual({ cart: '4711' });
  });
});

describe('an external_id', () => {
  it.each(['campaigns', 'links', 'affiliates', 'commissions', 'referrals'] as const)(
    'belongs to one of the %s only',
    async (kind) => {
      const { body: taken } = await account.api.get<Labeled>(`/${kind}/${ids[kind]!}`);
      const bodies: Record<typeof kind, Fields> = {
        campaigns: { name: 'Two', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 1 },
        links: { affiliate_id: ids['affiliates'], campaign_id: ids['campaigns'], url: 'https://shop.example.com' },
        affiliates: { email: `${unique('ada')}@example.com`, campaign_id: ids['campaigns'] },
        commissions: { affiliate_id: ids['affiliates'], amount_cents: 100, currency: 'USD', note: 'Bonus' },
        referrals: { affiliate_id: ids['affiliates'], campaign_id: ids['campaigns'] },
      };
      const { status, body } = await account.api.post<ErrorBody>(`/${kind}`, { ...bodies[kind], external_id: taken.external_id });
      expect({ status, path: body.details?.[0]?.path }).toEqual({ status: 422, path: 'external_id' });
    },
  );

  it('of a customer names the customer in reports, and belongs to one customer', async () => {
    const { sale } = await sell(account, {
      referral_id: (await refer(account, started)).id,
      customer_email: `${unique('x')}@example.com`,
    });
    const { status, body } = await patch('customers', sale.customer_id!, { external_id: 'customers:17 ä' });
    expect({ status, path: body.details?.[0]?.path }).toEqual({ status: 422, path: 'external_id' });
    expect(await patch('customers', ids['customers']!, { external_id: 'customers:18' })).toMatchObject({ status: 200 });
    expect(await account.api.get('/customers/external:customers%3A17%20%C3%A4')).toMatchObject({ status: 404 });
    expect(await patch('customers', sale.customer_id!, { external_id: 'customers:17 ä' })).toMatchObject({ status: 200 });
    expect(await patch('customers', sale.customer_id!, { external_id: null })).toMatchObject({ body: { external_id: null } });
  });
});

describe('PUT with an external_id', () => {
  it('creates an affiliate once, however often and at once it is sent', async () => {
    const email = `${unique('ada')}@example.com`;
    const put = (body: Fields) =>
      account.api.put<Labeled>('/affiliates/external:shop-1', { email, campaign_id: ids['campaigns'], ...body });
    const replies = await Promise.all([put({}), put({}), put({})]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    const changed = await put({ first_name: 'Augusta', metadata: { tier: 'gold' } });
    expect(changed).toMatchObject({
      status: 200,
      body: { first_name: 'Augusta', external_id: 'shop-1', metadata: { tier: 'gold' } },
    });
  });

  it('gives the id to an affiliate with the same address, unless the affiliate has another one', async () => {
    const email = `${unique('edith')}@example.com`;
    const { id } = await must<Labeled>(account, '/affiliates', { email, campaign_id: ids['campaigns'] });
    expect(await account.api.put('/affiliates/external:shop-2', { email })).toMatchObject({
      status: 200,
      body: { id, external_id: 'shop-2' },
    });
    expect(await account.api.put('/affiliates/external:shop-3', { email })).toMatchObject({ status: 422 });
  });

  it('creates a customer, finds the customer again, and joins customers who are one person', async () => {
    const put = (id: string, body: Fields) => account.api.put<Labeled>(`/customers/external:${id}`, body);
    const email = `${unique('hedy')}@example.com`;
    const created = await put('c-1', { email, name: 'Hedy Lamarr', metadata: { plan: 'pro' } });
    expect(created).toMatchObject({
      status: 201,
      body: { email, first_name: 'Hedy', external_id: 'c-1', metadata: { plan: 'pro' } },
    });
    expect(await put('c-1', { name: 'Hedy Kiesler' })).toMatchObject({
      status: 200,
      body: { id: created.body.id, last_name: 'Kiesler' },
    });
    const other = await put('c-2', {});
    expect(other).toMatchObject({ status: 201, body: { email: null } });
    expect(await put('c-2', { email })).toMatchObject({ status: 200, body: { id: created.body.id } });
    expect(await account.api.get('/customers/external:c-2')).toMatchObject({ body: { id: created.body.id, external_id: 'c-1' } });
  });

  it.each(['aff_01', 'external:', 'external:%20', 'partner-17'])('refuses the path %s', async (reference) => {
    expect(await account.api.put(`/affiliates/${reference}`, { email: 'ada@example.com' })).toMatchObject({ status: 422 });
  });
});
