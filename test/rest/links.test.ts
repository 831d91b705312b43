import { describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { must, program, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

type Link = Outputs['links']['get'];

const service = useService();
const account = useAccount(service);
const friends = useProgram(account);

const input = (more: object = {}) => ({
  affiliate_id: friends.affiliate.id,
  campaign_id: friends.campaign.id,
  url: 'https://shop.example.com/start?a=1#top',
  ...more,
});

describe('creating a link', () => {
  it('generates a token from the name, with a number if the token is taken, even in concurrent requests', async () => {
    const links = await Promise.all(Array.from({ length: 5 }, () => must<Link>(account, '/links', input())));
    expect(new Set([friends.link, ...links].map(({ token }) => token))).toEqual(
      new Set(['ada', 'ada2', 'ada3', 'ada4', 'ada5', 'ada6']),
    );
  });

  it('generates a random token if the campaign uses private tokens', async () => {
    await account.api.patch(`/campaigns/${friends.campaign.id}`, { private_tokens: true });
    expect((await must<Link>(account, '/links', input())).token).toMatch(/^[0-9a-f]{12}$/);
  });

  it('returns the URL to share and the URL that counts visits', async () => {
    const link = await must<Link>(account, '/links', input({ token: 'Ada_King-1' }));
    expect(link).toMatchObject({
      share_url: 'https://shop.example.com/start?a=1&via=Ada_King-1#top',
      tracking_url: expect.stringMatching(/^https:\/\/affiliates\.example\.com\/t\/[a-z0-9-]+\/Ada_King-1$/),
      clicks: 0,
      visitors: 0,
      leads: 0,
      conversions: 0,
      archived_at: null,
    });
    await account.api.patch(`/campaigns/${friends.campaign.id}`, { parameter_type: 'hash' });
    expect((await account.api.get(`/links/${link.id}`)).body).toMatchObject({
      share_url: 'https://shop.example.com/start?a=1#via=Ada_King-1',
    });
  });

  it('is followed at its address with every slug that the program has had, which no other program gets', async () => {
    const { token, tracking_url } = await must<Link>(account, '/links', input({ token: 'short' }));
    const first = new URL(tracking_url).pathname.split('/')[2]!;
    const follow = (path: string) => send(`${service.url}${path}`, 'GET', { query: '', headers: {} });
    const landing = async (path: string) => {
      const { status, headers } = await follow(path);
      return { status, via: URL.parse(headers.get('location') ?? '')?.searchParams.get('via') };
    };
    expect(await landing(`/t/${first}/${token}`)).toEqual({ status: 302, via: token });
    const next = unique('renamed');
    await account.client.portalSettings.update.mutate({ slug: next });
    expect((await account.client.links.list.query({})).data[0]!.tracking_url).toBe(
      `https://affiliates.example.com/t/${next}/${token}`,
    );
    for (const path of [`/t/${next}/${token}`, `/t/${first.toUpperCase()}/SHORT/`, `/t/${token}?account_id=${account.id}`])
      expect([path, await landing(path)]).toEqual([path, { status: 302, via: token }]);
    expect((await follow(`/t/nobody/${token}`)).status).toBe(404);

    const other = await service.createAccount();
    await expect(other.client.portalSettings.update.mutate({ slug: first })).rejects.toMatchObject({
      data: { details: [{ path: 'slug' }] },
    });
  });

  it('refuses malformed tokens, and taken tokens in upper or lower case', async () => {
    expect(await account.api.post('/links', input({ token: 'ADA' }))).toMatchObject({
      status: 422,
      body: { details: [{ path: 'token', code: 'taken' }] },
    });
    for (const token of ['', 'a b', 'ä', 'x'.repeat(65), 'a/b', '../x']) {
      expect(await account.api.post('/links', input({ token }))).toMatchObject({
        status: 422,
        body: { details: [{ path: 'token' }] },
      });
    }
  });

  it('keeps the given destination, escaped to a valid URI', async () => {
    const given = 'https://shop.example.com/?filter[size]=42';
    expect((await account.api.post<Link>('/links', input({ url: given }))).body.url).toBe(given.replace('[size]', '%5Bsize%5D'));
    const { body } = await account.api.post<Link>('/links', input({ url: 'https://bücher.example/ä b' }));
    expect(body.url).toBe('https://xn--bcher-kva.example/%C3%A4%20b');
    const grown = `https://shop.example.com/${'ä'.repeat(2000)}`;
    expect(await account.api.post('/links', input({ url: grown }))).toMatchObject({
      status: 422,
      body: { details: [{ path: 'url' }] },
    });
  });

  it('refuses unknown and archived affiliates and campaigns, and those of other accounts', async () => {
    const theirs = await program(await service.createAccount());
    for (const [field, id] of [
      ['affiliate_id', theirs.affiliate.id],
      ['campaign_id', theirs.campaign.id],
      ['affiliate_id', 'aff_nobody'],
    ] as const) {
      expect(await account.api.post('/links', input({ [field]: id }))).toMatchObject({
        status: 422,
        body: { details: [{ path: field, code: 'not_found' }] },
      });
    }
    await account.api.delete(`/affiliates/${friends.affiliate.id}`);
    expect(await account.api.post('/links', input())).toMatchObject({
      status: 422,
      body: { details: [{ path: 'affiliate_id', code: 'archived' }] },
    });
    for (const url of ['ftp://x.example.com', 'javascript:alert(1)', 'shop.example.com', 'https://']) {
      expect(await account.api.post('/links', input({ url }))).toMatchObject({ status: 422 });
    }
  });
});

describe('changing and listing links', () => {
  it('changes the token only if a token is given', async () => {
    const changed = await account.api.patch<Link>(`/links/${friends.link.id}`, { url: 'https://shop.example.com/other' });
    expect(changed.body).toMatchObject({ token: friends.link.token, url: 'https://shop.example.com/other' });
    expect((await account.api.patch(`/links/${friends.link.id}`, { token: 'new' })).body).toMatchObject({ token: 'new' });
  });

  it('lists links by affiliate and campaign, newest first, without archived links', async () => {
    service.clock.advance(1, 'seconds');
    const second = await must<Link>(account, '/links', input());
    const rival = await program(account);
    const ids = async (query: string) => (await account.api.get<{ data: Link[] }>('/links', query)).body.data.map(({ id }) => id);
    expect(await ids(`affiliate_id=${friends.affiliate.id}`)).toEqual([second.id, friends.link.id]);
    expect(await ids(`campaign_id=${rival.campaign.id}`)).toEqual([rival.link.id]);
    expect((await account.api.delete(`/links/${second.id}`)).status).toBe(204);
    expect(await ids(`affiliate_id=${friends.affiliate.id}`)).toEqual([friends.link.id]);
    expect((await account.api.get(`/links/${second.id}`)).body).toMatchObject({ archived_at: service.clock.instant() });
    expect(await ids('archived=true')).toEqual([second.id]);
    expect(await account.api.patch(`/links/${second.id}`, { archived_at: null })).toMatchObject({ body: { archived_at: null } });
    expect(await ids(`affiliate_id=${friends.affiliate.id}`)).toEqual([second.id, friends.link.id]);
    await account.api.delete(`/links/${second.id}`);
    await account.api.delete(`/affiliates/${friends.affiliate.id}`);
    expect(await account.api.patch(`/links/${second.id}`, { archived_at: null })).toMatchObject({
      status: 409,
      body: { details: { reason: 'affiliate_archived' } },
    });
  });
});
