import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askUnder } from '../portal/under-host.ts';
import { Browser } from '../support/browser.ts';
import { type Reply, send } from '../support/http.ts';
import { must, program } from '../support/program.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { startServiceWithPages } from './service.ts';

/** Requests by which applications read a page to show a preview of it, with user agents and headers as they document them. */
const APPLICATIONS: [name: string, headers: Record<string, string>][] = [
  ['WhatsApp', { 'User-Agent': 'WhatsApp/2.23.20.0 A', Accept: '*/*' }],
  [
    'Slack',
    { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', Accept: '*/*', Range: 'bytes=0-524287' },
  ],
  ['Telegram', { 'User-Agent': 'TelegramBot (like TwitterBot)' }],
  [
    'Facebook',
    {
      'User-Agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      Accept: '*/*',
      Range: 'bytes=0-524288',
    },
  ],
  [
    'iMessage',
    {
      'User-Agent':
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
      Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    },
  ],
  [
    'LinkedIn',
    {
      'User-Agent': 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
      Accept: 'image/*, */*',
    },
  ],
  ['X', { 'User-Agent': 'Twitterbot/1.0', Accept: 'application/json, */*;q=0.1' }],
];

/** Host name of a portal. */
const HOST = 'partners.shop.example';
const NAME = 'Größe & "Söhne" <b>$&</b>';

let service: TestService;
let account: TestAccount;
let joinUrl: string;
let tracked: string;
let linkId: string;

beforeAll(async () => {
  service = await startServiceWithPages({ writesRows: true });
  account = await service.createAccount();
  const owner = new Browser(service.url, service.services.publicUrl);
  await owner.signIn(account.ownerEmail, account.ownerPassword);
  await owner.mutate('account.update', { account_id: account.id, mail_language: 'de' });
  await account.client.portalSettings.update.mutate({ brand_name: NAME, brand_color: '#ffee00' });
  const { link } = await program(account, { name: 'Friends', commission_percent: 25 });
  [linkId, tracked] = [link.id, here(link.tracking_url)];
  await must(account, '/campaigns', {
    name: 'Closed',
    url: 'https://shop.example',
    reward_type: 'percent',
    commission_percent: 5,
    private: true,
  });
  const { slug } = await account.client.portalSettings.get.query();
  joinUrl = `${service.url}/join/${slug}/friends`;
  await openPortalAt(HOST);
});
afterAll(() => service.stop());

/** Gives another account, which writes German emails, a portal under a host name of its own. */
async function openPortalAt(host: string): Promise<void> {
  const other = await service.createAccount();
  const owner = new Browser(service.url, service.services.publicUrl);
  await owner.signIn(other.ownerEmail, other.ownerPassword);
  await owner.mutate('account.update', { account_id: other.id, mail_language: 'de' });
  await other.client.portalSettings.update.mutate({ brand_name: NAME });
  const at = service.clock.instant();
  const verified = { verified_at: at, failure: null, failing_since: null, check_at: '2999-01-01T00:00:00.000Z', created_at: at };
  await service.services.database.kysely
    .insertInto('portal_host')
    .values({ account_id: other.id, host, ...verified })
    .execute();
  service.clock.advance(5, 'seconds');
}

/** Returns the address at which the test reaches an address of the service, whose public one has no port. */
function here(url: string): string {
  const { pathname, search } = new URL(url);
  return `${service.url}${pathname}${search}`;
}

const published = (url: string) => `${service.services.publicUrl}${new URL(url).pathname}`;

const inLowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Returns the tags of a page by name, as a program reads them. */
function tagsIn({ text }: Pick<Reply, 'text'>): Record<string, string> {
  const plain = (value: string) =>
    value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  const tags = [...text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)" \/>/g)].map(([, name, content]) => [
    name!,
    plain(content!),
  ]);
  return { ...Object.fromEntries(tags), title: plain(/<title>([^<]*)<\/title>/.exec(text)?.[1] ?? '') };
}

/** Returns the columns of the picture of a page or link that have ink: the first, the last, and their number. */
async function columnsOf(url: string): Promise<{ first: number; last: number; count: number }> {
  const answer = await fetch(here(tagsIn(await send(url, 'GET', { headers: APPLICATIONS[0]![1] }))['og:image']!));
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const inked = new Set(Array.from(data, (grey, pixel) => (grey === data[0] ? -1 : pixel % info.width)));
  inked.delete(-1);
  return { first: Math.min(...inked), last: Math.max(...inked), count: inked.size };
}

const JOIN_IN_GERMAN = {
  title: `Partner von ${NAME} werden`,
  description: '25 % von jedem Verkauf an Kunden, die Sie werben.',
  'og:type': 'website',
  'og:site_name': NAME,
  'og:title': `Partner von ${NAME} werden`,
  'og:description': '25 % von jedem Verkauf an Kunden, die Sie werben.',
  'og:locale': 'de_DE',
  'og:image:type': 'image/png',
  'og:image:width': '1200',
  'og:image:height': '630',
  'twitter:card': 'summary_large_image',
  'twitter:title': `Partner von ${NAME} werden`,
};

