import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Program, program, refer } from '../support/program.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { send } from '../support/http.ts';

let service: TestService;
let account: TestAccount;
let ada: Program;
let bob: Program;
let script: string;

beforeAll(async () => {
  service = await startService();
  script = (await send(`${service.url}/track.js`, 'GET')).text;
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
  ada = await program(account);
  bob = await program(account, { days_before_referrals_expire: 7 }, { first_name: 'Bob' });
});

/** A browser that remembers the cookies of one shop's pages, as far as the script needs it. */
class ShopBrowser {
  cookies = new Map<string, { value: string; expires: string | null }>();
  requests: string[] = [];
  /** Answers in place of the service. */
  unreachable = false;

  /** Opens a page with the script, and returns the referral that the script passes to the page. */
  async open(
    query: Record<string, string>,
    attributes: Record<string, string> = { account: account.id },
  ): Promise<string | null> {
    const { cookies } = this;
    const document = {
      currentScript: { dataset: attributes, src: `${service.url}/track.js` },
      get cookie() {
        return [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
      },
      set cookie(text: string) {
        const [pair, ...rest] = text.split('; ');
        const [name, value] = pair!.split('=') as [string, string];
        const expires = rest.find((each) => each.startsWith('Expires='))?.slice('Expires='.length) ?? null;
        cookies.set(name, { value, expires });
      },
    };
    const window: { affiliate?: { ready: (fn: (referral: string | null) => void) => void } } = {};
    const location = { search: `?${new URLSearchParams(query).toString()}`, hash: '', protocol: 'https:' };
    const request = async (url: string, init: RequestInit) => {
      this.requests.push(new URL(url).pathname);
      if (this.unreachable) throw new TypeError('Failed to fetch');
      return fetch(url, init);
    };
    runInNewContext(script, { document, window, location, fetch: request, URL, URLSearchParams, Date });
    return new Promise((resolve) => window.affiliate!.ready(resolve));
  }

  get remembered(): string | undefined {
    return this.cookies.get('affiliate_referral')?.value;
  }

  get rememberedUntil(): string | null | undefined {
    const { expires } = this.cookies.get('affiliate_referral') ?? {};
    return expires && new Date(expires).toISOString().slice(0, 19);
  }
}

/** Follows a tracked link as a browser without cookies of the service does. Returns what the link passes on. */
async function passedOn(token: string): Promise<{ via: string; referral: string }> {
  const reply = await send(`${service.url}/t/${token}`, 'GET', { query: `account_id=${account.id}` });
  const { searchParams } = new URL(reply.headers.get('location')!);
  return { via: searchParams.get('via')!, referral: searchParams.get('referral')! };
}

const clicksOf = async ({ link }: Program) => (await account.api.get(`/links/${link.id}`)).body['clicks'];
const expiryOf = async (id: string) => String((await account.api.get(`/referrals/${id}`)).body['expires_at']).slice(0, 19);

describe('the tracking script', () => {
  it('replaces an expired referral by the live one that a tracked link passes on', async () => {
    const browser = new ShopBrowser();
    const expired = await refer(account, ada);
    browser.cookies.set('affiliate_referral', { value: expired.id, expires: null });
    service.clock.advance(61, 'days');
    const query = await passedOn(bob.link.token);
    expect(await browser.open(query)).toBe(query.referral);
    expect(browser.remembered).toBe(query.referral);
    expect(await clicksOf(bob)).toBe(1);
  });

  it('replaces a referral that the service does not know', async () => {
    const browser = new ShopBrowser();
    browser.cookies.set('affiliate_referral', { value: 'ref_forgotten', expires: null });
    const query = await passedOn(bob.link.token);
    expect(await browser.open(query)).toBe(query.referral);
  });

  it('remembers a referral for as long as the campaign says', async () => {
    const passed = new ShopBrowser();
    const query = await passedOn(bob.link.token);
    await passed.open(query);
    expect(passed.rememberedUntil).toBe(await expiryOf(query.referral));
    const direct = new ShopBrowser();
    const referral = await direct.open({ via: bob.link.token });
    expect(direct.rememberedUntil).toBe(await expiryOf(referral!));
  });

  it('keeps the live referral of the first click, and gives way where the campaign takes the last click', async () => {
    const browser = new ShopBrowser();
    const first = await passedOn(ada.link.token);
    await browser.open(first);
    const second = await passedOn(bob.link.token);
    expect(await browser.open(second)).toBe(first.referral);
    await account.api.patch(`/campaigns/${bob.campaign.id}`, { attribution: 'last_click' });
    expect(await browser.open(second)).toBe(second.referral);
  });

  it('gives way to another affiliate’s referral when its own affiliate cannot earn', async () => {
    const browser = new ShopBrowser();
    await browser.open(await passedOn(ada.link.token));
    await account.api.patch(`/affiliates/${ada.affiliate.id}`, { state: 'disabled' });
    const second = await passedOn(bob.link.token);
    expect(await browser.open(second)).toBe(second.referral);
  });

  it('counts a visit when the referral that an address passes on is over', async () => {
    const old = await passedOn(bob.link.token);
    service.clock.advance(8, 'days');
    const browser = new ShopBrowser();
    const referral = await browser.open(old);
    expect(referral).not.toBeNull();
    expect(referral).not.toBe(old.referral);
    expect(await clicksOf(bob)).toBe(2);
  });

  it('remembers a converted referral for another day after its expiry', async () => {
    const browser = new ShopBrowser();
    const query = await passedOn(bob.link.token);
    await browser.open(query);
    await account.api.patch(`/referrals/${query.referral}`, { conversion_state: 'conversion' });
    service.clock.advance(8, 'days');
    expect(await browser.open(query)).toBe(query.referral);
    expect(Date.parse(`${browser.rememberedUntil}Z`)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  });

  it('uses the referral that was passed on when the service cannot be asked, and asks again on the next page', async () => {
    const browser = new ShopBrowser();
    const query = await passedOn(bob.link.token);
    browser.unreachable = true;
    expect(await browser.open(query)).toBe(query.referral);
    expect(browser.rememberedUntil).toBeNull();
    browser.unreachable = false;
    expect(await browser.open(query)).toBe(query.referral);
    expect(browser.rememberedUntil).toBe(await expiryOf(query.referral));
  });

  it('asks nothing on a page without its parameters', async () => {
    const browser = new ShopBrowser();
    expect(await browser.open({})).toBeNull();
    expect(await browser.open({ referral: 'newsletter' })).toBeNull();
    expect(browser.requests).toEqual([]);
  });
});

describe('POST /track/visits with a referral that was passed on', () => {
  const visit = (body: object) => send(`${service.url}/track/visits`, 'POST', { body: { account_id: account.id, ...body } });

  it('needs no token, and records nothing', async () => {
    const referral = await refer(account, bob);
    const reply = await visit({ passed_referral_id: referral.id });
    expect(reply).toMatchObject({ status: 200, body: { referral_id: referral.id, expires_at: referral.expires_at } });
    expect(await clicksOf(bob)).toBe(0);
    expect((await visit({ passed_referral_id: 'ref_nobody' })).body).toEqual({ referral_id: null, expires_at: null });
  });

  it('is refused when it names neither a token nor a referral', async () => {
    expect(await visit({})).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });

  it('takes no referral of another account', async () => {
    const other = await service.createAccount();
    const theirs = await refer(other, await program(other));
    expect((await visit({ passed_referral_id: theirs.id })).body).toEqual({ referral_id: null, expires_at: null });
  });
});
