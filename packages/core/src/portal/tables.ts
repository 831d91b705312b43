import type { RoomTables } from '../platform/room-tables.ts';

/** The portal's tables, as the platform needs to know them. */
export const PORTAL_TABLES = {
  named: { application: 'application', asset: 'asset' },
} satisfies RoomTables;
