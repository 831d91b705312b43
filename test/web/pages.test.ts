import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium/index.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import type { TestService } from '../support/service.ts';
import { type Demo, demoAccount } from './demo.ts';
import { startServiceWithPages } from './service.ts';
import { Visitor } from './visitor.ts';

/**
 * Every page with the data of a shop, in the sizes and colours that people have it in. With SCREENSHOTS, the name of a directory,
 * pictures of them are kept there: `pnpm screenshots`.
 */
const PAGES: [name: string, path: (demo: Demo) => string, heading: string | RegExp][] = [
  ['overview', () => '/', 'Overview'],
  ['affiliates', () => '/affiliates', 'Affiliates'],
  ['affiliate', ({ affiliateId }) => `/affiliates/${affiliateId}`, 'Ada Lovelace'],
  ['review-queue', () => '/commissions/review', 'Review queue'],
  ['commissions', () => '/commissions', 'Commissions'],
  ['payouts', () => '/payouts', 'Payouts'],
  ['payout-exports', () => '/payouts/exports', 'Payout exports'],
  ['payout-runs', () => '/payouts/runs', 'Payout runs'],
  ['payout-run', ({ runId }) => `/payouts/runs/${runId}`, 'Payout run'],
  ['api-keys', () => '/settings/api-keys', 'API keys'],
  ['webhooks', () => '/settings/webhooks', 'Webhooks'],
  ['webhook-endpoint', ({ endpointId }) => `/settings/webhooks/endpoints/${endpointId}`, 'Order system'],
  ['webhook-deliveries', () => '/settings/webhooks/deliveries', 'Deliveries'],
  ['webhook-delivery', ({ deliveryId }) => `/settings/webhooks/deliveries/${deliveryId}`, /Delivery of/],
  ['payment-provider', () => '/settings/payment-provider', 'Payment provider'],
  ['connectors', () => '/settings/connectors', 'Connectors'],
  ['members', () => '/settings/members', 'Members and invitations'],
  ['not-found', () => '/nowhere', 'Not found'],
];

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const pictures = process.env['SCREENSHOTS'];

let service: TestService;
let browser: Browser;
let receiver: HookReceiver;
let owner: Visitor;
let demo: Demo;

beforeAll(async () => {
  [service, browser, receiver] = await Promise.all([startServiceWithPages(), launchChromium(), HookReceiver.start()]);
  demo = await demoAccount(service, receiver);
  owner = await Visitor.arrive(browser, service.url, DESKTOP);
  if (pictures) await mkdir(pictures, { recursive: true });
  await take('sign-in', '/sign-in', 'Sign in');
  await owner.signIn(demo.account.ownerEmail, demo.account.ownerPassword);
});
afterAll(async () => {
  await browser.close();
  await receiver[Symbol.asyncDispose]();
  await service.stop();
});

async function take(name: string, path: string, heading: string | RegExp): Promise<void> {
  await owner.open(path);
  await owner.heading(heading);
  await owner.settled();
  if (pictures) await owner.page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' });
}

it.each(PAGES)('%s is usable by everybody, at any size, in light and dark', async (name, path, heading) => {
  const { page } = owner;
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
  await take(name, path(demo), heading);
  expect(await owner.faults()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await owner.faultsOfColour()).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await owner.faults()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await owner.faultsOfColour()).toEqual([]);
  expect(await owner.overflow()).toEqual([]);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}-phone.png`), fullPage: true });
});
