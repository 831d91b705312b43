import { describe, expect, it } from 'vitest';
import { type ErrorBody, type Fields, send } from '../support/http.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

const service = useService();
const account = useAccount(service);
const friends = useProgram(account);

function follow(token: string, { cookie, purpose, query }: { cookie?: string; purpose?: string; query?: string } = {}) {
  return send(`${service.url}/t/${token}`, 'GET', {
    query: query ?? `account_id=${account.id}`,
    headers: { ...(cookie ? { Cookie: cookie } : {}), ...(purpose ? { 'Sec-Purpose': purpose } : {}) },
  });
}

async function referrals(): Promise<Outputs['referrals']['get'][]> {
  return (await account.api.get<{ data: Outputs['referrals']['get'][] }>('/referrals')).body.data;
}

const cookieOf = (reply: { headers: Headers }) => reply.headers.get('set-cookie')?.split(';')[0];

describe('GET /t/<token>', () => {
  it('creates a referral, sets the cookie, and redirects with via and referral', async () => {
    const reply = await follow(friends.link.token.toUpperCase());
    const [referral] = await referrals();
    expect(reply.status).toBe(302);
    expect(reply.headers.get('location')).toBe(
      `https://shop.example.com/start?via=${friends.link.token}&referral=${referral!.id}`,
    );
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('set-cookie')).toMatch(/HttpOnly; Secure; SameSite=Lax|HttpOnly.*Secure.*SameSite=Lax/);
    expect(referral).toMatchObject({ conversion_state: 'visitor', affiliate_id: friends.affiliate.id, link_id: friends.link.id });
    const link = await account.api.get(`/links/${friends.link.id}`);
    expect(link.body).toMatchObject({ clicks: 1, visitors: 1, leads: 0, conversions: 0 });
  });

  it('compares tokens without case and blanks', async () => {
    const { token, id } = friends.link;
    for (const written of [`${token}%20`, `%09${token.toUpperCase()}%0A`, `${token.slice(0, 1)}%C2%A0${token.slice(1)}`])
      expect((await follow(written)).headers.get('location')).toContain(`via=${token}&referral=`);
    expect(new Set((await referrals()).map(({ link_id }) => link_id))).toEqual(new Set([id]));
  });

  it.each(['.', ')', ',', '%22', '%3E', '%E2%80%8B', '%', '%2F', '%zz', '%C3%28', '.%20Buy%20now!'])(
    'follows the link with which a path begins that continues with %s',
    async (rest) => {
      const { token, id } = friends.link;
      const { body } = await account.api.get<Outputs['links']['get']>(`/links/${id}`);
      const reply = await send(`${service.url}${new URL(body.tracking_url).pathname}${rest}`, 'GET');
      expect(reply.headers.get('location')).toContain(`via=${token}&referral=`);
    },
  );

  it('leads from a path with an unknown token that no route can read to the default campaign', async () => {
    await account.api.patch(`/campaigns/${friends.campaign.id}`, { default: true });
    const reply = await send(`${service.url}/t/unknown%`, 'GET', { query: `account_id=${account.id}` });
    expect(reply).toMatchObject({ status: 302 });
    expect(reply.headers.get('location')).toBe(friends.campaign.url);
  });

  it('passes parameters of its address on, except those that the destination has or that name a referral', async () => {
    await account.api.patch(`/links/${friends.link.id}`, { url: 'https://shop.example.com/start?utm_source=own' });
    const query = `account_id=${account.id}&utm_source=yt&gclid=G1&via=x&REFERRAL=y&q=a%20b&q=c`;
    const visited = new URL((await follow(friends.link.token, { query })).headers.get('location')!);
    const [referral] = await referrals();
    expect([...visited.searchParams]).toEqual([
      ['utm_source', 'own'],
      ['via', friends.link.token],
      ['referral', referral!.id],
      ['gclid', 'G1'],
      ['q', 'a b'],
      ['q', 'c'],
    ]);
    const [archived] = [await account.api.delete(`/links/${friends.link.id}`)];
    expect(archived.status).toBe(204);
    expect((await follow(friends.link.token, { query: `account_id=${account.id}&gclid=G1` })).headers.get('location')).toBe(
      `${friends.campaign.url}?gclid=G1`,
    );
  });

  it('lets the page to which it leads see the origin of the page with the link', async () => {
    expect((await follow(friends.link.token)).headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  });

  it('keeps the first click’s referral while it is live, and counts every click', async () => {
    const rival = await program(account, {}, { first_name: 'Bob' });
    const first = await follow(friends.link.token);
    const second = await follow(rival.link.token, { cookie: cookieOf(first)! });
    const [referral, ...others] = await referrals();
    expect(others).toEqual([]);
    expect(new URL(second.headers.get('location')!).searchParams.get('referral')).toBe(referral!.id);
    expect((await account.api.get(`/links/${rival.link.id}`)).body).toMatchObject({ clicks: 1, visitors: 0 });

    service.clock.advance(61, 'days');
    await follow(rival.link.token, { cookie: cookieOf(first)! });
    expect((await referrals()).map(({ affiliate_id }) => affiliate_id)).toEqual([rival.affiliate.id, friends.affiliate.id]);
  });

  it('adds its parameters to the fragment if the campaign is set to do so', async () => {
    await account.api.patch(`/campaigns/${friends.campaign.id}`, { parameter_type: 'hash' });
    const url = new URL((await follow(friends.link.token)).headers.get('location')!);
    expect(url.search).toBe('');
    expect(new URLSearchParams(url.hash.slice(1)).get('via')).toBe(friends.link.token);
  });

  it.each(['disabled', 'pending', 'rejected'])(
    'records nothing for a %s affiliate, and redirects to the campaign’s URL',
    async (state) => {
      await account.api.patch(`/affiliates/${friends.affiliate.id}`, { state });
      const reply = await follow(friends.link.token);
      expect(reply.status).toBe(302);
      expect(reply.headers.get('location')).toBe(friends.campaign.url);
      expect(reply.headers.get('set-cookie')).toBeNull();
      expect(await referrals()).toEqual([]);
    },
  );

  it('records the visits of a suspicious affiliate, because the merchant has not decided yet', async () => {
    await account.api.patch(`/affiliates/${friends.affiliate.id}`, { state: 'suspicious' });
    expect((await follow(friends.link.token)).headers.get('location')).toContain(friends.link.token);
    expect(await referrals()).toHaveLength(1);
  });

  it('records nothing for archived links, affiliates and campaigns', async () => {
    for (const path of [
      `/links/${friends.link.id}`,
      `/affiliates/${friends.affiliate.id}`,
      `/campaigns/${friends.campaign.id}`,
    ]) {
      await account.api.delete(path);
      expect((await follow(friends.link.token)).headers.get('location')).toBe(friends.campaign.url);
    }
    expect(await referrals()).toEqual([]);
  });

  it('redirects unknown tokens to the default campaign, and answers 404 without one', async () => {
    expect((await follow('nobody')).status).toBe(404);
    await account.api.patch(`/campaigns/${friends.campaign.id}`, { default: true });
    expect((await follow('nobody')).headers.get('location')).toBe(friends.campaign.url);
    expect((await follow('nobody', { query: '' })).status).toBe(404);
  });

  it('does not count prefetches', async () => {
    expect((await follow(friends.link.token, { purpose: 'prefetch;prerender' })).status).toBe(302);
    expect(await referrals()).toEqual([]);
  });

  it('distinguishes links of different accounts with the same token', async () => {
    const other = await service.createAccount();
    const theirs = await program(other);
    await other.api.patch(`/links/${theirs.link.id}`, { token: friends.link.token, url: 'https://other.example.com/' });
    const reply = await send(`${service.url}/t/${friends.link.token}`, 'GET', { query: `account_id=${other.id}` });
    expect(reply.headers.get('location')).toContain('https://other.example.com/');
    expect(await referrals()).toEqual([]);
  });
});

