import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CONSENT_PERMISSIONS } from '@affiliate/core';
import { bundleScript } from '@affiliate/web/bundle-script';
import { buildPayoutsView } from '@affiliate/web/payouts-view';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createConnector } from '../mcp/assistant.ts';
import { RemoteAssistant } from '../mcp/remote-assistant.ts';
import { REVISION } from '../mcp/stateless-assistant.ts';
import { payee, payoutOf } from '../payouts/program.ts';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import type { Fields } from '../support/http.ts';
import { ownerOf } from '../support/people.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { Visitor, barriersIn } from './visitor.ts';

const VIEW = new URL('../../packages/mcp/src/payouts-view.html', import.meta.url);

let service: TestService;
let browser: Chromium;
let account: TestAccount;
/** Address of the assistant's page. */
let hostUrl: string;
let closeHost: () => Promise<void>;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
  const script = await bundleScript(join(import.meta.dirname, 'view-host/host-page.ts'));
  const page = `<!doctype html><html lang="en"><title>Assistant</title><body><script type="module">${script}</script>`;
  const server = createServer((_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hostUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeHost = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});
afterAll(async () => {
  await browser.close();
  await Promise.all([closeHost(), service.stop()]);
});
beforeEach(async () => {
  account = await service.createAccount();
});

/** Returns the access token of an assistant to which the owner has granted everything by consent. */
async function consentedToken(): Promise<string> {
  const assistant = new RemoteAssistant(service);
  const permissions = Object.fromEntries(CONSENT_PERMISSIONS.map((name) => [name, true]));
  const { browser: owner } = await ownerOf(service, account);
  const connected = await assistant.connectAs(owner, { account_id: account.id, permissions, daily_pay_limits: null });
  await connected.client.close();
  return assistant.kept.tokens!.access_token;
}

/** Opens the page of an assistant that calls `payouts`, and returns the view that the page shows. */
async function openView(
  visitor: Visitor,
  token: string,
  settings: { arguments?: Fields; theme?: 'light' | 'dark'; locale?: string; revision?: string | null; isActive?: boolean } = {},
): Promise<Frame> {
  const {
    arguments: given = { action: 'list' },
    theme = 'light',
    locale = 'en-GB',
    revision = REVISION,
    isActive = true,
  } = settings;
  const fragment = {
    mcp: `${service.url}/mcp`,
    token,
    call: { name: 'payouts', arguments: given },
    theme,
    locale,
    revision,
    isActive,
  };
  // Another query loads the page again, which another fragment alone would not.
  await visitor.page.goto(`${hostUrl}/?${crypto.randomUUID()}#${encodeURIComponent(JSON.stringify(fragment))}`);
  const frame = await visitor.page.locator('iframe').elementHandle();
  const view = (await frame.contentFrame())!;
  await view.locator('main[aria-busy="false"]').locator('table, .error').waitFor();
  return view;
}

const arrive = () => Visitor.arrive(browser, hostUrl, { isFresh: true });
const named = (first_name: string, amount_cents: number, currency = 'USD') =>
  payee(account, { amount_cents, currency, person: { first_name } });
const row = (view: Frame, name: RegExp) => view.getByRole('row', { name });

