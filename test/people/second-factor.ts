import { type TOTP, URI } from 'otpauth';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Browser } from '../support/browser.ts';
import type { Person } from '../support/people.ts';

const PERIOD_MS = 30_000;

export interface Factor {
  app: TOTP;
  recoveryCodes: string[];
}

/** Sets the date to the middle of a period before each test, so that no period of codes ends during it. */
export function inMidPeriod(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: (Math.floor(Date.now() / PERIOD_MS) + 0.5) * PERIOD_MS });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const post = (browser: Browser, path: string, body: object) => browser.send('POST', `/auth${path}`, { body });

/** The code of now, or of a period before or after it. The library uses the system's clock. */
export const codeOf = ({ app }: Factor, periods = 0) => app.generate({ timestamp: Date.now() + periods * PERIOD_MS });

/** Turns the second factor on with the code of the period before, so that the others are still good. */
export async function turnOn({ browser, password }: Person): Promise<Factor> {
  const { body } = await post(browser, '/two-factor/enable', { password });
  const factor = { app: URI.parse(body['totpURI'] as string) as TOTP, recoveryCodes: body['backupCodes'] as string[] };
  const confirmed = await post(browser, '/two-factor/confirm', { code: codeOf(factor, -1) });
  if (confirmed.status !== 200) throw new Error(`Confirming answered ${confirmed.text}`);
  return factor;
}
