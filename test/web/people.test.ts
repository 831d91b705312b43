import { describe, expect, it } from 'vitest';
import { newMember } from '../support/people.ts';
import { useAccount } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();
const account = useAccount(service, 'file');

/** Returns the path of the link in an email. */
async function mailedPath(email: string, subject: RegExp): Promise<string> {
  const { text } = await service.mailbox.take(email, subject);
  const { pathname, hash } = new URL(/http\S+/.exec(text)![0]);
  return pathname + hash;
}

describe('signing in', () => {
  it('shows an error for a wrong password, then opens the requested page', async () => {
    await using owner = await Visitor.arrive(browser, service.url);
    await owner.open('/settings/api-keys');
    await owner.heading('Sign in');
    await owner.page.getByLabel('Email').fill(account.ownerEmail);
    await owner.page.getByLabel('Password', { exact: true }).fill('not the password');
    await owner.button('Sign in').click();
    expect(await owner.page.getByRole('alert').textContent()).toContain('Invalid');
    expect(await owner.faults()).toEqual([]);
    await owner.page.getByLabel('Password', { exact: true }).fill(account.ownerPassword);
    await owner.page.keyboard.press('Enter');
    await owner.heading('API keys');
  });

  it('accepts a new password after a reset, and the reset token is removed from the URL', async () => {
    const person = await newMember(service, account, 'member');
    await using visitor = await Visitor.arrive(browser, service.url);
    await visitor.open('/sign-in');
    await visitor.page.getByRole('link', { name: 'Forgot your password?' }).click();
    // Waits for the next page, because both pages have an email field.
    await visitor.heading('Reset your password');
    await visitor.page.getByLabel('Email').fill(person.email);
    await visitor.button('Send reset link').click();
    await visitor.page.getByRole('status').waitFor();
    await visitor.open(await mailedPath(person.email, /password/));
    await visitor.page.getByLabel('New password', { exact: true }).fill('quite another password');
    expect(visitor.page.url()).not.toContain('token');
    expect(await visitor.faults()).toEqual([]);
    await visitor.button('Change password').click();
    await visitor.page.getByText('has been changed').waitFor();
    await visitor.signIn(person.email, 'quite another password');
  });
});

it('an owner invites a member, who accepts and sees the pages of their role', async () => {
  await using owner = await Visitor.ownerAt('/settings/account', browser, service, account);
  await owner.page.getByRole('link', { name: 'Members' }).click();
  await owner.button('Invite').click();
  await owner.page.getByLabel('Email').fill('ada@example.com');
  expect(await owner.faults()).toEqual([]);
  await owner.button('Send invitation').click();
  await owner.page.getByRole('row', { name: /ada@example.com.*Pending/ }).waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);

  await using ada = await Visitor.arrive(browser, service.url);
  await ada.open(await mailedPath('ada@example.com', /Join/));
  await ada.page.getByText('Test account invites ada@example.com to join its team with the role member.').waitFor();
  expect(ada.page.url()).not.toContain('token');
  expect(await ada.faults()).toEqual([]);
  await ada.page.getByLabel('First name').fill('Ada');
  await ada.page.getByLabel('Password', { exact: true }).fill('a password of hers');
  await ada.button('Accept').click();
  await ada.heading('Overview');

  const pages = ada.page.getByRole('navigation', { name: 'Pages' });
  expect(await pages.getByRole('link').allTextContents()).toEqual([
    'Overview',
    'Analytics',
    'Affiliates',
    'Campaigns',
    'Customers',
    'Commissions',
    'Payouts',
    'Settings',
  ]);
  await ada.open('/settings/api-keys');
  await ada.page.getByText('This page requires the admin role').waitFor();
  await ada.open('/settings/members');
  await ada.page.getByRole('row', { name: /ada@example.com.*Accepted/ }).waitFor();
  expect(await ada.button('Invite').count()).toBe(0);

  await owner.page.reload();
  const role = owner.page.getByRole('combobox', { name: 'Role of ada@example.com' });
  await role.selectOption('admin');
  await owner.page.getByText('Role of ada@example.com changed to Admin.').waitFor();
  await ada.page.reload();
  await pages.getByRole('link', { name: 'API keys' }).waitFor();

  await role.selectOption('member');
  await owner.page.getByText('Role of ada@example.com changed to Member.').waitFor();
  await ada.turnTo('/settings/api-keys');
  await ada.page.getByText('This page requires the admin role').waitFor();
  expect(await pages.getByRole('link', { name: 'API keys' }).count()).toBe(0);

  // Only an owner may change the role of an owner.
  await role.selectOption('owner');
  await owner.page.getByText('Role of ada@example.com changed to Owner.').waitFor();
  await owner.page.getByRole('combobox', { name: `Role of ${account.ownerEmail}` }).selectOption('admin');
  await role.waitFor({ state: 'detached' });
});

