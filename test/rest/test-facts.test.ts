import { expect, it } from 'vitest';
import { PortalVisitor } from '../portal/people.ts';
import { send } from '../support/http.ts';
import { program, sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0';

const service = useService();
const account = useAccount(service);

it('a test visit and a test sale enter no figure and tick only the test, and what follows live counts', async () => {
  const { affiliate, campaign, link } = await program(
    account,
    { days_until_commissions_are_due: 0 },
    { email: 'ada@partner.example' },
  );
  const portal = await PortalVisitor.enter(service, account, 'ada@partner.example');
  const visit = async (query: string) => {
    const reply = await send(`${service.url}/t/${link.token}`, 'GET', {
      query: `account_id=${account.id}${query}`,
      headers: { 'User-Agent': BROWSER },
    });
    const id = new URL(reply.headers.get('location')!).searchParams.get('referral')!;
    await expect.poll(async () => (await account.api.get(`/referrals/${id}`)).status).toBe(200);
    return id;
  };
  const figures = async () => {
    const { overview, analytics, affiliates, campaigns, links } = account.client;
    const [daily, counts, shown, used, counted, home, activity] = await Promise.all([
      overview.daily.query({}),
      analytics.get.query({}),
      affiliates.get.query({ id: affiliate.id, expand: ['commission_stats'] }),
      campaigns.get.query({ id: campaign.id, expand: ['usage'] }),
      links.get.query({ id: link.id }),
      portal.query<Outputs['portal']['home']>('portal.home'),
      overview.get.query({}),
    ]);
    const { clicks, visitors, leads, conversions, earnings } = home;
    return {
      daily: daily.days.at(-1),
      analytics: counts.data[0],
      stats: shown.commission_stats,
      usage: used.usage,
      link: [counted.clicks, counted.visitors, counted.leads, counted.conversions],
      home: { clicks, visitors, leads, conversions, earnings },
      due: activity.due,
      activity: activity.recent_activity.map(({ type }) => type),
    };
  };
  const steps = () => account.client.overview.firstSteps.query({});
  const before = await figures();
  expect(await steps()).toMatchObject({ test: false, tracking: false, payment_provider: false, sale: false });

  const mark = 'test-0123456789';
  const referral_id = await visit(`&sub5=${mark}`);
  expect(await figures()).toEqual(before);
  service.clock.advance(1, 'seconds');
  await account.client.site.recordTestSale.mutate({ mark, referral_id });
  expect(await account.client.site.testVisit.query({ mark, referral_id })).toMatchObject({ sale: { livemode: false } });
  expect(await figures()).toEqual(before);
  expect(await steps()).toMatchObject({ test: true, tracking: false, payment_provider: false, sale: false });

  // The same test sale by a real visitor does not count either, until the visitor pays live.
  const visitor = await visit('');
  const tested = { mark: 'test-9876543210', referral_id: visitor };
  service.clock.advance(1, 'seconds');
  await account.client.site.recordTestSale.mutate(tested);
  expect(await figures()).toMatchObject({ stats: { leads: 0, conversions: 0 }, home: { clicks: 1, conversions: 0 } });
  // A followed link proves no script.
  expect(await steps()).toMatchObject({ tracking: false, sale: false });
  service.clock.advance(1, 'seconds');
  await sell(account, { referral_id: visitor, amount_cents: 5_000, customer_email: 'buyer@example.com' });
  expect(await figures()).toMatchObject({
    daily: { clicks: 1, referrals: 1, conversions: 1 },
    analytics: { conversions: 1, sales: 1 },
    stats: { visitors: 1, conversions: 1 },
    link: [1, 1, 1, 1],
    home: { visitors: 1, conversions: 1 },
  });
  expect(await steps()).toMatchObject({ tracking: true, sale: true });
});
