import { beforeAll, describe, expect, it } from 'vitest';
import { openPayout, payee } from '../payouts/program.ts';
import { type ErrorBody, send } from '../support/http.ts';
import { type Program, must, refer, sell, unique } from '../support/program.ts';
import type { Outputs, TestAccount } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';

/** Requests as clients write them. */
const service = useService();
const account = useAccount(service, 'file');
let api: TestAccount['api'];
let started: Program;
const own = {
  affiliate: 'partner/1',
  campaign: 'terms/1',
  link: 'l/1',
  referral: '0b0f2a36',
  customer: 'user/42',
  commission: 'c/1',
};
const ORDER = 'gid://shopify/Order/1';
let ids: Record<'affiliate' | 'campaign' | 'link' | 'referral' | 'customer' | 'sale' | 'commission' | 'payout', string>;

beforeAll(async () => {
  ({ api } = account);
  ({ program: started } = await payee(account));
  const referral = await refer(account, started);
  const { sale, commission } = await sell(account, {
    referral_id: referral.id,
    external_id: ORDER,
    customer_email: 'grace@example.com',
  });
  ids = {
    affiliate: started.affiliate.id,
    campaign: started.campaign.id,
    link: started.link.id,
    referral: referral.id,
    customer: sale.customer_id!,
    sale: sale.id,
    commission: commission!.id,
    payout: (await openPayout(account, started.affiliate.id)).id,
  };
  for (const [kind, external_id] of Object.entries(own)) {
    const { status, text } = await api.patch(`/${kind}s/${ids[kind as keyof typeof ids]}`, { external_id });
    if (status !== 200) throw new Error(text);
  }
});

describe('external:<id>', () => {
  it.each([
    ['affiliates', () => `external:${encodeURIComponent(own.affiliate)}`, () => ids.affiliate],
    ['affiliates', () => encodeURIComponent(`external:${own.affiliate}`), () => ids.affiliate],
    ['sales', () => `external:${encodeURIComponent(ORDER)}`, () => ids.sale],
    ['customers', () => `external:${encodeURIComponent(own.customer)}`, () => ids.customer],
  ])('names a record of %s in a path, with encoded slashes', async (list, segment, id) => {
    expect(await api.get(`/${list}/${segment()}`)).toMatchObject({ status: 200, body: { id: id() } });
  });

  it('names a record in a path with slashes that are not encoded, also before further segments', async () => {
    // Not by `send`, whose contract has no such paths.
    const read = async (path: string, method = 'GET') => {
      const response = await fetch(`${service.url}/api/v1${path}`, { method, headers: api.headers });
      return [response.status, ((await response.json()) as { id?: string; error?: string }).id];
    };
    expect(await read(`/sales/external:${ORDER}`)).toEqual([200, ids.sale]);
    expect(await read(`/affiliates/external:${own.affiliate}`)).toEqual([200, ids.affiliate]);
    expect(await read(`/affiliates/external:${own.affiliate}/timeline`)).toEqual([200, undefined]);
    expect(await read(`/affiliates/external:${own.affiliate}/nothing/of/this/kind`)).toEqual([404, undefined]);
    expect(await read(`/affiliates/${ids.affiliate}/a/b/c`)).toEqual([404, undefined]);
    expect((await read(`/affiliates/external:${'/'.repeat(7000)}`))[0]).toBe(404);
  });

  it('names a record in the filters of lists', async () => {
    const found: [string, string, keyof typeof ids][] = [
      ['/links', `affiliate_id=external:${own.affiliate}`, 'link'],
      ['/links', `campaign_id=external:${own.campaign}`, 'link'],
      ['/commissions', `referral_id=external:${own.referral}`, 'commission'],
      ['/commissions', `sale_id=external:${ORDER}`, 'commission'],
      ['/sales', `customer_id=external:${own.customer}`, 'sale'],
      ['/payouts', `affiliate_id=external:${own.affiliate}`, 'payout'],
      ['/affiliates', `ids[]=external:${own.affiliate}`, 'affiliate'],
    ];
    for (const [path, query, kind] of found) {
      const { status, body } = await api.get<{ data: { id: string }[] }>(path, query);
      expect([query, status, body.data?.map(({ id }) => id)]).toEqual([query, 200, expect.arrayContaining([ids[kind]])]);
    }
    expect((await api.get('/links', 'affiliate_id=external:nobody')).body).toMatchObject({ data: [] });
  });

  it('names a record in bodies, in lists and in items of bulk calls', async () => {
    const link = {
      affiliate_id: `external:${own.affiliate}`,
      campaign_id: `external:${own.campaign}`,
      url: 'https://shop.example.com',
    };
    expect(await api.post('/links', link)).toMatchObject({ status: 201, body: { affiliate_id: ids.affiliate } });
    expect((await api.post('/links/bulk', { items: [link] })).body).toMatchObject({ succeeded_count: 1 });
    const sale = { external_id: unique('order'), referral_id: `external:${own.referral}`, amount_cents: 100, currency: 'USD' };
    expect(await api.post('/track/sales', sale)).toMatchObject({ status: 201, body: { commission: { amount_cents: 10 } } });
    const run = await api.post<{ affiliate_ids: string[] }>('/payout_runs', { affiliate_ids: [`external:${own.affiliate}`] });
    expect([run.status, run.body.affiliate_ids]).toEqual([201, [ids.affiliate]]);
    expect(await api.post<ErrorBody>('/links', { ...link, affiliate_id: 'external:nobody' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'affiliate_id', code: 'not_found' }] },
    });
  });

  it('names no record of another account', async () => {
    const other = await service.createAccount();
    const { body } = await other.api.get<{ data: object[] }>('/links', `affiliate_id=external:${own.affiliate}`);
    expect(body.data).toEqual([]);
    expect((await other.api.get(`/sales/external:${encodeURIComponent(ORDER)}`)).status).toBe(404);
  });
});

