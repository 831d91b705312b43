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
} satisfies Room;
