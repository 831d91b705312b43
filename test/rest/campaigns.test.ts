import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { type Inputs, type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Campaign = Outputs['campaigns']['create'];
type CampaignPage = Outputs['campaigns']['list'];

const service = useService();
const account = useAccount(service);

const percent = { name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 12.5 } as const;
const fixed = { name: 'Fixed', url: 'https://shop.example.com', reward_type: 'fixed', commission_amount_cents: 500 } as const;

async function create(input: Partial<Inputs['campaigns']['create']> = {}): Promise<Campaign> {
  const { status, body } = await account.api.post<Campaign>('/campaigns', { ...percent, ...input });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

describe('creating a campaign', () => {
  it('fills in the documented defaults', async () => {
    const { status, body } = await account.api.post<Campaign>('/campaigns', percent);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^camp_[0-9a-hjkmnp-tv-z]{26}$/),
      ...percent,
      livemode: true,
      slug: 'friends',
      private: false,
      private_tokens: false,
      commission_amount_cents: null,
      commission_amount_currency: null,
      minimum_payout_cents: 0,
      minimum_payout_currency: 'USD',
      max_commission_period_months: null,
      max_commissions: null,
      days_before_referrals_expire: 60,
      days_until_commissions_are_due: 30,
      affiliate_dashboard_text: null,
      custom_reward_description: null,
      welcome_text: null,
      customers_visible_to_affiliates: false,
      sale_description_visible_to_affiliates: true,
      attribution: 'first_click',
      parameter_type: 'query',
      params: [],
      external_id: null,
      metadata: {},
      psp_coupon_id: null,
      default: false,
      archived_at: null,
      created_at: service.clock.instant(),
      updated_at: service.clock.instant(),
    });
  });

  it('accepts a fixed reward, by default in the currency of the account', async () => {
    const euros = await service.createAccount('EUR');
    const { body } = await euros.api.post('/campaigns', fixed);
    expect(body).toMatchObject({ commission_amount_cents: 500, commission_amount_currency: 'EUR', commission_percent: null });
    expect(await create({ ...fixed, commission_amount_currency: 'gbp' })).toMatchObject({ commission_amount_currency: 'GBP' });
  });

  it('generates slugs that are unique in the account', async () => {
    expect((await create({ name: 'Été à la mer!' })).slug).toBe('ete-a-la-mer');
    expect((await create({ name: 'Été à la mer!' })).slug).toBe('ete-a-la-mer-2');
    expect((await create({ name: '日本' })).slug).toBe('campaign');
    const { status, body } = await account.api.post<ErrorBody>('/campaigns', { ...percent, slug: 'campaign' });
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR', details: [{ path: 'slug' }] } });
    const other = await service.createAccount();
    expect((await other.api.post('/campaigns', { ...percent, slug: 'campaign' })).status).toBe(201);
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: '  ' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['reward_type', { reward_type: 'gift' }],
    ['commission_percent', { commission_percent: undefined }],
    ['commission_percent', { commission_percent: 100.01 }],
    ['commission_percent', { commission_percent: -1 }],
    ['commission_percent', { commission_percent: 12.345 }],
    ['commission_percent', { commission_percent: '10' }],
    ['commission_amount_cents', { reward_type: 'fixed' }],
    ['commission_amount_cents', { ...fixed, commission_amount_cents: -1 }],
    ['commission_amount_cents', { ...fixed, commission_amount_cents: 1.5 }],
    ['commission_amount_cents', { ...fixed, commission_amount_cents: 1e300 }],
    ['commission_amount_currency', { ...fixed, commission_amount_currency: 'XYZ' }],
    ['minimum_payout_cents', { minimum_payout_cents: -1 }],
    ['days_before_referrals_expire', { days_before_referrals_expire: 0 }],
    ['days_before_referrals_expire', { days_before_referrals_expire: 3651 }],
    ['days_until_commissions_are_due', { days_until_commissions_are_due: 1000 }],
    ['max_commissions', { max_commissions: 0 }],
    ['max_commission_period_months', { max_commission_period_months: 0 }],
    ['slug', { slug: 'Not A Slug' }],
    ['parameter_type', { parameter_type: 'cookie' }],
    ['params.0', { params: ['via'] }],
    ['params.0', { params: ['r ef'] }],
    ['default', { default: 'true' }],
    ['comission_percent', { comission_percent: 10 }],
  ])('refuses a bad %s', async (path, change) => {
    const { status, body } = await account.api.post<ErrorBody>('/campaigns', { ...percent, ...change });
    expect(status).toBe(422);
    expect(body.code).toBe('VALIDATION_ERROR');
    expect(body.details?.map((detail) => detail.path)).toContain(path);
  });
});

