import type { Room } from '../platform/room.ts';

/** The declarations of the room `reports`. */
export const REPORTS = {
  // Checking a key up to three times for each sale costs too much. A trigger deletes the remaining rows when the account is deleted. None is added after the
  // deletion: the transaction also writes records with a key to the account.
  unkeyed: ['analytics_stale_day'],
  people: {
    analytics_fact: { affiliate: { erase: 'stays' }, customer: { erase: 'stays' } },
  },
} satisfies Room;
