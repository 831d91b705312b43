import { beforeAll, describe, expect, it } from 'vitest';
import { openPayout, payee } from '../payouts/program.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');
/** Ids of a record of each kind. Each list also has another record that the filters do not match. */
const ids: Record<string, string> = {};
let token: string;

beforeAll(async () => {
  const [paid, other] = [await payee(account), await payee(account)];
  const { affiliate, campaign, link } = paid.program;
  const referral = await refer(account, paid.program);
  const { sale, commission } = await sell(account, {
    referral_id: referral.id,
    customer_email: `${unique('grace')}@example.com`,
  });
  await must(account, '/links', {
    affiliate_id: affiliate.id,
    campaign_id: campaign.id,
    url: 'https://shop.example.com/only?here=1',
    token: 'Only-Here',
  });
  const payout = await openPayout(account, affiliate.id);
  await must(account, `/payouts/${payout.id}/pay`, { payment_reference: 'PAY-1' }, 200);
  for (const email of ['invited@example.com', 'other@example.com'])
    await must(account, '/invitations', { kind: 'member', email });
  Object.assign(ids, {
    affiliate: affiliate.id,
    campaign: campaign.id,
    link: link.id,
    referral: referral.id,
    customer: sale.customer_id,
    sale: sale.id,
    commission: commission!.id,
    payout: payout.id,
    slug: (campaign as unknown as { slug: string }).slug,
    other: other.program.affiliate.id,
  });
  token = link.token;
});

const list = async (path: string, query: Record<string, string>) => {
  const { status, body } = await account.api.get<{ data: Record<string, unknown>[] }>(path, query);
  expect(status).toBe(200);
  return body.data;
};

describe('a list is filtered', () => {
  it.each([
    ['commissions', 'referral_id', 'referral', 'referral_id'],
    ['commissions', 'sale_id', 'sale', 'sale_id'],
    ['commissions', 'payout_id', 'payout', 'payout_id'],
    ['payouts', 'campaign_id', 'campaign', null],
    ['referrals', 'campaign_id', 'campaign', 'campaign_id'],
    ['referrals', 'link_id', 'link', 'link_id'],
    ['referrals', 'customer_id', 'customer', 'customer_id'],
    ['campaigns', 'slug', 'slug', 'slug'],
  ])('%s by %s', async (path, filter, name, field) => {
    const all = await list(`/${path}`, { limit: '100' });
    const found = await list(`/${path}`, { [filter]: ids[name]!, limit: '100' });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
    const matching =
      field === null
        ? all.filter(({ affiliate_id }) => affiliate_id === ids['affiliate'])
        : all.filter((row) => row[field] === ids[name]);
    expect(found.map(({ id }) => id)).toEqual(matching.map(({ id }) => id));
    expect(await list(`/${path}`, { [filter]: 'unknown' })).toEqual([]);
  });

  it.each([
    ['commissions', { customer_id: 'customer' }, 'commission'],
    ['affiliates', { ids: 'affiliate' }, 'affiliate'],
    ['campaigns', { ids: 'campaign' }, 'campaign'],
    ['links', { ids: 'link' }, 'link'],
    ['referrals', { ids: 'referral' }, 'referral'],
    ['customers', { ids: 'customer' }, 'customer'],
    ['sales', { ids: 'sale' }, 'sale'],
    ['commissions', { ids: 'commission' }, 'commission'],
    ['payouts', { ids: 'payout' }, 'payout'],
  ])('%s by %o', async (path, filters, expected) => {
    const query = Object.fromEntries(Object.entries(filters).map(([name, of]) => [name, ids[of]!]));
    expect((await list(`/${path}`, query)).map(({ id }) => id)).toEqual([ids[expected]]);
  });

  it('by the text of a link, of a payment and of an invitation', async () => {
    expect(await list('/links', { token: token.toUpperCase() })).toMatchObject([{ id: ids['link'] }]);
    expect(await list('/links', { url: 'https://shop.example.com/only?here=1' })).toMatchObject([{ token: 'Only-Here' }]);
    expect(await list('/payouts', { payment_reference: 'PAY-1' })).toMatchObject([{ id: ids['payout'] }]);
    expect(await list('/invitations', { email: 'Invited@example.com' })).toMatchObject([{ email: 'invited@example.com' }]);
  });

  it('by at most 100 ids', async () => {
    const many = Array.from({ length: 101 }, (_, i) => `aff_${i}`).join(',');
    expect(await account.api.get('/affiliates', { ids: many })).toMatchObject({ status: 422 });
    expect(await list('/affiliates', { ids: `${ids['affiliate']},${ids['other']}` })).toHaveLength(2);
  });
});
