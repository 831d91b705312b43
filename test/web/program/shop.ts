import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Chromium, launchChromium } from '../../support/chromium/index.ts';
import type { TestAccount, TestService } from '../../support/service.ts';
import { startServiceWithPages } from '../service.ts';
import { Visitor } from '../visitor.ts';

/** A service with its pages and a browser, which all tests of a file share. Each test has an account of its own. */
export interface Shop {
  readonly service: TestService;
  readonly account: TestAccount;
  /** Opens a page as the owner of the account. */
  ownerAt: (path: string) => Promise<Visitor>;
  /** Returns the time `days` days before the service's current time. */
  daysAgo: (days: number) => string;
}

export function startShop(): Shop {
  let service: TestService;
  let browser: Chromium;
  let account: TestAccount;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startServiceWithPages(), launchChromium()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  beforeEach(async () => {
    account = await service.createAccount();
  });
  return {
    get service() {
      return service;
    },
    get account() {
      return account;
    },
    ownerAt: (path) => Visitor.ownerAt(path, browser, service, account),
    daysAgo: (days) => new Date(service.clock.now().getTime() - days * 86_400_000).toISOString(),
  };
}
