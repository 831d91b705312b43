type Matrix = Record<string, Record<string, string[]>>;

/** Permissions that each action of each tool needs: docs/rules/assistants.md#assistants. */
export const MATRIX: Matrix = {
  program_overview: {
    summary: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
    search: [
      'affiliates.read',
      'referrals.read',
      'sales.read',
      'commissions.read',
      'payouts.read',
      'payout_runs.read',
      'links.read',
      'affiliate_coupons.read',
    ],
    falling_due: ['commissions.read'],
    daily: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
    top_affiliates: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
    analytics: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
  },
  explain: {
    sale: ['sales.read', 'referrals.read', 'affiliates.read', 'commissions.read', 'payouts.read'],
    commission: ['commissions.read', 'referrals.read', 'payouts.read'],
    payout: ['payouts.read', 'commissions.read'],
    referral: ['referrals.read', 'commissions.read', 'payouts.read'],
    customer: ['referrals.read', 'sales.read', 'affiliates.read', 'commissions.read', 'payouts.read'],
    affiliate: ['affiliates.read', 'referrals.read', 'commissions.read', 'payouts.read'],
    payday: ['payouts.read', 'commissions.read', 'affiliates.read'],
    delivery: ['webhooks.read'],
  },
  affiliates: {
    ...needing(['affiliates.read'], ['list', 'get', 'applications']),
    personal_data: ['affiliates.read', 'commissions.read', 'payouts.read'],
    application: ['affiliates.read'],
  },
  manage_affiliates: {
    ...needing(['affiliates.write'], ['create', 'update', 'decide', 'archive']),
    // Also takes the right to pay, which members do not have.
    erase: ['affiliates.write', 'payouts.write'],
  },
  ...resource('campaigns', ['list', 'get', 'assets'], ['create', 'update', 'archive']),
  rewards: needing(['campaigns.read'], ['rules', 'rule', 'tiers']),
  manage_rewards: needing(['campaigns.write'], ['create', 'update', 'end', 'effect', 'create_tier', 'end_tier']),
  ...resource('links', ['list', 'get'], ['create', 'update', 'archive']),
  ...resource('referrals', ['list', 'get'], ['create', 'update', 'deactivate']),
  sales: {
    list: ['sales.read', 'referrals.read', 'affiliates.read'],
    get: ['sales.read', 'referrals.read', 'affiliates.read'],
    refunds: ['sales.read'],
    customers: ['referrals.read', 'sales.read', 'affiliates.read'],
    customer: ['referrals.read', 'sales.read', 'affiliates.read'],
    customer_data: ['referrals.read', 'sales.read', 'affiliates.read', 'commissions.read', 'payouts.read'],
  },
  manage_sales: needing(['sales.write'], ['assign', 'update', 'reconsider', 'record', 'refund', 'erase_customer']),
  ...resource('commissions', ['list', 'get'], ['create', 'update', 'void', 'review']),
  payouts: needing(['payouts.read'], ['list', 'get', 'unknown']),
  manage_payouts: {
    ...needing(['payouts.write'], ['pay', 'return', 'prepare', 'withdraw']),
    decide: ['payout_outcomes.write'],
  },
  ...resource('payout_exports', ['list', 'get'], ['create', 'pay', 'release']),
  ...resource('payout_runs', ['list', 'get', 'items', 'reconcile'], ['create', 'execute', 'remediate']),
  affiliate_promo_codes: {
    ...needing(['affiliate_coupons.read'], ['list']),
    ...needing(['affiliate_coupons.write'], ['import', 'create', 'create_own', 'refresh', 'stop']),
  },
  ...resource('affiliate_coupons', ['get'], ['create', 'update', 'sync', 'delete']),
  ...resource('invitations', ['list', 'get'], ['create', 'change', 'revoke', 'resend', 'delete']),
  ...resource(
    'webhooks',
    ['endpoints', 'endpoint', 'deliveries', 'delivery'],
    ['create', 'retry', 'resend', 'send_test', 'update'],
  ),
  team: { members: ['members.read'], audit_log: ['connectors.read'] },
  manage_team: needing(['members.write'], ['change_role']),
};

/** The tool that reads a resource and the tool that changes it. */
function resource(name: string, reads: string[], writes: string[]): Matrix {
  return { [name]: needing([`${name}.read`], reads), [`manage_${name}`]: needing([`${name}.write`], writes) };
}

function needing(permissions: string[], actions: string[]): Record<string, string[]> {
  return Object.fromEntries(actions.map((action) => [action, permissions]));
}

/** Returns the name of a permission with its surface. */
export function fullName(name: string): string {
  return `${/^(webhooks|members|connectors)\./.test(name) ? 'settings' : 'mcp'}.${name}`;
}
