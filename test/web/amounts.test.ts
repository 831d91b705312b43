import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import { type Program, program, refer, sell } from '../support/program.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { startServiceWithPages } from './service.ts';
import { Visitor } from './visitor.ts';

const LARGE_CENTS = 9_992_400_000_12;

let service: TestService;
let browser: Chromium;
let account: TestAccount;
let ada: Program;

beforeAll(async () => {
  [service, browser] = await Promise.all([startServiceWithPages(), launchChromium()]);
  account = await service.createAccount();
  ada = await program(account, { days_until_commissions_are_due: 0, commission_percent: 30 });
  const { id: referral_id } = await refer(account, ada);
  await sell(account, { referral_id, amount_cents: LARGE_CENTS });
  const held = await sell(account, { referral_id, amount_cents: LARGE_CENTS, external_id: 'order-second' });
  await account.api.post(`/commissions/${held.commission!.id}/review`, { review_action: 'suspicious' });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it.each([
  ['en-GB', 1440, 'US$19.98B', 'US$19,984,800,000.24'],
  ['de-DE', 1440, /19,98.Mrd..\$/, /19\.984\.800\.000,24.\$/],
  ['en-GB', 390, 'US$19.98B', 'US$19,984,800,000.24'],
])('never break, and tiles abbreviate them: %s, %i px', async (locale, width, short, full) => {
  await using owner = await Visitor.arrive(browser, service.url, { locale, width, isFresh: true });
  await owner.enter('/', { email: account.ownerEmail, password: account.ownerPassword });
  const tile = owner.page.getByTitle(full).first();
  await tile.getByText(short).waitFor();
  await tile.getByText(full).waitFor({ state: 'attached' });
  for (const path of [
    '/',
    '/analytics?compare=1',
    '/payouts',
    '/commissions',
    '/customers/sales',
    `/affiliates/${ada.affiliate.id}`,
  ]) {
    if (path !== '/') await owner.turnTo(path);
    await owner.page
      .getByText(/992[.,]400|997[.,]72|\dB|Mrd/)
      .first()
      .waitFor();
    await owner.settled();
    expect([path, await owner.brokenFigures(), await owner.overflow()]).toEqual([path, [], []]);
    expect(await owner.faults()).toEqual([]);
  }
});
