import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../psp/fixtures.ts';
import { type PspTestService, startPspService } from '../psp/service.ts';
import { send } from '../support/http.ts';
import { program, refer } from '../support/program.ts';
import { signedDelivery, wireEvent, customer } from '../support/psp-server/index.ts';
import { type TestAccount, type TestService, credentials, startService } from '../support/service.ts';

/** Preconditions and a range that no file fulfils. */
const UNUSUAL: Record<string, string>[] = [
  { 'If-Match': '"x"' },
  { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { Range: 'bytes=99999999-' },
];

/** A caller without credentials. */
describe('a stranger', () => {
  let service: TestService;
  let account: TestAccount;
  beforeAll(async () => {
    service = await startService();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  it('is redirected only to the merchant’s pages, whatever the request contains', async () => {
    const { link } = await program(account);
    const asked = [
      `/t/${link.token}?url=https://evil.example&redirect=//evil.example&account_id=${account.id}`,
      `/t/${link.token}%0d%0aLocation:%20https://evil.example?account_id=${account.id}`,
      `/t/${link.token}%2f%2fevil.example?account_id=${account.id}`,
      `/t/https:%2f%2fevil.example?account_id=${account.id}`,
      `//evil.example/t/${link.token}`,
      `/\\evil.example`,
      '/docs//evil.example',
      '/t//evil.example/%2f..',
    ];
    for (const path of asked) {
      const reply = await fetch(`${service.url}${path}`, {
        redirect: 'manual',
        headers: { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example', 'X-Original-URL': '/metrics' },
      });
      const location = reply.headers.get('location');
      const to = location === null ? null : new URL(location, service.url).origin;
      expect(['404 null', '302 https://shop.example.com'].map((each) => `${path}: ${each}`)).toContain(
        `${path}: ${reply.status} ${to}`,
      );
    }
  });

  it('gets the reference of the API, whatever precondition or range the request has', async () => {
    for (const headers of UNUSUAL)
      expect([headers, (await send(`${service.url}/docs`, 'GET', { headers })).status]).toEqual([headers, 200]);
  });

  it('cannot get the referral of another visitor with a forged cookie', async () => {
    const { link } = await program(account);
    const other = await service.createAccount();
    const theirs = await refer(other, await program(other));
    const name = `affiliate_referral_${account.id}`;
    for (const value of [theirs.id, '%00', '%ff', '__proto__', 'ref_%27', `"${theirs.id}"`, 'x'.repeat(5_000), '%7B%7D']) {
      const reply = await send(`${service.url}/t/${link.token}?account_id=${account.id}`, 'GET', {
        headers: { Cookie: `${name}=${value}; __proto__=x; ${name}` },
      });
      const referral = new URL(reply.headers.get('location')!).searchParams.get('referral')!;
      expect([value, reply.status, referral]).toEqual([value, 302, expect.stringMatching(/^ref_[0-9a-z]{26}$/)]);
      expect(referral).not.toBe(theirs.id);
      expect(reply.headers.get('set-cookie')).toMatch(/; Path=\/t; HttpOnly; Secure; SameSite=Lax$/);
    }
  });
});

describe('a lead reported by anyone', () => {
  it('binds a known customer without changing the customer’s data', async () => {
    const service = await startPspService();
    try {
      const merchant = await service.createMerchant();
      await merchant.connect();
      const known = wireEvent('customer.created', customer({ id: 'cus_ada', email: 'ada@example.com', name: 'Ada Lovelace' }));
      const { body, headers } = signedDelivery(known, { secret: merchant.webhookSecret });
      await send(`${service.url}/psp/webhooks/${merchant.id}`, 'POST', { raw: body, headers });
      const { affiliateId: affiliate_id, campaignId: campaign_id } = await createProgram(merchant);
      const { id: referral_id } = await merchant.call().referrals.create({ affiliate_id, campaign_id });
      const lead = { referral_id, email: 'ADA@example.com', name: 'Mallory' };
      expect((await send(`${service.url}/track/leads`, 'POST', { body: lead })).status).toBe(200);
      const referral = (await merchant.api.get(`/referrals/${referral_id}`, { expand: 'customer' })).body;
      expect(referral['customer']).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace' });
    } finally {
      await service.stop();
    }
  });
});

describe('rate limits by address', () => {
  let service: PspTestService;
  let account: TestAccount;
  beforeAll(async () => {
    service = await startPspService({ rateLimits: { caller: 1_000_000, publicAddress: 5, failedCredentials: 5 } });
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const addresses = [...Array(12).keys()].map((i) => `203.0.113.${i}`);
  const pretending = (address: string) => ({
    'X-Forwarded-For': address,
    'X-Real-IP': address,
    Forwarded: `for=${address}`,
    'X-Client-IP': address,
    'CF-Connecting-IP': address,
  });

  it('cannot be escaped by claiming to be another caller', async () => {
    const visit = { account_id: account.id, token: 'x' };
    const statuses: number[] = [];
    for (const address of addresses) {
      statuses.push((await send(`${service.url}/track/visits`, 'POST', { body: visit, headers: pretending(address) })).status);
    }
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
  });

  it('also count reports over /trpc, each call of a batch separately, even with a key', async () => {
    const own = await startService({ rateLimits: { caller: 1_000_000, publicAddress: 5, failedCredentials: 1_000_000 } });
    try {
      const merchant = await own.createAccount();
      const { link } = await program(merchant);
      const visit = { account_id: merchant.id, token: link.token };
      const trpc = (calls: number, headers = {}) => {
        const path = Array(calls).fill('tracking.recordVisit').join();
        const body = calls === 1 ? visit : Object.fromEntries(Array.from({ length: calls }, (_, i) => [i, visit]));
        return send(`${own.url}/trpc/${path}${calls === 1 ? '' : '?batch=1'}`, 'POST', { body, headers });
      };
      expect((await send(`${own.url}/track/visits`, 'POST', { body: visit })).status).toBe(200);
      expect((await trpc(1)).status).toBe(200);
      expect((await trpc(1, merchant.api.headers)).status).toBe(200);
      expect((await trpc(3)).status).toBe(429);
      const refused = await trpc(1, merchant.api.headers);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
      expect((await send(`${own.url}/track/visits`, 'POST', { body: visit })).status).toBe(429);
      expect((await merchant.api.get(`/links/${link.id}`)).body).toMatchObject({ clicks: 3 });
    } finally {
      await own.stop();
    }
  });

  it('stop a caller who guesses credentials at one or all interfaces', async () => {
    const guesses: number[] = [];
    for (const [i, address] of addresses.entries()) {
      const headers = { ...pretending(address), ...credentials(account.id, `apk_${i}`) };
      const doors = ['/api/v1/affiliates', '/trpc/affiliates.list?input=%7B%7D', '/track/sales'] as const;
      const path = doors[i % doors.length]!;
      guesses.push((await send(`${service.url}${path}`, path === '/track/sales' ? 'POST' : 'GET', { headers })).status);
    }
    expect(guesses).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
  });

  it('stop wrongly signed events of one account without affecting other accounts', async () => {
    const [merchant, other] = await Promise.all([service.createMerchant(), service.createMerchant()]);
    await Promise.all([merchant.connect(), other.connect()]);
    const deliver = async ({ id }: { id: string }, secret: string) => {
      const { body, headers } = signedDelivery(wireEvent('customer.created', customer()), { secret });
      return (await send(`${service.url}/psp/webhooks/${id}`, 'POST', { raw: body, headers })).status;
    };
    const statuses: number[] = [];
    for (let i = 0; i < 7; i += 1) statuses.push(await deliver(merchant, 'whsec_wrong'));
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
    expect(await deliver(other, other.webhookSecret)).toBe(200);
    // All requests about unknown accounts share one counter.
    const invented: number[] = [];
    for (let i = 0; i < 7; i += 1) invented.push(await deliver({ id: `acct_${i}` }, 'whsec_wrong'));
    expect(invented).toEqual([400, 400, 400, 400, 400, 429, 429]);
    expect(await deliver(other, other.webhookSecret)).toBe(200);
  });
});

/** A stranger who requests the built pages. */
describe('the files of the pages', () => {
  const SCRIPT = 'console.log(1)';
  let directory: string;
  let service: TestService;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pages-'));
    await mkdir(join(directory, 'assets'));
    for (const name of ['index', 'portal', 'join', 'sign-in']) await writeFile(join(directory, `${name}.html`), '<html >');
    await writeFile(join(directory, 'pages.json'), '["/"]');
    await writeFile(join(directory, 'assets/a.js'), SCRIPT);
    await writeFile(join(directory, 'assets/a.js.gz'), gzipSync(SCRIPT));
    service = await startService({ pages: directory });
  });
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  });

  it('are sent whatever precondition or range the request has, and no error has their headers', async () => {
    for (const headers of UNUSUAL) {
      const { status, text } = await send(`${service.url}/assets/a.js`, 'GET', { headers });
      expect([headers, status, text]).toEqual([headers, 200, SCRIPT]);
    }
    for (const path of ['/assets/a.js', '/assets/b.js']) {
      const { status, headers, body } = await send(`${service.url}${path}`, 'POST', { body: {} });
      expect({ path, status, body }).toMatchObject({ path, status: 404, body: { code: 'NOT_FOUND' } });
      expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([null, 'no-store']);
    }
  });
});
