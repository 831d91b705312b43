import type { RoomTables } from '../platform/room-tables.ts';

/** The imports' tables, as the platform needs to know them. */
export const IMPORTS_TABLES = {
  named: { import: 'data_import', import_row: 'data_import_row' },
  people: {
    data_import_row: {
      affiliate: {
        rows: `made_ids && array(
          select $id union all select id from commission where affiliate_id = $id union all select id from payout where affiliate_id = $id
          union all select id from promo_code where affiliate_id = $id)`,
        erase: { data: `'{}'` },
      },
      customer: {
        rows: 'made_ids && array[$id] or made_ids && array($referrals) or made_ids && array($sales)',
        erase: { data: `'{}'` },
      },
    },
  },
} satisfies RoomTables;
