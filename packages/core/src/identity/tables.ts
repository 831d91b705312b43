import type { RoomTables } from '../platform/room-tables.ts';

/** The identity's tables, as the platform needs to know them. */
export const IDENTITY_TABLES = {
  named: { api_request: 'api_request', connector: 'connector' },
  // Checking a key for each row costs too much. Rows that are written during the deletion of the account are removed when they expire.
  unkeyed: ['api_request'],
} satisfies RoomTables;
