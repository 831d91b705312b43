import { beforeEach, describe, expect, it } from 'vitest';
import { plusDays } from '../../packages/core/src/platform/time/instant.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Affiliate = Outputs['affiliates']['get'];

const service = useService();
const account = useAccount(service);
let campaignId: string;

beforeEach(async () => {
  campaignId = (await newCampaign('Friends', { default: true })).id;
});

const newCampaign = (name: string, more: object = {}) =>
  must<{ id: string }>(account, '/campaigns', {
    name,
    url: 'https://shop.example.com',
    reward_type: 'percent',
    commission_percent: 10,
    ...more,
  });

async function events(): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await service.services.database.kysely
    .selectFrom('event')
    .select('body')
    .where('account_id', '=', account.id)
    .orderBy('id')
    .execute();
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
}

async function list(query = ''): Promise<Affiliate[]> {
  const reply = await account.api.get<{ data: Affiliate[] }>('/affiliates', query);
  expect(reply.status).toBe(200);
  return reply.body.data;
}

it('the audit log says which key changed payout addresses, without the addresses', async () => {
  const { id } = await must<Affiliate>(account, '/affiliates', { email: 'ada@example.com', walleta_email: 'ada@example.com' });
  await account.api.patch(`/affiliates/${id}`, { first_name: 'Ada', walleta_email: 'ada@example.com' });
  await account.api.patch(`/affiliates/${id}`, { walleta_email: 'other@example.com' });
  const { data } = await account.client.auditLog.browse.query({ tool: 'affiliates' });
  expect(data).toMatchObject([
    { caller_kind: 'api_key', action: 'update', arguments: { id, walleta_email: '[redacted]' } },
    { caller_kind: 'api_key', action: 'update', arguments: { id, first_name: 'Ada', walleta_email: '[redacted]' } },
    { caller_kind: 'api_key', action: 'create', arguments: { email: 'ada@example.com', walleta_email: '[redacted]' } },
  ]);
});

describe('creating an affiliate', () => {
  it('joins the default campaign, starts active, and emits created and approved', async () => {
    const { status, body } = await account.api.post<Affiliate>('/affiliates', { email: 'Ada@example.com', first_name: 'Ada' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^aff_[0-9a-hjkmnp-tv-z]{26}$/),
      livemode: true,
      email: 'Ada@example.com',
      campaign_id: campaignId,
      first_name: 'Ada',
      last_name: null,
      state: 'active',
      walleta_email: null,
      walletb_email: null,
      external_id: null,
      metadata: {},
      psp_customer_id: null,
      payouts_held_until: null,
      archived_at: null,
      erased_at: null,
      created_at: service.clock.instant(),
      updated_at: service.clock.instant(),
    });
    const { id, email, state, campaign_id, first_name, last_name, created_at, updated_at } = body;
    const data = { id, email, state, campaign_id, first_name, last_name, created_at, updated_at };
    expect(await events()).toMatchObject([
      { type: 'campaign.created' },
      { type: 'affiliate.created', data },
      { type: 'affiliate.approved', data },
    ]);
  });

  it.each(['pending', 'disabled', 'suspicious', 'rejected'])('can start %s, without being approved', async (state) => {
    expect(await must<Affiliate>(account, '/affiliates', { email: 'ada@example.com', state })).toMatchObject({ state });
    expect((await events()).map(({ type }) => type)).toEqual(['campaign.created', 'affiliate.created']);
  });

  it('requires a campaign if there is no default, and refuses an archived campaign', async () => {
    const archived = await newCampaign('Old');
    await account.api.delete(`/campaigns/${archived.id}`);
    expect(await account.api.post('/affiliates', { email: 'a@example.com', campaign_id: archived.id })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'campaign_id', code: 'archived' }] },
    });
    await account.api.delete(`/campaigns/${campaignId}`);
    expect(await account.api.post('/affiliates', { email: 'a@example.com' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'campaign_id', code: 'required' }] },
    });
    expect(await account.api.post('/affiliates', { email: 'a@example.com', campaign_id: 'camp_nobody' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'campaign_id', code: 'not_found' }] },
    });
  });

  it('accepts an email address once, in any case, even in concurrent requests; an archived affiliate frees it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        account.api.post('/affiliates', { email: i % 2 ? 'ADA@example.com' : 'ada@example.com' }),
      ),
    );
    const [created] = replies.filter(({ status }) => status === 201);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(9);
    expect(replies.find(({ status }) => status === 422)!.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'email', code: 'taken' }],
    });
    expect((await account.api.delete(`/affiliates/${String(created!.body['id'])}`)).status).toBe(204);
    await must(account, '/affiliates', { email: 'ada@example.com' });
  });

  it('accepts an external id once until its affiliate is archived or the id is removed', async () => {
    const ada = await must<Affiliate>(account, '/affiliates', { email: 'ada@example.com', external_id: 'customer-1' });
    const bob = await must<Affiliate>(account, '/affiliates', { email: 'bob@example.com' });
    const give = (external_id: string | null) => account.api.patch(`/affiliates/${bob.id}`, { external_id });
    expect(await give('customer-1')).toMatchObject({
      status: 422,
      body: { details: [{ path: 'external_id', code: 'taken' }] },
    });
    for (const invalid of ['', ' ', 'x'.repeat(256)]) expect((await give(invalid)).status).toBe(422);
    await account.api.delete(`/affiliates/${ada.id}`);
    expect(await give('customer-1')).toMatchObject({ status: 200, body: { external_id: 'customer-1' } });
    expect(await give(null)).toMatchObject({ status: 200, body: { external_id: null } });
    const other = await service.createAccount();
    await program(other, { default: true });
    await must(other, '/affiliates', { email: 'ada@example.com', external_id: 'customer-1' });
  });

  it.each([['not an address'], [''], [null], [5], ['a@example.com\0'], [`${'x'.repeat(300)}@example.com`]])(
    'refuses the address %j',
    async (email) => {
      const reply = await account.api.post('/affiliates', { email });
      expect(reply).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
      expect(await list()).toEqual([]);
    },
  );
});

