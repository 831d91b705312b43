/**
 * Returns whether this page is served under a merchant's own host name. Nobody can sign in there: the portal is opened with emailed links
 * (docs/rules/portal.md#portal-hosts).
 */
export function isPortalHost(): boolean {
  return document.documentElement.dataset['portalHost'] !== undefined;
}
