import type { RoomTables } from '../platform/room-tables.ts';

/** The program's tables, as the platform needs to know them. */
export const PROGRAM_TABLES = {
  named: {
    affiliate: 'affiliate',
    campaign: 'campaign',
    customer: 'customer',
    erasure: 'erasure',
    invitation: 'invitation',
    link: 'link',
    payout_method: 'payout_method',
    referral: 'referral',
  },
} satisfies RoomTables;
