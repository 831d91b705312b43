import { isPortalHost } from './portal-host.ts';

const NAME = 'portal-token';
/** The token of a portal that is embedded in a frame on another site. Kept in memory, because browsers may block storage in such a frame. */
let embedded: string | null = null;

/** Sets the token of a portal that is embedded in a frame on another site. The token is kept until the page is reloaded. */
export function embedPortal(token: string): void {
  embedded = token;
}

export function isEmbedded(): boolean {
  return embedded !== null;
}

/** Returns the storage of this tab or, under a merchant's own host name, where nobody signs in, the storage of this browser. */
function storage(): Storage {
  return isPortalHost() ? localStorage : sessionStorage;
}

/** Returns the token of the link that opened the portal, or null if a person is signed in instead. */
export function portalToken(): string | null {
  return embedded ?? storage().getItem(NAME);
}

export function keepPortalToken(token: string): void {
  storage().setItem(NAME, token);
}

export function dropPortalToken(): void {
  storage().removeItem(NAME);
}