describe('a tracked link over tRPC', () => {
  it('returns the destination and the referral, keeps the first click, and can be followed without recording', async () => {
    const { followLink } = account.client.tracking;
    const { token } = friends.link;
    const seen = await followLink.mutate({ token, account_id: account.id, record: false });
    expect(seen).toEqual({ url: friends.link.url, account_id: account.id, referral: null });
    expect(await referrals()).toEqual([]);

    const first = await followLink.mutate({ token, account_id: account.id });
    const [referral] = await referrals();
    expect(first).toEqual({
      url: `https://shop.example.com/start?via=${token}&referral=${referral!.id}`,
      account_id: account.id,
      referral: { id: referral!.id, expires_at: referral!.expires_at },
    });
    const input = { token, account_id: account.id, known_referrals: { [account.id]: referral!.id } };
    expect(await followLink.mutate(input)).toEqual(first);
    expect(await referrals()).toHaveLength(1);
    await expect(followLink.mutate({ token: 'nobody', account_id: account.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('POST /track/visits', () => {
  const visit = (parameters: string) =>
    send<{ referral_id: string | null }>(`${service.url}/track/visits`, 'POST', { body: { account_id: account.id, parameters } });

  it('counts for the first value that is the token of a link that can earn', async () => {
    const archived = await program(account, {}, { first_name: 'Bob' });
    await account.api.delete(`/links/${archived.link.id}`);
    const { body } = await visit(`via=footer&via=${archived.link.token}&x=1&via=${friends.link.token}%20`);
    expect(await referrals()).toMatchObject([{ id: body.referral_id, link_id: friends.link.id }]);
  });

  it('looks up at most four values', async () => {
    const { body } = await visit(`via=a&via=b&via=c&via=d&via=${friends.link.token}`);
    expect(body).toMatchObject({ referral_id: null });
    expect(await referrals()).toEqual([]);
  });
});

describe('POST /track/leads', () => {
  const lead = (body: object) => send(`${service.url}/track/leads`, 'POST', { body });

  it('binds the customer and makes the referral a lead', async () => {
    const referral = await refer(account, friends);
    const reply = await lead({ referral_id: referral.id, email: 'Grace@example.com', name: 'Grace Hopper' });
    expect(reply).toMatchObject({ status: 200, body: { referral_id: referral.id, conversion_state: 'lead' } });
    const bound = await account.api.get(`/referrals/${referral.id}`, 'expand=customer');
    expect(bound.body).toMatchObject({ customer: { email: 'Grace@example.com', first_name: 'Grace', last_name: 'Hopper' } });
    const { commission } = await sell(account, { customer_email: 'grace@EXAMPLE.com' });
    expect(commission).toMatchObject({ referral_id: referral.id, amount_cents: 1000 });
  });

  it('binds neither paying nor already bound customers, and the response does not reveal this', async () => {
    const referral = await refer(account, friends);
    await sell(account, { customer_email: 'old@example.com' });
    service.clock.advance(1, 'seconds');
    const reply = await lead({ referral_id: referral.id, email: 'old@example.com' });
    expect(reply).toMatchObject({ status: 200, body: { conversion_state: 'lead' } });
    expect((await account.api.get(`/referrals/${referral.id}`)).body).toMatchObject({ customer_id: null });
    expect((await account.api.get<{ data: unknown[] }>('/commissions')).body.data).toEqual([]);

    const second = await refer(account, friends);
    await lead({ referral_id: referral.id, email: 'new@example.com' });
    service.clock.advance(1, 'seconds');
    await lead({ referral_id: second.id, email: 'new@example.com' });
    expect((await account.api.get(`/referrals/${second.id}`)).body).toMatchObject({
      customer_id: null,
      conversion_state: 'lead',
    });
  });

  it('does not change a referral that is no longer live, and refuses an unknown referral', async () => {
    const referral = await refer(account, friends);
    await account.api.delete(`/referrals/${referral.id}`);
    expect(await lead({ referral_id: referral.id, email: 'late@example.com' })).toMatchObject({
      status: 200,
      body: { conversion_state: 'visitor' },
    });
    expect(await lead({ referral_id: 'ref_nobody', email: 'late@example.com' })).toMatchObject({ status: 422 });
  });

  it('binds one customer in concurrent requests', async () => {
    const referral = await refer(account, friends);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => lead({ referral_id: referral.id, email: `${unique('racer')}-${i}@example.com` })),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    const { body } = await account.api.get(`/referrals/${referral.id}`, 'expand=customer');
    expect(body['customer']).toMatchObject({ email: expect.stringContaining('racer') });
  });
});

describe('POST /track/sales', () => {
  it('accepts keys that may only write sales', async () => {
    const reader = await account.apiWith({ 'v1.sales.read': true, 'v1.commissions.write': true });
    const sale = { external_id: unique('order'), customer_email: 'c@example.com', amount_cents: 100, currency: 'USD' };
    expect((await reader.post('/track/sales', sale)).status).toBe(403);
    expect((await (await account.apiWith({ 'v1.sales.write': true })).post('/track/sales', sale)).status).toBe(201);
  });

  it('requires the customer, and refuses an impossible tax', async () => {
    const base = { external_id: unique('order'), amount_cents: 100, currency: 'USD' };
    expect(await account.api.post('/track/sales', base)).toMatchObject({
      status: 422,
      body: { details: [{ path: 'referral_id', code: 'required' }] },
    });
    expect(
      await account.api.post('/track/sales', { ...base, customer_email: 'c@example.com', tax_amount_cents: 101 }),
    ).toMatchObject({
      status: 422,
      body: { details: [{ path: 'tax_amount_cents' }] },
    });
  });

  it('accepts null for unknown fields', async () => {
    const unknown = { referral_id: null, psp_customer_id: null, promo_code: null, customer_name: null, description: null };
    const sale = { external_id: unique('order'), amount_cents: 100, currency: 'USD', charged_at: null, ...unknown };
    expect(await account.api.post('/track/sales', { ...sale, customer_email: 'null@example.com' })).toMatchObject({
      status: 201,
      body: { sale: { description: null, promo_code: null, charged_at: service.clock.instant() } },
    });
    expect(await account.api.post('/track/sales', { ...sale, external_id: unique('order'), customer_email: null })).toMatchObject(
      {
        status: 422,
        body: { details: [{ path: 'referral_id', code: 'required' }] },
      },
    );
  });

  it('creates one sale, one commission and one event for 100 identical concurrent requests', async () => {
    const referral = await refer(account, friends);
    const sale = {
      external_id: 'order-1',
      referral_id: referral.id,
      customer_email: 'c@example.com',
      amount_cents: 10_000,
      currency: 'usd',
    };
    const replies = await Promise.all(Array.from({ length: 100 }, () => account.api.post('/track/sales', sale)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 99 }, () => 200),
      201,
    ]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const { data } = (await account.api.get<{ data: unknown[] }>('/commissions')).body;
    expect(data).toHaveLength(1);
    const events = await service.services.database.kysely
      .selectFrom('event')
      .select('type')
      .where('account_id', '=', account.id)
      .execute();
    expect(events.filter(({ type }) => type === 'commission.created')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'referral.converted')).toHaveLength(1);
  });
});

describe('a second report with the same external_id', () => {
  const FIRST = {
    amount_cents: 10_000,
    tax_amount_cents: 500,
    currency: 'usd',
    customer_email: 'Cee@example.com',
    psp_customer_id: 'cus_first',
    description: 'Annual plan',
  };

  async function reported(more: Fields = {}) {
    const { id: referral_id } = await refer(account, friends);
    const sale = { external_id: unique('order'), referral_id, ...FIRST, ...more };
    const { status, body } = await account.api.post<Outputs['tracking']['recordSale']>('/track/sales', sale);
    expect({ status, body }).toMatchObject({ status: 201 });
    return { sale, stored: body };
  }

  it.each([
    ['the same values', {}],
    ['another spelling of currency and address', { currency: 'USD', customer_email: 'cEE@EXAMPLE.com' }],
    ['only the address of the customer', { psp_customer_id: null }],
    ['only the provider id of the customer', { customer_email: null }],
    ['no customer', { psp_customer_id: null, customer_email: null }],
    ['another address, but the same provider id', { customer_email: 'new@example.com' }],
    ['another provider id, but the same address', { psp_customer_id: 'cus_second' }],
    ['another description', { description: 'Monthly plan' }],
  ])('answers 200 with the stored sale for %s', async (_name, more) => {
    const { sale, stored } = await reported();
    expect(await account.api.post('/track/sales', { ...sale, ...more })).toMatchObject({ status: 200, body: stored });
  });

  it.each([
    [{ amount_cents: 10_001 }, ['amount_cents']],
    [{ amount_cents: 1_000 }, ['amount_cents']],
    [{ tax_amount_cents: 0 }, ['tax_amount_cents']],
    [{ currency: 'EUR' }, ['currency']],
    [{ customer_email: 'dee@example.com', psp_customer_id: null }, ['customer_email']],
    [{ customer_email: null, psp_customer_id: 'cus_other' }, ['psp_customer_id']],
    [{ customer_email: 'dee@example.com', psp_customer_id: 'cus_other' }, ['customer_email', 'psp_customer_id']],
    [
      { amount_cents: 1_000, currency: 'EUR', customer_email: 'dee@example.com', psp_customer_id: null },
      ['amount_cents', 'currency', 'customer_email'],
    ],
  ])('answers 409 with the stored sale for %j, and changes nothing', async (more, fields) => {
    const { sale, stored } = await reported();
    const { status, body } = await account.api.post<ErrorBody>('/track/sales', { ...sale, ...more });
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'other_values', fields, sale: stored.sale, commission: stored.commission } },
    });
    for (const way of ['/track/refunds', '/api/v1/commissions', 'PATCH /api/v1/referrals']) expect(body.error).toContain(way);
    expect(await account.api.post('/track/sales', sale)).toMatchObject({ status: 200, body: stored });
    expect((await account.api.get<{ data: unknown[] }>('/commissions')).body.data).toHaveLength(1);
    expect((await account.client.customers.list.query({})).data).toHaveLength(1);
  });

  it('compares the report, not the sale, so that refunds, voids and merged customers change nothing', async () => {
    const { sale, stored } = await reported({ psp_customer_id: null });
    await must(account, '/track/refunds', { external_id: sale.external_id, refund_id: unique('back'), amount_cents: 4_000 });
    await account.api.delete(`/commissions/${stored.commission!.id}`);
    // Shows that the customer with this address is also the customer with this provider id.
    await sell(account, { psp_customer_id: 'cus_later' });
    await sell(account, { psp_customer_id: 'cus_later', customer_email: FIRST.customer_email });
    expect((await account.api.post('/track/sales', sale)).status).toBe(200);
    expect((await account.api.post('/track/sales', { ...sale, customer_email: null, psp_customer_id: 'cus_later' })).status).toBe(
      200,
    );
    expect((await account.api.post('/track/sales', { ...sale, amount_cents: 6_000 })).status).toBe(409);
  });

  it('may name the customer of a sale that was reported without one, but not another customer than that of its referral', async () => {
    const unknown = await reported({ customer_email: null, psp_customer_id: null });
    expect((await account.api.post('/track/sales', { ...unknown.sale, customer_email: 'dee@example.com' })).status).toBe(200);
    const { id: referral_id } = await refer(account, friends);
    await sell(account, { referral_id, customer_email: 'known@example.com' });
    const { sale } = await reported({ referral_id, customer_email: null, psp_customer_id: null });
    expect((await account.api.post('/track/sales', { ...sale, customer_email: 'known@example.com' })).status).toBe(200);
    expect((await account.api.post('/track/sales', { ...sale, customer_email: 'dee@example.com' })).status).toBe(409);
  });

  it('is compared with the sale itself if an older version recorded the first report', async () => {
    const { sale } = await reported();
    const { kysely } = service.services.database;
    await kysely
      .updateTable('sale')
      .set({ report: null })
      .where('external_id', '=', sale.external_id)
      .where('account_id', '=', account.id)
      .execute();
    expect((await account.api.post('/track/sales', sale)).status).toBe(200);
    for (const more of [
      { amount_cents: 9_000 },
      { currency: 'EUR' },
      { customer_email: 'dee@example.com', psp_customer_id: null },
    ])
      expect((await account.api.post('/track/sales', { ...sale, ...more })).status).toBe(409);
  });

  it('gets the same answers when many reports arrive at once', async () => {
    const { id: referral_id } = await refer(account, friends);
    const sale = { external_id: unique('order'), referral_id, currency: 'USD' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        account.api.post('/track/sales', { ...sale, amount_cents: index % 2 === 0 ? 1_000 : 2_000 }),
      ),
    );
    const counts = Map.groupBy(replies, ({ status }) => status);
    expect([201, 200, 409].map((status) => counts.get(status)?.length)).toEqual([1, 9, 10]);
  });
});

