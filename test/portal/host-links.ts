import { describe, expect, it } from 'vitest';
import { must, unique } from '../support/program.ts';
import type { Outputs, TestAccount } from '../support/service.ts';
import { HOST, OTHER, type PortalHosts, tokenOf } from './portal-hosts.ts';

type Link = Outputs['links']['get'];

async function linkOf(account: TestAccount, token: string): Promise<Link> {
  const [affiliate] = (await account.client.affiliates.list.query({ email: 'ada@partner.example' })).data;
  return must<Link>(account, '/links', {
    affiliate_id: affiliate!.id,
    campaign_id: affiliate!.campaign_id,
    url: 'https://shop.example.com/start',
    token,
  });
}

/** Defines the tests of tracked links under the host names of merchants. */
export function testLinks(at: () => PortalHosts): void {
  describe('under a host name', () => {
    const landing = async (host: string, path: string, more: Record<string, string> = {}) => {
      // Clicks of programs without a name do not count.
      const headers = { 'User-Agent': 'curl', ...more };
      const { status, headers: answered } = await at().ask(host, 'GET', path, headers);
      const to = URL.parse(String(answered['location']));
      return {
        status,
        via: to?.searchParams.get('via'),
        referral: to?.searchParams.get('referral'),
        cookie: answered['set-cookie'],
      };
    };

    it('people copy links with this host, which lead to the page, count the click, and remember the referral', async () => {
      const { account } = at();
      const token = unique('own');
      const link = await linkOf(account, token);
      expect([link.copy_url, new URL(link.tracking_url).host]).toEqual([`https://${HOST}/t/${token}`, 'affiliates.example.com']);
      const first = await landing(HOST, `/t/${token}`);
      expect(first).toMatchObject({ status: 302, via: token, referral: expect.stringMatching(/^ref_/) });
      const cookie = [first.cookie].flat()[0]!.split(';')[0]!;
      expect(await landing(HOST, `/t/${token.toUpperCase()}/`, { cookie })).toMatchObject({ referral: first.referral });
      expect(await account.client.links.get.query({ id: link.id })).toMatchObject({ clicks: 2, visitors: 1 });
    });

    it('the affiliate copies the same links', async () => {
      const { account, ada, call } = at();
      const link = await linkOf(account, unique('shown'));
      const { url } = await account.client.affiliates.createPortalLink.mutate({ id: ada });
      const entered = await call<Outputs['portal']['enter']>(HOST, 'portal.enter', { token: tokenOf(new URL(url)) });
      const portal = { 'x-portal-token': entered.data.token };
      const home = await call<Outputs['portal']['home']>(HOST, 'portal.home', undefined, portal);
      const links = await call<Outputs['portal']['listLinks']>(HOST, 'portal.listLinks', {}, portal);
      expect([home.data.links[0], links.data.data[0]]).toMatchObject([{ copy_url: link.copy_url }, { copy_url: link.copy_url }]);
    });

    it('only links of this account are followed, however the address names another account', async () => {
      const { account, other } = at();
      const token = unique('apart');
      const [own, foreign] = [await linkOf(account, token), await linkOf(other, token)];
      const slugOf = ({ tracking_url }: Link) => new URL(tracking_url).pathname.split('/')[2]!;
      expect(foreign.copy_url).toBe(`https://${OTHER}/t/${token}`);
      await landing(HOST, `/t/${token}`);
      expect((await landing(HOST, `/t/${slugOf(own)}/${token}`)).status).toBe(302);
      expect((await landing(HOST, `/t/${token}?account_id=${account.id}`)).status).toBe(302);
      for (const path of [`/t/${slugOf(foreign)}/${token}`, `/t/${token}?account_id=${other.id}`, `/_aff/t/${token}`])
        expect([path, (await landing(HOST, path)).status]).toEqual([path, 404]);
      const clicksOf = async (merchant: TestAccount, { id }: Link) => (await merchant.client.links.get.query({ id })).clicks;
      expect([await clicksOf(account, own), await clicksOf(other, foreign)]).toEqual([3, 0]);
      const only = unique('only');
      await linkOf(other, only);
      expect(await landing(HOST, `/t/${only}`)).toMatchObject({ via: null, referral: null });
    });

    it('people copy links of the service while the host is not verified', async () => {
      const { service } = at();
      const account = await service.createAccount();
      await account.client.portalSettings.update.mutate({ portal_host: 'partners.new.example' });
      const campaign = await account.client.campaigns.create.mutate({
        name: 'Friends',
        url: 'https://shop.example.com/',
        reward_type: 'percent',
        commission_percent: 10,
      });
      await account.client.affiliates.create.mutate({ email: 'ada@partner.example', campaign_id: campaign.id });
      const link = await linkOf(account, unique('early'));
      expect(link.copy_url).toBe(link.tracking_url);
    });
  });
}
