import type { RoomTables } from '../platform/room-tables.ts';

/** The rewards' tables, as the platform needs to know them. */
export const REWARDS_TABLES = {
  named: { reward_rule: 'reward_rule', tier: 'tier' },
  people: {
    affiliate_tier: { affiliate: { erase: 'stays', export: 'tiers' } },
    reward_rule: { affiliate: { erase: 'stays', export: 'reward_rules' } },
    reward_rule_version: { affiliate: { erase: 'stays' } },
    tier: 'The name is that of a tier.',
    tier_check: { affiliate: { erase: 'stays' } },
  },
} satisfies RoomTables;