describe.each(APPLICATIONS)('%s', (_name, headers) => {
  it('reads what a sign-up page is, in the language of the program', async () => {
    const page = await send(joinUrl, 'GET', { headers });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<html lang="de"');
    expect(tagsIn(page)).toMatchObject({ ...JOIN_IN_GERMAN, 'og:url': published(joinUrl) });
    const head = await send(joinUrl, 'HEAD', { headers });
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, 'text/html; charset=utf-8', '']);
    const picture = await fetch(here(tagsIn(page)['og:image']!), { headers });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    // Some applications show no larger pictures.
    expect((await picture.bytes()).length).toBeLessThan(300_000);
  });

  it('reads what the portal of a program is, under the host name of the program', async () => {
    const page = await askUnder(service, HOST, 'GET', '/portal', inLowerCase(headers));
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('lang="de"');
    const title = `Partnerprogramm von ${NAME}`;
    const description = 'Ihre Links, Ihre Provisionen und Ihre Auszahlungen.';
    const tags = tagsIn(page);
    expect(tags).toMatchObject({ title, description, 'og:title': title, 'og:description': description });
    expect(tags).toMatchObject({ 'og:site_name': NAME, 'og:locale': 'de_DE', 'og:url': `http://${HOST}/portal` });
    const head = await askUnder(service, HOST, 'HEAD', '/portal', inLowerCase(headers));
    expect([head.status, head.text]).toEqual([200, '']);
    const picture = await fetch(here(tags['og:image']!), { headers });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('follows a tracked link to the page of the merchant, without a click, and reads what the link is', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(tracked, method, { headers });
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toBe('https://shop.example.com/start');
      // Customers see it, so it does not mention what the affiliate earns.
      expect(answer.text).not.toMatch(/25\s?%/);
    }
    const tags = { 'og:title': NAME, 'og:description': 'shop.example.com/start', 'og:url': published(tracked) };
    expect(tagsIn(await send(tracked, 'GET', { headers }))).toMatchObject(tags);
    expect(await account.client.links.get.query({ id: linkId })).toMatchObject({ visitors: 0 });
  });
});

describe('a preview', () => {
  it('is in the language that the reader asks for', async () => {
    const descriptionFor = async (headers: Record<string, string>) =>
      tagsIn(await send(joinUrl, 'GET', { headers }))['og:description'];
    const english = '25% of every sale to a customer you refer.';
    expect(await descriptionFor({ 'Accept-Language': 'en-GB,en;q=0.9' })).toBe(english);
    expect(await descriptionFor({ 'X-Facebook-Locale': 'en_US' })).toBe(english);
    expect(await descriptionFor({ 'Accept-Language': 'de-AT' })).toBe(JOIN_IN_GERMAN.description);
    expect(await descriptionFor({ 'Accept-Language': 'fr', 'X-Facebook-Locale': 'fr_FR' })).toBe(JOIN_IN_GERMAN.description);
  });

  it('has a picture in the colors of the program, which changes its address with the program', async () => {
    const pictureOf = async () => here(tagsIn(await send(joinUrl, 'GET'))['og:image']!);
    const former = await pictureOf();
    const answer = await fetch(former);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toContain('immutable');
    const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([1_200, 630]);
    expect([...data.subarray(0, 3)]).toEqual([0xff, 0xee, 0]);
    const black = Array.from({ length: data.length / 3 }, (_, pixel) => data[3 * pixel]!).filter((red) => red === 0).length;
    expect(black).toBeGreaterThan(5_000);
    await account.client.portalSettings.update.mutate({ brand_color: '#000000' });
    const current = await pictureOf();
    expect(current).not.toBe(former);
    const outdated = await fetch(former);
    expect(outdated.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await outdated.bytes()).toEqual(await (await fetch(current)).bytes());
    await account.client.portalSettings.update.mutate({ brand_color: '#ffee00' });
  });

  it.each([
    ['in Chinese', '王小明的茶店'],
    ['in Japanese', '京都お茶の店'],
    ['in Korean', '한국 차 가게'],
    ['in Thai', 'ร้านชา สมชาย'],
    ['in Arabic', 'متجر الشاي'],
    ['in Hebrew', 'חנות התה'],
    ['of one long word', 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'],
    ['in two scripts, with emoji', 'Tea 茶 🍵'],
  ])('shows all of a name %s in its picture', async (_, name) => {
    await account.client.portalSettings.update.mutate({ brand_name: name });
    const drawn = await columnsOf(tracked);
    // Ink of a line that is written from left to right begins at the left margin, the others end at the right margin.
    const isLeftward = /[\u0590-\u06ff]/.test(name);
    expect(isLeftward ? 1_200 - drawn.last : drawn.first).toBeLessThan(105);
    expect(Math.min(drawn.first, 1_200 - drawn.last)).toBeGreaterThan(85);
    // Each letter takes some columns. Letters that no font has would take none.
    const letters = name.replaceAll(/[\p{M}\p{Extended_Pictographic}\s]/gu, '').length;
    expect(drawn.count).toBeGreaterThan(10 * Math.min(letters, 30));
    await account.client.portalSettings.update.mutate({ brand_name: NAME });
  });

  it.each(['closed', 'none', 'constructor'])('does not exist for the campaign %j', async (campaign) => {
    const page = await send(joinUrl.replace('friends', encodeURIComponent(campaign)), 'GET', { headers: { Accept: '*/*' } });
    expect(page.text).not.toContain('og:title');
    const picture = new URL(here(tagsIn(await send(joinUrl, 'GET'))['og:image']!));
    picture.searchParams.set('campaign', campaign);
    expect((await send(picture.href, 'GET')).status).toBe(404);
  });
});

describe('a page of affiliates', () => {
  it.each(['*/*', 'application/json', 'image/webp', ''])('answers requests that accept %j', async (accept) => {
    for (const path of ['/portal', '/portal/links', '/sign-in', new URL(joinUrl).pathname]) {
      const { status, headers } = await send(service.url + path, 'GET', { headers: { Accept: accept } });
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    }
  });

  it('answers 404 with a page where there is no sign-up page', async () => {
    const { status, headers } = await send(joinUrl.replace('friends', 'none'), 'GET', { headers: { Accept: '*/*' } });
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });
});
