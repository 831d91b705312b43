import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildLoader } from '@affiliate/web/embed-loader';
import { beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { type Program, must, program } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Token = Outputs['affiliates']['createEmbedToken'];

const service = useService();
const account = useAccount(service, 'file');
let started: Program;

beforeAll(async () => {
  started = await program(account, { default: true }, { email: 'ada@partner.example' });
});

const open = (token: string) =>
  new Browser(service.url, service.services.publicUrl).query<Outputs['portal']['home']>(
    'portal.home',
    {},
    { 'X-Portal-Token': token },
  );

describe('a token that embeds the portal', () => {
  it('opens the portal of the affiliate for an hour, and does not work as a sign-in link', async () => {
    const { token, expires_at } = await must<Token>(account, `/affiliates/${started.affiliate.id}/embed_token`, {});
    expect(Date.parse(expires_at) - service.clock.now().getTime()).toBe(3_600_000);
    for (let time = 0; time < 2; time += 1) expect((await open(token)).body.result!.data.affiliate_id).toBe(started.affiliate.id);
    await expect(account.client.portal.enter.mutate({ token })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    service.clock.advance(1, 'hours');
    expect((await open(token)).status).toBe(401);
  });

  it('can be created by email address, which also creates a missing affiliate', async () => {
    const create = async (email: string) => {
      const { token } = await must<Token>(account, '/affiliates/embed_token', { email, first_name: 'Grace' });
      return (await open(token)).body.result!.data;
    };
    expect((await create('ADA@partner.example')).affiliate_id).toBe(started.affiliate.id);
    const grace = await create('grace@partner.example');
    expect(grace).toMatchObject({ first_name: 'Grace', state: 'active', links: [{ url: started.campaign.url }] });
    expect((await create('grace@partner.example')).affiliate_id).toBe(grace.affiliate_id);
  });

  it('is created for the same new affiliate by concurrent requests', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 5 }, () => must<Token>(account, '/affiliates/embed_token', { email: 'joan@partner.example' })),
    );
    const homes = await Promise.all(tokens.map(({ token }) => open(token)));
    const [first] = homes;
    for (const { body } of homes)
      expect(body.result!.data).toMatchObject({ affiliate_id: first!.body.result!.data.affiliate_id });
    expect(first!.body.result!.data.links).toHaveLength(1);
  });

  it('can be created by external id, which is stored for an affiliate known only by email address', async () => {
    const create = async (input: Record<string, string>) => {
      const { token } = await must<Token>(account, '/affiliates/embed_token', input);
      return (await open(token)).body.result!.data.affiliate_id;
    };
    const refusal = async (input: object) => (await account.api.post('/affiliates/embed_token', input)).body;
    const hedy = { external_id: 'customer-7', email: 'hedy@partner.example' };
    const ids = await Promise.all(Array.from({ length: 5 }, () => create(hedy)));
    expect(new Set(ids).size).toBe(1);
    expect(await create({ external_id: 'customer-7', email: 'moved@partner.example' })).toBe(ids[0]);
    expect(await create({ external_id: 'customer-7' })).toBe(ids[0]);

    const alan = await must<{ id: string }>(account, '/affiliates', { email: 'alan@partner.example' });
    const both = { external_id: 'customer-8', email: 'alan@partner.example' };
    for (const id of await Promise.all([create(both), create(both)])) expect(id).toBe(alan.id);
    expect(await refusal({ ...both, external_id: 'customer-9' })).toMatchObject({
      details: [{ path: 'external_id', code: 'taken' }],
    });
    for (const input of [{}, { external_id: 'customer-9' }])
      expect(await refusal(input)).toMatchObject({ details: [{ path: 'email', code: 'required' }] });

    const link = await must<{ url: string }>(account, '/affiliates/portal_link', { external_id: 'customer-8' });
    const entry = await account.client.portal.enter.mutate({ token: link.url.split('#token=')[1]! });
    expect((await open(entry.token)).body.result!.data.affiliate_id).toBe(alan.id);
  });

  it('is refused for affiliates without a portal', async () => {
    await account.api.patch(`/affiliates/${started.affiliate.id}`, { state: 'pending' });
    for (const [path, field, input] of [
      [`/affiliates/${started.affiliate.id}/embed_token`, 'id', {}],
      ['/affiliates/embed_token', 'email', { email: 'ada@partner.example' }],
    ] as const)
      expect(await account.api.post(path, input)).toMatchObject({
        status: 422,
        body: { details: [{ path: field, code: 'no_access' }] },
      });
    await account.api.patch(`/affiliates/${started.affiliate.id}`, { state: 'active' });
  });
});

