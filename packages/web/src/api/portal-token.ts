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

/** The token with which a link of the merchant has opened the portal in this tab; null when a person is signed in instead. */
export function portalToken(): string | null {
  return embedded ?? sessionStorage.getItem(NAME);
}

export function keepPortalToken(token: string): void {
  sessionStorage.setItem(NAME, token);
}

export function dropPortalToken(): void {
  sessionStorage.removeItem(NAME);
}
