/** Endpoints that this service creates at providers. Their name or, where they have none, their address says for which account. */
const NAME = /^Affiliate program \((acct_[\w-]+)\)$/;
const PARAMETER = 'for';

export function nameFor(accountId: string): string {
  return `Affiliate program (${accountId})`;
}

/** Returns the account for which the service created an endpoint with a name; null for an endpoint that somebody else created. */
export function accountInName(name: string | null | undefined): string | null {
  return NAME.exec(name ?? '')?.[1] ?? null;
}

export function addressFor(url: string, accountId: string): string {
  return `${url}?${new URLSearchParams({ [PARAMETER]: accountId }).toString()}`;
}

/** Returns the account for which the service created an endpoint with an address; null for an endpoint that somebody else created. */
export function accountInAddress(url: string): string | null {
  return URL.parse(url)?.searchParams.get(PARAMETER) ?? null;
}

/** Returns event types with those that the service needs; null if none is missing. */
export function withMissing(known: readonly string[], needed: readonly string[]): string[] | null {
  return needed.every((type) => known.includes(type)) ? null : [...new Set([...known, ...needed])];
}
