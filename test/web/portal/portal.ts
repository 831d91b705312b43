import { afterAll, beforeAll, expect } from 'vitest';
import { type Chromium, launchChromium } from '../../support/chromium/index.ts';
import { must } from '../../support/program.ts';
import type { TestAccount, TestService } from '../../support/service.ts';
import { THOROUGH, sample } from '../../support/thorough.ts';
import { startServiceWithPages } from '../service.ts';
import { LOOKS, Visitor } from '../visitor.ts';

const PHONE = { width: 390, height: 844 };

/** The portal of an account with a default campaign, and a browser for its visitors. */
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

  /** The owner of the account, on a page. */
  ownerAt(path: string): Promise<Visitor> {
    return Visitor.ownerAt(path, this.#browser, this.service, this.account);
  }

  /** A visitor with a phone, under a host name that leads to this machine: another one than the service's in a window of its own. */
  arriveByPhone(host = '127.0.0.1'): Promise<Visitor> {
    return Visitor.arrive(this.#browser, this.service.url.replace('127.0.0.1', host), {
      ...PHONE,
      isFresh: host !== '127.0.0.1',
    });
  }

  /** Path of the link in an e-mail. */
  async mailedPath(email: string, subject: RegExp): Promise<string> {
    const { text } = await this.service.mailbox.take(email, subject);
    const { pathname, hash } = new URL(/http\S+/.exec(text)![0]);
    return pathname + hash;
  }
}

let turn = 0;
/**
 * Checks the page that is open: accessibility on a large screen and on a phone, each in the dark too, and that it fits. The ordinary run
 * checks accessibility in one of these looks, and that of the next page in another.
 *
 * @param options.isCheckedElsewhere true for a page that is checked elsewhere with more on it: only the thorough run checks it here too
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

/** One portal for all tests of a file. */
export function usePortal(): Portal {
  const portal = new Portal();
  beforeAll(() => portal.open());
  afterAll(() => portal.close());
  return portal;
}
