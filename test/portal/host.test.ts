import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReadPage, type Services, checkPortalHosts, mailRequestedPortalLinks } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountsByHost } from '../../packages/rest/src/portal-hosts.ts';
import { PROCEDURES, plainInput } from '../contract/procedures.ts';
import { must, program } from '../support/program.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';
import { askUnder, callUnder } from './under-host.ts';

const HOST = 'partners.shop.example';
const OTHER = 'partners.bistro.example';

/** Paths of the service, and odd spellings of them. */
const NOT_SERVED = [
  '/portal.html /index.html /sign-in /settings /embed /unsubscribe /api/v1/campaigns //api/v1/campaigns',
  '/trpc/../api/v1/campaigns /auth/get-session /auth/oauth2/authorize /.well-known/oauth-authorization-server /mcp',
  '/t/ada /track.js /_aff/track.js /docs /openapi/v1.json /metrics',
  '/portal-hosts/certificate?domain=partners.shop.example',
].flatMap((paths) => paths.split(' '));

let service: TestService;
let account: TestAccount;
let other: TestAccount;
let ada: string;
let pages: string;
/** Names that lead to the service, and what is found under others. */
const leadsHere = new Set<string>();
let elsewhere: ReadPage = async () => 'unreachable';
/** TXT records. */
const records = new Map<string, readonly string[]>();
const own = (host: string, ...owners: readonly { id: string }[]) =>
  records.set(
    `_affiliate-portal.${host}`,
    owners.map(({ id }) => id),
  );

beforeAll(async () => {
  pages = mkdtempSync(join(tmpdir(), 'pages-'));
  for (const name of ['index.html', 'portal.html', 'sign-in.html']) writeFileSync(join(pages, name), `<html lang="en">${name}`);
  service = await startService({ pages });
  service.services.readPage = async (url) => {
    const { host, pathname } = new URL(url);
    return leadsHere.has(host) ? { url, html: (await ask(host, 'GET', pathname)).text, policies: [] } : elsewhere(url);
  };
  service.services.resolveTexts = async (name) => records.get(name) ?? [];
  [account, other] = [await service.createAccount(), await service.createAccount()];
  ada = (await program(account, { default: true, name: 'Friends' }, { email: 'ada@partner.example' })).affiliate.id;
  await program(other, { default: true, name: 'Friends' }, { email: 'ada@partner.example' });
  await account.client.join.updateSettings.mutate({ brand_name: 'Northwind', brand_color: '#ffee00' });
  for (const [merchant, host] of [
    [account, HOST],
    [other, OTHER],
  ] as const) {
    leadsHere.add(host);
    own(host, merchant);
    await merchant.client.join.updateSettings.mutate({ portal_host: host });
  }
  await checkPortalHosts(service.services);
  refresh();
});
afterAll(async () => {
  await service.stop();
  rmSync(pages, { recursive: true });
});

/** Every process reads the hosts again after five seconds. */
const refresh = () => service.clock.advance(5, 'seconds');

const ask = (host: string, ...rest: [method: string, path: string, headers?: Record<string, string>]) =>
  askUnder(service, host, ...rest);
const call = <Output>(host: string, ...rest: [procedure: string, input?: object, headers?: Record<string, string>]) =>
  callUnder<Output>(service, host, ...rest);

async function mailedUrl(email: string, subject: RegExp): Promise<URL> {
  return new URL(/https?:\S+/.exec((await service.mailbox.take(email, subject)).text)![0]);
}
const tokenOf = ({ hash }: URL) => new URLSearchParams(hash.slice(1)).get('token')!;

/** Opens the portal of Ada by mail. */
async function openByMail(host = HOST): Promise<Record<string, string>> {
  await call(host, 'portal.requestLink', { email: 'ADA@partner.example' });
  const url = await mailedUrl('ada@partner.example', /Your link to the affiliate portal/);
  expect(url.href).toMatch(new RegExp(`^https://${host}/portal/link#token=pat_`));
  const { data } = await call<Outputs['portal']['enter']>(host, 'portal.enter', { token: tokenOf(url) });
  return { 'x-portal-token': data.token };
}

