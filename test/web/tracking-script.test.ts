import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { THOROUGH } from '../support/thorough.ts';
import { journey } from './tracking/journey.ts';
import { SERVICE, useMerchant } from './tracking/merchant.ts';

/** The pages in docs/stripe that load the script, without their script elements from other hosts. */
const DOCUMENTED_PAGES = ['payment-links', 'pricing-table', 'no-code'].flatMap((name) => {
  const text = readFileSync(new URL(`../../docs/stripe/${name}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```html\n(.*?)^```$/gms)].map(([, html], index) => ({
    name: `docs/stripe/${name}.md, example ${index + 1},`,
    html: html!.replaceAll(/<script async src=.*?<\/script>\n/g, ''),
  }));
});

const STORED = '.shop.test affiliate_referral';
const merchant = useMerchant();

describe('the tracking script', () => {
  it('has at most 1,350 bytes, compressed by gzip', async () => {
    const { text } = await send(`${merchant.service.url}/track.js`, 'GET');
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(1_350);
  });

  it('stores the referral for all subdomains for the time that the campaign sets', async () => {
    await using shopper = await merchant.arrive();
    expect(await shopper.open('http://www.shop.test/')).toBeNull();
    expect(await shopper.stored()).toEqual([]);
    const referral = (await shopper.open(merchant.share('www.shop.test')))!;
    expect(await shopper.stored()).toEqual([STORED]);
    const { expires_at } = await merchant.referralRecord(referral);
    const { expires } = (await shopper.cookie())!;
    expect(
      Math.abs(expires - Date.now() / 1000 - (Date.parse(String(expires_at)) - merchant.service.clock.now().getTime()) / 1000),
    ).toBeLessThan(60);
    expect(await shopper.open('http://app.shop.test/pricing')).toBe(referral);
    expect(await shopper.open('http://shop.test/')).toBe(referral);
    expect(await shopper.open('http://other.test/')).toBeNull();
  });

  it('finds the registrable domain below a suffix of two labels, and accepts a host of one label', async () => {
    await using shopper = await merchant.arrive();
    await shopper.open(merchant.share('www.shop.co.uk'));
    expect(await shopper.stored()).toEqual(['.shop.co.uk affiliate_referral']);
    await shopper.open(merchant.share('shop'));
    expect(await shopper.stored()).toEqual(['.shop.co.uk affiliate_referral', 'shop affiliate_referral']);
  });

  it('keeps the first referral, unless the campaign attributes to the last click', async () => {
    await using shopper = await merchant.arrive();
    const first = await shopper.open(merchant.share('shop.test'));
    expect(await shopper.open(merchant.share('shop.test', merchant.bob))).toBe(first);
    await merchant.account.api.patch(`/campaigns/${merchant.bob.campaign.id}`, { attribution: 'last_click' });
    const last = await shopper.open(merchant.share('www.shop.test', merchant.bob));
    await merchant.account.api.patch(`/campaigns/${merchant.bob.campaign.id}`, { attribution: 'first_click' });
    expect(last).not.toBe(first);
    expect(await shopper.open('http://shop.test/')).toBe(last);
    expect(await shopper.stored()).toEqual([STORED]);
  });

  it('reads tokens from the parameters of a former tool', async () => {
    merchant.useScript('data-params=" ref fpr "');
    const { token } = merchant.ada.link;
    for (const parameters of [
      `?ref=${token}`,
      `?ref=footer&fpr=${token.toUpperCase()}`,
      `?via=${token}&ref=footer`,
      `#fpr=${token}`,
    ]) {
      await using shopper = await merchant.arrive();
      const referral = await shopper.open(`http://shop.test/${parameters}`);
      expect({ parameters, record: await merchant.referralRecord(referral!) }).toMatchObject({
        record: { link_id: merchant.ada.link.id },
      });
    }
    await using shopper = await merchant.arrive();
    expect(await shopper.open(`http://shop.test/?aff=${token}`)).toBeNull();
    expect(await shopper.open('http://shop.test/?ref=footer')).toBeNull();
  });

  it('answers calls that the page made before it had loaded', async () => {
    merchant.shops.head = `<script>
      affiliate = { q: [] };
      for (const method of ['ready', 'lead', 'consent']) affiliate[method] = (value) => affiliate.q.push((api) => api[method](value));
      affiliate.ready((referral) => { early = referral });
      affiliate.lead({ email: 'early@example.com' });
    </script>`;
    await using shopper = await merchant.arrive();
    const reported = shopper.page.waitForResponse(`${SERVICE}/track/leads`);
    const referral = (await shopper.open(merchant.share('shop.test')))!;
    expect(await shopper.page.evaluate('early')).toBe(referral);
    await reported;
    expect(await merchant.referralRecord(referral)).toMatchObject({ conversion_state: 'lead' });
  });

  it('reports a lead again if the service did not answer', async () => {
    await using shopper = await merchant.arrive();
    await shopper.page.clock.install();
    const referral = (await shopper.open(merchant.share('shop.test')))!;
    const failed = shopper.page.waitForEvent('requestfailed', (request) => request.url() === `${SERVICE}/track/leads`);
    await shopper.context.route('**/track/leads', (route) => route.abort(), { times: 1 });
    await shopper.page.evaluate(`affiliate.lead({ email: 'again@example.com' })`);
    await failed;
    expect(await merchant.referralRecord(referral)).toMatchObject({ conversion_state: 'visitor' });
    const reported = shopper.page.waitForResponse(`${SERVICE}/track/leads`);
    await shopper.page.clock.runFor(9_000);
    await reported;
    expect(await merchant.referralRecord(referral)).toMatchObject({ conversion_state: 'lead' });
  });

  it('reads URLs that a single-page application sets later', async () => {
    await using shopper = await merchant.arrive();
    expect(await shopper.open('http://shop.test/')).toBeNull();
    await shopper.page.evaluate(
      `history.pushState(null, '', '/welcome?via=${merchant.ada.link.token}'); document.querySelector('main').append('Welcome')`,
    );
    await shopper.page.waitForFunction('affiliate.referral');
    expect(await shopper.stored()).toEqual([STORED]);
    await using second = await merchant.arrive();
    await second.open('http://shop.test/');
    await second.page.evaluate(`history.replaceState(null, '', '#via=${merchant.ada.link.token}')`);
    await second.page.mouse.click(5, 5);
    await second.page.waitForFunction('affiliate.referral');
  });

  it('passes the referral on to other domains of the merchant, by links and forms, including those added later', async () => {
    merchant.useScript('data-domains="other.test,www.other.test"');
    merchant.shops.body = `<a id="listed" href="http://other.test/offer?size=2#top">Listed</a>
      <a id="foreign" href="http://foreign.test/?referral=newsletter">Foreign</a>
      <form action="http://other.test/search"><input name="action" value="find"><button>Search</button></form>`;
    await using shopper = await merchant.arrive();
    const referral = await shopper.open(merchant.share('shop.test'));
    expect(await shopper.follow('#listed')).toBe(referral);
    expect(shopper.page.url()).toBe(`http://other.test/offer?size=2&referral=${referral}#top`);
    expect(await shopper.stored()).toEqual(['.other.test affiliate_referral', STORED]);
    await shopper.open('http://shop.test/');
    expect(await shopper.follow('button')).toBe(referral);
    expect(shopper.page.url()).toBe(`http://other.test/search?action=find&referral=${referral}`);
    await shopper.open('http://shop.test/');
    await shopper.page.evaluate(
      `document.querySelector('main').innerHTML = '<a id="late" href="http://www.other.test/late">Late</a>'`,
    );
    expect(await shopper.follow('#late')).toBe(referral);
    await shopper.open('http://shop.test/');
    await shopper.follow('#foreign');
    expect(shopper.page.url()).toBe('http://foreign.test/?referral=newsletter');
  });

  it('stores nothing until consent is given, and forgets everything when it is denied', async () => {
    merchant.useScript('data-consent="pending"');
    merchant.shops.body = '<a id="next" href="/next">Next</a><a id="section" href="#section">Section</a>';
    await using shopper = await merchant.arrive();
    const referral = await shopper.open(merchant.share('shop.test'));
    expect(referral).not.toBeNull();
    expect(await shopper.stored()).toEqual([]);
    expect(await shopper.follow('#next')).toBe(referral);
    expect(await shopper.stored()).toEqual([]);
    await shopper.page.click('#section');
    expect(shopper.page.url()).toMatch(/#section$/);
    await shopper.page.evaluate('affiliate.consent(true)');
    await shopper.page.waitForFunction(`document.cookie.includes('affiliate_referral=')`);
    expect(await shopper.stored()).toContain(STORED);
    expect(await shopper.open('http://www.shop.test/')).toBe(referral);
    expect(await shopper.stored()).toEqual([STORED]);
    await shopper.page.evaluate('affiliate.consent(false)');
    expect(await shopper.referral()).toBeNull();
    expect(await shopper.stored()).toEqual([]);
    await shopper.follow('#next');
    expect(shopper.page.url()).toBe('http://www.shop.test/next');
  });

  it('works without cookies, by passing the referral on', async () => {
    merchant.shops.body = '<a id="next" href="next">Next</a>';
    await using shopper = await merchant.arrive();
    const devtools = await shopper.context.newCDPSession(shopper.page);
    await devtools.send('Emulation.setDocumentCookieDisabled', { disabled: true });
    const referral = await shopper.open(merchant.share('shop.test'));
    expect(referral).not.toBeNull();
    expect(await shopper.stored()).toEqual([]);
    expect(await shopper.follow('#next')).toBe(referral);
    expect(await shopper.follow('#next')).toBe(referral);
  });

  it('keeps a visit that could not be reported, and reports it from a later page', async () => {
    await using shopper = await merchant.arrive();
    await shopper.context.route('**/track/visits', (route) => route.abort());
    expect(await shopper.open(merchant.share('shop.test'))).toBeNull();
    expect(await shopper.stored()).toEqual(['.shop.test affiliate_visit']);
    await shopper.context.unroute('**/track/visits');
    const referral = await shopper.open('http://app.shop.test/checkout');
    expect(await merchant.referralRecord(referral!)).toMatchObject({ affiliate_id: merchant.ada.affiliate.id });
    expect(await shopper.stored()).toEqual([STORED]);
  });

  it('uses the referral that a tracked link passes on before the service has confirmed it', async () => {
    const { headers } = await send(`${merchant.service.url}/t/${merchant.ada.link.token}`, 'GET', {
      query: { account_id: merchant.account.id },
    });
    const { search, searchParams } = new URL(headers.get('location')!);
    await using shopper = await merchant.arrive();
    await shopper.context.route('**/track/visits', (route) => route.abort());
    expect(await shopper.open(`http://shop.test/${search}`)).toBe(searchParams.get('referral'));
  });

  it('passes the referral to Stripe, and does not change references set by the page', async () => {
    merchant.shops.body = `<a id="pay" href="https://buy.stripe.com/x">Pay</a><a id="own" href="https://buy.stripe.com/x?client_reference_id=cart-1">Pay</a>
      <stripe-buy-button publishable-key="pk_test"></stripe-buy-button>
      <stripe-pricing-table publishable-key="pk_test" client-reference-id="cart-1"></stripe-pricing-table>`;
    await using shopper = await merchant.arrive();
    const referral = await shopper.open(merchant.share('shop.test'));
    for (const id of ['pay', 'own']) await shopper.page.dispatchEvent(`#${id}`, 'pointerdown');
    expect(await shopper.page.getAttribute('#pay', 'href')).toBe(`https://buy.stripe.com/x?client_reference_id=${referral}`);
    expect(await shopper.page.getAttribute('#own', 'href')).toBe('https://buy.stripe.com/x?client_reference_id=cart-1');
    await shopper.page.evaluate(`document.querySelector('main').append(
      Object.assign(document.createElement('div'), { innerHTML: '<stripe-buy-button publishable-key="pk_test" id="late">' }))`);
    await shopper.page.waitForSelector('#late[client-reference-id]', { state: 'attached' });
    const references = await shopper.page
      .locator('[publishable-key]')
      .evaluateAll((all) =>
        all.map((each) => (each as { getAttribute(name: string): string }).getAttribute('client-reference-id')),
      );
    expect(references).toEqual([referral, 'cart-1', referral]);
  });

  it('passes the referral to all hosts of Stripe that take payments, and to those that the page names', async () => {
    merchant.useScript('data-payments="pay.shop.test,give.shop.test"');
    const hosts = ['book.stripe.com', 'donate.stripe.com', 'pay.shop.test', 'give.shop.test'];
    merchant.shops.body = hosts.map((host) => `<a href="https://${host}/x">Pay</a>`).join('');
    await using shopper = await merchant.arrive();
    const referral = await shopper.open(merchant.share('shop.test'));
    const links = await shopper.page.locator('a').all();
    for (const link of links) await link.dispatchEvent('pointerdown');
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual(
      hosts.map((host) => `https://${host}/x?client_reference_id=${referral}`),
    );
  });

  it('passes the referral to the links and buttons of other providers, and to own hosts with the parameter that the page names', async () => {
    merchant.useScript('data-payments="pay.shop.test=reference_id"');
    const links: [address: string, parameter: string][] = [
      ['https://buy.polar.sh/polar_cl_1', 'reference_id'],
      ['https://pay.shop.test/polar_cl_1', 'reference_id'],
      ['https://shop.lemonsqueezy.com/buy/1', 'checkout[custom][referral]'],
      ['https://checkout.dodopayments.com/buy/pdt_1', 'metadata_referral'],
      ['https://test.checkout.dodopayments.com/buy/pdt_1', 'metadata_referral'],
    ];
    const strangers = ['https://polar.sh/docs', 'https://notlemonsqueezy.com/buy/1', 'https://buy.polar.sh.evil.test/x'];
    const all = [...links.map(([address]) => address), ...strangers];
    merchant.shops.body = `${all.map((address) => `<a href="${address}">Buy</a>`).join('')}
      <a class="button paddle_button" id="open">Buy</a><a class="paddle_button" data-custom-data='{"cart":"1"}' id="own">Buy</a>`;
    await using shopper = await merchant.arrive();
    const referral = await shopper.open(merchant.share('shop.test'));
    for (const link of await shopper.page.locator('a[href]').all()) await link.dispatchEvent('pointerdown');
    const found = await shopper.page.locator('a[href]').evaluateAll((each) => each.map((link) => (link as unknown as URL).href));
    const expected = links.map(
      ([address, parameter]) => `${address}?${new URLSearchParams({ [parameter]: referral! }).toString()}`,
    );
    expect(found).toEqual([...expected, ...strangers]);
    expect(await shopper.page.getAttribute('#open', 'data-custom-data')).toBe(JSON.stringify({ referral }));
    expect(await shopper.page.getAttribute('#own', 'data-custom-data')).toBe('{"cart":"1"}');
  });

  it.each(DOCUMENTED_PAGES)('passes the referral to Stripe on the page that $name shows', async ({ html }) => {
    merchant.shops.body = html;
    await using shopper = await merchant.arrive();
    const referral = await shopper.open(merchant.share('shop.test'));
    for (const link of await shopper.page.locator('#pay').all()) await link.dispatchEvent('pointerdown');
    const references = await shopper.page.evaluate(`(() => {
      const all = (selector, reference) => [...document.querySelectorAll(selector)].map(reference);
      document.addEventListener('submit', (event) => event.preventDefault());
      document.querySelector('form')?.requestSubmit();
      return [
        ...all('#pay', ({ href }) => new URL(href).searchParams.get('client_reference_id')),
        ...all('[publishable-key]', (element) => element.getAttribute('client-reference-id')),
        ...all('[type=hidden]', ({ value }) => value),
      ];
    })()`);
    expect(new Set(references as string[])).toEqual(new Set([referral]));
  });

  it('gets its cookie by HTTP through a path on the merchant’s site', async () => {
    merchant.useScript('', '/_aff/track.js');
    await using shopper = await merchant.arrive();
    const reported = shopper.page.waitForResponse('http://www.shop.test/_aff/track/visits');
    const referral = await shopper.open(merchant.share('www.shop.test'));
    const answer = await reported;
    expect(await answer.headerValue('set-cookie')).toMatch(
      new RegExp(`^affiliate_referral=${referral}; Max-Age=60\\d{4}; Domain=shop\\.test; Path=/; SameSite=Lax$`),
    );
    expect(await shopper.stored()).toEqual([STORED]);
    expect(await shopper.open('http://shop.test/')).toBe(referral);
  });

  it('does not get a cookie by HTTP before consent', async () => {
    merchant.useScript('data-consent="pending"', '/_aff/track.js');
    await using shopper = await merchant.arrive();
    await shopper.open(merchant.share('www.shop.test'));
    expect(await shopper.stored()).toEqual([]);
    const reported = shopper.page.waitForResponse('http://www.shop.test/_aff/track/visits');
    await shopper.page.evaluate('affiliate.consent(true)');
    expect(await (await reported).headerValue('set-cookie')).toContain('affiliate_referral=');
  });

  it('can be loaded in a fixed version with an integrity hash', async () => {
    const { body } = await send<{ path: string; integrity: string }>(`${merchant.service.url}/track.json`, 'GET');
    merchant.useScript(`crossorigin integrity="${body.integrity}"`, SERVICE + body.path);
    await using shopper = await merchant.arrive();
    expect(await shopper.open(merchant.share('shop.test'))).not.toBeNull();
    expect((await send(merchant.service.url + body.path, 'GET')).headers.get('cache-control')).toContain('immutable');
  });
});

/** Number of random journeys. Set by the environment variable TRACKING_JOURNEYS. */
const JOURNEYS = Number(process.env['TRACKING_JOURNEYS'] ?? (THOROUGH ? 100 : 2));

it(`the tracking script loses no referral on ${JOURNEYS} random journeys`, { timeout: JOURNEYS * 30_000 }, async () => {
  const lost: string[] = [];
  for (let seed = 0; seed < JOURNEYS; seed += 1) lost.push(...(await journey(merchant, seed)));
  expect(lost).toEqual([]);
});
