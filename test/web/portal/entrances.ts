import { expect, it } from 'vitest';
import { must } from '../../support/program.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { barriersIn, type Visitor } from '../visitor.ts';
import { startMerchantSite } from './merchant-site.ts';
import { type Portal, checkLooks, turnTo } from './portal.ts';

/** Collects the page's requests to the service from now on, without requests for assets and images. */
function requestsOf({ page }: Visitor): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (['document', 'fetch', 'xhr'].includes(request.resourceType()))
      requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return requests;
}

export function entrances(portal: Portal): void {
  it('a sign-in link opens the portal for an affiliate of two programs, who can switch between them', async () => {
    const other = await portal.service.createAccount();
    const campaign = await must<{ id: string }>(other, '/campaigns', {
      name: 'Second',
      url: 'https://second.example/',
      reward_type: 'fixed',
      commission_amount_cents: 500,
    });
    await must(other, '/affiliates', { email: 'linus@partner.example', campaign_id: campaign.id });
    await must(portal.account, '/affiliates', { email: 'linus@partner.example' });
    await portal.service.services.database.kysely
      .updateTable('account')
      .set({ name: 'Second shop' })
      .where('id', '=', other.id)
      .execute();

    await using linus = await portal.arriveByPhone();
    await linus.open('/portal');
    await linus.heading('Sign in');
    expect(await linus.page.getByLabel('Password', { exact: true }).count()).toBe(0);
    await linus.page.getByLabel('Email').fill('linus@partner.example');
    await linus.button('Email me a sign-in link').click();
    await linus.page.getByRole('status').waitFor();
    const path = await portal.mailedPath('linus@partner.example', /sign-in link/);
    await linus.open(path);
    await linus.page.getByText('This link signs you in once.').waitFor();
    expect(await linus.faults()).toEqual([]);
    const requests = requestsOf(linus);
    await linus.button('Sign in').click();
    await linus.heading(/^Welcome/);
    await linus.page.getByText('Visitors').waitFor();
    await linus.settled();
    // One request must be enough, because each sequential request costs a distant phone at least 150 ms.
    expect(requests.splice(0)).toEqual(['POST /auth/sign-in/link']);
    await linus.page.reload();
    await linus.page.getByText('Visitors').waitFor();
    await linus.settled();
    expect(requests).toEqual(['GET /portal', 'GET /trpc/portal.start']);
    await linus.page.getByLabel('Program').selectOption({ label: 'Second shop' });
    await linus.page.getByText('US$5.00 for every sale').waitFor();

    // The page of an email is shown after signing in, also in another tab.
    await using again = await portal.arriveByPhone();
    await again.open('/portal/payouts?page=1');
    await again.heading('Sign in');
    await again.page.getByLabel('Email').fill('linus@partner.example');
    await again.button('Email me a sign-in link').click();
    const mailed = await portal.service.mailbox.take('linus@partner.example', /^Your sign-in link for .*Second shop/);
    expect(mailed.text).toMatch(/^Use this link to sign in to .*Second shop.* as linus@partner\.example\./);
    const { pathname, hash } = new URL(/http\S+/.exec(mailed.text)![0]);
    const tab = await again.page.context().newPage();
    await tab.goto(`${portal.service.url}${pathname}${hash}`);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
    expect(new URL(tab.url()).pathname).toBe('/portal/payouts');

    await using late = await portal.arriveByPhone();
    await late.open(path);
    await late.button('Sign in').click();
    await late.page.getByText('expired or has already been used').waitFor();
    await late.page.getByRole('link', { name: 'Request a new link' }).waitFor();
  });

  const tokenFor = async (email: string) =>
    (await portal.account.client.affiliates.createEmbedTokenByEmail.mutate({ email })).token;
  /** A page that contains the portal, and asks its server for new tokens by `onExpire`. */
  const host = (token: string, onExpire: string) =>
    `<script>
      window.seen = [];
      addEventListener('affiliate-portal', ({ detail }) => seen.push(detail.type));
      affiliatePortal = { onExpire: ${onExpire} };
    </script>
    <script src="${portal.service.url}/embed.js" data-account="${portal.account.id}" data-token="${token}"></script>`;

  it('an embedded portal goes on with new tokens of its host for hours, without storage, and loses nothing that was typed', async () => {
    const [first, short] = [await tokenFor('long@partner.example'), await tokenFor('short@partner.example')];
    let next = '';
    // Another site than the service, not only another origin.
    await using renewing = await startMerchantSite(
      (path) => (path === '/token' ? next : host(first, `async () => (await fetch('/token')).text()`)),
      'localhost',
    );
    await using silent = await startMerchantSite(() => host(short, 'undefined'), 'localhost');
    await portal.account.client.portalSettings.update.mutate({
      embed_origins: [renewing.origin, silent.origin],
      terms: 'Be kind.',
    });
    await using visitor = await portal.arriveWithoutStorage();
    await using other = await portal.arriveWithoutStorage();
    await other.page.clock.install();
    await Promise.all([visitor.page.goto(renewing.origin), other.page.goto(silent.origin)]);
    const [frame, stuck] = [visitor.page.frameLocator('iframe'), other.page.frameLocator('iframe')];
    for (const shown of [frame, stuck]) {
      await shown.getByRole('button', { name: 'Accept' }).click();
      await shown.getByRole('button', { name: /^Copy link/ }).waitFor();
    }
    await stuck.getByRole('navigation').getByRole('link', { name: 'Links' }).click();
    await stuck.getByLabel('Link code').fill('kept');
    for (let hour = 1; hour <= 3; hour += 1) {
      await frame.getByRole('navigation').getByRole('link', { name: 'Links' }).click();
      await frame.getByLabel('Link code').fill(`hour-${hour}`);
      portal.service.clock.advance(61, 'minutes');
      next = await tokenFor('long@partner.example');
      await frame.getByRole('button', { name: 'Create link' }).click();
      await frame.getByText(`/hour-${hour}`).first().waitFor();
    }
    const seen = await visitor.page.evaluate<string[]>('seen');
    expect(seen.filter((type) => type === 'expired')).toHaveLength(3);
    expect(seen).toEqual(expect.arrayContaining(['ready', 'navigated', 'height', 'joined']));

    // A host that never renews: the form keeps what was typed, and a button is there once the host has a token after all.
    await stuck.getByRole('button', { name: 'Create link' }).click();
    await expect.poll(() => other.page.evaluate<string[]>('seen')).toContain('expired');
    await other.page.clock.fastForward('00:10');
    await stuck.getByText('This view has been open for too long').first().waitFor();
    expect(await stuck.getByLabel('Link code').inputValue()).toBe('kept');
    const late = await tokenFor('short@partner.example');
    await other.page.evaluate(`affiliatePortal.setToken(${JSON.stringify(late)})`);
    await stuck.getByRole('button', { name: 'Create link' }).click();
    await stuck.getByText('/kept').first().waitFor();
    for (const { page, errors } of [visitor, other]) expect([await page.context().cookies(), errors]).toEqual([[], []]);
    // The frames were really denied their storage.
    const inner = other.page.frames().find((each) => each.url().startsWith(portal.service.url))!;
    await expect(inner.evaluate('localStorage.length')).rejects.toThrow('Access is denied');
  });

  it('an affiliate confirms with a mailed code inside the frame, keeps what was typed, and the page around it learns nothing', async () => {
    const email = 'confirms@partner.example';
    const loader = host(await tokenFor(email), 'undefined').replace('data-token', 'data-page="payout-details" data-token');
    await using shop = await startMerchantSite(
      () => `<script>heard = []; addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)))</script>${loader}`,
    );
    await portal.account.client.portalSettings.update.mutate({ embed_origins: [shop.origin], terms: 'Be honest.' });
    await using visitor = await portal.arriveByPhone();
    await visitor.page.goto(shop.origin);
    const frame = visitor.page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Accept' }).click();
    const codes: string[] = [];
    const confirm = async () => {
      await frame.getByRole('button', { name: 'Email me a code' }).click();
      codes.push(/\d{4} \d{4}/.exec((await portal.service.mailbox.take(email, /is your code/)).subject)![0]);
      await frame.getByLabel('Code from the email').fill(codes.at(-1)!);
      await frame.getByLabel('Code from the email').press('Enter');
    };
    const address = frame.getByLabel('PayPal email');
    const save = () => frame.getByRole('button', { name: 'Save' }).click();
    const stored = async () => {
      const { data } = await portal.account.client.affiliates.list.query({ email });
      return data[0]!.walleta_email;
    };
    await confirm();
    await frame.getByRole('button', { name: 'Save' }).waitFor();
    await address.fill('first@pay.example');
    await save();
    await frame.getByText('Saved').waitFor();
    expect(await stored()).toBe('first@pay.example');

    portal.service.clock.advance(16, 'minutes');
    await address.fill('second@pay.example');
    await save();
    await confirm();
    await expect.poll(() => frame.getByLabel('Code from the email').count()).toBe(0);
    expect(await address.inputValue()).toBe('second@pay.example');
    await save();
    await expect.poll(stored).toBe('second@pay.example');

    // The page around the frame may show the portal of somebody else from now on, who has confirmed nothing.
    await visitor.page.evaluate(`affiliatePortal.setToken(${JSON.stringify(await tokenFor('other@partner.example'))})`);
    await address.fill('third@pay.example');
    await save();
    await frame.getByRole('button', { name: 'Email me a code' }).waitFor();
    expect(await stored()).toBe('second@pay.example');

    const heard = (await visitor.page.evaluate<string[]>('heard')).join();
    for (const secret of [...codes, ...codes.map((code) => code.replace(' ', '')), 'pat_']) expect(heard).not.toContain(secret);
    expect(heard).toContain('affiliate-portal:ready');
    expect(visitor.page.context().pages()).toHaveLength(1);
  });

  it('an embedded portal with a token that never worked asks to try again with another one', async () => {
    await using wrong = await startMerchantSite(() => host('pat_wrong', 'undefined'));
    await portal.account.client.portalSettings.update.mutate({ embed_origins: [wrong.origin] });
    await using visitor = await portal.arriveWithoutStorage();
    await visitor.page.clock.install();
    await visitor.page.goto(wrong.origin);
    const frame = visitor.page.frameLocator('iframe');
    await expect.poll(() => visitor.page.evaluate<string[]>('seen')).toContain('expired');
    await visitor.page.clock.fastForward('00:10');
    await frame.getByRole('button', { name: 'Try again' }).waitFor();
    const right = await tokenFor('late@partner.example');
    await visitor.page.evaluate(`affiliatePortal.setToken(${JSON.stringify(right)})`);
    await frame.getByRole('button', { name: 'Try again' }).click();
    expect(await frame.getByRole('heading', { name: /^Welcome/ }).textContent()).toContain('Welcome');
  });

  it('in a tall frame on a phone, the navigation is in sight wherever the page around it is scrolled to, and leads to the beginning of a page', async () => {
    const email = 'tall@partner.example';
    const { token } = await portal.account.client.affiliates.createEmbedTokenByEmail.mutate({ email });
    const affiliate = (await portal.account.client.affiliates.list.query({ email })).data[0]!;
    for (let at = 0; at < 12; at += 1)
      await must(portal.account, '/links', {
        affiliate_id: affiliate.id,
        campaign_id: affiliate.campaign_id,
        url: `https://shop.example.com/${at}`,
      });
    await using shop = await startMerchantSite(
      () =>
        `<p style="height: 300px">Above</p>
        <script src="${portal.service.url}/embed.js" data-account="${portal.account.id}" data-token="${token}" data-page="links"></script>
        <p style="height: 900px">Below</p>`,
      'localhost',
    );
    await portal.account.client.portalSettings.update.mutate({ embed_origins: [shop.origin] });
    await using visitor = await portal.arriveWithoutStorage();
    const { page } = visitor;
    await page.goto(shop.origin);
    const frame = page.frameLocator('iframe');
    const accept = frame.getByRole('button', { name: 'Accept' });
    const copy = frame.getByRole('button', { name: /^Copy link/ }).first();
    await accept.or(copy).first().waitFor();
    if (await accept.isVisible()) await accept.click();
    await copy.waitFor();
    const height = () => page.evaluate<number>(`document.querySelector('iframe').offsetHeight`);
    await expect.poll(height).toBeGreaterThan(1_500);
    const bar = frame.getByRole('navigation').getByRole('list').first();
    const edges = async () => {
      const { y, height } = (await bar.boundingBox())!;
      return { top: Math.round(y), bottom: Math.round(y + height) };
    };
    for (const scrolled of [0, 500, 1_000, 'the end']) {
      await page.evaluate(`scrollTo(0, ${typeof scrolled === 'number' ? scrolled : 'document.body.scrollHeight'})`);
      const bottom = () =>
        page.evaluate<number>(`Math.min(innerHeight, document.querySelector('iframe').getBoundingClientRect().bottom)`);
      // The visible part ends where the frame or the window ends.
      await expect.poll(async () => (await edges()).bottom - Math.round(await bottom())).toBe(0);
    }
    await page.evaluate('scrollTo(0, 1000)');
    await frame.getByRole('navigation').getByRole('link', { name: 'Payouts' }).click();
    const heading = frame.getByRole('heading', { level: 1, name: 'Payouts' });
    await heading.waitFor();
    await expect.poll(async () => (await heading.boundingBox())!.y).toBeGreaterThanOrEqual(0);
    expect((await heading.boundingBox())!.y).toBeLessThan(844);
  });

  it.each([true, false])(
    'a tab that portal_link has opened leads to its page by signing in, after its time is over and it is reloaded: %s',
    async (isReloaded) => {
      const email = `tab-${isReloaded}@partner.example`;
      const { id } = await must<{ id: string }>(portal.account, '/affiliates', { email });
      const { url } = await must<{ url: string }>(portal.account, `/affiliates/${id}/portal_link`, {});
      await using visitor = await portal.arriveByPhone();
      const { pathname, hash } = new URL(url);
      await visitor.open(pathname + hash);
      await visitor.heading(/^Welcome|^Read/);
      await visitor.settled();
      portal.service.clock.advance(13, 'hours');
      const requests = requestsOf(visitor);
      await visitor.page.getByRole('link', { name: 'Payouts', exact: true }).click();
      if (isReloaded) await visitor.page.reload();
      await visitor.page.getByText('Your session has ended. Sign in again.').first().waitFor();
      await visitor.button('Sign in').click();
      await visitor.heading('Sign in');
      await visitor.settled();
      // Both pages ask for what they show. One that asks again and again makes many more requests.
      expect(requests.length).toBeLessThan(20);
      await visitor.page.getByLabel('Email').fill(email);
      await visitor.button('Email me a sign-in link').click();
      await visitor.page.getByRole('status').waitFor();
      await visitor.open(await portal.mailedPath(email, /sign-in link/));
      await visitor.button('Sign in').click();
      await visitor.heading('Payouts');
      expect(new URL(visitor.page.url()).pathname).toBe('/portal/payouts');
    },
  );

  it('an embedded portal has the language, font, radius, start page and pages that the page around it asks for', async () => {
    const { token } = await portal.account.client.affiliates.createEmbedTokenByEmail.mutate({ email: 'options@partner.example' });
    const options =
      'data-language="de" data-font="Georgia, serif" data-radius="14" data-page="payouts" data-pages="payouts,figures"';
    await using shop = await startMerchantSite(
      () =>
        `<script src="${portal.service.url}/embed.js" data-account="${portal.account.id}" data-token="${token}" ${options}></script>`,
    );
    await portal.account.client.portalSettings.update.mutate({ embed_origins: [shop.origin] });
    await using visitor = await portal.arriveByPhone();
    await visitor.page.goto(shop.origin);
    const frame = visitor.page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Auszahlungen' }).waitFor();
    expect(await frame.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Auszahlungen', 'Zahlen']);
    expect(await frame.locator('html').getAttribute('lang')).toBe('de');
    await frame.getByRole('navigation').getByRole('link', { name: 'Zahlen' }).click();
    const panel = frame.locator('section').first();
    await panel.waitFor();
    const inner = visitor.page.frames().find((each) => each.url().startsWith(portal.service.url))!;
    const styles = await inner.evaluate<object>(`(() => {
      const { borderRadius, fontFamily } = getComputedStyle(document.querySelector('.mantine-Paper-root'));
      return { borderRadius, fontFamily };
    })()`);
    expect(styles).toEqual({ borderRadius: '14px', fontFamily: 'Georgia, serif' });
    // On the smallest screen, in the dark scheme of the reader, without animations.
    await visitor.page.setViewportSize({ width: 320, height: 640 });
    await visitor.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await frame.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
    const reach = () =>
      inner.evaluate<object>(
        `({ overflow: document.documentElement.scrollWidth - innerWidth, moving: document.getAnimations().length })`,
      );
    await expect.poll(reach).toEqual({ overflow: 0, moving: 0 });
    expect(await barriersIn(inner)).toEqual([]);
  });

  // Thorough runs only: in the ordinary run, appearance.test.ts and host.test.ts in test/portal cover the frame and the host name over
  // HTTP.
  it.runIf(THOROUGH)(
    'a merchant can embed the portal in their page at the height of its content, and another site cannot',
    async () => {
      const { token } = await portal.account.client.affiliates.createEmbedTokenByEmail.mutate({
        email: 'embedded@partner.example',
      });
      const loader = `<script src="${portal.service.url}/embed.js" data-account="${portal.account.id}" data-token="${token}" data-theme="dark"></script>`;
      await using shop = await startMerchantSite(() => loader);
      await using other = await startMerchantSite(() => loader);
      await portal.account.client.portalSettings.update.mutate({ embed_origins: [shop.origin], terms: 'Be kind to visitors.' });
      await using visitor = await portal.arriveByPhone();
      await visitor.page.goto(shop.origin);
      const embedded = visitor.page.frameLocator('iframe');
      await embedded.getByRole('heading', { name: /^Welcome/ }).waitFor();
      await embedded.getByRole('button', { name: 'Accept' }).click();
      await embedded.getByRole('button', { name: /^Copy link/ }).waitFor();
      expect(await embedded.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
      const fits = () => visitor.page.evaluate<boolean>(`document.querySelector('iframe').style.height !== '600px'`);
      await expect.poll(fits).toBe(true);
      await visitor.picture('portal-embed');
      expect(
        await embedded.locator('html').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
      ).toBeLessThan(2);

      await visitor.page.goto(other.origin);
      await visitor.page.locator('iframe').waitFor();
      await expect
        .poll(() => visitor.page.frames().map((frame) => frame.url()))
        .toContainEqual(expect.stringContaining('chrome-error:'));
    },
  );

  it.runIf(THOROUGH)('under the merchant’s own host name, a mailed link opens the portal without signing in', async () => {
    const host = 'partners.localhost';
    await must(portal.account, '/affiliates', { email: 'hedy@partner.example' });
    const at = portal.service.clock.instant();
    await portal.service.services.database.kysely
      .insertInto('portal_host')
      .values({
        account_id: portal.account.id,
        host,
        verified_at: at,
        failure: null,
        failing_since: null,
        check_at: '2999-01-01T00:00:00.000Z',
        created_at: at,
      })
      .execute();
    portal.service.clock.advance(5, 'seconds');
    await using hedy = await portal.arriveByPhone(host);
    await hedy.open('/');
    await hedy.heading('Affiliate portal');
    await checkLooks(hedy);
    await hedy.page.getByLabel('Email').fill('hedy@partner.example');
    await hedy.button('Send link').click();
    await hedy.page.getByText('an email with a link is on its way').waitFor();
    await hedy.open(await portal.mailedPath('hedy@partner.example', /Your link to the affiliate portal/));
    const requests = requestsOf(hedy);
    await hedy.button('Open your portal').click();
    await hedy.heading(/^Welcome|^Read/);
    await hedy.settled();
    // Ignores earlier requests, because the page may still be requesting the brand.
    expect(requests.slice(requests.indexOf('POST /trpc/portal.enter'))).toEqual([
      'POST /trpc/portal.enter',
      'GET /trpc/portal.self,portal.home',
    ]);
    expect(await hedy.page.context().cookies()).toEqual([]);
    await turnTo(hedy, 'Profile');
    const { data } = await portal.account.client.affiliates.list.query({ email: 'hedy@partner.example' });
    await portal.account.client.affiliates.update.mutate({ id: data[0]!.id, state: 'pending' });
    await hedy.open('/portal');
    await hedy.page.getByText('has not been approved yet').waitFor();
    await hedy.button('Close the portal').click();
    await hedy.page.getByLabel('Email').waitFor();
  });
}
