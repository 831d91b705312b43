/** The destination with the token in the query, or in the fragment, where the campaign wants it. */
export function shareUrl(destination: string, token: string, parameterType: 'query' | 'hash'): string {
  const url = new URL(destination);
  if (parameterType === 'query') {
    url.searchParams.set('via', token);
    return url.toString();
  }
  const fragment = new URLSearchParams(url.hash.slice(1).includes('=') ? url.hash.slice(1) : '');
  fragment.set('via', token);
  url.hash = fragment.toString();
  return url.toString();
}

/** Where visits are counted. Names the account, because tokens are unique within one account only. */
export function trackingUrl(publicUrl: string, accountId: string, token: string): string {
  return `${publicUrl}/t/${token}?account_id=${accountId}`;
}
