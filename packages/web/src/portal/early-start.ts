import { isPortalHost } from '../api/portal-host.ts';
import { portalToken } from '../api/portal-token.ts';
import { IN_LANGUAGE } from '../texts/language.ts';

const CHOSEN = 'portal-account';

let answer: Promise<unknown> | null = null;

/** Requests the first data of the portal of a signed-in person, while the portal's scripts are loading. */
export function askForStart(): void {
  if (!window.location.pathname.startsWith('/portal') || isPortalHost() || portalToken() !== null) return;
  const chosen = chosenAccountId();
  const headers = { ...IN_LANGUAGE, ...(chosen !== null && { 'X-Account-Id': chosen }) };
  answer = fetch('/trpc/portal.start', { headers })
    .then(async (response) => ((await response.json()) as { result?: { data: unknown } }).result?.data ?? null)
    .catch(() => null);
}

/** Returns the answer to the early request, once. Null if there is none: the portal then asks again, and shows the error. */
export function takeEarlyStart(): Promise<unknown> {
  const taken = answer ?? Promise.resolve(null);
  answer = null;
  return taken;
}

/** Returns the account that this tab has chosen, or null if the service is to choose one. */
export function chosenAccountId(): string | null {
  return sessionStorage.getItem(CHOSEN);
}

/** Switches to another account. Reloads the page, so that no data of the previous account remains. */
export function chooseAccount(accountId: string): void {
  sessionStorage.setItem(CHOSEN, accountId);
  window.location.assign('/portal');
}
