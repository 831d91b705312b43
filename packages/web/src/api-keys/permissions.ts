import { type Action, isNamed, permissionName, type Resource } from '@affiliate/core/browser';
import { t } from '../texts/api-keys.ts';

/** The access granted per resource. A resource that is missing is not accessible. */
export type Granted = Partial<Record<Resource, Action>>;

/** Labels of all resources, in the order of the form. */
export const RESOURCE_LABELS: Record<Resource, string> = {
  affiliates: t.affiliates,
  campaigns: t.campaigns,
  links: t.links,
  affiliate_coupons: t.couponsAndPromoCodes,
  referrals: t.referrals,
  sales: t.sales,
  commissions: t.commissions,
  payouts: t.payouts,
  payout_exports: t.payoutExports,
  payout_runs: t.payoutRuns,
  payout_outcomes: t.payoutOutcomes,
  invitations: t.invitations,
  portal_tokens: t.portalTokens,
  api_keys: t.apiKeys,
  webhooks: t.webhooks,
  psp: 'Stripe',
  connectors: t.connectors,
  members: t.members,
  imports: t.imports,
};

/** Converts granted access to a permission map. Write access includes read access. */
export function permissionMap(granted: Granted): Record<string, boolean> {
  const names = (Object.keys(granted) as Resource[]).flatMap((resource) => {
    const actions: Action[] = granted[resource] === 'write' ? ['read', 'write'] : ['read'];
    return actions.filter((action) => isNamed('v1', resource, action)).map((action) => permissionName('v1', resource, action));
  });
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** Describes a permission map in a few words. */
export function describePermissions(map: Partial<Record<string, boolean>>): string {
  const denied = Object.keys(map).filter((name) => map[name] === false);
  if (map['all']) return denied.length === 0 ? t.all : t.allExcept({ value: denied.join(', ') });
  const names = Object.keys(map).filter((name) => map[name]);
  if (names.length === 0) return t.none;
  return names.length <= 3 ? names.join(', ') : t.andMore({ value: names.slice(0, 2).join(', '), value2: names.length - 2 });
}
