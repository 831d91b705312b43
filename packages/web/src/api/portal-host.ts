/**
 * Reports whether this page is under the host name of a merchant's own. Nobody can sign in there: links by mail open the portal
 * (docs/domain-rules.md#portal-hosts).
 */
export function isPortalHost(): boolean {
  return document.documentElement.dataset['portalHost'] !== undefined;
}
