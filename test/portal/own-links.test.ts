/** Codes and labels that affiliates give their links (docs/rules/program.md#links). */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { type Program, must, program, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';
import { SignUp } from './sign-up.ts';

type Portal = Outputs['portal'];
type OwnLink = Portal['createLink'];

const SHOP = 'https://shop.example.com/';
const service = useService();
const account = useAccount(service, 'file');
let started: Program;
let ada: PortalVisitor;
let grace: PortalVisitor;

beforeAll(async () => {
  started = await program(account, { days_until_commissions_are_due: 0 }, { email: 'ada@partner.example' });
  await must(account, '/affiliates', {
    email: 'grace@partner.example',
    first_name: 'Grace',
    campaign_id: started.campaign.id,
  });
  ada = await PortalVisitor.enter(service, account, 'ada@partner.example');
  grace = await PortalVisitor.enter(service, account, 'grace@partner.example');
});
beforeEach(() => service.clock.advance(1, 'seconds'));

const create = (visitor: PortalVisitor, more: object = {}) =>
  visitor.mutate<OwnLink>('portal.createLink', { url: SHOP, ...more });
const change = (visitor: PortalVisitor, input: object) => visitor.mutate<OwnLink>('portal.updateLink', input);
/** Returns the code of the refusal of a token, or the token that may be chosen. */
async function verdict(visitor: PortalVisitor, token: string): Promise<string> {
  const { status, body } = await visitor.browser.mutate<{ token: string }>('portal.checkLinkCode', { token }, of());
  if (status === 200) return body.result!.data.token;
  expect([status, body.error!.data.code]).toEqual([422, 'VALIDATION_ERROR']);
  return (body.error!.data.details as { code: string }[])[0]!.code;
}
const of = () => ({ 'X-Account-Id': account.id });
/** Returns the token of the link that an address of a token leads to. */
async function landing(token: string): Promise<string | null | undefined> {
  const { headers } = await send(`${service.url}/t/${token}?account_id=${account.id}`, 'GET', { query: '', headers: {} });
  return URL.parse(headers.get('location') ?? '')?.searchParams.get('via');
}

describe('the code of a link', () => {
  it('is spelled in Latin letters', async () => {
    for (const [typed, token] of [
      ['Größer', 'groesser'],
      ['  Élan & Söhne ', 'elan-soehne'],
      ['Иван', 'ivan'],
      ['a\u200bda-lovelace', 'ada-lovelace'],
      ['My_Code-1', 'My_Code-1'],
    ])
      expect(await verdict(grace, typed!)).toBe(token);
    expect((await create(grace, { token: 'Größer' })).token).toBe('groesser');
  });

  it('has 3 to 64 letters or digits', async () => {
    for (const typed of ['ab', '李雷', '🙂🙂🙂', ' ', 'x'.repeat(65)]) expect(await verdict(grace, typed)).toBe('invalid_format');
    expect(await verdict(grace, `x${'-y'.repeat(31)}z`)).toHaveLength(64);
  });

  it('is nobody else’s, in any case and any letters, and looks like nobody else’s', async () => {
    await create(ada, { token: 'tea-lover1' });
    for (const taken of ['tea-lover1', 'TEA-Lover1', 'теа-lover1', 'ｔｅａ-lover1', 'tea-lo\u00advér1'])
      expect([taken, await verdict(grace, taken)]).toEqual([taken, 'taken']);
    for (const alike of ['tealover1', 'tea_loverl', 'Tea-loverI', 'tea-1over1']) {
      expect([alike, await verdict(grace, alike)]).toEqual([alike, 'alike']);
      expect(await grace.refusal('mutate', 'portal.createLink', { url: SHOP, token: alike })).toMatchObject({ status: 422 });
    }
    // An affiliate may have several codes that look the same.
    expect(await verdict(ada, 'tealover1')).toBe('tealover1');
  });

  it('is no word by which programs or people mean something else', async () => {
    const { slug } = await account.client.portalSettings.get.query();
    for (const word of [
      'undefined',
      'NULL',
      'Admin',
      'official',
      '0ff1cial',
      'sup-port',
      'your-code',
      slug,
      slug.toUpperCase(),
      started.campaign.slug,
    ])
      expect([word, await verdict(ada, word)]).toEqual([word, 'reserved']);
    // Properties of every object are codes like others.
    for (const word of ['constructor', '__proto__', 'toString']) expect(await verdict(ada, word)).toBe(word);
    // A name cannot get around it, nor look like the code of somebody else.
    await create(ada, { token: 'grace-hopper' });
    const imposter = {
      email: `${unique('n')}@partner.example`,
      first_name: 'Grace',
      last_name: 'H0pper',
      campaign_id: started.campaign.id,
    };
    const { id: imposter_id } = await must<{ id: string }>(account, '/affiliates', imposter);
    const given = { affiliate_id: imposter_id, campaign_id: started.campaign.id, url: SHOP };
    expect((await must<OwnLink>(account, '/links', given)).token).toBe('grace-h0pper2');
    const named = { email: `${unique('n')}@partner.example`, first_name: 'Undefined', campaign_id: started.campaign.id };
    const { id: affiliate_id } = await must<{ id: string }>(account, '/affiliates', named);
    const link = await must<OwnLink>(account, '/links', { affiliate_id, campaign_id: started.campaign.id, url: SHOP });
    expect(link.token).toBe('undefined2');
  });

  it('is changed once, and the former code goes on to lead to the link, for good', async () => {
    const link = await create(ada, { token: 'first-code' });
    const other = await create(ada, { token: 'other-code' });
    expect(await landing('first-code')).toBe('first-code');
    expect(await change(ada, { id: link.id, token: 'Zweites Kürzel' })).toMatchObject({
      token: 'zweites-kuerzel',
      former_token: 'first-code',
    });
    expect(await landing('first-code')).toBe('zweites-kuerzel');
    expect(await landing('ZWEITES-KUERZEL')).toBe('zweites-kuerzel');
    const visit = { account_id: account.id, token: 'FIRST-code' };
    const { referral_id } = await must<{ referral_id: string }>(account, '/track/visits', visit, 200);
    const { commission } = await sell(account, { referral_id });
    expect(commission).toMatchObject({ affiliate_id: started.affiliate.id });
    expect((await account.client.referrals.get.query({ id: referral_id })).link_id).toBe(link.id);
    expect((await account.client.links.list.query({ token: 'First-Code' })).data.map(({ id }) => id)).toEqual([link.id]);

    for (const token of ['third-code', 'first-code'])
      expect(await ada.refusal('mutate', 'portal.updateLink', { id: link.id, token })).toMatchObject({ status: 422 });
    // Nobody gets the former code, neither by choice, nor from the merchant, nor by a change.
    expect(await verdict(grace, 'first-code')).toBe('taken');
    expect(await verdict(grace, 'f1rst_code')).toBe('alike');
    const given = { affiliate_id: started.affiliate.id, campaign_id: started.campaign.id, url: SHOP, token: 'FIRST-CODE' };
    const taken = { status: 422, body: { details: [{ path: 'token', code: 'taken' }] } };
    expect(await account.api.post('/links', given)).toMatchObject(taken);
    expect(await account.api.patch(`/links/${other.id}`, { token: 'first-code' })).toMatchObject(taken);
    // The merchant still changes the code as often as they want.
    expect((await account.api.patch(`/links/${link.id}`, { token: 'by-merchant' })).body).toMatchObject({
      token: 'by-merchant',
      former_token: 'first-code',
    });
    expect(await landing('first-code')).toBe('by-merchant');
  });

  it('takes no visits of another program that has it already, although the link is older', async () => {
    const [old, older] = [await create(ada, { token: 'old-code' }), await create(ada, { token: 'older-code' })];
    service.clock.advance(1, 'seconds');
    const other = await service.createAccount();
    const { affiliate, campaign } = await program(other);
    const given = { affiliate_id: affiliate.id, campaign_id: campaign.id, url: 'https://other.example.com/' };
    for (const token of ['wanted-spring', 'wanted-autumn']) await must(other, '/links', { ...given, token });
    service.clock.advance(1, 'seconds');
    await change(ada, { id: old.id, token: 'wanted-spring' });
    expect((await account.api.patch(`/links/${older.id}`, { token: 'wanted-autumn' })).status).toBe(200);
    for (const token of ['wanted-spring', 'wanted-autumn']) {
      const { headers } = await send(`${service.url}/t/${token}`, 'GET', { query: '', headers: {} });
      expect(headers.get('location')).toContain('https://other.example.com/');
    }
  });

  it('belongs to one of those who choose it at the same time', async () => {
    const links = await Promise.all([ada, grace, ada].map((visitor) => create(visitor)));
    const chosen = await Promise.allSettled([
      change(ada, { id: links[0]!.id, token: 'wanted-code' }),
      change(grace, { id: links[1]!.id, token: 'wanted-code' }),
      change(ada, { id: links[2]!.id, token: 'Wanted-Code' }),
      create(grace, { token: 'wanted-code' }),
      must(account, '/links', {
        affiliate_id: started.affiliate.id,
        campaign_id: started.campaign.id,
        url: SHOP,
        token: 'wanted-CODE',
      }),
    ]);
    expect(chosen.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('looks like that of one of those who choose it at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = unique('same');
      const chosen = await Promise.allSettled([create(ada, { token: `${name}-x0` }), create(grace, { token: `${name}-xo` })]);
      expect(chosen.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('is not taken by somebody while its link gets another one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const token = unique('held');
      const link = await create(ada, { token });
      const takes = Array.from({ length: 4 }, () =>
        create(grace, { token }).then(
          ({ id }) => id,
          () => null,
        ),
      );
      await Promise.all([change(ada, { id: link.id, token: unique('next') }), ...takes]);
      expect(await Promise.all(takes)).toEqual([null, null, null, null]);
      expect((await account.client.links.list.query({ token })).data).toMatchObject([{ id: link.id, former_token: token }]);
    }
  });

  it('is changed by its affiliate only, while the link is there', async () => {
    const link = await create(ada);
    expect(await grace.refusal('mutate', 'portal.updateLink', { id: link.id, token: 'stolen-code' })).toMatchObject({
      status: 404,
    });
    await ada.mutate('portal.archiveLink', { id: link.id });
    expect(await ada.refusal('mutate', 'portal.updateLink', { id: link.id, label: 'x' })).toMatchObject({ status: 404 });
  });
});

describe('the code chosen at joining', () => {
  const joined = async (approval: 'automatic' | 'manual', link_code: string) => {
    const merchant = await service.createAccount();
    const page = await SignUp.of(service, merchant);
    await merchant.client.portalSettings.update.mutate({ approval });
    const email = `${unique('joins')}@partner.example`;
    expect(await page.apply(email, { link_code })).toMatchObject({ status: 200 });
    const confirm = async () => {
      await page.confirm(await page.confirmationOf(email));
      return (await merchant.client.affiliates.list.query({ email })).data[0]!;
    };
    const links = async (affiliate_id: string) =>
      (await merchant.client.links.list.query({ affiliate_id })).data.map(({ token }) => token);
    return { merchant, page, confirm, links };
  };

  it('is that of the first link, at once or after the approval', async () => {
    const automatic = await joined('automatic', 'Größer');
    expect(await automatic.links((await automatic.confirm()).id)).toEqual(['groesser']);
    const manual = await joined('manual', 'Größer');
    const { id } = await manual.confirm();
    expect(await manual.links(id)).toEqual([]);
    await manual.merchant.client.affiliates.update.mutate({ id, state: 'active' });
    expect(await manual.links(id)).toEqual(['groesser']);
  });

  it('is checked as it is typed and when it is sent, and gives way if somebody takes it meanwhile', async () => {
    const { merchant, page, confirm, links } = await joined('automatic', 'star');
    const check = (link_code: string) =>
      page.anyone().query('join.checkCode', { account: page.slug, campaign: 'friends', link_code });
    expect(await check('Stár')).toMatchObject({ status: 200, body: { result: { data: { token: 'star' } } } });
    const { affiliate, campaign } = await program(merchant);
    await must(merchant, '/links', { affiliate_id: affiliate.id, campaign_id: campaign.id, url: SHOP, token: 'STAR' });
    const refused = { status: 422, body: { error: { data: { details: [{ path: 'link_code', code: 'taken' }] } } } };
    expect(await check('star')).toMatchObject(refused);
    expect(await page.apply('late@partner.example', { link_code: 'star' })).toMatchObject(refused);
    const [token] = await links((await confirm()).id);
    expect(token).toMatch(/^joins/);
  });

  it('is checked for a while only, and for programs that exist', async () => {
    const { page } = await joined('automatic', 'anything');
    const check = (account: string) =>
      page.anyone().query('join.checkCode', { account, campaign: 'friends', link_code: 'probed' });
    expect(await check('none')).toMatchObject({ status: 404 });
    const statuses = new Set<number>();
    for (let at = 0; at < 310; at += 10)
      for (const { status } of await Promise.all(Array.from({ length: 10 }, () => check(page.slug)))) statuses.add(status);
    expect([...statuses]).toEqual([200, 429]);
  });
});

describe('the label of a link', () => {
  it('is shown in lists, figures and files, and to nobody else', async () => {
    const link = await create(ada, { label: ' YouTube ', token: 'tube-code' });
    expect(link).toMatchObject({ label: 'YouTube', token: 'tube-code' });
    const { referral_id } = await must<{ referral_id: string }>(
      account,
      '/track/visits',
      { account_id: account.id, token: 'tube-code' },
      200,
    );
    await sell(account, { referral_id });
    const listed = await ada.query<Portal['listLinks']>('portal.listLinks');
    expect(listed.data.find(({ id }) => id === link.id)).toMatchObject({ label: 'YouTube' });
    expect((await ada.query<Portal['home']>('portal.home')).links[0]).toMatchObject({ label: 'YouTube' });
    const named = 'YouTube (tube-code)';
    for (const list of ['listConversions', 'listCommissions'] as const)
      expect((await ada.query<Portal['listConversions']>(`portal.${list}`, { q: 'youtube' })).data).toMatchObject([
        { source: named },
      ]);
    const figures = await ada.query<Portal['getFigures']>('portal.getFigures', { group_by: 'link' });
    expect(figures.data.map(({ name }) => name)).toContain(named);

    for (const path of [`/links/${link.id}`, '/links', '/events'])
      expect([path, JSON.stringify((await account.api.get(path)).body)]).toEqual([path, expect.not.stringContaining('YouTube')]);
    expect(await change(ada, { id: link.id, label: null })).toMatchObject({
      label: null,
      token: 'tube-code',
      former_token: null,
    });
    for (const label of ['', '  ', 'x'.repeat(61), 'two\nlines'])
      expect(await ada.refusal('mutate', 'portal.updateLink', { id: link.id, label })).toMatchObject({ status: 422 });
  });
});

it('an affiliate has at most 200 links, archived ones included, unless the merchant adds one', async () => {
  const { id } = await must<{ id: string }>(account, '/affiliates', {
    email: 'many@partner.example',
    campaign_id: started.campaign.id,
  });
  const many = await PortalVisitor.enter(service, account, 'many@partner.example');
  const link = { affiliate_id: id, campaign_id: started.campaign.id, url: SHOP };
  const held = (await account.api.get<{ data: unknown[] }>('/links', `affiliate_id=${id}`)).body.data.length;
  for (let count = held; count < 199; count += 1) await must(account, '/links', link);
  const attempt = () => many.browser.mutate<OwnLink>('portal.createLink', { url: SHOP }, of());
  const both = await Promise.all([attempt(), attempt()]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(both.find(({ status }) => status === 422)!.body.error!.data.details).toMatchObject([{ path: 'url', code: 'too_many' }]);
  await many.mutate('portal.archiveLink', { id: both.find(({ status }) => status === 200)!.body.result!.data.id });
  expect((await attempt()).status).toBe(422);
  await must(account, '/links', link);
});
