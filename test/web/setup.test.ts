import { createSetupToken } from '@affiliate/core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium/index.ts';
import type { TestService } from '../support/service.ts';
import { startServiceWithPages } from './service.ts';
import { Visitor } from './visitor.ts';

let service: TestService;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startServiceWithPages(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it('the setup page creates the first account and signs its owner in; its link is not kept in the address', async () => {
  const token = (await createSetupToken(service.services))!;
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.open('/setup');
  await owner.page.getByText('Open the link that the service printed').waitFor();
  expect(await owner.faults()).toEqual([]);
  await using second = await Visitor.arrive(browser, service.url);
  await second.open(`/setup#token=${token}`);
  await second.page.getByLabel('Program name').fill('My shop');
  expect(second.page.url()).not.toContain('token');
  await second.page.getByLabel('Your name').fill('Grace Hopper');
  await second.page.getByLabel('E-mail').fill('grace@example.com');
  await second.page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await second.button('Send a test mail').click();
  await second.page.getByText('The mail server took the mail.').waitFor();
  await second.page.getByLabel('Add an example').check();
  expect(await second.faults()).toEqual([]);
  await second.button('Create the program').click();
  await second.heading('Overview');
  await owner.open('/sign-in');
  await owner.heading('Sign in');
  await owner.open(`/setup#token=${token}`);
  await owner.page.getByText('Start the service again for a new link.').waitFor();
});
