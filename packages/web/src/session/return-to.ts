const NAME = 'return-to';
const PORTAL = 'portal-return-to';
/** Time for which a page of the portal is remembered, a little longer than a mailed link works. */
const REMEMBERED_MS = 20 * 60_000;

/** Opens the sign-in page, which returns to `from` afterwards. `from` may contain a token, so it is not passed in the URL. */
export function signInFirst(from: string): void {
  sessionStorage.setItem(NAME, from);
  window.location.replace('/sign-in');
}

/** True if the sign-in page was opened from the portal, so that the person is an affiliate. */
export function leadsToPortal(): boolean {
  return new URLSearchParams(window.location.search).get('to') === 'portal';
}

const SESSIONS = 'sessions';

/** If the sign-in page was opened beside a page whose session had ended, tells that page of the new session and closes this one. */
export function goBackSignedIn(): void {
  if (new URLSearchParams(window.location.search).get('to') !== 'back') return;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  new BroadcastChannel(SESSIONS).postMessage(null);
  window.close();
}

/** Calls back when the person has signed in in another tab, or returns to this one, e.g. after a mailed link. Returns a function that stops. */
export function onSignedInElsewhere(callBack: () => void): () => void {
  const channel = new BroadcastChannel(SESSIONS);
  channel.addEventListener('message', callBack);
  window.addEventListener('focus', callBack);
  return () => {
    channel.close();
    window.removeEventListener('focus', callBack);
  };
}

/** Remembers the page of the portal that is open, for somebody who must sign in first. In the storage of the browser, because a mailed link opens another tab. */
export function rememberPortalPage(): void {
  try {
    const { pathname, search } = window.location;
    localStorage.setItem(PORTAL, JSON.stringify({ path: pathname + search, until: Date.now() + REMEMBERED_MS }));
  } catch {
    // Without storage, the portal opens at its first page.
  }
}

/** Returns the page of the portal to open after sign-in, once. */
export function takePortalPage(): string {
  try {
    const { path, until } = JSON.parse(localStorage.getItem(PORTAL) ?? '{}') as { path?: string; until?: number };
    localStorage.removeItem(PORTAL);
    if (path !== undefined && /^\/portal(?:[/?]|$)/.test(path) && (until ?? 0) > Date.now()) return path;
  } catch {
    // Without storage, the portal opens at its first page.
  }
  return '/portal';
}

/** Returns the address to open after sign-in. */
export function destination(): string {
  if (leadsToPortal()) return takePortalPage();
  const from = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return ownPath(from ?? '/');
}

/**
 * Returns the path, or `/` if a browser would take the path for the address of another site: `//x/y` is a page of the host `x`. Otherwise
 * anybody could make a link to this service that leads to another site.
 */
export function ownPath(path: string): string {
  return /^\/(?![/\\\s])/.test(path) ? path : '/';
}
