import type { Services } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountsByHost } from '../../packages/rest/src/portal-hosts.ts';
import { PROCEDURES, plainInput } from '../contract/procedures.ts';
import type { TestAccount } from '../support/service.ts';
import { testLinks } from './host-links.ts';
import { testMails } from './host-mails.ts';
import { testNames } from './host-names.ts';
import { testProxy } from './host-proxy.ts';
import { HOST, PortalHosts } from './portal-hosts.ts';

/** Paths that are not served under a portal's host, including unusual spellings. */
const NOT_SERVED = [
  '/portal.html /join.html /index.html /sign-in /settings /embed /unsubscribe /api/v1/campaigns //api/v1/campaigns',
  '/trpc/../api/v1/campaigns /auth/get-session /auth/oauth2/authorize /.well-known/oauth-authorization-server /mcp',
  '/t /track.js /_aff/track.js /docs /openapi/v1.json /metrics',
  '/portal-hosts/certificate?domain=partners.shop.example',
].flatMap((paths) => paths.split(' '));

let hosts: PortalHosts;
const at = () => hosts;

beforeAll(async () => {
  hosts = await PortalHosts.start();
});
afterAll(() => hosts.stop());

// All tests share one service, because starting it takes longer than the tests.
testNames(at);

describe('under a host name', () => {
  it.each([
    ['/', 302],
    ...['/portal', '/portal/payouts', '/JOIN/test-account/friends'].map((path) => [path, 200] as const),
    ...NOT_SERVED.map((path) => [path, 404] as const),
  ] as const)('%s answers %i', async (path, status) => {
    const { account, ask } = at();
    for (const host of [HOST, `${HOST.toUpperCase()}.:443`]) {
      const answer = await ask(host, 'GET', path, { authorization: `Bearer ${account.apiKey}`, 'x-account-id': account.id });
      expect(answer.status).toBe(status);
      expect(/^<html data-portal-host lang="en">(portal|join)\.html<title>/.test(answer.text)).toBe(status === 200);
    }
    expect((await ask(HOST, 'POST', path, { body: '{}' })).status).toBe(status === 302 ? 302 : 404);
  });

  it.each(['GET', 'HEAD'])('the address in a chat shows what it is: %s', async (method) => {
    const headers = { 'user-agent': 'WhatsApp/2.23.20.0 A', accept: '*/*' };
    const root = await at().ask(HOST, method, '/', headers);
    expect([root.status, root.headers['location']]).toEqual([302, '/portal']);
    const { status, text } = await at().ask(HOST, method, '/portal', headers);
    expect(status).toBe(200);
    const tags = ['og:title" content="Northwind', `og:url" content="https://${HOST}/portal"`, `og:image" content="https://`];
    expect(tags.filter((tag) => !text.includes(tag))).toEqual(method === 'GET' ? [] : tags);
  });

  it('only the procedures for affiliates are served, and sessions and keys are ignored', async () => {
    const { service, account, ask, call } = at();
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
      'join.checkCode',
      'join.submit',
      'join.confirm',
    ]);
    const batch = await ask(HOST, 'GET', '/trpc/portal.front,session.get?batch=1', headers);
    expect(batch.text).not.toContain('Northwind');
    process.stdout.write(`portal host: ${PROCEDURES.length} procedures called\n`);
  });

  it('only the account of the host is shown before sign-in', async () => {
    const { account, other, ask, call } = at();
    expect((await call(HOST, 'portal.front', undefined)).data).toMatchObject({
      account_name: 'Northwind',
      brand: { color: '#ffee00' },
    });
    const slugOf = async (merchant: TestAccount) => (await merchant.client.portalSettings.get.query()).slug;
    const page = async (merchant: TestAccount) =>
      (await call(HOST, 'join.page', { account: await slugOf(merchant), campaign: 'friends' })).status;
    expect(await page(account)).toBe(200);
    expect(await page(other)).toBe(404);
    const logos = await Promise.all(
      [account, other].map(async ({ client }) => {
        const { brand } = await client.portalSettings.setLogo.mutate({
          content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
        });
        return (await ask(HOST, 'GET', brand.logo_path!)).status;
      }),
    );
    expect(logos).toEqual([200, 404]);
    const titleOf = async (path: string) => /<title>(.*)<\/title>/.exec((await ask(HOST, 'GET', path)).text)?.[1];
    expect(await titleOf('/portal')).toBe('Northwind affiliate program');
    expect(await titleOf(`/join/${await slugOf(account)}/friends`)).toBe('Join Northwind');
    const foreign = await ask(HOST, 'GET', `/join/${await slugOf(other)}/friends`);
    expect([foreign.status, /<title>(.*)<\/title>/.exec(foreign.text)?.[1]]).toEqual([404, 'Affiliate']);
  });
});

testLinks(at);
testMails(at);
testProxy(at);

it('a process that has not read the host names yet does not answer under any name that could be one', async () => {
  const { service, account, refresh } = at();
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
  const { ask } = at();
  const may = async (domain: string) => (await ask('127.0.0.1', 'GET', `/portal-hosts/certificate?domain=${domain}`)).status;
  expect(await may(HOST)).toBe(200);
  for (const domain of ['', 'unknown.example', `x.${HOST}`, `${HOST}%2f`, 'affiliates.example.com'])
    expect(await may(domain)).toBe(404);
});