it.runIf(THOROUGH)('an owner renames the account and sees the new name immediately', async () => {
  const own = await service.createAccount();
  await using owner = await Visitor.ownerAt('/settings/account', browser, service, own);
  await owner.page.getByText(own.id).waitFor();
  await owner.page.getByRole('textbox', { name: 'Name' }).fill('   ');
  await owner.button('Save').click();
  await owner.page.locator('input[aria-invalid=true]:focus').waitFor();
  await owner.page.getByRole('textbox', { name: 'Name' }).fill('Northwind Tea');
  await owner.page.getByLabel('Default currency').selectOption('JPY');
  await owner.button('Save').click();
  await owner.page.getByRole('banner').getByText('Northwind Tea').waitFor();
  await owner.page.reload();
  await owner.heading('Account');
  expect(await owner.page.getByLabel('Default currency').inputValue()).toBe('JPY');
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('signing out ends the session', async () => {
  await using owner = await Visitor.ownerAt('/settings/account', browser, service, account);
  await owner.button('Sign out').click();
  await owner.heading('Sign in');
  await owner.open('/');
  await owner.heading('Sign in');
  expect(await owner.button('Sign out').count()).toBe(0);
});

it('keeps what was typed when the session ends, and asks before a page with entries is left', async () => {
  const own = await service.createAccount();
  await using owner = await Visitor.ownerAt('/settings/profile', browser, service, own);
  const { page } = owner;
  await page.getByRole('link', { name: 'Account' }).click();
  await owner.heading('Account');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Northwind Tea');
  // By Back, by a link, and by a key.
  const asked = async () => {
    await owner.dialog().getByText('Leave without saving?').waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings/account');
    expect(await name.inputValue()).toBe('Northwind Tea');
  };
  await page.goBack();
  await asked();
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Cancel' }).click();
  await owner.dialog().waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Members' }).click();
  await asked();
  await page.keyboard.press('Escape');
  await owner.dialog().waitFor({ state: 'detached' });

  await page.context().clearCookies();
  await owner.button('Save').click();
  await owner.dialog().getByText('Your session has ended').waitFor();
  expect(await owner.faults()).toEqual([]);
  const [signIn] = await Promise.all([
    page.context().waitForEvent('page'),
    owner.dialog().getByRole('link', { name: 'Sign in in a new tab' }).click(),
  ]);
  await signIn.getByLabel('Email').fill(own.ownerEmail);
  await signIn.getByLabel('Password', { exact: true }).fill(own.ownerPassword);
  await Promise.all([signIn.waitForEvent('close'), signIn.getByRole('button', { name: 'Sign in', exact: true }).click()]);
  await owner.dialog().waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Northwind Tea');
  await owner.button('Save').click();
  await page.getByRole('banner').getByText('Northwind Tea').waitFor();

  // What is saved is not asked about. What is discarded is left.
  await page.goBack();
  await owner.heading('Profile');
  await page.goForward();
  await owner.heading('Account');
  await name.fill('Another name');
  await page.goBack();
  await owner.dialog().getByRole('button', { name: 'Discard entries' }).click();
  await owner.heading('Profile');
});
