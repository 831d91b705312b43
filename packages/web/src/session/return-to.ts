const NAME = 'return-to';

/** Opens the sign-in page, which leads back here. The address may hold a token, so that it is kept out of the URL. */
export function signInFirst(from: string): void {
  sessionStorage.setItem(NAME, from);
  window.location.replace('/sign-in');
}

/** The address that the sign-in page leads to. */
export function destination(): string {
  if (new URLSearchParams(window.location.search).get('to') === 'portal') return '/portal';
  const from = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return ownPath(from ?? '/');
}

/**
 * The path, or `/` for one that a browser would read as the address of another site: `//x/y` is a page of the host `x`, and anybody can make a
 * link to this service with that path.
 */
export function ownPath(path: string): string {
  return /^\/(?![/\\\s])/.test(path) ? path : '/';
}
