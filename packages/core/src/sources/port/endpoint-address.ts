/** Addresses of endpoints that cannot have a description: the address itself says for which account the service created them. */
const CREATED_FOR = 'for';

export function addressFor(url: string, accountId: string): string {
  return `${url}?${new URLSearchParams({ [CREATED_FOR]: accountId }).toString()}`;
}

/** Returns the account for which the service created an endpoint; null for an endpoint that somebody else created. */
export function accountInAddress(url: string): string | null {
  return URL.parse(url)?.searchParams.get(CREATED_FOR) ?? null;
}
