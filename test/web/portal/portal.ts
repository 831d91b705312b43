import { afterAll, beforeAll, expect } from 'vitest';
import { type Chromium, launchChromium } from '../../support/chromium/index.ts';
import { must } from '../../support/program.ts';
import type { TestAccount, TestService } from '../../support/service.ts';
import { THOROUGH, sample } from '../../support/thorough.ts';
import { startServiceWithPages } from '../service.ts';
import { LOOKS, Visitor } from '../visitor.ts';

const PHONE = { width: 390, height: 844 };

/** A service with the portal of an account that has a default campaign, and a browser for its visitors. */
export class Portal {
  service!: TestService;
  account!: TestAccount;
  #browser!: Chromium;

  async open(): Promise<void> {
    [this.service, this.#browser] = await Promise.all([startServiceWithPages(), launchChromium()]);
    this.account = await this.service.createAccount();
    await must(this.account, '/campaigns', {
      name: 'Friends of the shop',
      url: 'https://shop.example.com/',
      reward_type: 'percent',
      commission_percent: 10,
      days_until_commissions_are_due: 0,
      minimum_payout_cents: 2_000,
      welcome_text: 'Welcome to our friends!',
      default: true,
    });
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.service.stop();
  }

  /** Opens a page as the owner of the account. */
  ownerAt(path: string): Promise<Visitor> {
    return Visitor.ownerAt(path, this.#browser, this.service, this.account);
  }

  /**
   * Returns a visitor with a phone. `host` is a host name that points to this machine. If it is not the host name of the service, the visitor gets a
   * new window.
   */
  arriveByPhone(host = '127.0.0.1'): Promise<Visitor> {
    return Visitor.arrive(this.#browser, this.service.url.replace('127.0.0.1', host), {
      ...PHONE,
      isFresh: host !== '127.0.0.1',
    });
  }

  /** Returns a visitor with a phone, whose browser denies frames of other sites their storage and cookies. */
  async arriveWithoutStorage(): Promise<Visitor> {
    const visitor = await Visitor.arrive(this.#browser, this.service.url, { ...PHONE, isFresh: true });
    await visitor.page.context().addInitScript(`if (window !== top) {
      const deny = { get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); } };
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) Object.defineProperty(window, name, deny);
      Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} });
    }`);
    return visitor;
  }

  /** Returns the path of the link in an email. */
  async mailedPath(email: string, subject: RegExp): Promise<string> {
    const { text } = await this.service.mailbox.take(email, subject);
    const { pathname, hash } = new URL(/http\S+/.exec(text)![0]);
    return pathname + hash;
  }
}

let turn = 0;
/**
 * Checks that the open page is accessible on a large screen and on a phone, in light and dark mode, and that it fits the phone's screen. The ordinary
 * run checks the accessibility of each page in only one of these four looks, in turn.
 *
 * @param options.isCheckedElsewhere true if another test checks this page with more content. Then only the thorough run checks it here.
 */
export async function checkLooks(visitor: Visitor, { isCheckedElsewhere = false } = {}): Promise<void> {
  if (isCheckedElsewhere && !THOROUGH) return;
  turn += 1;
  const looks = sample(LOOKS, LOOKS.length, turn);
  for (const look of looks) {
    await visitor.putOn(look);
    expect(await visitor.faults({ contrast: true })).toEqual([]);
  }
  if (looks.at(-1)!.size.width !== PHONE.width) await visitor.putOn({ size: PHONE, colorScheme: 'light' });
  expect(await visitor.overflow()).toEqual([]);
}

/** Returns a portal that all tests of a file share. */
export function usePortal(): Portal {
  const portal = new Portal();
  beforeAll(() => portal.open());
  afterAll(() => portal.close());
  return portal;
}

/** Opens a page of the portal. On a phone, the bar at the bottom shows only some pages, and the rest after a click. */
export async function turnTo(visitor: Visitor, name: string): Promise<void> {
  const link = visitor.page.getByRole('link', { name, exact: true });
  if (!(await link.isVisible())) await visitor.button('More').click();
  await link.click();
  await visitor.heading(name);
}
