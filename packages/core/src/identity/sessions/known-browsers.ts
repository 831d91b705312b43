import type { Services } from '../../platform/call/context.ts';

const PURPOSE = 'known browser ';

/** Returns the value of a cookie by which a browser is known to a person who has just signed in there. */
export function knownBrowserOf({ secrets }: Pick<Services, 'secrets'>, email: string): string {
  return secrets.seal(`${PURPOSE}${email.toLowerCase()}`);
}

/** True if a person with this address has signed in with this browser before. A known browser is not signed in: it only has attempts of its own. */
export function isKnownBrowser({ secrets }: Pick<Services, 'secrets'>, cookie: string | undefined, email: string): boolean {
  if (cookie === undefined) return false;
  try {
    return secrets.open(cookie) === `${PURPOSE}${email.toLowerCase()}`;
  } catch {
    return false;
  }
}
