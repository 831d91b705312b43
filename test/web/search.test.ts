import { expect, it } from 'vitest';
import { MEMBER_PASSWORD, newMember } from '../support/people.ts';
import { program } from '../support/program.ts';
import { useAccount } from '../support/suite.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();
const account = useAccount(service, 'file');

/** Words that somebody types, the act that the search finds, and the dialog that it opens. */
const ACTS: [typed: string, act: string, dialog: string][] = [
  ['new affiliate', 'Add affiliate', 'Add affiliate'],
  ['invite affiliate', 'Invite an affiliate', 'Invite an affiliate'],
  ['sign-up', 'Share the sign-up link', 'Sign-up link'],
  ['add campaign', 'Add campaign', 'Add campaign'],
  ['prepare', 'Prepare payments', 'Prepare payments'],
  ['export pay', 'Export payouts', 'Export payouts'],
  ['create payout run', 'Create payout run', 'Create payout run'],
  ['create api', 'Create API key', 'Create API key'],
  ['new webhook', 'Add webhook endpoint', 'Add endpoint'],
  ['start import', 'Start an import', 'Start an import'],
  ['create conn', 'Create connector', 'Create connector'],
  ['invite team', 'Invite a team member', 'Invite'],
];

it('the search opens the dialog of each act, and closing it leaves the page', async () => {
  await program(account);
  await using owner = await Visitor.ownerAt('/analytics', browser, service, account);
  await owner.heading('Analytics');
  for (const [typed, act, dialog] of ACTS) {
    await owner.page.keyboard.press('Control+k');
    await owner.dialog().getByRole('searchbox').fill(typed);
    const found = owner.dialog().getByRole('list', { name: 'Search results' });
    await found.getByRole('link', { name: act, exact: true }).click();
    await owner.page.getByRole('dialog', { name: dialog }).waitFor();
    await owner.page.getByRole('dialog', { name: dialog }).getByRole('button', { name: 'Close' }).click();
    await owner.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(owner.page.url()).search).toBe('');
  }
  // Enter opens the first result, here a page that only other pages link to.
  await owner.page.keyboard.press('Control+k');
  await owner.dialog().getByRole('searchbox').fill('needs review');
  await owner.dialog().getByText('1 result').waitFor();
  expect(await owner.faults()).toEqual([]);
  await owner.page.keyboard.press('Enter');
  await owner.heading('Needs review');
});

it('a viewer neither finds acts nor opens them by their address', async () => {
  const { email } = await newMember(service, account, 'viewer');
  await using viewer = await Visitor.arrive(browser, service.url);
  await viewer.enter('/campaigns?act=add', { email, password: MEMBER_PASSWORD });
  await viewer.heading('Campaigns');
  expect(await viewer.page.getByRole('dialog').count()).toBe(0);
  await viewer.page.keyboard.press('Control+k');
  await viewer.dialog().getByRole('searchbox').fill('add');
  await viewer.dialog().getByText('0 results').waitFor();
});
