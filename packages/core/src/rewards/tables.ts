import type { RoomTables } from '../platform/room-tables.ts';

/** The rewards' tables, as the platform needs to know them. */
export const REWARDS_TABLES = {
  named: { reward_rule: 'reward_rule', tier: 'tier' },
} satisfies RoomTables;
