import type { RoomTables } from '../platform/room-tables.ts';

/** The webhooks' tables, as the platform needs to know them. */
export const WEBHOOKS_TABLES = {
  named: { delivery: 'webhook_delivery', event: 'event', webhook_endpoint: 'webhook_endpoint' },
  /*
   * Checking a key for each event costs too much. A trigger deletes the remaining rows when the account is deleted. No event is added after the
   * deletion. A transaction that writes events either also writes a row of `event_order`, which has a foreign key to the account, or holds the lock of
   * an endpoint's row. Until that transaction ends, the foreign key or the lock prevents the deletion of the account. A delivery has keys to its endpoint and its event.
   */
  unkeyed: ['event', 'webhook_delivery'],
  people: {
    webhook_endpoint: 'The name is that of a receiver.',
  },
} satisfies RoomTables;