describe('changing an affiliate', () => {
  it('moves between any states, and emits approved for each move to active, unless it was active', async () => {
    const affiliate = await must<Affiliate>(account, '/affiliates', { email: 'ada@example.com', state: 'pending' });
    for (const state of ['active', 'active', 'suspicious', 'active', 'rejected', 'disabled', 'pending']) {
      const reply = await account.api.patch(`/affiliates/${affiliate.id}`, { state });
      expect(reply).toMatchObject({ status: 200, body: { state } });
    }
    expect((await events()).filter(({ type }) => type === 'affiliate.approved')).toHaveLength(2);
  });

  it('removes the name “null” when the name is set to null', async () => {
    const { id } = await must<Affiliate>(account, '/affiliates', { email: 'null@example.com', first_name: 'null' });
    expect((await account.api.patch<Affiliate>(`/affiliates/${id}`, { first_name: null })).body.first_name).toBeNull();
    expect((await account.api.get<Affiliate>(`/affiliates/${id}`)).body.first_name).toBeNull();
  });

  it('changes only the given fields', async () => {
    const affiliate = await must<Affiliate>(account, '/affiliates', {
      email: 'ada@example.com',
      first_name: 'Ada',
      walleta_email: 'a@example.com',
    });
    service.clock.advance(1, 'minutes');
    const { body } = await account.api.patch<Affiliate>(`/affiliates/${affiliate.id}`, {
      walletb_email: 'b@example.com',
      last_name: 'King',
      walleta_email: null,
    });
    expect(body).toEqual({
      ...affiliate,
      walletb_email: 'b@example.com',
      last_name: 'King',
      walleta_email: null,
      payouts_held_until: plusDays(service.clock.instant(), 3),
      updated_at: service.clock.instant(),
    });
    expect((await account.api.patch(`/affiliates/${affiliate.id}`, { psp_customer_id: 'cus_1' })).status).toBe(422);
    expect((await account.api.patch('/affiliates/aff_nobody', {})).status).toBe(404);
  });
});

describe('archiving an affiliate', () => {
  it('removes the affiliate from lists, leaves it readable, and has no effect when repeated', async () => {
    const affiliate = await must<Affiliate>(account, '/affiliates', { email: 'ada@example.com' });
    const first = service.clock.instant();
    expect(await account.api.delete(`/affiliates/${affiliate.id}`)).toMatchObject({ status: 204, text: '' });
    service.clock.advance(1, 'hours');
    expect((await account.api.delete(`/affiliates/${affiliate.id}`)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await account.api.get(`/affiliates/${affiliate.id}`)).body).toMatchObject({ archived_at: first });
    expect(await list('archived=true')).toMatchObject([{ id: affiliate.id }]);
  });

  it('ends with archived_at null, and links record clicks again', async () => {
    const { affiliate, link } = await program(account, {}, { state: 'active' });
    const visits = async () => {
      const click = await fetch(`${service.url}/t/${link.token}?account_id=${account.id}`, { redirect: 'manual' });
      await click.text();
      return (await account.api.get<{ visitors: number }>(`/links/${link.id}`)).body.visitors;
    };
    await account.api.delete(`/affiliates/${affiliate.id}`);
    expect(await visits()).toBe(0);
    const restored = await account.api.patch<Affiliate>(`/affiliates/${affiliate.id}`, { archived_at: null });
    expect(restored).toMatchObject({ status: 200, body: { archived_at: null, state: 'active' } });
    expect((await list()).map(({ id }) => id)).toContain(affiliate.id);
    expect(await list('archived=true')).toEqual([]);
    expect(await visits()).toBe(1);
    expect(await account.api.patch(`/affiliates/${affiliate.id}`, { archived_at: service.clock.instant() })).toMatchObject({
      status: 422,
    });
  });

  it('does not end while another affiliate has the address or the campaign is archived', async () => {
    const { affiliate, campaign } = await program(account, {}, { email: 'twice@example.com', external_id: 'ext-1' });
    await account.api.delete(`/affiliates/${affiliate.id}`);
    const other = await must<Affiliate>(account, '/affiliates', { email: 'TWICE@example.com' });
    const restore = (more: object = {}) => account.api.patch(`/affiliates/${affiliate.id}`, { archived_at: null, ...more });
    expect(await restore()).toMatchObject({ status: 409, body: { code: 'CONFLICT', details: { reason: 'email_taken' } } });
    expect((await account.api.get(`/affiliates/${affiliate.id}`)).body).not.toMatchObject({ archived_at: null });
    await account.api.delete(`/affiliates/${other.id}`);
    const third = await must<Affiliate>(account, '/affiliates', { email: 'third@example.com', external_id: 'ext-1' });
    expect(await restore()).toMatchObject({ status: 409, body: { details: { reason: 'external_id_taken' } } });
    await account.api.delete(`/affiliates/${third.id}`);
    await account.api.delete(`/campaigns/${campaign.id}`);
    expect(await restore()).toMatchObject({ status: 409, body: { details: { reason: 'campaign_archived' } } });
    await account.api.patch(`/affiliates/${other.id}`, { archived_at: null });
    const open = await program(account);
    expect(await restore({ campaign_id: open.campaign.id, email: 'once@example.com' })).toMatchObject({ status: 200 });
  });
});

