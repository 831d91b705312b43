import { describe, expect, it } from 'vitest';
import type { ErrorBody, Fields } from '../support/http.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';
import { type RewardRule, rule } from './program.ts';

const service = useService();
const account = useAccount(service);
const friends = useProgram(account);

const listed = async (query: Fields = {}) =>
  (await account.api.get<{ data: RewardRule[] }>('/reward_rules', { campaign_id: friends.campaign.id, ...query })).body.data;

describe('reward rules', () => {
  it('are listed in the order in which they decide, page by page, ended ones only on request', async () => {
    const { campaign, affiliate, link } = friends;
    const general = await rule(account, campaign, { pay: { percent: 1 } });
    const second = await rule(account, campaign, { pay: { percent: 2 } });
    const own = await rule(account, campaign, { affiliate_id: affiliate.id, pay: { percent: 3 } });
    const ofLink = await rule(account, campaign, { link_id: link.id, pay: { percent: 4 } });
    const first = await rule(account, campaign, { position: 0, pay: { percent: 5 } });
    const order = [ofLink, own, general, first, second].map(({ id }) => id);
    expect((await listed()).map(({ id }) => id)).toEqual(order);
    const pages: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { body } = await account.api.get<{ data: RewardRule[]; pagination: { next_cursor: string | null } }>(
        '/reward_rules',
        {
          limit: '2',
          ...(cursor !== undefined && { starting_after: cursor }),
        },
      );
      pages.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor;
    }
    expect(pages).toEqual(order);
    await account.api.delete(`/reward_rules/${own.id}`);
    await account.api.delete(`/reward_rules/${own.id}`);
    expect((await listed({ ended: 'true' })).map(({ id, version }) => [id, version])).toEqual([[own.id, 2]]);
    expect((await listed({ affiliate_id: affiliate.id })).length).toBe(0);
    const { status, body } = await account.api.patch<ErrorBody>(`/reward_rules/${own.id}`, { name: 'Again' });
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });

  it('have a maximum size, alone and together', async () => {
    const { campaign } = await program(account);
    const values = (count: number) => Array.from({ length: count }, (_, i) => String(i).padEnd(250, 'x'));
    const create = (count: number) =>
      account.api.post<ErrorBody>('/reward_rules', {
        campaign_id: campaign.id,
        name: 'Many products',
        pay: { percent: 1 },
        when: { products: values(count) },
      });
    const tooBig = { code: 'VALIDATION_ERROR', details: [{ path: 'when', code: 'too_big' }] };
    expect(await create(66)).toMatchObject({ status: 422, body: tooBig });
    for (let i = 0; i < 16; i += 1) expect((await create(60)).status).toBe(201);
    const { id } = await rule(account, campaign, { when: { products: values(50) }, pay: { percent: 1 } });
    expect(await create(60)).toMatchObject({ status: 422, body: tooBig });
    expect(await account.api.patch(`/reward_rules/${id}`, { when: { products: values(64) } })).toMatchObject({ status: 200 });
    expect((await create(1)).status).toBe(201);
    const planned = { create: { name: 'More', pay: { percent: 1 }, when: { products: values(60) } } };
    expect(await account.api.post(`/campaigns/${campaign.id}/rewards/preview_change`, planned)).toMatchObject({
      status: 422,
      body: tooBig,
    });
  });

  it('get a new version by what changes earnings, and by nothing else', async () => {
    const { id } = await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 12.34 } });
    const versionAfter = async (changes: Fields) =>
      (await account.api.patch<RewardRule>(`/reward_rules/${id}`, changes)).body.version;
    expect(await versionAfter({ name: 'Renamed' })).toBe(1);
    expect(await versionAfter({ pay: { percent: 12.34 }, when: { products: ['pro'] }, cap: null })).toBe(1);
    expect(await versionAfter({ pay: { percent: 12.35 } })).toBe(2);
    expect(await versionAfter({ when: {} })).toBe(3);
    expect(await versionAfter({ until: '2030-01-01T00:00:00Z' })).toBe(4);
    expect((await account.api.get(`/reward_rules/${id}`)).body).toMatchObject({
      name: 'Renamed',
      pay: { percent: 12.35 },
      when: {},
    });
  });

  it.each<[Fields, string]>([
    [{ pay: {} }, 'pay'],
    [{ pay: { percent: 10, nothing: true } }, 'pay'],
    [{ pay: { percent: 10.123 } }, 'pay.percent'],
    [{ pay: { fixed: { amount_cents: 100, currency: 'XXY' } } }, 'pay.fixed.currency'],
    [{ when: { products: [] } }, 'when.products'],
    [{ when: { sale_number: { from: 3, to: 2 } } }, 'when.sale_number.to'],
    [{ when: { sale_number: { to: 0 } } }, 'when.sale_number.to'],
    [{ when: { age_months: { from: 12, to: 12 } } }, 'when.age_months.to'],
    [{ when: { countries: ['Germany'] } }, 'when.countries.0'],
    [{ when: { color: 'red' } }, 'when.color'],
    [{ from: '2027-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z' }, 'until'],
    [{ campaign_id: 'camp_00000000000000000000000000' }, 'campaign_id'],
    [{ affiliate_id: 'aff_00000000000000000000000000' }, 'affiliate_id'],
    [{ link_id: 'link_00000000000000000000000000' }, 'link_id'],
  ])('are refused with %j, naming %s', async (values, path) => {
    const { status, body } = await account.api.post<ErrorBody>('/reward_rules', {
      campaign_id: friends.campaign.id,
      name: 'Wrong',
      pay: { percent: 10 },
      ...values,
    });
    expect({ status, paths: (body.details as { path: string }[]).map((detail) => detail.path) }).toEqual({
      status: 422,
      paths: [path],
    });
    expect(await listed()).toEqual([]);
  });

  it('of a link of another campaign or affiliate are refused', async () => {
    const other = await program(account);
    const refusal = async (values: Fields) =>
      (await account.api.post<ErrorBody>('/reward_rules', { name: 'Wrong', pay: { percent: 1 }, ...values })).status;
    expect(await refusal({ campaign_id: friends.campaign.id, link_id: other.link.id })).toBe(422);
    expect(await refusal({ campaign_id: other.campaign.id, link_id: other.link.id, affiliate_id: friends.affiliate.id })).toBe(
      422,
    );
  });

  it('that exclude products go first unless somebody has placed them, and leave the other rules as they are', async () => {
    const shop = await program(account);
    const { campaign } = shop;
    const excludes = (product: string, more: Fields = {}) =>
      rule(account, campaign, { name: product, when: { products: [product] }, pay: { nothing: true }, ...more });
    const order = async () => {
      const { data } = await account.client.rewardRules.list.query({ campaign_id: campaign.id });
      return data.map(({ name, version }) => `${name} ${version}`);
    };
    const year = await rule(account, campaign, { name: 'year', when: { age_months: { to: 12 } }, pay: { percent: 30 } });
    await rule(account, campaign, { name: 'later', pay: { percent: 10 } });
    const addon = await excludes('addon');
    expect(await order()).toEqual(['addon 1', 'year 1', 'later 1']);
    const { id: referral_id } = await refer(account, shop);
    const lines = [
      { product: 'pro', amount_cents: 1_000 },
      { product: 'addon', amount_cents: 5_000 },
    ];
    const { commission } = await sell(account, { referral_id, amount_cents: 6_000, lines });
    expect(commission).toMatchObject({ amount_cents: 300 });

    await excludes('gift', { position: 9 });
    expect(await order()).toEqual(['addon 1', 'year 1', 'later 1', 'gift 1']);
    await must(account, '/reward_rules/reorder', { campaign_id: campaign.id, rule_ids: [year.id, addon.id] }, 200);
    expect(await order()).toEqual(['year 1', 'addon 2', 'later 2', 'gift 2']);
    const card = await excludes('card');
    expect(await order()).toEqual(['card 1', 'year 1', 'addon 2', 'later 2', 'gift 2']);
    // A rule that becomes an exclusion goes first, too. Its other changes leave it where it is.
    const late = await rule(account, campaign, { name: 'late', when: { products: ['late'] }, pay: { percent: 1 } });
    await account.api.patch(`/reward_rules/${late.id}`, { pay: { nothing: true } });
    const exclusionsFirst = ['card 1', 'late 2', 'year 1', 'addon 2', 'later 2', 'gift 2'];
    expect(await order()).toEqual(exclusionsFirst);
    await account.api.patch(`/reward_rules/${addon.id}`, { when: { products: ['addon', 'other'] } });
    expect(await order()).toEqual(exclusionsFirst.with(3, 'addon 3'));
    // Reordering others keeps the order in which these have decided.
    await must(account, '/reward_rules/reorder', { campaign_id: campaign.id, rule_ids: [card.id] }, 200);
    expect((await order()).map((each) => each.split(' ')[0])).toEqual(['card', 'late', 'year', 'addon', 'later', 'gift']);
  });

  it('are reordered completely or not at all', async () => {
    const { campaign } = friends;
    const rules = [];
    for (let percent = 1; percent <= 3; percent += 1) rules.push(await rule(account, campaign, { pay: { percent } }));
    const [a, b, c] = rules.map(({ id }) => id) as [string, string, string];
    const reorder = (rule_ids: string[]) => account.api.post('/reward_rules/reorder', { campaign_id: campaign.id, rule_ids });
    expect((await reorder([c, 'rule_00000000000000000000000000'])).status).toBe(422);
    expect((await reorder([c, c])).status).toBe(422);
    expect((await listed()).map(({ id }) => id)).toEqual([a, b, c]);
    expect((await reorder([c, a])).status).toBe(200);
    expect((await listed()).map(({ id, position }) => [id, position])).toEqual([
      [c, 0],
      [a, 1],
      [b, 2],
    ]);
  });

  it('are tried out without recording anything', async () => {
    const { campaign, affiliate, link } = friends;
    const pro = await rule(account, campaign, { name: 'Pro', when: { products: ['pro'] }, pay: { percent: 20 } });
    const own = await rule(account, campaign, {
      link_id: link.id,
      name: 'Own',
      when: { sale_number: { to: 1 } },
      pay: { percent: 50 },
    });
    const preview = async (sale: Fields) =>
      await must<{ amount_cents: number; lines: { rule_id: string | null; rule_name: string | null; amount_cents: number }[] }>(
        account,
        `/campaigns/${campaign.id}/rewards/preview`,
        { currency: 'USD', lines: [{ product: 'pro', amount_cents: 1_000 }, { amount_cents: 500 }], ...sale },
        200,
      );
    const decided = ({ lines }: Awaited<ReturnType<typeof preview>>) =>
      lines.map(({ rule_id, rule_name, amount_cents }) => [rule_id, rule_name, amount_cents]);
    expect(await preview({})).toMatchObject({ amount_cents: 250, currency: 'USD' });
    expect(decided(await preview({}))).toEqual([
      [pro.id, 'Pro', 200],
      [null, null, 50],
    ]);
    expect(decided(await preview({ affiliate_id: affiliate.id, link_id: link.id }))).toEqual([
      [own.id, 'Own', 500],
      [own.id, 'Own', 250],
    ]);
    expect(await preview({ link_id: link.id, sale_number: 2, customer: 'returning' })).toMatchObject({ amount_cents: 250 });
    const more = await rule(account, campaign, {
      name: 'More',
      when: { products: ['pro'] },
      apply: 'on_top',
      pay: { fixed: { amount_cents: 300, currency: 'EUR' } },
    });
    const bonus = { rule_id: more.id, rule_name: 'More', amount_cents: 300, currency: 'EUR' };
    expect(await preview({})).toMatchObject({ amount_cents: 250, currency: 'USD', bonuses: [bonus] });
    expect(await preview({ lines: [{ amount_cents: 500 }] })).toMatchObject({ bonuses: [] });
    expect((await account.api.get<{ data: unknown[] }>('/sales')).body.data).toEqual([]);
  });

  it('are at most 200 per campaign, also if many are created at once', async () => {
    const values = (percent: number) => ({ campaign_id: friends.campaign.id, name: `Rule ${percent}`, pay: { percent } });
    for (let i = 0; i < 195; i += 1) await must(account, '/reward_rules', values(1));
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => account.api.post('/reward_rules', values(i))));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(5);
  });
});
