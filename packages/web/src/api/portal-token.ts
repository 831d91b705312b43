const NAME = 'portal-token';

/** The token with which a link of the merchant has opened the portal in this tab; null when a person is signed in instead. */
export function portalToken(): string | null {
  return sessionStorage.getItem(NAME);
}

export function keepPortalToken(token: string): void {
  sessionStorage.setItem(NAME, token);
}

export function dropPortalToken(): void {
  sessionStorage.removeItem(NAME);
}
