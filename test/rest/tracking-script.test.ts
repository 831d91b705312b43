import { readFileSync } from 'node:fs';
import { buildTrackingScript } from '@affiliate/web/tracking-script';
import { beforeEach, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { type Program, program, refer } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

const service = useService();
const account = useAccount(service);
const ada = useProgram(account);
let bob: Program;

beforeEach(async () => {
  bob = await program(account, { days_before_referrals_expire: 7 }, { first_name: 'Bob' });
});

/** A browser with the tracking script on the pages of one shop. It remembers the shop's referral. */
class ShopBrowser {
  referral: string | null = null;
  maxAge: number | null = null;

  /** Opens a page whose URL has these parameters. Returns the referral that the browser then remembers. */
  async open(query: Record<string, string>): Promise<string | null> {
    const parameters = new URLSearchParams(query).toString();
    const body = { account_id: account.id, parameters, referral_id: this.referral };
    const reply = await send<{ referral_id: string | null; max_age: number | null }>(`${service.url}/track/visits`, 'POST', {
      raw: JSON.stringify(body),
      headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
    });
    this.referral = reply.body.referral_id ?? this.referral;
    this.maxAge = reply.body.max_age;
    return this.referral;
  }

  get rememberedUntil(): string {
    return new Date(service.clock.now().getTime() + this.maxAge! * 1000).toISOString().slice(0, 19);
  }
}

/** Follows a tracked link as a new visitor. Returns the parameters that the link adds to the shop's URL. */
async function passedOn(token: string): Promise<{ via: string; referral: string }> {
  const reply = await send(`${service.url}/t/${token}`, 'GET', { query: `account_id=${account.id}` });
  const { searchParams } = new URL(reply.headers.get('location')!);
  return { via: searchParams.get('via')!, referral: searchParams.get('referral')! };
}

const clicksOf = async ({ link }: Program) => (await account.api.get(`/links/${link.id}`)).body['clicks'];
const expiryOf = async (id: string) => String((await account.api.get(`/referrals/${id}`)).body['expires_at']).slice(0, 19);

describe('a report of the tracking script', () => {
  it('replaces an expired referral by the live referral that a tracked link passes on', async () => {
    const browser = new ShopBrowser();
    const expired = await refer(account, ada);
    browser.referral = expired.id;
    service.clock.advance(61, 'days');
    const query = await passedOn(bob.link.token);
    expect(await browser.open(query)).toBe(query.referral);
    expect(await clicksOf(bob)).toBe(1);
  });

  it.each([
    ['a full stop', 'via', '.'],
    ['a slash', 'via', '/'],
    ['an invisible character', 'via', '\u200b'],
    ['a name in capitals', 'VIA', ''],
  ])('finds the token of an address with %s', async (_kind, name, end) => {
    const browser = new ShopBrowser();
    expect(await browser.open({ [name]: `${bob.link.token}${end}` })).toMatch(/^ref_/);
  });

  it('replaces a referral that the service does not know', async () => {
    const browser = new ShopBrowser();
    browser.referral = 'ref_forgotten';
    const query = await passedOn(bob.link.token);
    expect(await browser.open(query)).toBe(query.referral);
  });

  it('keeps a referral for the time that the campaign sets', async () => {
    const passed = new ShopBrowser();
    const query = await passedOn(bob.link.token);
    await passed.open(query);
    expect(passed.rememberedUntil).toBe(await expiryOf(query.referral));
    const direct = new ShopBrowser();
    const referral = await direct.open({ via: bob.link.token });
    expect(direct.rememberedUntil).toBe(await expiryOf(referral!));
  });

  it('keeps the live referral of the first click, unless the campaign attributes to the last click', async () => {
    const browser = new ShopBrowser();
    const first = await passedOn(ada.link.token);
    await browser.open(first);
    const second = await passedOn(bob.link.token);
    expect(await browser.open(second)).toBe(first.referral);
    await account.api.patch(`/campaigns/${bob.campaign.id}`, { attribution: 'last_click' });
    expect(await browser.open(second)).toBe(second.referral);
  });

  it('replaces a referral of an affiliate who cannot earn by the referral of another affiliate', async () => {
    const browser = new ShopBrowser();
    await browser.open(await passedOn(ada.link.token));
    await account.api.patch(`/affiliates/${ada.affiliate.id}`, { state: 'disabled' });
    const second = await passedOn(bob.link.token);
    expect(await browser.open(second)).toBe(second.referral);
  });

  it('counts a visit when the referral in the URL has ended', async () => {
    const old = await passedOn(bob.link.token);
    service.clock.advance(8, 'days');
    const browser = new ShopBrowser();
    const referral = await browser.open(old);
    expect(referral).not.toBeNull();
    expect(referral).not.toBe(old.referral);
    expect(await clicksOf(bob)).toBe(2);
  });

  it('keeps a converted referral for another day after its expiry', async () => {
    const browser = new ShopBrowser();
    const query = await passedOn(bob.link.token);
    await browser.open(query);
    await account.api.patch(`/referrals/${query.referral}`, { conversion_state: 'conversion' });
    service.clock.advance(8, 'days');
    expect(await browser.open(query)).toBe(query.referral);
    expect(browser.maxAge).toBe(86_400);
  });

  it('ignores parameters that only look like its own', async () => {
    const browser = new ShopBrowser();
    expect(await browser.open({ referral: 'newsletter' })).toBeNull();
    expect(await browser.open({ via: 'x'.repeat(65) })).toBeNull();
    expect(await browser.open({ trivia: ada.link.token })).toBeNull();
  });
});

describe('the committed script', () => {
  it('is built from its source, and served with its source map', async () => {
    const { script, map } = await buildTrackingScript();
    const committed = (file: string) =>
      readFileSync(new URL(`../../packages/rest/src/tracking/${file}`, import.meta.url), 'utf8');
    expect(committed('track.js')).toBe(script);
    expect(committed('track.js.map')).toBe(map);
    const served = await send(`${service.url}/track.js`, 'GET');
    expect(served.text).toBe(script);
    expect((await send(`${service.url}/${served.headers.get('sourcemap')}`, 'GET')).text).toBe(map);
  });

  it('is compressed for browsers', async () => {
    const served = await fetch(`${service.url}/track.js`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(served.headers.get('content-encoding')).toBe('gzip');
    expect(served.headers.get('vary')).toContain('Accept-Encoding');
    expect(await served.text()).toBe((await send(`${service.url}/track.js`, 'GET')).text);
  });
});

const NOTHING = { referral_id: null, expires_at: null, max_age: null };

describe('POST /track/visits with a referral that was passed on', () => {
  const visit = (body: object) => send(`${service.url}/track/visits`, 'POST', { body: { account_id: account.id, ...body } });

  it('does not need a token, and records nothing', async () => {
    const referral = await refer(account, bob);
    const reply = await visit({ passed_referral_id: referral.id });
    expect(reply).toMatchObject({ status: 200, body: { referral_id: referral.id, expires_at: referral.expires_at } });
    expect(await clicksOf(bob)).toBe(0);
    expect((await visit({ passed_referral_id: 'ref_nobody' })).body).toEqual(NOTHING);
  });

  it('is refused when it names neither a token nor a referral', async () => {
    expect(await visit({})).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });

  it('does not accept a referral of another account', async () => {
    const other = await service.createAccount();
    const theirs = await refer(other, await program(other));
    expect((await visit({ passed_referral_id: theirs.id })).body).toEqual(NOTHING);
  });
});

describe('the tracking script and its routes', () => {
  it('serve the script to any page', async () => {
    const reply = await send(`${service.url}/track.js`, 'GET');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toContain('javascript');
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('answer preflights, and record a visit with a response that any origin can read', async () => {
    const preflight = await send(`${service.url}/track/visits`, 'OPTIONS', { headers: { Origin: 'https://shop.example.com' } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const visit = await send(`${service.url}/track/visits`, 'POST', {
      body: { account_id: account.id, token: ada.link.token },
    });
    expect(visit.status).toBe(200);
    expect(visit.headers.get('access-control-allow-origin')).toBe('*');
    const { body } = await account.api.get<Outputs['referrals']['list']>('/referrals');
    expect(body.data).toMatchObject([{ id: visit.body['referral_id'], conversion_state: 'visitor' }]);
    const again = await send(`${service.url}/track/visits`, 'POST', {
      body: { account_id: account.id, token: ada.link.token, referral_id: visit.body['referral_id'] },
    });
    expect(again.body).toEqual(visit.body);
  });

  it('record nothing for unknown tokens, and refuse unknown fields', async () => {
    const unknown = await send(`${service.url}/track/visits`, 'POST', { body: { account_id: account.id, token: 'nobody' } });
    expect(unknown).toMatchObject({ status: 200, body: { referral_id: null } });
    const odd = await send(`${service.url}/track/visits`, 'POST', {
      body: { account_id: account.id, token: 'x', amount_cents: 5 },
    });
    expect(odd).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });
});