describe('changing a campaign', () => {
  it('changes only the given fields', async () => {
    const campaign = await create({ welcome_text: 'Hello' });
    service.clock.advance(1, 'seconds');
    const { status, body } = await account.api.patch<Campaign>(`/campaigns/${campaign.id}`, { name: 'New', welcome_text: null });
    expect(status).toBe(200);
    expect(body).toEqual({ ...campaign, name: 'New', welcome_text: null, updated_at: service.clock.instant() });
    expect((await account.api.get(`/campaigns/${campaign.id}`)).body).toEqual(body);
  });

  it('never leaves two rewards', async () => {
    const { id } = await create();
    const { body } = await account.api.patch<Campaign>(`/campaigns/${id}`, {
      reward_type: 'fixed',
      commission_amount_cents: 700,
    });
    expect(body).toMatchObject({ commission_percent: null, commission_amount_cents: 700, commission_amount_currency: 'USD' });
    const refused = await account.api.patch<ErrorBody>(`/campaigns/${id}`, { reward_type: 'percent' });
    expect(refused).toMatchObject({ status: 422, body: { details: [{ path: 'commission_percent' }] } });
  });

  it('refuses an id in the body', async () => {
    const { id } = await create();
    const { status, body } = await account.api.patch<ErrorBody>(`/campaigns/${id}`, { id: 'camp_other' });
    expect({ status, body }).toMatchObject({ status: 422, body: { details: [{ path: 'id' }] } });
  });
});

describe('the default campaign', () => {
  it('moves from one campaign to another', async () => {
    const first = await create({ default: true });
    const second = await create({ default: true });
    expect(await defaults()).toEqual([second.id]);
    await account.api.patch(`/campaigns/${first.id}`, { default: true });
    expect(await defaults()).toEqual([first.id]);
    await account.api.patch(`/campaigns/${first.id}`, { default: false });
    expect(await defaults()).toEqual([]);
  });

  it('is unique, even after concurrent requests', async () => {
    const campaigns = await Promise.all(Array.from({ length: 8 }, (_, i) => create({ name: `Campaign ${i}` })));
    const replies = await Promise.all(campaigns.map(({ id }) => account.api.patch(`/campaigns/${id}`, { default: true })));
    expect(replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(await defaults()).toHaveLength(1);
  });

  it('ends when the campaign is archived, and an archived campaign cannot become the default', async () => {
    const { id } = await create({ default: true });
    await account.api.delete(`/campaigns/${id}`);
    expect((await account.api.get<Campaign>(`/campaigns/${id}`)).body.default).toBe(false);
    expect((await account.api.patch(`/campaigns/${id}`, { default: true })).status).toBe(422);
  });

  async function defaults(): Promise<string[]> {
    const { body } = await account.api.get<CampaignPage>('/campaigns', { limit: 100 });
    return body.data.filter((campaign) => campaign.default).map(({ id }) => id);
  }
});

describe('archiving a campaign', () => {
  it('removes the campaign from lists and leaves it readable', async () => {
    const kept = await create();
    const { id } = await create();
    service.clock.advance(1, 'minutes');
    const archivedAt = service.clock.instant();
    const { status, text } = await account.api.delete(`/campaigns/${id}`);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    service.clock.advance(1, 'minutes');
    expect((await account.api.delete(`/campaigns/${id}`)).status).toBe(204);
    expect((await account.api.get<Campaign>(`/campaigns/${id}`)).body.archived_at).toBe(archivedAt);
    const { body } = await account.api.get<CampaignPage>('/campaigns');
    expect(body.data.map((campaign) => campaign.id)).toEqual([kept.id]);
    expect(body.pagination.total_count).toBe(1);
  });

  it('ends with archived_at null, and the campaign is not the default again', async () => {
    const { id } = await create({ default: true });
    await account.api.delete(`/campaigns/${id}`);
    const archived = async () => (await account.api.get<CampaignPage>('/campaigns', { archived: true })).body.data;
    expect((await archived()).map((campaign) => campaign.id)).toEqual([id]);
    const restored = await account.api.patch<Campaign>(`/campaigns/${id}`, { archived_at: null });
    expect(restored).toMatchObject({ status: 200, body: { archived_at: null, default: false } });
    expect(await archived()).toEqual([]);
    await account.api.delete(`/campaigns/${id}`);
    expect((await account.api.patch(`/campaigns/${id}`, { archived_at: null, default: true })).body).toMatchObject({
      default: true,
    });
  });
});

describe('another account', () => {
  it('does not see the campaigns', async () => {
    const { id } = await create();
    const other = await service.createAccount();
    const replies = await Promise.all([
      other.api.get(`/campaigns/${id}`),
      other.api.patch(`/campaigns/${id}`, { name: 'Mine' }),
      other.api.delete(`/campaigns/${id}`),
      other.api.get('/campaigns/camp_01k9v7m3q8e2t4r6w8y0a1b2c3'),
      other.api.get('/campaigns/nonsense'),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(replies.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))).size).toBe(1);
    expect((await other.api.get<CampaignPage>('/campaigns')).body.data).toEqual([]);
    expect((await account.api.get<Campaign>(`/campaigns/${id}`)).body.name).toBe(percent.name);
  });
});