describe('the account of a key', () => {
  it('is the default at /track and /api/settings/v1, and may be named', async () => {
    const bare = { 'X-Api-Key': account.apiKey };
    const body = { external_id: unique('order'), referral_id: ids.referral, amount_cents: 100, currency: 'USD' };
    expect(await send(`${service.url}/track/sales`, 'POST', { headers: bare, body })).toMatchObject({ status: 201 });
    const settings = `${service.url}/api/settings/v1/webhook_endpoints`;
    expect((await send(settings, 'GET', { headers: bare })).status).toBe(200);
    expect((await send(settings, 'GET', { headers: { ...bare, 'X-Account-Id': account.id } })).status).toBe(200);
    const other = await service.createAccount();
    expect((await send(settings, 'GET', { headers: { ...bare, 'X-Account-Id': other.id } })).status).toBe(403);
  });
});

describe('a query', () => {
  it.each([
    ['state[0]=active&state[1]=pending', 200],
    ['state[]=active', 200],
    ['state[0]=active&state=pending', 200],
    ['expand[0]=campaign', 200],
    ['include_total=True', 200],
    ['include_total=FALSE', 200],
    ['state[0]=active&state[0]=pending', 422],
    ['state[a]=active', 422],
    ['include_total=yes', 422],
  ])('%s answers %i', async (query, status) => {
    expect((await api.get('/affiliates', query)).status).toBe(status);
  });

  it('with eligible=False is not one with eligible=true', async () => {
    const { body } = await api.get<{ pagination?: object }>('/payouts', 'eligible=False');
    expect(body.pagination).toBeDefined();
  });

  it.each(['bogus', 'null', 'camp_01k9v7m3q8e2t4r6w8y0a1b2c3', 'aff_01K9V7M3Q8E2T4R6W8Y0A1B2C3'])(
    'with the cursor %s is refused',
    async (cursor) => {
      for (const name of ['starting_after', 'ending_before']) {
        const { status, body } = await api.get<ErrorBody>('/affiliates', { [name]: cursor });
        expect([status, body.details?.[0]?.path]).toEqual([422, name]);
      }
    },
  );
});

describe('null in a body', () => {
  it('leaves out a field of a new record', async () => {
    const nobody = {
      email: 'nul@example.com',
      campaign_id: ids.campaign,
      first_name: null,
      state: null,
      external_id: null,
    };
    expect(await api.post('/affiliates', nobody)).toMatchObject({ status: 201, body: { state: 'active', metadata: {} } });
    const items = [{ email: 'nul-2@example.com', campaign_id: ids.campaign, state: null }];
    expect((await api.post('/affiliates/bulk', { items })).body).toMatchObject({ succeeded_count: 1 });
    const sale = {
      external_id: unique('order'),
      referral_id: ids.referral,
      amount_cents: 100,
      currency: 'USD',
      tax_amount_cents: null,
    };
    expect((await api.post('/track/sales', sale)).status).toBe(201);
  });

  it('is refused for a required field, and in a change of a field that cannot be cleared', async () => {
    expect(await api.post('/affiliates', { email: null })).toMatchObject({ status: 422, body: { details: [{ path: 'email' }] } });
    expect((await api.patch(`/affiliates/${ids.affiliate}`, { state: null })).status).toBe(422);
  });

  it('is refused in place of a list or of permissions, of which a missing one means all', async () => {
    expect((await api.post('/api_keys', { name: 'All?', permissions: null })).status).toBe(422);
    expect((await api.post('/payout_runs', { affiliate_ids: null })).status).toBe(422);
  });
});

