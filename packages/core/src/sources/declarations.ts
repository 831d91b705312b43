import type { Room } from '../platform/room.ts';

/** The declarations of the room `sources`. */
export const SOURCES = {
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
  retention: {
    // Abandoned checkouts, and refunds of charges from before the connection. Pieces with a charge are kept, because later refunds and disputes name the
    // payment.
    payment_pieces: { since: 'updated_at', days: 90, when: 'not charged' },
  },
} satisfies Room;
