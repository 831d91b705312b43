import type { RoomTables } from '../platform/room-tables.ts';

/** The imports' tables, as the platform needs to know them. */
export const IMPORTS_TABLES = {
  named: { import: 'data_import', import_row: 'data_import_row' },
  people: {
    data_import_row: {
      affiliate: { rows: '$id = any (made_ids)', erase: { data: `'{}'` } },
      customer: { rows: 'made_ids && array[$id] or made_ids && array($referrals)', erase: { data: `'{}'` } },
    },
  },
} satisfies RoomTables;
