import { type Action, permissionName, type Resource } from '@affiliate/core/browser';

/** Access per resource. A missing resource has none. */
export type Granted = Partial<Record<Resource, Action>>;

/** Every resource, in the order of the form. */
export const RESOURCE_LABELS: Record<Resource, string> = {
  affiliates: 'Affiliates',
  campaigns: 'Campaigns',
  links: 'Links',
  affiliate_coupons: 'Coupons and promo codes',
  referrals: 'Referrals',
  sales: 'Sales',
  commissions: 'Commissions',
  payouts: 'Payouts',
  payout_exports: 'Payout exports',
  payout_runs: 'Payout runs',
  invitations: 'Invitations',
  api_keys: 'API keys',
  webhooks: 'Webhooks',
  psp: 'Stripe',
  connectors: 'Connectors',
  members: 'Members',
};

/** The permission map of the selection. Write access includes read access. */
export function permissionMap(granted: Granted): Record<string, boolean> {
  const names = (Object.keys(granted) as Resource[]).flatMap((resource) => {
    const actions: Action[] = granted[resource] === 'write' ? ['read', 'write'] : ['read'];
    return actions.map((action) => permissionName('v1', resource, action));
  });
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** A short description of a permission map. */
export function describePermissions(map: Partial<Record<string, boolean>>): string {
  const denied = Object.keys(map).filter((name) => map[name] === false);
  if (map['all']) return denied.length === 0 ? 'All' : `All except ${denied.join(', ')}`;
  const names = Object.keys(map).filter((name) => map[name]);
  if (names.length === 0) return 'None';
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}
