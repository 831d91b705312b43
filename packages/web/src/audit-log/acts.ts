import type { Outputs } from '../api/client.ts';
import { t } from '../texts/audit-acts.ts';

type Entry = Pick<Outputs['auditLog']['browse']['data'][number], 'tool' | 'action' | 'arguments'>;

/** Actions of assistants whose tool or action differs from the operation that it calls. */
const OF_ASSISTANTS: Readonly<Record<string, keyof typeof t>> = {
  'affiliate_promo_codes.create': 'promo_codes.assign',
  'affiliate_promo_codes.create_own': 'promo_codes.create',
  'affiliate_promo_codes.import': 'promo_codes.assign',
  'affiliate_promo_codes.refresh': 'promo_codes.refresh',
  'affiliate_promo_codes.stop': 'promo_codes.stop',
  'affiliates.decide': 'applications.decide',
  'invitations.change': 'invitations.update',
  'invitations.revoke': 'invitations.update.revoke',
  'payouts.decide': 'payout_attempts.decide',
  'payouts.prepare': 'payout_attempts.prepare',
  'payouts.withdraw': 'payout_attempts.withdraw',
  'rewards.create': 'reward_rules.create',
  'rewards.create_tier': 'tiers.create',
  'rewards.effect': 'reward_rules.preview_change',
  'rewards.end': 'reward_rules.end',
  'rewards.end_tier': 'tiers.end',
  'rewards.update': 'reward_rules.update',
  'sales.erase_customer': 'customers.erase',
  'sales.record': 'tracking.record_sale',
  'sales.refund': 'tracking.record_refund',
  'team.change_role': 'members.update_role',
  'webhooks.create': 'webhook_endpoints.create',
  'webhooks.resend': 'webhook_deliveries.resend_since',
  'webhooks.retry': 'webhook_deliveries.retry',
  'webhooks.send_test': 'webhook_endpoints.send_test',
  'webhooks.update': 'webhook_endpoints.update',
};

/** Arguments that say which of several things an action does. */
const KINDS = ['review_action', 'remediation_action', 'invitation_action', 'decision'];

/** Returns the sentence for what the caller did, or null for an unknown action. */
export function actOf({ tool, action, arguments: given }: Entry): string | null {
  const name = `${tool.replace(/^manage_/, '')}.${action}`;
  const act = OF_ASSISTANTS[name] ?? name;
  const kinds = KINDS.map((field) => `${act}.${String(argumentOf(given, field))}`);
  const key = [...kinds, act].find((each) => Object.hasOwn(t, each));
  return key === undefined ? null : t[key as keyof typeof t];
}

/** Returns the name in the arguments of a call that made a record, e.g. the email address of an invitation. */
export function nameIn({ arguments: given }: Entry): string | null {
  const names = ['name', 'email', 'code'].map((field) => argumentOf(given, field));
  return names.find((name): name is string => typeof name === 'string') ?? null;
}

function argumentOf(given: unknown, field: string): unknown {
  return typeof given === 'object' && given !== null ? (given as Record<string, unknown>)[field] : undefined;
}