it.each(['https://a.example; script-src *', "'self'", 'https://a.example/path', 'https://*', '*', 'javascript:alert(1)'])(
  'a site that is not an origin is refused: %s',
  async (origin) => {
    await expect(account.client.portalSettings.update.mutate({ embed_origins: [origin] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  },
);

it('the loader is built from its source and is smaller than 2 KB compressed', async () => {
  const served = await (await fetch(`${service.url}/embed.js`)).text();
  expect(served).toBe(await buildLoader());
  expect(served).toBe(readFileSync(new URL('../../packages/rest/src/embedding/embed.js', import.meta.url), 'utf8'));
  const size = gzipSync(served).length;
  process.stdout.write(`embed.js: ${size} bytes gzipped\n`);
  expect(size).toBeLessThan(2_048);
});

/** An image of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the brand of an account', () => {
  it('is shown in the portal, on sign-up pages and in emails', async () => {
    const { brand, slug } = await account.client.portalSettings.update.mutate({
      brand_name: 'Northwind <Tea>',
      brand_color: '#FFEE00',
      support_email: 'help@shop.example.com',
    });
    expect(brand).toMatchObject({
      color: '#ffee00',
      text_color: '#000000',
      logo_path: null,
      support_email: 'help@shop.example.com',
    });
    const { brand: withLogo } = await account.client.portalSettings.setLogo.mutate({ content: PNG });
    expect(withLogo.logo_path).toMatch(new RegExp(`^/logos/${account.id}/[0-9a-f]{32}$`));

    const page = await account.client.join.page.query({ account: slug, campaign: started.campaign.slug });
    expect(page).toMatchObject({ account_name: 'Northwind <Tea>', brand: withLogo });
    const { token } = await must<Token>(account, `/affiliates/${started.affiliate.id}/embed_token`, {});
    const browser = new Browser(service.url, service.services.publicUrl);
    const self = await browser.query<Outputs['portal']['self']>('portal.self', {}, { 'X-Portal-Token': token });
    expect(self.body.result!.data).toMatchObject({ account_name: 'Northwind <Tea>', brand: withLogo });

    const { subject, html, text } = await account.client.emailTexts.preview.mutate({
      mail: 'terms_changed',
      subject: 'News of {{account_name}}',
      body: 'Read them.',
    });
    expect(subject).toBe('News of Northwind <Tea>');
    expect(html).toContain(`<img src="${service.services.publicUrl}${withLogo.logo_path}" alt="Northwind &lt;Tea&gt;"`);
    expect(html).toContain('background: #ffee00; color: #000000;');
    expect(text).toContain('Questions? Write to help@shop.example.com.');
  });

  it('has a logo that everyone can load, and that cannot run scripts', async () => {
    const { brand } = await account.client.portalSettings.get.query();
    const load = (path: string) => fetch(`${service.url}${path}`);
    const logo = await load(brand.logo_path!);
    expect(Object.fromEntries(logo.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': expect.stringContaining('immutable'),
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(Buffer.from(await logo.arrayBuffer()).toString('base64')).toBe(PNG);
    const former = await load(`/logos/${account.id}/former`);
    expect([former.status, former.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    await account.client.portalSettings.removeLogo.mutate();
    expect((await load(brand.logo_path!)).status).toBe(404);
    expect((await account.client.portalSettings.get.query()).brand.logo_path).toBeNull();
  });

  it.each([
    ['an SVG', base64(SVG)],
    ['an SVG without a prolog', base64(SVG.replace(/<\?.*\?>/, ''))],
    ['an HTML page', base64('<!doctype html><script>alert(1)</script>')],
    ['not base64', 'data:image/png;base64,AAAA'],
    ['more than 512 KiB', base64('\0'.repeat(513 * 1024))],
  ])('does not accept a logo that is %s', async (_, content) => {
    await expect(account.client.portalSettings.setLogo.mutate({ content })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it.each(['red', '#fff', 'url(x)', '#12345g', '#123456;'])('does not accept a color that is %s', async (brand_color) => {
    await expect(account.client.portalSettings.update.mutate({ brand_color })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('files for affiliates', () => {
  type Asset = Outputs['assets']['create'];
  const own = async <Output>(procedure: string, input: object = {}) => {
    const { token } = await must<Token>(account, `/affiliates/${started.affiliate.id}/embed_token`, {});
    return new Browser(service.url, service.services.publicUrl).query<Output>(procedure, input, { 'X-Portal-Token': token });
  };

  const downloaded = async (address: string) => {
    const reply = await fetch(address.replace(service.services.publicUrl, service.url));
    return Buffer.from(await reply.arrayBuffer()).toString('base64');
  };

  it('are typed by their content, and only affiliates of the account can download them', async () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024, 'Tea for all.\n');
    const asset = await must<Asset>(account, '/assets', { name: 'texts.txt', content: bytes.toString('base64') });
    expect(asset).toMatchObject({ name: 'texts.txt', content_type: 'text/plain', size_bytes: bytes.length, description: null });
    const banner = await must<Asset>(account, '/assets', { name: 'Banner.PNG', description: 'For blogs', content: PNG });
    expect(banner.content_type).toBe('image/png');
    const svg = await must<Asset>(account, '/assets', { name: 'logo.svg', content: base64(SVG) });
    expect(svg.content_type).toBe('image/svg+xml');

    const { body } = await own<Outputs['portal']['listAssets']>('portal.listAssets');
    expect(body.result!.data.data.map(({ id }) => id)).toEqual([svg.id, banner.id, asset.id]);
    const read = await own<Outputs['portal']['getAsset']>('portal.getAsset', { id: banner.id });
    expect(read.body.result!.data).toMatchObject(banner);
    expect(await downloaded(read.body.result!.data.download_url)).toBe(PNG);
    expect(await downloaded((await account.client.assets.get.query({ id: asset.id })).download_url)).toBe(
      bytes.toString('base64'),
    );

    const other = await service.createAccount();
    const foreign = await must<Asset>(other, '/assets', { name: 'banner.png', content: PNG });
    for (const id of [foreign.id, 'asset_none']) expect((await own('portal.getAsset', { id })).status).toBe(404);
    expect((await account.api.get(`/assets/${foreign.id}`)).status).toBe(404);
    for (const { id } of [asset, banner, svg]) expect((await account.api.delete(`/assets/${id}`)).status).toBe(204);
    expect((await account.api.delete(`/assets/${svg.id}`)).status).toBe(404);
    expect((await account.client.assets.list.query({})).data).toEqual([]);
  });

  it.each([
    [{ name: 'page.html', content: base64('<script>') }, 422],
    [{ name: 'banner.png', content: base64('<script>') }, 422],
    [{ name: 'run.txt', content: base64('MZ\0\u0001') }, 422],
    [{ name: '../banner.png', content: PNG }, 422],
    [{ name: 'ban\u202Egnp.png', content: PNG }, 422],
    [{ name: 'large.txt', content: Buffer.alloc(5 * 1024 * 1024 + 1, 'a').toString('base64') }, 422],
    [{ name: 'huge.txt', content: 'a'.repeat(8 * 1024 * 1024) }, 413],
  ])('are refused: %#', async (input, status) => {
    expect((await account.api.post('/assets', input)).status).toBe(status);
  });

  it('are limited to fifty', async () => {
    const { client } = await service.createAccount();
    const create = () => client.assets.create.mutate({ name: 'banner.png', content: PNG });
    const outcomes = await Promise.allSettled(Array.from({ length: 52 }, create));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    await expect(create()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