describe('the host name', () => {
  it.each([
    'localhost',
    '127.0.0.1',
    'partners',
    'a b.example',
    'x.example:80',
    '-x.example',
    'affiliates.example.com',
    'x.affiliates.example.com',
    `${'x'.repeat(64)}.example`,
  ])('cannot be %s', async (portal_host) => {
    await expect(account.client.join.updateSettings.mutate({ portal_host })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('is the service’s own until a check has seen that it leads here', async () => {
    const { client, id } = await service.createAccount();
    const host = 'new.shop.example';
    own(host, { id });
    const record = { name: `_affiliate-portal.${host}`, value: id };
    const settings = await client.join.updateSettings.mutate({ portal_host: ` ${host.toUpperCase()} ` });
    expect(settings.portal_host).toEqual({ host, verified_at: null, failure: null, failing_since: null, record });
    const found = async () => {
      await client.join.checkPortalHost.mutate();
      await checkPortalHosts(service.services);
      return (await client.join.settings.query()).portal_host!.failure;
    };
    for (const failure of ['unreachable', 'refused'] as const) {
      elsewhere = async () => failure;
      expect(await found()).toBe(failure);
    }
    const proofUnder = async (name: string, url: string) => (await ask(name, 'GET', new URL(url).pathname)).text;
    for (const answer of [
      async (url: string) => ({ url, html: 'f'.repeat(64) }),
      async (url: string) => ({ url, html: await proofUnder(HOST, url) }),
      async (url: string) => ({ url: `https://${HOST}/`, html: await proofUnder(host, url) }),
    ]) {
      elsewhere = async (url) => ({ ...(await answer(url)), policies: [] });
      expect(await found()).toBe('wrong_answer');
    }
    leadsHere.add(host);
    own(host, other);
    expect(await found()).toBe('no_record');
    service.services.resolveTexts = () => Promise.reject(new Error('No name server answers.'));
    expect(await found()).toBe('unreachable');
    service.services.resolveTexts = async (name) => records.get(name) ?? [];
    refresh();
    // Nobody signs in under a name that is not the service's.
    const page = await ask(host, 'GET', '/sign-in?to=portal');
    expect([page.status, page.headers['location']]).toEqual([302, 'https://affiliates.example.com/sign-in?to=portal']);
    expect((await ask(host, 'POST', '/auth/sign-in/email', { body: '{}' })).status).toBe(404);
    expect((await ask(host, 'GET', '/healthz')).status).toBe(200);
    expect((await call(host, 'portal.front', undefined)).status).toBe(404);
    expect((await ask(host, 'GET', '/.well-known/affiliate-portal/short')).status).toBe(404);
    await client.join.updateSettings.mutate({ portal_host: null });
    await expect(client.join.checkPortalHost.mutate()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('belongs to the account that its holder names; of several, to the one that was verified first, until it gives the name up', async () => {
    const [{ client: first, ...one }, { client: second, ...two }] = [
      await service.createAccount(),
      await service.createAccount(),
    ];
    const host = 'shared.shop.example';
    leadsHere.add(host);
    own(host, one, two);
    for (const each of [first, second]) await each.join.updateSettings.mutate({ portal_host: host });
    await checkPortalHosts(service.services);
    const states = await Promise.all([first, second].map(async (each) => (await each.join.settings.query()).portal_host!));
    expect(new Set(states.map(({ failure }) => failure))).toEqual(new Set([null, 'taken']));
    const [winner, loser] = states[0]!.failure === null ? [first, second] : [second, first];
    await winner.join.updateSettings.mutate({ portal_host: null });
    await loser.join.checkPortalHost.mutate();
    await checkPortalHosts(service.services);
    expect((await loser.join.settings.query()).portal_host).toMatchObject({ failure: null, verified_at: expect.any(String) });

    // The holder names the other account only: the name moves at once.
    own(host, winner === first ? one : two);
    await winner.join.updateSettings.mutate({ portal_host: host });
    await checkPortalHosts(service.services);
    expect((await winner.join.settings.query()).portal_host).toMatchObject({ failure: null, verified_at: expect.any(String) });
    expect((await loser.join.settings.query()).portal_host).toMatchObject({ failure: 'taken', verified_at: null });
  });

  it('can be checked 30 times an hour, whichever it is', async () => {
    const { client } = await service.createAccount();
    const outcomes: (string | null)[] = [];
    for (let time = 0; time < 32; time += 1) {
      await client.join.updateSettings.mutate({ portal_host: null });
      const outcome = client.join.updateSettings.mutate({ portal_host: `try-${time}.shop.example` });
      outcomes.push(
        await outcome.then(
          () => null,
          ({ code }: { code: string }) => code,
        ),
      );
    }
    expect(outcomes.slice(29)).toEqual([null, 'RATE_LIMITED', 'RATE_LIMITED']);
    await client.join.updateSettings.mutate({ portal_host: null });
  });

  it('is left after three days in which it led elsewhere, and comes back', async () => {
    const { client, api, id } = await service.createAccount();
    const { affiliate } = await program({ api });
    const host = 'moving.shop.example';
    own(host, { id });
    leadsHere.add(host);
    await client.join.updateSettings.mutate({ portal_host: host });
    const originAfter = async (hours: number) => {
      service.clock.advance(hours, 'hours');
      await checkPortalHosts(service.services);
      return new URL((await client.affiliates.createPortalLink.mutate({ id: affiliate.id })).url).origin;
    };
    expect(await originAfter(0)).toBe(`https://${host}`);
    leadsHere.delete(host);
    elsewhere = async () => 'unreachable';
    expect(await originAfter(24)).toBe(`https://${host}`);
    expect((await client.join.settings.query()).portal_host).toMatchObject({
      failure: 'unreachable',
      failing_since: service.clock.instant(),
    });
    expect(await originAfter(71)).toBe(`https://${host}`);
    expect(await originAfter(1)).toBe('https://affiliates.example.com');
    leadsHere.add(host);
    expect(await originAfter(1)).toBe(`https://${host}`);
  });
});

describe('under a host name', () => {
  it.each([
    ['/', 302],
    ...['/portal', '/portal/payouts', '/JOIN/shop/friends'].map((path) => [path, 200] as const),
    ...NOT_SERVED.map((path) => [path, 404] as const),
  ] as const)('%s answers %i', async (path, status) => {
    for (const host of [HOST, `${HOST.toUpperCase()}.:443`]) {
      const answer = await ask(host, 'GET', path, { authorization: `Bearer ${account.apiKey}`, 'x-account-id': account.id });
      expect(answer.status).toBe(status);
      expect(answer.text === '<html data-portal-host lang="en">portal.html').toBe(status === 200);
    }
    expect((await ask(HOST, 'POST', path, { body: '{}' })).status).toBe(status === 302 ? 302 : 404);
  });

  it('only the procedures of affiliates are served, and no session or key counts', async () => {
    const [session] = [
      (
        await ask(new URL(service.services.publicUrl).host, 'POST', '/auth/sign-in/email', {
          body: JSON.stringify({ email: account.ownerEmail, password: account.ownerPassword }),
        })
      ).headers['set-cookie'],
    ].flat();
    const headers = { cookie: session!.split(';')[0]!, authorization: `Bearer ${account.apiKey}`, 'x-account-id': account.id };
    const outcomes = new Map<string, number>();
    for (const procedure of PROCEDURES)
      outcomes.set(procedure.path, (await call(HOST, procedure.path, plainInput(procedure, new Map()), headers)).status);
    const ofAffiliates = PROCEDURES.filter(({ meta }) => meta.audience === 'affiliate').map(({ path }) => path);
    const answered = (is: (status: number) => boolean) => [...outcomes].filter(([, status]) => is(status)).map(([path]) => path);
    expect(answered((status) => status === 401)).toEqual(ofAffiliates);
    expect(answered((status) => status !== 401 && status !== 404)).toEqual(['portal.front', 'portal.requestLink']);
    expect(PROCEDURES.filter(({ meta }) => meta.onPortalHosts).map(({ path }) => path)).toEqual([
      'portal.enter',
      'portal.front',
      'portal.requestLink',
      'join.page',
      'join.submit',
      'join.confirm',
    ]);
    const batch = await ask(HOST, 'GET', '/trpc/portal.front,session.get?batch=1', headers);
    expect(batch.text).not.toContain('Northwind');
    process.stdout.write(`portal host: ${PROCEDURES.length} procedures called\n`);
  });

  it('the account is shown before anybody has signed in, and no other one', async () => {
    expect((await call(HOST, 'portal.front', undefined)).data).toMatchObject({
      account_name: 'Northwind',
      brand: { color: '#ffee00' },
    });
    const slugOf = async (merchant: TestAccount) => (await merchant.client.join.settings.query()).slug!;
    const page = async (merchant: TestAccount) =>
      (await call(HOST, 'join.page', { account: await slugOf(merchant), campaign: 'friends' })).status;
    expect(await page(account)).toBe(200);
    expect(await page(other)).toBe(404);
    const logos = await Promise.all(
      [account, other].map(async ({ client }) => {
        const { brand } = await client.join.setLogo.mutate({
          content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
        });
        return (await ask(HOST, 'GET', brand.logo_path!)).status;
      }),
    );
    expect(logos).toEqual([200, 404]);
  });

  it('a mailed link opens the portal of this account only, once', async () => {
    const portal = await openByMail();
    expect((await call<Outputs['portal']['self']>(HOST, 'portal.self', undefined, portal)).data).toMatchObject({
      affiliate_id: ada,
    });
    expect((await call(OTHER, 'portal.self', undefined, portal)).status).toBe(401);
    const { url } = await account.client.affiliates.createPortalLink.mutate({ id: ada });
    expect(url).toMatch(new RegExp(`^https://${HOST}/portal/enter#token=`));
    const token = tokenOf(new URL(url));
    expect((await call(OTHER, 'portal.enter', { token })).status).toBe(404);
    expect((await call(HOST, 'portal.enter', { token })).status).toBe(200);
    expect((await call(HOST, 'portal.enter', { token })).status).toBe(404);
  });

  it('nobody else gets a mail, and no request chooses where its link leads', async () => {
    await call(HOST, 'portal.requestLink', { email: 'nobody@partner.example' });
    await call(
      HOST,
      'portal.requestLink',
      { email: 'ada@partner.example' },
      { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' },
    );
    expect((await mailedUrl('ada@partner.example', /Your link/)).host).toBe(HOST);
    expect(service.mailbox.mails.filter(({ to }) => to === 'nobody@partner.example')).toEqual([]);
    expect((await call('evil.example', 'portal.requestLink', { email: 'ada@partner.example' })).status).toBe(404);
  });

  it('a link that was promised is mailed by a worker when the process ends before', async () => {
    const at = service.clock.instant();
    const row = {
      id: 'prr_1',
      kind: 'portal',
      email: 'ada@partner.example',
      lease_until: at,
      expires_at: '2100-01-01T00:00:00.000Z',
    } as const;
    const { kysely } = service.services.database;
    await kysely
      .insertInto('password_reset_request')
      .values({ ...row, portal_account_id: account.id })
      .execute();
    await mailRequestedPortalLinks(service.services);
    expect((await mailedUrl('ada@partner.example', /Your link/)).host).toBe(HOST);
    expect(await kysely.selectFrom('password_reset_request').select('id').where('id', '=', row.id).execute()).toEqual([]);
  });

  it('an applicant confirms, enters without an account of their own, and is mailed there', async () => {
    const email = 'grace@partner.example';
    const { slug } = await account.client.join.updateSettings.mutate({ approval: 'automatic' });
    const address = { account: slug!, campaign: 'friends' };
    const { data } = await call<Outputs['join']['page']>(HOST, 'join.page', address);
    refresh();
    await call(HOST, 'join.submit', { ...address, email, form_token: data.form_token });
    const url = await mailedUrl(email, /Confirm your application/);
    expect(url.origin).toBe(`https://${HOST}`);
    expect((await call(OTHER, 'join.confirm', { token: tokenOf(url) })).status).toBe(404);
    const confirmed = await call<Outputs['join']['confirm']>(HOST, 'join.confirm', { token: tokenOf(url) });
    expect(confirmed.data).toMatchObject({ state: 'active', sign_in_token: null, portal_token: expect.stringMatching(/^pat_/) });
    expect((await mailedUrl(email, /approved|welcome/i)).origin).toBe(`https://${HOST}`);
    const entered = await call<Outputs['portal']['enter']>(HOST, 'portal.enter', { token: confirmed.data.portal_token! });
    const home = await call<Outputs['portal']['home']>(HOST, 'portal.home', undefined, { 'x-portal-token': entered.data.token });
    expect(new URL(home.data.links[0]!.tracking_url).origin).toBe('https://affiliates.example.com');
  });

  it('who enters by mail gets the mails of the program, as after signing in', async () => {
    const { id } = await must<{ id: string }>(account, '/affiliates', { email: 'joan@partner.example' });
    await call(HOST, 'portal.requestLink', { email: 'joan@partner.example' });
    const token = tokenOf(await mailedUrl('joan@partner.example', /Your link/));
    await call(HOST, 'portal.enter', { token });
    const { user_id } = await service.services.database.kysely
      .selectFrom('affiliate')
      .select('user_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(user_id).toMatch(/^usr_/);
    // With a second factor, the address leads to the page that asks for it.
    await service.services.database.kysely
      .updateTable('auth_user')
      .set({ has_second_factor: true })
      .where('id', '=', user_id!)
      .execute();
    await call(HOST, 'portal.requestLink', { email: 'joan@partner.example' });
    const signIn = await mailedUrl('joan@partner.example', /Sign in/);
    expect(signIn.href).toBe('https://affiliates.example.com/sign-in?to=portal');
  });
});

describe('a mailed link', () => {
  const PUBLIC = 'affiliates.example.com';
  const db = () => service.services.database.kysely;

  it('with which a person would lose their address leads to the service’s own host, and moves nobody without a session', async () => {
    const { ownerEmail: victim } = await service.createAccount();
    const { id } = await must<{ id: string }>(account, '/affiliates', { email: victim });
    const { url } = await account.client.affiliates.createPortalLink.mutate({ id });
    const entered = await call<Outputs['portal']['enter']>(HOST, 'portal.enter', { token: tokenOf(new URL(url)) });
    const taken = 'merchant@shop.example';
    const asked = await call(HOST, 'portal.requestEmailChange', { new_email: taken }, { 'x-portal-token': entered.data.token });
    expect(asked.status).toBe(200);
    const urls = [await mailedUrl(victim, /^Your e-mail address at/), await mailedUrl(taken, /^Confirm your new/)];
    expect(urls.map(({ host }) => host)).toEqual([PUBLIC, PUBLIC]);
    for (const each of urls) {
      const answer = { token: tokenOf(each), answer: 'agree' };
      expect((await call(HOST, 'portal.answerEmailChange', answer)).status).toBe(404);
      expect((await call(PUBLIC, 'portal.answerEmailChange', answer)).status).toBe(200);
    }
    expect((await account.client.affiliates.get.query({ id })).email).toBe(taken);
    const users = await db().selectFrom('auth_user').select('email').where('email', 'in', [victim, taken]).execute();
    expect(users.map(({ email }) => email).toSorted()).toEqual([taken, victim].toSorted());
  });

  it('of an applicant signs nobody in at another host than its own', async () => {
    const email = 'mary@partner.example';
    const { slug } = await account.client.join.settings.query();
    const address = { account: slug!, campaign: 'friends' };
    const apply = async (host: string, applicant: string) => {
      const { data } = await call<Outputs['join']['page']>(host, 'join.page', address);
      refresh();
      await call(host, 'join.submit', { ...address, email: applicant, form_token: data.form_token });
      return { token: tokenOf(await mailedUrl(applicant, /Confirm your application/)) };
    };
    const token = await apply(PUBLIC, email);
    const { data } = await call<Outputs['join']['confirm']>(PUBLIC, 'join.confirm', token);
    expect(data).toMatchObject({ sign_in_token: null, portal_token: expect.stringMatching(/^pat_/) });

    const known = await service.createAccount();
    await setSecondFactor(known.ownerEmail, true);
    const guarded = await call<Outputs['join']['confirm']>(HOST, 'join.confirm', await apply(HOST, known.ownerEmail));
    expect(guarded.data).toMatchObject({ sign_in_token: null, portal_token: null });
  });

  const setSecondFactor = (email: string, has_second_factor: boolean) =>
    db().updateTable('auth_user').set({ has_second_factor }).where('email', '=', email).execute();

  it.each(['another address', 'a second factor'] as const)('opens nothing once the affiliate has %s', async (what) => {
    const email = `${what.replaceAll(' ', '-')}@partner.example`;
    const { id } = await must<{ id: string }>(account, '/affiliates', { email });
    const mailed = async () => {
      await call(HOST, 'portal.requestLink', { email });
      return { token: tokenOf(await mailedUrl(email, /Your link/)) };
    };
    const entered = await call<Outputs['portal']['enter']>(HOST, 'portal.enter', await mailed());
    const self = async () => (await call(HOST, 'portal.self', undefined, { 'x-portal-token': entered.data.token })).status;
    expect(await self()).toBe(200);
    const later = await mailed();
    if (what === 'another address') await account.client.affiliates.update.mutate({ id, email: 'corrected@partner.example' });
    else await setSecondFactor(email, true);
    expect((await call(HOST, 'portal.enter', later)).status).toBe(what === 'another address' ? 404 : 403);
    expect(await self()).toBe(401);
  });
});

it('a process that has not read the hosts yet answers under none of the names that could be one', async () => {
  let fails = true;
  const services = {
    ...service.services,
    get database() {
      return fails
        ? {
            kysely: {
              selectFrom: () => {
                throw new Error('The database fails.');
              },
            },
          }
        : service.services.database;
    },
  } as unknown as Services;
  const accountOf = accountsByHost(services);
  await expect(accountOf(HOST)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  fails = false;
  await expect(accountOf('unknown.example')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  refresh();
  expect([await accountOf(HOST), await accountOf('unknown.example')]).toEqual([account.id, undefined]);
  fails = true;
  refresh();
  expect(await accountOf(HOST)).toBe(account.id);
});

it('a proxy gets certificates for verified hosts only', async () => {
  const may = async (domain: string) => (await ask('127.0.0.1', 'GET', `/portal-hosts/certificate?domain=${domain}`)).status;
  expect(await may(HOST)).toBe(200);
  for (const domain of ['', 'unknown.example', `x.${HOST}`, `${HOST}%2f`, 'affiliates.example.com'])
    expect(await may(domain)).toBe(404);
});