describe('the list of affiliates', () => {
  it('can be filtered by campaign, address, states, provider customer and time of change', async () => {
    const other = await newCampaign('Other');
    const ada = await must<Affiliate>(account, '/affiliates', { email: 'Ada@example.com', external_id: 'customer_1' });
    service.clock.advance(1, 'minutes');
    const bob = await must<Affiliate>(account, '/affiliates', {
      email: 'bob@example.com',
      campaign_id: other.id,
      state: 'pending',
    });
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids('')).toEqual([bob.id, ada.id]);
    expect(await ids(`campaign_id=${other.id}`)).toEqual([bob.id]);
    expect(await ids('email=aDA@example.com')).toEqual([ada.id]);
    expect(await ids('state[]=pending&state[]=rejected')).toEqual([bob.id]);
    expect(await ids('state=active,pending')).toEqual([bob.id, ada.id]);
    expect(await ids('psp_customer_id=cus_1')).toEqual([]);
    expect(await ids('external_id=customer_1')).toEqual([ada.id]);
    expect(await ids('external_id=CUSTOMER_1')).toEqual([]);
    expect(await ids(`updated_since=${bob.updated_at}`)).toEqual([bob.id]);
    expect(await ids(`updated_until=${ada.updated_at}`)).toEqual([ada.id]);
    expect((await account.api.get('/affiliates', 'stat=active')).status).toBe(422);
    expect((await account.api.get('/affiliates', 'state=')).status).toBe(422);
  });

  it('can be searched by address and name, and treats wildcards as text', async () => {
    const make = (email: string, first_name: string, last_name: string | null) =>
      must<Affiliate>(account, '/affiliates', { email, first_name, last_name });
    const ada = await make('countess@example.com', 'Ada', 'Lovelace');
    const bob = await make('bob_50@example.org', 'Bob 100%\\', null);
    const found = async (search: string) => (await list(new URLSearchParams({ search }).toString())).map(({ id }) => id);
    expect(await found('ada love')).toEqual([ada.id]);
    expect(await found('TESS@')).toEqual([ada.id]);
    expect(await found('example.')).toEqual([bob.id, ada.id]);
    for (const literal of ['0%\\', 'b_5', 'bob 1']) expect(await found(literal)).toEqual([bob.id]);
    for (const nothing of ['c%s', 'o_b', "' or true --", 'a\\d']) expect(await found(nothing)).toEqual([]);
  });

  it('can be expanded with campaign, links and sums', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    const referral = await refer(account, friends);
    await sell(account, { referral_id: referral.id, amount_cents: 12_345 });
    const [affiliate] = await list(`email=${friends.affiliate.email}&expand[]=campaign&expand=links,commission_stats`);
    expect(affiliate).toMatchObject({
      campaign: { id: friends.campaign.id },
      links: [{ id: friends.link.id, visitors: 1, conversions: 1 }],
      commission_stats: {
        visitors: 1,
        leads: 1,
        conversions: 1,
        currencies: [
          {
            currency: 'USD',
            pending_cents: 0,
            due_cents: 1235,
            paid_cents: 0,
            voided_cents: 0,
            under_review_cents: 0,
            gross_sales_cents: 12_345,
          },
        ],
      },
    });
    expect((await list(`email=${friends.affiliate.email}`))[0]).not.toHaveProperty('campaign');
  });
});
