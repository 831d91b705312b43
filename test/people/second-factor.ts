import { type TOTP, URI } from 'otpauth';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Browser } from '../support/browser.ts';
import type { Person } from '../support/people.ts';

const PERIOD_MS = 30_000;

export interface Factor {
  app: TOTP;
  recoveryCodes: string[];
}

/** Before each test, sets the date to the middle of a 30-second period, so that a code does not expire during the test. */
export function inMidPeriod(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: (Math.floor(Date.now() / PERIOD_MS) + 0.5) * PERIOD_MS });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const post = (browser: Browser, path: string, body: object) => browser.send('POST', `/auth${path}`, { body });

/**
 * Returns the current code, or the code that is valid this many periods later (earlier if negative). Uses the system's clock, as the library does.
 */
export const codeOf = ({ app }: Factor, periods = 0) => app.generate({ timestamp: Date.now() + periods * PERIOD_MS });

/** Turns the second factor on with the previous period's code, so that the current code stays unused. */
export async function turnOn({ browser, password }: Person): Promise<Factor> {
  const { body } = await post(browser, '/two-factor/enable', { password });
  const factor = { app: URI.parse(body['totpURI'] as string) as TOTP, recoveryCodes: body['backupCodes'] as string[] };
  const confirmed = await post(browser, '/two-factor/confirm', { code: codeOf(factor, -1) });
  if (confirmed.status !== 200) throw new Error(`The code was not accepted: ${confirmed.text}`);
  return factor;
}
