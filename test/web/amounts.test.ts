import { beforeAll, expect, it } from 'vitest';
import { type Program, program, refer, sell } from '../support/program.ts';
import { useAccount } from '../support/suite.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const LARGE_CENTS = 9_992_400_000_12;

const { service, browser } = usePages();
const account = useAccount(service, 'file');
let ada: Program;

beforeAll(async () => {
  ada = await program(account, { days_until_commissions_are_due: 0, commission_percent: 30 });
  const { id: referral_id } = await refer(account, ada);
  await sell(account, { referral_id, amount_cents: LARGE_CENTS });
  const held = await sell(account, { referral_id, amount_cents: LARGE_CENTS, external_id: 'order-second' });
  await account.api.post(`/commissions/${held.commission!.id}/review`, { review_action: 'suspicious' });
});

it.each([
  ['en-GB', 1440, 'US$19.98B', 'US$19,984,800,000.24'],
  ['de-DE', 1440, /19,98.Mrd..\$/, /19\.984\.800\.000,24.\$/],
  ['de-DE', 1024, /19,98.Mrd..\$/, /19\.984\.800\.000,24.\$/],
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
