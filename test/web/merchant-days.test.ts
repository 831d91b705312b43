import { TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { payee, payoutOf } from '../payouts/program.ts';
import { newMember } from '../support/people.ts';
import { sell } from '../support/program.ts';
import { THOROUGH } from '../support/thorough.ts';
import { countClicks } from './count-clicks.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();

/** Turns on the second factor with the “Set up” button. Calls `onSecret` while the dialog shows the authenticator app's secret. */
async function setUpSecondFactor(visitor: Visitor, password: string, onSecret?: () => Promise<void>): Promise<void> {
  const dialog = visitor.dialog();
  await visitor.button('Set up').click();
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = await visitor.page.getByTestId('totp-secret').textContent();
  await onSecret?.();
  await dialog.getByLabel('Code', { exact: true }).fill(new TOTP({ secret: secret! }).generate());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
}

it('the first day takes a merchant from sign-in to the first attributed sale by steps that are checked automatically', async () => {
  const account = await service.createAccount();
  await using owner = await Visitor.arrive(browser, service.url);
  await using counter = await countClicks(owner);
  const { page } = owner;
  const step = (name: string) => page.getByRole('listitem').filter({ hasText: `${name}: done` });
  const overview = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
  await owner.signIn(account.ownerEmail, account.ownerPassword);
  await page.getByText('0 of 7 done').waitFor();
  expect(await owner.faults()).toEqual([]);

  await page.getByRole('link', { name: 'Create a campaign' }).click();
  await owner.heading('Campaigns');
  await owner.button('Add campaign').first().click();
  await owner.dialog().getByLabel('Name').fill('Friends');
  await owner.dialog().getByLabel('Landing page').fill('https://shop.example/');
  await owner.dialog().getByLabel('Percent of sale').fill('10');
  await owner.dialog().getByRole('button', { name: 'Add' }).click();
  await owner.button('Edit: Friends').waitFor();

  await overview();
  await step('Create a campaign').waitFor();
  await page.getByRole('link', { name: 'Add your first affiliate' }).click();
  await owner.heading('Affiliates');
  await owner.button('Add affiliate').first().click();
  await owner
    .dialog()
    .getByRole('textbox', { name: /^Email/ })
    .fill('ada@partner.example');
  await owner.dialog().getByLabel('Campaign').selectOption('Friends');
  await owner.dialog().getByRole('button', { name: 'Add' }).click();
  await owner.heading('ada@partner.example');
  await owner.button('Add link').click();
  await owner.dialog().getByLabel('Link code').fill('ada');
  await owner.dialog().getByRole('button', { name: 'Add' }).click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await owner.button('Copy link: ada').click();

  // Follows the copied link with a browser's user agent, because visits with other user agents are not counted.
  const visit = await fetch(`${service.url}/t/ada?account_id=${account.id}`, {
    redirect: 'manual',
    headers: {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36',
    },
  });
  const referral_id = new URL(visit.headers.get('location')!).searchParams.get('referral')!;
  // Waits for the referral, because visits are written in groups after the redirect.
  await expect.poll(async () => (await account.api.get(`/referrals/${referral_id}`)).status).toBe(200);
  await sell(account, { referral_id, amount_cents: 10_000 });
  await overview();
  await page.getByText('6 of 7 done').waitFor();
  const steps = page.locator('details:not([open])', { hasText: 'All steps' });
  // Not by a click, because the clicks of a newcomer are counted.
  await steps.evaluate((list) => list.setAttribute('open', ''));
  for (const done of ['Add your first affiliate', 'Install tracking on your site', 'See your first sale'])
    await step(done).waitFor();
  process.stdout.write(`first day: ${counter.clicks} clicks\n`);
  expect(counter.clicks).toBeGreaterThan(8);
  expect(counter.clicks).toBeLessThanOrEqual(12);
});

it('the pay day takes a merchant from the review through a run with failed items to paid payouts', async () => {
  const account = await service.createAccount();
  const [ada, bob] = [
    await payee(account, { amount_cents: 10_000, person: { first_name: 'Ada' } }),
    await payee(account, { amount_cents: 20_000, person: { first_name: 'Bob', walleta_email: null, walletb_email: null } }),
  ];
  const eve = await payee(account, { amount_cents: 30_000, person: { first_name: 'Eve' } });
  const { data } = await account.client.commissions.list.query({ affiliate_id: eve.payout.affiliate_id });
  await account.api.post(`/commissions/${data[0]!.id}/review`, { review_action: 'suspicious' });
  await using owner = await Visitor.arrive(browser, service.url);
  await using counter = await countClicks(owner);
  const { page } = owner;
  await owner.signIn(account.ownerEmail, account.ownerPassword);

  await page.getByRole('link', { name: '1 flagged commission' }).click();
  await owner.button('Void: US$30.00 for Eve').click();
  await owner.dialog().getByLabel('Reason').fill('Test order');
  await owner.dialog().getByRole('button', { name: 'Void' }).click();
  await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Payouts' }).click();
  await owner.button('Create run').click();
  await owner.dialog().getByText('2 payouts, US$30.00').waitFor();
  await owner.dialog().getByRole('button', { name: 'Create' }).click();
  await owner.button('Mark run as paid').click();
  await owner.dialog().getByRole('button', { name: 'Mark as paid' }).click();
  await page.getByRole('row', { name: /Ada.*Paid/ }).waitFor();
  await page.getByRole('link', { name: 'Enter payout details' }).click();
  await owner.button('Edit').click();
  await owner.dialog().getByLabel('PayPal email').fill('bob@paypal.example');
  await owner.dialog().getByRole('button', { name: 'Save' }).click();
  await owner.dialog().waitFor({ state: 'detached' });
  await page.goBack();
  await owner.button('Retry: Missing payout details').click();
  await owner.dialog().getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('row', { name: /Bob.*Paid/ }).waitFor();
  for (const { payout } of [ada, bob]) expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid' });
  expect((await account.api.get(`/commissions/${data[0]!.id}`)).body).toMatchObject({
    state: 'voided',
    void_reason: 'Test order',
  });
  process.stdout.write(`pay day: ${counter.clicks} clicks\n`);
  expect(counter.clicks).toBeGreaterThan(8);
  expect(counter.clicks).toBeLessThanOrEqual(14);
});

it('pages are German in a German browser, and the profile changes language, password, emails and second factor', async () => {
  const account = await service.createAccount();
  await using owner = await Visitor.arrive(browser, service.url, { locale: 'de-AT' });
  const { page } = owner;
  await owner.open('/sign-in');
  await owner.heading('Anmelden');
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await owner.faults()).toEqual([]);
  await owner.enter('/payouts', { email: account.ownerEmail, password: account.ownerPassword });
  await owner.heading('Auszahlungen');
  await page.getByRole('heading', { name: 'Keine Auszahlungen' }).waitFor();
  await owner.turnTo('/settings/profile');
  await owner.heading('Profil');
  await page.getByLabel('Sprache der Seiten').selectOption('English');
  await owner.heading('Profile');
  const password = 'quite another password';
  const passwords = page.getByRole('region', { name: 'Password' });
  await passwords.getByLabel('Current password').fill(account.ownerPassword);
  await passwords.getByLabel('New password').fill(password);
  await passwords.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Password changed.').waitFor();
  await page.getByRole('row', { name: /This device/ }).waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);

  await page.getByRole('checkbox', { name: 'Payouts that are due, on Mondays' }).check();
  await page.getByRole('region', { name: 'Emails' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Emails chosen.').waitFor();

  await setUpSecondFactor(owner, password, async () => expect(await owner.faults()).toEqual([]));
  const codes = await page.getByTestId('recovery-codes').textContent();
  await page.getByText('Signing in asks for a code of your authenticator app.').waitFor();
  expect(await owner.faults()).toEqual([]);

  await owner.turnTo('/settings/audit-log');
  await owner.heading('Audit log');
  await page.getByRole('row', { name: /owner-.*Turned on a second factor/ }).waitFor();
  await owner.button('Sign out').click();
  await owner.heading('Sign in');
  await page.getByLabel('Email').fill(account.ownerEmail);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await owner.button('Sign in').click();
  await owner.heading('Enter your code');
  expect(await owner.faults()).toEqual([]);
  await owner.button('Use a recovery code').click();
  await page.getByLabel('Recovery code').fill(codes!.split('\n')[0]!);
  await owner.button('Continue').click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
});

// Thorough runs only: second-factor.test.ts covers the requirement over the API in the ordinary run.
it.runIf(THOROUGH)('an account that requires a second factor becomes accessible to a member who sets one up', async () => {
  const account = await service.createAccount();
  await using owner = await Visitor.ownerAt('/settings/profile', browser, service, account);
  const { page } = owner;
  await setUpSecondFactor(owner, account.ownerPassword);
  await page.getByText('Signing in asks for a code of your authenticator app.').waitFor();
  await owner.turnTo('/settings/account');
  await owner.heading('Account');
  await page.getByLabel('When the account closes to members without a second factor').selectOption('At once');
  await owner.button('Require it').click();
  await page.getByText('Required of all members since').waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  const member = await newMember(service, account, 'member');
  await using joined = await Visitor.arrive(browser, service.url);
  await joined.enter('/', member);
  await joined.heading('Set up a second factor');
  expect(await joined.faults()).toEqual([]);
  await setUpSecondFactor(joined, member.password);
  await joined.button('Open Test account').click();
  await joined.page.getByRole('navigation', { name: 'Pages' }).waitFor();
});
