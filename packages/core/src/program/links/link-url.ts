export type ParameterType = 'query' | 'hash';

/** Adds parameters to a destination URL: to its query, or to its fragment if `type` is `hash`. */
export function withParameters(destination: string, type: ParameterType, added: Record<string, string>): string {
  const url = new URL(destination);
  // A fragment without "=" is an anchor and not a list of parameters, so it is replaced.
  const parameters = type === 'query' ? url.searchParams : new URLSearchParams(url.hash.includes('=') ? url.hash.slice(1) : '');
  for (const [name, value] of Object.entries(added)) parameters.set(name, value);
  if (type === 'hash') url.hash = parameters.toString();
  return url.toString();
}

/** Returns the destination URL with the link's token, for sites that run the tracking script. */
export function shareUrl(destination: string, token: string, type: ParameterType): string {
  return withParameters(destination, type, { via: token });
}

/**
 * Returns the URL that records a visit and redirects to the destination. It contains the slug of the account, because tokens are unique only
 * within an account. Below `/t/`, no slug can be mistaken for a page.
 */
export function trackingUrl(publicUrl: string, accountSlug: string, token: string): string {
  return `${publicUrl}/t/${accountSlug}/${token}`;
}
