import type { Resource } from '@affiliate/core';

export type Action = 'read' | 'write';
/** What a key may do with each resource; none where it is missing. */
export type Granted = Partial<Record<Resource, Action>>;

/** Every resource by its name on this page. Those of the settings have permissions of their own kind. */
export const RESOURCES: Record<Resource, { label: string; surface: 'v1' | 'settings' }> = {
  affiliates: { label: 'Affiliates', surface: 'v1' },
  campaigns: { label: 'Campaigns', surface: 'v1' },
  links: { label: 'Links', surface: 'v1' },
  affiliate_coupons: { label: 'Coupons and promo codes', surface: 'v1' },
  referrals: { label: 'Referrals', surface: 'v1' },
  sales: { label: 'Sales', surface: 'v1' },
  commissions: { label: 'Commissions', surface: 'v1' },
  payouts: { label: 'Payouts', surface: 'v1' },
  payout_exports: { label: 'Payout exports', surface: 'v1' },
  payout_runs: { label: 'Payout runs', surface: 'v1' },
  invitations: { label: 'Invitations', surface: 'v1' },
  api_keys: { label: 'API keys', surface: 'v1' },
  webhooks: { label: 'Webhooks', surface: 'settings' },
  psp: { label: 'Payment provider', surface: 'settings' },
  connectors: { label: 'Connectors', surface: 'settings' },
  members: { label: 'Members', surface: 'settings' },
};

/** Who may write may read: one without the other helps nobody here. */
export function permissionMap(granted: Granted): Record<string, boolean> {
  const names = (Object.keys(granted) as Resource[]).flatMap((resource) => {
    const name = `${RESOURCES[resource].surface}.${resource}`;
    return granted[resource] === 'write' ? [`${name}.read`, `${name}.write`] : [`${name}.read`];
  });
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** A permission map in a few words. */
export function describePermissions(map: Partial<Record<string, boolean>>): string {
  const denied = Object.keys(map).filter((name) => map[name] === false);
  if (map['all']) return denied.length === 0 ? 'everything' : `everything but ${denied.join(', ')}`;
  const names = Object.keys(map).filter((name) => map[name]);
  if (names.length === 0) return 'none';
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}
