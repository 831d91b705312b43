import type { RoomTables } from '../platform/room-tables.ts';

/** The sources' tables, as the platform needs to know them. */
export const SOURCES_TABLES = {
  named: { connection: 'connection' },
  people: {
    told_state: 'A digest of the names of a customer, and the state of codes.',
    connection: 'The name is that of the merchant’s account at the provider.',
    payment_pieces: {
      customer: {
        rows: 'names && array(select name from payment_name where sale_id in ($sales))',
        erase: 'in code',
        export: 'payment_pieces',
      },
    },
  },
} satisfies RoomTables;
