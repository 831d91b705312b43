const PATHS: Record<string, string> = {
  aff: '/affiliates',
  camp: '/campaigns',
  cust: '/customers',
  ref: '/customers/referrals',
  sale: '/customers/sales',
  com: '/commissions',
  payout: '/payouts',
  prun: '/payouts/runs',
};

/** Returns the path of a record's page, chosen by the prefix of its id. Returns null for a record without a page. */
export function pathOf(id: string): string | null {
  const path = PATHS[id.slice(0, Math.max(0, id.lastIndexOf('_')))];
  return path === undefined ? null : `${path}/${id}`;
}
