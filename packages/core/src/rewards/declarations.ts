import type { Room } from '../platform/room.ts';

/** The declarations of the room `rewards`. */
export const REWARDS = {
  named: { reward_rule: 'reward_rule', tier: 'tier' },
  people: {
    affiliate_tier: { affiliate: { erase: 'stays', export: 'tiers' } },
    reward_rule: { affiliate: { erase: 'stays', export: 'reward_rules' } },
    reward_rule_version: { affiliate: { erase: 'stays' } },
    tier: 'The name is that of a tier.',
    tier_check: { affiliate: { erase: 'stays' } },
  },
  uniqueIndexes: {
    reward_rule_version_pkey: { internal: 'A version is added while its rule is locked.' },
    reward_revision_pkey: { internal: 'Rows are added with `on conflict`.' },
    affiliate_tier_pkey: { internal: 'The periods of an affiliate change under the lock of the affiliate.' },
    tier_schedule_pkey: { internal: 'Rows are added with `on conflict`.' },
    tier_check_pkey: { internal: 'Rows are added with `on conflict`.' },
  },
} satisfies Room;
