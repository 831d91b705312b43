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

/** Bytes of scripts and style sheets that a browser with an empty cache receives while `work` runs. */
async function received(visitor: Visitor, work: () => Promise<void>): Promise<number> {
  const session = await visitor.page.context().newCDPSession(visitor.page);
  const assets = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (!new URL(response.url).pathname.startsWith('/assets/')) return;
    assets.add(requestId);
    expect(response.headers).toMatchObject({ 'Content-Encoding': 'br', 'Cache-Control': expect.stringContaining('immutable') });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (assets.has(requestId)) bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await work();
  await visitor.settled();
  await session.detach();
  return bytes;
}

it('the first view of a page loads no more than it needs, compressed', async () => {
  const { ownerEmail, ownerPassword } = await service.createAccount();
  await using stranger = await Visitor.arrive(browser, service.url);
  const signIn = await received(stranger, async () => {
    await stranger.open('/sign-in');
    await stranger.heading('Sign in');
  });
  await using owner = await Visitor.arrive(browser, service.url);
  const overview = await received(owner, async () => {
    await owner.enter('/', { email: ownerEmail, password: ownerPassword });
    await owner.heading('Overview');
  });
  expect(signIn).toBeLessThan(210_000);
  expect(overview).toBeLessThan(360_000);
});
