import type { oas31, ZodOpenApiPathsObject } from 'zod-openapi';
import type { Route } from '../routes.ts';

/** What the groups of operations are about, by their name in the router. */
const TAGS: Record<string, { name: string; description: string }> = {
  apiKeys: { name: 'API keys', description: 'Credentials of the account, each with a map of permissions.' },
  affiliates: { name: 'Affiliates', description: 'The partners who promote the merchant and earn commissions.' },
  affiliateCoupons: {
    name: 'Affiliate coupons',
    description: 'One coupon per affiliate: the legacy default of its campaign. New work should use promo codes.',
  },
  promoCodes: {
    name: 'Promo codes',
    description: 'Codes of the payment provider, assigned to one affiliate each. Writes are previews unless `dry_run` is false.',
  },
  campaigns: { name: 'Campaigns', description: 'What affiliates promote, and under which terms they earn.' },
  links: { name: 'Links', description: 'Tracked links: what affiliates share.' },
  referrals: { name: 'Referrals', description: 'Visitors that affiliates brought, on their way to becoming customers.' },
  commissions: { name: 'Commissions', description: 'What sales earn affiliates, from pending over due to paid or voided.' },
  payouts: { name: 'Payouts', description: 'Commissions of an affiliate that are paid together.' },
  payoutExports: { name: 'Payout exports', description: 'Files for paying many payouts through a bank or wallet.' },
  payoutRuns: { name: 'Payout runs', description: 'Planning, paying, repairing and reconciling payouts in batches.' },
  invitations: { name: 'Invitations', description: 'Asking people to join as members of the account or as affiliates.' },
  tracking: { name: 'Tracking', description: 'Where visits, leads, sales and refunds come in; outside `/api/v1`.' },
  events: { name: 'Events', description: 'What the service posts to the webhook endpoints of the account.' },
};

/** The tag of a procedure: that of its group in the router. */
export function tagOf(procedure: string): string {
  const group = procedure.split('.')[0]!;
  return TAGS[group]?.name ?? group;
}

/** The tags in use, in the order of the table above. */
export function tagsOf(routes: readonly Route[], webhooks: ZodOpenApiPathsObject): oas31.TagObject[] {
  const used = new Set(routes.map(({ procedure }) => tagOf(procedure)));
  for (const item of Object.values(webhooks)) for (const tag of item.post?.tags ?? []) used.add(tag);
  const described = Object.values(TAGS).filter(({ name }) => used.delete(name));
  return [...described, ...[...used].map((name) => ({ name }))];
}