describe('a bulk call', () => {
  it('does each item that fits, whatever the shape of the others', async () => {
    const campaign_id = ids.campaign;
    const items = [
      { email: 'a1@example.com', campaign_id },
      { email: 'bad' },
      5,
      null,
      {},
      [],
      { email: 'a2@example.com', campaign_id, nope: 1 },
    ];
    const { status, body } = await api.post<Outputs['affiliates']['createMany']>('/affiliates/bulk', { items });
    expect([status, body.succeeded_count, body.failed_count]).toEqual([200, 1, 6]);
    expect(body.data.map(({ result }) => result)).toEqual(['created', ...Array.from({ length: 6 }, () => 'failed')]);
    expect(body.data[1]).toMatchObject({ record: null, error: { code: 'VALIDATION_ERROR', details: [{ path: 'email' }] } });
    expect(body.data[6]!.error).toMatchObject({ details: [{ path: 'nope', code: 'unrecognized_key' }] });
  });

  it('with upsert changes the affiliate with the external_id or the address, and repeats without effect', async () => {
    const campaign_id = ids.campaign;
    const first = [
      { email: 'up-1@example.com', campaign_id, external_id: 'up-1', first_name: 'One' },
      { email: 'up-2@example.com', campaign_id },
    ];
    const post = async (items: object[], upsert: boolean) =>
      (await api.post<Outputs['affiliates']['createMany']>('/affiliates/bulk', { items, upsert })).body.data;
    expect((await post(first, true)).map(({ result }) => result)).toEqual(['created', 'created']);
    const second = await post(
      [
        { email: 'moved@example.com', external_id: 'up-1' },
        { email: 'UP-2@example.com', external_id: 'up-2', first_name: 'Two' },
        { email: 'up-2@example.com', external_id: 'another' },
        { email: 'up-2@example.com', external_id: null, last_name: 'Too' },
      ],
      true,
    );
    expect(second.map(({ result }) => result)).toEqual(['updated', 'updated', 'failed', 'updated']);
    expect(second.map(({ record }) => record && [record.email, record.external_id, record.first_name, record.last_name])).toEqual(
      [
        ['moved@example.com', 'up-1', 'One', null],
        ['UP-2@example.com', 'up-2', 'Two', null],
        null,
        ['up-2@example.com', 'up-2', 'Two', 'Too'],
      ],
    );
    expect((await post(first.slice(1), false)).map(({ result }) => result)).toEqual(['failed']);
  });
});

describe('a refusal', () => {
  it('has the id of the request and the address of the manual', async () => {
    const { body, headers } = await api.get<ErrorBody & { request_id: string; documentation_url: string }>('/affiliates/aff_x');
    expect(body.request_id).toBe(headers.get('x-request-id'));
    expect(body.documentation_url).toBe('https://affiliates.example.com/docs/api.md#errors');
    expect((await fetch(`${service.url}${new URL(body.documentation_url).pathname}`)).status).toBe(200);
  });

  it.each([
    ['an unknown value', '/affiliates', 'state=enabled', ['pending', 'active', 'disabled', 'suspicious', 'rejected']],
    ['an unknown type of event, of which there are many', '/events', 'type=sale.paid', ['payout.paid', 'commission.*', '*']],
    ['an unknown parameter', '/affiliates', 'status=active', ['state', 'email']],
  ])('of %s names the accepted ones', async (_what, path, query, accepted) => {
    const { status, body } = await api.get<{ details: { accepted: string[] }[] }>(path, query);
    expect([status, body.details[0]!.accepted]).toEqual([422, expect.arrayContaining(accepted)]);
  });

  it('of unknown fields names the fields, once', async () => {
    const { body } = await api.post<{ details: { path: string; accepted?: string[] }[] }>('/affiliates', {
      mail: 'a',
      e_mail: 'a',
    });
    const unknown = body.details.filter(({ path }) => path !== 'email');
    expect(unknown.map(({ path, accepted }) => [path, accepted?.includes('email')])).toEqual([
      ['mail', true],
      ['e_mail', undefined],
    ]);
    const { body: key } = await api.post<{ details: { accepted: string[] }[] }>('/api_keys', {
      name: 'k',
      permissions: { 'v1.foo.read': true },
    });
    expect(key.details[0]!.accepted).toContain('v1.affiliates.read');
  });

  it('of a creation with If-None-Match: * names the record that exists', async () => {
    const path = `/affiliates/external:${encodeURIComponent(own.affiliate)}`;
    const reply = await api.send<ErrorBody>('PUT', path, {
      body: { email: started.affiliate.email },
      headers: { 'If-None-Match': '*' },
    });
    expect(reply).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED', details: { reason: 'exists', id: ids.affiliate } },
    });
    expect(reply.body.error).toContain('exists already');
    const created = await api.send('PUT', '/affiliates/external:new', {
      body: { email: 'new@example.com', campaign_id: ids.campaign },
      headers: { 'If-None-Match': '*' },
    });
    expect(created.status).toBe(201);
    await must(account, '/links', { affiliate_id: 'external:new', campaign_id: ids.campaign, url: 'https://shop.example.com' });
  });
});