describe('POST /track/refunds', () => {
  it('answers 409 with the stored refund for another amount under the same refund_id, and changes nothing', async () => {
    const { id: referral_id } = await refer(account, friends);
    const { sale } = await sell(account, { referral_id });
    const refund = { external_id: sale.external_id, refund_id: unique('back'), amount_cents: 4_000 };
    await must(account, '/track/refunds', refund);
    for (const amount_cents of [1, 3_999, 4_001, 6_000]) {
      expect(await account.api.post('/track/refunds', { ...refund, amount_cents })).toMatchObject({
        status: 409,
        body: {
          code: 'CONFLICT',
          details: {
            reason: 'other_values',
            fields: ['amount_cents'],
            refund: { refund_id: refund.refund_id, amount_cents: 4_000 },
            sale: { id: sale.id, refund_amount_cents: 4_000 },
          },
        },
      });
    }
    expect(await account.api.post('/track/refunds', refund)).toMatchObject({
      status: 200,
      body: { sale: { refund_amount_cents: 4_000 } },
    });
  });

  it('is idempotent by refund_id, and refuses more than the charge', async () => {
    const referral = await refer(account, friends);
    const { sale } = await sell(account, { referral_id: referral.id });
    const refund = { external_id: sale.external_id, refund_id: 'refund-1', amount_cents: 4_000 };
    const replies = await Promise.all(Array.from({ length: 10 }, () => account.api.post('/track/refunds', refund)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
    expect(replies[0]!.body).toMatchObject({
      sale: { refund_amount_cents: 4_000, sale_amount_cents: 6_000 },
      commission: { amount_cents: 600 },
    });
    const tooMuch = await account.api.post('/track/refunds', { ...refund, refund_id: 'refund-2', amount_cents: 6_001 });
    expect(tooMuch).toMatchObject({ status: 422, body: { details: [{ path: 'amount_cents', code: 'too_big' }] } });
    expect(await account.api.post('/track/refunds', { ...refund, external_id: 'unknown' })).toMatchObject({ status: 422 });
    await must(account, '/track/refunds', { ...refund, refund_id: 'refund-2', amount_cents: 6_000 });
    expect((await account.api.get<{ data: { state: string }[] }>('/commissions')).body.data).toMatchObject([
      { state: 'voided', void_reason: 'refunded' },
    ]);
  });
});