describe('the view of payouts', () => {
  it('is built from its sources', async () => {
    expect(readFileSync(VIEW, 'utf8')).toBe(await buildPayoutsView());
  });

  it('needs no network, and refers to no other file', () => {
    const html = readFileSync(VIEW, 'utf8');
    expect(html).toContain("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'");
    expect(html).not.toMatch(/https?:\/\/|\b(?:src|href)=|@import|\bfetch\(|\bimport\(/);
    expect(html.length).toBeLessThan(20_000);
  });

  it('marks a payout as paid with the token of its preview, and tells the assistant', async () => {
    const ada = await named('Ada', 20_000);
    const bob = await named('Bob', 30_000);
    await using visitor = await arrive();
    const view = await openView(visitor, await consentedToken());
    await row(view, /Ada.*US\$20\.00.*1.*Due/).waitFor();
    await row(view, /Bob.*US\$30\.00.*1.*Due/).waitFor();
    await view.getByText('Shown: 2 of 2').waitFor();
    expect(await barriersIn(view)).toEqual([]);

    await view.getByRole('button', { name: 'Mark as paid: US$20.00 to Ada' }).click();
    const question = view.getByRole('group', { name: /^Mark US\$20\.00 to Ada.* as paid\? No money is sent/ });
    await question.waitFor();
    expect(await barriersIn(view)).toEqual([]);
    expect((await payoutOf(account, ada.payout.id)).state).toBe('due');
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await view.getByRole('group').count()).toBe(0);
    expect(await view.locator(':focus').getAttribute('aria-label')).toContain('Mark as paid: US$20.00 to Ada');

    await view.getByRole('button', { name: 'Mark as paid: US$20.00 to Ada' }).click();
    await question.getByRole('button', { name: 'Mark as paid' }).click();
    await view.getByRole('status').getByText('Marked as paid: US$20.00 to Ada').waitFor();
    await row(view, /Ada.*US\$20\.00.*1.*Paid/).waitFor();
    expect((await payoutOf(account, ada.payout.id)).state).toBe('paid');
    expect((await payoutOf(account, bob.payout.id)).state).toBe('due');
    expect(await visitor.page.evaluate<string[]>('context')).toEqual([
      `In the table of payouts, the user marked payout ${ada.payout.id} as paid.`,
    ]);
    expect(visitor.errors).toEqual([]);
  });

  it('refuses a payment that changed after its preview, and shows the payout as it now is', async () => {
    const { payout, program } = await named('Ada', 20_000);
    await using visitor = await arrive();
    const view = await openView(visitor, await consentedToken(), { revision: null });
    await view.getByRole('button', { name: /^Mark as paid/ }).click();
    const question = view.getByRole('group');
    await question.waitFor();
    await account.api.patch(`/affiliates/${program.affiliate.id}`, { walleta_email: 'thief@pay.example' });
    await question.getByRole('button', { name: 'Mark as paid' }).click();
    await view.getByRole('status').getByText('This call would now do something else than its preview showed').waitFor();
    expect((await payoutOf(account, payout.id)).state).toBe('pending');
    expect(await view.getByRole('group').count()).toBe(0);
  });

  it('holds the payouts of an affiliate, and releases them', async () => {
    const { payout, program } = await named('Ada', 20_000);
    await using visitor = await arrive();
    const view = await openView(visitor, await consentedToken());
    await view.getByRole('button', { name: 'Hold: US$20.00 to Ada' }).click();
    await view.getByRole('group').getByRole('button', { name: 'Hold' }).click();
    await row(view, /Ada.*Pending · On hold/).waitFor();
    expect(await payoutOf(account, payout.id)).toMatchObject({ eligible: false, ineligible_reasons: ['on_hold'] });
    expect(await view.getByRole('button', { name: /^Mark as paid/ }).count()).toBe(0);
    await view.getByRole('button', { name: 'Release: US$20.00 to Ada' }).click();
    await view.getByRole('group').getByRole('button', { name: 'Release' }).click();
    await row(view, /Ada.*Due/).waitFor();
    expect(await payoutOf(account, payout.id)).toMatchObject({ eligible: true });
    const [context] = await visitor.page.evaluate<string[]>('context');
    expect(context).toContain(`set affiliate ${program.affiliate.id} to suspicious`);
    expect(context).toContain(`; then set affiliate ${program.affiliate.id} to active again`);
  });

  it('speaks German, and wears the dark colors of its host', async () => {
    await named('Ada', 20_000);
    await named('Eve', 30_000, 'JPY');
    await using visitor = await arrive();
    const view = await openView(visitor, await consentedToken(), { theme: 'dark', locale: 'de-DE' });
    await row(view, /Ada.*20,00\s\$.*Fällig/).waitFor();
    await row(view, /Eve.*3\.000\s¥.*Fällig/).waitFor();
    await view.getByRole('button', { name: /^Als bezahlt markieren: 20,00\s\$ an Ada/ }).click();
    await view.getByRole('group').getByRole('button', { name: 'Abbrechen' }).waitFor();
    expect(await view.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(27, 29, 31)');
    expect(await barriersIn(view)).toEqual([]);
  });

  it('shows further pages, and one payout', async () => {
    const { payout } = await named('Ada', 20_000);
    await named('Bob', 30_000);
    const { token } = await createConnector(account, { permissions: { 'mcp.payouts.read': true, 'mcp.affiliates.read': true } });
    await using visitor = await arrive();
    const view = await openView(visitor, token, { arguments: { action: 'list', limit: 1, fields: ['id'] } });
    await view.getByText('Shown: 1 of 2').waitFor();
    await view.getByRole('button', { name: 'Show more' }).click();
    await view.getByText('Shown: 2 of 2').waitFor();
    expect(await view.getByRole('row').count()).toBe(3);
    const one = await openView(visitor, token, { arguments: { action: 'get', id: payout.id } });
    await row(one, /Ada.*US\$20\.00/).waitFor();
    await one.getByText('Shown: 1 of 1').waitFor();
    await one.getByRole('button', { name: /^Mark as paid/ }).click();
    await one.getByRole('status').getByText('mcp.payouts.write').waitFor();
  });

  it('only shows the payouts in a host that lets it call no tools', async () => {
    const { payout } = await named('Ada', 20_000);
    const { token } = await createConnector(account, { permissions: { 'mcp.payouts.read': true } });
    await using visitor = await arrive();
    const view = await openView(visitor, token, { isActive: false });
    await row(view, new RegExp(`${payout.affiliate_id}.*US\\$20\\.00.*Due`)).waitFor();
    expect(await view.getByRole('button').count()).toBe(0);
    const active = await openView(visitor, token);
    await row(active, /Ada.*US\$20\.00.*Due/).waitFor();
    const failed = await openView(visitor, token, { arguments: { action: 'get', id: 'pay_unknown' } });
    await failed.getByRole('status').getByText('No such payout.').waitFor();
  });
});
