import { describe, expect, it } from 'vitest';
import { PortalVisitor } from '../portal/people.ts';
import { send } from '../support/http.ts';
import { must, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useAccount, useProgram, useService } from '../support/suite.ts';

type Link = Outputs['links']['get'];

const SHOP = 'https://shop.example.com';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15';

const service = useService({ trustedProxies: 1 });
const account = useAccount(service);
const ada = useProgram(account);

const newLink = (url: string, more: Partial<Link> = {}) =>
  must<Link>(account, '/links', { affiliate_id: ada.affiliate.id, campaign_id: ada.campaign.id, url, ...more });

async function copyUrlOf({ id }: { id: string }): Promise<string> {
  return (await account.client.links.get.query({ id })).copy_url;
}

interface Report {
  origin?: string | null;
  userAgent?: string;
  parameters?: string;
}

/** Reports a visit to Ada's link as the script does, from a network of its own. */
function report(network: number, { origin = SHOP, userAgent = SAFARI, parameters }: Report = {}) {
  return send(`${service.url}/track/visits`, 'POST', {
    body: { account_id: account.id, parameters: parameters ?? `via=${ada.link.token}`, url: `${SHOP}/start` },
    headers: {
      'User-Agent': userAgent,
      'X-Forwarded-For': `203.0.113.${network}`,
      ...(origin === null ? {} : { Origin: origin }),
    },
  });
}

async function reportFromThreeNetworks(what: Report = {}): Promise<void> {
  for (const network of [1, 2, 3]) expect((await report(network, what)).status).toBe(200);
}

describe('the link that people copy', () => {
  it('is a tracked link without an account id, until visitors from three networks came to the site', async () => {
    const tracked = ada.link.tracking_url;
    expect(tracked).toMatch(/^https:\/\/affiliates\.example\.com\/t\/[a-z0-9-]+\/[^/?]+$/);
    for (const network of [1, 2, 2, 1]) {
      await report(network);
      expect(await copyUrlOf(ada.link)).toBe(tracked);
    }
    await report(3);
    expect(await copyUrlOf(ada.link)).toBe(`${SHOP}/start?via=${ada.link.token}`);
  });

  it('leads to the page itself if the visitors came through tracked links, which are not counted again', async () => {
    for (const network of [1, 2, 3]) {
      const { headers } = await send(`${service.url}/t/${ada.link.token}`, 'GET', {
        query: `account_id=${account.id}`,
        headers: { 'User-Agent': SAFARI },
      });
      const { search } = new URL(headers.get('location')!);
      expect((await report(network, { parameters: search.slice(1) })).status).toBe(200);
    }
    expect(await account.client.links.get.query({ id: ada.link.id })).toMatchObject({
      clicks: 3,
      copy_url: `${SHOP}/start?via=${ada.link.token}`,
    });
  });

  it('keeps the query and the fragment of the page, and is counted when it is followed', async () => {
    await reportFromThreeNetworks();
    const token = unique('kept');
    const link = await newLink(`${SHOP}/shoes?color=red&size=7#reviews`, { token });
    expect(link.copy_url).toBe(`${SHOP}/shoes?color=red&size=7&via=${token}#reviews`);
    const { search } = new URL(link.copy_url);
    await report(4, { parameters: search.slice(1) });
    expect(await account.client.links.get.query({ id: link.id })).toMatchObject({ clicks: 1, visitors: 1 });

    await account.client.campaigns.update.mutate({ id: ada.campaign.id, parameter_type: 'hash' });
    expect(await copyUrlOf(link)).toBe(`${SHOP}/shoes?color=red&size=7#via=${token}`);
  });

  it('is a tracked link for pages of other sites', async () => {
    await reportFromThreeNetworks();
    for (const url of ['https://blog.shop.example.com/', 'https://shop.example.com:8443/', 'http://shop.example.com/']) {
      const link = await newLink(url);
      expect(link.copy_url).toBe(link.tracking_url);
    }
  });

  it('is a tracked link again 30 days after the script was last seen', async () => {
    await reportFromThreeNetworks();
    const page = `${SHOP}/start?via=${ada.link.token}`;
    service.clock.advance(29, 'days');
    expect(await copyUrlOf(ada.link)).toBe(page);
    await reportFromThreeNetworks();
    service.clock.advance(29, 'days');
    expect(await copyUrlOf(ada.link)).toBe(page);
    service.clock.advance(1, 'days');
    expect(await copyUrlOf(ada.link)).toBe(ada.link.tracking_url);
    await reportFromThreeNetworks();
    expect(await copyUrlOf(ada.link)).toBe(page);
  });

  it.each<[string, Report]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', { origin: null }],
    ['a page without an origin', { origin: 'null' }],
    ['bots', { userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' }],
    ['visitors with an unknown token', { parameters: 'via=nobody' }],
  ])('does not change by reports of %s', async (_who, what) => {
    await reportFromThreeNetworks(what);
    expect(await copyUrlOf(ada.link)).toBe(ada.link.tracking_url);
  });

  it('does not change by reports to another account', async () => {
    const other = await service.createAccount();
    await reportFromThreeNetworks();
    const campaign = await other.client.campaigns.create.mutate({
      name: 'Friends',
      url: SHOP,
      reward_type: 'percent',
      commission_percent: 10,
    });
    const affiliate = await other.client.affiliates.create.mutate({ email: 'bob@example.com', campaign_id: campaign.id });
    const link = await other.client.links.create.mutate({
      affiliate_id: affiliate.id,
      campaign_id: campaign.id,
      url: `${SHOP}/start`,
    });
    expect(link.copy_url).toBe(link.tracking_url);
  });

  it('leads to the page itself as soon as a check of the site finds the script', async () => {
    const { readPage } = service.services;
    const script = (id: string) => `<script async src="https://affiliates.example.com/track.js" data-account="${id}"></script>`;
    const check = async (html: string) => {
      service.services.readPage = async (url) => ({ url, html, policies: [] });
      return account.client.site.check.query({ url: `${SHOP}/` });
    };
    try {
      expect((await check(script('acct_other'))).problems).toEqual(['wrong_account']);
      expect(await copyUrlOf(ada.link)).toBe(ada.link.tracking_url);
      expect((await check(script(account.id))).problems).toEqual([]);
      expect(await copyUrlOf(ada.link)).toBe(`${SHOP}/start?via=${ada.link.token}`);
    } finally {
      service.services.readPage = readPage;
    }
  });

  it('is the same for the affiliate, in the portal and in an expanded affiliate', async () => {
    await reportFromThreeNetworks();
    const links = [{ copy_url: `${SHOP}/start?via=${ada.link.token}` }];
    const { id, email } = ada.affiliate;
    const visitor = await PortalVisitor.enter(service, account, email);
    expect(await visitor.query('portal.home')).toMatchObject({ links });
    expect(await visitor.query('portal.listLinks')).toMatchObject({ data: links });
    const created = await visitor.mutate<Link>('portal.createLink', { url: `${SHOP}/shoes?size=7`, token: unique('new') });
    expect(created.copy_url).toBe(`${SHOP}/shoes?size=7&via=${created.token}`);
    expect((await account.client.affiliates.get.query({ id, expand: ['links'] })).links).toMatchObject([
      { copy_url: created.copy_url },
      ...links,
    ]);
  });
});
