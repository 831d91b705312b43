import { createAccount } from '@affiliate/core';
import { expect, it } from 'vitest';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();

it('an installation is set up from the start page or the example, the setup link is removed from the URL, and the example can be removed', async () => {
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.open('/');
  await owner.page.getByText('Open the link that the service printed').waitFor();
  expect(await owner.faults()).toEqual([]);

  const example = { email: 'owner@demo.example', password: 'the demo password' };
  const names = { name: 'Demo shop', currency: 'USD', isExample: true };
  await createAccount(service.services, { ...names, ownerEmail: example.email, ownerPassword: example.password });
  await owner.enter('/', example);
  await owner.button('Start your own program').click();
  const { page } = owner;
  await page.getByLabel('Program name').fill('My shop');
  expect(page.url()).not.toContain('token');
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berl');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await owner.button('Send a test email').click();
  await page.getByText('The mail server accepted the email.').waitFor();
  const box = await page.getByLabel('Add an example').boundingBox();
  expect(box!.width).toBeGreaterThanOrEqual(16);
  await page.getByLabel('Add an example').check();
  expect(await owner.faults()).toEqual([]);
  await owner.button('Create the program').click();
  await owner.heading('Overview');
  await page.getByRole('banner').getByText('My shop', { exact: true }).first().waitFor();

  // The owner of the example gets another program, because the installation has one already.
  await using demo = await Visitor.arrive(browser, service.url);
  await demo.enter('/', example);
  await demo.button('Start your own program').click();
  await demo.dialog().getByLabel('Name of the program').fill('Other shop');
  expect(await demo.faults()).toEqual([]);
  await demo.dialog().getByRole('button', { name: 'Create' }).click();
  await demo.page.getByRole('banner').getByText('Other shop', { exact: true }).first().waitFor();
  await demo.turnTo('/settings/profile');
  await demo.button('Show Demo shop').waitFor();
  await demo.button('Leave: Other shop').click();
  await demo.dialog().getByRole('button', { name: 'Leave' }).click();
  await demo.dialog().getByText('Make another member an owner first').waitFor();

  await page.getByLabel('Account', { exact: true }).selectOption('Demo shop');
  await owner.button('Remove the example: Demo shop').click();
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Remove the example' }).click();
  await page.getByText('This is the example').waitFor({ state: 'detached' });
  await owner.heading('Overview');
  expect(await page.getByLabel('Account', { exact: true }).count()).toBe(0);
  service.services.releases = { running: '0.2.0', newer: () => Promise.resolve('0.3.0') };
  await owner.turnTo('/settings/account');
  await owner.heading('Account');
  await page.getByText('Version 0.3.0 is available').waitFor();
  expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Berlin');
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  await owner.open('/setup#token=used');
  await page.getByText('Start the service again for a new link.').waitFor();
});
