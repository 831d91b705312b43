import { isPortalHost } from './portal-host.ts';

const NAME = 'portal-token';
/** The token of a portal in a frame of another site, where the browser may keep nothing. */
let embedded: string | null = null;

/** Opens the portal in a frame of another site with a token, until the page is loaded again. */
export function embedPortal(token: string): void {
  embedded = token;
}

export function isEmbedded(): boolean {
  return embedded !== null;
}

/** The storage of this tab; under a merchant's own host name, where nobody signs in, that of this browser. */
function storage(): Storage {
  return isPortalHost() ? localStorage : sessionStorage;
}

/** The token with which a link has opened the portal; null when a person is signed in instead. */
export function portalToken(): string | null {
  return embedded ?? storage().getItem(NAME);
}

export function keepPortalToken(token: string): void {
  storage().setItem(NAME, token);
}

export function dropPortalToken(): void {
  storage().removeItem(NAME);
}
