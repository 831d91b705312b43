const NAME = 'return-to';

/** Opens the sign-in page, which returns to `from` afterwards. `from` may contain a token, so it is not passed in the URL. */
export function signInFirst(from: string): void {
  sessionStorage.setItem(NAME, from);
  window.location.replace('/sign-in');
}

/** True if the sign-in page was opened from the portal, so that the person is an affiliate. */
export function leadsToPortal(): boolean {
  return new URLSearchParams(window.location.search).get('to') === 'portal';
}

/** Returns the address to open after sign-in. */
export function destination(): string {
  if (leadsToPortal()) return '/portal';
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
