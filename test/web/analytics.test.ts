import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { type Program, must, program, sell } from '../support/program.ts';
import { useAccount } from '../support/suite.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const { service, browser } = usePages();
const account = useAccount(service, 'file');
let ada: Program;

/** Clicks on Ada's link. Returns the id of the referral. */
async function click(userAgent: string): Promise<string> {
  const { headers } = await send(`${service.url}/t/${ada.link.token}`, 'GET', {
    query: `account_id=${account.id}&utm_source=news`,
    headers: { 'User-Agent': userAgent },
  });
  return new URL(headers.get('location')!).searchParams.get('referral')!;
}

beforeAll(async () => {
  ada = await program(account);
  const referral_id = await click(PHONE);
  service.clock.advance(1, 'seconds');
  await click(DESKTOP);
  await click(DESKTOP);
  service.clock.advance(1, 'seconds');
  const { sale } = await sell(account, { referral_id, amount_cents: 20_000, external_id: 'order-1' });
  service.clock.advance(1, 'seconds');
  await must(account, '/track/refunds', { external_id: sale.external_id, refund_id: 'refund-1', amount_cents: 5_000 });
});

/** Serves a page of a merchant with a Content-Security-Policy. */
async function startShop(html: string, policy: string) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', ...(shop.policy && { 'Content-Security-Policy': shop.policy }) });
    response.end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const shop = {
    url: `http://shop.localhost:${(server.address() as AddressInfo).port}/`,
    policy,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
  return shop;
}

const ownerAt = (path: string) => Visitor.ownerAt(path, browser, service, account);

it('choosing a value in one breakdown of the analytics filters all breakdowns, and the URL keeps the filter', async () => {
  await using owner = await ownerAt('/analytics?days=7');
  const { page } = owner;
  await owner.heading('Analytics');
  const clicks = (count: number) =>
    page
      .locator('dt', { hasText: /^Clicks$/ })
      .locator('+ dd')
      .filter({ hasText: new RegExp(`^${count}$`) })
      .waitFor();
  await clicks(3);
  const visitors = page.getByRole('region', { name: 'Visitors' });
  await visitors.getByRole('combobox').selectOption('device');
  await visitors.getByRole('button', { name: 'Show only Device: mobile' }).click();
  await clicks(1);
  expect(new URL(page.url()).searchParams.get('device')).toBe('mobile');
  const partners = page.getByRole('region', { name: 'Program' });
  await partners.getByRole('row', { name: /Ada.*\b1\b.*\b1\b.*US\$150\.00/ }).waitFor();
  await page.reload();
  await clicks(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('region', { name: 'Parameters of the address' }).getByRole('button', { name: 'Download CSV' }).click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toMatch(/^\uFEFFutm_source,clicks,.*\r\nnews,1,/);
  await page.getByRole('button', { name: 'Remove the filter Device: mobile' }).click();
  await clicks(3);
  await page.getByRole('combobox', { name: 'Figure' }).selectOption('Net revenue');
  await page.getByRole('img', { name: /^Net revenue: US\$150\.00 from / }).waitFor();
  await page.getByLabel('Compare with the previous period').click();
  await page.getByText('Period before').waitFor();
  await page.getByText('Net revenue per day: show as table').click();
  await page
    .getByRole('table', { name: 'Figures by day' })
    .getByRole('row', { name: /3 1 US\$150\.00/ })
    .waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('the overview shows how many visitors became customers', async () => {
  await using owner = await ownerAt('/');
  const funnel = owner.page.getByRole('region', { name: 'From click to sale' });
  await funnel.getByText('50%').waitFor();
  await funnel.getByText('US$150.00').waitFor();
  await funnel.getByRole('link', { name: 'Analytics' }).click();
  await owner.heading('Analytics');
  expect(new URL(owner.page.url()).pathname).toBe('/analytics');
});

it('the page on tracking shows the snippet, and visits as they arrive', async () => {
  await using owner = await ownerAt('/settings/tracking');
  const { page } = owner;
  await owner.heading('Tracking');
  await page.getByText(`${service.url}/track.js" data-account="${account.id}"`).waitFor();
  const visits = page.getByRole('table', { name: 'Last visits' }).getByRole('row');
  await visits.nth(3).waitFor();
  service.clock.advance(1, 'seconds');
  const referral = await click(PHONE);
  await visits
    .filter({ hasText: `Referral ${referral.slice(-6)}` })
    .filter({ hasText: 'Safari, mobile' })
    .waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('the page on tracking finds the script on a page, and shows a test visit from click to commission', async () => {
  await using shop = await startShop(
    `<script async src="${service.services.publicUrl}/track.js" data-account="${account.id}"></script>`,
    "connect-src 'none'",
  );
  await using owner = await ownerAt('/settings/tracking');
  const { page } = owner;
  await page.getByLabel('Address of a page').fill(shop.url);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('allow the host of the script in connect-src').waitFor();
  shop.policy = '';
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('The script on this page is ready').waitFor();
  await page.getByLabel('Link code').fill('no-such-link');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('No link has this code.').waitFor();
  await page.getByLabel('Link code').fill(ada.link.token);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const address = await page.getByRole('link', { name: 'Open the link in a new tab' }).getAttribute('href');
  expect(address).toContain('/t/');
  expect(address).not.toContain('acct_');
  const { pathname, search } = new URL(address!);
  await send(`${service.url}${pathname}`, 'GET', { query: search.slice(1), headers: { 'User-Agent': PHONE } });
  await page.getByText('The click has arrived').waitFor();
  await page.getByRole('button', { name: 'Record a test sale' }).click();
  await page.getByText('The affiliate has earned a commission').waitFor();
  expect(await owner.faults()).toEqual([]);
});

it('the page of an affiliate shows a timeline, newest first', async () => {
  await using owner = await ownerAt(`/affiliates/${ada.affiliate.id}`);
  const timeline = owner.page.getByRole('table', { name: 'Timeline' });
  await timeline.getByRole('row', { name: 'Joined' }).waitFor();
  const cells = await timeline.locator('tbody :is(th, td)').allTextContents();
  const rows = ['Refund -US$50.00', 'First sale US$200.00', 'First click ', 'Joined '];
  expect(rows.map((_, index) => cells.slice(3 * index + 1, 3 * index + 3).join(' '))).toEqual(rows);
});
