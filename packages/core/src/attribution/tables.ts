import type { RoomTables } from '../platform/room-tables.ts';

/** The attribution's tables, as the platform needs to know them. */
export const ATTRIBUTION_TABLES = {
  people: {
    attribution_claim: { customer: { erase: 'stays', export: 'claims' } },
    lead_network: { customer: { rows: 'referral_id in ($referrals)', erase: 'stays' } },
  },
} satisfies RoomTables;
